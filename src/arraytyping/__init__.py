"""arraytyping: static type checking and typing for JAX-style arrays.

Reading order: `lattice` (a join-semilattice, given by its covers), `promotion` (JAX's dtype promotion as data on it),
`scalars` (the dtypes), `avals` (what is known of a value before it runs), `rules` (from abstract arguments to the
abstract result), `settings` and `x64` (what holds for a program), `claims` and `cli` (what the commands say).  The mypy
plugin is the package `arraytyping_mypy`.

`arraytyping.Array` and the scalar types (`arraytyping.float32` and its kin) are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arraytyping.basearray import Array as Array
    from arraytyping.scalars import *  # noqa: F403

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name == "Array":
        return import_module("arraytyping.basearray").Array
    scalars = import_module("arraytyping.scalars")
    if name in scalars.__all__:
        return getattr(scalars, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), "Array", *import_module("arraytyping.scalars").__all__})
