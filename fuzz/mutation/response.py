"""Mutants of a response template: one small change each.

Each member and item is dropped, renamed, or swapped with the next (a member
only where the order can reach the message); each text is
emptied and lengthened; each number, true and false is changed; and of each
pattern every construct is dropped or altered: a run of letters, a class and its
members, a repeat and its greed, a group's name.

A mutant is [id, value]. Its id is the path to what was changed, and the change.
"""

import json
import re

TOKEN = re.compile(r"""
    (?P<open>\((?:\?P?<(?P<name>\w+)>|\?[:=!>]|\?<[=!])?) | (?P<shut>\)) | (?P<bar>\|) |
    (?P<class>\[\^?\]?(?:\\.|[^\]\\])*\]) | (?P<repeat>(?:[*+?]|\{\d*,?\d*\})[?+]?) |
    (?P<special>\\[A-Za-z]|[.^$]) | (?P<letters>(?:\\[^A-Za-z]|[^\\()\[\]{}|*+?.^$])+)
""", re.VERBOSE | re.DOTALL)
MEMBER = re.compile(r"\\.-\\?.|[^\\]-\\?[^\]]|\\.|.", re.DOTALL)
REPEATS = {"+": ("*", ""), "*": ("+", ""), "?": ("", "*")}


def pattern(text):
    """Mutants of a regular expression, as pairs of what changes and the new text."""
    tokens = list(TOKEN.finditer(text))
    assert "".join(t[0] for t in tokens) == text, f"a pattern that cannot be read: {text}"
    for i, token in enumerate(tokens):
        kind, found = token.lastgroup if token.lastgroup != "name" else "open", token[0]
        after = tokens[i + 1] if i + 1 < len(tokens) and tokens[i + 1].lastgroup == "repeat" else None

        def put(new, end=token.end(), what=None):
            old = text[token.start():end]
            return what or f"{show(old)} -> {show(new) or 'nothing'}", text[:token.start()] + new + text[end:]

        if kind == "letters":
            # A repeat binds the last letter alone.
            last = re.search(r"\\.$|.$", found, re.DOTALL).start() if after else len(found)
            if last:
                yield put("", token.start() + last)
                yield put(found[:last] + "X", token.start() + last)
            if after:
                yield put(found[:last], after.end())
        elif kind in ("class", "special"):
            yield put("", after.end() if after else token.end())
            if kind == "class":
                negated = found.startswith("[^")
                yield put("[" + found[2:] if negated else "[^" + found[1:])
                members = MEMBER.findall(found[1 + negated:-1])
                for at, member in enumerate(members):
                    if len(members) > 1:
                        yield put(found[:1 + negated] + "".join(members[:at] + members[at + 1:]) + "]", what=f"{found}: {show(member)} -> nothing")
            elif found == ".":
                yield put(r"[^\n]")
        elif kind == "repeat":
            base = found[0] if found[0] != "{" else found[:found.index("}") + 1]
            greed = found[len(base):]
            for other in REPEATS.get(base, ("",)):
                yield put(other + greed if other else "")
            yield put(base if greed else base + "?")
        elif kind == "open":
            if token["name"]:
                yield put(found.replace(token["name"], token["name"] + "X"))
            depth, end = 0, i
            for end in range(i, len(tokens)):
                depth += (tokens[end].lastgroup in ("open", "name")) - (tokens[end].lastgroup == "shut")
                if depth == 0:
                    break
            stop = tokens[end].end()
            if end + 1 < len(tokens) and tokens[end + 1].lastgroup == "repeat":
                stop = tokens[end + 1].end()
            yield put("", stop)
        elif kind == "bar":
            yield put("")


def show(text):
    return json.dumps(text, ensure_ascii=False)[1:-1]


def ordered(path):
    """Whether the order of an object's members can reach the message."""
    return path in ("defaults", "fields") or ".transform" in path


def changes(value, path):
    """Mutants of a JSON value, as pairs of a name and the new value."""
    if isinstance(value, dict):
        items = list(value.items())
        for i, (key, inner) in enumerate(items):
            at = f"{path}.{key}" if path else key
            yield f"{at} -> nothing", dict(items[:i] + items[i + 1:])
            yield f"{at} -> {key}X", dict(items[:i] + [(key + "X", inner)] + items[i + 1:])
            if i + 1 < len(items) and ordered(path):
                yield f"{at} <-> {items[i + 1][0]}", dict(items[:i] + [items[i + 1], items[i]] + items[i + 2:])
            for name, new in changes(inner, at):
                yield name, dict(items[:i] + [(key, new)] + items[i + 1:])
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield f"{path}[{i}] -> nothing", value[:i] + value[i + 1:]
            if i + 1 < len(value):
                yield f"{path}[{i}] <-> [{i + 1}]", value[:i] + [value[i + 1], inner] + value[i + 2:]
            for name, new in changes(inner, f"{path}[{i}]"):
                yield name, value[:i] + [new] + value[i + 1:]
    elif isinstance(value, str):
        yield f'{path}: "{show(value)}" -> ""', ""
        yield f'{path}: "{show(value)}" -> "{show(value)}X"', value + "X"
        if path.endswith("_pattern"):
            for name, new in pattern(value):
                yield f"{path}: {name}", new
    elif isinstance(value, bool):
        yield f"{path} -> {json.dumps(not value)}", not value
    elif isinstance(value, (int, float)):
        yield f"{path} -> {value + 1}", value + 1
        yield f"{path} -> {value - 1}", value - 1


def mutants(template):
    """All mutants, each once, in the order of their places."""
    out, seen, names = [], {json.dumps(template)}, {}
    for name, value in changes(template, ""):
        text = json.dumps(value)
        if text in seen:
            continue
        seen.add(text)
        names[name] = n = names.get(name, 0) + 1
        out.append([name if n == 1 else f"{name} #{n}", value])
    return out
