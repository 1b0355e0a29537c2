"""Tries the packages as a worker uses them, then compiles every module that
this loaded. Compiled modules take 1.2 s off a worker's start of 2.1 s, and the
rest of the packages, which no worker loads, would take a minute.

Usage: python compile.py PYTHON_VERSION ROOT [MODULE...]

With modules it imports these instead: the packages are others than the reference's.
The compiled files are marked as never to be checked against their source, so
that they stay good when the cache folder is copied and its times change.
"""

import importlib
import os
import platform
import py_compile
import sys

version, root, *modules = sys.argv[1:]
if platform.python_version() != version:
    sys.exit("this is CPython %s, not %s" % (platform.python_version(), version))


def reference():
    import jinja2
    import regex
    import tokenizers
    import transformers

    words = {"[UNK]": 0, "a": 1}
    model = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    model.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=model, unk_token="[UNK]")
    template = "{% for m in messages %}{% generation %}{{ m.content | tojson }}{% endgeneration %}{% endfor %}"
    messages = [{"role": "user", "content": "a"}]
    text = tokenizer.apply_chat_template(messages, chat_template=template, tokenize=False)
    if text != '"a"':
        sys.exit("the packages do not work together: a template gave %r" % text)
    tokenizer.apply_chat_template(
        messages, chat_template=template, return_dict=True, return_assistant_tokens_mask=True
    )


if modules:
    for name in modules:
        importlib.import_module(name)
else:
    reference()

root = os.path.join(os.path.abspath(root), "")
for module in list(sys.modules.values()):
    source = getattr(module, "__file__", None)
    if source and source.endswith(".py") and os.path.abspath(source).startswith(root):
        py_compile.compile(source, doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
