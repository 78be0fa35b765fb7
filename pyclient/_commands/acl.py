"""Commands on access control lists."""

from __future__ import annotations

from .._spec import INT, OK, TEXT, Command, Reply

TEXTS = Reply("raw", "list[str]")

COMMANDS = (
    Command(
        "acl_cat",
        "category=None",
        "ACL CAT [category]",
        TEXTS,
        "Returns the categories of commands, or the commands of one.",
        post="texts",
    ),
    Command(
        "acl_deluser",
        "*username",
        "ACL DELUSER username...",
        INT,
        "Delete users and close their connections. Returns how many there were.",
    ),
    Command(
        "acl_dryrun",
        "username, *args",
        "ACL DRYRUN username args...",
        Reply("ok", "Literal[True] | str"),
        "Returns True when a user may run a command, else why not. Since 7.0.",
        post="text",
    ),
    Command(
        "acl_genpass",
        "bits=None",
        "ACL GENPASS [bits:int]",
        TEXT,
        "Returns a random password of hexadecimal digits.",
    ),
    Command(
        "acl_getuser",
        "username",
        "ACL GETUSER username",
        Reply("map", "dict[str, Any] | None"),
        "Returns what a user may do, None when there is no such user: enabled, flags, passwords, "
        "commands, categories, keys, channels, selectors.",
        post="acl_user",
    ),
    Command(
        "acl_help",
        "",
        "ACL HELP",
        TEXTS,
        "Returns the lines of the server's help.",
        post="texts",
    ),
    Command(
        "acl_list",
        "",
        "ACL LIST",
        TEXTS,
        "Returns the rules of all users, as the configuration file has them.",
        post="texts",
    ),
    Command(
        "acl_load",
        "",
        "ACL LOAD",
        OK,
        "Read the rules from the ACL file. Returns True.",
    ),
    Command(
        "acl_log",
        "count=None",
        "ACL LOG [count:int]",
        Reply("raw", "list[dict[str, Any]]"),
        "Returns a dict for each of the last calls and logins that were refused.",
        post="acl_log",
    ),
    Command(
        "acl_log_reset",
        "",
        "ACL LOG RESET",
        OK,
        "Empty the log of refusals. Returns True.",
    ),
    Command(
        "acl_save",
        "",
        "ACL SAVE",
        OK,
        "Write the rules into the ACL file. Returns True.",
    ),
    Command(
        "acl_setuser",
        "username, enabled=False, nopass=False, passwords=None, hashed_passwords=None, "
        "categories=None, commands=None, keys=None, channels=None, selectors=None, reset=False, "
        "reset_keys=False, reset_channels=False, reset_passwords=False",
        "ACL SETUSER username <acl_rules enabled nopass passwords hashed_passwords categories "
        "commands keys channels selectors reset reset_keys reset_channels reset_passwords>",
        OK,
        "Make a user or change one. Passwords, categories and commands begin with + to add or - to "
        "take away; keys and channels are patterns; selectors (since 7.0) are pairs of a command "
        "and a key pattern. Returns True.",
    ),
    Command(
        "acl_users",
        "",
        "ACL USERS",
        TEXTS,
        "Returns the names of all users.",
        post="texts",
    ),
    Command(
        "acl_whoami",
        "",
        "ACL WHOAMI",
        TEXT,
        "Returns the name of the user that the connection is logged in as.",
    ),
)
