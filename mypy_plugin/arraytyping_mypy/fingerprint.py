"""What an answer hangs on besides the program: mypy re-checks a module of its cache if this changes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from arraytyping_mypy.names import LIBRARIES, is_bystander
from arraytyping_mypy.own_sources import own_sources

if TYPE_CHECKING:
    from arraytyping_mypy.settings import BuildSettings

__all__ = ["CHECKED", "DECLARATIONS", "fingerprint", "is_declaration"]


_TYPESHED: Final = f"{os.sep}typeshed{os.sep}"
DECLARATIONS: Final = {"declarations": "9"}
"""The number is raised when what is done to a library's own declarations changes."""
CHECKED: Final = frozenset({"sources", "settings"})
"""What is noted of any other module, of which flow has nothing to say."""


def is_declaration(module: str, path: str) -> bool:
    """Whether a module is one of a library's own sources, in which nothing is computed."""
    return module.partition(".")[0] in LIBRARIES or _TYPESHED in path or is_bystander(module, path)


def fingerprint(settings: BuildSettings, module: str, path: str) -> dict[str, Any]:
    """Text by text what changes an answer in this module; string keys and JSON values, as mypy's cache needs them.

    In a library's own sources nothing is computed, so a change of settings need not read them all again.
    """
    if is_declaration(module, path):
        settings.refuse_errors()
        return DECLARATIONS
    known = {"sources": own_sources(settings.cache_dir), "settings": settings.fingerprint(module, path)}
    diagnostics = settings.flow.fingerprint(path)
    # Of a module that has not changed, but a module has that it imports, mypy asks no plugin when it is parsed anew.
    return {**known, "flow": diagnostics, "run": settings.run} if diagnostics else known
