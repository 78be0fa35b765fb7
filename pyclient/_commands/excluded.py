"""Commands of the table's groups that are no methods, and why. Only tests and documents read this.

execute() sends them all the same, where the connection that it shares with others allows it.
"""

from __future__ import annotations

_LOGIN = "logs the shared connection in as somebody else; give the client username and password"
_MODE = "changes what the shared connection answers to other calls"
_REPLICATION = "turns the connection into a replica's; a client cannot use it"
_HELP = "text for a person at a terminal"

EXCLUDED = {
    "auth": _LOGIN,
    "client|caching": "belongs to key tracking, which a shared connection does not do",
    "client|capa": _MODE,
    "client|help": _HELP,
    "client|import-source": _MODE,
    "client|reply": "switches replies off, after which none can be matched to its call",
    "client|tracking": "invalidations would come to a connection that nobody listens on",
    "command|help": _HELP,
    "commandlog|help": _HELP,
    "config|help": _HELP,
    "debug": "for the server's own tests; most servers refuse it",
    "decr": "decr() sends DECRBY, which does the same",
    "hello": "changes the protocol of the shared connection; give the client a protocol",
    "incr": "incr() sends INCRBY, which does the same",
    "latency|help": _HELP,
    "memory|help": _HELP,
    "module|help": _HELP,
    "monitor": "streams every command of the server, to which replies cannot be matched",
    "object|help": _HELP,
    "psync": _REPLICATION,
    "quit": "closes the shared connection under other calls; use close() or aclose()",
    "replconf": _REPLICATION,
    "reset": "logs the shared connection out and forgets its database and protocol",
    "restore-asking": "for the servers of a cluster among themselves",
    "select": "changes the database under other calls; make a client with another db",
    "shutdown": "success is the loss of the connection, which a method could not tell from a "
    "failure; execute('SHUTDOWN') and expect a ConnectionError",
    "slowlog|help": _HELP,
    "sync": _REPLICATION,
}
