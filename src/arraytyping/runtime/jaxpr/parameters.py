"""The parameters of equations as text: which are left out as defaults, how values are written.

Source: https://docs.jax.dev/en/latest/jaxpr.html.
"""

from __future__ import annotations

import enum
import math
import re
from typing import Any, Final

from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.semantics.rules import dimension_numbers

__all__ = ["DEFAULTS", "RECORDS", "is_plain_name", "value_text"]

DEFAULTS: Final[dict[str, dict[str, Any]]] = {
    "convert_element_type": {"weak_type": False},
    "slice": {"strides": None},
    "dot_general": {"precision": None},
    "round": {"rounding_method": 0},
    "gather": {"unique_indices": False, "indices_are_sorted": False, "fill_value": None},
    **{
        f"scatter{kind}": {"unique_indices": False, "indices_are_sorted": False}
        for kind in ("", "_add", "_sub", "_mul", "_min", "_max")
    },
    **{name: {"reverse": False} for name in ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp")},
}
"""The parameters that every equation of a primitive has, and that are not written where they have these values; a
reader puts them back."""

RECORDS: Final[dict[str, type]] = {
    name: getattr(dimension_numbers, name)
    for name in ("ConvDimensionNumbers", "GatherDimensionNumbers", "ScatterDimensionNumbers")
}
"""The named tuples that stand in parameters, by name; the enumerations are those of `lax`."""

_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OTHER: Final = frozenset(("None", "True", "False", "inf", "nan", "lambda", "let", "in"))


def is_plain_name(text: str) -> bool:
    """Whether a string can be written without quotes."""
    return bool(_PLAIN.fullmatch(text)) and text not in _OTHER and text not in RECORDS


def number_text(value: bool | int | float | complex) -> str:
    """A number such that it is read back as the same: `nan` and `inf` by name, complex ones in parentheses."""
    if isinstance(value, complex):
        return f"({number_text(value.real)},{number_text(value.imag)}j)"
    if isinstance(value, float) and (math.isnan(value) or math.isinf(value)):
        sign = "-" if math.copysign(1, value) < 0 else ""
        return f"{sign}{'nan' if math.isnan(value) else 'inf'}"
    return repr(value)


def value_text(value: Any) -> str:
    """A parameter as text; of what cannot be read back, its Python representation in angle brackets."""
    if value is None or (isinstance(value, bool | int | float | complex) and not isinstance(value, enum.Enum)):
        return "None" if value is None else number_text(value)
    if isinstance(value, str):
        return value if is_plain_name(value) else repr(value)
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        fields = zip(value._fields, value)
        return f"{type(value).__name__}({', '.join(f'{name}={value_text(v)}' for name, v in fields)})"
    if isinstance(value, tuple):
        return f"({', '.join(map(value_text, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, ClosedJaxpr):
        raise TypeError("a jaxpr is written by the printer")
    return f"<{getattr(value, '__qualname__', None) or type(value).__name__}>"
