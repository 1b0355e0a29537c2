"""The peers openai-harmony and oss-harmony read the ids of replies, and write
those of conversations. They are two packages with one interface.
"""

import json
import os

# openai-harmony asks the network for its vocabulary where this names no folder;
# oss-harmony holds its own, and none is laid there for it.
if os.listdir(os.environ["PEER_FILES"]):
    os.environ["TIKTOKEN_ENCODINGS_BASE"] = os.environ["PEER_FILES"]

from openai_harmony import (  # noqa: E402
    Conversation, DeveloperContent, HarmonyEncodingName, Message, Role, StreamableParser, SystemContent, ToolDescription, load_harmony_encoding,
)

ENCODING = load_harmony_encoding(HarmonyEncodingName.HARMONY_GPT_OSS)
FUNCTIONS = "functions."


def prepare(request):
    return reader(request) if "reply" in request else renderer(request["request"])


def reader(request):
    """A server has ids, whole or one after another: the reply is encoded before."""
    ids = ENCODING.encode(request["reply"], allowed_special="all")

    def whole():
        return ENCODING.parse_messages_from_completion_tokens(ids, Role.ASSISTANT)

    def streamed():
        parser = StreamableParser(ENCODING, Role.ASSISTANT)
        for i in ids:
            parser.process(i)
            parser.last_content_delta
        parser.process_eos()
        return parser.messages

    return streamed if request.get("cut") else whole, told


def told(messages):
    """One message of those of each channel."""
    out = {"thinking": "", "content": "", "tool_calls": []}
    for m in messages:
        text = "".join(part.text for part in m.content)
        if m.recipient:
            out["tool_calls"].append({"name": m.recipient.removeprefix(FUNCTIONS), "arguments": json.loads(text)})
        else:
            out["thinking" if m.channel == "analysis" else "content"] += text
    return {"message": out}


def renderer(request):
    conversation = Conversation.from_messages(list(messages(request)))

    def work():
        return ENCODING.render_conversation_for_completion(conversation, Role.ASSISTANT)

    return work, lambda ids: {"text": ENCODING.decode_utf8(ids)}


def messages(request):
    """The messages of a request in the package's form."""
    yield Message.from_role_and_content(Role.SYSTEM, SystemContent.new().with_conversation_start_date(request["date"]))
    tools = [t["function"] for t in request.get("tools", [])]
    if tools:
        described = [ToolDescription.new(t["name"], t["description"], t["parameters"]) for t in tools]
        yield Message.from_role_and_content(Role.DEVELOPER, DeveloperContent.new().with_function_tools(described))
    for m in request["messages"]:
        yield Message.from_role_and_content(Role.USER, m["content"]) if m["role"] == "user" else Message.from_role_and_content(
            Role.ASSISTANT, m["content"]).with_channel("final")
