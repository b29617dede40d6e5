"""Stand-ins: short Python modules that are interpreted in the place of a library, and never executed.

They lie in `stand_ins` by the names of the modules that they stand for, and in directories that a project names.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Final

from arraytyping.checker.flow.sources.installed_sources import LibrarySource, module_at

__all__ = ["OWN_STAND_INS", "find_stand_in"]

OWN_STAND_INS: Final = Path(__file__).parent.parent / "stand_ins"


@functools.cache
def find_stand_in(name: str, directories: tuple[Path, ...] = ()) -> LibrarySource | None:
    """The stand-in of a module, those of the project first; None if there is none."""
    for directory in (*directories, OWN_STAND_INS):
        if (found := module_at(directory.joinpath(*name.split(".")))) is not None:
            return found
    return None
