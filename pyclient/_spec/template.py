"""Taking a declaration apart: the signature into parameters, the wire form into nodes."""

from __future__ import annotations

from . import SHAPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from . import Command


class Parameter:
    """One parameter of the signature. `star` is "*" for *names."""

    __slots__ = ("default", "keyword_only", "name", "required", "star")

    def __init__(self, text: str, keyword_only: bool) -> None:
        name, equals, default = text.partition("=")
        self.star = "*" if name.startswith("*") else ""
        self.name = name.lstrip("*")
        self.required = not equals and not self.star
        self.default: Any = constant(default) if equals else None
        self.keyword_only = keyword_only


def constant(text: str) -> Any:
    """A literal of the few forms that defaults have."""
    if text in ("None", "True", "False"):
        return {"None": None, "True": True, "False": False}[text]
    if text.startswith('"'):
        return text[1:-1]
    return float(text) if "." in text else int(text)


def parse_signature(text: str) -> dict[str, Parameter]:
    found: dict[str, Parameter] = {}
    keyword_only = False
    for part in text.split(", ") if text else ():
        if part != "*":
            parameter = Parameter(part, keyword_only)
            found[parameter.name] = parameter
        keyword_only = keyword_only or part.startswith("*")
    return found


class Literal:
    """A word that goes on the wire as it stands."""

    __slots__ = ("data",)

    def __init__(self, data: bytes) -> None:
        self.data = data


class Single:
    """A parameter that is one argument on the wire."""

    __slots__ = ("kind", "name")

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        self.kind = kind


class Flag:
    """A parameter that is a word on the wire, or nothing."""

    __slots__ = ("name", "token")

    def __init__(self, name: str, token: bytes) -> None:
        self.name = name
        self.token = token


class Members:
    """A list parameter, `*names`, or one behind the other."""

    __slots__ = ("names",)

    def __init__(self, names: list[str]) -> None:
        self.names = names


class Count:
    """How many members or items `of` has; `name` is the parameter that says so too, if any."""

    __slots__ = ("name", "of")

    def __init__(self, name: str, of: str) -> None:
        self.name = name
        self.of = of


class Items:
    """A mapping whose keys and values follow each other."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Form:
    """Parameters of which a function of forms.py makes the arguments."""

    __slots__ = ("function", "others", "plain")

    def __init__(self, function: str, plain: list[str], others: list[str]) -> None:
        self.function = function
        self.plain = plain
        self.others = others


class Group:
    """Brackets: `[...]`, repeated ones, or parentheses (`required`)."""

    __slots__ = ("alternatives", "repeated", "required")

    def __init__(self, alternatives: list[list[Node]], required: bool, repeated: bool) -> None:
        self.alternatives = alternatives
        self.required = required
        self.repeated = repeated


Node = Literal | Single | Flag | Members | Count | Items | Form | Group


def direct_names(nodes: list[Node]) -> list[str]:
    """The parameters of a bracket, without those of its inner brackets."""
    names: list[str] = []
    for node in nodes:
        if isinstance(node, Single | Flag | Items):
            names.append(node.name)
        elif isinstance(node, Members):
            names += node.names
        elif isinstance(node, Form):
            names += node.plain + node.others
    return names


def walk(nodes: list[Node]) -> Iterator[Node]:
    """Every node, inner ones included."""
    for node in nodes:
        yield node
        if isinstance(node, Group):
            for alternative in node.alternatives:
                yield from walk(alternative)


def _words(text: str) -> list[str]:
    """The template's words, brackets being words of their own."""
    found: list[str] = []
    for word in text.split():
        while word[:1] in ("[", "(", "<"):
            found.append(word[0])
            word = word[1:]
        closing: list[str] = []
        while word[-1:] in ("]", ")", ">") or word.endswith("]*"):
            size = 2 if word.endswith("*") else 1
            closing.insert(0, word[-size:])
            word = word[:-size]
        if word:
            found.append(word)
        found += closing
    return found


class _Parser:
    def __init__(self, text: str) -> None:
        self.words = _words(text)
        self.at = 0

    def next(self) -> str:
        self.at += 1
        return self.words[self.at - 1]

    def sequence(self) -> tuple[list[Node], str]:
        """Nodes up to a closing sign or a bar, and that sign."""
        nodes: list[Node] = []
        while self.at < len(self.words):
            word = self.next()
            if word in ("|", "]", "]*", ")"):
                return nodes, word
            node = self.group(word == "(") if word in ("[", "(") else self.single(word)
            if isinstance(node, Members) and nodes and isinstance(nodes[-1], Members):
                nodes[-1].names += node.names
            else:
                nodes.append(node)
        return nodes, ""

    def group(self, required: bool) -> Group:
        alternatives: list[list[Node]] = []
        sign = "|"
        while sign == "|":
            nodes, sign = self.sequence()
            if len(nodes) == 1 and isinstance(nodes[0], Literal):
                word = nodes[0].data
                nodes = [Flag(word.decode().lower().replace("-", "_"), word)]
            alternatives.append(nodes)
        return Group(alternatives, required, sign == "]*")

    def single(self, word: str) -> Node:
        if word == "<":
            return self.form()
        if word == '""':
            return Literal(b"")
        if word[0] == "{":
            return Items(word[1:-1])
        if word.endswith("..."):
            return Members([word[:-3]])
        name, sign, rest = word.partition("#")
        if sign:
            return Count(name, rest)
        name, sign, rest = word.partition("?")
        if sign:
            return Flag(rest, name.encode())
        if word.isupper():
            return Literal(word.encode())
        name, _, kind = word.partition(":")
        return Single(name, kind or "scalar")

    def form(self) -> Form:
        function = self.next()
        parts: list[list[str]] = [[]]
        while (word := self.next()) != ">":
            if word == "|":
                parts.append([])
            else:
                parts[-1].append(word)
        if len(parts) == 1:
            return Form(function, [], parts[0])
        return Form(function, parts[0], parts[1])


class Template:
    """A declaration taken apart."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self.name = command.name
        self.parameters = parse_signature(command.signature)
        nodes, _ = _Parser(command.template).sequence()
        words: list[bytes] = []
        for node in nodes:
            if not isinstance(node, Literal):
                break
            words.append(node.data)
        self.words = tuple(words)
        self.nodes = nodes[len(words) :]
        self.exclusions = self._exclusions()

    def shapes(self) -> dict[str, int]:
        """The options that change the reply's shape, and to which. Of several that do so together
        it is the last: the others stand around it."""
        found = {}
        for names, reply in (self.command.when or {}).items():
            if reply.shape != self.command.reply.shape:
                found[names.split()[-1]] = SHAPES.index(reply.shape)
        return found

    def _exclusions(self) -> list[tuple[str, str]]:
        """The pairs of parameters that cannot both be given."""
        pairs: list[tuple[str, str]] = []
        for node in walk(self.nodes):
            if isinstance(node, Group):
                firsts = [direct_names(nodes)[0] for nodes in node.alternatives]
                pairs += [(a, b) for i, a in enumerate(firsts) for b in firsts[i + 1 :]]
        if self.command.excludes:
            for pair in self.command.excludes.split(", "):
                first, second = pair.split()
                pairs.append((first, second))
        return pairs
