"""The checkpoint's own Python as an engine that speaks PROTOCOL.md.

1. The protocol moves from standard input and output to descriptors of its own,
   so that nothing a library prints or asks can touch it.
2. Requests are read one line at a time and answered in their order.
3. `open` loads a checkpoint as AutoTokenizer.from_pretrained does; a tokenizer
   that is missing is lent, since render and parse do not need one.
4. render, parse, stream and mask call the library's public methods with the
   keys of the case and nothing else; the clock stands still.
5. An exception is an answer: its class and its text. Only memory running out
   ends the process.
"""

import contextlib
import hashlib
import io
import json
import os
import platform
import re
import sys
import tempfile
import threading
import time

ARGUMENTS = ("tools", "continue_final_message", "reasoning_effort", "model_identity", "builtin_tools",
             "allow_missing_thinking", "chat_template")
HUB_FILES = ["*.json", "*.jinja", "*.model", "*.txt", "*.tiktoken"]
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
COPIED = ("chat_template.jinja", "chat_template.json", "special_tokens_map.json")


class Cannot(Exception):
    """The engine lacks the ability; says why."""


class RequestError(Exception):
    """The request itself is wrong: a key that is missing or of the wrong type."""


def take_protocol():
    """Gives the protocol's input and output, and points 0 at nothing and 1 at standard error."""
    if os.name == "nt":
        import msvcrt

        msvcrt.setmode(0, os.O_BINARY)
        msvcrt.setmode(1, os.O_BINARY)
    requests, answers = os.fdopen(os.dup(0), "rb"), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    if os.name == "nt":
        msvcrt.setmode(answers, os.O_BINARY)
    return requests, answers


def leave_with_parent():
    """Ends the process when the one that started it has gone, even in the middle of a case."""
    parent = os.getppid()

    def watch():
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(0)

    if os.name != "nt":
        threading.Thread(target=watch, daemon=True).start()


def want(case, key, kind, what):
    value = case.get(key)
    if not isinstance(value, kind):
        raise RequestError(f"{key} must be {what}")
    return value


def moment(text):
    """The clock's time for an ISO date or date and time; an offset from UTC is left out."""
    from datetime import datetime

    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except (TypeError, ValueError):
        raise RequestError(f"date must be a date such as 2026-01-31, with a time if need be: {text!r}") from None


def one(text, key):
    """The text of one conversation; the library also takes a list of conversations."""
    if not isinstance(text, str):
        raise RequestError(f"{key} must be one conversation")
    return text


class Rendered(BaseException):
    """Ends a call of the library once the text stands."""


def never(texts):
    return False


def always(texts):
    return True


def without_ids(texts):
    """Whether a tokenizer refuses one of the texts: there is no UTF-8 of a lone surrogate."""
    return any(LONE_SURROGATE.search(text) for text in texts if isinstance(text, str))


class Clock:
    """Stands in for datetime where the library asks for the time on behalf of a template."""

    time = None

    @classmethod
    def now(cls):
        return cls.time


def without_tokenizer(directory):
    """Whether no file of a directory is a tokenizer's vocabulary, by the names that they have."""
    return os.path.isdir(directory) and not any(
        name.startswith(("tokenizer.", "vocab", "merges", "spiece", "tekken")) or name.endswith((".model", ".tiktoken", ".bpe", ".spm"))
        for name in os.listdir(directory))


class Worker:
    def __init__(self):
        self.tokenizer = None
        self.sessions = {}
        self.rendered = None  # the last text and spans
        self.enough = never  # whether a call needs no more than these texts

    # open and info

    def load_library(self, online):
        """Imports the library, without the network unless a hub id was asked for."""
        if "transformers" in sys.modules:
            return
        if not online:
            os.environ["HF_HUB_OFFLINE"] = "1"
        import transformers.tokenization_utils_base as base
        import transformers.utils.chat_template_utils as templates

        templates.datetime = Clock
        original = base.render_jinja_template

        def record(*args, **kwargs):
            self.rendered = original(*args, **kwargs)
            if self.enough(self.rendered[0]):
                raise Rendered
            return self.rendered

        base.render_jinja_template = record

    def open(self, request):
        case = want(request, "open", dict, "an object")
        self.date = moment(case["date"]) if case.get("date") is not None else moment(time.strftime("%Y-%m-%d"))
        if "hub" in case:
            name = want(case, "hub", str, "the id of a repository")
            self.load_library(online=True)
            from huggingface_hub import snapshot_download

            directory = snapshot_download(name, allow_patterns=HUB_FILES, ignore_patterns=["*.index.json"])
        else:
            name = directory = want(case, "directory", str, "a path")
            if not os.path.isdir(directory):
                raise FileNotFoundError(f"no such directory: {directory}")
            self.load_library(online=False)
        self.name, self.directory, self.notes = name, directory, []
        self.tokenizer = self.load(directory)
        os.environ["BEAM_MODEL_ID"] = directory
        import gc

        gc.collect()
        gc.freeze()
        return self.info(request)

    def load(self, directory):
        """Loads the tokenizer; sets tokens to whether ids can be had from it."""
        from transformers import AutoTokenizer

        self.tokens, lack = False, None
        try:
            tokenizer = AutoTokenizer.from_pretrained(directory, trust_remote_code=False)
        except (MemoryError, KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a damaged tokenizer.json panics in Rust, which is no Exception
            tokenizer = self.lend(directory, AutoTokenizer)
            reason = f"{type(error).__name__}: {error}".strip().splitlines()[0]
            if without_tokenizer(directory) and "trust_remote_code" not in str(error):
                lack = "no tokenizer in this checkpoint; one is lent"
            else:
                lack = f"the tokenizer could not be loaded and one is lent ({reason})"
        else:
            if not any(os.path.isfile(os.path.join(directory, f)) for f in tokenizer.vocab_files_names.values()):
                lack = "the tokenizer has no vocabulary in the directory"
            elif not tokenizer.is_fast:
                lack = "the tokenizer gives no offsets"
        if lack:
            self.notes.append(lack + ": ids and token masks cannot be had")
        self.tokens = not lack
        if tokenizer.chat_template is None and getattr(tokenizer, "response_template", None) is None:
            self.notes.append("the checkpoint has neither a chat template nor a response template")
        return tokenizer

    def lend(self, directory, loader):
        """Loads the directory's configuration around a byte-level tokenizer made here."""
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers

        path = os.path.join(directory, "tokenizer_config.json")
        config = {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                config = json.load(file)
        elif not os.path.exists(os.path.join(directory, "chat_template.jinja")):
            raise FileNotFoundError(f"{directory} has neither tokenizer_config.json nor chat_template.jinja")
        for key in ("auto_map", "tokenizer_file", "added_tokens_decoder"):
            config.pop(key, None)
        config["tokenizer_class"] = "PreTrainedTokenizerFast"
        letters = sorted(pre_tokenizers.ByteLevel.alphabet())
        lent = Tokenizer(models.BPE(vocab={c: i for i, c in enumerate(letters)}, merges=[]))
        lent.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        lent.decoder = decoders.ByteLevel()
        with tempfile.TemporaryDirectory() as home:
            lent.save(os.path.join(home, "tokenizer.json"))
            with open(os.path.join(home, "tokenizer_config.json"), "w", encoding="utf-8") as file:
                json.dump(config, file)
            copied = [n for n in COPIED if os.path.isfile(os.path.join(directory, n))]
            more = os.path.join(directory, "additional_chat_templates")
            if os.path.isdir(more):
                os.mkdir(os.path.join(home, "additional_chat_templates"))
                copied += [os.path.join("additional_chat_templates", n) for n in sorted(os.listdir(more))]
            for name in copied:
                with open(os.path.join(directory, name), "rb") as a, open(os.path.join(home, name), "wb") as b:
                    b.write(a.read())
            return loader.from_pretrained(home, trust_remote_code=False)

    def info(self, request):
        answer = {"name": "transformers", "versions": {"python": platform.python_version()}, "formats": ["*"],
                  "abilities": ["open", "exec"], "notes": []}
        from importlib.metadata import version

        for package in ("transformers", "jinja2", "tokenizers", "regex"):
            answer["versions"][package] = version(package)
        if self.tokenizer is not None:
            answer.update(checkpoint=self.name, checkpoint_hash=self.hash(), notes=self.notes)
            answer["abilities"] = ["open", "render", "parse", "stream", "mask", "exec"] + ["tokens"] * self.tokens
        return answer

    def hash(self):
        """The content hash of PROTOCOL.md, section 5."""
        files = {}
        if self.tokens:
            for name in set(self.tokenizer.vocab_files_names.values()):
                path = os.path.join(self.directory, name)
                if os.path.isfile(path):
                    with open(path, "rb") as file:
                        files[name] = hashlib.sha256(file.read()).hexdigest()
        special = {k: v for k, v in self.tokenizer.special_tokens_map.items() if isinstance(v, str)}
        parts = [self.tokenizer.chat_template, getattr(self.tokenizer, "response_template", None),
                 dict(sorted(files.items())), dict(sorted(special.items()))]
        return hashlib.sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()

    # the operations on a case

    def case(self, request):
        if self.tokenizer is None:
            raise Cannot("no checkpoint is open")
        return want(request, "case", dict, "an object")

    def template(self, case, prompt, **fixed):
        """Calls apply_chat_template with the keys that the case has."""
        named = {key: case[key] for key in ARGUMENTS if key in case}
        named["add_generation_prompt"] = case.get("add_generation_prompt", prompt)
        more = want(case, "template_kwargs", dict, "an object") if "template_kwargs" in case else {}
        if "messages" not in case:
            raise RequestError("messages is missing")
        Clock.time = moment(case["date"]) if case.get("date") is not None else self.date
        return self.tokenizer.apply_chat_template(case["messages"], **fixed, **named, **more)

    def render(self, request):
        case = self.case(request)
        return one(self.template(case, not case.get("continue_final_message"), tokenize=False), "messages")

    def mask(self, request):
        case = self.case(request)
        self.enough = without_ids if self.tokens else always
        try:
            out = self.template(case, False, tokenize=True, return_dict=True, return_assistant_tokens_mask=True)
        except Rendered:
            out = None
        finally:
            self.enough = never
        texts, spans = self.rendered
        answer = {"text": one(texts[0], "messages"), "spans": spans[0]}
        if out is not None:
            answer.update(input_ids=out["input_ids"], offsets=out.encodings[0].offsets,
                          assistant_masks=out["assistant_masks"])
        return answer

    def parse(self, request):
        case = self.case(request)
        if case.get("chunks") is not None:
            return self.feed(case)["message"]
        more = {"schema": case["response_template"]} if "response_template" in case else {}
        return self.tokenizer.parse_response(want(case, "reply", str, "a string"), **more,
                                             prefix=case.get("prefix"), tools=case.get("tools"))

    def stream(self, request):
        return self.feed(self.case(request))

    def feed(self, case):
        """Gives the reply to the streaming parser piece by piece."""
        pieces = cut(want(case, "reply", str, "a string"), case.get("chunks"))
        parser = self.tokenizer.get_response_parser(case.get("response_template"), prefix=case.get("prefix"),
                                                    tools=case.get("tools"))
        feeds = [parser.feed(piece) for piece in pieces]
        message, final = parser.finalize()
        return {"initial": parser.initial_events, "feeds": feeds, "final": final, "message": message}

    # beyond the protocol's own operations

    def exec(self, request):
        """Runs code in the session's namespace; gives what it printed, and how it ended if it raised."""
        case = self.case(request)
        code = want(case, "code", str, "a string")
        space = self.sessions.setdefault(str(case.get("session", "")), {"__name__": "__main__"})
        Clock.time = self.date
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                exec(compile(code, "<code>", "exec"), space)
            except MemoryError:
                raise
            except BaseException as error:
                print(f"{type(error).__name__}: {error}")
        return {"output": printed.getvalue()}

    def answer(self, request):
        """The answer to one request, without its id."""
        if request.get("v") != 1:
            raise Cannot(f"version {request.get('v')!r} of the protocol; this engine speaks version 1")
        op = request.get("op")
        if op not in OPERATIONS:
            raise Cannot(f"no such operation: {op!r}")
        return OPERATIONS[op](self, request)


OPERATIONS = {"info": Worker.info, "open": Worker.open, "render": Worker.render, "parse": Worker.parse,
              "stream": Worker.stream, "mask": Worker.mask, "exec": Worker.exec, "close": lambda worker, request: None}


def cut(text, chunks):
    """The pieces of a reply: whole, of a number of characters each, or between cut positions."""
    if chunks is None:
        return [text]
    if isinstance(chunks, dict):
        raise Cannot("a Python string cannot be cut between the bytes of a character")
    if isinstance(chunks, list) and all(type(at) is int for at in chunks):
        edges = [0, *chunks, len(text)]
        if edges == sorted(edges):
            return [text[a:b] for a, b in zip(edges, edges[1:])]
    elif type(chunks) is int and chunks > 0:
        return [text[i:i + chunks] for i in range(0, len(text), chunks)] or [text]
    raise RequestError("chunks must be a number of characters or a rising list of positions in the reply")


def reply(worker, line):
    """The line that answers a line, and whether it was the last."""
    number, last = None, False
    try:
        try:
            request = json.loads(line)
        except Exception:  # nested too deeply, say: the id is read from the line's start
            head = re.match(rb'\{"v": ?\d+, ?"id": ?(\d+),', line)
            number = int(head[1]) if head else None
            raise
        number = request.get("id")
        last = request.get("op") == "close"
        return json.dumps({"id": number, "ok": worker.answer(request)}), last
    except Cannot as why:
        return json.dumps({"id": number, "cannot": str(why)}), last
    except MemoryError:
        os.write(2, b"MemoryError\n")
        os._exit(1)
    except BaseException as error:
        return json.dumps({"id": number, "error": {"class": type(error).__name__, "message": str(error)}}), last


def main():
    requests, answers = take_protocol()
    leave_with_parent()
    worker = Worker()
    for line in requests:
        text, last = reply(worker, line)
        data = memoryview(text.encode() + b"\n")
        while data:
            data = data[os.write(answers, data):]
        if last:
            break
    os._exit(0)


if __name__ == "__main__":
    main()
