"""An engine for beamdiff in 40 lines: renders each message as a line "role: content"."""

import json
import sys

INFO = {"name": "example", "versions": {"example": "1"}, "formats": ["lines"], "abilities": ["render", "mask"]}


class Cannot(Exception):
    pass


def lines(case):
    """The prompt, and the spans of what the assistant wrote."""
    text, spans = "", []
    for message in case["messages"]:
        start = len(text) + len(message["role"]) + 2
        text += f"{message['role']}: {message['content']}\n"
        if message["role"] == "assistant":
            spans.append([start, len(text)])
    return text, spans


def answer(op, case):
    if op == "info":
        return INFO
    if op == "close":
        return None
    if op not in INFO["abilities"]:
        raise Cannot(f"this engine has no {op}")
    text, spans = lines(case)
    if op == "mask":
        return {"text": text, "spans": spans}
    return text + "assistant: " * case.get("add_generation_prompt", True)


for line in sys.stdin.buffer:
    request = json.loads(line)
    try:
        result = {"ok": answer(request["op"], request.get("case"))}
    except Cannot as why:
        result = {"cannot": str(why)}
    except Exception as error:
        result = {"error": {"class": type(error).__name__, "message": str(error)}}
    print(json.dumps({"id": request["id"], **result}), flush=True)
    if request["op"] == "close":
        break
