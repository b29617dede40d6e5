"""The modules that a session has loaded: whether what is in their files is what runs."""

from __future__ import annotations

import sys
import sysconfig
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

__all__ = ["LoadedModules"]

_LIBRARIES: Final = tuple(
    sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib") if sysconfig.get_path(name)
)


class LoadedModules:
    """Remembers when the files of the program's own modules were changed, as they were loaded."""

    def __init__(self) -> None:
        self._times: dict[str, tuple[Any, int]] = {}
        """By name the spec of what was loaded, which a reload replaces, and the time of its file."""

    def note(self) -> None:
        """Look at the modules that have been loaded since."""
        for module in self._all():
            spec = module.__spec__
            known = self._times.get(module.__name__)
            if known is None or known[0] is not spec:
                self._times[module.__name__] = (spec, _time(module))

    def own(self) -> list[types.ModuleType]:
        """The program's own modules."""
        return [*self._all()]

    def is_own(self, module: types.ModuleType) -> bool:
        """Whether a module is no library's."""
        file = getattr(module, "__file__", None)
        head = module.__name__.partition(".")[0]
        if not isinstance(file, str) or head in ("__main__", "arraytyping") or "site-packages" in file:
            return False
        return not file.startswith(_LIBRARIES)

    def is_as_its_file(self, module: types.ModuleType) -> bool:
        """Whether a module was loaded from what its file has now; libraries are not changed."""
        if module.__name__ == "__main__" or getattr(module, "__spec__", None) is None:
            return False
        if not self.is_own(module):
            return True
        return self._times.get(module.__name__) == (module.__spec__, _time(module))

    def _all(self) -> Iterator[types.ModuleType]:
        for module in [*sys.modules.values()]:
            if isinstance(module, types.ModuleType) and getattr(module, "__spec__", None) and self.is_own(module):
                yield module


def _time(module: types.ModuleType) -> int:
    try:
        return Path(str(module.__file__)).stat().st_mtime_ns
    except OSError:
        return -1
