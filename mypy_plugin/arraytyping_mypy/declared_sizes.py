"""The sizes that a variable or field has by the names in its annotation, in the function whose call they belong to."""

from __future__ import annotations

import keyword
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from mypy.nodes import Expression, IndexExpr, MemberExpr, NameExpr, TypeInfo, Var
from mypy.types import Instance, LiteralType, TupleType, Type, UnionType, get_proper_type

from arraytyping.semantics.avals import Alternatives, Dim, Shape, ShapedArray
from arraytyping_mypy.named_sizes import owner_mark, size_of_text, symbol, token_of
from arraytyping_mypy.names import ARRAYS
from arraytyping_mypy.session import Session

if TYPE_CHECKING:
    from arraytyping_mypy.declared_items import Declared

__all__ = ["array_in", "declared_shape", "shape_for", "with_declared_sizes"]

_NAME: Final = re.compile(r"[^\W\d]\w*")
_FUNCTIONS: Final = frozenset({"min", "max"})


def with_declared_sizes(value: Any, expression: Expression, session: Session) -> Any:
    """An array with the sizes that the annotation of its variable names, where they are not known otherwise."""
    shape = declared_shape(expression, session)
    return value if shape is None else _filled(value, shape)


def _filled(value: Any, shape: Shape) -> Any:
    if isinstance(value, Alternatives):
        return Alternatives.of(_filled(v, shape) for v in value.values)
    if not isinstance(value, ShapedArray) or value.shape is None or len(value.shape) != len(shape):
        return value
    return replace(value, shape=tuple(d if s is None else s for s, d in zip(value.shape, shape)))


def declared_shape(expression: Expression, session: Session) -> Shape | None:
    """The shape by the annotation of a variable, field or container of which it is read; None if none has a name."""
    found: object = None
    if type(expression) is not IndexExpr and not _is_inferred(expression):
        found = _named(expression, session)
    elif session.has_names:
        from arraytyping_mypy.declared_items import declared_item  # few programs name sizes

        found = declared_item(expression, session, lambda e: _named(e, session))
    if not isinstance(found, tuple):
        return None
    array = array_in(found[0])
    return None if array is None else shape_for(array, found[1])


def _is_inferred(expression: Expression) -> bool:
    return type(expression) is NameExpr and type(expression.node) is Var and expression.node.is_inferred


def _named(expression: Expression, session: Session) -> Declared | None:
    """The annotation of a variable, or of a field of what a variable holds, and the mark of its names."""
    if isinstance(expression, NameExpr) and isinstance(expression.node, Var):
        variable = expression.node
        if variable.is_inferred or variable.type is None or not _has_named_sizes(variable.type):
            return None
        mark = _mark(variable, session)
        return None if mark is None else (variable.type, mark)
    if isinstance(expression, MemberExpr) and isinstance(expression.expr, NameExpr):
        holder = expression.expr.node
        field = _field(expression, session)
        if field is None or field.type is None or not isinstance(holder, Var) or not _has_named_sizes(field.type):
            return None
        mark = _mark(holder, session, holder.name, field.info.fullname)
        return None if mark is None else (field.type, mark)
    return None


def _has_named_sizes(t: Type) -> bool:
    from arraytyping_mypy.named_annotations import has_named_sizes  # not needed for what is inferred

    return has_named_sizes(t)


def _mark(variable: Var, session: Session, *more: str) -> str | None:
    """The mark of the function whose call binds a variable, once and for all."""
    owner = session.bindings.owner(variable)
    if owner is None:
        return None
    mark = owner_mark(session.module, owner)
    return owner_mark(session.module, owner, *more) if mark in session.owners else None


def _field(expression: MemberExpr, session: Session) -> Var | None:
    """The field of an instance that keeps what it was made with."""
    found = session.stored(expression.expr)
    p = None if found is None else get_proper_type(found)
    if isinstance(p, TupleType):
        p = p.partial_fallback
    if not isinstance(p, Instance) or not _is_frozen(p.type):
        return None
    symbol_found = p.type.get(expression.name)
    node = None if symbol_found is None else symbol_found.node
    return node if isinstance(node, Var) and not node.is_inferred and not node.is_property else None


def _is_frozen(info: TypeInfo) -> bool:
    if info.is_named_tuple:
        return True
    frozen = any(base.metadata.get("dataclass", {}).get("frozen") is True for base in info.mro)
    return frozen or any(base.fullname.startswith("equinox._module") for base in info.mro)


def array_in(t: Type | None) -> Instance | None:
    """The one array that an annotation admits, if a size of it has a name."""
    p = None if t is None else get_proper_type(t)
    if isinstance(p, UnionType):
        arrays = [a for i in p.items if isinstance(a := get_proper_type(i), Instance) and _is_array(a)]
        p = arrays[0] if len(arrays) == 1 else None
    if not isinstance(p, Instance) or not _is_array(p):
        return None
    shape = get_proper_type(p.args[1])
    return p if isinstance(shape, TupleType) and any(token_of(i) is not None for i in shape.items) else None


def _is_array(t: Instance) -> bool:
    return t.type.fullname in ARRAYS and len(t.args) == 2


def shape_for(array: Instance, mark: str) -> Shape | None:
    """The shape that an annotation describes, in a call of the function with this mark."""
    shape = get_proper_type(array.args[1])
    return tuple(_dim(i, mark) for i in shape.items) if isinstance(shape, TupleType) else None


def _dim(item: Type, mark: str) -> Dim:
    token = token_of(item)
    if token is None:
        p = get_proper_type(item)
        return p.value if isinstance(p, LiteralType) and type(p.value) is int else None
    if token.isidentifier():
        return symbol(token, mark)
    if token[0] in "#?" or "{" in token or any(keyword.iskeyword(n) for n in _NAME.findall(token)):
        return None
    return size_of_text(_NAME.sub(lambda m: m[0] if m[0] in _FUNCTIONS else symbol(m[0], mark).name, token))
