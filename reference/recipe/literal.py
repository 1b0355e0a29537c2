"""Reads the values of variables from the text of Python modules. Nothing of a
module is imported or run: its syntax tree is walked, and what is no literal has
no value.

Standard input: {"modules": [{"text": ..., "given": {NAME: BOOL}}],
                 "wants": [{"module": 0, "variable": NAME, "key": KEY or ""}]}
Standard output: one answer a want, {"ok": VALUE} or {"error": TEXT}.

A literal here is a constant, a list, tuple or dict of literals, a name that
holds one, an f-string of texts, texts put together with +, or X if C else Y. A
loop "for _ in range(N)" of assignments is read N times. The variables in `given`
have that value whatever the module does. Any other statement takes the value
from each name that it assigns.
"""

import ast
import json
import sys

LONGEST = 1 << 20  # characters of one text
ROUNDS = 100  # of one loop


class NoLiteral(Exception):
    """Says why something has no value, and where."""


def no(node, what):
    return NoLiteral(f"line {node.lineno}: {what}")


class Module:
    def __init__(self, text, given):
        self.given = given
        self.names = dict(given)  # a value, or the NoLiteral that says why there is none
        for statement in ast.parse(text).body:
            self.take(statement)

    def bind(self, name, value):
        if name not in self.given:
            self.names[name] = value

    def take(self, node):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.assign(name, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                self.assign(name, value)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(n))],
                                                                 keywords=[]), orelse=[]) if (
                    n <= ROUNDS and all(isinstance(inner, ast.Assign) for inner in node.body)):
                for i in range(n):
                    self.bind(name, i)
                    for inner in node.body:
                        self.take(inner)
            case _:
                for name in assigned(node):
                    self.bind(name, no(node, f"{name} is assigned by something else than a literal"))

    def assign(self, name, node):
        try:
            value = self.value(node)
        except NoLiteral as why:
            value = why
        self.bind(name, value)

    def value(self, node):
        match node:
            case ast.Constant(value=str() | int() | float() | None):  # bool is an int
                return node.value
            case ast.List():
                return [self.value(item) for item in node.elts]
            case ast.Tuple():
                return tuple(self.value(item) for item in node.elts)
            case ast.Dict():
                return self.pairs(node)
            case ast.Name(id=name):
                return self.name(name)
            case ast.JoinedStr():
                return self.text(node, [self.piece(part) for part in node.values])
            case ast.BinOp(op=ast.Add()):
                return self.text(node, [self.value(node.left), self.value(node.right)])
            case ast.IfExp():
                return self.value(node.body if self.truth(node.test) else node.orelse)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
                return -number
        raise no(node, f"{type(node).__name__} is no literal")

    def pairs(self, node):
        out = {}
        for key, item in zip(node.keys, node.values):
            if key is None:
                raise no(node, "a dict that takes over another is no literal")
            name = self.value(key)
            if not isinstance(name, (str, tuple)) or name in out:
                raise no(key, f"the key {name!r} is no text, or stands there twice")
            out[name] = self.value(item)
        return out

    def name(self, name):
        value = self.names.get(name, NoLiteral("the module does not assign it"))
        if isinstance(value, NoLiteral):
            raise NoLiteral(f"{name} has no value that can be read ({value})")
        return value

    def piece(self, part):
        if isinstance(part, ast.FormattedValue):
            if part.conversion != -1 or part.format_spec is not None:
                raise no(part, "a conversion in an f-string is no literal")
            return self.value(part.value)
        return self.value(part)

    def text(self, node, parts):
        if not all(isinstance(part, str) for part in parts):
            raise no(node, "only texts are put together")
        if sum(map(len, parts)) > LONGEST:
            raise no(node, f"a text of more than {LONGEST} characters")
        return "".join(parts)

    def truth(self, node):
        value = self.value(node)
        if not isinstance(value, bool):
            raise no(node, "a condition must be True or False")
        return value

    def find(self, variable, key):
        value = self.name(variable)
        if not key:
            return value
        if isinstance(value, dict):
            for name, item in value.items():
                if name == key or isinstance(name, tuple) and key in name:
                    return item
        raise NoLiteral(f"{variable} has no key {key!r}")


def assigned(node):
    """The names that a statement may assign in the module."""
    for inner in ast.walk(node):
        match inner:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(name=name, asname=alias):
                yield alias or name.split(".")[0]


def plain(value):
    """The value, if JSON says the same: texts as keys, no tuples."""
    match value:
        case dict():
            if not all(isinstance(key, str) for key in value):
                raise NoLiteral("a key is no text")
            return {key: plain(item) for key, item in value.items()}
        case list():
            return [plain(item) for item in value]
        case tuple():
            raise NoLiteral("a tuple is no value of a template")
    return value


def main():
    request = json.load(sys.stdin)
    modules = [Module(m["text"], m["given"]) for m in request["modules"]]
    answers = []
    for want in request["wants"]:
        try:
            answers.append({"ok": plain(modules[want["module"]].find(want["variable"], want["key"]))})
        except NoLiteral as why:
            answers.append({"error": str(why)})
    json.dump(answers, sys.stdout)


main()
