"""`ravel_pytree`: the leaves of a tree in one array, and the function that gives the tree back.

Where all leaves are of one dtype, that function gives leaves of the dtype of the array that it is called with; else it
gives each its own, which is not weak.

Source: `_ravel_list` in jax/_src/flatten_util.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from mypy.plugin import FunctionContext
from mypy.types import AnyType, Instance, NoneType, TupleType, Type, TypedDictType, TypeOfAny

from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.promotion.jax import WEAK
from arraytyping_mypy.convert import array_type, arrays_of
from arraytyping_mypy.features.applied import arrayed, mapped_leaves
from arraytyping_mypy.features.carried import any_weak
from arraytyping_mypy.features.instance_types import instance_info
from arraytyping_mypy.features.marks import marked
from arraytyping_mypy.features.stacking import is_plain_array
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.wrappers import can_wrap

__all__ = ["KIND", "function_hook", "unraveled"]

KIND: Final = "unravel"
"""The mark of the function that gives the tree back."""

_NAMES: Final = ("jax._src.flatten_util.ravel_pytree", "jax.flatten_util.ravel_pytree")
_LISTS: Final = ("builtins.list", "builtins.dict", "builtins.tuple")


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of `ravel_pytree`, or None."""
    return partial(_ravel, sessions) if fullname in _NAMES else None


def _ravel(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    info = session.jit_wrapped
    if not session.is_active or info is None or not can_wrap(info) or len(ctx.args) != 1 or len(ctx.args[0]) != 1:
        return ctx.default_return_type
    tree = arrayed(session.following.function(ctx.args[0][0], ctx.arg_types[0][0]), session)
    leaves = list(_leaves(tree, session))
    known = [leaf for leaf in leaves if leaf is not None]
    if not known or len(known) < len(leaves):
        return ctx.default_return_type
    one = _only_dtype([a for arrays, _ in known for a in arrays], session)
    sizes = [_size(arrays) if is_single else None for arrays, is_single in known]
    total = sum(s for s in sizes if s is not None) if None not in sizes else None
    flat = ShapedArray((total,), one, False)
    # It is weak if all leaves are.
    is_strong = any(all(a.weak_type is False or a.dtype == "bool" for a in arrays) for arrays, _ in known)
    is_weak = all(a.weak_type for arrays, _ in known for a in arrays)
    of = [flat] if one is None or is_strong else list(any_weak(flat, session))
    if is_weak and one is not None:
        of = [a for a in of if a.weak_type]
    unravel = marked(KIND, {}, tree, info, session)
    return TupleType([array_type(of, session), unravel], session.api.named_generic_type("builtins.tuple", [_any()]))


def unraveled(tree: Type, positional: Sequence[Type], session: Session) -> Type | None:
    """The tree that is given back for an array."""
    arrays = arrays_of(positional[0], session) if len(positional) == 1 and is_plain_array(positional[0]) else []
    leaves = [a for leaf in _leaves(tree, session) if leaf is not None for a in leaf[0]]
    one = _only_dtype(leaves, session)
    dtypes = {a.dtype for a in leaves}
    is_mixed = len(dtypes) > 1 and None not in dtypes and all(d not in WEAK for d in dtypes) and one is None

    def leaf(t: Type) -> Type:
        if not is_plain_array(t):
            return _any()
        found: list[ShapedArray] = []
        for a in arrays_of(t, session):
            if one is not None and arrays:
                found += [replace(by, shape=a.shape, value=None) for by in arrays]
            else:
                found.append(ShapedArray(a.shape, a.dtype if is_mixed else None, False if is_mixed else None))
        return array_type(found, session)

    return mapped_leaves(tree, leaf, session)


def _leaves(t: Type, session: Session) -> Iterator[tuple[list[ShapedArray], bool] | None]:
    """The arrays that each leaf may be, and whether it is one leaf alone; None for what is not known."""
    p = get_finite_type(t)
    if isinstance(p, NoneType):
        return
    if isinstance(p, TypedDictType) and p.required_keys != p.items.keys():
        yield None
    elif isinstance(p, TupleType | TypedDictType) and instance_info(p) is None:
        for item in p.items if isinstance(p, TupleType) else p.items.values():
            yield from _leaves(item, session)
    elif isinstance(p, Instance) and p.type.fullname in _LISTS:
        for leaf in _leaves(p.args[-1], session):
            yield None if leaf is None else (leaf[0], False)
    else:
        yield (arrays_of(p, session), True) if is_plain_array(p) else None


def _only_dtype(arrays: Sequence[ShapedArray], session: Session) -> str | None:
    """The dtype that all of these arrays have for certain."""
    found: set[str | None] = set()
    for a in arrays:
        if a.dtype in WEAK:
            found |= {p.default(a.dtype) for p in session.promotions}
        else:
            found.add(a.dtype)
    return found.pop() if len(found) == 1 else None


def _size(arrays: Sequence[ShapedArray]) -> int | None:
    sizes = {_product(a) for a in arrays}
    return sizes.pop() if len(sizes) == 1 else None


def _product(array: ShapedArray) -> int | None:
    dims = [] if array.shape is None else [d for d in array.shape if isinstance(d, int)]
    return math.prod(dims) if array.shape is not None and len(dims) == len(array.shape) else None


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)
