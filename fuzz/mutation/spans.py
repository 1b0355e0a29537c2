"""Where each token, expression and statement of a Jinja template stands in its source.

1. Jinja's own lexer gives the tokens, each with its place.
2. Jinja's own parser, its methods wrapped, gives each expression its span.
3. Tags make a tree of statements.
"""

from jinja2 import nodes, parser
from jinja2.lexer import Token, TokenStream

OPENS = {"if": "endif", "for": "endfor", "macro": "endmacro", "generation": "endgeneration"}


class Placed(Token):
    """A token that knows where it stands."""

    start = end = 0


class Stream(TokenStream):
    """A token stream that knows where the last token ended."""

    last = 0

    def __next__(self):
        token = super().__next__()
        self.last = getattr(token, "end", self.last)
        return token


def tokens(environment, source):
    """The tokens that the parser sees; what the lexer strips is white space."""
    place = [0, 0]

    def raw():
        for line, kind, text in environment.lexer.tokeniter(source, None):
            start = place[1]
            while not source.startswith(text, start):
                assert source[start].isspace(), source[start:start + 40]
                start += 1
            place[:] = start, start + len(text)
            yield line, kind, text

    for token in environment.lexer.wrap(raw()):
        placed = Placed(*token)
        placed.start, placed.end = place
        yield placed


class Parser(parser.Parser):
    """Jinja's parser, with the span of each expression."""

    def __init__(self, environment, source, stream):
        super().__init__(environment, "")
        self.stream = stream
        self.spans = {}  # by id; the tree keeps the nodes

    def span(self, node):
        if id(node) not in self.spans:  # one of a chain: a and b, in a and b and c
            inner = [self.span(child) for child in node.iter_child_nodes()]
            self.spans[id(node)] = min(s for s, _ in inner), max(max(e for _, e in inner), getattr(node, "end", 0))
        return self.spans[id(node)]


def wrap(name):
    method = getattr(parser.Parser, name)

    def wrapped(self, *args, **kwargs):
        after = bool(args) and isinstance(args[0], nodes.Node)  # a subscript, a call, a filter: of what stands before
        start = self.span(args[0])[0] if after else self.stream.current.start
        node = method(self, *args, **kwargs)
        self.spans[id(node)] = start, self.stream.last
        return node

    setattr(Parser, name, wrapped)


for _name in ("expression", "condexpr", "or", "and", "not", "compare", "math1", "concat", "math2", "pow", "unary", "primary",
              "tuple", "list", "dict", "postfix", "filter_expr", "subscript", "subscribed", "call", "filter", "test"):
    wrap("parse_" + _name)


def parse(environment, source, stream):
    """The tree of a template and its parser, which knows the spans."""
    reading = Parser(environment, source, stream)
    made = nodes.Node.__init__

    def init(node, *args, **kwargs):
        made(node, *args, **kwargs)
        node.end = reading.stream.last

    nodes.Node.__init__ = init
    try:
        return reading.parse(), reading
    finally:
        nodes.Node.__init__ = made


class Tag:
    """A statement in its source: one tag, or all from a block's first tag to its last."""

    def __init__(self, name, start, end):
        self.name, self.start, self.end = name, start, end
        self.bodies = []  # of a block: the first tag of each body's end, and the statements in it


def tree(source, found):
    """The statements of a template, from its tokens."""
    root = Tag("", 0, 0)
    root.bodies = [[0, len(source), []]]
    stack = [root]
    begin = None
    for at, token in enumerate(found):
        if token.type in ("block_begin", "variable_begin"):
            begin = token.start
            name = found[at + 1].value if token.type == "block_begin" else "output"
        elif token.type in ("block_end", "variable_end"):
            end = token.start + len(source[token.start:token.end].rstrip())
            top = stack[-1]
            if name in ("elif", "else") or name == OPENS.get(top.name):
                top.bodies[-1][1] = begin
                if name == OPENS.get(top.name):
                    top.end = end
                    stack.pop()
                else:
                    top.bodies.append([end, None, []])
                continue
            tag = Tag(name, begin, end)
            top.bodies[-1][2].append(tag)
            if name in OPENS:
                tag.bodies.append([end, None, []])
                stack.append(tag)
    assert len(stack) == 1, "a block is not closed"
    return root
