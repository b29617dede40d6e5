"""The import hook: modules under the program's roots are loaded from instrumented source, all others as ever."""

from __future__ import annotations

import importlib.abc
import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

from arraytyping.checker.audit.instrumenting import compile_instrumented
from arraytyping.checker.audit.recorder import Recorder

__all__ = ["InstrumentingFinder"]

_INSTALLED: Final = frozenset({"site-packages", "dist-packages"})


class InstrumentingFinder(importlib.abc.MetaPathFinder):
    """Finds what the other finders find, and lets the program's own modules be loaded instrumented.

    `sources` gives files another text than they have.
    """

    def __init__(self, recorder: Recorder, seen: str, roots: Sequence[Path], sources: Mapping[Path, str]) -> None:
        self.roots: list[Path] = [root.resolve() for root in roots]
        self.loaded: list[str] = []
        self._recorder = recorder
        self._seen = seen
        self._sources = {path.resolve(): text for path, text in sources.items()}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The specification that the next finder gives, with our loader if the module is the program's."""
        for finder in list(sys.meta_path):
            find_spec = None if finder is self else getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = find_spec(fullname, path, target) if find_spec is not None else None
            if spec is not None:
                # Loaders of others, such as pytest's, do something to the source and are left as they are.
                if type(spec.loader) is SourceFileLoader and self.is_own(Path(spec.loader.path)):
                    self.loaded.append(fullname)
                    spec.loader = self.loader(fullname, spec.loader.path)
                return spec
        return None

    def is_own(self, path: Path) -> bool:
        """Whether a file is the program's and not installed."""
        path = path.resolve()
        return any(path.is_relative_to(root) for root in self.roots) and _INSTALLED.isdisjoint(path.parts)

    def loader(self, fullname: str, path: str) -> InstrumentingLoader:
        """The loader of a module of the program."""
        return InstrumentingLoader(fullname, path, self)

    def compile(self, data: bytes, path: str) -> CodeType:
        """The instrumented code of a file."""
        resolved = Path(path).resolve()
        recorder = self._recorder
        source = self._sources.get(resolved, data)
        return compile_instrumented(source, path, self._seen, recorder.numbering(resolved), bound=recorder.sees_bound)


class InstrumentingLoader(SourceFileLoader):
    """Loads a module from instrumented source; stored bytecode is neither read nor written."""

    def __init__(self, fullname: str, path: str, finder: InstrumentingFinder) -> None:
        super().__init__(fullname, path)
        self._finder = finder

    def get_code(self, fullname: str) -> CodeType:
        """The instrumented code."""
        path = self.get_filename(fullname)
        return self._finder.compile(self.get_data(path), path)
