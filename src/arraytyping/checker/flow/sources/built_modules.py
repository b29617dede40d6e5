"""Modules that are not there before a project is built: extensions, and what is generated from descriptions.

Source: https://setuptools.pypa.io/en/latest/userguide/ext_modules.html and
https://protobuf.dev/reference/python/python-generated.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

__all__ = ["is_built"]

_OF_EXTENSIONS: Final = frozenset({".c", ".cc", ".cpp", ".cu", ".cxx", ".f", ".f90", ".pyd", ".pyx", ".rs", ".so"})
_GENERATED: Final = re.compile(r"(.+)_pb2(?:_grpc)?")
_VERSIONS: Final = frozenset({"_version", "__version__", "version"})
"""What setuptools_scm, versioneer and hatch-vcs write."""


def is_built(package: Path, name: str) -> bool:
    """Whether a build makes a module of this name in the package whose `__init__.py` this is."""
    if package.name != "__init__.py":
        return False
    if name in _VERSIONS:
        return True
    described = _GENERATED.fullmatch(name)
    if described is not None and (package.parent / f"{described[1]}.proto").is_file():
        return True
    return any(
        file.name.partition(".")[0] == name and not _OF_EXTENSIONS.isdisjoint(file.suffixes)
        for file in package.parent.iterdir()
    )
