"""From a URL and keywords to the core's options: the one place where they are checked.

What stands in a URL is never repeated in a message, since a password may be part of it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

TCP, UNIX = 0, 1

SCHEMES = {"redis": TCP, "valkey": TCP, "unix": UNIX}
LATER_SCHEMES = {
    "rediss": "TLS is not supported yet",
    "valkeys": "TLS is not supported yet",
    "memcached": "memcached is not supported yet",
    "memcacheds": "memcached is not supported yet",
}

DEFAULTS: dict[str, Any] = {
    "host": "127.0.0.1",
    "port": 6379,
    "path": None,
    "username": None,
    "password": None,
    "db": 0,
    "client_name": None,
    "protocol": None,
    "connect_timeout": 2.0,
    "timeout": 5.0,
    "decode": False,
    "max_connections": 16,
}

# redis-py's names for the same things.
ALIASES = {
    "unix_socket_path": "path",
    "socket_timeout": "timeout",
    "socket_connect_timeout": "connect_timeout",
    "decode_responses": "decode",
}

# A URL says where the server is in its own way.
NOT_IN_QUERY = ("host", "port", "path")

# Longer waits would not fit the core's clock; None waits for ever.
MAX_TIMEOUT = 1e9


def core_options(url: str | None, keywords: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """The keyword arguments for a client class of the core; `owner` names ours in messages."""
    given = _canonical(keywords, owner)
    options = {} if url is None else _parse_url(url, owner)
    if given.get("path", "") is None:
        del given["path"]
    if "host" in given or "port" in given:
        if "path" in given:
            raise ValueError("give either path (a Unix socket) or host and port, not both")
        options.pop("path", None)
    options = DEFAULTS | options | given
    for name, check in _CHECKS.items():
        options[name] = check(name, options[name])
    if options["username"] is not None and options["password"] is None:
        options["password"] = ""  # a user without a password still has to say who it is
    options["transport"] = TCP if options["path"] is None else UNIX
    options["protocol"] = options["protocol"] or 0
    return options


def describe(options: Mapping[str, Any]) -> str:
    """The server as a URL without the password."""
    user = options["username"] or ""
    if options["password"] is not None:
        user += ":***"
    at = f"{user}@" if user else ""
    if options["transport"] == UNIX:
        where = f"unix://{at}{options['path']}"
        return f"{where}?db={options['db']}" if options["db"] else where
    host = f"[{options['host']}]" if ":" in options["host"] else options["host"]
    return f"valkey://{at}{host}:{options['port']}/{options['db']}"


def _canonical(given: Mapping[str, Any], owner: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for name, value in given.items():
        canonical = ALIASES.get(name, name)
        if canonical not in DEFAULTS:
            raise TypeError(f"{owner}() got an unknown option {name!r}{_hint(name, DEFAULTS)}")
        if canonical in options:
            raise TypeError(f"{owner}() got {canonical!r} twice, once under its redis-py name")
        options[canonical] = value
    return options


def _hint(name: str, known: Mapping[str, Any]) -> str:
    if name.startswith("ssl"):
        return ": TLS is not supported yet"
    import difflib

    close = difflib.get_close_matches(name.lower(), [*known, *ALIASES], 1, 0.67)
    guess = f" (did you mean {close[0]!r}?)" if close else ""
    return f"{guess}; the options are {', '.join(known)}"


# ---- the URL ------------------------------------------------------------------------------------


def _parse_url(url: str, owner: str) -> dict[str, Any]:
    if not isinstance(url, str):
        raise TypeError(f"{owner}() takes a URL as str, not {type(url).__name__}")
    scheme, separator, rest = url.partition("://")
    scheme = scheme.lower()
    if not separator or not scheme.isalpha():
        raise ValueError(
            "not a URL: it begins with a scheme, as in valkey://127.0.0.1:6379/0 "
            "(for a host name alone use host=)"
        )
    if scheme in LATER_SCHEMES:
        raise ValueError(f"{scheme}://: {LATER_SCHEMES[scheme]}")
    if scheme not in SCHEMES:
        raise ValueError(f"unknown scheme {scheme!r}: the schemes are {', '.join(SCHEMES)}")
    if "#" in rest:
        raise ValueError("the URL has a '#' in it: inside a name or a password write %23")
    rest, _, query = rest.partition("?")
    authority, slash, path = rest.partition("/")
    userinfo, at, location = authority.rpartition("@")
    is_unix = SCHEMES[scheme] == UNIX
    if "@" in query or ("@" in path and not (is_unix and (at or not authority))):
        raise ValueError(
            "the URL has its '@' in an odd place: inside a user name or a password "
            "write '/' as %2F and '?' as %3F, elsewhere write '@' as %40"
        )
    options = _parse_query(query)
    options.update(_parse_userinfo(userinfo))
    if is_unix:
        if location or not path:
            raise ValueError("a unix URL has three slashes, as in unix:///run/valkey.sock")
        options["path"] = slash + _unquote(path, "path")
        return options
    options.update(_parse_location(location))
    if path:
        if "db" in options:
            raise ValueError("the URL names the database twice, in its path and as an option")
        options["db"] = _number(path, "database in the URL's path")
    return options


def _parse_userinfo(userinfo: str) -> dict[str, Any]:
    username, colon, password = userinfo.partition(":")
    options = {}
    if username:
        options["username"] = _unquote(username, "user name")
    if colon:
        options["password"] = _unquote(password, "password")
    return options


def _parse_location(location: str) -> dict[str, Any]:
    if location.startswith("["):
        host, bracket, rest = location[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise ValueError("the URL's IPv6 address is not of the form [::1]:6379")
        port = rest[1:]
    else:
        host, _, port = location.partition(":")
        if ":" in port:
            raise ValueError("an IPv6 address in a URL stands in brackets, as in [::1]:6379")
    options: dict[str, Any] = {}
    if host:
        options["host"] = _unquote(host, "host")
    if port:
        options["port"] = _number(port, "port in the URL")
    return options


def _parse_query(query: str) -> dict[str, Any]:
    known = {name: value for name, value in DEFAULTS.items() if name not in NOT_IN_QUERY}
    options: dict[str, Any] = {}
    for part in query.split("&") if query else ():
        name, equals, text = part.partition("=")
        canonical = ALIASES.get(name, name)
        if canonical not in known:
            shown = f" {name!r}" if equals and name.isidentifier() else ""
            raise ValueError(f"unknown option{shown} in the URL{_hint(name, known)}")
        if not equals:
            raise ValueError(f"the URL's option {name!r} has no value")
        if canonical in options:
            raise ValueError(f"the URL gives {canonical!r} twice")
        options[canonical] = _READERS.get(canonical, _unquote)(text, name)
    return options


def _unquote(text: str, what: str) -> str:
    head, *parts = text.split("%")
    try:
        raw = bytearray(head.encode())
        for part in parts:
            if not part[:2].isalnum():  # fromhex would let white space and signs pass
                raise ValueError
            raw += bytes.fromhex(part[:2]) + part[2:].encode()
        return raw.decode()
    except ValueError:
        raise ValueError(f"the URL's {what} is not percent-encoded UTF-8") from None


def _number(text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 10):
        raise ValueError(f"the {what} is not a number")
    return int(text)


def _read_int(text: str, name: str) -> int:
    return _number(text, f"URL's option {name!r}")


def _read_seconds(text: str, name: str) -> float | None:
    if text.lower() == "none":
        return None
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"the URL's option {name!r} is neither a number nor 'none'") from None


def _read_bool(text: str, name: str) -> bool:
    if text.lower() in ("true", "yes", "1"):
        return True
    if text.lower() in ("false", "no", "0"):
        return False
    raise ValueError(f"the URL's option {name!r} is neither 'true' nor 'false'")


_READERS: dict[str, Callable[[str, str], Any]] = {
    "db": _read_int,
    "protocol": _read_int,
    "max_connections": _read_int,
    "timeout": _read_seconds,
    "connect_timeout": _read_seconds,
    "decode": _read_bool,
}


# ---- types and ranges ---------------------------------------------------------------------------


def _check_text(name: str, value: Any) -> str | None:
    """None, or a string that C can hold; the value may be a password and is never shown."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str or None, not {type(value).__name__}")
    if "\0" in value:
        raise ValueError(f"{name} must not contain a null character")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name} must be valid Unicode") from None
    return value


def _check_credential(name: str, value: Any) -> str | None:
    # An empty one is what templates such as redis://:{password}@host leave when there is none.
    return _check_text(name, value) or None


def _check_host(name: str, value: Any) -> str:
    host = _check_text(name, value)
    if host is None:
        raise TypeError("host must be a str, not None")
    if "@" in host or "://" in host:
        raise ValueError("host takes a name or an address; a URL is given alone, without keyword")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    if not host.isascii():
        try:
            host = host.encode("idna").decode()
        except UnicodeError:
            raise ValueError(f"host {host!r} is not a valid name") from None
    odd = not host.isprintable() or any(char in host for char in " /@?#[]")
    if not host or odd or host.count(":") == 1:
        raise ValueError(f"host {host!r} is not a valid name or address")
    return host


def _check_path(name: str, value: Any) -> str | None:
    path = _check_text(name, value.__fspath__() if hasattr(value, "__fspath__") else value)
    if path == "":
        raise ValueError("path must not be empty")
    if path is not None and "://" in path:
        raise ValueError("path takes a path; a URL is given alone, without keyword")
    return path


def _check_client_name(name: str, value: Any) -> str | None:
    text = _check_text(name, value) or None
    if text is not None and not all("!" <= char <= "~" for char in text):
        raise ValueError(f"{name} must be printable ASCII without spaces, as the server wants it")
    return text


def _check_int(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}")
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}, not {value}")
    return int(value)


def _check_port(name: str, value: Any) -> int:
    return _check_int(name, value, 1, 65535)


def _check_db(name: str, value: Any) -> int:
    return _check_int(name, value, 0, 2**31 - 1)


def _check_max_connections(name: str, value: Any) -> int:
    return _check_int(name, value, 1, 10_000)


def _check_protocol(name: str, value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be 2, 3 or None, not {type(value).__name__}")
    if value not in (2, 3):
        raise ValueError(f"{name} must be 2, 3 or None (3 where the server has it), not {value}")
    return value


def _check_seconds(name: str, value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be a number of seconds or None, not {type(value).__name__}")
    if not 0 < value <= MAX_TIMEOUT:
        raise ValueError(f"{name} must be above 0 seconds, or None to wait for ever, not {value}")
    return float(value)


def _check_decode(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, not {type(value).__name__}")
    return value


_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "host": _check_host,
    "port": _check_port,
    "path": _check_path,
    "username": _check_credential,
    "password": _check_credential,
    "db": _check_db,
    "client_name": _check_client_name,
    "protocol": _check_protocol,
    "connect_timeout": _check_seconds,
    "timeout": _check_seconds,
    "decode": _check_decode,
    "max_connections": _check_max_connections,
}
