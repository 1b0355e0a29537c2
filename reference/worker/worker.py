"""The checkpoint's own Python as an engine that speaks PROTOCOL.md.

1. The protocol moves from standard input and output to descriptors of its own,
   so that nothing a library prints or asks can touch it.
2. Requests are read one line at a time and answered in their order.
3. `open` loads a checkpoint as AutoTokenizer.from_pretrained does; a tokenizer
   that is missing is lent, since render and parse do not need one.
4. render, encode, mask, parse and stream call the library's public methods
   with the keys of the case and nothing else; the clock stands still.
5. An exception is an answer: its class and its text. Only memory running out
   ends the process.
"""

import contextlib
import gc
import hashlib
import inspect
import json
import os
import platform
import re
import sys
import threading
import time
from datetime import datetime
from functools import cached_property
from importlib.metadata import version

ARGUMENTS = ("tools", "continue_final_message", "reasoning_effort", "model_identity", "builtin_tools",
             "allow_missing_thinking", "chat_template", "sanitize_control_tokens")
MARKS = dict.fromkeys((0xF0000, 0xF0001))  # what the library marks control tokens of sanitised input with
LENGTHS = ("truncation", "max_length", "padding")  # arguments of what makes tokens
HUB_FILES = ["*.json", "*.jinja", "*.model", "*.txt", "*.tiktoken"]
PARTS = {name: os.environ.pop("BEAMDIFF_" + name.upper(), "") for name in ("cut", "lend", "measure", "monitor", "trace")}
LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Cannot(Exception):
    """The engine lacks the ability; says why."""


class RequestError(Exception):
    """The request itself is wrong: a key that is missing or of the wrong type."""


def part(name):
    """What one of the programs beside this one defines; few runs need all."""
    exec(compile(PARTS[name], name + ".py", "exec"), space := {"__name__": name, "Cannot": Cannot, "RequestError": RequestError})
    return space


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
        self.rendered = None  # the last text and spans
        self.enough = None  # tells whether a call needs no more than these texts
        self.monitor = None  # what watches coverage, where open asked for it
        self.tracer = None  # what tells the lines of a prompt, once it was asked

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
            if self.enough is not None and self.enough(self.rendered[0]):
                raise Rendered
            return self.rendered

        base.render_jinja_template = record
        with contextlib.suppress(ImportError, AttributeError):  # a release that has no such loader
            from transformers.utils.chat_parsing import response_parser

            response_parser.load_response_template = self.loaded_once(response_parser.load_response_template)
        self.sanitizes = "sanitize_control_tokens" in inspect.signature(base.PreTrainedTokenizerBase.apply_chat_template).parameters
        self.reading = inspect.signature(getattr(base.PreTrainedTokenizerBase, "get_response_parser", lambda: None)).parameters

    def loaded_once(self, load):
        """The library's loader, which compiles the checkpoint's own template once and not for each reply."""
        def loaded(spec):
            if spec is not getattr(self.tokenizer, "response_template", None):
                return load(spec)
            self.compiled = self.compiled or load(spec)
            return self.compiled

        return loaded

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
        self.tokenizer, self.compiled = self.load(directory), None
        if case.get("coverage"):
            self.monitor = part("monitor")["watch"](self.tokenizer.chat_template)
        os.environ["BEAM_MODEL_ID"] = directory
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
            tokenizer = part("lend")["lend"](directory, AutoTokenizer)
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
        # A release that knows of no response templates keeps it as it keeps any unknown key.
        vars(tokenizer).setdefault("response_template", tokenizer.init_kwargs.get("response_template"))
        if tokenizer.chat_template is None and tokenizer.response_template is None:
            self.notes.append("the checkpoint has neither a chat template nor a response template")
        return tokenizer

    def info(self, request):
        answer = {"name": "transformers", "versions": {"python": platform.python_version()}, "formats": ["*"],
                  "abilities": ["open", "exec", "time"], "notes": []}
        answer["versions"].update({package: version(package) for package in ("transformers", "jinja2", "tokenizers", "regex")})
        if self.tokenizer is not None:
            answer.update(checkpoint=self.name, checkpoint_hash=self.hash(), notes=self.notes)
            answer["abilities"] = ["open", "render", "encode", "mask", *["parse", "stream"] * ("prefix" in self.reading),
                                   "exec", "time", "trace", *["tokens", "ids"] * self.tokens,
                                   *["coverage"] * (self.monitor is not None)]
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
        parts = [self.tokenizer.chat_template, self.tokenizer.response_template,
                 dict(sorted(files.items())), dict(sorted(special.items()))]
        return hashlib.sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()

    # the operations on a case

    def case(self, request):
        if self.tokenizer is None:
            raise Cannot("no checkpoint is open")
        return want(request, "case", dict, "an object")

    def template(self, case, prompt, **fixed):
        """Calls apply_chat_template with the keys that the case has."""
        if "sanitize_control_tokens" in case and not self.sanitizes:
            raise Cannot("this release of Transformers has no sanitize_control_tokens")
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

    def encode(self, request):
        case = self.case(request)
        text, _, out = self.tokenize(case, not case.get("continue_final_message"))
        if case.get("sanitize_control_tokens"):
            text = text.translate(MARKS)
        return {"text": text, **self.encoded(case, out)}

    def mask(self, request):
        case = self.case(request)
        text, spans, out = self.tokenize(case, False, return_assistant_tokens_mask=True)
        answer = {"text": text, "spans": spans, **self.encoded(case, out)}
        if out is not None:
            answer["assistant_masks"] = out["assistant_masks"]
        return answer

    def tokenize(self, case, prompt, **more):
        """Gives the text, its spans and what the tokenizer makes of it; None where there are no ids."""
        lengths = {key: case[key] for key in LENGTHS if key in case}
        self.enough = lambda texts: not self.tokens or without_ids(texts)
        try:
            out = self.template(case, prompt, tokenize=True, return_dict=True, **lengths, **more)
        except Rendered:
            out = None
        finally:
            self.enough = None
        texts, spans = self.rendered
        return one(texts[0], "messages"), spans[0] if spans else [], out

    def encoded(self, case, out):
        """The keys of an answer that the tokenizer gives; a sanitised text comes without offsets."""
        if out is None:
            return {}
        keys = {"input_ids": out["input_ids"]}
        if getattr(out, "encodings", None) is not None:  # no ids, sanitised, come as a plain dict
            keys["offsets"] = out.encodings[0].offsets
        if "padding" in case:
            keys["attention_mask"] = out.get("attention_mask", [])
        return keys

    def parse(self, request):
        case = self.case(request)
        if case.get("chunks") is not None:
            return self.feed(case)["message"]
        more = self.told(case) | ({"schema": case["response_template"]} if "response_template" in case else {})
        return self.tokenizer.parse_response(self.reply(case), **more)

    def told(self, case):
        """What a reply is read with beside its template; some releases take no tools, and some have no templates."""
        told = {"prefix": self.prefix(case), "tools": case.get("tools")}
        if "prefix" not in self.reading or "tools" not in self.reading and told["tools"] is not None:
            raise Cannot("this release of Transformers " + ("takes no tools with a reply" if self.reading else "has no response templates"))
        return {key: told[key] for key in told if key in self.reading}

    def reply(self, case):
        """The reply as the library takes it. An empty list would be a batch of none, so it goes in as an array."""
        if "reply_ids" not in case:
            return want(case, "reply", str, "a string")
        import numpy

        return self.ids(case, "reply_ids") or numpy.array([], int)

    def prefix(self, case):
        return self.ids(case, "prefix_ids") if "prefix_ids" in case else case.get("prefix")

    def ids(self, case, key):
        if not self.tokens:
            raise Cannot("the checkpoint has no tokenizer of its own, so its ids cannot be read")
        value = want(case, key, list, "a list of token ids")
        if not all(type(i) is int and 0 <= i < 2**32 for i in value):
            raise RequestError(f"{key} must be a list of token ids")
        return value

    def stream(self, request):
        return self.feed(self.case(request))

    def pieces(self, case):
        """The reply's pieces, and what is left when it has ended."""
        chunks = case.get("chunks")
        if "reply_ids" in case:
            return self.cut["cut_ids"](self.tokenizer, self.ids(case, "reply_ids"), chunks)
        return self.cut["cut"](self.reply(case), chunks), ""

    @cached_property
    def cut(self):
        """The program cut.py."""
        return part("cut")

    def feed(self, case):
        """Gives the reply to the streaming parser piece by piece."""
        told = self.told(case)
        pieces, rest = self.pieces(case)
        parser = self.tokenizer.get_response_parser(case.get("response_template"), **told)
        feeds = [parser.feed(piece) for piece in pieces]
        late = parser.feed(rest) if rest else []
        message, final = parser.finalize()
        return {"initial": parser.initial_events, "feeds": feeds, "final": late + final, "message": message}

    # beyond the protocol's own operations

    def coverage(self, request):
        if self.monitor is None:
            raise Cannot("the checkpoint was not opened with coverage")
        return self.monitor.report()

    def trace(self, request):
        """A prompt, and which line of the chat template wrote each part of it."""
        if self.tracer is None:
            self.tracer = part("trace")["Tracer"]()
        return self.tracer.trace(lambda: self.render(request))

    def exec(self, request):
        """Runs code in the session's namespace; gives what it printed, and how it ended if it raised."""
        case = self.case(request)
        code = want(case, "code", str, "a string")
        Clock.time = self.date
        return {"output": self.measure["run"](str(case.get("session", "")), code)}

    def timed(self, request):
        """Does an operation on a case several times and gives the nanoseconds that each call took."""
        case = self.case(request)
        op, calls = case.get("op"), case.get("calls")
        if op not in TIMED:
            raise RequestError(f"op must be one of {', '.join(TIMED)}")
        if type(calls) is not int or calls < 1:
            raise RequestError("calls must be a number from 1 on")
        inner = {**request, "case": want(case, "case", dict, "an object")}
        took, answer = self.measure["timed"](OPERATIONS[op], (self, inner), calls)
        return {"ns": took, "answer": answer}

    @cached_property
    def measure(self):
        """The program measure.py."""
        return part("measure")

    def answer(self, request):
        """The answer to one request, without its id."""
        if request.get("v") != 1:
            raise Cannot(f"version {request.get('v')!r} of the protocol; this engine speaks version 1")
        if self.monitor is not None:
            self.monitor.begin(request.get("coverage"))
        op = request.get("op")
        if op not in OPERATIONS:
            raise Cannot(f"no such operation: {op!r}")
        return OPERATIONS[op](self, request)

    def written(self, answer):
        """An answer as JSON, with the points of coverage that the request reached."""
        points = self.monitor.end() if self.monitor is not None else []
        return json.dumps({**answer, "coverage": points} if points else answer)


OPERATIONS = {"info": Worker.info, "open": Worker.open, "render": Worker.render, "encode": Worker.encode,
              "mask": Worker.mask, "parse": Worker.parse, "stream": Worker.stream, "exec": Worker.exec, "time": Worker.timed,
              "coverage": Worker.coverage, "trace": Worker.trace, "close": lambda worker, request: None}

TIMED = ("render", "encode", "mask", "parse", "stream")


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
        return worker.written({"id": number, "ok": worker.answer(request)}), last
    except Cannot as why:
        return worker.written({"id": number, "cannot": str(why)}), last
    except MemoryError:
        os.write(2, b"MemoryError\n")
        os._exit(1)
    except BaseException as error:
        return worker.written({"id": number, "error": {"class": type(error).__name__, "message": str(error)}}), last


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
