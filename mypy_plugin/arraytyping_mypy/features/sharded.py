"""`shard_map`: the function sees one device's part of each array, and what it gives is put together again.

A dimension that a spec divides by axes of the mesh is divided by their sizes, where the mesh is written in the module
as `jax.make_mesh((2, 4), ("a", "b"))`; else it is unknown.  The number of dimensions, dtype and weak type stay.

Source: `_shard_aval` and `_unshard_aval` in jax/_src/shard_map.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from mypy.nodes import CallExpr, DictExpr, Expression, IntExpr, ListExpr, NameExpr, RefExpr, StrExpr, TupleExpr, Var
from mypy.types import AnyType, NoneType, TupleType, Type, TypedDictType, TypeOfAny

from arraytyping.semantics.avals import ShapedArray
from arraytyping_mypy.convert import array_type, arrays_of
from arraytyping_mypy.features.applied import arrayed, mapped_leaves, traced
from arraytyping_mypy.features.stacking import is_plain_array
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.session import Session

__all__ = ["KIND", "UNKNOWN_SPEC", "parts_of", "put_together", "sizes_of_mesh", "specs_of"]

KIND: Final = "shard_map"
"""The mark of what `shard_map` gives."""

UNKNOWN_SPEC: Final = "unknown"
"""A spec of which nothing is known; any other is the numbers by which it divides, `2,1`, each of which may be `?`."""

_SPECS: Final = (
    "jax._src.partition_spec.PartitionSpec", "jax._src.partition_spec.P", "jax.sharding.PartitionSpec", "jax.P",
)  # fmt: skip
_MESHES: Final = ("jax._src.sharding_impls.make_mesh", "jax._src.mesh.make_mesh", "jax.make_mesh")
_DEPTH: Final = 8


def sizes_of_mesh(e: Expression, session: Session) -> dict[str, int]:
    """The sizes of the axes of a mesh that is written out; of any other none."""
    made = _written(e, session)
    if not isinstance(made, CallExpr) or not isinstance(made.callee, RefExpr) or made.callee.fullname not in _MESHES:
        return {}
    if len(made.args) < 2 or any(not kind.is_positional() or kind.is_star() for kind in made.arg_kinds[:2]):
        return {}
    sizes, names = (_items(_written(a, session)) for a in made.args[:2])
    if sizes is None or names is None or len(sizes) != len(names):
        return {}
    found = {n.value: s.value for n, s in zip(names, sizes) if isinstance(n, StrExpr) and isinstance(s, IntExpr)}
    return found if len(found) == len(names) else {}


def specs_of(e: Expression, sizes: Mapping[str, int], session: Session, depth: int = 0) -> Any:
    """The specs that are written: text for each, in tuples and dicts."""
    made = _written(e, session)
    if depth > _DEPTH:
        return UNKNOWN_SPEC
    if isinstance(made, TupleExpr):
        return tuple(specs_of(i, sizes, session, depth + 1) for i in made.items)
    if isinstance(made, DictExpr):
        items = {k.value: specs_of(v, sizes, session, depth + 1) for k, v in made.items if isinstance(k, StrExpr)}
        return items if len(items) == len(made.items) else UNKNOWN_SPEC
    if not isinstance(made, CallExpr) or not isinstance(made.callee, RefExpr) or made.callee.fullname not in _SPECS:
        return UNKNOWN_SPEC
    if any(not kind.is_positional() or kind.is_star() for kind in made.arg_kinds):
        return UNKNOWN_SPEC
    return ",".join(_divisor(_written(a, session), sizes) for a in made.args)


def _divisor(e: Expression, sizes: Mapping[str, int]) -> str:
    """By what an entry of a spec divides."""
    if isinstance(e, NameExpr) and e.fullname == "builtins.None":
        return "1"
    axes = [e] if isinstance(e, StrExpr) else _items(e)
    known = [sizes.get(a.value) for a in axes or () if isinstance(a, StrExpr)]
    numbers = [n for n in known if n is not None]
    return "?" if axes is None or len(numbers) < len(axes) else str(math.prod(numbers))


def _items(e: Expression) -> Sequence[Expression] | None:
    return e.items if isinstance(e, TupleExpr | ListExpr) else None


def _written(e: Expression, session: Session) -> Expression:
    """The expression that a name is bound to, if it is bound once."""
    value = session.bindings.only_value(e.node) if isinstance(e, NameExpr) and isinstance(e.node, Var) else None
    return e if value is None else value


def parts_of(specs: Any, positional: Sequence[Type], session: Session) -> list[Type]:
    """What the function is given on one device."""
    inside = [arrayed(traced(t, session), session) for t in positional]
    if isinstance(specs, tuple):
        if len(specs) != len(inside):
            return [_any()] * len(inside)
        return [_along(t, s, _part, session) for t, s in zip(inside, specs)]
    return [_along(t, specs, _part, session) for t in inside]


def put_together(result: Type, specs: Any, session: Session) -> Type:
    """What comes of the parts that the function gives."""
    return _along(arrayed(traced(result, session), session), specs, _whole, session)


def _along(t: Type, specs: Any, change: Any, session: Session) -> Type:
    p = get_finite_type(t)
    if isinstance(specs, tuple):
        if not isinstance(p, TupleType) or len(specs) != len(p.items):
            return _any()
        return p.copy_modified(items=[_along(i, s, change, session) for i, s in zip(p.items, specs)])
    if isinstance(specs, dict):
        if not isinstance(p, TypedDictType) or specs.keys() != p.items.keys():
            return _any()
        return p.copy_modified(item_types=[_along(i, specs[k], change, session) for k, i in p.items.items()])

    def leaf(one: Type) -> Type:
        if isinstance(get_finite_type(one), NoneType):
            return one
        if not is_plain_array(one):
            return _any()
        return array_type(
            [replace(a, shape=_shape(a, specs, change), value=None) for a in arrays_of(one, session)], session
        )

    return mapped_leaves(t, leaf, session)


def _shape(array: ShapedArray, spec: str, change: Any) -> Any:
    """The shape of a part, or of the whole."""
    if array.shape is None:
        return None
    divisors = spec.split(",") if spec else []
    if spec == UNKNOWN_SPEC:
        divisors = ["?"] * len(array.shape)
    if len(divisors) > len(array.shape):
        return None  # JAX refuses it
    divisors += ["1"] * (len(array.shape) - len(divisors))
    return tuple(d if n == "1" else change(d, n) for d, n in zip(array.shape, divisors))


def _part(size: Any, by: str) -> int | None:
    return size // int(by) if isinstance(size, int) and by != "?" and size % int(by) == 0 else None


def _whole(size: Any, by: str) -> int | None:
    return size * int(by) if isinstance(size, int) and by != "?" else None


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)
