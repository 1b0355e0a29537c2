"""The peer minijinja from Python renders prompts with a checkpoint's chat template
in minijinja.
"""

import functools
import json

import minijinja

# minijinja has no tags of others: that of spans, which write nothing, is left out.
TAGS = {"{%- generation -%}": "{#- -#}", "{%- endgeneration -%}": "{#- -#}", "{% generation %}": "", "{% endgeneration %}": ""}


def refuse(text):
    raise ValueError(text)


@functools.cache
def environment(template):
    for tag, nothing in TAGS.items():
        template = template.replace(tag, nothing)
    env = minijinja.Environment(trim_blocks=True, lstrip_blocks=True)
    env.add_global("raise_exception", refuse)
    # minijinja's own tojson writes other spaces.
    env.add_filter("tojson", lambda v, **style: json.dumps(v, ensure_ascii=False, **style))
    env.add_template("chat", template)
    return env


def prepare(request):
    env, values = environment(request["chat_template"]), dict(request["request"])
    date = values.pop("date", "")
    env.add_global("strftime_now", lambda form: date)
    return lambda: env.render_template("chat", **values), lambda text: {"text": text}
