"""Terms of formulas, over the operations that a definition is composed of: `(x - loc) / scale`, as rule and as program.

Two terms are combined as `jax.lax` does, a term and a number as `jax.numpy` does; constants are of the terms' dtype.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from arraytyping.semantics.rules.compositions import Operations

__all__ = ["Term", "terms"]

_Binary = Callable[["Term", Any], "Term"]
_Unary = Callable[["Term"], "Term"]


def _binary(lax_name: str, numpy_name: str) -> Callable[[Term, Any], Term]:
    def method(self: Term, other: Any) -> Term:
        if isinstance(other, Term):
            return self.made(f"lax.{lax_name}", self.value, other.value)
        return self.made(f"numpy.{numpy_name}", self.value, other)

    return method


def _reflected(numpy_name: str) -> Callable[[Term, Any], Term]:
    def method(self: Term, other: Any) -> Term:
        return self.made(f"numpy.{numpy_name}", other, self.value)

    return method


def _unary(name: str) -> Callable[[Term], Term]:
    def method(self: Term) -> Term:
        return self.made(name, self.value)

    return method


class Term:
    """An array in a formula, with the operations that formulas are made of."""

    __slots__ = ("ops", "value")

    def __init__(self, ops: Operations, value: Any) -> None:
        self.ops: Operations = ops
        self.value: Any = value

    def made(self, name: str, *args: Any) -> Term:
        """The term that an operation gives, of terms or of what they hold."""
        return Term(self.ops, self.ops(name, *[a.value if isinstance(a, Term) else a for a in args]))

    def constant(self, value: float) -> Term:
        """A number of the dtype of the term, weak if it is and has no dimensions."""
        return Term(self.ops, self.ops.number_like(self.value, value))

    def strong(self, value: float) -> Term:
        """A number of the dtype of the term, which is not weak."""
        return Term(self.ops, self.ops.constant_like(self.value, value))

    def minus(self, other: Term) -> Term:
        """The difference as `jax.numpy` makes it, which promotes."""
        return self.made("numpy.subtract", self, other)

    def where(self, condition: Term, otherwise: Any) -> Term:
        """The term where a condition holds, elsewhere another or a number."""
        return self.made("numpy.where", condition, self, otherwise)

    __add__: ClassVar[_Binary] = _binary("add", "add")
    __sub__: ClassVar[_Binary] = _binary("sub", "subtract")
    __mul__: ClassVar[_Binary] = _binary("mul", "multiply")
    __truediv__: ClassVar[_Binary] = _binary("div", "true_divide")
    __lt__: ClassVar[_Binary] = _binary("lt", "less")
    __le__: ClassVar[_Binary] = _binary("le", "less_equal")
    __gt__: ClassVar[_Binary] = _binary("gt", "greater")
    __ge__: ClassVar[_Binary] = _binary("ge", "greater_equal")
    equals: ClassVar[_Binary] = _binary("eq", "equal")
    differs: ClassVar[_Binary] = _binary("ne", "not_equal")
    __and__: ClassVar[_Binary] = _binary("bitwise_and", "bitwise_and")
    __or__: ClassVar[_Binary] = _binary("bitwise_or", "bitwise_or")
    __radd__: ClassVar[_Binary] = _reflected("add")
    __rsub__: ClassVar[_Binary] = _reflected("subtract")
    __rmul__: ClassVar[_Binary] = _reflected("multiply")
    __rtruediv__: ClassVar[_Binary] = _reflected("true_divide")
    __neg__: ClassVar[_Unary] = _unary("lax.neg")
    __abs__: ClassVar[_Unary] = _unary("lax.abs")
    exp: ClassVar[_Unary] = _unary("lax.exp")
    expm1: ClassVar[_Unary] = _unary("lax.expm1")
    log: ClassVar[_Unary] = _unary("lax.log")
    log1p: ClassVar[_Unary] = _unary("lax.log1p")
    square: ClassVar[_Unary] = _unary("lax.square")
    sign: ClassVar[_Unary] = _unary("lax.sign")
    tan: ClassVar[_Unary] = _unary("lax.tan")
    floor: ClassVar[_Unary] = _unary("lax.floor")
    lgamma: ClassVar[_Unary] = _unary("lax.lgamma")
    isnan: ClassVar[_Unary] = _unary("numpy.isnan")


def terms(ops: Operations, operation: str, *xs: Any) -> list[Term]:
    """The arguments in one floating or complex dtype, as terms."""
    return [Term(ops, x) for x in ops.promoted(operation, *xs)]
