"""Operations that may raise because of what is known only in part: an index of an unknown int, a size that data decide.

Inside of a `try` or `with` each is counted (`Interpreter.obscure`), so that the handlers are followed too.  What never
raises, whatever the values of these types are, is not: the sum of two numbers, `append`, `len`.
"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Iterable
from typing import Any, Final

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    ArrayValue,
    ClassValue,
    DictValue,
    FunctionValue,
    IteratorValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    SetValue,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
)
from arraytyping.checker.swallowed import swallow

__all__ = [
    "note_attribute",
    "note_call",
    "note_comparison",
    "note_drawn",
    "note_item",
    "note_keys",
    "note_method",
    "note_operator",
    "note_stored",
    "note_values",
]

_DEPTH: Final = 3
_LOOKED_AT: Final = 32
_NUMBERS: Final = frozenset({bool, int, float, complex})
_TAKE_ANYTHING: Final[tuple[Any, ...]] = (
    print, isinstance, type, id, callable, hasattr, repr, str, len, bool, list, tuple, enumerate,
)  # fmt: skip
"""What raises for no argument of a type that it takes, as programs are written."""
_OF_NUMBERS: Final[tuple[Any, ...]] = (bin, chr, complex, divmod, float, hex, int, oct, ord, pow, range, round)
_CHECKING: Final[tuple[Any, ...]] = (hasattr, getattr, isinstance, issubclass)
_OF_ITERABLES: Final[tuple[Any, ...]] = (enumerate, frozenset, iter, map, max, min, set, sorted, sum, zip)
_ODD: Final = (SetValue, DictValue, slice, bytes, FunctionValue)
_TOTAL_METHODS: Final = frozenset({
    "append", "appendleft", "capitalize", "clear", "copy", "endswith", "extend", "extendleft", "find", "insert",
    "isalpha", "isdigit", "isspace", "items", "join", "keys", "lower", "lstrip", "replace", "reverse", "rfind",
    "rstrip", "startswith", "strip", "swapcase", "title", "upper", "values", "write",
})  # fmt: skip
"""Methods of strings and containers that raise for no argument of a type that they take."""
_HASHING_METHODS: Final = frozenset({
    "add", "difference", "discard", "get", "intersection", "isdisjoint", "issubset", "issuperset", "setdefault",
    "symmetric_difference", "union", "update",
})  # fmt: skip
"""Those that raise only where an argument cannot be hashed."""
_WITH_AXIS: Final = frozenset({
    "all", "any", "argmax", "argmin", "argsort", "cumprod", "cumsum", "max", "mean", "min", "prod", "ptp", "sort",
    "reshape", "squeeze", "std", "sum", "transpose", "var",
})  # fmt: skip
_COMMON_DRAWS: Final = frozenset({"integers", "normal", "randint", "random", "standard_normal", "uniform"})
_LOOSE_METHODS: Final = frozenset({
    "byteswap", "copy", "diagonal", "fill", "flatten", "item", "partition", "put", "ravel", "repeat", "reshape",
    "resize", "setfield", "setflags", "sort", "tobytes", "trace", "view",
})  # fmt: skip
"""Methods of NumPy's arrays whose arguments are not all looked at."""
_TOTAL_OF_NUMBERS: Final = frozenset({"add", "sub", "mul"})
_DIVIDING: Final = frozenset({"truediv", "floordiv", "mod"})


def note_values(it: Interpreter, *values: Value) -> None:
    """What is done here with the values raises for some that they may be."""
    if it.attempts and any(_is_open(v) for v in values):
        it.obscure += 1


def note_call(it: Interpreter, function: Value, args: list[Value], kwargs: dict[str, Value]) -> None:
    """A function of a library, or of Python, is called."""
    if it.attempts and (not _binds(function, args, kwargs) or _takes_odd(function, args)):
        it.obscure += 1
    elif it.attempts and not any(function is f for f in _TAKE_ANYTHING):
        counts_itself = function is int or function is float
        if counts_itself or (function is range and len(args) < 3):
            args = [v for v in args if not isinstance(v, ScalarValue)]
        if any(_is_open(v) or _has_open_data(v) for v in (*args, *kwargs.values())):
            it.obscure += 1


def _binds(function: Any, args: list[Value], kwargs: dict[str, Value]) -> bool:
    """Whether a function takes so many arguments, of these names, as far as it says."""
    try:
        signature = _signature(function)
    except TypeError:  # it has no hash
        signature = _signature.__wrapped__(function)
    if not isinstance(signature, inspect.Signature):
        return signature
    try:
        signature.bind(*args, **kwargs)
    except TypeError:
        return False
    return True


@functools.lru_cache(maxsize=4096)
def _signature(function: Any) -> inspect.Signature | bool:
    """What a callable takes; True: it does not say, False: it is none."""
    try:
        return inspect.signature(function)
    except TypeError:
        return False
    except Exception as error:  # many of those written in C say nothing
        swallow(error)
        return True


def _takes_odd(function: Value, args: list[Value]) -> bool:
    """Whether a function gets what no program gives it that means well."""
    if any(function is f for f in _OF_NUMBERS):
        return not all(isinstance(v, int | float | complex | str | ScalarValue) for v in args) or not args
    if any(function is f for f in _CHECKING):
        return not isinstance(args[-1] if args else None, str | type | tuple | ClassValue)
    if any(function is f for f in _OF_ITERABLES):
        return any(v is None or callable(v) or isinstance(v, slice | float | complex) for v in args[-1:])
    space = getattr(function, "__module__", None) or type(function).__module__
    return space.startswith("numpy") and any(isinstance(v, _ODD) or v is Ellipsis for v in args)


def note_method(it: Interpreter, receiver: Value, name: str, args: list[Value], kwargs: dict[str, Value]) -> None:
    """A method of a container, a string or an array is called."""
    if not it.attempts:
        return
    given = [*args, *kwargs.values()]
    if isinstance(receiver, ArrayValue | NumPyValue | TreeValue):
        is_open = any(_is_open(v) for v in (receiver, *given)) or any(map(_has_open_data, given))
        is_open = is_open or _is_odd(receiver, name, given)
    elif name in _TOTAL_METHODS:
        is_open = any(isinstance(v, UnionValue) for v in given) or (name == "join" and _is_open(given))
    elif name in _HASHING_METHODS:
        is_open = any(isinstance(v, UnionValue | Unknown) for v in given)
    elif name == "pop" and isinstance(receiver, DictValue) and len(given) > 1:
        is_open = isinstance(given[0], UnionValue | Unknown)
    else:
        is_open = any(_is_open(v) for v in (receiver, *given))
    is_text = isinstance(receiver, str | bytes | int | float | complex | ScalarValue)
    it.obscure += is_open or (is_text and any(isinstance(v, ArrayValue | NumPyValue) for v in given))


def note_drawn(it: Interpreter, name: str, args: list[Any], kwargs: dict[str, Any]) -> None:
    """Numbers are drawn by a function of `numpy.random`, whose rules look at shapes and not at parameters."""
    if not it.attempts or (name in ("rand", "randn") and all(type(v) is int and v >= 0 for v in args)):
        return
    parameters, size = args[:2], [*args[2:], *kwargs.values()]
    if name in ("standard_normal", "random"):
        parameters, size = [], [*args, *kwargs.values()]
    are_taken = all(type(v) in (int, float) and v >= 0 for v in parameters)
    if name in ("integers", "randint"):
        bounds = parameters if len(parameters) == 2 else [0, *parameters]
        are_taken = len(bounds) == 2 and all(type(v) is int for v in bounds) and 0 <= bounds[0] < bounds[1] < 2**31
    sizes = [i for v in size for i in (v if isinstance(v, tuple) else (v,))]
    if name not in _COMMON_DRAWS or not are_taken or not all(type(v) is int and v >= 0 for v in sizes):
        it.obscure += 1


def note_operator(it: Interpreter, op: str, a: Value, b: Value) -> None:
    """Two operands meet in an operator that is no comparison."""
    if it.attempts and (_is_open(a) or _is_open(b)) and not _is_total(op.removesuffix("_"), a, b):
        it.obscure += 1


def note_comparison(it: Interpreter, op: ast.cmpop, a: Value, b: Value) -> None:
    """Two operands are compared."""
    if not it.attempts or isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn):
        return
    is_ordered = not isinstance(op, ast.Eq | ast.NotEq)
    kinds = _kinds(a), _kinds(b)
    if is_ordered and (kinds[0] <= _NUMBERS - {complex} and kinds[1] <= _NUMBERS - {complex}):
        return
    if is_ordered and kinds == (frozenset({str}), frozenset({str})):
        return
    arrays = [v for v in (a, b) if isinstance(v, ArrayValue | NumPyValue)]
    if any(map(_is_open, arrays)) or (is_ordered and (_is_open(a) or _is_open(b))):
        it.obscure += 1


def note_item(it: Interpreter, owner: Value, index: Value) -> None:
    """An item is taken, put or deleted; of lists, tuples and dicts it is counted where that is done."""
    if not it.attempts:
        return
    parts = index if isinstance(index, tuple) else (index,)
    has_open_slice = any(isinstance(v, slice) and _is_open(v.step) for v in parts)
    hanging = [v for v in parts if not isinstance(v, slice)]
    if has_open_slice or _is_open(owner) or any(_is_open(v) or _has_open_data(v) for v in hanging):
        it.obscure += 1


def note_keys(it: Interpreter, keys: Iterable[Value]) -> None:
    """Keys of a dict or items of a set, which must be hashable."""
    if it.attempts and any(isinstance(key, UnionValue | Unknown) for key in keys):
        it.obscure += 1


def note_stored(it: Interpreter, owner: Value, index: Value, value: Value) -> None:
    """An item is put: a dict takes it under any key that can be hashed."""
    if isinstance(owner, DictValue):
        note_keys(it, [index])
    else:
        note_item(it, owner, index)
        if isinstance(owner, NumPyValue):
            note_values(it, value)


def note_attribute(it: Interpreter, owner: Value) -> None:
    """An attribute is taken of one of several values, some of which may not have it."""
    if it.attempts and isinstance(owner, UnionValue):
        it.obscure += 1


def _is_open(value: Value, depth: int = 0) -> bool:
    """Whether a value is one of several of which an operation may take one and refuse another."""
    if isinstance(value, Unknown | ScalarValue | UnionValue):
        return True
    if isinstance(value, ArrayValue):
        return value.aval.shape is None or value.aval.dtype is None or not _are_sizes(value.aval.shape)
    if isinstance(value, NumPyValue):
        return value.shape is None or value.dtype is None or not _are_sizes(value.shape)
    if isinstance(value, slice):
        return any(_is_open(v, depth) for v in (value.start, value.stop, value.step))
    if depth >= _DEPTH:
        return False
    if isinstance(value, ListValue | SetValue | IteratorValue):
        if isinstance(value, IteratorValue) and value.pending is not None:
            return True
        return value.items is None or any(_is_open(v, depth + 1) for v in list(value.items)[:_LOOKED_AT])
    if isinstance(value, DictValue):
        return value.items is None or any(_is_open(v, depth + 1) for v in list(value.items.values())[:_LOOKED_AT])
    if isinstance(value, TreeValue):
        return any(_is_open(v, depth + 1) for v in value.leaves[:_LOOKED_AT])
    return isinstance(value, tuple | list) and any(_is_open(v, depth + 1) for v in value[:_LOOKED_AT])


def _is_odd(receiver: Value, name: str, given: list[Value]) -> bool:
    """Whether a method of an array gets what few programs give it: not all of that is looked at."""
    if isinstance(receiver, ArrayValue):
        takes_axis = name in _WITH_AXIS and any(isinstance(v, ArrayValue | NumPyValue) for v in given)
        return receiver.is_key or takes_axis or (name in _WITH_AXIS and any(isinstance(v, str) for v in given))
    if name in _LOOSE_METHODS:
        return bool(given)
    if name == "astype":
        return any(isinstance(v, ArrayValue | NumPyValue | slice | float) for v in given)
    return any(isinstance(v, ArrayValue | slice | float | str) for v in given) and name != "clip"


def _are_sizes(shape: Iterable[Any]) -> bool:
    return all(isinstance(size, int) for size in shape)


def _has_open_data(value: Value) -> bool:
    """Whether a function of NumPy may refuse the elements of an array, which are not known."""
    return isinstance(value, NumPyValue) and value.data is None


def _kinds(value: Value) -> frozenset[type]:
    if isinstance(value, ScalarValue):
        return frozenset(value.kinds)
    return frozenset({type(value)})


def _is_total(op: str, a: Value, b: Any) -> bool:
    kinds = _kinds(a), _kinds(b)
    either = kinds[0] | kinds[1]
    if either <= _NUMBERS:
        if op in _TOTAL_OF_NUMBERS:
            return True
        is_concrete = not isinstance(b, ScalarValue)
        if op in _DIVIDING:
            return is_concrete and b != 0 and (op == "truediv" or complex not in either)
        if either <= {bool, int}:
            return op in ("and", "or", "xor") or (is_concrete and b >= 0 and op in ("pow", "lshift", "rshift"))
        return False
    if isinstance(a, ArrayValue | NumPyValue) != isinstance(b, ArrayValue | NumPyValue):
        array, other = (a, b) if isinstance(a, ArrayValue | NumPyValue) else (b, a)
        kind = _kinds(other)
        return not _is_open(array) and kind <= {bool, float} and op in {*_TOTAL_OF_NUMBERS, "truediv"}
    if op == "add":
        same = (frozenset({str}), frozenset({bytes}))
        return (kinds[0] == kinds[1] and kinds[0] in same) or _are_both((ListValue, tuple), a, b)
    if op == "mul":
        return either <= {str, int, bool} or (isinstance(a, ListValue | tuple) and kinds[1] <= {bool, int})
    return op in ("and", "or", "xor", "sub") and _are_both((SetValue, DictValue), a, b)


def _are_both(kinds: tuple[type, ...], a: Value, b: Value) -> bool:
    return any(isinstance(a, kind) and isinstance(b, kind) for kind in kinds)
