"""What is said where a value is asked for that is not there while JAX traces: by flow, and by the plugin for mypy.

Source: https://docs.jax.dev/en/latest/errors.html.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

__all__ = [
    "LOOP_ADVICE",
    "OTHERWISE",
    "MASK_ADVICE",
    "SIZED",
    "SIZE_ADVICE",
    "mask_sentence",
    "names_shown",
    "no_array_sentence",
    "not_known_sentence",
    "number_sentence",
    "python_value_sentence",
    "sized_sentence",
    "static_sentence",
    "truth_sentence",
]

OTHERWISE: Final = "use a shape or a Python number in its place"
SIZE_ADVICE: Final = "give size, or use jnp.where with three arguments"
LOOP_ADVICE: Final = "use jax.lax.fori_loop"

SIZED: Final = frozenset({
    "nonzero", "flatnonzero", "argwhere", "where", "unique", "unique_values", "unique_counts", "unique_inverse",
    "unique_all", "intersect1d", "union1d", "setdiff1d", "setxor1d",
})  # fmt: skip
"""The functions whose results have a size that depends on values, and that take it as `size`."""


def names_shown(names: Iterable[str]) -> str:
    """`a` and `b`."""
    return " and ".join(f"`{name}`" for name in names)


def not_known_sentence(subject: str, by: str, function: str, where: str, advice: str) -> str:
    """That something is not known while a function is traced; `where` is its place, as in ` (line 3)`."""
    return f"{subject} is not known while `{by}` traces `{function}`{where}: {advice}"


def static_sentence(function: str, names: list[str], has_static: bool) -> str:
    """Which arguments of a jitted function to mark as static."""
    option = f'"{names[0]}"' if len(names) == 1 else f"({', '.join(f'{n!r}' for n in names)})".replace("'", '"')
    called = function if function.isidentifier() else "..."
    as_well = " as well" if has_static else ""
    return f"mark {names_shown(names)} static{as_well}: `jax.jit({called}, static_argnames={option})`"


def truth_sentence(array: object, advice: str | None) -> str:
    """Of the truth of a tracer."""
    return (
        f"the truth of a tracer {array} is asked for, which has no value yet; use jnp.where or jax.lax.cond, or "
        f"{advice or 'mark the argument as static'}"
    )


def number_sentence(name: str, array: object) -> str:
    """Of a tracer that is to become a number of Python."""
    return (
        f"{name}() of a tracer {array}, which has no value yet; use .astype, or do this outside of the traced function"
    )


def python_value_sentence(name: str, array: object) -> str:
    """Of a method that gives a tracer's value as Python's."""
    return (
        f".{name}() of a tracer {array}: it has no value yet; do this outside of the traced function, or use "
        "jax.debug.print to see it"
    )


def sized_sentence(name: str, not_known: str) -> str:
    """Of a function whose result has a size that depends on values."""
    return f"{name}: the size of the result depends on values: {not_known}"


def mask_sentence(not_known: str) -> str:
    """Of a mask that is an index."""
    return f"how many elements a mask takes depends on values: {not_known}"


MASK_ADVICE: Final = "use jnp.where(mask, x, y), or give the mask as a NumPy array"


def no_array_sentence(what: str, given: str) -> str:
    """Of an argument of a traced function that is no array and no tree of such."""
    return f"{what} is {given}, which is no array and no pytree; mark it as static, or register its class"
