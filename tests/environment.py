"""Sets up what `make demo` and `make test` need, inside the tree's ignored directories.

    python3 tests/environment.py demo    .venv with kvwire, a server, and the peers of the bench
    python3 tests/environment.py bench   the same, and what draws the chart
    python3 tests/environment.py test    system packages, and one environment per interpreter

The wheel is built once, by the oldest interpreter found, and installed everywhere: the published
wheel does the same. Nothing but the standard library, and any Python 3.8 or later runs it.
"""

from __future__ import annotations

import glob
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
MAIN_VENV = ROOT / ".venv"

# The interpreters that the tests cover; the first one found is the main one, with the whole suite.
VERSIONS = ("3.12", "3.13", "3.11")
FLOOR = (3, 11)

# Programs that the tests start, and the Debian packages that have them.
PROGRAMS = {
    "gcc": "gcc libc6-dev",
    "redis-server": "redis-server",
    "memcached": "memcached",
    "valgrind": "valgrind libc6-dbg",
}

PROBE = """
import json, os, sys, sysconfig
try:
    import ensurepip, venv
    able = True
except ImportError:
    able = False
print(json.dumps({
    "path": sys.executable,
    "version": sys.version_info[:2],
    "fits": sys.implementation.name == "cpython"
    and not sysconfig.get_config_var("Py_GIL_DISABLED"),
    "venv": able,
    "headers": os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")),
}))
"""


def say(text: str) -> None:
    print(f"-- {text}", flush=True)


def stop(text: str) -> NoReturn:
    sys.exit(f"\n{text}\n")


# ---- interpreters -------------------------------------------------------------------------------


class Interpreter:
    """A CPython that can run kvwire, and what it lacks to build it."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.path: str = found["path"]
        self.version: tuple[int, ...] = tuple(found["version"])
        self.venv: bool = found["venv"]
        self.headers: bool = found["headers"]

    @property
    def name(self) -> str:
        return "{}.{}".format(*self.version)


def probe(path: str) -> Interpreter | None:
    """What is at `path`, when it is a CPython of the versions that kvwire supports."""
    try:
        done = subprocess.run([path, "-c", PROBE], capture_output=True, text=True, timeout=60)
        found = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    interpreter = Interpreter(found)
    return interpreter if found["fits"] and interpreter.version >= FLOOR else None


def interpreters() -> list[Interpreter]:
    """One of each version, the best equipped, sorted by version."""
    paths = ["python3", *(f"python{version}" for version in VERSIONS)]
    paths += [f"/usr/bin/python{version}" for version in VERSIONS]
    paths += sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/*/bin/python")))
    best: dict[tuple[int, ...], Interpreter] = {}
    for path in paths:
        found = probe(path)
        if found is None:
            continue
        known = best.get(found.version)
        if known is None or (found.venv, found.headers) > (known.venv, known.headers):
            best[found.version] = found
    wanted = [found for version, found in sorted(best.items()) if found.name in VERSIONS]
    return wanted or [found for _, found in sorted(best.items())]


def main_of(found: list[Interpreter]) -> Interpreter:
    """The interpreter of .venv."""
    by_name = {interpreter.name: interpreter for interpreter in found}
    return next((by_name[name] for name in VERSIONS if name in by_name), found[0])


# ---- system packages ----------------------------------------------------------------------------


def python_packages(found: list[Interpreter]) -> list[str]:
    """Debian packages that the system's own Python lacks."""
    if not any(interpreter.venv and interpreter.headers for interpreter in found):
        return ["python3-venv", "python3-dev"]
    return []


def missing_packages(programs: dict[str, str], found: list[Interpreter]) -> list[str]:
    packages = [names for program, names in programs.items() if shutil.which(program) is None]
    return " ".join(packages + python_packages(found)).split()


def install_packages(packages: list[str]) -> bool:
    """apt-get install, where this user may."""
    if shutil.which("apt-get") is None:
        return False
    command = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
    if os.geteuid() != 0:
        may = shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True)
        if not may or may.returncode != 0:
            return False
        command = ["sudo", "-n", "--preserve-env=DEBIAN_FRONTEND,RUNLEVEL", *command]
    # RUNLEVEL=1 keeps the packages from starting servers of their own.
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive", RUNLEVEL="1")
    say(f"apt-get install {' '.join(packages)}")
    for arguments in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        done = subprocess.run(
            command + arguments, env=environment, stdout=subprocess.DEVNULL, check=False
        )
    return done.returncode == 0


def require(programs: dict[str, str]) -> list[Interpreter]:
    """The interpreters, once all that is needed is there; ends the program where it is not."""
    found = interpreters()
    if not found:
        stop("kvwire needs CPython {}.{} or later.".format(*FLOOR))
    packages = missing_packages(programs, found)
    if packages and install_packages(packages):
        found = interpreters()
        packages = missing_packages(programs, found)
    if packages:
        stop(f"Some system packages are missing. On Debian or Ubuntu, as root:\n\n"
             f"    apt-get install {' '.join(packages)}")
    return [interpreter for interpreter in found if interpreter.venv]


# ---- environments -------------------------------------------------------------------------------


def run(*command: object) -> None:
    done = subprocess.run([str(part) for part in command], cwd=ROOT, check=False)
    if done.returncode != 0:
        stop(f"failed: {' '.join(str(part) for part in command)}")


def pip(venv: Path, *arguments: object) -> list[object]:
    quiet = ("--quiet", "--quiet", "--disable-pip-version-check", "--no-input")
    return [venv / "bin/python", "-m", "pip", *arguments, *quiet]


def has_pip(venv: Path) -> bool:
    """False when making the environment was interrupted."""
    command = [str(venv / "bin/python"), "-m", "pip", "--version"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def make_venv(interpreter: Interpreter, venv: Path) -> Path:
    """A virtual environment of this interpreter; one that is there and fits stays."""
    there = probe(str(venv / "bin/python"))
    if there is None or there.version != interpreter.version or not has_pip(venv):
        say(f"virtual environment {venv.relative_to(ROOT)} with CPython {interpreter.name}")
        run(interpreter.path, "-m", "venv", "--clear", venv)
    return venv


def venv_of(interpreter: Interpreter, main: Interpreter) -> Path:
    """Where this interpreter's environment is, made when it is not there."""
    place = MAIN_VENV if interpreter is main else BUILD / "venvs" / interpreter.name
    return make_venv(interpreter, place)


def build_wheel(found: list[Interpreter]) -> Path:
    """The wheel, by the oldest interpreter whose headers are there."""
    oldest = next(interpreter for interpreter in found if interpreter.headers)
    venv = venv_of(oldest, main_of(found))
    for stale in [*BUILD.glob("lib*"), *BUILD.glob("bdist*"), *BUILD.glob("wheels")]:
        shutil.rmtree(stale)
    say(f"wheel, built with CPython {oldest.name}")
    run(*pip(venv, "wheel", "--no-deps", "--wheel-dir", BUILD / "wheels", "."))
    return next((BUILD / "wheels").glob("kvwire-*.whl"))


def install(venv: Path, wheel: Path, extras: str) -> None:
    say(f"kvwire[{extras}] into {venv.relative_to(ROOT)}")
    run(*pip(venv, "install", f"{wheel}[{extras}]"))
    run(*pip(venv, "install", "--no-deps", "--force-reinstall", wheel))


def install_peers(venv: Path) -> None:
    """The clients that the bench compares with: those that have a wheel for this interpreter."""
    code = "import importlib.metadata as m; print('\\n'.join(m.requires('kvwire')))"
    listed = subprocess.run(
        [venv / "bin/python", "-c", code], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for line in listed:
        requirement, _, marker = line.partition(";")
        if 'extra == "bench"' not in marker:
            continue
        version_marker = marker.replace('extra == "bench"', "").replace(" and ", "").strip()
        if version_marker:
            requirement += f"; {version_marker}"
        command = pip(venv, "install", "--only-binary", ":all:", requirement)
        subprocess.run([str(part) for part in command], capture_output=True, check=False)
        name = re.split(r"[^\w-]", requirement)[0]
        code = f"import importlib.metadata as m; m.version({name!r})"
        look = [str(venv / "bin/python"), "-c", code]
        there = subprocess.run(look, capture_output=True, check=False).returncode == 0
        say(f"{name}{'' if there else ': left out, there is no wheel for this Python'}")


def prepare_demo(extras: str = "demo") -> None:
    found = require({"gcc": PROGRAMS["gcc"]})
    venv = venv_of(main_of(found), main_of(found))
    install(venv, build_wheel(found), extras)
    install_peers(venv)


def prepare_bench() -> None:
    prepare_demo("demo,chart")


def prepare_test() -> None:
    found = require(PROGRAMS)
    main = main_of(found)
    wheel = build_wheel(found)
    install(venv_of(main, main), wheel, "test,dev")
    others = {}
    for interpreter in found:
        if interpreter is not main:
            venv = venv_of(interpreter, main)
            install(venv, wheel, "test")
            others[interpreter.name] = str(venv / "bin/python")
    (BUILD / "interpreters.json").write_text(json.dumps(others))


if __name__ == "__main__":
    try:
        {"demo": prepare_demo, "bench": prepare_bench, "test": prepare_test}[sys.argv[1]]()
    except KeyboardInterrupt:
        sys.exit("interrupted; the next run goes on from here")
