"""Functions that a few commands' replies pass through: text that has a structure, and nested
replies that RESP2 sends flat.

Each takes the value that the core built, whether RESP2 or RESP3 and with or without decode=True,
and gives the same.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any


def text(value: Any) -> Any:
    """Bytes as str, whatever they are; anything else as it is."""
    return str(value, "utf-8", "surrogateescape") if isinstance(value, bytes) else value


def texts(value: Any) -> Any:
    """Every string in nested lists as str."""
    return [texts(item) for item in value] if isinstance(value, list) else text(value)


def as_dict(value: Any) -> dict[str, Any]:
    """A map, or a list of names and values in turn, as a dict with str for names."""
    if isinstance(value, dict):
        return {text(key): item for key, item in value.items()}
    return {text(key): item for key, item in zip(value[::2], value[1::2], strict=True)}


def text_keys(value: Any) -> Any:
    """A dict with str for names; other values as they are."""
    return as_dict(value) if isinstance(value, dict) else value


def text_map(value: Any) -> dict[str, str]:
    return {text(key): text(item) for key, item in value.items()}


def as_tuple(value: Any) -> tuple[Any, ...] | None:
    return None if value is None else tuple(value)


def is_true(value: Any) -> bool:
    """Whether the reply was OK."""
    return value is True


def is_pong(value: Any) -> bool:
    return bool(value == "PONG")


def done(value: Any) -> bool:
    """Any reply that is no error."""
    return True


def clock(value: Any) -> tuple[int, int]:
    return int(value[0]), int(value[1])


def moment(value: int) -> datetime:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(value, UTC)


# ---- text with a structure -----------------------------------------------------------------------


def _number(word: str) -> int | float | str:
    """The word as a number if it looks like one; 00000000 is a name, not 0."""
    digits = word.removeprefix("-")
    if digits[:1] == "0" and digits[1:2].isdecimal():
        return word
    if digits.isascii() and digits.isdecimal():
        return int(word)
    whole, _, fraction = digits.partition(".")
    if whole.isdecimal() and fraction.isdecimal() and word.isascii():
        return float(word)
    return word


def _fields(value: str) -> list[str]:
    """What stands between the commas, those in [brackets] apart."""
    found: list[str] = []
    for part in value.split(","):
        if found and found[-1].count("[") > found[-1].count("]"):
            found[-1] += f",{part}"
        else:
            found.append(part)
    return found


def _is_name(text: str) -> bool:
    return text.replace("_", "").replace(".", "").replace("-", "").isalnum()


def _info_value(value: str) -> Any:
    """A number, a word, or fields of the form name=value as a dict."""
    if "=" in value:
        pairs = [field.partition("=") for field in _fields(value)]
        # A path can have such signs in it, too.
        if all(_is_name(name) and equals for name, equals, _ in pairs):
            return {name: _number(word) for name, _, word in pairs}
    return _number(value)


def info(value: str) -> dict[str, Any]:
    """Sections of lines of the form name:value; the modules, which share a name, as a list."""
    found: dict[str, Any] = {}
    for line in value.splitlines():
        name, colon, rest = line.partition(":")
        if not colon or line.startswith("#"):
            continue
        if name == "module":
            found.setdefault("modules", []).append(_info_value(rest))
        else:
            found[name] = _info_value(rest)
    return found


def _client(line: str) -> dict[str, str]:
    """Fields of the form name=value; a field without a name belongs to the one before (a path with
    a blank in it)."""
    found: dict[str, str] = {}
    last = ""
    for field in line.split(" "):
        name, equals, value = field.partition("=")
        if equals:
            found[name] = value
            last = name
        elif last:
            found[last] += " " + field
    return found


def client_list(value: str) -> list[dict[str, str]]:
    return [_client(line) for line in value.splitlines()]


# What somebody else chose is text even when it looks like a number.
_CHOSEN = ("addr", "laddr", "name", "user", "lib-name", "lib-ver", "flags", "events", "cmd")


def client_info(value: str) -> dict[str, Any]:
    return {
        name: word if name in _CHOSEN else _number(word)
        for name, word in _client(value.strip()).items()
    }


# ---- logs ----------------------------------------------------------------------------------------


def slow_log(value: list[Any]) -> list[dict[str, Any]]:
    entries = []
    for entry in value:
        number, start_time, duration, command, *client = entry
        blank = " " if command and isinstance(command[0], str) else b" "
        found = {
            "id": number,
            "start_time": start_time,
            "duration": duration,
            "command": blank.join(command),
        }
        if len(client) >= 2:
            found["client_address"], found["client_name"] = text(client[0]), text(client[1])
        entries.append(found)
    return entries


def acl_log(value: list[Any]) -> list[dict[str, Any]]:
    entries = []
    for entry in value:
        found = {name: text(item) for name, item in as_dict(entry).items()}
        found["age-seconds"] = float(found["age-seconds"])
        found["client-info"] = client_info(found["client-info"])
        entries.append(found)
    return entries


# ---- maps in maps --------------------------------------------------------------------------------


def memory_stats(value: Any) -> dict[str, Any]:
    found = as_dict(value)
    for name, item in found.items():
        if isinstance(item, dict | list):
            found[name] = as_dict(item)
        elif isinstance(item, bytes | str):
            found[name] = _number(text(item))
    return found


def module_list(value: list[Any]) -> list[dict[str, Any]]:
    return [{name: texts(item) for name, item in as_dict(entry).items()} for entry in value]


def histograms(value: Any) -> dict[str, dict[str, Any]]:
    found = as_dict(value)
    for name, item in found.items():
        histogram = as_dict(item)
        usec = histogram["histogram_usec"]
        if isinstance(usec, list):
            usec = dict(zip(usec[::2], usec[1::2], strict=True))
        found[name] = {**histogram, "histogram_usec": usec}
    return found


def tracking_info(value: Any) -> dict[str, Any]:
    return {name: texts(_as_list(item)) for name, item in as_dict(value).items()}


def _as_list(value: Any) -> Any:
    """A set, which is what RESP3 makes of some lists, as a list in a fixed order."""
    return sorted(value) if isinstance(value, set) else value


def acl_user(value: Any) -> dict[str, Any] | None:
    """What a user may do. The rules on commands and on categories apart, patterns as lists."""
    if value is None:
        return None
    found = {name: texts(_as_list(item)) for name, item in as_dict(value).items()}
    rules = found["commands"].split()
    found["commands"] = [rule for rule in rules if "@" not in rule]
    found["categories"] = [rule for rule in rules if "@" in rule]
    for name in ("keys", "channels"):
        patterns = found.get(name, [])
        found[name] = patterns.split() if isinstance(patterns, str) else patterns
    found["selectors"] = [text_map(as_dict(rule)) for rule in found.get("selectors", [])]
    found["enabled"] = "on" in found["flags"]
    return found


# ---- what the server says about its commands -----------------------------------------------------


def _names(value: Any) -> set[str]:
    return {text(name) for name in value}


def _key_specification(value: Any) -> dict[str, Any]:
    found = as_dict(value)
    found["flags"] = _names(found["flags"])
    for name in ("begin_search", "find_keys"):
        step = as_dict(found[name])
        step["type"] = text(step["type"])
        step["spec"] = {key: text(item) for key, item in as_dict(step["spec"]).items()}
        found[name] = step
    return {key: text(item) for key, item in found.items()}


def command_table(value: list[Any]) -> dict[str, dict[str, Any]]:
    """{name: {...}} of COMMAND and COMMAND INFO; commands that the server lacks are left out."""
    found = {}
    for entry in value:
        if entry is None:
            continue
        name, arity, flags, first, last, step, categories, *newer = entry
        details: dict[str, Any] = {
            "name": text(name),
            "arity": arity,
            "flags": _names(flags),
            "first_key_pos": first,
            "last_key_pos": last,
            "step_count": step,
            "acl_categories": _names(categories),
        }
        if newer:
            tips, specifications, subcommands = newer[:3]
            details["tips"] = sorted(_names(tips))
            details["key_specifications"] = [_key_specification(item) for item in specifications]
            details["subcommands"] = command_table(list(subcommands))
        found[details["name"]] = details
    return found


def keys_and_flags(value: list[Any]) -> list[tuple[Any, set[str]]]:
    return [(key, _names(flags)) for key, flags in value]


def _documentation(value: Any) -> dict[str, Any]:
    """One command's, or one argument's."""
    found = as_dict(value)
    for name, item in found.items():
        if name == "arguments":
            found[name] = [_documentation(argument) for argument in item]
        elif name == "subcommands":
            found[name] = command_docs(item)
        elif name in ("flags", "doc_flags"):
            found[name] = _names(item)
        elif name == "history":
            found[name] = [tuple(texts(list(change))) for change in item]
        else:
            found[name] = text(item)
    return found


def command_docs(value: Any) -> dict[str, dict[str, Any]]:
    return {name: _documentation(item) for name, item in as_dict(value).items()}
