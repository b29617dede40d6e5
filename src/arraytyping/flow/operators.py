"""Operators and comparisons, by the sorts of their operands: arrays go to an engine, Python's own are done here."""

from __future__ import annotations

import ast
import enum
import operator
import os
import re
from typing import Any, Final

from arraytyping.flow.adapters.stateful import is_stateful_class
from arraytyping.flow.identity import identity
from arraytyping.flow.interpreter import Interpreter
from arraytyping.flow.joins import SCALARS, join, join_all, scalar_kinds
from arraytyping.flow.sizes import Size
from arraytyping.flow.values import (
    MISSING,
    ArrayValue,
    BoundMethod,
    ClassValue,
    DictValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    IteratorValue,
    JitValue,
    ListValue,
    NumPyValue,
    OneOf,
    PartialValue,
    ScalarValue,
    SetValue,
    TreeValue,
    Unknown,
    Value,
    is_exact,
)

__all__ = ["binary", "unary"]

COMPARISONS: Final = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
_REFLECTED: Final = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}
SYMBOLS: Final = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@",
    "and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "neg": "-", "pos": "+", "invert": "~",
}  # fmt: skip
_SAMPLES: Final[dict[type, Any]] = {bool: True, int: 2, float: 2.0, complex: 2j, str: "a", bytes: b"a"}
_NOT_ARRAYS: Final = (ListValue, DictValue, SetValue, FunctionValue, PartialValue, JitValue, BoundMethod, HandlerValue)
_CONTAINERS: Final = (ListValue, DictValue, SetValue, IteratorValue, tuple)


def plain(name: str) -> str:
    """The operator of an in-place operator."""
    if name[0] == "i" and name not in ("invert", "is_", "is_not", "in"):
        name = name[1:]
        return name + "_" if name in ("and", "or") else name
    return name


def binary(it: Interpreter, name: str, a: Any, b: Any, node: ast.AST | None) -> Any:
    """The result of a binary operator or a comparison."""
    if isinstance(a, OneOf) or isinstance(b, OneOf):
        return _each(it, name, a, b, node)
    if name in ("is_", "is_not"):
        return _negated(_is(a, b), name == "is_not")
    if name in ("in", "not_in"):
        return _negated(_contains(it, b, a, node), name == "not_in")
    op = plain(name)
    if isinstance(a, InstanceValue | ClassValue) or isinstance(b, InstanceValue | ClassValue):
        return _dunder(it, name, op, a, b, node)
    arrays = (ArrayValue, NumPyValue)
    if op == "mod" and isinstance(a, str) and isinstance(b, arrays):
        return ScalarValue(str)  # the text of an array
    if isinstance(a, arrays) or isinstance(b, arrays):
        return _arrays(it, op, a, b, node)
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        why = a.why if isinstance(a, Unknown) else b.why
        return it.unknown(why)
    if isinstance(a, TreeValue) or isinstance(b, TreeValue):
        return it.engines.call(it, getattr(operator, op), [a, b], {}, node)
    if op == "mod" and str in scalar_kinds(a):
        return _formatted(it, a, b, node)
    if isinstance(a, ScalarValue) or isinstance(b, ScalarValue):
        return _scalars(it, op, a, b, node)
    if op in ("eq", "ne"):
        return _negated(_equal(it, a, b), op == "ne")
    if isinstance(a, _CONTAINERS) or isinstance(b, _CONTAINERS):
        return _containers(it, op, a, b, node)
    if is_stateful_class(type(a)) or is_stateful_class(type(b)):
        return it.engines.call(it, getattr(operator, op), [a, b], {}, node)
    if is_exact(a) and is_exact(b):
        return _exact(it, op, (a, b), node)
    return it.unknown(f"{SYMBOLS.get(op, op)} of what is not understood")


def unary(it: Interpreter, name: str, a: Any, node: ast.AST | None) -> Any:
    """The result of a unary operator."""
    if isinstance(a, OneOf):
        with it.quietly():
            return join_all(unary(it, name, v, node) for v in a.values)
    if isinstance(a, ArrayValue | NumPyValue):
        return it.engines.unary(it, name, a, node)
    if isinstance(a, Unknown):
        return a
    if isinstance(a, InstanceValue):
        method = a.cls.find(f"__{name}__")
        return it.call(method, [a], {}, node) if method is not MISSING else it.unknown("an operator of a class")
    if isinstance(a, ScalarValue):
        if name == "neg" and a.size is not None:
            return ScalarValue(int, size=-a.size)
        kinds = {type(getattr(operator, name)(_SAMPLES[k])) for k in a.kinds if k in (bool, int, float, complex)}
        return ScalarValue(*sorted(kinds, key=SCALARS.index)) if kinds else it.unknown("an operator of a string")
    if is_exact(a):
        return _exact(it, name, (a,), node)
    return it.unknown(f"{name} of what is not understood")


def _each(it: Interpreter, name: str, a: Any, b: Any, node: ast.AST | None) -> Any:
    """The join over all alternatives; a mistake only if every one of them is."""
    pairs = [
        (x, y)
        for x in (a.values if isinstance(a, OneOf) else (a,))
        for y in (b.values if isinstance(b, OneOf) else (b,))
    ]
    results = []
    wrong = 0
    for x, y in pairs:
        suspects = it.suspects
        with it.quietly():
            result = binary(it, name, x, y, node)
        if it.suspects > suspects:
            wrong += 1
        else:
            results.append(result)
    if wrong == len(pairs):
        return binary(it, name, *pairs[-1], node)
    return join_all(results)


def _negated(value: Any, negate: bool) -> Any:
    return (not value) if negate and isinstance(value, bool) else value


def _is(a: Any, b: Any) -> Any:
    if a is b:
        return True if not isinstance(a, ScalarValue | Unknown) else ScalarValue(bool)
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return Unknown("the identity of something unknown")
    if a is None or b is None:
        return False
    if isinstance(a, ScalarValue) or isinstance(b, ScalarValue):
        return ScalarValue(bool) if set(scalar_kinds(a)) & set(scalar_kinds(b)) else False
    if isinstance(a, Value) != isinstance(b, Value):
        return False
    if isinstance(a, Value):
        # Two descriptions of what may be one object.
        return False if type(a) is not type(b) else ScalarValue(bool)
    return (
        a is b
        if isinstance(a, bool | type | enum.Enum) or isinstance(b, bool | type | enum.Enum)
        else (a is b) or ScalarValue(bool)
    )


def _contains(it: Interpreter, container: Any, value: Any, node: ast.AST | None) -> Any:
    if isinstance(container, Unknown):
        return container
    if container is os.environ:
        return ScalarValue(bool)
    if isinstance(container, InstanceValue):
        method = container.cls.find("__contains__")
        return it.call(method, [container, value], {}, node) if method is not MISSING else it.unknown("in of a class")
    if isinstance(container, DictValue | SetValue):
        if container.items is None:
            return ScalarValue(bool)
        return _found(value, container.items)
    if isinstance(container, ListValue | IteratorValue | tuple):
        items = container if isinstance(container, tuple) else container.items
        if items is None:
            return ScalarValue(bool)
        results = [
            it.truth(binary(it, "eq", value, item, None), None) if not isinstance(value, ArrayValue) else None
            for item in items
        ]
        return True if True in results else ScalarValue(bool) if None in results else False
    if is_exact(container) and is_exact(value):
        try:
            return bool(value in container)
        except TypeError as error:
            return it.fail(node, "array-call", f"TypeError: {error}")
        except Exception:
            return it.unknown("in of a library's object")
    return ScalarValue(bool)


def _found(value: Any, keys: Any) -> Any:
    if isinstance(value, ClassValue) and all(map(is_exact, keys)):
        return False
    if not is_exact(value):
        return ScalarValue(bool)
    try:
        return value in keys
    except TypeError:
        return ScalarValue(bool)


def _dunder(it: Interpreter, name: str, op: str, a: Any, b: Any, node: ast.AST | None) -> Any:
    stem = op.rstrip("_")
    if isinstance(a, InstanceValue):
        names = ((f"__{name.rstrip('_')}__",) if name != op else ()) + (f"__{stem}__",)
        for n in names:
            if (method := a.cls.find(n)) is not MISSING:
                return it.call(method, [a, b], {}, node)
    if isinstance(b, InstanceValue):
        reflected = _REFLECTED[op] if op in COMPARISONS else f"r{stem}"
        if (method := b.cls.find(f"__{reflected}__")) is not MISSING:
            return it.call(method, [b, a], {}, node)
    if op in ("eq", "ne"):
        if (
            isinstance(a, InstanceValue)
            and isinstance(b, InstanceValue)
            and a.cls is b.cls
            and a.cls.kind == "dataclass"
        ):
            return ScalarValue(bool) if a is not b else op == "eq"
        if isinstance(a, Unknown) or isinstance(b, Unknown):
            return it.unknown("a comparison with something unknown")
        return _negated(
            a is b
            or (ScalarValue(bool) if type(a) is type(b) and a.__class__ is InstanceValue and a.cls is b.cls else False),
            op == "ne",
        )
    return it.unknown(f"{SYMBOLS.get(op, op)} of a class of the program")


def _arrays(it: Interpreter, op: str, a: Any, b: Any, node: ast.AST | None) -> Any:
    for value in (a, b):
        if isinstance(value, TreeValue):
            return it.unknown("an operator of a library's object")
        is_jax = isinstance(a, ArrayValue) or isinstance(b, ArrayValue)
        if is_jax and (
            value is None or isinstance(value, _NOT_ARRAYS) or str in scalar_kinds(value) or isinstance(value, tuple)
        ):
            if op in ("eq", "ne"):
                return it.unknown("a comparison of an array with what is no array")
            if isinstance(a, NumPyValue) or isinstance(b, NumPyValue):
                continue
            other = {None: "None"}.get(value, "") if value is None else kind_name(value)
            return it.fail(
                node, "array-call", f"TypeError: unsupported operands of {SYMBOLS.get(op, op)}: an array and {other}"
            )
    return it.engines.binary(it, op, a, b, node)


def kind_name(value: Any) -> str:
    """What sort of thing a value is, as a message names it."""
    if isinstance(value, ListValue | DictValue | SetValue):
        return f"a {value.kind.__name__}"
    if isinstance(value, InstanceValue):
        return f"an instance of {value.cls.name}"
    if isinstance(value, FunctionValue | BoundMethod | PartialValue | JitValue | HandlerValue):
        return "a function"
    if isinstance(value, ScalarValue):
        return f"a {value.kinds[0].__name__}"
    return "None" if value is None else f"a {type(value).__name__}"


def _formatted(it: Interpreter, a: Any, b: Any, node: ast.AST | None) -> Any:
    if isinstance(a, str) and is_exact(b):
        return _exact(it, "mod", (a, b), node)
    return ScalarValue(str)


def _scalars(it: Interpreter, op: str, a: Any, b: Any, node: ast.AST | None) -> Any:
    kinds_a, kinds_b = scalar_kinds(a), scalar_kinds(b)
    if not kinds_a or not kinds_b:
        if op in ("eq", "ne"):
            return op == "ne" if a is None or b is None else ScalarValue(bool)
        return _repeated(it, op, a, b, node)
    sizes = _sizes(op, a, b)
    if sizes is not None:
        return sizes
    if op in COMPARISONS:
        return ScalarValue(bool)
    found: set[type] = set()
    for x in kinds_a:
        for y in kinds_b:
            try:
                found.add(type(getattr(operator, op)(_SAMPLES[x], _SAMPLES[y])))
            except TypeError:
                continue
            if op == "pow" and y in (int, bool) and x in (int, bool) and not (type(b) is int and b >= 0):
                found.add(float)
            elif op == "pow" and x is float and y is float:
                found.add(complex) if not (isinstance(a, float) and a > 0) and not isinstance(b, float) else None
    if not found:
        names = f"{kinds_a[0].__name__} and {kinds_b[0].__name__}"
        return it.fail(node, "array-call", f"TypeError: unsupported operands of {SYMBOLS.get(op, op)}: {names}")
    return ScalarValue(*sorted(found, key=SCALARS.index))


def size_of_int(value: Any) -> Size | None:
    """The size that an int is, known or symbolic."""
    if type(value) is int:
        return Size({(): value})
    return value.size if isinstance(value, ScalarValue) else None


def from_size(size: Size) -> Any:
    """An int of this size."""
    number = size.constant
    return ScalarValue(int, size=size) if number is None else number


def _sizes(op: str, a: Any, b: Any) -> Any:
    """The result of an operator on integers that are known as expressions in symbols; None if it is not known."""
    x, y = size_of_int(a), size_of_int(b)
    if x is None or y is None:
        return None
    if op == "add":
        return from_size(x + y)
    if op == "sub":
        return from_size(x - y)
    if op == "mul":
        return from_size(x * y)
    if op == "floordiv":
        quotient = x.exact_division(y)
        return None if quotient is None else from_size(quotient)
    if op == "mod" and x.exact_division(y) is not None:
        return 0
    if op in COMPARISONS:
        low, high = (x - y).bounds()
        if low == high == 0:
            return op in ("eq", "le", "ge")
        if low is not None and (low > 0 or (low == 0 and op in ("ge", "lt"))):
            return op in ("gt", "ge", "ne")
        if high is not None and (high < 0 or (high == 0 and op in ("le", "gt"))):
            return op in ("lt", "le", "ne")
    return None


def _repeated(it: Interpreter, op: str, a: Any, b: Any, node: ast.AST | None) -> Any:
    """A sequence times an unknown number, and the like."""
    for sequence, other in ((a, b), (b, a)):
        if op == "mul" and isinstance(sequence, ListValue | tuple) and isinstance(other, ScalarValue):
            items, element = it.iterate(sequence, node)
            joined = join_all(items) if items is not None else element
            if isinstance(sequence, ListValue):
                return ListValue(None, joined)
    if op in COMPARISONS:
        return ScalarValue(bool)
    return it.unknown(f"{SYMBOLS.get(op, op)} of an unknown scalar and what is no scalar")


def _equal(it: Interpreter, a: Any, b: Any) -> Any:
    containers = (ListValue, DictValue, SetValue, tuple)
    for x, y in ((a, b), (b, a)):
        if isinstance(x, containers) and (y is None or type(y) in SCALARS):
            return False
    if is_exact(a) and is_exact(b):
        try:
            return bool(a == b)
        except Exception:
            return ScalarValue(bool)
    if isinstance(a, tuple) and isinstance(b, tuple):
        if len(a) != len(b):
            return False
        return _all_equal(it, a, b)
    if isinstance(a, ListValue) and isinstance(b, ListValue) and a.items is not None and b.items is not None:
        return _all_equal(it, tuple(a.items), tuple(b.items)) if len(a.items) == len(b.items) else False
    if type(a) is not type(b) and (
        isinstance(a, tuple | ListValue | DictValue) and isinstance(b, tuple | ListValue | DictValue)
    ):
        return False
    if isinstance(a, FunctionValue | ClassValue) and isinstance(b, FunctionValue | ClassValue):
        return a is b
    if (
        isinstance(a, SetValue | DictValue)
        and type(a) is type(b)
        and identity(a) == identity(b)
        and a.items is not None
    ):
        if all(is_exact(v) for v in (a.items.values() if isinstance(a, DictValue) else a.items)):
            return True
    return ScalarValue(bool)


def _all_equal(it: Interpreter, a: tuple[Any, ...], b: tuple[Any, ...]) -> Any:
    results = []
    for x, y in zip(a, b):
        with it.quietly():
            results.append(it.truth(binary(it, "eq", x, y, None), None))
    return False if False in results else ScalarValue(bool) if None in results else True


def _containers(it: Interpreter, op: str, a: Any, b: Any, node: ast.AST | None) -> Any:
    if op in ("and_", "or_", "sub", "xor"):
        a, b = _view_as_set(a), _view_as_set(b)
    if op == "add":
        if isinstance(a, tuple) and isinstance(b, tuple):
            return it.unknown("a huge sequence") if _is_huge(op, a, b) else tuple(a) + tuple(b)
        if isinstance(a, ListValue) and isinstance(b, ListValue):
            if a.items is not None and b.items is not None and len(a.items) + len(b.items) <= _LARGEST:
                return ListValue([*a.items, *b.items], kind=a.kind)
            return ListValue(None, join_all([*(a.items or ()), *(b.items or ()), a.element, b.element]), a.kind)
    if op == "mul":
        for sequence, count in ((a, b), (b, a)):
            if type(count) in (int, bool):
                if isinstance(sequence, tuple):
                    return it.unknown("a huge sequence") if _is_huge(op, a, b) else tuple(sequence) * count
                if isinstance(sequence, ListValue):
                    if sequence.items is None:
                        return ListValue(None, sequence.element)
                    if len(sequence.items) * count > _LARGEST:
                        return ListValue(None, join_all(sequence.items))
                    return ListValue(sequence.items * count)
    if op == "or_" and isinstance(a, DictValue) and isinstance(b, DictValue):
        result = DictValue(None if a.items is None else dict(a.items), a.key, a.element, a.kind)
        it.call(it.get_attribute(result, "update", node), [b], {}, node)
        return result
    if isinstance(a, SetValue) and isinstance(b, SetValue):
        return _sets(op, a, b)
    if op in COMPARISONS:
        if isinstance(a, tuple) and isinstance(b, tuple) and is_exact(a) and is_exact(b):
            return _exact(it, op, (a, b), node)
        return ScalarValue(bool)
    if all(isinstance(v, ListValue | DictValue | SetValue | tuple | int | float | str) or v is None for v in (a, b)):
        names = f"{kind_name(a)} and {kind_name(b)}"
        return it.fail(node, "array-call", f"TypeError: unsupported operands of {SYMBOLS.get(op, op)}: {names}")
    return it.unknown(f"{SYMBOLS.get(op, op)} of containers")


def _view_as_set(value: Any) -> Any:
    """The keys or items of a dict are sets for operators."""
    if isinstance(value, ListValue) and value.kind.__name__ in ("dict_keys", "dict_items"):
        if value.items is not None and all(map(is_exact, value.items)):
            return SetValue(dict.fromkeys(value.items))
        return SetValue(None, value.element if value.items is None else join_all(value.items))
    return value


def _sets(op: str, a: SetValue, b: SetValue) -> Any:
    if op in COMPARISONS:
        if a.items is None or b.items is None:
            return ScalarValue(bool)
        return bool(getattr(operator, op)(set(a.items), set(b.items)))
    if a.items is None or b.items is None:
        return SetValue(
            None,
            join(
                a.element if a.items is None else join_all(a.items), b.element if b.items is None else join_all(b.items)
            ),
            a.kind,
        )
    kept = getattr(operator, op)(set(a.items), set(b.items))
    return SetValue({k: None for k in [*a.items, *b.items] if k in kept}, kind=a.kind)


def _exact(it: Interpreter, op: str, operands: tuple[Any, ...], node: ast.AST | None) -> Any:
    if len(operands) == 2 and _is_huge(op, *operands):
        kinds = {type(v) for v in operands} & {str, bytes} or {type(v) for v in operands} & {tuple} or {int}
        (kind,) = kinds if len(kinds) == 1 else (tuple,)
        return it.unknown("a huge sequence") if kind is tuple else ScalarValue(kind)
    try:
        return it.engines.from_python(getattr(operator, op)(*operands))
    except (TypeError, ValueError, ZeroDivisionError, OverflowError) as error:
        return it.fail(node, "array-call", f"{type(error).__name__}: {error}")
    except Exception as error:
        return it.unknown(f"{SYMBOLS.get(op, op)} failed: {type(error).__name__}")


_LARGEST: Final = 1_000_000
"""The most bits of a number, or items of a sequence, that are computed."""


def _is_huge(op: str, a: Any, b: Any) -> bool:
    """Whether the result has more bits or items than are computed."""
    if type(a) is int and type(b) is int:
        if op == "pow":
            return abs(a) > 1 and b * a.bit_length() > _LARGEST
        return (op == "lshift" and b > _LARGEST) or (op == "mul" and a.bit_length() + b.bit_length() > _LARGEST)
    if op == "add":
        return all(isinstance(v, str | bytes | tuple) for v in (a, b)) and len(a) + len(b) > _LARGEST
    if op == "mul":
        return any(
            isinstance(s, str | bytes | tuple) and type(n) is int and len(s) * n > _LARGEST for s, n in ((a, b), (b, a))
        )
    if op == "mod" and type(a) in (str, bytes):
        digits = re.findall(r"\d+", a if isinstance(a, str) else a.decode("latin-1"))
        widths = [
            *map(int, digits),
            *(v for v in (b if type(b) is tuple else (b,)) if type(v) is int and "*" in str(a)),
        ]
        return max(widths, default=0) > _LARGEST
    return False
