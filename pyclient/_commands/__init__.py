"""The command table: every command that the clients have as a method, declared once."""

from __future__ import annotations

from . import acl, connection, hashes, keys, lists, server, sets, sorted_sets, strings

COMMANDS = (
    *strings.COMMANDS,
    *keys.COMMANDS,
    *hashes.COMMANDS,
    *lists.COMMANDS,
    *sets.COMMANDS,
    *sorted_sets.COMMANDS,
    *connection.COMMANDS,
    *server.COMMANDS,
    *acl.COMMANDS,
)
