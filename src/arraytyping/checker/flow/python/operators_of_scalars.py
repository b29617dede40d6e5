"""Operators of Python's scalars and strings, and of concrete objects, whose results Python computes."""

from __future__ import annotations

import ast
import operator
from typing import Any, Final

from arraytyping.checker.flow.python.operator_names import COMPARISONS, SYMBOLS
from arraytyping.checker.flow.real_calls.costs import is_huge
from arraytyping.checker.flow.state.certainty import data_bool, depends_on_data
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import SCALARS, join_all, scalar_kinds
from arraytyping.checker.flow.values import DictValue, ListValue, OfNumPy, ScalarValue, SetValue, Value, is_concrete
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.sizes.operations import floor_division
from arraytyping.semantics.sizes.polynomials import Size, constant

__all__ = ["SAMPLES", "apply_concretely", "formatted", "from_size", "of_scalars", "size_of_int"]

SAMPLES: Final[dict[type, Any]] = {bool: True, int: 2, float: 2.0, complex: 2j, str: "a", bytes: b"a"}


def formatted(it: Interpreter, a: Value, b: Value, node: ast.AST | None) -> Value:
    """A format on the left of `%`."""
    if isinstance(a, str) and is_concrete(b):
        return apply_concretely(it, "mod", (a, b), node)
    return ScalarValue(str)


_DIVISIONS: Final = frozenset({"truediv", "floordiv", "mod", "divmod"})


def of_scalars(it: Interpreter, op: str, a: Value, b: Value, node: ast.AST | None) -> Value:
    """An operator one of whose operands is a scalar of unknown value."""
    kinds_a, kinds_b = scalar_kinds(a), scalar_kinds(b)
    if not kinds_a or not kinds_b:
        if op in ("eq", "ne"):
            return op == "ne" if _never_equal(a, b) or _never_equal(b, a) else data_bool(a, b)
        return _repeated(it, op, a, b, node)
    is_data = depends_on_data(a, b)
    if op in _DIVISIONS and (isinstance(b, ScalarValue) or not b):  # by zero, perhaps
        it.obscure += 1
    may_be_numpy = OfNumPy in kinds_a or OfNumPy in kinds_b
    sizes = _sizes(op, a, b)
    if sizes is not None:
        if may_be_numpy and type(sizes) is not bool:
            return ScalarValue(int, OfNumPy, size=size_of_int(sizes), is_data=is_data)
        if isinstance(sizes, ScalarValue):
            sizes.is_data = is_data
        return sizes
    if op in ("eq", "ne") and not any(_comparable(x, y) for x in kinds_a for y in kinds_b):
        return op == "ne"
    if op in COMPARISONS:
        return ScalarValue(bool, is_data=is_data)
    found: set[type] = set()
    for x in (k for k in kinds_a if k is not OfNumPy):
        for y in (k for k in kinds_b if k is not OfNumPy):
            try:
                found.add(type(getattr(operator, op)(SAMPLES[x], SAMPLES[y])))
            except TypeError:
                continue
            if op == "pow" and y in (int, bool) and x in (int, bool) and not (type(b) is int and b >= 0):
                found.add(float)
            elif op == "pow" and x is float and y is float:
                found.add(complex) if not (isinstance(a, float) and a > 0) and not isinstance(b, float) else None
    if not found:
        names = f"{kinds_a[0].__name__} and {kinds_b[0].__name__}"
        return it.fail(node, "array-call", f"TypeError: unsupported operands of {SYMBOLS.get(op, op)}: {names}")
    if may_be_numpy and not found <= {str, bytes}:
        found.add(OfNumPy)
    return ScalarValue(*sorted(found, key=SCALARS.index), is_data=is_data)


def _never_equal(scalar: Value, other: Value) -> bool:
    """Whether a Python scalar is never equal to something, for what that is."""
    if not isinstance(scalar, ScalarValue):
        return False
    return other is None or isinstance(other, ListValue | DictValue | SetValue) or type(other) in (tuple, range)


def _comparable(a: type, b: type) -> bool:
    """Whether values of two types of scalars may be equal."""
    return a is b or (a in (bool, int, float, complex) and b in (bool, int, float, complex))


def size_of_int(value: Value) -> Size | None:
    """The size that an int is, known or symbolic."""
    if type(value) is int:
        return constant(value)
    return value.size if isinstance(value, ScalarValue) else None


def from_size(size: Size) -> Value:
    """An int of this size."""
    number = size.constant
    return ScalarValue(int, size=size) if number is None else number


def _sizes(op: str, a: Value, b: Value) -> Value:
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
        quotient = floor_division(x, y)
        return None if quotient is None else from_size(quotient)
    if op == "mod" and (quotient := floor_division(x, y)) is not None:
        return from_size(x - quotient * y)
    if op in COMPARISONS:
        low, high = (x - y).bounds()
        if low == high == 0:
            return op in ("eq", "le", "ge")
        if low is not None and (low > 0 or (low == 0 and op in ("ge", "lt"))):
            return op in ("gt", "ge", "ne")
        if high is not None and (high < 0 or (high == 0 and op in ("le", "gt"))):
            return op in ("lt", "le", "ne")
    return None


def _repeated(it: Interpreter, op: str, a: Value, b: Value, node: ast.AST | None) -> Value:
    """A sequence times an unknown number, and the like."""
    for sequence, other in ((a, b), (b, a)):
        if op == "mul" and isinstance(sequence, ListValue | tuple) and isinstance(other, ScalarValue):
            items, element = it.iterate(sequence, node)
            joined = join_all(items) if items is not None else element
            if isinstance(sequence, ListValue):
                return ListValue(None, joined)
    if op in COMPARISONS:
        return data_bool(a, b)
    return it.unknown(f"{SYMBOLS.get(op, op)} of an unknown scalar and what is no scalar")


def apply_concretely(it: Interpreter, op: str, operands: tuple[Value, ...], node: ast.AST | None) -> Value:
    """The result of an operator on concrete objects."""
    if len(operands) == 2 and is_huge(op, *operands):
        if op in COMPARISONS:
            return ScalarValue(bool)
        kinds = {type(v) for v in operands}
        kinds = kinds & {str, bytes} or kinds & {tuple} or (kinds if kinds <= {int, bool} else {tuple})
        (kind,) = kinds if len(kinds) == 1 else (int,) if kinds <= {int, bool} else (tuple,)
        return it.unknown("a huge value") if kind is tuple else _kinds_of_huge(op, kind)
    if op == "pow" and type(operands[1]) is int and abs(operands[1]) > 10_000 and type(operands[0]) not in SCALARS:
        return it.unknown("a huge power")
    try:
        return it.engines.from_python(getattr(operator, op)(*operands))
    except (TypeError, ValueError, ZeroDivisionError, OverflowError) as error:
        return it.fail(node, "array-call", f"{type(error).__name__}: {error}")
    except Exception as error:
        swallow(error)
        return it.unknown(f"{SYMBOLS.get(op, op)} failed: {type(error).__name__}")


def _kinds_of_huge(op: str, kind: type) -> ScalarValue:
    """A number or a text of unknown value, which is too large to be computed."""
    if kind in (str, bytes):
        return ScalarValue(kind)
    return ScalarValue(float) if op == "truediv" else ScalarValue(int)
