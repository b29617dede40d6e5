"""Attributes that hold things of several kinds: a number in one place, and an array in another one.

`self.scale = 1` tells mypy that it is an int for good, and of `self.scale = jnp.ones(3)` that it is a mistake; the
program runs.  Of such an attribute nothing is known.  What mypy itself finds to agree keeps its type.
"""

from __future__ import annotations

from typing import Final

from mypy.nodes import (
    CallExpr,
    Expression,
    FloatExpr,
    IntExpr,
    NameExpr,
    RefExpr,
    StrExpr,
    TypeInfo,
    UnaryExpr,
)
from mypy.subtypes import is_subtype
from mypy.types import AnyType, Instance, TupleType, Type, get_proper_type

from arraytyping_mypy.attribute_assignments import AttributeAssignment
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.generalize import generalize
from arraytyping_mypy.names import LIBRARIES
from arraytyping_mypy.session import Session
from arraytyping_mypy.walk import nodes_of

__all__ = ["is_of_python", "may_be_other"]

_ARRAYS_OF: Final = (*LIBRARIES, "numpy")
_SCALARS: Final = frozenset(f"builtins.{kind}" for kind in ("bool", "int", "float", "complex", "str"))


def is_of_python(t: Type) -> bool:
    """Whether it is the type of a number or text of Python, or of a tuple with one in it."""
    p = get_finite_type(t)
    if isinstance(p, TupleType):
        return any(map(is_of_python, p.items))
    return isinstance(p, Instance) and p.type.fullname in _SCALARS


def may_be_other(info: TypeInfo, name: str, t: Type, session: Session) -> bool:
    """Whether a class assigns to an attribute of this type what may be of another kind."""
    wanted = generalize(t)
    sites = session.hierarchy.assignments(info)
    return any(_is_other(site, wanted, session) for site in sites if site.name == name)


def _is_other(site: AttributeAssignment, wanted: Type, session: Session) -> bool:
    found = None if site.value is None else session.stored(site.value)
    if found is None:  # mypy has not come there yet, or it is a part of what is taken apart
        return _is_of_library(site.value) if site.is_typed else not _is_written_number(site.value)
    p = get_proper_type(found)
    return isinstance(p, AnyType) or not is_subtype(generalize(p), wanted)


def _is_of_library(value: Expression | None) -> bool:
    """Whether something of jax or NumPy is called in it."""
    calls = () if value is None else (n.callee for n in nodes_of(value) if isinstance(n, CallExpr))
    return any(isinstance(callee, RefExpr) and callee.fullname.partition(".")[0] in _ARRAYS_OF for callee in calls)


def _is_written_number(value: Expression | None) -> bool:
    value = value.expr if isinstance(value, UnaryExpr) else value
    return isinstance(value, IntExpr | FloatExpr | StrExpr) or (
        isinstance(value, NameExpr) and value.fullname in ("builtins.True", "builtins.False")
    )
