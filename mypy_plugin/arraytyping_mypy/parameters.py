"""The types of the parameters of a followed function, by the arguments of a call, its defaults and annotations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mypy.nodes import ArgKind, FuncDef
from mypy.types import (
    AnyType,
    CallableType,
    TupleType,
    Type,
    TypeOfAny,
    UninhabitedType,
    UnpackType,
    get_proper_type,
)

from arraytyping_mypy.annotated_bodies import matched
from arraytyping_mypy.checker import type_again
from arraytyping_mypy.displays import refined, typed_dict
from arraytyping_mypy.features.instances import is_same_class
from arraytyping_mypy.followable import admits
from arraytyping_mypy.refined import annotates_arrays, refined_annotation

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["bind"]


def bind(
    definition: FuncDef, positional: Sequence[Type], named: Mapping[str, Type], session: Session
) -> list[Type] | None:
    """The types of the parameters; None if the arguments do not fit."""
    rest, given = list(positional), dict(named)
    # A method that was looked up in an instance has lost its first parameter, of which the caller knows.
    found: list[Type] = []
    declared = definition.type if isinstance(definition.type, CallableType) else None
    for i, argument in enumerate(definition.arguments):
        kind, name = argument.kind, argument.variable.name
        if kind is ArgKind.ARG_STAR and len(rest) == 1 and isinstance(rest[0], UnpackType):
            found.append(get_proper_type(rest.pop().type).args[0])  # type: ignore[attr-defined]
        elif kind is ArgKind.ARG_STAR:
            every = session.api.named_generic_type("builtins.tuple", [_any()])
            found.append(UnpackType(TupleType(rest, every)))
            rest = []
        elif kind is ArgKind.ARG_STAR2:
            is_closed = session.mutations.has_closed_dicts
            found.append(typed_dict(given, session) if is_closed else _any())
            given = {}
        elif kind.is_positional() and rest:
            if isinstance(rest[0], UnpackType):
                return None
            found.append(rest.pop(0))
        elif name in given:
            found.append(given.pop(name))
        elif argument.initializer is not None:
            # It was evaluated where the function was made, since when a variable in it may have been bound again.
            made = session.stored(argument.initializer)
            default = type_again(session.api, argument.initializer) if made is None else made
            found.append(refined(argument.initializer, default, session))
        else:
            return None
        if declared is not None and i < len(declared.arg_types):
            wanted = declared.arg_types[i]
            is_finer = is_same_class(wanted, found[-1]) or _are_functions(wanted, found[-1])
            if not admits(wanted) and not is_finer:
                found[-1] = refined_annotation(wanted, found[-1], session) or wanted
    if rest or given:
        return None
    if declared is not None and matched(definition, found, session) is None:
        found = [w if annotates_arrays(w) else t for t, w in zip(found, declared.arg_types)]
    return [_settled(t) for t in found]


def _are_functions(declared: Type, given: Type) -> bool:
    """Whether a function is given where one is declared, of which less is said."""
    d, g = get_proper_type(declared), get_proper_type(given)
    return isinstance(d, CallableType) and isinstance(g, CallableType) and not d.is_type_obj()


def _settled(t: Type) -> Type:
    """The type of an argument as that of a parameter."""
    p = get_proper_type(t)
    return p if not isinstance(p, UninhabitedType) else _any()


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)
