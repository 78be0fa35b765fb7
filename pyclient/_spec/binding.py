"""bind(): made once per command, as the source of a function with the command's own signature.

So Python itself says what is wrong with a call's shape, and naming the method; the body that is
generated here converts the arguments and puts them in wire order.
"""

from __future__ import annotations

from . import SHAPES, convert, forms
from .template import (
    Count,
    Flag,
    Form,
    Group,
    Items,
    Literal,
    Members,
    Node,
    Single,
    direct_names,
    walk,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from . import Bound
    from .template import Template

# Names of the generated body begin with "k_", which no parameter does.
SCOPE: dict[str, Any] = {
    "k_plain": convert.PLAIN,
    "k_choice": convert.choice,
    "k_members": convert.members,
    "k_check_all": convert.check_all,
    "k_items": convert.items,
    "k_missing": convert.missing,
    "k_empty": convert.empty,
    "k_apart": convert.apart,
    "k_needs": convert.needs,
    "k_conflict": convert.conflict,
    "k_one_of": convert.one_of,
    "k_check_count": convert.check_count,
    "k_check_decode": convert.check_decode,
    "k_list": list,
    "k_len": len,
    "k_type": type,
}


class _Writer:
    """The source of one command's bind()."""

    def __init__(self, template: Template) -> None:
        self.template = template
        self.method = template.name
        self.lines: list[str] = []
        self.scope = dict(SCOPE)
        self.indent = 1
        self.block = "-1.0"
        self.truthy: set[str] = set()  # parameters that count as given when they are true
        self.mappings: set[str] = set()
        for node in walk(template.nodes):
            if isinstance(node, Flag):
                self.truthy.add(node.name)
            elif isinstance(node, Members):
                self.truthy.update(node.names)
            elif isinstance(node, Items):
                self.mappings.add(node.name)
        self.shapes = template.shapes()

    def add(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def write(self) -> str:
        command = self.template.command
        self.prepare(self.template.nodes)
        self.exclude()
        self.add(f"k_wire = []; k_shape = {SHAPES.index(command.reply.shape)}")
        for node in self.template.nodes:
            self.node(node)
        decode = "False if decode is None else decode" if command.binary else "decode"
        self.add(f"return k_wire, k_shape, {self.block}, {decode}")
        head = [
            f"def {self.method}({command.full_signature}):",
            f"    if decode is not None: k_check_decode(decode, {self.method!r})",
        ]
        return "\n".join(head + self.lines)

    # ---- before anything is put together ---------------------------------------------------------

    def prepare(self, nodes: list[Node], optional: bool = False) -> None:
        """Turn lists and mappings into lists of their own, and times to block into numbers."""
        for node in nodes:
            if isinstance(node, Members):
                self.prepare_members(node, optional)
            elif isinstance(node, Items):
                name = node.name
                self.add(f"{name} = k_items({name}, {self.method!r}, {name!r})")
                self.add(f"if not {name}: raise k_empty({self.method!r}, {name!r})")
            elif isinstance(node, Single) and node.kind in ("timeout", "wait"):
                function = f"k_{node.kind}"
                self.scope[function] = getattr(convert, node.kind)
                self.add(f"{node.name} = {function}({node.name}, {self.method!r}, {node.name!r})")
                self.block = f"{node.name} / {'1000' if node.kind == 'wait' else '1.0'}"
            elif isinstance(node, Group):
                for alternative in node.alternatives:
                    self.prepare(alternative, optional=True)

    def prepare_members(self, node: Members, optional: bool) -> None:
        for name in node.names:
            if self.template.parameters[name].star:
                self.add(f"{name} = k_check_all(k_list({name}), {self.method!r}, {name!r})")
            else:
                none = f"[] if {name} is None else " if optional else ""
                self.add(f"{name} = {none}k_members({name}, {self.method!r}, {name!r})")
        if not optional:
            first = node.names[0]
            problem = "k_missing" if self.template.parameters[first].star else "k_empty"
            nothing = " and ".join(f"not {name}" for name in node.names)
            self.add(f"if {nothing}: raise {problem}({self.method!r}, {first!r})")

    def exclude(self) -> None:
        others: dict[str, list[str]] = {}
        for first, second in self.template.exclusions:
            others.setdefault(first, []).append(second)
        for first, seconds in others.items():
            self.add(f"if {self.given(first)}:")
            for second in seconds:
                problem = f"k_conflict({self.method!r}, {first!r}, {second!r})"
                self.add(f"    if {self.given(second)}: raise {problem}")

    def given(self, name: str) -> str:
        """The condition that a parameter was given."""
        return name if name in self.truthy else f"{name} is not None"

    # ---- putting the arguments together ----------------------------------------------------------

    def node(self, node: Node) -> None:
        if isinstance(node, Literal):
            self.add(f"k_wire.append({node.data!r})")
        elif isinstance(node, Single):
            self.add(f"k_wire.append({self.single(node)})")
            self.reshape(node.name)
        elif isinstance(node, Flag):
            self.add(f"k_wire.append({node.token!r})")
            self.reshape(node.name)
        elif isinstance(node, Members):
            for name in node.names:
                self.add(f"k_wire += {name}")
        elif isinstance(node, Items):
            self.add(f"k_wire += {node.name}")
        elif isinstance(node, Count):
            self.count(node)
        elif isinstance(node, Form):
            self.form(node)
        else:
            self.group(node)

    def single(self, node: Single) -> str:
        name, where = node.name, f"{self.method!r}, {node.name!r}"
        if node.kind.isupper():
            return f"k_choice({name}, {where}, {tuple(node.kind.split('|'))!r})"
        if node.kind in ("timeout", "wait"):
            return name
        function = convert.KINDS[node.kind][0]
        self.scope[f"k_{function}"] = getattr(convert, function)
        if node.kind in convert.ALWAYS_CONVERTED:
            return f"k_{function}({name}, {where})"
        return f"{name} if k_type({name}) in k_plain else k_{function}({name}, {where})"

    def count(self, node: Count) -> None:
        found = f"k_len({node.of})" + (" // 2" if node.of in self.mappings else "")
        if node.name:
            where = f"{self.method!r}, {node.name!r}, {node.of!r}"
            found = f"k_check_count({node.name}, {found}, {where})"
        self.add(f"k_wire.append({found})")

    def form(self, node: Form) -> None:
        self.scope[f"k_{node.function}"] = getattr(forms, node.function)
        names = ", ".join(node.plain + node.others)
        self.add(f"k_wire += k_{node.function}({self.method!r}, {names})")

    def reshape(self, name: str) -> None:
        """Behind an option that changes what the reply becomes."""
        if name in self.shapes:
            self.add(f"k_shape = {self.shapes[name]}")

    def group(self, group: Group) -> None:
        if group.required:
            flags = [names[0] for names in map(direct_names, group.alternatives)]
            self.add(f"if not ({' or '.join(flags)}):")
            quoted = ", ".join(repr(flag) for flag in flags)
            self.add(f"    raise k_one_of({self.method!r}, {quoted})")
        for nodes in group.alternatives:
            self.alternative(nodes, group.repeated)

    def alternative(self, nodes: list[Node], repeated: bool) -> None:
        names = direct_names(nodes)
        conditions = [self.given(name) for name in names]
        for name, condition in zip(names[1:], conditions[1:], strict=True):
            one = f"({conditions[0]}) != ({condition})"
            self.add(f"if {one}: raise k_apart({self.method!r}, {names[0]!r}, {name!r})")
        self.add(f"if {conditions[0]}:")
        self.indent += 1
        if repeated:
            self.repeat(nodes)
        else:
            for node in nodes:
                self.node(node)
        self.indent -= 1
        for node in nodes:
            if isinstance(node, Group):
                for inner in node.alternatives:
                    option = direct_names(inner)[0]
                    what = f"{self.method!r}, {option!r}, {names[0]!r}"
                    self.add(f"elif {self.given(option)}: raise k_needs({what})")

    def repeat(self, nodes: list[Node]) -> None:
        (name,) = direct_names(nodes)
        self.add(f"for k_each in {name}:")
        for node in nodes:
            value = repr(node.data) if isinstance(node, Literal) else "k_each"
            self.add(f"    k_wire.append({value})")


def make_bind(template: Template) -> Callable[..., Bound]:
    writer = _Writer(template)
    source = writer.write()
    exec(compile(source, f"<bind {template.name}>", "exec"), writer.scope)
    bind: Callable[..., Bound] = writer.scope[template.name]
    return bind
