"""Operators and comparisons, by the sorts of their operands: arrays go to an engine, Python's own are done here."""

from __future__ import annotations

import ast
import contextlib
import enum
import operator
import types
from typing import Any, Final

from arraytyping.checker.flow.python.behaviour.declared import is_declared, of_declared
from arraytyping.checker.flow.python.operator_names import SYMBOLS, kind_name, plain
from arraytyping.checker.flow.python.operators_of_containers import contains, equal, of_containers
from arraytyping.checker.flow.python.operators_of_scalars import SAMPLES, apply_concretely, formatted, of_scalars
from arraytyping.checker.flow.python.special_methods import (
    has_special_methods,
    of_special_methods,
    unary_of_instance,
)
from arraytyping.checker.flow.state.aliases import describes_many, is_shared, may_be_raised
from arraytyping.checker.flow.state.branching import of_each
from arraytyping.checker.flow.state.certainty import data_bool
from arraytyping.checker.flow.state.forgetting import forget_reachable
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import SCALARS, scalar_kinds
from arraytyping.checker.flow.state.stateful import is_stateful_class
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    BaseValue,
    BoundMethod,
    CaughtValue,
    ClassUnion,
    ClassValue,
    DeclaredValue,
    DictValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    IteratorValue,
    JitValue,
    ListValue,
    ModuleValue,
    NumPyValue,
    OfNumPy,
    OpenTree,
    PartialValue,
    ScalarValue,
    SetValue,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
    as_leaf,
    is_concrete,
    own_methods,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["binary", "unary"]

_NOT_ARRAYS: Final = (ListValue, DictValue, SetValue, FunctionValue, PartialValue, JitValue, BoundMethod, HandlerValue)
_NUMBERS: Final = frozenset({int, float, bool})
_OF_NUMBERS: Final = frozenset({
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lt", "le", "gt", "ge",
})  # fmt: skip
"""Operators that mean the same for all of these, which many loops of a program do nothing else with."""
_CONTAINERS: Final = (ListValue, DictValue, SetValue, IteratorValue, tuple)


def binary(it: Interpreter, name: str, a: Value, b: Any, node: ast.AST | None) -> Value:
    """The result of a binary operator or a comparison."""
    if type(a) in _NUMBERS and type(b) in _NUMBERS and (op := plain(name)) in _OF_NUMBERS:
        return apply_concretely(it, op, (a, b), node)
    if isinstance(a, UnionValue) or isinstance(b, UnionValue):
        return _each(it, name, a, b, node)
    if name in ("is_", "is_not"):
        return _negated(_is(a, b), name == "is_not")
    if name in ("in", "not_in"):
        return _negated(contains(it, b, a, node), name == "not_in")
    op = plain(name)
    if isinstance(a, OpenTree) or isinstance(b, OpenTree):
        return _of_open_trees(it, name, a, b, node)
    if op == "or_" and (union := _union(a, b)) is not None:
        return union
    if has_special_methods(a) or has_special_methods(b):
        found = of_special_methods(it, name, op, a, b, node)
        if found is not MISSING:
            return found
    if isinstance(a, ClassValue) or isinstance(b, ClassValue):
        return _of_classes(it, op, a, b)
    arrays = (ArrayValue, NumPyValue)
    if op == "mod" and isinstance(a, str) and isinstance(b, arrays):
        return ScalarValue(str)  # the text of an array
    if isinstance(a, arrays) or isinstance(b, arrays):
        return _arrays(it, op, a, b, node)
    if not (is_concrete(a) and is_concrete(b)) and (is_declared(a) or is_declared(b)):
        found = of_declared(it, op, a, b, node)
        if found is not MISSING:
            return found
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        why = a.why if isinstance(a, Unknown) else b.why
        return it.unknown(why)
    if isinstance(a, TreeValue) or isinstance(b, TreeValue):
        # Python takes an array in both of two tuples or records for equal without asking the array.
        may_share = op in ("eq", "ne") and isinstance(a, TreeValue) and isinstance(b, TreeValue)
        with it.quietly() if may_share else contextlib.nullcontext():
            return it.engines.call(it, getattr(operator, op), Call([a, b], {}, node))
    if op == "mod" and str in scalar_kinds(a):
        return formatted(it, a, b, node)
    if isinstance(a, ScalarValue) or isinstance(b, ScalarValue):
        return of_scalars(it, op, a, b, node)
    stateful = is_stateful_class(type(a)) or is_stateful_class(type(b))
    if op in ("eq", "ne") and not stateful:
        return _negated(equal(it, a, b), op == "ne")
    if isinstance(a, _CONTAINERS) or isinstance(b, _CONTAINERS):
        return of_containers(it, op, a, b, node)
    if stateful:
        return it.engines.call(it, getattr(operator, op), Call([a, b], {}, node))
    if is_concrete(a) and is_concrete(b):
        if op != "mod" and any(isinstance(v, types.ModuleType) for v in (a, b)):
            operands = f"{kind_name(a)} and {kind_name(b)}"
            return it.fail(node, "array-call", f"TypeError: unsupported operands of {SYMBOLS.get(op, op)}: {operands}")
        return apply_concretely(it, op, (a, b), node)
    return it.unknown(f"{SYMBOLS.get(op, op)} of what is not understood")


def _of_open_trees(it: Interpreter, name: str, a: Value, b: Value, node: ast.AST | None) -> Value:
    """An operator that no node of a tree has: the operands are leaves.  A dict is changed in place by `|=`."""
    nodes = [v for v in (a, b) if isinstance(v, OpenTree)]
    op = plain(name)
    if op not in _OF_LEAVES and (op not in _OF_SEQUENCES or not all(v.is_of_dicts for v in nodes)):
        if op != name:
            forget_reachable(it.journal.touch, a, "what was written into a tree")
        return it.unknown(nodes[0].why)
    if any(v.leaf is None for v in nodes):
        return it.unknown(nodes[0].why)
    with it.quietly():
        return binary(it, name, as_leaf(a), as_leaf(b), node)


_OF_LEAVES: Final = frozenset({"sub", "truediv", "floordiv", "mod", "pow", "matmul"})
_OF_SEQUENCES: Final = frozenset({"add", "mul", "lt", "le", "gt", "ge"})
"""What lists and tuples have, too."""


def unary(it: Interpreter, name: str, a: Value, node: ast.AST | None) -> Value:
    """The result of a unary operator."""
    if isinstance(a, UnionValue):
        return of_each(it, a.values, lambda v: unary(it, name, v, node))
    a = as_leaf(a)
    if isinstance(a, ArrayValue | NumPyValue):
        return it.engines.unary(it, name, a, node)
    if isinstance(a, Unknown):
        return Unknown(a.why) if isinstance(a, DeclaredValue) else a
    if (own := own_methods(a).get(f"__{name.rstrip('_')}__")) is not None:
        return it.call(own, [a], {}, node)
    if isinstance(a, InstanceValue):
        return unary_of_instance(it, name, a, node)
    if isinstance(a, ScalarValue):
        if name == "neg" and a.size is not None:
            return ScalarValue(*a.kinds, size=-a.size, is_data=a.is_data)
        kinds = {type(getattr(operator, name)(SAMPLES[k])) for k in a.kinds if k in (bool, int, float, complex)}
        if not kinds:
            return it.unknown("an operator of a string")
        kinds |= {OfNumPy} & set(a.kinds)
        return ScalarValue(*sorted(kinds, key=SCALARS.index), is_data=a.is_data)
    if is_concrete(a):
        return apply_concretely(it, name, (a,), node)
    return it.unknown(f"{name} of what is not understood")


def _each(it: Interpreter, name: str, a: Value, b: Value, node: ast.AST | None) -> Value:
    """The join over all alternatives; a mistake only if every one of them is."""
    pairs = [
        (x, y)
        for x in (a.values if isinstance(a, UnionValue) else (a,))
        for y in (b.values if isinstance(b, UnionValue) else (b,))
    ]
    return of_each(it, pairs, lambda pair: binary(it, name, *pair, node))


def _union(a: Value, b: Value) -> ClassUnion | None:
    """`A | B` of classes one of which is the program's."""
    members: list[Value] = []
    for value in (a, b):
        if isinstance(value, ClassUnion):
            members += value.members
        elif isinstance(value, ClassValue | types.UnionType | type) or value is None:
            members.append(value)
        else:
            return None
    return ClassUnion(tuple(members)) if any(isinstance(v, ClassValue) for v in members) else None


def _negated(value: Value, negate: bool) -> Value:
    return (not value) if negate and isinstance(value, bool) else value


def _is(a: Value, b: Value) -> Value:
    if a is b:
        is_sure = not isinstance(a, ScalarValue | Unknown) and not describes_many(a)
        return True if is_sure else data_bool(a)
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return Unknown("the identity of something unknown")
    if a is None or b is None:
        return False
    if isinstance(a, ScalarValue) or isinstance(b, ScalarValue):
        return data_bool(a, b) if set(scalar_kinds(a)) & set(scalar_kinds(b)) else False
    if any(isinstance(v, CaughtValue) for v in (a, b)):
        return ScalarValue(bool) if may_be_raised(a) and may_be_raised(b) else False
    if isinstance(a, BaseValue) != isinstance(b, BaseValue):
        return False
    if type(a) is not type(b):
        return False
    if _are_others(a, b):
        return False
    # Two descriptions of what may be one object.
    return ScalarValue(bool)


_BY_NAME: Final = (types.FunctionType, types.BuiltinFunctionType, types.ModuleType)


def _are_others(a: Value, b: Any) -> bool:
    """Whether two descriptions of the same sort are certainly those of two objects."""
    if isinstance(a, ClassValue | ModuleValue | bool | type | enum.Enum):
        return True
    if isinstance(a, FunctionValue):
        return a.node is not b.node
    if isinstance(a, InstanceValue):
        is_of_other_class = a.cls is not b.cls and "unknown" not in (a.cls.kind, b.cls.kind)
        return is_of_other_class or not (is_shared(a) or is_shared(b))
    if isinstance(a, ListValue | DictValue | SetValue):
        return a.kind is not b.kind
    if isinstance(a, BaseValue):
        return False
    is_named = isinstance(a, _BY_NAME) or (callable(a) and hasattr(a, "__wrapped__"))
    return is_named and getattr(a, "__qualname__", a) != getattr(b, "__qualname__", b)


def _of_classes(it: Interpreter, op: str, a: Value, b: Value) -> Value:
    """An operator one of whose operands is a class of the program: only whether it is the same one."""
    if op not in ("eq", "ne") or any(isinstance(v, ClassValue) and "metaclass" in v.options for v in (a, b)):
        return it.unknown(f"{SYMBOLS.get(op, op)} of a class of the program")
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return it.unknown("a comparison with something unknown")
    return _negated(a is b, op == "ne")


def _arrays(it: Interpreter, op: str, a: Value, b: Value, node: ast.AST | None) -> Value:
    for value in (a, b):
        if isinstance(value, TreeValue):
            return it.unknown("an operator of a library's object")
        is_jax = isinstance(a, ArrayValue) or isinstance(b, ArrayValue)
        if is_jax and (
            value is None or isinstance(value, _NOT_ARRAYS) or str in scalar_kinds(value) or isinstance(value, tuple)
        ):
            if op in ("eq", "ne"):
                if value is None and not (isinstance(a, NumPyValue) or isinstance(b, NumPyValue)):
                    return op == "ne"  # JAX leaves it to Python, to which they are two objects
                return it.unknown("a comparison of an array with what is no array")
            if isinstance(a, NumPyValue) or isinstance(b, NumPyValue):
                continue
            other = kind_name(value)
            return it.fail(
                node, "array-call", f"TypeError: unsupported operands of {SYMBOLS.get(op, op)}: an array and {other}"
            )
    return it.engines.binary(it, op, a, b, node)
