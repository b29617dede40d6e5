"""Where two promotion systems differ, and why JAX differs from NumPy.

JAX documents three kinds of differences from `numpy.promote_types`, for which Python's scalars are 64 bits wide: a weak
scalar keeps the array's precision, an integer with an inexact dtype keeps the inexact one, and there is bfloat16.

Source: https://docs.jax.dev/en/latest/type_promotion.html.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import Final

from arraytyping.semantics.promotion.jax import WEAK
from arraytyping.semantics.promotion.registry import system
from arraytyping.semantics.promotion.system import PUBLISHED, System

__all__ = ["Difference", "Kind", "NumPyDifference", "differences", "jax_differs_from_numpy"]

_DTYPES: Final = {"int": "int64", "float": "float64", "complex": "complex128"}


@dataclass(frozen=True, slots=True)
class Difference:
    """A cell in which two tables differ; None: undefined."""

    a: str
    b: str
    first: str | None
    second: str | None


def differences(one: System, other: System) -> tuple[Difference, ...]:
    """The cells that differ, among the rows and columns of both tables.

    A weak result and the dtype that it is stored in differ, as `float` and `float64` do.
    """
    names = [c for c in one.columns if c in other.columns]
    first, second = one.table(names), other.table(names)
    return tuple(
        Difference(a, b, first[a][b], second[a][b]) for a, b in product(names, repeat=2) if first[a][b] != second[a][b]
    )


class Kind(Enum):
    """Why a cell of JAX's table differs from `numpy.promote_types`."""

    WEAK = "a weak scalar keeps the precision of the array"
    INEXACT = "an integer with an inexact dtype keeps the inexact one"
    BFLOAT16 = "NumPy does not have bfloat16"


@dataclass(frozen=True, slots=True)
class NumPyDifference:
    """A cell in which JAX differs from `numpy.promote_types`, and its kind."""

    a: str
    b: str
    jax: str
    numpy: str | None
    kind: Kind


def jax_differs_from_numpy() -> tuple[NumPyDifference, ...]:
    """The cells of JAX's table that differ from `numpy.promote_types`, each with its kind.

    A scalar is NumPy's dtype of it there.  A difference comes from the weakness of a scalar if it is gone for an
    array of that dtype.
    """
    jax, numpy = system("jax"), system("numpy")

    def in_numpy(a: str, b: str) -> str | None:
        return None if "bfloat16" in (a, b) else numpy.promote(a, b)

    found = []
    for a, b in product(PUBLISHED, repeat=2):
        strong_a, strong_b = _DTYPES.get(a, a), _DTYPES.get(b, b)
        result, reference = jax.promote(a, b), in_numpy(strong_a, strong_b)
        if jax.stored(result) == reference:
            continue
        if reference is None:
            kind = Kind.BFLOAT16
        elif (a in WEAK or b in WEAK) and jax.stored(jax.promote(strong_a, strong_b)) == reference:
            kind = Kind.WEAK
        else:
            kind = Kind.INEXACT
        found.append(NumPyDifference(a, b, result, reference, kind))
    return tuple(found)
