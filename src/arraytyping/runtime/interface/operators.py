"""Operators: functions of `arraytyping.numpy`, which also stand behind NumPy's arrays and scalars on the left.

Source: https://docs.jax.dev/en/latest/type_promotion.html; Python's data model, section "Emulating numeric types".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from arraytyping.basearray import Array
from arraytyping.runtime.interface.installing import NAMESPACE, method, numpy_function

__all__: list[str] = []

_TAKEN: Final = (Array, np.ndarray, np.generic, bool, int, float, complex)
_REFUSED: Final = (list, tuple, set, dict)

setattr(Array, "__array_priority__", 100)  # noqa: B010 (NumPy's arrays and scalars on the left give way)


def _function(name: str) -> Callable[..., Any]:
    """The function of this name; of a ufunc object the function within, for speed."""
    found = numpy_function(name)
    return getattr(found, "_call", found)  # type: ignore[no-any-return]


def _takes(other: Any, symbol: str) -> bool:
    """Whether the other operand is for us.

    Raises:
        TypeError: for a container, which an operator of arrays does not read as an array.
    """
    if isinstance(other, _TAKEN) or hasattr(other, "__jax_array__"):
        return True
    if type(other) in _REFUSED:  # a class derived from one, such as a named tuple, may have operators of its own
        raise TypeError(
            f"unsupported operand type(s) for {symbol}: 'Array' and '{type(other).__name__}'; make an array of it "
            "first, with asarray"
        )
    return False


def _binary(symbol: str, special: str, name: str, *, reflected: bool = True) -> None:
    found: list[Callable[..., Any]] = []

    def forward(self: Any, other: Any) -> Any:
        if type(other) is not type(self) and not _takes(other, symbol):
            return NotImplemented
        if not found:
            found.append(_function(name))
        return found[0](self, other)

    def backward(self: Any, other: Any) -> Any:
        if not _takes(other, symbol):
            return NotImplemented
        if not found:
            found.append(_function(name))
        return found[0](other, self)

    forward.__name__ = forward.__qualname__ = f"__{special}__"
    forward.__doc__ = f"`x {symbol} y`, as `arraytyping.numpy.{name}`."
    method(f"__{special}__")(forward)
    if reflected:
        backward.__name__ = backward.__qualname__ = f"__r{special}__"
        backward.__doc__ = forward.__doc__
        method(f"__r{special}__")(backward)


for _symbol, _special, _name in (
    ("+", "add", "add"),
    ("-", "sub", "subtract"),
    ("*", "mul", "multiply"),
    ("/", "truediv", "true_divide"),
    ("//", "floordiv", "floor_divide"),
    ("%", "mod", "remainder"),
    ("divmod", "divmod", "divmod"),
    ("**", "pow", "power"),
    ("@", "matmul", "matmul"),
    ("&", "and", "bitwise_and"),
    ("|", "or", "bitwise_or"),
    ("^", "xor", "bitwise_xor"),
    ("<<", "lshift", "left_shift"),
    (">>", "rshift", "right_shift"),
):
    _binary(_symbol, _special, _name)

for _symbol, _special, _name in (
    ("==", "eq", "equal"),
    ("!=", "ne", "not_equal"),
    ("<", "lt", "less"),
    ("<=", "le", "less_equal"),
    (">", "gt", "greater"),
    (">=", "ge", "greater_equal"),
):
    _binary(_symbol, _special, _name, reflected=False)


def _unary(special: str, name: str) -> None:
    function: Callable[[Any], Any]

    def first(x: Any) -> Any:
        nonlocal function
        function = _function(name)
        return function(x)

    function = first

    def apply(self: Any) -> Any:
        return function(self)

    apply.__name__ = apply.__qualname__ = f"__{special}__"
    apply.__doc__ = f"As `arraytyping.numpy.{name}`."
    method(f"__{special}__")(apply)


for _special, _name in (("neg", "negative"), ("pos", "positive"), ("abs", "absolute"), ("invert", "bitwise_not")):
    _unary(_special, _name)


@method("__round__")
def rounded(self: Any, ndigits: int | None = None) -> Any:
    """`round(x)`, which gives integers, as it does for a float, and `round(x, ndigits)`, which does not."""
    result = _function("round")(self, 0 if ndigits is None else ndigits)
    return _function("astype")(result, int) if ndigits is None else result


@method("__getitem__")
def part(self: Any, idx: Any, /) -> Any:
    """`x[index]`: NumPy's indexing, whose out-of-bounds indices are clamped to the edge."""
    take_index = numpy_function("indexing.take_index")

    return take_index(self, idx)


@method("__setitem__")
def no_assignment(self: Any, i: Any, x: Any) -> None:
    """Arrays do not change.

    Raises:
        TypeError: always.
    """
    raise TypeError(
        "JAX-style arrays are immutable and do not support in-place item assignment. Instead of x[idx] = y, use "
        "x = x.at[idx].set(y)"
    )


@method("__iter__")
def items(self: Any) -> Any:
    """The items along the first dimension.

    Raises:
        TypeError: for an array without dimensions.
    """
    if not self.aval.shape:
        raise TypeError("iteration over a 0-d array: it has no dimension to go along")
    return (self[i] for i in range(self.aval.shape[0]))


@method("__contains__")
def contains(self: Any, other: Any) -> bool:
    """Whether an element is equal to a value.

    Raises:
        ValueError: for an array of more or less than one dimension.
    """
    if len(self.aval.shape) != 1:
        raise ValueError(f"`in` takes an array of one dimension, this is {self.aval}; use (x == value).any()")
    return bool(_function("any")(_function("equal")(self, other)))


@method("__array_namespace__")
def namespace(self: Any, *, api_version: str | None = None) -> Any:
    """The module with the functions of the array API standard.

    Raises:
        ValueError: for a version of the standard that it does not follow.
    """
    if api_version not in (None, "2024.12"):
        raise ValueError(f"api_version is {api_version!r}; expected None or '2024.12'")
    return NAMESPACE[0]


@method("__array_module__")
def module_for(self: Any, types: tuple[type, ...]) -> Any:
    """The module that serves these types together; NotImplemented where one is no array of this package.

    Source: NEP 37, https://numpy.org/neps/nep-0037-array-module.html.
    """
    return NAMESPACE[0] if all(issubclass(t, Array | np.ndarray) for t in types) else NotImplemented
