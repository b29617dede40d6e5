"""Attributes that certainly are not there, of those of which mypy says so: of arrays, named tuples, instances, modules.

mypy knows what is declared.  JAX's arrays and tracers have a few attributes more, and a decorator or a base class of
a library may give others to a class of the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from mypy.nodes import CallExpr, Expression, MemberExpr, RefExpr, TypeInfo
from mypy.types import Instance, TupleType, Type, get_proper_type

from arraytyping_mypy.convert import arrays_of
from arraytyping_mypy.features.instance_types import instance_info
from arraytyping_mypy.names import ARRAY
from arraytyping_mypy.removed_names import what_became_of

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["NOT_DECLARED", "refused_attribute"]

NOT_DECLARED: Final = frozenset({
    "aval_mutable_qdd", "batch_dim", "clone", "cur_qdd", "device_buffer", "device_buffers", "dimension_as_value",
    "flat", "format", "full_lower", "get_const", "get_referent", "is_ready", "mutable_qdd", "parent", "primal",
    "source_info", "tangent", "to_concrete_value", "val",
})  # fmt: skip
"""What arrays or tracers have when a program runs, and their declaration has not."""

_GIVING_NONE: Final = ("dataclasses.", "functools.", "jax.tree_util.", "jax._src.tree_util.")
"""Decorators of classes that give them no attributes that mypy does not know."""


def refused_attribute(
    e: MemberExpr, owner: Type | None, session: Session
) -> tuple[str, Literal["array-call", "array-jax-version"]] | None:
    """What is said of an attribute that certainly is not there, with the code; None if it may be."""
    p = None if owner is None else get_proper_type(owner)
    gone = what_became_of(e, session)
    if gone is not None:
        return gone, "array-jax-version"
    if isinstance(p, Instance) and p.type.fullname == ARRAY:
        is_known = any(a.shape is not None or a.dtype is not None for a in arrays_of(p, session))
        if is_known and e.name not in NOT_DECLARED and not e.name.startswith("_"):
            return f"AttributeError: an array has no attribute {e.name!r}", "array-call"
        return None
    info = p.partial_fallback.type if isinstance(p, TupleType) else None
    if info is None or info.module_name != session.module or session.hierarchy.is_subclassed(info):
        return None
    if info.get("__getattr__") is not None or not (info.is_named_tuple or _is_closed(p, info, e.name, session)):
        return None
    return f'"{info.name}" has no attribute "{e.name}"', "array-call"


def _is_closed(t: Type | None, info: TypeInfo, name: str, session: Session) -> bool:
    """Whether an instance of the program's class has no attribute of a name that mypy does not know."""
    if instance_info(t) is not info or session.classes.fields_of(info) is None or session.classes.binds(name):
        return False
    return all(
        base.fullname in ("builtins.object", "abc.ABC")
        or (base.module_name == session.module and all(map(_gives_none, base.defn.decorators)))
        for base in info.mro
    )


def _gives_none(decorator: Expression) -> bool:
    if isinstance(decorator, CallExpr):
        callee = decorator.callee
        is_partial = isinstance(callee, RefExpr) and callee.fullname == "functools.partial"
        return bool(decorator.args) and _gives_none(decorator.args[0]) if is_partial else _gives_none(callee)
    return isinstance(decorator, RefExpr) and decorator.fullname.startswith(_GIVING_NONE)
