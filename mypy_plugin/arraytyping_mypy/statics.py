"""The value of an expression, where it can be read off the program: literals, Final names, dtypes, arithmetic.

What cannot be read off is `UNKNOWN`; nothing is ever run.  Types carry the rest: a size out of `x.shape` is an
`int` with a known value.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from mypy.nodes import (
    CallExpr,
    ComplexExpr,
    EllipsisExpr,
    Expression,
    FloatExpr,
    IndexExpr,
    IntExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    SliceExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
    TypeInfo,
    UnaryExpr,
    Var,
)

from arraytyping.scalars import SCALARS
from arraytyping.semantics.avals import UNKNOWN, Alternatives, Scalar, Shape, ShapedArray, SymbolicDim
from arraytyping.semantics.sizes.dims import add_dims, divide_dim, multiply_dims, subtract_dims
from arraytyping_mypy.frameworks import DTYPE_NAMES
from arraytyping_mypy.named_sizes import has_symbols
from arraytyping_mypy.own_names import jax_name

__all__ = ["Reader", "constant", "shape_in"]

Reader = Callable[[Expression], Any]
"""From a sub-expression to its abstract value, by whatever means (also its type)."""

_CONSTANTS: Final[dict[str, Any]] = {
    "builtins.True": True,
    "builtins.False": False,
    "builtins.None": None,
    "builtins.Ellipsis": Ellipsis,
    "jax.numpy.newaxis": None,
    "numpy.newaxis": None,
    "jax.numpy.pi": 3.141592653589793,
    "numpy.pi": 3.141592653589793,
    "math.pi": 3.141592653589793,
    "jax.numpy.e": 2.718281828459045,
    "numpy.e": 2.718281828459045,
    "jax.numpy.inf": float("inf"),
    "numpy.inf": float("inf"),
    "math.inf": float("inf"),
    "jax.numpy.nan": float("nan"),
    "numpy.nan": float("nan"),
}
_BINARY: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "/": operator.truediv,
    "%": operator.mod, "**": lambda a, b: _power(a, b),
}  # fmt: skip
_UNARY: Final[dict[str, Callable[[Any], Any]]] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
_NUMBERS: Final = (bool, int, float, complex)
LARGE: Final = 1 << 64
"""Numbers and sequences past this are not computed."""


def constant(expression: Expression, read: Reader) -> Any:
    """The value of an expression that can be read off, else UNKNOWN; `read` gives that of its parts."""
    rule = _RULES.get(type(expression))
    return UNKNOWN if rule is None else rule(expression, read)


def _literal(e: Any, read: Reader) -> Any:
    return e.value


def _ellipsis(e: EllipsisExpr, read: Reader) -> Any:
    return Ellipsis


def _reference(e: RefExpr, read: Reader) -> Any:
    name = jax_name(e.fullname)
    if name in DTYPE_NAMES:
        return DTYPE_NAMES[name]
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    node = e.node
    if isinstance(node, Var) and node.is_final and node.final_value is not None:
        return node.final_value
    if isinstance(e, MemberExpr) and e.name == "dtype":
        array = read(e.expr)
        if isinstance(array, ShapedArray) and array.dtype in SCALARS and array.weak_type is False:
            return SCALARS[array.dtype]
    if isinstance(e, MemberExpr) and e.name == "shape":
        shape = shape_in(read(e.expr))
        if has_symbols(shape):
            return tuple(Scalar("int") if d is None else d for d in shape or ())
    if isinstance(node, TypeInfo):
        return DTYPE_NAMES.get(node.fullname, UNKNOWN)
    return UNKNOWN


def shape_in(value: object) -> Shape | None:
    """The shape of an array, where it is the same whatever else is unknown."""
    values = value.values if isinstance(value, Alternatives) else (value,)
    shapes = {v.shape if isinstance(v, ShapedArray) else None for v in values}
    return shapes.pop() if len(shapes) == 1 else None


def _unary(e: UnaryExpr, read: Reader) -> Any:
    value = read(e.expr)
    if isinstance(value, _NUMBERS):
        if e.op == "not":
            return not value
        if e.op in _UNARY and not (e.op == "~" and isinstance(value, float | complex)):
            return _UNARY[e.op](value)
    return UNKNOWN


def _binary(e: OpExpr, read: Reader) -> Any:
    if e.op not in _BINARY:
        return UNKNOWN
    a, b = read(e.left), read(e.right)
    if isinstance(a, SymbolicDim) or isinstance(b, SymbolicDim):
        return _of_sizes(e.op, a, b)
    numbers = isinstance(a, _NUMBERS) and isinstance(b, _NUMBERS)
    joined = e.op == "+" and type(a) is type(b) and isinstance(a, tuple | list | str)
    repeated = e.op == "*" and isinstance(a, tuple | list) and isinstance(b, int) and len(a) * abs(b) < 1000
    if not (numbers or joined or repeated):
        return UNKNOWN
    try:
        value = _BINARY[e.op](a, b)
    except (ArithmeticError, TypeError):
        return UNKNOWN
    return UNKNOWN if isinstance(value, int) and abs(value) > LARGE else value


def _power(a: Any, b: Any) -> Any:
    """A power of numbers; raises ArithmeticError for one too large to be computed."""
    if isinstance(b, int) and abs(b) > 64:
        raise OverflowError
    return a**b


def _of_sizes(op: str, a: Any, b: Any) -> Any:
    """Arithmetic with sizes that are known by name."""
    if not all(isinstance(v, SymbolicDim) or type(v) is int for v in (a, b)):
        return UNKNOWN
    found = {
        "+": lambda: add_dims((a, b)),
        "-": lambda: subtract_dims(a, b),
        "*": lambda: multiply_dims((a, b)),
        "//": lambda: divide_dim(a, b),
    }.get(op, lambda: None)()
    return UNKNOWN if found is None else found


def _items(e: TupleExpr | ListExpr, read: Reader) -> list[Any] | None:
    items: list[Any] = []
    for item in e.items:
        if isinstance(item, StarExpr):
            inner = read(item.expr)
            if not isinstance(inner, tuple | list):
                return None
            items.extend(inner)
        else:
            items.append(read(item))
    return items


def _tuple(e: TupleExpr, read: Reader) -> Any:
    items = _items(e, read)
    return UNKNOWN if items is None else tuple(items)


def _list(e: ListExpr, read: Reader) -> Any:
    items = _items(e, read)
    return UNKNOWN if items is None else items


def _slice(e: SliceExpr, read: Reader) -> Any:
    return slice(*(None if part is None else read(part) for part in (e.begin_index, e.end_index, e.stride)))


def _index(e: IndexExpr, read: Reader) -> Any:
    base = read(e.base)
    if not isinstance(base, tuple | list | str):
        return UNKNOWN
    key = read(e.index)
    if isinstance(key, int) or (
        isinstance(key, slice) and all(p is None or isinstance(p, int) for p in (key.start, key.stop, key.step))
    ):
        try:
            return base[key]
        except (IndexError, ValueError):
            return UNKNOWN
    return UNKNOWN


def _call(e: CallExpr, read: Reader) -> Any:
    if not isinstance(e.callee, RefExpr) or len(e.args) != 1 or e.arg_names != [None] or e.arg_kinds[0].is_star():
        return UNKNOWN
    name = jax_name(e.callee.fullname)
    if name == "builtins.len":
        value = read(e.args[0])
        if (shape := shape_in(value)) and isinstance(shape[0], SymbolicDim):
            return shape[0]
        return len(value) if isinstance(value, tuple | list | str) else UNKNOWN
    if name in ("builtins.tuple", "builtins.list"):
        value = read(e.args[0])
        return (tuple if name == "builtins.tuple" else list)(value) if isinstance(value, tuple | list) else UNKNOWN
    if name in ("numpy.dtype", "jax.numpy.dtype"):
        value = read(e.args[0])
        return value if isinstance(value, type | str) else UNKNOWN
    return UNKNOWN


_RULES: Final[dict[type, Callable[[Any, Reader], Any]]] = {
    IntExpr: _literal,
    FloatExpr: _literal,
    ComplexExpr: _literal,
    StrExpr: _literal,
    EllipsisExpr: _ellipsis,
    NameExpr: _reference,
    MemberExpr: _reference,
    UnaryExpr: _unary,
    OpExpr: _binary,
    TupleExpr: _tuple,
    ListExpr: _list,
    SliceExpr: _slice,
    IndexExpr: _index,
    CallExpr: _call,
}
