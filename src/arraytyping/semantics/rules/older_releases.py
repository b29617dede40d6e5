"""What releases of JAX before the newest compute otherwise: the rules are the newest's, and are loosened here for them.

Where an older release merely raises, nothing is done: a mistake is missed then, but no value is claimed wrongly.

Source: https://docs.jax.dev/en/latest/changelog.html, and the tests, run under each of the releases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from arraytyping.scalars import NAMES
from arraytyping.semantics.avals import UNKNOWN, Alternatives, NumPyArray, ShapedArray
from arraytyping.semantics.releases import Release
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT
from arraytyping.semantics.rules.errors import RuleError

__all__ = ["in_older_release"]

_FOUR_BITS: Final = ("int4", "uint4")
"""The integers that functions of real numbers took for inexact types before 0.9, and left as they were."""

_FORGIVING: Final[dict[str, tuple[type[Exception], ...]]] = {
    "Array.__round__": (TypeError,),
    "Array.at.get": (ValueError,),
    "lax.convert_element_type": (TypeError,),
    "lax.dynamic_index_in_dim": (OverflowError,),
    "lax.dynamic_slice": (OverflowError,),
    "lax.dynamic_slice_in_dim": (OverflowError,),
    "lax.full": (TypeError,),
    "lax.full_like": (TypeError,),
    "numpy.arange": (TypeError, ValueError, OverflowError),
    "numpy.broadcast_shapes": (TypeError,),
    "numpy.column_stack": (TypeError,),
    "numpy.full": (TypeError,),
    "numpy.full_like": (TypeError,),
    "numpy.hstack": (TypeError,),
    "numpy.tri": (OverflowError,),
    "numpy.tril": (TypeError, OverflowError),
    "numpy.triu": (TypeError, OverflowError),
    "numpy.unstack": (TypeError,),
    "numpy.vstack": (TypeError,),
}
"""What is an exception since 0.9 or 0.10; before, such calls may have values."""

_LARGE: Final = 2**31
"""From numbers of this size on `arange` counted otherwise, and with an infinite step."""

_FLOOR_DIVISION: Final = frozenset(("numpy.floor_divide", "Array.__floordiv__", "Array.__rfloordiv__"))
_DIVMOD: Final = frozenset(("numpy.divmod", "Array.__divmod__", "Array.__rdivmod__"))


def in_older_release(release: Release, name: str, values: Sequence[Any], call: Callable[[], Any]) -> Any:
    """What the rule of this name, called on these values, says of a release before the newest."""
    if release < (0, 9) and any(map(_has_four_bits, values)):
        return UNKNOWN
    if name == "lax.stop_gradient" and not isinstance(values[0], ShapedArray):
        return UNKNOWN  # numbers were handed on as they are
    if name == "numpy.arange" and any(isinstance(v, int | float) and abs(v) >= _LARGE for v in values):
        return UNKNOWN
    try:
        result = call()
    except RuleError as error:
        if error.exception in _FORGIVING.get(name, ()):
            return UNKNOWN
        raise
    if name in _FLOOR_DIVISION:
        return _strong_float(result)
    if name in _DIVMOD and isinstance(result, tuple):
        quotient, remainder = result
        return _strong_float(quotient), remainder
    return result


def _has_four_bits(value: Any) -> bool:
    """Whether a 4-bit integer stands anywhere in an argument."""
    if isinstance(value, ShapedArray | NumPyArray):
        return value.dtype in _FOUR_BITS
    if isinstance(value, tuple | list):
        return any(map(_has_four_bits, value))
    return value in _FOUR_BITS if isinstance(value, str) else isinstance(value, type) and NAMES.get(value) in _FOUR_BITS


def _strong_float(result: Any) -> Any:
    """The same, but strong if it is a float: before 0.10 the quotient lost its weak type."""
    if isinstance(result, Alternatives):
        return Alternatives.of(map(_strong_float, result.values))
    if isinstance(result, ShapedArray) and result.dtype in ANY_FLOAT:
        return replace(result, weak_type=False)
    return result
