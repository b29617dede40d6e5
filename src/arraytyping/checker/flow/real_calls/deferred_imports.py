"""Modules that libraries import for what no trace does, such as tables for a terminal: loaded when a name is asked for.

Source: https://docs.python.org/3/library/importlib.html#importlib.util.LazyLoader, which loads a module as soon as it
is imported a second time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any, Final

__all__ = ["DEFERRED", "deferring"]

DEFERRED: Final = frozenset({"rich", "yaml", "filelock", "pygments", "jaxlib.mosaic.python"})
"""Packages that jax and Flax import as a whole, and use in functions: a seventh of the time of both imports.

That of jaxlib describes the instructions of accelerators, which a kernel is compiled to.
"""


class _Deferred(ModuleType):
    """A module that is loaded when it is first asked for a name that it has not been given."""

    def __getattr__(self, name: str) -> Any:
        loader = self.__dict__.get("__loader__")
        if not isinstance(loader, _DeferringLoader) or not loader.is_begun:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        loader.load(self)
        return getattr(self, name)


class _DeferringLoader(Loader):
    """Makes a module of which nothing is executed yet."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader
        self.is_begun = False
        """Whether the import system has made the module, and given it the names that each has."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A module without anything in it."""
        return _Deferred(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Leave it to be executed later."""
        self.is_begun = True

    def load(self, module: ModuleType) -> None:
        """Execute it now, and what it imports with it."""
        module.__class__ = ModuleType
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        with _finding([]):
            self._loader.exec_module(module)


class _Finder:
    """Finds these packages and their modules, which are executed later."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The module as it is found otherwise, with the other loader; None for any that is not deferred."""
        if not any(name == one or name.startswith(f"{one}.") for one in DEFERRED):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None and hasattr(spec.loader, "exec_module"):
            spec.loader = _DeferringLoader(spec.loader)
        return spec


@contextmanager
def deferring() -> Iterator[None]:
    """Within this the modules that are deferred are imported without being executed."""
    with _finding([_Finder]):
        yield


@contextmanager
def _finding(finders: list[type[_Finder]]) -> Iterator[None]:
    """Be with these finders of ours, and no others of them."""
    before = [found for found in sys.meta_path if found is _Finder]
    _put(finders)
    try:
        yield
    finally:
        _put(before)


def _put(finders: list[Any]) -> None:
    sys.meta_path[:] = [*finders, *(found for found in sys.meta_path if found is not _Finder)]
