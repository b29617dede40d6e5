"""All promotion systems by name; each is made when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from arraytyping.semantics.promotion import jax_systems, jep, numpy_legacy, tables, tensorflow
from arraytyping.semantics.promotion.dtype_names import nearest
from arraytyping.semantics.promotion.system import System

__all__ = ["SYSTEMS", "UnknownSystemError", "names", "system"]


class UnknownSystemError(ValueError):
    """A name is that of no promotion system; the message has the nearest names."""


_MAKERS: Final[dict[str, Callable[[], System]]] = {
    "jax": jax_systems.jax,
    "jax-x32": jax_systems.jax_x32,
    "jax-strict": jax_systems.jax_strict,
    "lax": jax_systems.lax,
    "numpy": tables.numpy,
    "ml-dtypes": tables.ml_dtypes,
    "numpy-legacy": numpy_legacy.numpy_legacy,
    "torch": tables.torch,
    "tensorflow": tensorflow.tensorflow,
    "tensorflow-safe": tensorflow.tensorflow_safe,
    "tensorflow-all": tensorflow.tensorflow_all,
    "array-api": tables.array_api,
    **{name: partial(jep.graph_system, name) for name in jep.GRAPHS},
}
_made: Final[dict[str, System]] = {}


class _Systems(Mapping[str, System]):
    def __getitem__(self, name: str) -> System:
        if name not in _made:
            _made[name] = _MAKERS[name]()
        return _made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_MAKERS)

    def __len__(self) -> int:
        return len(_MAKERS)


SYSTEMS: Final[Mapping[str, System]] = _Systems()
"""Every promotion system by its name."""


def names() -> tuple[str, ...]:
    """The names of all systems: libraries first, then the graphs of JEP 9407 in its order."""
    return tuple(_MAKERS)


def system(name: str) -> System:
    """The promotion system of this name.

    Raises:
        UnknownSystemError: for another name, with the nearest ones.
    """
    try:
        return SYSTEMS[name]
    except KeyError:
        hint = nearest(name, names(), f"the systems are {', '.join(names())}")
        raise UnknownSystemError(f"{name!r} is no promotion system; {hint}") from None
