"""Operands brought together: to one dtype by the promotion in force, to one rank by dimensions of size 1.

Source: https://docs.jax.dev/en/latest/type_promotion.html; https://numpy.org/doc/stable/user/basics.broadcasting.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping import config
from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.lax.choices import select_n_p
from arraytyping.runtime.lax.structure import broadcast_to, expand_to
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.promotion.jax import Element
from arraytyping.semantics.rules.dtype_kinds import to_inexact, to_numeric, to_real
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes

__all__ = [
    "chosen", "in_result_dtype", "in_result_type", "inexact_dtype", "is_complex", "is_float", "is_inexact", "joined",
    "kind_of", "numeric_dtype",
    "one_rank", "one_shape", "part_dtype", "promoted", "promoted_inexact", "promoted_numeric", "to_dtype",
]  # fmt: skip


def joined(*arrays: Any) -> Element:
    """The dtype and weak type that arrays are promoted to."""
    return config.promotion().join([Element(x.aval.dtype, bool(x.aval.weak_type)) for x in arrays])


def promoted(*arrays: Any) -> list[Any]:
    """The arrays in the dtype that they are promoted to."""
    dtype, weak = joined(*arrays)
    return [convert_to(x, dtype, weak) for x in arrays]


def in_result_dtype(answer: ShapedArray, *arrays: Any) -> list[Any]:
    """The arrays in the dtype and weak type that the rule gives to the result."""
    assert answer.dtype is not None
    return [convert_to(x, answer.dtype, bool(answer.weak_type)) for x in arrays]


def in_result_type(answer: ShapedArray, *arrays: Any) -> list[Any]:
    """The arrays in the dtype that the rule gives to the result, repeated to its shape."""
    shape: Any = answer.shape
    return [broadcast_to(x, shape) for x in in_result_dtype(answer, *arrays)]


def to_dtype(dtype: str, *arrays: Any) -> list[Any]:
    """The arrays in this dtype, strong."""
    return [convert_to(x, dtype) for x in arrays]


def inexact_dtype(dtype: str) -> str:
    """The floating or complex dtype in which a function of real numbers computes on this dtype."""
    return to_inexact(dtype)


def numeric_dtype(dtype: str) -> str:
    """The dtype, int32 for bool."""
    return to_numeric(dtype)


def part_dtype(dtype: str) -> str:
    """The dtype of the real and the imaginary part; the same of real numbers."""
    return to_real(dtype)


def kind_of(x: Any) -> str:
    """The kind of an array's dtype: one of `buifc`."""
    return KINDS[x.aval.dtype]


def is_complex(x: Any) -> bool:
    """Whether the elements are complex."""
    return KINDS[x.aval.dtype] == "c"


def is_float(x: Any) -> bool:
    """Whether the elements are real floats."""
    return KINDS[x.aval.dtype] == "f"


def is_inexact(x: Any) -> bool:
    """Whether the elements are floats or complex."""
    return KINDS[x.aval.dtype] in "fc"


def promoted_inexact(*arrays: Any) -> list[Any]:
    """The arrays in the floating or complex dtype that they are promoted to."""
    dtype, weak = joined(*arrays)
    inexact = to_inexact(dtype)
    return [convert_to(x, inexact, weak and KINDS[dtype] != "b") for x in arrays]


def promoted_numeric(*arrays: Any) -> list[Any]:
    """The arrays in the dtype that they are promoted to, int32 for bool."""
    dtype, weak = joined(*arrays)
    number = to_numeric(dtype)
    return [convert_to(x, number, weak and number == dtype) for x in arrays]


def one_rank(*arrays: Any) -> list[Any]:
    """The arrays with as many dimensions as the one with most; those without any stay so."""
    rank = max(len(x.aval.shape) for x in arrays)
    return [
        x if len(x.aval.shape) in (0, rank) else expand_to(x, (*(1,) * (rank - len(x.aval.shape)), *x.aval.shape))
        for x in arrays
    ]


def one_shape(*arrays: Any) -> list[Any]:
    """The arrays, each repeated to the shape that they broadcast to together."""
    shape = broadcast_shapes("broadcasting", *[x.aval.shape for x in arrays])
    assert shape is not None
    return [broadcast_to(x, shape) for x in arrays]  # type: ignore[arg-type]


def chosen(which: Any, on_true: Any, on_false: Any) -> Any:
    """Of each place the element of the first array where `which` holds, else of the second; they are of one dtype."""
    if which.aval.shape:
        which, on_true, on_false = one_shape(which, on_true, on_false)
    else:
        on_true, on_false = one_shape(on_true, on_false)
    return select_n_p.bind(which, on_false, on_true)
