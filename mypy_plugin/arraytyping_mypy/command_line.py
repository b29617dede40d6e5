"""The files and directories that mypy was asked to check, as far as a plugin can know."""

from __future__ import annotations

import sys
from pathlib import Path

from mypy.options import Options

__all__ = ["roots_of"]


def roots_of(options: Options) -> list[Path]:
    """What the command line names, else what is configured, else the current directory."""
    given = [Path(a) for a in sys.argv[1:] if not a.startswith("-") and a != options.cache_dir]
    named = [p for p in given if p.is_dir() or (p.is_file() and p.suffix in (".py", ".pyi"))]
    if named:
        return named
    configured = [Path(f) for f in options.files or ()]
    for package in (*(options.packages or ()), *(options.modules or ())):
        relative = Path(*package.split("."))
        configured += [
            p for base in (Path(), Path("src")) for p in (base / relative, base / relative.with_suffix(".py"))
        ]
    return [p for p in configured if p.exists()] or [Path.cwd()]
