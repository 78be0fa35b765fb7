"""Make pyclient/client.pyi of the command table and pyclient/client.pyi.in.

    python tests/make_stubs.py            write it
    python tests/make_stubs.py --check    say whether it is what would be written

`R` of a mark in the hand-kept part is the type of the reply, or of an iterator's items. Where that
depends on an option, and where it holds bytes, the method has overloads: `decode` chooses between
str, bytes and what the client was made for (_T).
"""

from __future__ import annotations

import argparse
import difflib
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.support.table import COMMANDS, convert, forms, spec, template  # noqa: E402

SOURCE = ROOT / "pyclient/client.pyi.in"
TARGET = ROOT / "pyclient/client.pyi"
WIDTH = 100

Command, Reply = spec.Command, spec.Reply
SCANNED = "[MATCH match] [COUNT count:int]"

# The iterators over the SCAN family, which are no commands but are typed in the same way: what the
# reply is here is an item.
ITERATORS = (
    Command(
        "scan_iter",
        "match=None, count=None, _type=None",
        f"SCAN {SCANNED} [TYPE _type:text]",
        Reply("raw", "bytes"),
        "",
    ),
    Command(
        "sscan_iter",
        "name, match=None, count=None",
        f"SSCAN name {SCANNED}",
        Reply("raw", "bytes"),
        "",
    ),
    Command(
        "hscan_iter",
        "name, match=None, count=None, no_values=None",
        f"HSCAN name {SCANNED} [NOVALUES?no_values]",
        Reply("raw", "tuple[bytes, bytes]"),
        "",
        when={"no_values": Reply("raw", "bytes")},
    ),
    Command(
        "zscan_iter",
        "name, match=None, count=None",
        f"ZSCAN name {SCANNED}",
        Reply("raw", "tuple[bytes, float]"),
        "",
    ),
)

NOTE = "# Made by tests/make_stubs.py of client.pyi.in and the command table; edit those.\n"


def aliases(text: str) -> dict[str, str]:
    """{set of words: the name that the hand-kept part gives to it}."""
    pattern = re.compile(r"^(\w+): TypeAlias = Literal\[\s*(.*?)\s*\]$", re.M | re.S)
    return {f"Literal[{words}]": name for name, words in pattern.findall(text)}


ALIASES = aliases(SOURCE.read_text())

# ---- the types of parameters --------------------------------------------------------------------


def parameter_types(command: Any) -> dict[str, str]:
    """The type of each parameter when it is given."""
    found: dict[str, str] = {}
    for node in template.walk(command.parsed.nodes):
        if isinstance(node, template.Single):
            found[node.name] = single_type(node.kind)
        elif isinstance(node, template.Flag):
            found[node.name] = "bool"
        elif isinstance(node, template.Items):
            found[node.name] = "Mapping[_K, _Scalar]"
        elif isinstance(node, template.Count) and node.name:
            found[node.name] = "int"
        elif isinstance(node, template.Members):
            for name in node.names:
                star = command.parsed.parameters[name].star
                found[name] = "_Scalar" if star else "_Scalar | Iterable[_Scalar]"
        elif isinstance(node, template.Form):
            function = inspect.signature(getattr(forms, node.function))
            for name in node.plain + node.others:
                annotation = str(function.parameters[name].annotation)
                star = command.parsed.parameters[name].star
                annotation = re.sub(r"\b(Scalar|K)\b", r"_\1", annotation)
                found[name] = "_Scalar" if star else annotation.removesuffix(" | None")
    return found


def single_type(kind: str) -> str:
    if kind.isupper():
        words = [word for name in kind.split("|") for word in (name, name.lower())]
        literal = f"Literal[{', '.join(map(default_text, words))}]"
        return ALIASES.get(literal, literal)
    name: str = convert.KINDS[kind][1]
    return name


def default_text(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


# ---- overloads ----------------------------------------------------------------------------------


def alternatives(command: Any) -> Iterator[tuple[set[str], str]]:
    """(the options that are given, the reply's type then); the most general case first."""
    yield set(), command.reply.type
    for names, reply in (command.when or {}).items():
        yield set(names.split()), reply.type


def parameters(command: Any, given: set[str]) -> list[str]:
    """The parameters of one overload: those in `given` must be there, other deciding ones not."""
    deciding = {name for names in command.when or {} for name in names.split()}
    types = parameter_types(command)
    found: list[str] = ["self"]
    optional = starred = False
    for parameter in command.parsed.parameters.values():
        name, kind = parameter.name, types[parameter.name]
        if parameter.star:
            found.append(f"*{name}: {kind}")
            starred = True
            continue
        must = parameter.required or name in given
        if (parameter.keyword_only or (must and optional)) and not starred:
            found.append("*")
            starred = True
        if name in given:
            found.append(f"{name}: {'Literal[True]' if kind == 'bool' else kind}")
        elif parameter.required:
            found.append(f"{name}: {kind}")
        else:
            optional = True
            if name in deciding:
                kind = "Literal[False]" if parameter.default is False else "Literal[False] | None"
                kind = kind if types[name] == "bool" else "None"
            elif parameter.default is None and "None" not in kind:
                kind += " | None"
            found.append(f"{name}: {kind} = {default_text(parameter.default)}")
    if not starred:
        found.append("*")
    return found


def in_place(result: str, kind: str) -> str:
    """The mark's type with the command's in the place of R."""
    return re.sub(r"\bR\b", kind, result)


def overloads(command: Any, result: str) -> Iterator[tuple[list[str], str]]:
    """(parameters, type of the result) of each overload."""
    if result == "Self":
        yield [*parameters(Undecided(command), set()), "decode: bool | None = None"], "Self"
        return
    for given, kind in alternatives(command):
        head = parameters(command, given)
        if not re.search(r"\bbytes\b", kind):
            yield [*head, "decode: bool | None = None"], in_place(result, kind)
            continue
        for decode, name in (
            ("decode: None = None", "_T"),
            ("decode: Literal[True]", "str"),
            ("decode: Literal[False]", "bytes"),
        ):
            yield [*head, decode], in_place(result, re.sub(r"\bbytes\b", name, kind))


class Undecided:
    """A command without options that decide about its reply."""

    def __init__(self, command: Any) -> None:
        self.parsed = command.parsed
        self.when = None


# ---- text ---------------------------------------------------------------------------------------


def method(name: str, arguments: list[str], result: str) -> str:
    """A method's stub, in as few lines as its width allows."""
    # Methods called set and object hide the builtins inside their classes.
    arguments = [re.sub(r"\bset\[", "builtins.set[", argument) for argument in arguments]
    result = re.sub(r"\bset\[", "builtins.set[", result)
    line = f"    def {name}({', '.join(arguments)}) -> {result}: ..."
    if len(line) <= WIDTH:
        return line
    lines = [""]
    for argument in arguments:
        if lines[-1] and len(lines[-1]) + len(argument) + 1 > WIDTH - 8:
            lines.append("")
        lines[-1] += f"{argument}, "
    inside = "".join(f"        {line.rstrip()}\n" for line in lines)
    return f"    def {name}(\n{inside}    ) -> {result}: ..."


def methods(commands: tuple[Any, ...], result: str) -> Iterator[str]:
    for command in sorted(commands, key=lambda command: str(command.name)):
        found = list(overloads(command, result))
        for arguments, kind in found:
            if len(found) > 1:
                yield "    @overload"
            yield method(command.name, arguments, kind)


def made() -> str:
    lines: list[str] = [NOTE]
    for line in SOURCE.read_text().splitlines():
        mark, _, result = line.strip().partition(": ")
        if mark == "# commands":
            lines += methods(COMMANDS, result)
        elif mark == "# iterators":
            lines += methods(ITERATORS, result)
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Make the type stubs of the clients.")
    parser.add_argument("--check", action="store_true", help="only say whether they are up to date")
    text = made()
    if not parser.parse_args().check:
        TARGET.write_text(text)
        return 0
    there = TARGET.read_text() if TARGET.exists() else ""
    sys.stdout.writelines(
        difflib.unified_diff(there.splitlines(True), text.splitlines(True), "there", "made", n=1)
    )
    return int(there != text)


if __name__ == "__main__":
    sys.exit(main())
