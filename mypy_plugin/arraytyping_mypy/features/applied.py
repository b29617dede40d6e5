"""What a function gives that a transformation of JAX calls: as it is declared, or by following its body."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from mypy.nodes import FuncDef
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    LiteralType,
    NoneType,
    TupleType,
    Type,
    TypedDictType,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from arraytyping.checker.array_sentences import unhashable_sentence
from arraytyping.checker.traced_sentences import no_array_sentence
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.registry import RULES
from arraytyping_mypy.calls import answer, result_type
from arraytyping_mypy.convert import array_type, arrays_of, unknown_array, value_of
from arraytyping_mypy.features.instance_types import (
    instance_info,
    is_mark,
    is_opaque,
    is_structure,
    items_of_tree,
    static_places,
)
from arraytyping_mypy.features.instances import method
from arraytyping_mypy.features.partials import unwrapped
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.fixed_lists import is_fixed_list
from arraytyping_mypy.followable import definition_of
from arraytyping_mypy.frameworks import function_rule
from arraytyping_mypy.names import ARRAY, ARRAYS
from arraytyping_mypy.records import Tracing
from arraytyping_mypy.session import Session
from arraytyping_mypy.static_names import Static, static_names

__all__ = ["applied", "arrayed", "by_operator", "by_rule", "jitted", "jitted_result", "mapped_leaves", "traced"]

_NUMBERS: Final = {"builtins.int": "int", "builtins.float": "float", "builtins.complex": "complex"}
_KINDS: Final = {
    "builtins.bool": ("bool",),
    "builtins.int": ("int", "bool"),
    "builtins.float": ("float", "int", "bool"),
    "builtins.complex": ("complex", "float", "int", "bool"),
}
"""What a declared number may be."""

_OPERATORS: Final = ("_operator.", "operator.")
_TREES: Final = ("builtins.list", "builtins.dict", "builtins.tuple")


def applied(
    function: Type,
    positional: Sequence[Type],
    named: Mapping[str, Type],
    session: Session,
    by: str | None = None,
    static: Static | None = None,
    numbers: Collection[int] | None = None,
) -> Type | None:
    """What a function of the program gives for arguments of these types; None if that is not known.

    `by` names what traces all that it computes, but for the arguments that are static; or what differentiates it by
    the arguments of these numbers.
    """
    count = len(positional)
    own = frozenset(named)
    function, positional, named = unwrapped(function, positional, named)
    p: Type | None = get_finite_type(function)
    info = instance_info(p)
    if p is not None and info is not None and (made := _layer(p, positional, named, session)):
        return made
    if p is not None and info is not None:  # an instance that is called
        positional, p = [p, *positional], method(info, "__call__", session)
    if not isinstance(p, CallableType) or p.variables:
        return None
    definition = definition_of(p)
    if definition is not None:
        tracing = None
        if by is not None and session.following.knows(definition):  # one out of mypy's cache has no arguments
            first = len(positional) - count
            names = [a.variable.name for a in definition.arguments]
            given = {*names[first : len(positional)], *own}
            if numbers is not None:
                has_star = any(a.kind.is_star() for a in definition.arguments)
                given = set() if has_star else {names[first + n] for n in numbers if first + n < len(names)}
            tracing = _tracing(by, definition, given, static or Static(), session)
            tracing = tracing._replace(is_derivative=numbers is not None)
        inside = [traced(t, session) for t in positional]
        found = session.following.result(p, inside, {name: traced(t, session) for name, t in named.items()}, tracing)
        found = by_rule(definition, positional, named, session) if found is None else found
        if found is not None:
            return found
    return None if isinstance(get_finite_type(p.ret_type), AnyType) else p.ret_type


def _layer(p: Type, positional: Sequence[Type], named: Mapping[str, Type], session: Session) -> Type | None:
    """What a layer of a library gives, of which is known how it was made."""
    if named.keys() - {"key"}:
        return None
    from arraytyping_mypy.features import equinox_layers, linen_layers  # few programs have any

    made = equinox_layers.called(p, positional, session, applied)
    return made if made is not None or named else linen_layers.called(p, positional, session, applied)


def by_rule(
    definition: FuncDef, positional: Sequence[Type], named: Mapping[str, Type], session: Session
) -> Type | None:
    """What a function of JAX gives that has a rule; None if it refuses the arguments, or is another function."""
    if definition.fullname.startswith(_OPERATORS) and not named:
        return by_operator(definition.name, positional, session)
    rule = function_rule(definition.fullname)
    if rule is None:
        return None
    given = {name: value_of(t, session) for name, t in named.items()}
    made = answer(rule, [value_of(t, session) for t in positional], given, session)
    if made is None or made.error is not None:
        return None
    found = result_type(made, _any(), session)
    return None if isinstance(get_proper_type(found), AnyType) else found


def by_operator(name: str, operands: Sequence[Type], session: Session) -> Type | None:
    """What an operator gives by its name in `operator`, if one of its operands is an array."""
    values = [value_of(t, session) for t in operands]
    if len(values) == 2 and not isinstance(values[0], ShapedArray):
        name, values = f"r{name}", values[::-1]
    if not values or not isinstance(values[0], ShapedArray) or f"Array.__{name}__" not in RULES:
        return None
    made = answer(f"Array.__{name}__", values, {}, session)
    if made is None or made.error is not None:
        return None
    found = result_type(made, _any(), session)
    return None if isinstance(get_proper_type(found), AnyType) else found


def _tracing(by: str, definition: FuncDef, given: set[str], static: Static, session: Session) -> Tracing:
    line = session.following.original(definition).line
    return Tracing(by, definition.name, line, frozenset(given - static.names), static.hashable, bool(static.names))


def jitted(
    function: CallableType, positional: Sequence[Type], named: Mapping[str, Type], session: Session
) -> Type | None:
    """What a function gives when it was jitted: arrays, of the weak types that they have on the inside."""
    definition = definition_of(function)
    if definition is None:
        return None
    names = static_names(definition, session) if session.following.knows(definition) else None
    by = None
    static = None
    if names is not None and not any(a.kind.is_star() for a in definition.arguments):
        parameters = [a.variable.name for a in definition.arguments]
        given = [*zip(parameters, positional), *named.items()]
        hashable = frozenset(name for name, t in given if _is_number(t))
        by, static = "jit", Static(names, hashable)
        _check_arguments(definition, given, names, session)
        positional = [t if n in names else arrayed(t, session) for n, t in zip(parameters, positional)]
        named = {n: t if n in names else arrayed(t, session) for n, t in named.items()}
    found = applied(function, positional, named, session, by, static)
    return None if found is None else jitted_result(found, session)


def jitted_result(t: Type, session: Session) -> Type:
    """What comes out of a jitted function: arrays in the place of numbers and of NumPy's arrays."""
    return mapped_leaves(t, lambda leaf: _out(leaf, session), session)


def _check_arguments(
    definition: FuncDef, given: Sequence[tuple[str, Type]], static: Collection[str], session: Session
) -> None:
    """Report a string that is given to a jitted function as an array, or a static argument that cannot be hashed."""
    site = session.following.site
    for number, (name, t) in enumerate(given):
        p = get_proper_type(t)
        p = p.fallback if isinstance(p, LiteralType) else p
        kind = _unhashable(p, session) if name in static else None
        if kind is not None and site is not None:
            what = f"argument {name!r} of {definition.name}"
            session.fail(unhashable_sentence(what, kind), site, "array-call", ValueError)
            return
        if name not in static and site is not None and isinstance(p, Instance) and p.type.fullname == "builtins.str":
            what = f"argument {number} of {definition.name}"
            session.fail(f"TypeError: {no_array_sentence(what, 'a string')}", site, "array-call", TypeError)
            return


_UNHASHABLE: Final = {"builtins.list": "a list", "builtins.dict": "a dict", "builtins.set": "a set"}


def _unhashable(t: Type, session: Session) -> str | None:
    """What is given, if it certainly cannot be hashed."""
    p = get_finite_type(t)
    if isinstance(p, TypedDictType):
        return "a dict"
    if isinstance(p, TupleType) and p.partial_fallback.type.fullname == "builtins.tuple":
        return next((kind for i in p.items if (kind := _unhashable(i, session)) is not None), None)
    if is_fixed_list(p):
        return "a list"
    if not isinstance(p, Instance):
        return None
    is_array = p.type.fullname == ARRAY and any(a.dtype is not None for a in arrays_of(p, session))
    return "an array" if is_array else _UNHASHABLE.get(p.type.fullname)


def _is_number(t: Type) -> bool:
    p = get_proper_type(t)
    return isinstance(p, LiteralType) or (isinstance(p, Instance) and p.type.fullname in _KINDS)


def arrayed(t: Type, session: Session) -> Type:
    """The type with arrays in the place of Python's numbers, as a transformation has them."""

    def leaf(one: Type) -> Type:
        p = get_proper_type(one)
        if isinstance(p, LiteralType):
            p = p.fallback.copy_modified(last_known_value=p)
        if not isinstance(p, Instance) or p.type.fullname not in _KINDS:
            return one
        is_float = p.last_known_value is not None and isinstance(p.last_known_value.value, float)
        kinds = ("float",) if is_float else _KINDS[p.type.fullname]
        return array_type([ShapedArray((), kind, True) for kind in kinds], session)

    return mapped_leaves(t, leaf, session)


def traced(t: Type, session: Session) -> Type:
    """The type of an argument on the inside of a transformation, where what NumPy has made is an array of JAX."""
    return mapped_leaves(t, lambda leaf: _in(leaf, session), session)


def _in(t: Type, session: Session) -> Type:
    p = get_proper_type(t)
    if isinstance(p, Instance):
        if p.type.fullname == "builtins.bool":
            return _any()  # True + True is 2, but an array of bools that is traced
        if p.type.fullname.startswith("numpy."):
            return _of_numpy(p, session) if _is_numpy_array(p) else p
    return t


def _of_numpy(p: Instance, session: Session) -> Type:
    """The array that JAX makes of one of NumPy's."""
    made = answer("numpy.asarray", [value_of(p, session)], {}, session)
    return (
        unknown_array(session)
        if made is None or made.error is not None
        else result_type(made, unknown_array(session), session)
    )


def _is_numpy_array(p: Instance) -> bool:
    return any(base.fullname in ("numpy.ndarray", "numpy.generic") for base in p.type.mro)


def _out(t: Type, session: Session) -> Type:
    p = get_proper_type(t)
    if isinstance(p, Instance):
        name = p.type.fullname
        if name == "builtins.bool" or name in _NUMBERS:
            return array_type([ShapedArray((), None)], session)
        if name.startswith("numpy."):
            return unknown_array(session)
        if name not in ARRAYS:
            return p
    return t if isinstance(p, NoneType | Instance) else _any()


def mapped_leaves(t: Type, change: Callable[[Type], Type], session: Session) -> Type:
    """A pytree's type with each of its leaves changed."""
    p = get_finite_type(t)
    if isinstance(p, TupleType):
        if is_opaque(p, session):
            return t
        static = static_places(p, session)
        items = [
            own if n in static and is_structure(own) else i if is_mark(i) else mapped_leaves(i, change, session)
            for n, (own, i) in enumerate(zip(p.items, items_of_tree(p, session)))
        ]
        return p.copy_modified(items=items)
    if isinstance(p, TypedDictType):
        return p.copy_modified(item_types=[mapped_leaves(i, change, session) for i in p.items.values()])
    if isinstance(p, UnionType):
        return UnionType.make_union([mapped_leaves(i, change, session) for i in p.items])
    if isinstance(p, Instance) and p.type.fullname in _TREES:
        last = len(p.args) - 1
        return p.copy_modified(
            args=[mapped_leaves(a, change, session) if i == last else a for i, a in enumerate(p.args)]
        )
    return change(t)


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)
