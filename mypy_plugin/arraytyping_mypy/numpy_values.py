"""Between the types of NumPy's arrays and the values on which flow's engine for NumPy computes.

An array of NumPy's is known by its shape and dtype, never by its elements.  What stands in a call is read off the
expression, as for JAX; a list of which only the items' type is known has any number of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Final

from mypy.nodes import Expression
from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from arraytyping.checker.flow.engines.numpy_values import NotPossible, real_dtype
from arraytyping.checker.flow.values import ArrayValue, ListValue, NumPyValue, ScalarValue, UnionValue, Unknown, Value
from arraytyping.scalars import ABSTRACT, NAMES
from arraytyping.semantics.avals import (
    Alternatives,
    NumPyArray,
    Scalar,
    Shape,
    ShapedArray,
    SymbolicDim,
    join_shapes,
)
from arraytyping_mypy.arguments import is_uncertain, read
from arraytyping_mypy.checker import stored_type
from arraytyping_mypy.convert import array_type, value_of
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.fixed_lists import is_fixed_list
from arraytyping_mypy.session import Session

__all__ = ["is_array", "is_scalar", "type_of", "value_for"]

_PYTHON: Final[dict[str, type]] = {"bool": bool, "int": int, "float": float, "complex": complex}
_MOST: Final = 4
"""How many different types a result may be of."""
_UNKNOWN: Final = Unknown("what the types do not know")


def is_array(t: Type) -> bool:
    """Whether it is the type of an array of NumPy's."""
    p = get_proper_type(t)
    return isinstance(p, Instance) and p.type.fullname == "numpy.ndarray"


def is_scalar(t: Type) -> bool:
    """Whether it is the type of a scalar of NumPy's."""
    p = get_proper_type(t)
    return isinstance(p, Instance) and p.type.fullname.startswith("numpy.") and p.type.has_base("numpy.generic")


def value_for(expression: Expression | None, t: Type, session: Session) -> Value:
    """What flow calls the value of an expression of this type."""
    p = get_proper_type(t)
    if expression is None:
        return _value(value_of(t, session), p, session)
    whole = stored_type(session.api, expression)
    members = get_proper_type(whole) if whole is not None else p
    if isinstance(members, UnionType) and any(is_array(i) for i in members.items):
        # mypy asks for each member on its own; a union that grows in a loop must come to an end.
        arrays = [a for a in (value_of(i, session) for i in members.items) if isinstance(a, NumPyArray)]
        if len({a.shape for a in arrays}) > 2:
            shape = reduce(join_shapes, (a.shape for a in arrays))
            return _value(_of_shape(value_of(p, session), shape), p, session)
    if is_array(p) and is_uncertain(expression, session):
        return NumPyValue(None, None)
    if isinstance(p, Instance) and p.type.fullname == "builtins.list" and p.args:
        found = read(expression, t, session)
        if isinstance(found, list):
            return _value(found, p, session)
        p = get_proper_type(session.following.function(expression, p))
        return _listed(p, session)
    if is_fixed_list(p):
        return _listed(p, session)
    if is_array(p) or is_scalar(p) or isinstance(p, UnionType):
        return _value(value_of(p, session), p, session)
    return _value(read(expression, t, session), p, session)


def _of_shape(value: Any, shape: Shape | None) -> Any:
    if isinstance(value, Alternatives):
        return Alternatives.of(_of_shape(v, shape) for v in value.values)
    return replace(value, shape=shape) if isinstance(value, NumPyArray) else value


def _listed(p: ProperType, session: Session) -> Value:
    """A list of any number of items, or of those that are known."""
    if isinstance(p, TupleType) and is_fixed_list(p):
        return ListValue([_value(value_of(i, session), get_finite_type(i), session) for i in p.items])
    if not isinstance(p, Instance) or p.type.fullname != "builtins.list" or not p.args:
        return _UNKNOWN
    item = get_finite_type(p.args[0])
    if isinstance(item, AnyType):
        return ListValue(None, _UNKNOWN)
    nested = isinstance(item, Instance) and item.type.fullname == "builtins.list"
    return ListValue(None, _listed(item, session) if nested else _value(value_of(item, session), item, session))


def _value(value: Any, p: ProperType, session: Session) -> Value:
    """An abstract value as flow has it; only the type says whether NumPy has it as an array or as a scalar."""
    if isinstance(value, NumPyArray):
        return NumPyValue(_sizes(value.shape), value.dtype, value.shape == () and not is_array(p))
    if isinstance(value, Alternatives):
        members = p.items if isinstance(p, UnionType) and len(p.items) == len(value.values) else [p] * len(value.values)
        return UnionValue(tuple(_value(v, get_finite_type(m), session) for v, m in zip(value.values, members)))
    if isinstance(value, Scalar):
        return ScalarValue(_PYTHON[value.kind])
    if isinstance(value, SymbolicDim):
        return ScalarValue(int)
    if isinstance(value, ShapedArray):
        return _of_jax(value, session)
    if isinstance(value, tuple):
        items = p.items if isinstance(p, TupleType) and len(p.items) == len(value) else [p] * len(value)
        return tuple(_value(v, get_finite_type(i), session) for v, i in zip(value, items))
    if isinstance(value, list):
        return ListValue([_value(v, _NO_TYPE, session) for v in value])
    if isinstance(value, slice):
        parts = (_value(v, _NO_TYPE, session) for v in (value.start, value.stop, value.step))
        return slice(*parts)
    if isinstance(value, type):
        return _dtype(value)
    if value is None or value is Ellipsis or type(value) in (bool, int, float, complex, str):
        return value
    return _UNKNOWN


_NO_TYPE: Final = AnyType(TypeOfAny.special_form)


def _sizes(shape: Shape | None) -> Shape | None:
    return None if shape is None else tuple(d if isinstance(d, int) else None for d in shape)


def _of_jax(array: ShapedArray, session: Session) -> Value:
    """An array of JAX, whose dtype may hang on x64."""
    found = {
        promotion.default(array.dtype) if array.dtype in _PYTHON else array.dtype for promotion in session.promotions
    }
    dtype = found.pop() if len(found) == 1 else None
    weak = None if dtype is None else array.weak_type
    return ArrayValue(ShapedArray(_sizes(array.shape), dtype, weak))


def _dtype(scalar: type) -> Value:
    if scalar in (bool, int, float, complex):
        return scalar
    if scalar in ABSTRACT.values() or scalar not in NAMES:
        return _UNKNOWN
    try:
        return real_dtype(NAMES[scalar]).type
    except NotPossible:
        return _UNKNOWN


def type_of(value: Value, session: Session) -> Type | None:
    """The type of a value; None if nothing is known that a type could say."""
    named = session.api.named_generic_type
    if isinstance(value, NumPyValue):
        return _array_type(value, session)
    if isinstance(value, ArrayValue):
        return None if value.is_key else array_type([value.aval], session)
    if isinstance(value, UnionValue):
        types = [type_of(v, session) for v in value.values]
        known = {str(t): t for t in types if t is not None}
        return UnionType.make_union(list(known.values())) if None not in types and len(known) <= _MOST else None
    if isinstance(value, bool | int):
        plain = named(f"builtins.{type(value).__name__}", [])
        return plain.copy_modified(last_known_value=LiteralType(value, plain))
    if type(value) in (float, complex, str):
        return named(f"builtins.{type(value).__name__}", [])
    if isinstance(value, ScalarValue):
        kind = value.kinds[0].__name__
        return named(f"builtins.{kind}", []) if len(value.kinds) == 1 and kind in (*_PYTHON, "str") else None
    if isinstance(value, tuple):
        items = [type_of(v, session) or _NO_TYPE for v in value]
        return TupleType(items, named("builtins.tuple", [_NO_TYPE]))
    if isinstance(value, ListValue):
        return _list_type([value.element] if value.items is None else value.items, session)
    return None


def _list_type(items: Sequence[Value], session: Session) -> Type | None:
    types = [type_of(v, session) for v in items]
    known = {str(t): t for t in types if t is not None}
    if not known or None in types or len(known) > _MOST:
        return None
    return session.api.named_generic_type("builtins.list", [UnionType.make_union(list(known.values()))])


def _array_type(value: NumPyValue, session: Session) -> Type | None:
    scalar = None if value.dtype is None else session.numpy_scalar(value.dtype)
    if value.is_scalar:
        return scalar
    if scalar is None and value.shape is None:
        return None
    named = session.api.named_generic_type
    shape: Type = _NO_TYPE
    if value.shape is not None:
        integer = named("builtins.int", [])
        sizes: list[Type] = [LiteralType(d, integer) if isinstance(d, int) else integer for d in value.shape]
        shape = TupleType(sizes, named("builtins.tuple", [integer]))
    return named("numpy.ndarray", [shape, named("numpy.dtype", [scalar or _NO_TYPE])])
