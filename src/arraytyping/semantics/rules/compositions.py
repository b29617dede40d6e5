"""Functions that are composed of others: one definition is both their rule and what computes them.

A definition takes, before its own parameters, the operations that it is composed of, which it calls by their names:
`ops("numpy.maximum", x, 0)`.  As a rule it is given those that evaluate rules on abstract values; the runtime gives it
those that compute.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeVar

from arraytyping.semantics.avals import UNKNOWN, Alternatives, NumPyArray, Shape, ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, to_inexact
from arraytyping.semantics.rules.errors import ShapeError
from arraytyping.semantics.rules.operands import ANY_ARRAY, as_operand
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.static_arguments import as_flag
from arraytyping.semantics.rules.table import RULES, register

__all__ = ["COMPOSITIONS", "Operations", "alike", "composition", "on_abstract_values", "promoted"]


class Operations(Protocol):
    """What a definition is composed of."""

    def __call__(self, name: str, /, *args: Any, **kwargs: Any) -> Any:
        """The result of the operation of this name."""
        ...

    def array(self, x: Any, operation: str) -> Any:
        """The array that an array-like argument is."""
        ...

    def inexact(self, operation: str, *xs: Any) -> list[Any]:
        """The arrays in the floating or complex dtype that they are promoted to."""
        ...

    def promoted(self, operation: str, *xs: Any) -> list[Any]:
        """The same, where they broadcast, of ranks that go together in `jax.lax`."""
        ...

    def number_like(self, x: Any, value: float) -> Any:
        """A number of the dtype of an array, which is weak if that is, and has no dimensions."""
        ...

    def dtype(self, x: Any) -> Any:
        """The dtype of an array, as an argument."""
        ...

    def constant_like(self, x: Any, value: float) -> Any:
        """A NumPy scalar of the dtype of an array."""
        ...

    def is_complex(self, x: Any) -> bool | None:
        """Whether the elements of an array are complex; None if unknown."""
        ...

    def choose(self, flag: Any, on_true: Callable[[], Any], on_false: Callable[[], Any]) -> Any:
        """The one or the other result, as a static flag says."""
        ...

    def is_unknown(self, *values: Any) -> bool:
        """Whether it is not known of an argument even whether it is None: nothing is known of the result then."""
        ...


def alike(cx: Context, operation: str, *xs: Any) -> list[ShapedArray]:
    """The arrays in the floating or complex dtype that they are promoted to, in the shape that they broadcast to."""
    shape, arrays = _promoted(cx, operation, xs)
    return [ShapedArray(shape, a.dtype, a.weak_type) for a in arrays]


def promoted(cx: Context, operation: str, *xs: Any) -> list[ShapedArray]:
    """The same in their own shapes, but for dimensions of size 1 where there are several ranks besides that of scalars.

    A weak array without dimensions, with which a number stays weak, is one no more then.
    """
    _, arrays = _promoted(cx, operation, xs)
    if len(arrays) > 1 and any(a.shape is None for a in arrays):
        return [ShapedArray(None, a.dtype, a.weak_type) for a in arrays]
    shapes = [a.shape or () for a in arrays]
    ranks = {len(s) for s in shapes}
    if len(ranks - {0}) < 2:
        return arrays
    return [ShapedArray((*(1,) * (max(ranks) - len(s)), *s), a.dtype, a.weak_type) for a, s in zip(arrays, shapes)]


def _promoted(cx: Context, operation: str, xs: Sequence[Any]) -> tuple[Shape | None, list[ShapedArray]]:
    arrays = [as_operand(cx, x, operation, i) for i, x in enumerate(xs)]
    dtype, weak = cx.join(operation, arrays)
    inexact = None if dtype is None else to_inexact(dtype)
    try:
        shape = broadcast_shapes(operation, *(a.shape for a in arrays))
    except ShapeError as error:
        ranks = {a.ndim for a in arrays if a.ndim != 0}  # scalars take part as they are
        raise ShapeError(error.message, TypeError if len(ranks) == 1 else ValueError) from None
    return shape, [ShapedArray(a.shape, inexact, weak and dtype != "bool") for a in arrays]


class _OnAbstractValues:
    """The operations that evaluate rules."""

    def __init__(self, cx: Context) -> None:
        self.cx = cx

    def __call__(self, name: str, /, *args: Any, **kwargs: Any) -> Any:
        if any(isinstance(v, Alternatives) for v in (*args, *kwargs.values())):
            return ANY_ARRAY
        result = RULES[name].function(self.cx, *args, **kwargs)
        return ANY_ARRAY if result is UNKNOWN else result

    def array(self, x: Any, operation: str) -> Any:
        return as_operand(self.cx, x, operation)

    def inexact(self, operation: str, *xs: Any) -> list[Any]:
        arrays = [as_operand(self.cx, x, operation, i) for i, x in enumerate(xs)]
        dtype, weak = self.cx.join(operation, arrays)
        inexact = None if dtype is None else to_inexact(dtype)
        return [ShapedArray(a.shape, inexact, weak and dtype != "bool") for a in arrays]

    def promoted(self, operation: str, *xs: Any) -> list[Any]:
        return promoted(self.cx, operation, *xs)

    def number_like(self, x: Any, value: float) -> Any:
        may_be_weak = x.dtype in (None, self.cx.default("float"), self.cx.default("complex"))
        if not x.weak_type or not may_be_weak or (x.shape is not None and x.shape != ()):
            return ShapedArray((), x.dtype, None if x.weak_type is None else False)
        return ShapedArray((), x.dtype, None if x.shape is None or x.dtype is None else True)

    def dtype(self, x: Any) -> Any:
        return x.dtype or UNKNOWN

    def constant_like(self, x: Any, value: float) -> Any:
        return NumPyArray((), x.dtype)

    def is_complex(self, x: Any) -> bool | None:
        return None if x.dtype is None else x.dtype in ANY_COMPLEX

    def choose(self, flag: Any, on_true: Callable[[], Any], on_false: Callable[[], Any]) -> Any:
        known = as_flag(flag)
        if known is None:
            return Alternatives.of((on_true(), on_false()))
        return on_true() if known else on_false()

    def is_unknown(self, *values: Any) -> bool:
        return any(v is UNKNOWN for v in values)


def on_abstract_values(cx: Context) -> Operations:
    """The operations that evaluate rules: for a rule of which a part is composed of others."""
    return _OnAbstractValues(cx)


F = TypeVar("F", bound=Callable[..., Any])

COMPOSITIONS: Final[dict[str, Callable[..., Any]]] = {}
"""The definitions, by the name of the rule that each is."""


def composition(*names: str) -> Callable[[F], F]:
    """Enter the decorated definition as a rule of these names."""

    def enter(definition: F) -> F:
        @functools.wraps(definition)  # the rule has the signature of the definition
        def rule(cx: Context, *args: Any, **kwargs: Any) -> Any:
            return definition(_OnAbstractValues(cx), *args, **kwargs)

        for name in names:
            COMPOSITIONS[name] = definition
            register(name, rule)
        return definition

    return enter
