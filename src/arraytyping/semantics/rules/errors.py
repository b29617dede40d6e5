"""The mistakes that a rule reports: one sentence each, with an error code and the exception raised at run time."""

from __future__ import annotations

from typing import Final, Literal

__all__ = [
    "CODES",
    "AxisError",
    "Code",
    "DimError",
    "DtypeError",
    "IntegerError",
    "NotArrayLikeError",
    "RuleError",
    "ShapeError",
]

Code = Literal["array-dtype", "array-shape", "array-dim", "array-x64"]
CODES: Final[dict[Code, str]] = {
    "array-dtype": "the dtypes do not go together, or the operation does not take them",
    "array-shape": "the shapes do not go together",
    "array-dim": "an axis or an index does not exist in an array of this rank",
    "array-x64": "a 64-bit dtype is asked for while x64 is off, so JAX gives 32 bits",
}
"""What each code means, in one line."""


class RuleError(Exception):
    """A certain mistake: whatever the unknown parts of the arguments are, JAX raises `exception`.

    `exception` is the class that JAX raises (a base class of it where JAX's own is not importable without jax).
    """

    code: Code = "array-dtype"

    def __init__(self, message: str, exception: type[Exception] = TypeError) -> None:
        super().__init__(message)
        self.message = message
        self.exception = exception


class DtypeError(RuleError):
    """Dtypes that do not go together or that the operation does not take."""

    code: Code = "array-dtype"


class NotArrayLikeError(DtypeError):
    """An argument that is no array-like at all, such as None: a type checker reports it by the signature alone."""


class ShapeError(RuleError):
    """Shapes that do not go together."""

    code: Code = "array-shape"


class DimError(RuleError):
    """An axis or index that an array of this rank does not have."""

    code: Code = "array-dim"

    def __init__(self, message: str, exception: type[Exception] = ValueError) -> None:
        super().__init__(message, exception)


class IntegerError(DimError):
    """What is no integer in the place of one."""

    def __init__(self, message: str) -> None:
        super().__init__(message, TypeError)


class AxisError(DimError):
    """An axis that an array of this rank does not have, or has but once: NumPy's exception of this name."""
