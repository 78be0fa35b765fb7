"""Build of the extension module; what describes the package is in pyproject.toml.

The version comes from include/kvwire/version.h and the oldest Python from ABI3_FLOOR below: both
stand in one place only.
"""

import os
import re
import shutil
import sys
import sysconfig
from glob import glob
from pathlib import Path
from tempfile import TemporaryDirectory

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, LinkError, PlatformError

# The oldest CPython supported. It drives the limited-API macro, the wheel's tag and
# requires-python.
ABI3_FLOOR = (3, 11)

# Newer headers put details of their own interpreter into the module (None without a reference
# count, say), even under an older macro; such a module crashes an older interpreter. So the wheel
# claims no Python older than the one that built it: build releases with ABI3_FLOOR's.
WHEEL_FLOOR = max(ABI3_FLOOR, sys.version_info[:2])

ROOT = Path(__file__).resolve().parent

# Worth having where compiler and linker know them: a call goes through many small functions of many
# files, and a twelfth of its time is saved when the linker may put them into one another.
LINK_TIME = ["-flto", "-fno-plt"]

HINT = """
kvwire has a C core: a C compiler and Python's headers must be there to build it.
  Debian, Ubuntu:  apt install gcc libc6-dev python3-dev
  Fedora:          dnf install gcc python3-devel
  Alpine:          apk add gcc musl-dev python3-dev
  macOS:           xcode-select --install
"""


def version():
    text = (ROOT / "include/kvwire/version.h").read_text(encoding="utf-8")
    return re.search(r'#define KVW_VERSION_STRING "([^"]+)"', text)[1]


def packages():
    """kvwire and its subpackages: every directory below pyclient/ with an __init__.py."""
    found = sorted(Path("pyclient").rglob("__init__.py"))
    return [".".join(("kvwire", *path.parts[1:-1])) for path in found]


class BuildCore(build_ext):
    """build_ext with plain words for what it cannot do."""

    def run(self):
        if os.name == "nt":
            raise PlatformError("kvwire does not support Windows yet: Linux and macOS only.")
        if sys.implementation.name != "cpython":
            raise PlatformError(
                f"kvwire does not support {sys.implementation.name} yet: CPython only."
            )
        if sysconfig.get_config_var("Py_GIL_DISABLED"):
            raise PlatformError("kvwire does not support free-threaded CPython yet.")
        super().run()

    def build_extensions(self):
        if "-fno-lto" not in os.environ.get("CFLAGS", "") and self.knows(LINK_TIME):
            for ext in self.extensions:
                ext.extra_compile_args += LINK_TIME
                ext.extra_link_args += [*LINK_TIME, "-O3"]
        super().build_extensions()

    def knows(self, flags):
        """Whether a shared object can be made with the flags."""
        with TemporaryDirectory() as place:
            source = Path(place, "knows.c")
            source.write_text("int knows(void) { return 1; }\n", encoding="utf-8")
            try:
                made = self.compiler.compile([str(source)], place, extra_postargs=flags)
                self.compiler.link_shared_object(
                    made, str(source.with_suffix(".so")), extra_postargs=flags
                )
            except (CompileError, LinkError):
                return False
        return True

    def build_extension(self, ext):
        try:
            super().build_extension(ext)
        except CompileError as error:
            compiler = self.compiler.compiler_so[0]
            header = Path(sysconfig.get_path("include"), "Python.h")
            if shutil.which(compiler) is None:
                raise CompileError(f"{error}\n{compiler!r} was not found.{HINT}") from None
            if not header.exists():
                raise CompileError(f"{error}\n{header} was not found.{HINT}") from None
            raise


core = Extension(
    "kvwire._core",
    sources=sorted(glob("ext/*.c") + glob("src/*.c")),
    depends=sorted(glob("ext/*.h") + glob("src/*.h") + glob("include/kvwire/*.h")),
    include_dirs=["include"],
    define_macros=[
        ("Py_LIMITED_API", "0x{:02X}{:02X}0000".format(*ABI3_FLOOR)),
        ("KVW_EMBEDDED", None),
    ],
    extra_compile_args=["-std=c11", "-O3", "-fvisibility=hidden", "-pthread"],
    extra_link_args=["-pthread"],
    py_limited_api=True,
)

setup(
    version=version(),
    python_requires=">={}.{}".format(*ABI3_FLOOR),
    packages=packages(),
    package_dir={"kvwire": "pyclient"},
    include_package_data=False,  # MANIFEST.in is for the source distribution
    package_data={"kvwire": ["py.typed", "*.pyi"]},
    ext_modules=[core],
    cmdclass={"build_ext": BuildCore},
    options={"bdist_wheel": {"py_limited_api": "cp{}{}".format(*WHEEL_FLOOR)}},
)
