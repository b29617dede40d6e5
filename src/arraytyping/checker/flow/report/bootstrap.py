"""Run as a script by the interpreter of another environment: makes arraytyping importable there, and nothing else.

    python -P bootstrap.py TYPING_EXTENSIONS MODULE ARGUMENT...

calls the function `answer` of a module with the arguments.  `TYPING_EXTENSIONS` is the file of that module, which is
taken from there where the environment has none of its own.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

__all__ = ["Finder", "install"]


class Finder(importlib.abc.MetaPathFinder):
    """Finds packages and modules by their files, whatever else lies beside these."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The file of one of the names; what is in a package is then found through the package."""
        file = self.files.get(fullname)
        return None if file is None else importlib.util.spec_from_file_location(fullname, file)


def install(typing_extensions: str) -> None:
    """Make the modules importable."""
    package = Path(__file__).resolve().parents[3]
    sys.meta_path.insert(0, Finder({package.name: str(package / "__init__.py")}))
    sys.meta_path.append(Finder({"typing_extensions": typing_extensions}))


if __name__ in ("__main__", "__mp_main__"):  # also in processes that are started from there
    install(sys.argv[1])
if __name__ == "__main__":
    importlib.import_module("arraytyping.checker.garbage").collect_seldom()
    importlib.import_module(sys.argv[2]).answer(*sys.argv[3:])
