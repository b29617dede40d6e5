"""The arguments of a transformed function as flat arrays, and its results as a tree again.

Source: https://docs.jax.dev/en/latest/pytrees.html.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from arraytyping import config
from arraytyping.basearray import Array
from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.core import within_mesh
from arraytyping.runtime.trace_state import manual_here

__all__ = ["FlatFunction", "arrays_of", "float0", "is_float0", "name_of", "named_as", "normalized_argnums", "with_held"]

float0: Final = np.dtype([("float0", np.void, 0)])
"""The dtype of the tangents of integers and bools, which hold nothing."""


def is_float0(value: Any) -> bool:
    """Whether this is a tangent that holds nothing: NumPy's array, which no program computes with."""
    return isinstance(value, np.ndarray) and value.dtype == float0


def with_held(leaves: Sequence[Any], held: Mapping[int, Any]) -> list[Any]:
    """All leaves, from those that went through a program and the others, by their numbers."""
    given = iter(leaves)
    return [held[i] if i in held else next(given) for i in range(len(leaves) + len(held))]


def name_of(function: Callable[..., Any]) -> str:
    """The name of a function, for messages and programs."""
    return getattr(function, "__name__", None) or type(function).__name__


def named_as(wrapper: Any, function: Callable[..., Any]) -> None:
    """Give a wrapper the name, the text and the attributes of a function, but for those that its own class has."""
    functools.update_wrapper(wrapper, function, updated=())
    for name, value in getattr(function, "__dict__", {}).items():
        if name != "__wrapped__" and not hasattr(type(wrapper), name):
            setattr(wrapper, name, value)


def arrays_of(leaves: Sequence[Any], function: Callable[..., Any], describe: Callable[[int], str]) -> list[Any]:
    """The arrays that array-like leaves are.

    `describe` names the place of a leaf, for the message.

    Raises:
        TypeError: for a leaf that is no array-like.
    """
    found = []
    for i, leaf in enumerate(leaves):
        if isinstance(leaf, Array):
            found.append(leaf)
            continue
        try:
            found.append(_array_from(leaf))
        except OverflowError:
            raise OverflowError(
                f"the argument {describe(i)} of {name_of(function)} is the Python int {leaf}, which the default "
                "integer does not hold; pass a NumPy array of a dtype that does, or enable x64"
            ) from None
        except TypeError:
            raise TypeError(
                f"the argument {describe(i)} of {name_of(function)} is {leaf!r:.60} of type {type(leaf).__name__}, and "
                "an array or a number is expected; mark what is no array as static, with static_argnums or "
                "static_argnames"
            ) from None
    manual = manual_here()
    return found if manual is None or not manual.check else list(map(within_mesh, found))


def _array_from(leaf: Any) -> Any:
    """What is no array as one, which need not lie on the devices of a mesh that is set: the program says where."""
    if config.read("device_mesh") is None:
        return array_from(leaf)
    with config._set_here("device_mesh", None):
        return array_from(leaf)


class FlatFunction:
    """A function of flat arrays that calls one of trees; `out_tree` is known when it has been called.

    Where `holds_float0`, results of float0 are no results of the flat function; `held` has them by their number.

    Raises (when called):
        TypeError: if a result is no array-like.
    """

    __slots__ = ("call", "function", "held", "holds_float0", "in_tree", "out_tree")

    def __init__(
        self, function: Callable[..., Any], in_tree: tree.PyTreeDef, call: Callable[[Any], Any] | None = None,
        *, holds_float0: bool = False,
    ) -> None:  # fmt: skip
        self.function: Callable[..., Any] = function
        self.in_tree: tree.PyTreeDef = in_tree
        self.out_tree: Any = None
        self.call: Callable[[Any], Any] | None = call
        self.holds_float0: bool = holds_float0
        self.held: dict[int, Any] = {}

    def __call__(self, *leaves: Any) -> list[Any]:
        """The leaves of the result, as arrays."""
        given = tree.unflatten(self.in_tree, leaves)
        result = self.call(given) if self.call else self.function(*given)
        outs, self.out_tree = tree.flatten(result)
        self.held = {i: out for i, out in enumerate(outs) if is_float0(out)} if self.holds_float0 else {}
        return [self.checked(out, i) for i, out in enumerate(outs) if i not in self.held]

    def checked(self, out: Any, number: int) -> Any:
        """One result, as an array."""
        if isinstance(out, Array):
            return materialized(out)
        try:
            return materialized(array_from(out))
        except TypeError:
            path = tree.path_str(tree_path(self.out_tree, number))
            raise TypeError(
                f"{name_of(self.function)} returned {out!r:.60} of type {type(out).__name__}"
                f"{f' at output component {path}' if path else ''}, and an array or a number is expected"
            ) from None


def tree_path(treedef: Any, number: int) -> Any:
    """The path to a leaf of a structure."""
    return treedef.paths()[number]


def described_argument(function: Callable[..., Any], path: Sequence[Any]) -> str:
    """The name of an argument by its path in `(args, kwargs)`: `x`, `params['w']`."""
    where, first, *rest = path
    if where == 0:
        try:
            names = [
                p.name
                for p in inspect.signature(function).parameters.values()
                if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
            ]
        except (TypeError, ValueError):
            names = []
        first = names[first] if first < len(names) else f"args[{first}]"
    return f"{first}{tree.path_str(rest)}"


def normalized_argnums(argnums: Any, what: str, n: int, too_few: type[Exception] = ValueError) -> tuple[int, ...]:
    """Argument numbers as a tuple of numbers from 0.

    Raises:
        TypeError: if they are no integers.
        ValueError: if there is no such argument, or one is named twice.
    """
    given = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    found = []
    for number in given:
        if not isinstance(number, int):
            raise TypeError(f"{what} is {argnums!r}; expected an int or a tuple of ints")
        if not -n <= number < n:
            if number >= n:
                raise too_few(
                    f"{what} is {argnums!r}, which requires at least {number + 1} positional arguments, but the "
                    f"function was called with {n}"
                )
            raise ValueError(f"{what} is {argnums!r}, but the function was called with {n} positional arguments")
        found.append(number % n)
    if len(set(found)) != len(found):
        raise ValueError(f"{what} is {argnums!r}, which names an argument twice")
    return tuple(found)
