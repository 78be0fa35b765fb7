"""compile(): which calls the core can put together by itself, without a Python frame.

The core emits the parameters in the order of the signature. A parameter for which that would not
give what bind() gives is SLOW: a call that has it goes through bind(). A command that has such a
parameter in every call is BIND.
"""

from __future__ import annotations

from . import BIND, BLOCKING
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
        """What stands in brackets; what stands in inner ones needs a look at the outer."""
        outer = [node for node in nodes if not isinstance(node, Group)]
        match outer:
            case [Flag() as flag]:
                if self.template.parameters[flag.name].default:
                    self.flags |= BIND  # its word goes on the wire when it is not given
                self.emit(flag.name, FLAG, flag.token)
            case [Members(names=[name])] if self.template.parameters[name].star and not repeated:
                self.emit(name, VARIADIC)
            case [Single() as single] if is_plain(single):
                self.emit(single.name, OPTIONAL)
            case [Literal() as word, Single() as single] if is_plain(single):
                self.emit(single.name, TOKEN, word.data)
            case _:
                for name in direct_names(nodes):
                    self.slow(name)
        for node in nodes:
            if isinstance(node, Group):
                for inner in node.alternatives:
                    for name in direct_names(inner):
                        self.slow(name)

    def slow(self, name: str) -> None:
        """False is a value that bind() must see, unless the parameter is a flag."""
        self.kinds[name] = SLOW, self.flag_tokens.get(name)
        if self.template.parameters[name].star:
            self.flags |= BIND  # only VARIADIC takes any number

    def settle(self) -> None:
        """Make slow what signature order would put in the wrong place, or past a conflict."""
        apart = [set(pair) for pair in self.template.exclusions]
        ends_positions = any(kind == VARIADIC for kind, _ in self.kinds.values())
        reached = -1
        fast: set[str] = set()
        for name, parameter in self.template.parameters.items():
            kind, _ = self.kinds.get(name, (SLOW, None))
            if kind == SLOW:
                continue
            place = self.order.index(name)
            excluded = any({name, other} in apart for other in fast)
            # The core fills positions without a look at a lone `*` in the signature.
            hidden = parameter.keyword_only and not ends_positions
            if place > reached and not excluded and not hidden:
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
    shapes = template.shapes()
    params = [(name, *found.kinds[name], shapes.get(name, -1)) for name in template.parameters]
    return tuple(params), 0
