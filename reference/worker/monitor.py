"""What of the checkpoint's own Python a case reaches, through sys.monitoring.

1. Points are named: a line is FILE:LINE, and one outcome of a branch
   FILE:LINE.NUMBER:WAY, where NUMBER counts the branches of the line from left
   to right and WAY is true or false for a condition, item or end for a loop.
2. Of the library's chat_parsing, FILE is a module's; of a chat template of the
   checkpoint it is chat_template (chat_template/NAME where there are several)
   and LINE a line of the template, by Jinja's debug information. Jinja's own
   branches, of variables that are missing and the like, are no points.
3. Each point calls back once and is then switched off, so that it costs nothing
   from then on; what one case reaches is told by switching all on again.
"""

import ast
import contextlib
import dis
import re
import sys
import types
from bisect import bisect_right

TOOL = sys.monitoring.COVERAGE_ID  # CPython 3.14 has the two events of a branch, left and right
EVENTS = sys.monitoring.events
SCAFFOLDING = re.compile(r"(\w+ is missing|isinstance\(\w+, Namespace\)|undefined\(name='\w+'\)|fiter)")


def codes(code):
    """A code object and those inside, but for what a function's annotations compile to."""
    if code.co_name == "__annotate__":
        return
    yield code
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from codes(inner)


def functions(module):
    """The code of the functions and methods that a module defines."""
    for value in vars(module).values():
        members = vars(value).values() if isinstance(value, type) else [value]
        for member in members:
            code = getattr(getattr(member, "__func__", member), "__code__", None)
            if code is not None and code.co_filename == module.__file__:
                yield from codes(code)


def segment(lines, where):
    """The text of a span of source; of several lines the first."""
    if None in (where.lineno, where.end_lineno, where.col_offset, where.end_col_offset):
        return ""
    end = where.end_col_offset if where.end_lineno == where.lineno else None
    return lines[where.lineno - 1].encode()[where.col_offset:end].decode(errors="replace")


class Plain(ast.NodeTransformer):
    """Takes what Jinja adds out of an expression that it has compiled."""

    def __init__(self, helpers):
        self.helpers = helpers  # "filters" or "tests", and the name, by the name that Jinja gives it

    def visit_IfExp(self, node):
        if isinstance(node.test, ast.Compare) and ast.unparse(node.test).endswith(" is missing"):
            return self.visit(node.orelse)
        return self.generic_visit(node)

    def visit_Name(self, node):
        return ast.Name(re.sub(r"^l_\d+_", "", node.id), node.ctx)

    def visit_Call(self, node):
        name = ast.unparse(node.func)
        keywords = [ast.keyword(k.arg, self.visit(k.value)) for k in node.keywords if k.arg != "_loop_vars"]
        args = [self.visit(a) for a in node.args
                if ast.unparse(a) not in ("context", "context.eval_ctx", "environment", "undefined")]
        if name == "environment.call":
            return ast.Call(args[0], args[1:], keywords)
        if name == "environment.getattr":
            return ast.Attribute(args[0], args[1].value, ast.Load())
        kind, called = self.helpers.get(name, ("", name))
        if kind == "" and (name == "LoopContext" or name.startswith("t_")):
            return args[0]
        if kind == "":
            return ast.Call(ast.Name(name, ast.Load()), args, keywords)
        right = ast.Name(called, ast.Load())
        if args[1:] or keywords:
            right = ast.Call(right, args[1:], keywords)
        return ast.BinOp(args[0], ast.BitOr(), right) if kind == "filters" else ast.Compare(args[0], [ast.Is()], [right])


def plain(text, helpers):
    """An expression that Jinja has compiled, much as it was written."""
    if re.fullmatch(r"t_\d+", text):
        return "the loop had no item"
    try:
        tree = ast.parse(text, mode="eval")
        return ast.unparse(ast.fix_missing_locations(Plain(helpers).visit(tree)))
    except (SyntaxError, AttributeError, IndexError, ValueError):
        return text


class Monitor:
    """Watches code and keeps the points that exist and those that were reached."""

    def __init__(self):
        self.names = {}  # the text of a point, by its name, in the order of files
        self.lines = {}  # the name of a point, by code and line
        self.ways = {}  # the name of a point, by code, offset and whether it is the left way
        self.kept = []  # code is known by its id, and must stay
        self.reached, self.met, self.new = set(), [], []
        self.all, self.since = False, 0  # of the request: whether it asks for all points; the number it came with
        if sys.monitoring.get_tool(TOOL):  # a checkpoint was open before
            sys.monitoring.free_tool_id(TOOL)
        sys.monitoring.use_tool_id(TOOL, "beamdiff")
        for event, call in ((EVENTS.LINE, self.line), (EVENTS.BRANCH_LEFT, self.left), (EVENTS.BRANCH_RIGHT, self.right)):
            sys.monitoring.register_callback(TOOL, event, call)

    # what is watched

    def module(self, module):
        """Watches the functions of a module."""
        with open(module.__file__, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.watch(module.__file__.replace("\\", "/").rsplit("/", 1)[-1], list(functions(module)), lines, lines, {}, None)

    def template(self, file, source, template):
        """Watches a compiled template."""
        text = template.environment.compile(source, raw=True)
        helpers = {a: (b, c) for a, b, c in re.findall(r"^ +(t_\d+) = environment\.(filters|tests)\['(\w+)'\]", text, re.M)}
        starts = sorted((code, line) for line, code in template.debug_info)
        blocks = [template.root_render_func, *template.blocks.values()]
        watched = [code for block in blocks for code in codes(block.__code__)]
        self.watch(file, watched, text.splitlines(), source.splitlines(), helpers, starts)

    def watch(self, file, watched, lines, shown, helpers, starts):
        """Watches code compiled from lines; starts maps them to those that are shown."""
        found, branches = set(), {}
        begins = [code for code, _ in starts or []]

        def place(line):
            at = bisect_right(begins, line) - 1
            return line if starts is None else starts[at][1] if at >= 0 else None

        for code in watched:
            self.kept.append(code)
            for _, _, line in code.co_lines():
                if line is None or line == code.co_firstlineno and starts is None:
                    continue  # where a function begins is told by its first line
                if starts is None or line in begins:
                    found.add(place(line))
                    self.lines[id(code), line] = f"{file}:{place(line)}"
            operations = {op.offset: op for op in dis.get_instructions(code)}
            for offset, _, _ in code.co_branches():
                op = operations[offset]
                where, text = op.positions, segment(lines, op.positions)
                line = place(where.lineno) if where.lineno else None
                if line is None or starts is not None and SCAFFOLDING.fullmatch(text):
                    continue
                key = (where.lineno, where.col_offset, where.end_lineno, where.end_col_offset, op.opname == "FOR_ITER")
                branches.setdefault(line, {}).setdefault(key, (text, []))[1].append((code, op))
        for line in sorted(found | set(branches)):
            if line in found:
                self.names[f"{file}:{line}"] = shown[line - 1].strip()
            for number, (key, (text, places)) in enumerate(sorted(branches.get(line, {}).items(), key=lambda item: item[0]), 1):
                for code, op in places:
                    self.branch(f"{file}:{line}.{number}", plain(text, helpers) if starts is not None else text, code, op)
        for code in watched:
            sys.monitoring.set_local_events(TOOL, code, EVENTS.LINE | EVENTS.BRANCH_LEFT | EVENTS.BRANCH_RIGHT)

    def branch(self, name, text, code, op):
        """Names both ways of a branch: the left one goes on, the right one jumps."""
        left, right = "true", "false"
        if op.opname == "FOR_ITER":
            left, right = "item", "end"
        elif op.opname in ("POP_JUMP_IF_TRUE", "POP_JUMP_IF_NONE"):
            left, right = right, left
        for way, is_left in sorted(((left, True), (right, False)), reverse=True):
            self.names[f"{name}:{way}"] = text
            self.ways[id(code), op.offset, is_left] = f"{name}:{way}"

    # what is reached

    def hit(self, name):
        if name is not None:
            self.met.append(name)
            if name not in self.reached:
                self.reached.add(name)
                self.new.append(name)
        return sys.monitoring.DISABLE

    def line(self, code, line):
        return self.hit(self.lines.get((id(code), line)))

    def left(self, code, offset, _):
        return self.hit(self.ways.get((id(code), offset, True)))

    def right(self, code, offset, _):
        return self.hit(self.ways.get((id(code), offset, False)))

    def begin(self, asked):
        """Begins a request; asked is its member coverage."""
        asked = asked or {}
        self.all = asked.get("all") is True
        forget = asked.get("since", 0) != self.since
        if forget:
            self.since = asked.get("since", 0)
            self.reached.clear()
        if self.all or forget:
            sys.monitoring.restart_events()
        self.met.clear()
        self.new.clear()

    def end(self):
        """The points of a request, each once."""
        return list(dict.fromkeys(self.met)) if self.all else list(self.new)

    def report(self):
        """All points and their texts, and those that were reached so far."""
        return {"existing": self.names,
                "reached": [name for name in self.names if name in self.reached]}


def watch(chat_template):
    """A monitor of the library's chat_parsing and of a checkpoint's chat templates, whenever they are compiled."""
    import jinja2
    from transformers.utils import chat_template_utils

    monitor = Monitor()
    files = {}
    if isinstance(chat_template, str):
        files[chat_template] = "chat_template"
    for name, text in chat_template.items() if isinstance(chat_template, dict) else ():
        files.setdefault(text, f"chat_template/{name}")
    compiled = jinja2.Environment.from_string

    def from_string(environment, source, *args, **kwargs):
        template = compiled(environment, source, *args, **kwargs)
        if source in files:
            monitor.template(files[source], source, template)  # again where the library had forgotten it
        return template

    jinja2.Environment.from_string = from_string
    chat_template_utils._compile_jinja_template.cache_clear()
    for text in files:
        with contextlib.suppress(jinja2.TemplateError):  # it is told with the first case
            chat_template_utils._compile_jinja_template(text)
    with contextlib.suppress(ImportError):  # a release that has no such package
        from transformers.utils.chat_parsing import content_parsers, response_parser, response_templates

        for module in (content_parsers, response_parser, response_templates):
            monitor.module(module)
    monitor.begin(None)
    return monitor
