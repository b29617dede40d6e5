"""The error codes that are reported only where they are enabled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

__all__ = ["OPT_IN_CODES", "enabled_codes", "is_opt_in", "parent_of"]

OPT_IN_CODES: Final = {
    "array-nan": "a gradient is nan or infinite, for certain inputs",
    "array-promotion": "dtypes or shapes that meet in silence change what is computed",
    "array-promotion-wide": "a strong operand makes an array of narrow floats wider",
    "array-promotion-range": "integers or numbers leave the range of the dtype that they come to",
    "array-promotion-sum": "integers are added up in a dtype that is too narrow for their sum",
    "array-promotion-broadcast": "a row meets a column, and all pairs are reduced",
    "array-promotion-64bit": "64 bits are asked for while x64 is off, where JAX gives 32",
}
"""What each means; `array-promotion` stands for all that begin with it."""


def is_opt_in(code: str) -> bool:
    """Whether a code is reported only where it is enabled."""
    return code in OPT_IN_CODES


def enabled_codes(names: Iterable[str]) -> frozenset[str]:
    """The codes that are reported besides those by default: these, and all that are parts of one."""
    given = frozenset(names)
    return frozenset(code for code in OPT_IN_CODES if code in given or parent_of(code) in given)


def parent_of(code: str) -> str | None:
    """The code of which one is a part, `array-promotion` of `array-promotion-wide`; None if it is none."""
    return "array-promotion" if code.startswith("array-promotion-") else None
