"""The C tests and a session of Python under valgrind's memcheck.

    python bench/memcheck.py             everything
    python bench/memcheck.py ut_resp     the C tests of these names; `session` is the Python one

In a C test every error and every leak counts. In Python those count that happen in kvwire's module
or in what it calls: the interpreter keeps to the end what it never frees, which is none of ours.
Python code is not "what it calls", though our module steps tasks and so is below most of it.
Python's own allocator is off, so that memcheck sees each object as a block.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from xml.etree import ElementTree

from kvwire.bench.server import open_server

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / "build" / "cmake" / "plain"
SUPPRESSIONS = HERE / "valgrind.supp"
MODULE = "/kvwire/_core."
FRAMES_SHOWN = 12


def valgrind(command: Sequence[str], reports: Path) -> tuple[int, str]:
    """Run under memcheck; the exit status and what the program printed.

    The reports are one file per process, since a test may fork.
    """
    done = subprocess.run(
        [
            *("valgrind", "-q", "--xml=yes", f"--xml-file={reports}/%p.xml", "--num-callers=40"),
            *("--leak-check=full", "--show-leak-kinds=definite,indirect"),
            *("--errors-for-leak-kinds=definite,indirect", f"--suppressions={SUPPRESSIONS}"),
            *command,
        ],
        env=dict(os.environ, PYTHONMALLOC="malloc", PYTHONHASHSEED="0"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def read_report(path: Path) -> list[ElementTree.Element]:
    """The errors of one process; as far as it came, when it was a child that was killed."""
    errors = []
    with contextlib.suppress(ElementTree.ParseError):
        for _, element in ElementTree.iterparse(path):
            if element.tag == "error":
                errors.append(element)
    return errors


def errors_of(reports: Path, *, ours_only: bool) -> Iterator[str]:
    """The errors in memcheck's XML as text; only those of our module, if so asked."""
    for error in chain.from_iterable(map(read_report, sorted(reports.iterdir()))):
        frames = error.findall("stack/frame")
        if ours_only and not is_ours(frames):
            continue
        what = error.findtext("what") or error.findtext("xwhat/text", "")
        lines = [f"{error.findtext('kind')}: {what}"]
        for frame in frames[:FRAMES_SHOWN]:
            place = os.path.basename(frame.findtext("file") or frame.findtext("obj") or "?")
            number = frame.findtext("line")
            at = f"{place}:{number}" if number else place
            lines.append(f"    {frame.findtext('fn', '?')} ({at})")
        yield "\n".join(lines)


def is_ours(frames: Sequence[ElementTree.Element]) -> bool:
    """Whether the innermost frames, up to the first of running Python code, include our module."""
    for frame in frames:
        if MODULE in frame.findtext("obj", ""):
            return True
        if frame.findtext("fn") == "_PyEval_EvalFrameDefault":
            return False
    return False


def check(name: str, command: Sequence[str], directory: Path, *, ours_only: bool) -> list[str]:
    """What is wrong with one program."""
    reports = directory / name
    reports.mkdir()
    status, output = valgrind(command, reports)
    found = [f"{name}: {text}" for text in errors_of(reports, ours_only=ours_only)]
    if status:
        found.append(f"{name} ended with status {status}:\n{output[-3000:]}")
    print(f"{name:24} {'FAILED' if found else 'clean'}", flush=True)
    return found


def c_tests(names: Sequence[str]) -> list[Path]:
    """The C test programs, built; those of the names, or all."""
    for command in (
        ["cmake", "-S", str(ROOT), "-B", str(BUILD), "-DKVW_WERROR=ON"],
        ["cmake", "--build", str(BUILD), "--parallel", "2"],
    ):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    programs = sorted(
        path for path in [*BUILD.glob("ut_*"), *BUILD.glob("ct_*")] if os.access(path, os.X_OK)
    )
    return [path for path in programs if not names or path.name in names]


def fit_interpreter(python: str) -> None:
    """Refuse an interpreter that memcheck gives false positives for."""
    code = "import sys; print(sys.version_info[:2] == (3, 11) and '/.pyenv/' in sys.base_prefix)"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    if done.stdout.strip() == "True":
        sys.exit(
            f"{python} is pyenv's 3.11, for which memcheck reports errors that are none: "
            "use the system's own 3.11, or another version"
        )


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--python", default=sys.executable, help="an interpreter with kvwire")
    parser.add_argument("names", nargs="*", help="of C tests, or `session`; default: all")
    options = parser.parse_args(argv)
    names: list[str] = options.names
    found: list[str] = []
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(2) as pool:
        if names != ["session"]:
            programs = c_tests(names)
            for said in pool.map(
                lambda path: check(path.name, [str(path)], Path(directory), ours_only=False),
                programs,
            ):
                found += said
        if not names or "session" in names:
            fit_interpreter(options.python)
            with open_server() as server:
                command = [options.python, "-P", str(HERE / "session.py"), server.url]
                found += check("session", command, Path(directory), ours_only=True)
    print("\n\n".join(found) or "no errors, no leaks")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
