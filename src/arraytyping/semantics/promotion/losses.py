"""What a value may lose when it is converted to another dtype: its imaginary part, its range, its precision.

It is computed from what each dtype can hold: integers from a least to a greatest, floats of so many significant bits
between a smallest step and a greatest value.  Infinities and NaN are left aside, though some narrow floats lack them.

Source: IEEE 754; https://github.com/jax-ml/ml_dtypes#specifications-of-implemented-floating-point-formats for the
narrow floats.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from arraytyping.scalars import KINDS, bits

__all__ = ["FLOAT_FORMATS", "FloatFormat", "Loss", "Values", "conversion_loss", "part_bits", "values_of"]


@dataclass(frozen=True, slots=True)
class FloatFormat:
    """A binary floating-point format: its significant bits, the hidden one included, and where it ends.

    The greatest finite value is `maximum[0] * 2**maximum[1]`, the smallest positive one `2**smallest`.
    """

    precision: int
    maximum: tuple[int, int]
    smallest: int
    signed: bool = True


FLOAT_FORMATS: Final = {
    "float4_e2m1fn": FloatFormat(2, (3, 1), -1),
    "float6_e2m3fn": FloatFormat(4, (15, -1), -3),
    "float6_e3m2fn": FloatFormat(3, (7, 2), -4),
    "float8_e3m4": FloatFormat(5, (31, -1), -6),
    "float8_e4m3": FloatFormat(4, (15, 4), -9),
    "float8_e8m0fnu": FloatFormat(1, (1, 127), -127, signed=False),
    "float8_e4m3b11fnuz": FloatFormat(4, (15, 1), -13),
    "float8_e4m3fn": FloatFormat(4, (7, 6), -9),
    "float8_e4m3fnuz": FloatFormat(4, (15, 4), -10),
    "float8_e5m2": FloatFormat(3, (7, 13), -16),
    "float8_e5m2fnuz": FloatFormat(3, (7, 13), -17),
    "bfloat16": FloatFormat(8, (2**8 - 1, 120), -133),
    "float16": FloatFormat(11, (2**11 - 1, 5), -24),
    "float32": FloatFormat(24, (2**24 - 1, 104), -149),
    "float64": FloatFormat(53, (2**53 - 1, 971), -1074),
}
"""The format of each floating dtype."""

_PARTS: Final = {"complex64": "float32", "complex128": "float64"}


@dataclass(frozen=True, slots=True)
class Values:
    """What a real dtype can hold: `least` to `greatest`, `precision` significant bits, steps down to `2**smallest`."""

    least: Fraction
    greatest: Fraction
    precision: int
    smallest: int


@lru_cache
def values_of(dtype: str) -> Values:
    """What a dtype can hold; of a complex one, each of its parts.

    Raises:
        KeyError: for something that is no dtype.
    """
    kind, width = KINDS[dtype], bits(dtype)
    if kind == "b":
        return Values(Fraction(0), Fraction(1), 1, 0)
    if kind == "u":
        return Values(Fraction(0), Fraction(2**width - 1), width, 0)
    if kind == "i":
        # The least value is a power of two: its magnitude has one significant bit.
        return Values(Fraction(-(2 ** (width - 1))), Fraction(2 ** (width - 1) - 1), max(width - 1, 1), 0)
    form = FLOAT_FORMATS[_PARTS.get(dtype, dtype)]
    greatest = form.maximum[0] * Fraction(2) ** form.maximum[1]
    if not form.signed:
        return Values(Fraction(2) ** form.smallest, greatest, form.precision, form.smallest)
    return Values(-greatest, greatest, form.precision, form.smallest)


def part_bits(dtype: str) -> int:
    """Width of a dtype in bits; of a complex one, that of each of its parts."""
    return bits(_PARTS.get(dtype, dtype))


@dataclass(frozen=True, slots=True)
class Loss:
    """What a conversion loses; it is falsy where every value stays what it is.

    `component`: the imaginary part.  `overflow`: values outside of what the target holds, negative ones included.
    `precision`: digits, fractions, and values nearer to zero than the target's smallest.
    """

    source: str
    target: str
    component: bool
    overflow: bool
    precision: bool

    def __bool__(self) -> bool:
        return self.component or self.overflow or self.precision

    def __str__(self) -> str:
        return f"{self.source} -> {self.target}: {'; '.join(self.details()) or 'nothing is lost'}"

    def details(self) -> Iterator[str]:
        """One phrase for each kind of loss."""
        source, target = values_of(self.source), values_of(self.target)
        if self.component:
            yield "the imaginary part is lost"
        if source.greatest > target.greatest:
            yield f"range: values reach {_number(source.greatest)}, beyond {_number(target.greatest)}"
        if source.least < target.least:
            yield f"range: values go down to {_number(source.least)}, below {_number(target.least)}"
        if self.precision and (digits := _precision(source, target)) > target.precision:
            yield f"precision: {digits} significant bits become {target.precision}"
        if self.precision and source.smallest < target.smallest:
            yield f"precision: values come in steps down to 2**{source.smallest}, and here to 2**{target.smallest}"


def _number(value: Fraction) -> str:
    if value.denominator == 1 and abs(value) < 10**6:
        return str(value.numerator)
    return f"{float(value):.3g}"


@lru_cache
def conversion_loss(source: str, target: str) -> Loss:
    """What values of one dtype may lose when they are converted to another.

    Raises:
        KeyError: for something that is no dtype; a weak type holds whatever the value is.
    """
    a, b = values_of(source), values_of(target)
    component = KINDS[source] == "c" != KINDS[target]
    if KINDS[target] == "b":  # everything but zero becomes True
        whole = KINDS[source] == "b"
        return Loss(source, target, component, False, not whole)
    overflow = a.greatest > b.greatest or a.least < b.least
    return Loss(source, target, component, overflow, _precision(a, b) > b.precision or _steps_are_lost(a, b))


def _steps_are_lost(source: Values, target: Values) -> bool:
    """Whether the source has values within the target's range that lie between the target's steps."""
    step = Fraction(2) ** source.smallest
    within = step <= target.greatest or (source.least < 0 and -step >= target.least)
    return source.smallest < target.smallest and within


def _precision(source: Values, target: Values) -> int:
    """How many significant bits the source's values have that lie within the target's range."""
    top = int(min(source.greatest, target.greatest)).bit_length()  # what has no integer part is below every step
    return min(source.precision, max(top, 1) - source.smallest)
