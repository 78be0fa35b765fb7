"""Commands on connections: the client's own and other clients'.

A client has several connections that calls share, so what is set for one of them here holds for
whatever goes over it later. What would harm other calls is not declared: see excluded.py.
"""

from __future__ import annotations

from .._spec import BOOL, INT, OK, TEXT_OR_NONE, VALUE, Command, Reply

COMMANDS = (
    Command(
        "client_getname",
        "",
        "CLIENT GETNAME",
        TEXT_OR_NONE,
        "Returns the name of the connection, None when it has none.",
    ),
    Command(
        "client_getredir",
        "",
        "CLIENT GETREDIR",
        INT,
        "Returns to which connection invalidations go: -1 when keys are not tracked.",
    ),
    Command(
        "client_id",
        "",
        "CLIENT ID",
        INT,
        "Returns the number of the connection that carries this call.",
    ),
    Command(
        "client_info",
        "",
        "CLIENT INFO",
        Reply("text", "dict[str, Any]"),
        "Returns what client_list() says about the connection that carries this call, numbers as "
        "int. Since 6.2.",
        post="client_info",
    ),
    Command(
        "client_kill",
        "address",
        "CLIENT KILL address",
        OK,
        'Close the connection that comes from "host:port". Returns True.',
    ),
    Command(
        "client_kill_filter",
        "_id=None, _type=None, addr=None, skipme=None, laddr=None, user=None, maxage=None",
        "CLIENT KILL <client_filters _id _type addr skipme laddr user maxage>",
        INT,
        "Close the connections that all the filters fit. Returns how many. maxage: since Valkey "
        "8.0.",
    ),
    Command(
        "client_list",
        "_type=None, client_id=None",
        "CLIENT LIST [TYPE _type:NORMAL|MASTER|REPLICA|PUBSUB] [ID client_id...]",
        Reply("text", "list[dict[str, str]]"),
        "Returns a dict for each connection of the server, or for those of a type or with these "
        "numbers (since 6.2).",
        post="client_list",
    ),
    Command(
        "client_no_evict",
        "mode",
        "CLIENT NO-EVICT mode:ON|OFF",
        OK,
        "Keep the connection from being closed when the server runs out of memory for clients. "
        "Returns True. Since 7.0.",
    ),
    Command(
        "client_no_touch",
        "mode",
        "CLIENT NO-TOUCH mode:ON|OFF",
        OK,
        "Keep what goes over the connection from counting as use of the keys. Returns True. Since "
        "7.2.",
    ),
    Command(
        "client_pause",
        "timeout, all=True",
        "CLIENT PAUSE timeout:int <pause_mode all>",
        OK,
        "Let the server not answer clients for some milliseconds; with all=False (since 6.2) only "
        "not those that write. Returns True.",
    ),
    Command(
        "client_setinfo",
        "attr, value",
        "CLIENT SETINFO attr value",
        OK,
        "Set the library's name or version (LIB-NAME, LIB-VER) that client_list() shows for the "
        "connection. Returns True. Since 7.2.",
    ),
    Command(
        "client_setname",
        "name",
        "CLIENT SETNAME name",
        OK,
        "Name the connection that carries this call. Returns True. The client's option client_name "
        "names all of them.",
    ),
    Command(
        "client_trackinginfo",
        "",
        "CLIENT TRACKINGINFO",
        Reply("map", "dict[str, Any]"),
        "Returns whether and how the connection tracks keys: flags, redirect, prefixes. Since 6.2.",
        post="tracking_info",
    ),
    Command(
        "client_unblock",
        "client_id, error=False",
        "CLIENT UNBLOCK client_id:int [ERROR]",
        BOOL,
        "End the blocking command of another connection as if its time were over, or with an "
        "error. Returns whether it was blocked.",
    ),
    Command(
        "client_unpause",
        "",
        "CLIENT UNPAUSE",
        OK,
        "End what client_pause() began. Returns True. Since 6.2.",
    ),
    Command(
        "echo",
        "value",
        "ECHO value",
        VALUE,
        "Returns the value.",
    ),
    Command(
        "ping",
        "",
        "PING",
        Reply("text", "bool"),
        "Returns True when the server answers.",
        post="is_pong",
    ),
)
