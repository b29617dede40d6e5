"""How precisely contractions and convolutions are computed.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.Precision.html,
https://docs.jax.dev/en/latest/_autosummary/jax.lax.DotAlgorithmPreset.html.
"""

from __future__ import annotations

import enum
from typing import Any, Final

from arraytyping import config

__all__ = ["DotAlgorithmPreset", "Precision", "PrecisionLike", "PrecisionPair", "canonical_precision"]


class Precision(enum.Enum):
    """How many passes a contraction takes on accelerators with narrow multipliers; a CPU ignores it."""

    DEFAULT = 0
    HIGH = 1
    HIGHEST = 2

    @classmethod
    def _missing_(cls, value: object) -> Precision | None:
        """The precision of a name, such as `Precision("high")`."""
        return _NAMES.get(value) if isinstance(value, str) else None

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __str__(self) -> str:
        return self.name


_NAMES: Final = {
    "default": Precision.DEFAULT, "bfloat16": Precision.DEFAULT, "fastest": Precision.DEFAULT,
    "high": Precision.HIGH, "bfloat16_3x": Precision.HIGH, "tensorfloat32": Precision.HIGH,
    "highest": Precision.HIGHEST, "float32": Precision.HIGHEST,
}  # fmt: skip


class DotAlgorithmPreset(enum.Enum):
    """An algorithm by its name: the types of the operands, that of the sum, and in how many parts."""

    DEFAULT = enum.auto()
    ANY_F8_ANY_F8_F32 = enum.auto()
    ANY_F8_ANY_F8_F32_FAST_ACCUM = enum.auto()
    ANY_F8_ANY_F8_ANY = enum.auto()
    ANY_F8_ANY_F8_ANY_FAST_ACCUM = enum.auto()
    F16_F16_F16 = enum.auto()
    F16_F16_F32 = enum.auto()
    BF16_BF16_BF16 = enum.auto()
    BF16_BF16_F32 = enum.auto()
    BF16_BF16_F32_X3 = enum.auto()
    BF16_BF16_F32_X6 = enum.auto()
    BF16_BF16_F32_X9 = enum.auto()
    TF32_TF32_F32 = enum.auto()
    TF32_TF32_F32_X3 = enum.auto()
    F32_F32_F32 = enum.auto()
    F64_F64_F64 = enum.auto()

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __str__(self) -> str:
        return self.name


PrecisionPair = tuple[Precision, Precision]
PrecisionLike = None | str | Precision | tuple[str, str] | PrecisionPair | DotAlgorithmPreset
"""What a function takes for its `precision`."""


def canonical_precision(precision: Any) -> PrecisionPair | DotAlgorithmPreset | None:
    """A precision, in any of the forms in which it may be given, as the parameter of a primitive.

    None is what the option `default_matmul_precision` says.

    Raises:
        ValueError: for what is none.
    """
    if precision is None:
        precision = config.read("default_matmul_precision")
    if precision is None or isinstance(precision, DotAlgorithmPreset):
        return precision
    if isinstance(precision, tuple | list) and len(precision) == 2:
        return _one(precision[0]), _one(precision[1])
    if isinstance(precision, str) and precision not in _NAMES and precision in DotAlgorithmPreset.__members__:
        return DotAlgorithmPreset[precision]
    one = _one(precision)
    return one, one


def _one(precision: Any) -> Precision:
    if isinstance(precision, Precision):
        return precision
    if isinstance(precision, str) and precision in _NAMES:
        return _NAMES[precision]
    raise ValueError(
        f"{precision!r} is no precision; give None, 'default', 'high', 'highest', a pair of these, or a "
        "lax.Precision or lax.DotAlgorithmPreset"
    )
