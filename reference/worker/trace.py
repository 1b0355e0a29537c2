"""Which line of a chat template wrote each part of a prompt.

1. The library's own environment is copied, with a code generator that stamps
   every text that the template writes with the line of the code that wrote it.
2. A stamped text is a string that knows its spans, [start, end, line]. It stays
   one through what a template does with its own output: macros, set and call
   blocks, loops, generation, ~ and +, join, slices and strip. Anything else makes a
   plain string of it, and then the line that writes the result counts.
3. The prompt is rendered by the library as ever, with the copy in the place of
   its compiled template; an error is told with its line and what was written
   until then.
"""

from functools import lru_cache

from jinja2 import nodes, pass_eval_context
from jinja2.compiler import CodeGenerator
from transformers.utils import chat_template_utils


class Text(str):
    """A string that knows its spans: which line of the template wrote what of it."""

    __slots__ = ("_spans",)

    def __str__(self):
        return self

    def _part(self, start, end):
        spans = [(max(a, start) - start, min(b, end) - start, line) for a, b, line in self._spans if a < end and b > start]
        return stamped(str.__getitem__(self, slice(start, end)), spans)

    def __getitem__(self, at):
        if isinstance(at, slice) and at.step in (None, 1):
            start, end, _ = at.indices(len(self))
            return self._part(start, max(start, end))
        return str.__getitem__(self, at)

    def lstrip(self, chars=None):
        return self._part(len(self) - len(str.lstrip(self, chars)), len(self))

    def rstrip(self, chars=None):
        return self._part(0, len(str.rstrip(self, chars)))

    def strip(self, chars=None):
        return self.rstrip(chars).lstrip(chars)


Text.__name__ = Text.__qualname__ = "str"  # which messages of errors name


def stamped(text, spans):
    out = str.__new__(Text, text)
    out._spans = spans
    return out


def filled(line, text):
    """A text whose parts that are nobody's are the line's."""
    known = getattr(text, "_spans", ())
    if sum(end - start for start, end, _ in known) == len(text):
        return text
    at, spans = 0, []
    for span in [*known, (len(text), len(text), 0)]:
        spans += [(at, span[0], line), span]
        at = span[1]
    return joined([stamped(str.__str__(text), spans)])


def said(line, value):
    """A plain or a stamped string, of which a line writes what is nobody's; anything else as it is."""
    return filled(line, value) if type(value) in (str, Text) else value


def joined(texts):
    """The texts in a row; neighbouring spans of one line are one."""
    at, spans = 0, []
    for text in texts:
        for start, end, line in getattr(text, "_spans", ()):
            if start == end:
                continue
            if spans and spans[-1][1:] == (at + start, line):
                start, at_start = 0, spans.pop()[0]
            else:
                at_start = at + start
            spans.append((at_start, at + end, line))
        at += len(text)
    return stamped("".join(texts), spans)


def added(left, left_line, right, right_line):
    """left + right; the sum of two strings keeps the lines of both."""
    total = left + right
    if type(total) is not str or not isinstance(left, str) or not isinstance(right, str):
        return total
    return joined((said(left_line, left), said(right_line, right)))


def list_joined(plain):
    """Jinja's filter join, which keeps the lines of the items."""
    @pass_eval_context
    def join(context, value, d="", attribute=None):
        if context.autoescape or attribute is not None:
            return plain(context, value, d, attribute)
        parts = [part for item in value for part in (str(d), str(item))]
        return joined(parts[1:])

    return join


class Stamping(CodeGenerator):
    """Jinja's code generator; the code that it makes stamps what it writes."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.pieces = set()  # the expressions whose texts are stamped where they stand

    def visit(self, node, *args, **kwargs):
        if id(node) not in self.pieces:
            return super().visit(node, *args, **kwargs)
        self.pieces.remove(id(node))
        self.write(f"environment.said({node.lineno}, ")
        self.visit(node, *args, **kwargs)
        self.write(")")

    # what is written

    def _output_child_to_const(self, node, frame, finalize):
        if not isinstance(node, (nodes.TemplateData, nodes.Const)):
            raise nodes.Impossible()  # it is more than one line's, perhaps
        text = str.__str__(super()._output_child_to_const(node, frame, finalize))
        rows = text.split("\n") if isinstance(node, nodes.TemplateData) else [text]
        rows[:-1] = [row + "\n" for row in rows[:-1]]
        return joined([said(node.lineno + at, row) for at, row in enumerate(rows)])

    def _output_const_repr(self, group):
        text = joined(group)
        return f"environment.stamped({str.__repr__(text)}, {text._spans!r})"

    def _output_child_pre(self, node, frame, finalize):
        self.write(f"environment.filled({node.lineno}, ")
        super()._output_child_pre(node, frame, finalize)

    def _output_child_post(self, node, frame, finalize):
        super()._output_child_post(node, frame, finalize)
        self.write(")")

    def start_write(self, frame, node=None):
        super().start_write(frame, node)
        self.write(f"environment.said({node.lineno if node else 0}, ")

    def end_write(self, frame):
        self.write(")")
        super().end_write(frame)

    # what is made to be written later

    def visit_Concat(self, node, frame):
        if frame.eval_ctx.volatile or frame.eval_ctx.autoescape:
            return super().visit_Concat(node, frame)
        self.write("environment.joined((")
        for arg in node.nodes:
            self.write(f"environment.said({arg.lineno}, str(")
            self.visit(arg, frame)
            self.write(")), ")
        self.write("))")

    def visit_Add(self, node, frame):
        self.write("environment.added(")
        self.visit(node.left, frame)
        self.write(f", {node.left.lineno}, ")
        self.visit(node.right, frame)
        self.write(f", {node.right.lineno})")

    def visit_CondExpr(self, node, frame):
        self.pieces.update(map(id, filter(None, (node.expr1, node.expr2))))
        super().visit_CondExpr(node, frame)

    def visit_Assign(self, node, frame):
        if isinstance(node.node, nodes.Const):
            self.pieces.add(id(node.node))
        super().visit_Assign(node, frame)


def raised_in(error):
    """The line of the template that an error comes from; None where it comes from elsewhere."""
    line, at = getattr(error, "lineno", None), error.__traceback__
    while at is not None:
        space = at.tb_frame.f_globals
        if "__jinja_template__" in space:
            line = space["__jinja_template__"].get_corresponding_lineno(at.tb_lineno)
        elif "__jinja_exception__" in space:  # Jinja has put the template's own line in its place
            line = at.tb_lineno
        at = at.tb_next
    return line


class Tracer:
    """Stands in for the library's compiler of templates while a prompt is traced."""

    def __init__(self):
        self.plain = chat_template_utils._compile_jinja_template
        self.compiled = lru_cache(32)(self.compiled)
        self.until = []  # what had been written when an error was raised

    def compiled(self, source):
        environment = self.plain(source).environment.overlay()
        environment.code_generator_class = Stamping
        environment.concat = self.concat
        environment.filters = {**environment.filters, "join": list_joined(environment.filters["join"])}
        for tool in (said, stamped, filled, joined, added):
            setattr(environment, tool.__name__, tool)
        return environment.template_class.from_code(environment, environment.compile(source), environment.make_globals(None))

    def concat(self, texts):
        pieces = []
        try:
            pieces.extend(texts)
        except Exception:
            self.until = pieces
            raise
        return joined(pieces)

    def trace(self, render):
        """What render gives, a prompt, with its lines."""
        answer, self.until = {}, []
        chat_template_utils._compile_jinja_template = self.compiled
        try:
            text = render()
        except MemoryError:
            raise
        except Exception as error:
            line = raised_in(error)
            if line is None:
                raise
            answer["raised"] = {"class": type(error).__name__, "message": str(error), "line": line}
            text = joined(self.until)
        finally:
            chat_template_utils._compile_jinja_template = self.plain
        lines = [span for span in getattr(text, "_spans", ()) if span[2] > 0]
        return {"text": text, "lines": lines, **answer}
