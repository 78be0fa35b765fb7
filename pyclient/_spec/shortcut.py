"""compile(): which calls the core can put together by itself, without a Python frame.

The core emits the parameters in the order of the signature. A parameter for which that would not
give what bind() gives is SLOW: a call that has it goes through bind(). A command that has such a
parameter in every call is BIND.
"""

from __future__ import annotations

from . import BIND, BLOCKING, SHAPES
from .convert import ALWAYS_CONVERTED
from .template import Flag, Form, Group, Literal, Members, Node, Single, direct_names, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import Param
    from .template import Template

REQUIRED = 0  # a plain value
OPTIONAL = 1  # nothing, or a plain value
TOKEN = 2  # nothing, or `token` and a plain value
FLAG = 3  # nothing, or `token`
VARIADIC = 4  # plain values: *names, at least one (none: behind SPREAD only)
SLOW = 5  # nothing; given (not None, nor False when it has a token): the call goes to bind()
SPREAD = 6  # the plain values of a list or tuple that is not empty, or one plain value
DEFAULT = 7  # `token` when not given, else a plain value


def number_text(value: int | float) -> str:
    """A default as the core writes numbers."""
    return repr(value).removesuffix(".0")


class _Shortcut:
    def __init__(self, template: Template) -> None:
        self.template = template
        self.kinds: dict[str, tuple[int, bytes | None]] = {}
        self.flags = BIND if template.command.binary else 0  # bind() decides about decoding
        self.order: list[str] = []  # what is emitted, in wire order
        self.flag_tokens = {
            node.name: node.token for node in walk(template.nodes) if isinstance(node, Flag)
        }
        for node in template.nodes:
            self.node(node)
        self.settle()

    def emit(self, name: str, kind: int, token: bytes | None = None) -> None:
        self.kinds[name] = kind, token
        self.order.append(name)

    def node(self, node: Node) -> None:
        if isinstance(node, Single) and node.kind in ("timeout", "wait"):
            self.flags |= BLOCKING
        elif isinstance(node, Single) and is_plain(node):
            self.single(node)
        elif isinstance(node, Members):
            stars = [bool(self.template.parameters[name].star) for name in node.names]
            for name, star in zip(node.names, stars, strict=True):
                self.emit(name, VARIADIC if star else SPREAD)
        elif isinstance(node, Form) and node.plain:
            for name in node.plain:
                self.emit(name, REQUIRED)
            for name in node.others:
                self.slow(name)
        elif isinstance(node, Group) and not node.required:
            for nodes in node.alternatives:
                self.alternative(nodes, node.repeated)
        else:
            self.flags |= BIND

    def single(self, node: Single) -> None:
        parameter = self.template.parameters[node.name]
        if parameter.required:
            self.emit(node.name, REQUIRED)
        else:
            default = parameter.default
            text = default if isinstance(default, str) else number_text(default)
            self.emit(node.name, DEFAULT, text.encode())

    def alternative(self, nodes: list[Node], repeated: bool) -> None:
        first, last = nodes[0], nodes[-1]
        inner = [node for node in nodes if isinstance(node, Group)]
        outer = [node for node in nodes if not isinstance(node, Group)]
        if isinstance(first, Flag):
            if self.template.parameters[first.name].default:
                self.flags |= BIND  # its word goes on the wire when it is not given
            self.emit(first.name, FLAG, first.token)
        elif len(outer) == 1 and isinstance(first, Members) and not repeated:
            (name,) = first.names
            if self.template.parameters[name].star:
                self.emit(name, VARIADIC)
            else:
                self.slow(name)
        elif len(outer) == 1 and isinstance(first, Single) and is_plain(first):
            self.emit(first.name, OPTIONAL)
        elif (
            len(nodes) == 2
            and isinstance(first, Literal)
            and isinstance(last, Single)
            and is_plain(last)
        ):
            self.emit(last.name, TOKEN, first.data)
        else:
            for name in direct_names(nodes):
                self.slow(name)
        for group in inner:
            for hidden in group.alternatives:
                for name in direct_names(hidden):
                    self.slow(name)

    def slow(self, name: str) -> None:
        """False is a value that bind() must see, unless the parameter is a flag."""
        self.kinds[name] = SLOW, self.flag_tokens.get(name)
        if self.template.parameters[name].star:
            self.flags |= BIND  # only VARIADIC takes any number

    def used(self) -> set[int]:
        return {kind for kind, _ in self.kinds.values()}

    def settle(self) -> None:
        """Make slow what signature order would put in the wrong place, or past a conflict."""
        reached = -1
        fast: set[str] = set()
        for name in self.template.parameters:
            kind, _ = self.kinds.get(name, (SLOW, None))
            # The core fills positions without a look at a `*` in the signature.
            if self.template.parameters[name].keyword_only and VARIADIC not in self.used():
                self.slow(name)
                continue
            if kind == SLOW:
                continue
            place = self.order.index(name)
            excluded = any(
                {name, other} in map(set, self.template.exclusions) for other in fast
            )
            if place > reached and not excluded:
                reached = place
                fast.add(name)
            elif kind in (OPTIONAL, TOKEN, FLAG):
                self.slow(name)
            else:
                self.flags |= BIND


def is_plain(node: Single) -> bool:
    """Whether the parameter's plain values go on the wire as they are."""
    return not node.kind.isupper() and node.kind not in ALWAYS_CONVERTED


def shortcut(template: Template) -> tuple[tuple[Param, ...], int]:
    """(params, flags) of a command."""
    found = _Shortcut(template)
    if found.flags:
        return (), found.flags
    shapes = {
        names.split()[-1]: SHAPES.index(reply.shape)
        for names, reply in (template.command.when or {}).items()
    }
    default = SHAPES.index(template.command.reply.shape)
    params: list[Param] = []
    for name in template.parameters:
        kind, token = found.kinds[name]
        shape = shapes.get(name, default)
        params.append((name, kind, token, -1 if shape == default else shape))
    return tuple(params), 0
