"""Functions of vectors or of scalars applied to whole arrays, by `vmap`.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.vectorize.html; signatures as in
https://numpy.org/doc/stable/reference/c-api/generalized-ufuncs.html.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from arraytyping.numpy.conversion import asarray
from arraytyping.numpy.reshaping import expand_dims, reshape
from arraytyping.runtime.array_likes import array_from
from arraytyping.runtime.core import raised
from arraytyping.runtime.transformations.mapping import vmap
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes

__all__ = ["apply_along_axis", "apply_over_axes", "vectorize"]

Names = tuple[str, ...]

_ARGUMENT: Final = r"\((?:\w+(?:,\w+)*)?\)"
_SIGNATURE: Final = re.compile(rf"{_ARGUMENT}(?:,{_ARGUMENT})*->{_ARGUMENT}(?:,{_ARGUMENT})*")


def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """A function of vectors applied to each line along an axis: `jax.numpy.apply_along_axis`.

    Raises:
        ValueError: if the array has no such axis.
    """
    x = array_from(arr)
    rank = len(x.aval.shape)
    try:
        along = canonicalize_axis("apply_along_axis", axis, rank)
    except RuleError as error:
        raise raised(error) from None
    assert along is not None

    def function(vector: Any) -> Any:
        return func1d(vector, *args, **kwargs)

    for i in range(1, rank - along):
        function = vmap(function, in_axes=i, out_axes=-1)
    for _ in range(along):
        function = vmap(function, in_axes=0, out_axes=0)
    return function(x)


def apply_over_axes(func: Callable[[Any, int], Any], a: Any, axes: Sequence[int]) -> Any:
    """A function of an array and an axis applied to one axis after another: `jax.numpy.apply_over_axes`.

    Raises:
        ValueError: if the function returns an array of another rank, not just without the axis.
    """
    x = array_from(a)
    for axis in axes:
        result = func(x, axis)
        change = len(result.aval.shape) - len(x.aval.shape)
        if change not in (0, -1):
            raise ValueError(
                f"apply_over_axes: of {x.aval} the function makes {result.aval}; it must keep the dimensions, or "
                "leave out the axis"
            )
        x = result if change == 0 else expand_dims(result, axis)
    return x


def _parsed(signature: str) -> tuple[list[Names], list[Names]]:
    """The names of the core dimensions of the operands and of the results.

    Raises:
        ValueError: for what is no signature.
    """
    if not _SIGNATURE.fullmatch(signature.replace(" ", "")):
        raise ValueError(f"vectorize: {signature!r} is not a valid gufunc signature; write it as '(m,n),(n)->(m)'")
    left, right = (
        [tuple(re.findall(r"\w+", part)) for part in re.findall(_ARGUMENT, side)]
        for side in signature.replace(" ", "").split("->")
    )
    return left, right


def _note_sizes(sizes: dict[str, int], shape: tuple[int, ...], names: Names, what: str, *, exactly: bool) -> None:
    """Enter the sizes of core dimensions.

    Raises:
        ValueError: if there are not as many dimensions, or a size differs from one of that name.
    """
    if len(shape) < len(names) or (exactly and len(shape) != len(names)):
        raise ValueError(f"vectorize: {what} shape {shape} does not match the core dimensions {names}")
    for name, size in zip(names, shape[len(shape) - len(names) :]):
        if sizes.setdefault(name, size) != size:
            raise ValueError(
                f"vectorize: inconsistent size for core dimension {name!r}: {sizes[name]} and, in {what}, {size}"
            )


def _with_checked_results(
    function: Callable[..., Any], sizes: dict[str, int], names: list[Names]
) -> Callable[..., Any]:
    def checked(*args: Any) -> Any:
        result = function(*args)
        several = isinstance(result, tuple)
        if len(names) > 1 and not several:
            raise TypeError(
                f"vectorize: output must be a tuple, as the signature names {len(names)} results, got "
                f"{type(result).__name__}"
            )
        outs = result if several else (result,)
        if len(outs) != len(names):
            raise TypeError(
                f"vectorize: wrong number of output arguments: the signature names {len(names)}, got {len(outs)}"
            )
        found = dict(sizes)
        for out, own in zip(outs, names):
            _note_sizes(found, asarray(out).shape, own, "output", exactly=True)
        return result

    return checked


def _without(
    function: Callable[..., Any], excluded: Collection[int | str], args: Sequence[Any], kwargs: dict[str, Any]
) -> tuple[Callable[..., Any], list[Any], dict[str, Any]]:
    """A function of the arguments that are not excluded, the others put in."""
    kept = [a for i, a in enumerate(args) if i not in excluded]
    named = {k: v for k, v in kwargs.items() if k not in excluded}
    fixed = [(i, args[i]) for i in sorted(e for e in excluded if isinstance(e, int)) if i < len(args)]
    fixed_named = {k: v for k, v in kwargs.items() if k in excluded}

    def reduced(*rest: Any, **others: Any) -> Any:
        whole = list(rest)
        for i, value in fixed:
            whole.insert(i, value)
        return function(*whole, **others, **fixed_named)

    return reduced, kept, named


def vectorize(
    pyfunc: Callable[..., Any], *, excluded: Collection[int | str] = frozenset(), signature: str | None = None
) -> Callable[..., Any]:
    """A function of scalars, or of the core dimensions that a signature names, as one of arrays: `jax.numpy.vectorize`.

    The other dimensions of the arguments broadcast; arguments that are excluded stay as they are.

    Raises:
        TypeError: if what is excluded is not given by numbers and names.
        ValueError: for a negative number, and for what is no signature.
    """
    if any(not isinstance(e, int | str) for e in excluded):
        raise TypeError(f"jax.numpy.vectorize can only exclude arguments by number or name, got {excluded!r}")
    if any(isinstance(e, int) and e < 0 for e in excluded):
        raise ValueError(f"vectorize: the numbers of excluded arguments are not negative, got {excluded!r}")

    @functools.wraps(pyfunc)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        function, rest, named = _without(pyfunc, excluded, args, kwargs)
        if named:
            function = functools.partial(function, **named)
        results: list[Names] | None
        names: list[Names]
        if signature is None:
            names, results = [() for _ in rest], None
        else:
            names, results = _parsed(signature)
        nothing = {i for i, a in enumerate(rest) if a is None}
        if any(i < len(names) and names[i] for i in nothing):
            raise ValueError(f"vectorize: Cannot pass None at locations {nothing} with signature={signature!r}")
        if nothing:
            names = [own for i, own in enumerate(names) if i not in nothing]
            function, rest, _ = _without(function, nothing, rest, {})
        return _applied(function, [asarray(a) for a in rest], names, results)

    return wrapped


def _applied(function: Callable[..., Any], args: list[Any], names: list[Names], results: list[Names] | None) -> Any:
    """The function for each place of the dimensions that are not core ones."""
    if len(args) != len(names):
        raise TypeError(
            f"vectorize: wrong number of positional arguments: the signature names {len(names)}, got {len(args)}"
        )
    sizes: dict[str, int] = {}
    loops: list[tuple[int, ...]] = []
    for i, (x, own) in enumerate(zip(args, names)):
        shape = x.shape
        _note_sizes(sizes, shape, own, f"argument {i}", exactly=False)
        loops.append(shape[: len(shape) - len(own)])
    try:
        whole = broadcast_shapes("vectorize", *loops) or ()
    except RuleError as error:
        raise ValueError(error.message) from None
    if results is not None:
        function = _with_checked_results(function, sizes, results)
    squeezed = [reshape(x, (*(n for n in loop if n != 1), *x.shape[len(loop) :])) for x, loop in zip(args, loops)]
    new: list[int] = []
    for place in range(len(whole) - 1, -1, -1):
        back = len(whole) - place
        mapped = tuple(0 if len(loop) >= back and loop[-back] != 1 else None for loop in loops)
        if all(axis is None for axis in mapped):
            new.append(place)
        else:
            function = vmap(function, in_axes=mapped)
    result = function(*squeezed)
    if not new:
        return result
    if isinstance(result, tuple):
        return tuple(expand_dims(r, new) for r in result)
    return expand_dims(result, new)
