"""`jit`: trace a function once for each kind of arguments, compile it, and run the compiled program.

Source: https://docs.jax.dev/en/latest/jit-compilation.html.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ParamSpec, TypeVar, overload

from arraytyping.runtime.transformations.arguments import name_of
from arraytyping.runtime.transformations.jit_wrapped import JitWrapped

__all__ = ["JitWrapped", "jit"]

P = ParamSpec("P")
R = TypeVar("R")


def _listed(value: Any, kind: type) -> list[Any] | None:
    return None if value is None else [value] if isinstance(value, kind) else list(value)


@overload
def jit(
    fun: Callable[P, R],
    /,
    *,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Iterable[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None,
    donate_argnames: str | Iterable[str] | None = None,
    inline: bool = False,
    keep_unused: bool = False,
    in_shardings: Any = None,
    out_shardings: Any = None,
) -> JitWrapped[P, R]: ...
@overload
def jit(
    *,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Iterable[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None,
    donate_argnames: str | Iterable[str] | None = None,
    inline: bool = False,
    keep_unused: bool = False,
    in_shardings: Any = None,
    out_shardings: Any = None,
) -> Callable[[Callable[P, R]], JitWrapped[P, R]]: ...
def jit(
    fun: Callable[..., Any] | None = None,
    /,
    *,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Iterable[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None,
    donate_argnames: str | Iterable[str] | None = None,
    inline: bool = False,
    keep_unused: bool = False,
    in_shardings: Any = None,
    out_shardings: Any = None,
) -> Any:
    """Make a function run as a compiled program.

    It is traced once for each kind of arguments: dtypes, weak types, shapes, structure, and the values of the static
    ones (`static_argnums`, `static_argnames`), which must be hashable.  Donated arguments (`donate_argnums`,
    `donate_argnames`) give their memory to the results and are deleted.  The program is not given arguments that it
    does not use, unless `keep_unused` holds.  `in_shardings` and `out_shardings` say where arguments and results lie:
    one sharding for all, or a tree that is a prefix of that of the arguments or results, where None says nothing.

    Raises:
        TypeError: if it is given no function, or called with what is neither an array-like nor static.
        ValueError: if an option names a parameter that does not exist.
    """
    options = (
        _listed(static_argnums, int),
        _listed(static_argnames, str),
        _listed(donate_argnums, int),
        _listed(donate_argnames, str),
        inline,
        keep_unused,
        in_shardings,
        out_shardings,
    )
    if fun is None:
        return lambda function: jit(
            function, static_argnums=static_argnums, static_argnames=static_argnames, donate_argnums=donate_argnums,
            donate_argnames=donate_argnames, inline=inline, keep_unused=keep_unused,
            in_shardings=in_shardings, out_shardings=out_shardings,
        )  # fmt: skip
    if not callable(fun):
        raise TypeError(f"Expected a callable value, got {fun!r:.60} of type {type(fun).__name__}")
    if inspect.isgeneratorfunction(fun):
        raise TypeError(
            f"Expected a function, got a generator function, {name_of(fun)}; jit takes one that returns arrays"
        )
    return JitWrapped(fun, *options)
