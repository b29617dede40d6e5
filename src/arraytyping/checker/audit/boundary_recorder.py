"""The recorder of `arraytyping record`: gets what comes at the sites of a program, and keeps what it is made of."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

from typing_extensions import override

from arraytyping.checker.audit.describing import Describer
from arraytyping.checker.audit.recorder import Recorder
from arraytyping.checker.boundary.observing import Observed
from arraytyping.checker.boundary.sites import Site, sites_of
from arraytyping.checker.boundary.structures import Opaque
from arraytyping.checker.claims import Position

__all__ = ["BoundaryRecorder"]

_V = TypeVar("_V")
_FRESH, _NAMED = -1, -2
_TRIAL: Final = """
def function(seen, fresh, named):
    seen(list(), fresh)
    x = list()
    seen(x, named)
seen(list(), fresh)
y = list()
seen(y, named)
function(seen, fresh, named)
"""
"""How values come to `seen` that nobody else holds."""


class BoundaryRecorder(Recorder):
    """Keeps the structures of what comes; files are named from a directory."""

    sees_bound = True

    def __init__(self, directory: Path) -> None:
        super().__init__()
        self.observed: Observed = Observed()
        self._directory = directory.resolve()
        self._describer = Describer()
        self._sites: list[tuple[Site, bool]] = [(Site("", "", ""), False)]
        self._counts: dict[int, int] = {}
        exec(compile(_TRIAL, "<trial>", "exec"), {"seen": self.seen, "fresh": _FRESH, "named": _NAMED})

    @override
    def numbering(self, path: Path) -> Callable[[Position], int]:
        """Numbers for the positions of a file, which are 0 where nothing is to be kept."""
        note = super().numbering(path)
        tree = ast.Module([], [])
        with suppress(OSError, SyntaxError, ValueError):
            tree = ast.parse(path.read_bytes())
        sites = sites_of(tree)
        name = Path(os.path.relpath(path, self._directory)).as_posix()

        def number(position: Position) -> int:
            note(position)
            if position not in sites:
                return 0
            function, text = sites[position]
            self._sites.append((Site(name, function, text), text.startswith(("for ", "parameter "))))
            return len(self._sites) - 1

        return number

    @override
    def seen(self, value: _V, number: int) -> _V:
        """Keep what a value is made of, and return it."""
        if number > 0:
            site, is_bound = self._sites[number]
            is_new = is_bound and type(value) is tuple and "," in site.text.partition(" in ")[0]
            is_shared = sys.getrefcount(value) > self._counts[_NAMED if is_bound and not is_new else _FRESH]
            try:
                structure = self._describer.structure(value, is_shared, int(is_new))
            except Exception:  # the program must go on as it would without us
                structure = Opaque("?")
            self.observed.see(site, structure)
        elif number < 0:
            self._counts[number] = min(sys.getrefcount(value), self._counts.get(number, 99))
        return value
