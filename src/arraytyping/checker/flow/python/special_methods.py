"""Operators whose operands have special methods of the program: whom Python asks, in its order, and what none answers.

Source: https://docs.python.org/3/reference/datamodel.html#emulating-numeric-types, and `NotImplemented` in
https://docs.python.org/3/library/constants.html.  What it leaves open was tried: of one type only the left operand is
asked to compute, but both are asked to compare; a type that derives from the left one's is asked first to compute only
if it has a method of its own, and always to compare.
"""

from __future__ import annotations

import abc
import ast
import types
import typing
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from arraytyping.checker.flow.engines.array_operators import REFLECTED
from arraytyping.checker.flow.python.attributes_of_classes import bind
from arraytyping.checker.flow.python.metaclasses import is_made_otherwise
from arraytyping.checker.flow.python.operator_names import COMPARISONS, SYMBOLS, kind_name
from arraytyping.checker.flow.state.aliases import describes_many, is_shared, may_be_raised
from arraytyping.checker.flow.state.branching import branch, tried
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import SCALARS, join_all, scalar_kinds
from arraytyping.checker.flow.values import (
    MISSING,
    OPEN,
    ArrayValue,
    BoundMethod,
    CaughtValue,
    ClassValue,
    DictValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    IteratorValue,
    JitValue,
    ListValue,
    ModuleValue,
    NumPyValue,
    PartialValue,
    ScalarValue,
    SetValue,
    UnionValue,
    Unknown,
    Value,
    own_methods,
)

__all__ = ["has_special_methods", "of_special_methods", "unary_of_instance"]

_DEFERRING: Final = (
    ScalarValue, ListValue, DictValue, SetValue, IteratorValue, FunctionValue, BoundMethod, PartialValue, JitValue,
    HandlerValue, ArrayValue, ModuleValue, tuple, range, slice, types.FunctionType, types.BuiltinFunctionType,
    types.ModuleType,
)  # fmt: skip
"""What answers `NotImplemented` to an operator with an object of the program; jax's arrays do so, too."""
_WITHOUT_OPERATORS: Final = frozenset({object, abc.ABC, typing.Generic, typing.Protocol})
_NOT_KNOWN: Final = Unknown("an operator of a class that is not understood")
_GENERATED: Final = object()
"""The `__eq__` of a dataclass."""
_GENERATED_NAMES: Final = frozenset({"__eq__", "__lt__", "__le__", "__gt__", "__ge__"})
"""What a dataclass may have that is not in its namespace."""

Asked = Callable[[], Value]


def has_special_methods(value: Value) -> bool:
    """Whether operators of a value may be functions of the program."""
    return isinstance(value, InstanceValue) or bool(own_methods(value))


def of_special_methods(it: Interpreter, name: str, op: str, a: Value, b: Value, node: ast.AST | None) -> Value:
    """What an operator gives one of whose operands has special methods; MISSING where Python's own types decide.

    `name` is that of the operator in the module `operator`, `op` that of the same operator if it is in place.
    """
    asked = _in_turn(it, op, a, b, node)
    if name != op and (method := _find(a, f"__{name.rstrip('_')}__")) is not MISSING:
        asked.insert(0, lambda: _ask(it, method, a, b, node))
    return _first_answer(it, asked, lambda: _unanswered(it, op, a, b, node))


def _first_answer(it: Interpreter, asked: list[Asked], otherwise: Asked) -> Value:
    """The first answer that is not `NotImplemented`."""
    for i, ask in enumerate(asked):
        answer = ask()
        if not isinstance(answer, UnionValue) or not any(v is NotImplemented for v in answer.values):
            if answer is NotImplemented:
                continue
            return answer
        # It answers on some paths only: the others are asked perhaps.
        answers = [v for v in answer.values if v is not NotImplemented]

        rest = partial(_first_answer, it, asked[i + 1 :], otherwise)
        branch(it, it.frame, [tried(it, rest, answers), lambda: True], True)
        return join_all(_NOT_KNOWN if v is MISSING else v for v in answers)
    return otherwise()


def _in_turn(it: Interpreter, op: str, a: Value, b: Value, node: ast.AST | None) -> list[Asked]:
    """The operands that are asked, in Python's order."""
    forward, reflected = f"__{op.rstrip('_')}__", f"__{REFLECTED.get(op) or 'r' + op.rstrip('_')}__"
    compares = op in COMPARISONS

    def left() -> Value:
        return _of_operand(it, op, forward, a, b, node, is_left=True)

    def right() -> Value:
        return _of_operand(it, op, reflected, b, a, node, is_left=False)

    kinds = _type_of(a), _type_of(b)
    if kinds[0] is not None and kinds[0] is kinds[1]:
        return [left, right] if compares else [left]
    if _derives(kinds[1], kinds[0]) and (compares or _find(b, reflected) is not _find(a, reflected)):
        return [right, left]
    return [left, right]


def _of_operand(
    it: Interpreter, op: str, name: str, asked: Value, other: Value, node: ast.AST | None, is_left: bool
) -> Value:
    """What one operand answers; MISSING if the types of Python or NumPy decide from here on."""
    if has_special_methods(asked):
        method = _find(asked, name)
        if method is MISSING and op == "ne" and isinstance(asked, InstanceValue):
            return _not_equal(it, asked, other, node)
        if method is MISSING:
            return MISSING if _are_compared_as_tuples(op, asked, other) else NotImplemented
        return _ask(it, method, asked, other, node)
    if isinstance(asked, NumPyValue):
        if isinstance(other, tuple):
            return MISSING  # it is taken for an array
        return NotImplemented if _refuses_numpy(other) else it.unknown("an array of objects of the program")
    if is_left and op == "mod" and {str, bytes} & {*scalar_kinds(asked)}:
        return MISSING if isinstance(other, tuple) else it.unknown("a text with an object of the program in it")
    if _are_compared_as_tuples(op, asked, other):
        return MISSING
    if _defers(asked):
        is_array_like = isinstance(asked, ArrayValue) and _find(other, "__jax_array__") is not MISSING
        return it.unknown("an object that gives jax an array") if is_array_like else NotImplemented
    return it.unknown(asked.why if isinstance(asked, Unknown) else "an operator of a library's object")


def _are_compared_as_tuples(op: str, asked: Value, other: Value) -> bool:
    """Whether a tuple compares itself with another one, as a NamedTuple does without a method of its own."""
    return op in COMPARISONS and isinstance(asked, tuple) and isinstance(other, tuple)


def _defers(value: Value) -> bool:
    """Whether a value that is no object of the program's classes leaves operators to one that is."""
    if isinstance(value, ClassValue):
        return "metaclass" not in value.options
    return value is None or type(value) in SCALARS or type(value) is type or isinstance(value, _DEFERRING)


def _refuses_numpy(value: Value) -> bool:
    """Whether NumPy's arrays leave an operator to an object: else they take it for an element."""
    if (function := _find(value, "__array_ufunc__")) is not MISSING:
        return function is None
    priority = _find(value, "__array_priority__")
    return isinstance(priority, int | float) and priority > 0


def _ask(it: Interpreter, method: Value, asked: Any, other: Value, node: ast.AST | None) -> Value:
    """What a special method gives."""
    if method is _GENERATED:
        if not isinstance(other, InstanceValue):
            return it.unknown(other.why) if isinstance(other, Unknown) else NotImplemented
        if other.cls is not asked.cls:
            return NotImplemented
        return True if asked is other else ScalarValue(bool)
    if method is None or isinstance(method, Unknown):
        return method or it.unknown("a special method that is None")
    if isinstance(asked, InstanceValue) and not isinstance(method, FunctionValue):
        return it.call(bind(it, method, asked, asked.cls, node), [other], {}, node)
    return it.call(method, [asked, other], {}, node)


def _not_equal(it: Interpreter, asked: InstanceValue, other: Value, node: ast.AST | None) -> Value:
    """The `__ne__` that every object has: the opposite of its `__eq__`."""
    method = _find(asked, "__eq__")
    equal = NotImplemented if method is MISSING else _ask(it, method, asked, other, node)
    if equal is NotImplemented or isinstance(equal, Unknown):
        return equal
    if isinstance(equal, UnionValue) and any(v is NotImplemented for v in equal.values):
        return it.unknown("NotImplemented on some paths")
    known = it.truth(equal, node)
    return ScalarValue(bool) if known is None else not known


def _unanswered(it: Interpreter, op: str, a: Value, b: Value, node: ast.AST | None) -> Value:
    """What an operator gives that no operand has answered: comparisons for equality go by identity."""
    if op in ("add", "mul") and any(isinstance(v, tuple) for v in ((a,) if op == "add" else (a, b))):
        # Tuples are joined and repeated as sequences after all, unless they have a method for it.
        names = ("__add__",) if op == "add" else ("__mul__", "__rmul__")
        if all(_find(v, name) is MISSING for v in (a, b) for name in names):
            return MISSING
    if op in ("eq", "ne"):
        same = _is_same(a, b)
        return (not same) if op == "ne" and isinstance(same, bool) else same
    if not all(_is_understood(v) for v in (a, b)) or (op in ("mul", "add") and isinstance(a, ListValue)):
        return it.unknown(f"{SYMBOLS.get(op, op)} of a class of the program")
    operands = " and ".join(map(kind_name, (a, b)))
    return it.fail(node, "array-call", f"TypeError: unsupported operands of {SYMBOLS.get(op, op)}: {operands}")


def _is_same(a: Value, b: Value) -> Value:
    """Whether two operands, one of them with special methods, are one object."""
    if a is b:
        return ScalarValue(bool) if describes_many(a) else True
    if isinstance(a, CaughtValue) or isinstance(b, CaughtValue):
        return ScalarValue(bool) if may_be_raised(a) and may_be_raised(b) else False
    if not isinstance(a, InstanceValue) or not isinstance(b, InstanceValue):
        return False
    return ScalarValue(bool) if a.cls is b.cls and (is_shared(a) or is_shared(b)) else False


def _is_understood(value: Value) -> bool:
    """Whether it is known that a value has no other operators than flow has found."""
    if isinstance(value, InstanceValue):
        return value.cls.kind == "plain" and not value.cls.options
    return value is None or type(value) in SCALARS or isinstance(value, ScalarValue | ArrayValue | FunctionValue)


# ---------------------------------------------------------------------- the methods of a value


def _type_of(value: Value) -> Any:
    """The type of an operand, as far as it counts for the order: classes of the program, and tuples."""
    if isinstance(value, InstanceValue):
        return value.cls
    return type(value) if isinstance(value, tuple) else None


def _derives(cls: Any, base: Any) -> bool:
    """Whether a type derives from another one."""
    if isinstance(cls, ClassValue) and isinstance(base, ClassValue):
        return cls.is_subclass(base)
    return isinstance(cls, type) and isinstance(base, type) and issubclass(cls, base)


def _find(value: Value, name: str) -> Value:
    """The special method of this name that the program has written, or that a decorator has; else MISSING."""
    if isinstance(value, InstanceValue):
        return _of_class(value.cls, name)
    return own_methods(value).get(name, MISSING)


def _of_class(cls: ClassValue, name: str) -> Value:
    if cls.kind == "dataclass" and name not in cls.namespace and name in _GENERATED_NAMES:
        inherited = any(isinstance(base, ClassValue) and name in base.namespace for base in cls.mro)
        is_plain = cls.options.get("eq", True) is True and "adapter" not in cls.options and not _has_others(cls)
        return _GENERATED if name == "__eq__" and is_plain and not inherited else _NOT_KNOWN
    for base in cls.mro:
        if isinstance(base, ClassValue):
            if name in base.namespace:
                return base.namespace[name]
        elif _may_have(base, name):
            return _NOT_KNOWN
    return _NOT_KNOWN if cls.kind == "unknown" or _has_others(cls) else MISSING


def _has_others(cls: ClassValue) -> bool:
    """Whether a library adds methods to a class besides those of its bases; an adapter adds those of a dataclass."""
    return is_made_otherwise(cls) or OPEN in cls.options or "real class" in cls.options


def _may_have(base: Any, name: str) -> bool:
    """Whether a class that is not of the program has a special method that not every object has."""
    real = typing.get_origin(base) or base
    if not isinstance(real, type):
        return real not in (typing.Generic, typing.Protocol)
    return any(name in vars(cls) for cls in real.__mro__ if cls not in _WITHOUT_OPERATORS)


def unary_of_instance(it: Interpreter, name: str, value: InstanceValue, node: ast.AST | None) -> Value:
    """The result of a unary operator of an instance, by the operator's name in the module `operator`."""
    method = _find(value, f"__{name}__")
    if isinstance(method, Unknown):
        return method
    if method is not MISSING:
        return it.call(bind(it, method, value, value.cls, node), [], {}, node)
    if not _is_understood(value):
        return it.unknown("an operator of a class")
    return it.fail(node, "array-call", f"TypeError: bad operand of unary {SYMBOLS.get(name, name)}: {kind_name(value)}")
