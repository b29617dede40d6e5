"""Operands brought together: to one dtype by the promotion in force, to one rank by dimensions of size 1.

Source: https://docs.jax.dev/en/latest/type_promotion.html; https://numpy.org/doc/stable/user/basics.broadcasting.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping import config
from arraytyping.calling import convert_to
from arraytyping.lax.structure import expand_to
from arraytyping.promotion.jax import Element
from arraytyping.scalars import KINDS

__all__ = ["inexact_dtype", "joined", "numeric_dtype", "one_rank", "promoted", "promoted_inexact", "to_dtype"]


def joined(*arrays: Any) -> Element:
    """The dtype and weak type that arrays are promoted to."""
    return config.promotion().join([Element(x.aval.dtype, bool(x.aval.weak_type)) for x in arrays])


def promoted(*arrays: Any) -> list[Any]:
    """The arrays in the dtype that they are promoted to."""
    dtype, weak = joined(*arrays)
    return [convert_to(x, dtype, weak) for x in arrays]


def to_dtype(dtype: str, *arrays: Any) -> list[Any]:
    """The arrays in this dtype, strong."""
    return [convert_to(x, dtype) for x in arrays]


def inexact_dtype(dtype: str) -> str:
    """The floating or complex dtype in which a function of real numbers computes on this dtype.

    Source: `to_inexact_dtype` of `jax.dtypes`.
    """
    from arraytyping.rules.context import Context
    from arraytyping.rules.unary import inexact

    return inexact(Context(config.promotion()), dtype)


def numeric_dtype(dtype: str) -> str:
    """The dtype, bool as the default integer."""
    return "int32" if dtype == "bool" else dtype


def promoted_inexact(*arrays: Any) -> list[Any]:
    """The arrays in the floating or complex dtype that they are promoted to."""
    dtype, weak = joined(*arrays)
    inexact = inexact_dtype(dtype)
    return [convert_to(x, inexact, weak and KINDS[dtype] != "b") for x in arrays]


def one_rank(*arrays: Any) -> list[Any]:
    """The arrays with as many dimensions as the one with most; those without any stay so."""
    rank = max(len(x.aval.shape) for x in arrays)
    return [
        x if len(x.aval.shape) in (0, rank) else expand_to(x, (*(1,) * (rank - len(x.aval.shape)), *x.aval.shape))
        for x in arrays
    ]
