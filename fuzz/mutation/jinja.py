"""Mutants of a Jinja template: one small change each, at exact places of its source.

Each statement is dropped, and changes places with the next; each literal,
condition, operator, argument and filter is changed, dropped or swapped.

A mutant is [id, start, end, text]: bytes of the source and what stands there
instead. Its id is the macro around it, what stood there and what stands there
now, so that it outlives changes elsewhere. White space control is left alone:
where tags strip on both sides, what stands between two is stripped twice.
"""

import bisect

from jinja2 import nodes

# spans.py is run before, in one namespace with this.

GONE = "{#- -#}"  # what a dropped statement leaves: it strips as the tags did
OPPOSITE = {"eq": "!=", "ne": "==", "gt": ">=", "gteq": ">", "lt": "<=", "lteq": "<", "in": "not in", "notin": "in"}
NEIGHBOUR = {"index0": "index", "first": "last", "last": "first"}
BINARY = {nodes.Add: "+", nodes.Sub: "-", nodes.Mul: "*", nodes.And: "and", nodes.Or: "or"}


class Mutants:
    def __init__(self, environment, source):
        self.source = source
        found = list(tokens(environment, source))
        self.root, self.spans = parse(environment, source, Stream(iter(found), None, None))
        self.out, self.seen = [], {source}
        self.names = {}
        root = tree(source, found)
        self.macros = sorted((t.start, t.end, found[bisect.bisect([f.start for f in found], t.start) + 1].value)
                             for t in root.bodies[0][2] if t.name == "macro")
        self.statements(root)
        for node in self.root.find_all(nodes.Node):
            self.node(node)

    # how a mutant is made

    def text(self, node):
        start, end = self.spans.span(node)
        return self.source[start:end]

    def put(self, start, end, text, what=None):
        """Adds a mutant: text instead of what stands from start to end."""
        made = self.source[:start] + text + self.source[end:]
        if made in self.seen:
            return
        self.seen.add(made)
        scope = next((name for a, b, name in self.macros if a <= start < b), "template")
        name = f"{scope}: {what or short(self.source[start:end]) + ' -> ' + (short(text) or 'nothing')}"
        self.names[name] = n = self.names.get(name, 0) + 1
        before = len(self.source[:start].encode())
        self.out.append([name if n == 1 else f"{name} #{n}", before, before + len(self.source[start:end].encode()), text])

    def change(self, node, text, what=None):
        self.put(*self.spans.span(node), text, what)

    def lists(self, items, extra=None):
        """Drops each of the items between commas, and swaps neighbours."""
        spans = [(self.spans.span(a)[0], self.spans.span(b)[1]) for a, b in items]
        texts = [self.source[a:b] for a, b in spans]
        for i, (start, end) in enumerate(spans):
            if extra is None or i >= extra:
                a = spans[i - 1][1] if i else start
                b = spans[1][0] if i == 0 and len(spans) > 1 else end
                self.put(a, b, "", f"{short(texts[i])} -> nothing")
        for (a, b), (c, d), x, y in zip(spans, spans[1:], texts, texts[1:]):
            self.put(a, d, y + self.source[b:c] + x, f"{short(x)} <-> {short(y)}")

    # statements

    def statements(self, block):
        for start, end, body in block.bodies:
            for tag in body:
                if tag.name != "macro":
                    self.put(tag.start, tag.end, GONE)
                if tag.name == "generation":
                    (a, b, _), = tag.bodies
                    self.put(tag.start, tag.end, self.source[a:b], "generation -> its body")
                self.statements(tag)
            for a, b in zip(body, body[1:]):
                if "macro" not in (a.name, b.name):
                    x, y = self.source[a.start:a.end], self.source[b.start:b.end]
                    self.put(a.start, b.end, y + self.source[a.end:b.start] + x, f"{short(x)} <-> {short(y)}")
            if block.name and len(body) > 1:
                self.put(start, end, GONE, f"{short(self.source[start:end])} -> nothing")

    # expressions

    def node(self, node):
        for kind in type(node).__mro__:
            method = getattr(self, "on_" + kind.__name__, None)
            if method is not None:
                method(node)
                return

    def condition(self, test):
        self.change(test, "true")
        self.change(test, "false")

    def on_If(self, node):
        self.condition(node.test)

    on_CondExpr = on_If

    def on_For(self, node):
        if node.test is not None:
            self.condition(node.test)

    def on_Const(self, node):
        text = self.text(node)
        if isinstance(node.value, str):
            self.change(node, text[0] + text[-1])
            self.change(node, text[:-1] + "X" + text[-1])
        elif isinstance(node.value, bool):
            self.change(node, "false" if node.value else "true")
        elif node.value is None:
            self.change(node, "'X'")
        else:
            self.change(node, str(node.value + 1))
            self.change(node, f"({node.value - 1})")

    def on_List(self, node):
        if node.items:
            self.lists([(item, item) for item in node.items])
        else:
            self.change(node, "['X']")

    def on_Dict(self, node):
        if node.items:
            self.lists([(pair.key, pair.value) for pair in node.items])
        else:
            self.change(node, "{'X': 'X'}")

    def on_BinExpr(self, node):
        sign = BINARY[type(node)]
        left, right = self.text(node.left), self.text(node.right)
        self.change(node, left, f"{short(self.text(node))} -> {short(left)}")
        self.change(node, right, f"{short(self.text(node))} -> {short(right)}")
        if sign in ("and", "or"):
            # Put in brackets, so that it binds as what it stands for.
            self.change(node, f"({left} {'or' if sign == 'and' else 'and'} {right})")
        elif isinstance(node.right, nodes.List):
            self.change(node, f"{right} {sign} {left}")

    def on_Concat(self, node):
        spans = [self.spans.span(part) for part in node.nodes]
        for i, (start, end) in enumerate(spans):
            a = spans[i - 1][1] if i else start
            b = spans[1][0] if i == 0 else end
            self.put(a, b, "", f"~ {short(self.source[start:end])} -> nothing")
        for (a, b), (c, d) in zip(spans, spans[1:]):
            x, y = self.source[a:b], self.source[c:d]
            self.put(a, d, y + self.source[b:c] + x, f"{short(x)} <-> {short(y)}")

    def on_Compare(self, node):
        for i, operand in enumerate(node.ops):
            a = self.spans.span(node.ops[i - 1].expr if i else node.expr)[1]
            b = self.spans.span(operand.expr)[0]
            self.put(a, b, f" {OPPOSITE[operand.op]} ", f"{short(self.text(node))} -> {OPPOSITE[operand.op]}")

    def on_Not(self, node):
        inner = node.node
        if isinstance(inner, nodes.Test) and self.spans.span(node) == self.spans.span(inner):
            return  # is not: the test itself
        self.change(node, self.text(inner))

    def on_Test(self, node):
        start, end = self.spans.span(node.node)[1], self.spans.span(node)[1]
        words = self.source[start:end]
        rest = words.strip()[len("is"):].strip()
        text = " is " + rest[len("not"):].strip() if rest.startswith("not ") else " is not " + rest
        self.put(start, start + len(words.rstrip()), text, f"{short(self.text(node))} ->{text}")

    def on_Filter(self, node):
        self.change(node, self.text(node.node), f"{short(self.text(node))} -> {short(self.text(node.node))}")

    def on_Call(self, node):
        if len(node.args) > 1 and not node.kwargs:
            self.lists([(arg, arg) for arg in node.args], len(node.args) - 1)
        if node.kwargs:
            self.kwargs(node)

    def kwargs(self, node):
        """Drops each of a call's named arguments."""
        for keyword in node.kwargs:
            start, end = self.spans.span(keyword.value)
            start = self.source.rindex(keyword.key, 0, start)
            self.put(start, end, f"{keyword.key}X=0", f"{short(self.source[start:end])} -> nothing")

    def on_Getattr(self, node):
        if node.attr in NEIGHBOUR:
            end = self.spans.span(node)[1]
            self.put(end - len(node.attr), end, NEIGHBOUR[node.attr], f"{self.text(node)} -> {NEIGHBOUR[node.attr]}")


def short(text):
    """A text on one line; of a long one the beginning and the end."""
    text = " ".join(text.split())
    return text if len(text) <= 70 else text[:45] + " … " + text[-20:]



def mutants(environment, source):
    """All mutants, in the order of their kinds and places."""
    return Mutants(environment, source).out
