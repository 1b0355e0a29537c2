"""OpenAI's library as an engine that speaks PROTOCOL.md; doc.go says what its cases are."""

import json
import os
import platform
import sys
from importlib.metadata import version

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # whatever a library prints is no answer

from openai_harmony import HarmonyEncodingName, Role, StreamableParser, load_harmony_encoding  # noqa: E402

ENCODING = load_harmony_encoding(HarmonyEncodingName.HARMONY_GPT_OSS)
FORMS = ("completion", "training", "plain")


class Cannot(Exception):
    """The engine lacks the ability; says why."""


class RequestError(Exception):
    """The request itself is wrong."""


def render(case):
    """The ids of a conversation."""
    if "conversation" not in case:
        raise Cannot("this engine renders a conversation in the library's own form, under the key conversation")
    form, text = case.get("form", FORMS[0]), json.dumps(case["conversation"])
    config = {"auto_drop_analysis": case.get("auto_drop_analysis", True)}
    rust = ENCODING._inner  # the package's classes pass the same JSON on, with less said of what is wrong
    if form == "completion":
        return rust.render_conversation_for_completion(conversation_json=text, next_turn_role=case.get("next_role", "assistant"), config=config)
    if form == "training":
        return rust.render_conversation_for_training(conversation_json=text, config=config)
    if form == "plain":
        return rust.render_conversation(conversation_json=text, config=config)
    raise RequestError(f"form must be one of {', '.join(FORMS)}")


def encode(case):
    """The prompt, its ids, and the ids that the same text has with its markers read as markers."""
    ids = render(case)
    text = ENCODING.decode_utf8(ids)
    return {"text": text, "input_ids": ids, "read_ids": ENCODING.encode(text, allowed_special="all")}


def reply(case):
    """The ids of a reply."""
    if "reply_ids" in case:
        ids = case["reply_ids"]
        if not isinstance(ids, list) or not all(type(i) is int and 0 <= i < 2**32 for i in ids):
            raise RequestError("reply_ids must be a list of token ids")
        return ids
    if not isinstance(case.get("reply"), str):
        raise RequestError("reply must be a string")
    return ENCODING.encode(case["reply"], allowed_special="all")


def reading(case):
    role = case.get("role", "assistant")
    return None if role is None else Role(role), bool(case.get("strict", True))


def parse(case):
    role, strict = reading(case)
    return {"messages": [m.to_dict() for m in ENCODING.parse_messages_from_completion_tokens(reply(case), role, strict=strict)]}


def stream(case):
    """Feeds tokens one by one: a feed is what the parser says of one."""
    role, strict = reading(case)
    parser, feeds = StreamableParser(ENCODING, role, strict=strict), []
    for i in reply(case):
        parser.process(i)
        feeds.append([{"type": "token", "id": i, "state": parser.state.value, "role": parser.current_role and parser.current_role.value,
                       "channel": parser.current_channel, "recipient": parser.current_recipient,
                       "content_type": parser.current_content_type, "delta": parser.last_content_delta}])
    parser.process_eos()
    return {"initial": [], "feeds": feeds, "final": [], "message": {"messages": [m.to_dict() for m in parser.messages]}}


CASES = {"render": lambda case: ENCODING.decode_utf8(render(case)), "encode": encode, "parse": parse, "tokenwise": stream}
INFO = {"name": "openai-harmony", "versions": {"python": platform.python_version(), "openai-harmony": version("openai-harmony")},
        "formats": ["gpt-oss"], "abilities": [*CASES], "notes": ["conversations are in the library's own form"]}


def answer(request):
    op = request.get("op")
    if request.get("v") != 1:
        raise Cannot("this engine speaks version 1 of the protocol")
    if op == "info":
        return INFO
    if op == "close":
        return None
    if op not in CASES:
        raise Cannot(f"no such operation: {op!r}")
    if not isinstance(request.get("case"), dict):
        raise RequestError("case must be an object")
    return CASES[op](request["case"])


for line in sys.stdin.buffer:
    number, last = None, False
    try:
        request = json.loads(line)
        number, last = request.get("id"), request.get("op") == "close"
        out = {"ok": answer(request)}
    except Cannot as why:
        out = {"cannot": str(why)}
    except BaseException as error:  # Rust's panics are no Exception
        out = {"error": {"class": type(error).__name__, "message": str(error)}}
    print(json.dumps({"id": number, **out}), file=answers, flush=True)
    if last:
        break
