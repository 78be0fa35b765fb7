"""The language that commands are declared in: one declaration per command.

    Command(
        "getex",                                                # the method
        "name, ex=None, px=None, persist=False",                # Python's signature
        "GETEX name [EX ex:seconds | PX px:milliseconds | PERSIST]",    # the wire form
        VALUE_OR_NONE,                                          # what the reply becomes
        "Read a value and change when it expires. Since 6.2.",
    )

The wire form is written as the server's own documentation writes it:

    GETEX           upper case: goes on the wire as it stands (`""`: an empty string)
    name            a parameter of the signature: a str, bytes, buffer, int or float
    ex:seconds      a parameter of another kind, see KINDS in convert.py
    where:A|B       a parameter that takes one of these words
    keys...         each member of a list, or of `*keys`; a single value counts as a list of one
    #keys           how many members `keys...` has
    count#keys      a parameter that says so too, and is checked
    {mapping}       the key and the value of each item of a mapping
    <form a b | c>  what the function `form` of forms.py makes of the parameters; when only those
                    before the bar are given, they go on the wire as they are
    [...]           left out when its parameters are; `|` parts alternatives that exclude each other
    [...]*          a single parameter with many members: the whole once for each
    (A | B)         exactly one of them

A word that stands alone in brackets is a flag: `[NX]` belongs to the parameter `nx`, `[REV?desc]`
to `desc`. Of several parameters in one bracket either all are given or none. What an inner bracket
holds needs what stands beside it.

Only `name` and `doc` are read when kvwire is imported. The rest is taken apart when the command is
first called: compile() says how the core puts plain calls together by itself, bind() does the
others and is the complete meaning.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from .template import Template

    # (name, kind, token, shape)
    Param = tuple[str, int, bytes | None, int]
    Compiled = tuple[tuple[bytes, ...], tuple[Param, ...], int, Callable[[Any], Any] | None, int]
    # (arguments behind the words, shape, seconds that the server may block, decode)
    Bound = tuple[list[Any], int, float, bool | None]

# The shapes of include/kvwire/shape.h, in its order.
SHAPES = (
    "raw",
    "ok",
    "bool",
    "double",
    "text",
    "set",
    "map",
    "bools",
    "doubles",
    "pairs",
    "scored",
    "scan",
    "scan_map",
    "scan_scored",
    "keyed",
    "keyed_scored",
    "tuple2",
    "scored3",
    "rank_score",
)

# Flags of a compiled command.
BLOCKING = 1  # the server may hold the reply back, so the call takes a connection of its own
BIND = 2  # no call is plain: all go through bind()


class Reply:
    """What a reply becomes: the shape that the core gives it, and the type for the stubs.

    `bytes` in the type stands for what `decode` chooses.
    """

    __slots__ = ("shape", "type")

    def __init__(self, shape: str, type: str) -> None:
        self.shape = shape
        self.type = type


OK = Reply("ok", "bool")
OK_OR_NONE = Reply("ok", "bool | None")
BOOL = Reply("bool", "bool")
BOOLS = Reply("bools", "list[bool]")
INT = Reply("raw", "int")
INT_OR_NONE = Reply("raw", "int | None")
INTS = Reply("raw", "list[int]")
FLOAT = Reply("double", "float")
FLOAT_OR_NONE = Reply("double", "float | None")
FLOATS = Reply("doubles", "list[float | None]")
VALUE = Reply("raw", "bytes")
VALUE_OR_NONE = Reply("raw", "bytes | None")
VALUES = Reply("raw", "list[bytes]")
VALUES_OR_NONE = Reply("raw", "list[bytes] | None")
OPTIONALS = Reply("raw", "list[bytes | None]")
TEXT = Reply("text", "str")
TEXT_OR_NONE = Reply("text", "str | None")
MEMBERS = Reply("set", "set[bytes]")
FIELDS = Reply("map", "dict[bytes, bytes]")
SCORED = Reply("scored", "list[tuple[bytes, float]]")


class Command:
    """The declaration of one command.

    `when` names the options (several: separated by blanks) that change what the reply becomes;
    `post` a function of _replies.py that the reply passes through; `excludes` pairs of options,
    "nx gt, nx lt", that cannot both be given; a `binary` reply is never decoded by default.
    """

    __slots__ = (
        "_bound",
        "_template",
        "binary",
        "excludes",
        "name",
        "post",
        "reply",
        "signature",
        "template",
        "text",
        "when",
    )

    def __init__(
        self,
        name: str,
        signature: str,
        template: str,
        reply: Reply,
        text: str,
        *,
        when: Mapping[str, Reply] | None = None,
        post: str | None = None,
        excludes: str = "",
        binary: bool = False,
    ) -> None:
        self.name = name
        self.signature = signature
        self.template = template
        self.reply = reply
        self.text = text
        self.when = when
        self.post = post
        self.excludes = excludes
        self.binary = binary
        self._template: Template | None = None
        self._bound: Callable[..., Bound] | None = None

    def __repr__(self) -> str:
        return f"<command {self.name}({self.signature})>"

    @property
    def full_signature(self) -> str:
        """With what every command takes besides."""
        signature = self.signature
        if not signature:
            return "*, decode=None"
        has_star = signature[0] == "*" or ", *" in signature
        return f"{signature}, decode=None" if has_star else f"{signature}, *, decode=None"

    @property
    def doc(self) -> str:
        """The method's documentation behind its signature, in the form that inspect reads."""
        return f"{self.name}($self, {self.full_signature})\n--\n\n{self.text}"

    @property
    def parsed(self) -> Template:
        """The wire form and the signature, taken apart."""
        if self._template is None:
            from .template import Template

            self._template = Template(self)
        return self._template

    def compile(self) -> Compiled:
        """(words, params, shape, post, flags): how the core puts plain calls together."""
        from .shortcut import shortcut

        post = None
        if self.post is not None:
            from .. import _replies

            command = b" ".join(self.parsed.words).decode()
            post = _guarded(getattr(_replies, self.post), command)
        params, flags = shortcut(self.parsed)
        return self.parsed.words, params, SHAPES.index(self.reply.shape), post, flags

    def bind(self, *args: Any, **kwargs: Any) -> Bound:
        """What a call means: TypeError or ValueError when it means nothing."""
        if self._bound is None:
            from .binding import make_bind

            self._bound = make_bind(self.parsed)
        return self._bound(*args, **kwargs)


def _guarded(convert: Callable[[Any], Any], command: str) -> Callable[[Any], Any]:
    """The conversion, with one clear error where the server's reply is none to this command."""

    def guarded(value: Any) -> Any:
        try:
            return convert(value)
        except (
            ArithmeticError,
            AttributeError,
            LookupError,
            OSError,
            TypeError,
            ValueError,
        ) as error:
            from ..errors import ProtocolError

            raise ProtocolError(
                f"the server's reply to {command} has an unexpected form ({type(value).__name__})",
                maybe_executed=True,
            ) from error

    guarded.__wrapped__ = convert  # type: ignore[attr-defined]
    return guarded
