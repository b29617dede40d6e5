"""What every contraction shares: the dtype it accumulates in, and sizes that must be equal.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.dot_general.html; XLA's rule for the element type is in
https://github.com/openxla/xla/blob/main/xla/primitive_util.h, `HigherPrecisionType`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from arraytyping.scalars import KINDS, bits
from arraytyping.semantics.avals import UNKNOWN, ShapedArray, dtype_name
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DtypeError, RuleError
from arraytyping.semantics.rules.operands import requested_dtype

__all__ = [
    "accumulation",
    "check_accumulation",
    "check_out_sharding",
    "check_precision",
    "higher_dtype",
]

_EXPONENT_AND_MANTISSA: Final = {
    "float4_e2m1fn": (3, 1),
    "float6_e2m3fn": (3, 3),
    "float6_e3m2fn": (5, 2),
    "float8_e3m4": (4, 4),
    "float8_e4m3": (8, 3),
    "float8_e8m0fnu": (128, 0),
    "float8_e4m3b11fnuz": (5, 3),
    "float8_e4m3fn": (9, 3),
    "float8_e4m3fnuz": (8, 3),
    "float8_e5m2": (16, 2),
    "float8_e5m2fnuz": (16, 2),
    "bfloat16": (128, 7),
    "float16": (16, 10),
    "float32": (128, 23),
    "float64": (1024, 52),
    "complex64": (128, 23),
    "complex128": (1024, 52),
}
"""The first exponent that overflows and the bits of the mantissa, by which `dot_general` orders floating types."""

_PRECISIONS: Final = frozenset(
    ("highest", "float32", "high", "bfloat16_3x", "tensorfloat32", "default", "bfloat16", "fastest")
)
_ALGORITHMS: Final = frozenset(
    (
        "DEFAULT", "ANY_F8_ANY_F8_F32", "ANY_F8_ANY_F8_F32_FAST_ACCUM", "ANY_F8_ANY_F8_ANY",
        "ANY_F8_ANY_F8_ANY_FAST_ACCUM", "F16_F16_F16", "F16_F16_F32", "BF16_BF16_BF16", "BF16_BF16_F32",
        "BF16_BF16_F32_X3", "BF16_BF16_F32_X6", "BF16_BF16_F32_X9", "TF32_TF32_F32", "TF32_TF32_F32_X3",
        "F32_F32_F32", "F64_F64_F64",
    )
)  # fmt: skip
"""The names of `jax.lax.DotAlgorithmPreset`; an algorithm may accumulate in any type."""


def accumulation(
    cx: Context, operation: str, operands: Iterable[ShapedArray], preferred: Any
) -> tuple[str | None, bool | None]:
    """The dtype and weak type of a contraction's result: what the caller prefers, else what the operands join to.

    Raises:
        DtypeError: if the operands have no join, or what is preferred is no dtype.
    """
    if preferred is UNKNOWN:
        return None, None
    if preferred is not None:
        dtype = requested_dtype(cx, preferred, operation)
        return dtype, None if dtype is None else False
    dtype, weak = cx.join(operation, operands)
    if dtype is not None and weak:
        dtype = cx.default(KINDS[dtype])  # a weak result has the default width, whatever its operands have
    return dtype, weak


def check_precision(operation: str, precision: Any) -> None:
    """Refuse a precision that JAX does not know.

    Raises:
        RuleError: for a wrong one (ValueError at run time).
    """
    if isinstance(precision, str):
        known = precision in _PRECISIONS or precision in _ALGORITHMS
    elif isinstance(precision, tuple | list):
        known = len(precision) == 2 and all(p in _PRECISIONS for p in precision if isinstance(p, str))
    else:
        known = not isinstance(precision, bool | int | float | complex)
    if not known:
        raise RuleError(
            f"{operation}: {precision!r} is no precision; give None, 'default', 'high', 'highest', a pair of these, "
            "or a jax.lax.Precision or DotAlgorithmPreset",
            ValueError,
        )


def check_out_sharding(operation: str, out_sharding: Any) -> None:
    """Refuse what is certainly no sharding.

    Raises:
        RuleError: for a Python scalar, a string or a tuple (TypeError at run time).
    """
    if isinstance(out_sharding, str | bool | int | float | complex | tuple):
        raise RuleError(
            f"{operation}: out_sharding is {out_sharding!r}, which is no sharding; give a NamedSharding or a "
            "PartitionSpec",
            TypeError,
        )


def check_accumulation(
    operation: str, a: tuple[str | None, bool | None], b: tuple[str | None, bool | None], dtype: str | None,
    precision: Any
) -> None:  # fmt: skip
    """Refuse operands, each a dtype and weak type, that `dot_general` cannot contract into a result of `dtype`.

    Raises:
        DtypeError: if the result would be narrower than an operand that is not floating, or no operand's type is
            the higher one.
    """
    if a[0] is None or b[0] is None:
        return
    first, second = _order(a[0]), _order(b[0])
    if first == second and a[0] != b[0]:
        raise DtypeError(
            f"{operation}: a contraction does not take {a[0]} with {b[0]}; convert one of them first, "
            f"with .astype({b[0]!r})"
        )
    higher, weak = a if first >= second else b
    if higher is None or dtype in (None, higher) or KINDS[higher] == "f":
        return
    # A preset or an algorithm, which an unknown precision may be, accumulates as it likes.
    if not (precision is None or isinstance(precision, tuple | list) or precision in _PRECISIONS):
        return
    if _width(dtype or "") < _width(higher):
        shown = dtype_name(higher, weak)
        raise DtypeError(
            f"{operation}: the result would be {dtype}, which is narrower than an operand's {shown}, and a "
            f"contraction does not accumulate in a narrower type; convert the operand first, with .astype({dtype!r})"
        )


def higher_dtype(a: str | None, b: str | None) -> str | None:
    """The dtype of the two that `dot_general` accumulates in where none is preferred; None if one is unknown."""
    if a is None or b is None:
        return None
    return a if _order(a) >= _order(b) else b


@cache
def _order(dtype: str) -> tuple[bool, int, int, int, bool]:
    exponent, mantissa = _EXPONENT_AND_MANTISSA.get(dtype, (-1, -1))
    return KINDS[dtype] == "c", exponent, mantissa, _width(dtype), KINDS[dtype] != "u"


def _width(dtype: str) -> int:
    """Bits as `dot_general` counts them: a bool has 1, a complex number those of one part."""
    if dtype == "bool":
        return 1
    return bits(dtype) // 2 if KINDS[dtype] == "c" else bits(dtype)
