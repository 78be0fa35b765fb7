"""python -m kvwire bench|demo"""

from __future__ import annotations

import sys

USAGE = """\
usage: python -m kvwire bench [options]   compare Redis/Valkey clients (--help tells the options)
       python -m kvwire demo [URL]        see kvwire at work, there or on a server of its own
       python -m kvwire --version"""


def main(arguments: list[str]) -> int:
    """Run a subcommand and return the exit code."""
    command, *rest = arguments or ["--help"]
    if command == "bench":
        from .bench import main as bench

        return bench(rest)
    if command == "demo" and "--help" not in rest and "-h" not in rest:
        from .demo import main as demo

        return demo(rest)
    if command == "--version":
        from . import __version__

        print(f"kvwire {__version__}")
        return 0
    if command in ("demo", "-h", "--help"):
        print(USAGE)
        return 0
    print(f"kvwire: unknown command {command!r}\n{USAGE}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
