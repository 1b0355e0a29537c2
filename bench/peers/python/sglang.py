"""The peer sglang reads replies with the one file of sglang that parses OpenAI
Harmony.
"""

import json
import os
import re
import sys

sys.path.insert(0, os.environ["PEER_FILES"])

from harmony_parser import HarmonyParser  # noqa: E402

MARKER = re.compile(r"(<\|[a-z]+\|>)")
NAME = re.compile(r"to=functions\.([^\s<]+)")


def prepare(request):
    chunks = cut(request["reply"], request["cut"]) if request.get("cut") else [request["reply"]]

    def work():
        parser, events = HarmonyParser(), []
        for chunk in chunks:
            events += parser.parse(chunk)
        return events

    return work, told


def cut(reply, size):
    """Chunks of so many characters; markers, which are a token each, are never cut."""
    chunks = []
    for n, part in enumerate(MARKER.split(reply)):
        step = len(part) if n % 2 else size
        chunks += [part[at:at + step] for at in range(0, len(part), step)]
    return chunks


def told(events):
    """One message. Who a call is for stands in its text, which the server searches later."""
    out = {"thinking": "", "content": "", "tool_calls": []}
    for event in events:
        if event.event_type == "tool_call":
            out["tool_calls"].append({"name": NAME.search(event.raw_text)[1], "arguments": json.loads(event.content)})
        else:
            out["thinking" if event.event_type == "reasoning" else "content"] += event.content
    return {"message": out}
