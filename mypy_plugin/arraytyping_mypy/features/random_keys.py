"""`jax.random.key(seed)` and `jax.random.PRNGKey(seed)`: which keys they make the program's configuration says."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.plugin import FunctionContext
from mypy.types import Type

from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.key_implementations import KEY_SIZES, KEY_TAGS
from arraytyping_mypy.arguments import bind
from arraytyping_mypy.convert import array_type
from arraytyping_mypy.sessions import Sessions

__all__ = ["function_hook"]

_SPACES: Final = ("jax.random.", "jax._src.random.core.", "jax._src.random.")
_TYPED: Final = frozenset(f"{space}key" for space in _SPACES)
_BITS: Final = frozenset(f"{space}PRNGKey" for space in _SPACES)


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of a function that makes a key of a seed, or None."""
    if fullname not in _TYPED and fullname not in _BITS:
        return None
    return partial(_made, fullname in _TYPED, sessions)


def _made(is_typed: bool, sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    if not session.is_active:
        return ctx.default_return_type
    bound = bind(ctx.args, ctx.arg_types, ctx.arg_kinds, ctx.arg_names, session)
    if bound is None or len(bound[0]) > 1:
        return ctx.default_return_type
    has_default_keys = session.has_default_keys
    asked = bound[1].get("impl", "threefry2x32" if has_default_keys else None)
    name = KEY_TAGS.get(asked) if isinstance(asked, str) else None
    if is_typed:
        return array_type([ShapedArray((), None if name is None else f"key<{name}>")], session)
    if not has_default_keys:  # a configuration may make these typed ones
        return ctx.default_return_type
    return array_type([ShapedArray((None if name is None else KEY_SIZES[name],), "uint32")], session)
