"""The port of a NumPy program: `numpy` is read as `jax.numpy`, and what jax.numpy lacks stays NumPy's.

So `np.zeros` is `jax.numpy.zeros`, `np.linalg.norm` is `jax.numpy.linalg.norm`, and `np.random.default_rng` is NumPy's
own.  `ported("numpy")` is a module that has just these names: the program that imports it in place of NumPy is the
port, and can be run.
"""

from __future__ import annotations

import ast
import functools
import types
from collections.abc import Iterator
from typing import Any

from typing_extensions import override

from arraytyping.checker.flow.real_calls.library_imports import import_library
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.imports import Importer
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["PortingImporter", "ported"]


class PortedModule(types.ModuleType):
    """A module of NumPy as the port sees it: the names of its counterpart in jax.numpy, then its own."""

    def __init__(self, name: str, own: Any, counterpart: Any) -> None:
        super().__init__(name)
        self._own = own
        self._counterpart = counterpart

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._counterpart, name, None)
        if found is None or (name.startswith("__") and name.endswith("__")):
            found = getattr(self._own, name)
        if isinstance(found, types.ModuleType):
            return ported(f"{self.__name__}.{name}") or found
        return found


@functools.cache
def ported(name: str) -> Any:
    """The module that `numpy`, `numpy.linalg`, ... is in the port; None if there is no such module.

    A module without a counterpart in jax.numpy is NumPy's own.
    """
    own = import_library(name)
    counterpart = import_library(name.replace("numpy", "jax.numpy", 1))
    return own if own is None or counterpart is None else PortedModule(name, own, counterpart)


class PortingImporter(Importer):
    """The modules of a program, and NumPy's as the port sees them."""

    @override
    def import_module(self, it: Interpreter, name: str, node: ast.AST, frame: Frame, is_whole: bool) -> Any:
        if not self._is_numpy(name):
            return super().import_module(it, name, node, frame, is_whole)
        found = ported(name)
        if found is None:
            return it.unknown(f"the module {name}, which is not found")
        return found if is_whole else ported("numpy")

    @override
    def import_names(self, it: Interpreter, node: ast.ImportFrom, frame: Frame) -> Iterator[tuple[str, Any]]:
        base = node.module or ""
        if node.level or not self._is_numpy(base) or (module := ported(base)) is None:
            yield from super().import_names(it, node, frame)
            return
        for alias in node.names:
            if alias.name != "*":
                yield alias.asname or alias.name, self._library_name(it, module, base, alias.name, node)
                continue
            own = import_library(base)
            for name in getattr(own, "__all__", None) or [n for n in vars(own) if not n.startswith("_")]:
                yield name, self._library_name(it, module, base, name, node)

    def _is_numpy(self, name: str) -> bool:
        """Whether a module is the installed NumPy's, and none of the program's own of that name."""
        return name.partition(".")[0] == "numpy" and self.find("numpy") is None
