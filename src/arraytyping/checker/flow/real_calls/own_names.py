"""The names of arraytyping's own runtime that mean what jax's mean, by the objects that they name.

A program on `arraytyping.numpy` is one on `jax.numpy` with other imports: what is known of a function of jax is known
of the one that has its name here.  Names of which that cannot be said are listed with the reason.

Source: docs/runtime-names.md, which names there are; tests/test_runtime_*.py hold them against jax's.
"""

from __future__ import annotations

import functools
import operator
import re
import sys
from types import ModuleType, UnionType
from typing import Any, Final

from arraytyping import scalars
from arraytyping.checker.flow.real_calls.library_imports import import_library
from arraytyping.checker.flow.values import Value
from arraytyping.scalars import ABSTRACT, SCALARS

__all__ = ["is_face", "name_in_jax", "own_contents", "own_scalar", "stands_alone", "twin_of"]

_OWN: Final = "arraytyping"
_MODULES: Final = re.compile(
    r"(\.(ad_checkpoint|dtypes|errors|flatten_util|ops|random|tree|tree_util"
    r"|lax(\.linalg)?|nn(\.initializers)?|numpy(\.fft|\.linalg)?|scipy\.(fft|linalg|signal|special|stats(\.\w+)?)))?"
)
"""The modules whose names are jax's; `core`, `jaxpr`, `sharding`, `typing` and `config` have their own contents."""

_OTHERWISE: Final = re.compile(
    r"\w+_p"  # a primitive, whose parameters need not be those of jax
    r"|(local_)?devices|(local_)?device_count|default_backend"  # of one machine, whatever is configured for jax
)
"""What has a name of jax and is something else."""

_ELSEWHERE: Final = {f"{_OWN}.tree": "jax.tree_util"}
"""Where jax has those names of a module that its module of the same name has not."""


def is_face(module: str) -> bool:
    """Whether this is one of our modules whose names are jax's."""
    return module.startswith(_OWN) and _MODULES.fullmatch(module.removeprefix(_OWN)) is not None


def own_contents(module: ModuleType) -> dict[str, Any]:
    """The names of one of our modules, and what they name, as far as the program has loaded it.

    The package itself loads its names when they are asked for, and none of them is to be loaded here.
    """
    if module.__name__ != _OWN:
        return vars(module).copy()
    names = ["Array", *scalars.__all__]
    if f"{_OWN}.runtime.whole" in sys.modules:
        names += [*vars(module)["_NAMES"], *vars(module)["_ALIASES"]]
    return {name: getattr(module, name) for name in names}


@functools.cache
def stands_alone() -> bool:
    """Whether jax is not installed, so that our runtime itself is asked."""
    return import_library("jax") is None


class _Names:
    """The objects of the modules that are imported by now, and what jax calls them."""

    def __init__(self) -> None:
        self._count = -1
        self._seen: dict[str, int] = {}
        self._by_id: dict[int, tuple[Any, str, str]] = {}
        """By the identity of an object: itself, and the module and the name that it has in jax."""

    def find(self, value: Any) -> tuple[str, str] | None:
        """The module of jax and the name in it that mean the same; None if there are none."""
        if len(sys.modules) != self._count:
            self._count = len(sys.modules)
            self._refresh()
        found = self._by_id.get(id(value))
        return None if found is None else found[1:]

    def _refresh(self) -> None:
        for name, module in list(sys.modules.items()):
            if not is_face(name):
                continue
            found = own_contents(module)
            if self._seen.get(name) == len(found):
                continue
            self._seen[name] = len(found)
            for key, value in found.items():
                if not key.startswith("_") and _OTHERWISE.fullmatch(key) is None:
                    self._enter(value, f"jax{name.removeprefix(_OWN)}", key)

    def _enter(self, value: Any, module: str, key: str) -> None:
        home = getattr(value, "__module__", None) or type(value).__module__
        if not isinstance(value, ModuleType) and str(home).startswith(_OWN):
            known = self._by_id.get(id(value))
            # One object may have several names, and some modules of jax have no name of it.
            if known is None or (not stands_alone() and _named(*known[1:]) is None):
                self._by_id[id(value)] = (value, module, key)


_names: Final = _Names()


def name_in_jax(value: Value) -> tuple[str, str] | None:
    """The module and the name in it by which jax has the same as this object of ours; None if there is none."""
    return _names.find(value)


def twin_of(value: Value) -> Value:
    """What jax has in the place of an object of ours; None if it has nothing, or is not installed."""
    found = _names.find(value)
    return None if found is None else _named(*found)


def _named(module: str, name: str) -> Value:
    found = getattr(import_library(module), name, None)
    if found is None and (other := _ELSEWHERE.get(module.replace("jax", _OWN, 1))) is not None:
        found = getattr(import_library(other), name, None)
    return found


def own_scalar(value: Any) -> Value:
    """The class of ours for a scalar type of jax or NumPy, as in `Array[float32, ...]`; anything else as it is."""
    if type(value).__name__ == "_ScalarMeta":
        return SCALARS.get(str(value.dtype), value)
    if isinstance(value, UnionType):
        return functools.reduce(operator.or_, map(own_scalar, value.__args__))
    if isinstance(value, type) and value.__module__ == "numpy":
        return ABSTRACT.get(value.__name__, value)
    return value
