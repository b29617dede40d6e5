"""`debug.callback` and `debug.print`: what a program shows of its values while it runs, however it is transformed.

Source: https://docs.jax.dev/en/latest/jax.debug.html.
"""

from __future__ import annotations

import logging
import string
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.effects import DEBUG, ORDERED_DEBUG, Effects
from arraytyping.runtime.lax.cutting import index_in_dim
from arraytyping.runtime.program_lines import line_of_program
from arraytyping.runtime.tracing.batching import Axis

__all__ = ["callback", "debug_callback_p", "log", "print_"]

logger: Final = logging.getLogger("arraytyping.debug")
"""To which `debug.log` writes."""


def _rule(cx: Any, *avals: Any, **params: Any) -> list[Any]:
    return []


debug_callback_p: Final = Primitive("debug_callback", _rule, multiple_results=True, has_functions=True)


def _evaluate(*args: Any, callback: Callable[..., Any], **params: Any) -> list[Any]:
    callback(*args)
    return []


def _effects(params: dict[str, Any]) -> Effects:
    return frozenset({params["effect"]})


def _batch(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], **params: Any
) -> tuple[list[Any], list[int | None]]:
    """One call for each example, in the order of the batch."""
    for i in range(axis.size):
        of_example = [a if d is None else index_in_dim(a, i, d, keepdims=False) for a, d in zip(args, dims)]
        debug_callback_p.bind(*of_example, **params)
    return [], []


debug_callback_p.eval_rule = _evaluate
debug_callback_p.effects_rule = _effects
debug_callback_p.batching_rule = _batch
debug_callback_p.varying_rule = lambda given, params: (given, [])
debug_callback_p.jvp_rule = lambda primals, tangents, **params: (debug_callback_p.bind(*primals, **params), [])
debug_callback_p.transpose_rule = lambda cts, *args, **params: [None] * len(args)


def _bind(
    function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], ordered: bool, partitioned: bool
) -> None:
    """Call a function with what is known when the program runs; what is no array-like it gets as it is now."""
    leaves, structure = tree.flatten((tuple(args), kwargs))
    arrays: list[Any] = []
    rest: dict[int, Any] = {}
    for i, leaf in enumerate(leaves):
        try:
            arrays.append(materialized(array_from(leaf)))
        except TypeError:
            rest[i] = leaf

    def flat(*values: Any) -> None:
        given = iter(values)
        args, kwargs = tree.unflatten(structure, [rest[i] if i in rest else next(given) for i in range(len(leaves))])
        function(*args, **kwargs)

    effect = ORDERED_DEBUG if ordered else DEBUG
    debug_callback_p.bind(*arrays, callback=flat, effect=effect, partitioned=bool(partitioned))


def callback(
    callback: Callable[..., None] | None = None, *args: Any, ordered: bool = False, partitioned: bool = False,
    **kwargs: Any,
) -> Any:  # fmt: skip
    """`jax.debug.callback`: call a function with values of a program while it runs, and leave its result alone.

    Without a function it gives what takes one: `callback(ordered=True)(function, x)`.  `ordered` calls happen in the
    order of the program, which there is on one device.  Of several devices the first calls it with the whole values,
    each with its part if it is `partitioned`, and within `shard_map`.

    Raises:
        TypeError: if it is given no function, or arguments without one.
        ValueError: for ordered calls in a program of several devices.
    """

    def call(function: Callable[..., None], *c_args: Any, **c_kwargs: Any) -> None:
        if not callable(function):
            raise TypeError(
                f"first argument to jax.debug.callback must be callable, but got an object of type {type(function)}"
            )
        _bind(function, c_args, c_kwargs, ordered, partitioned)

    if callback is not None:
        return call(callback, *args, **kwargs)
    if args or kwargs:
        raise TypeError(f"debug_callback received unexpected arguments in the two-call form: {args=} {kwargs=}")
    return call


class _Checker(string.Formatter):
    """Sees whether a text names all that it is given."""

    def format_field(self, value: Any, format_spec: str) -> str:
        return ""

    def check_unused_args(self, used_args: Any, args: Any, kwargs: Any) -> None:
        if unused := [a for i, a in enumerate(args) if i not in used_args]:
            raise ValueError(f"Unused positional arguments to `jax.debug.print`: {unused}")
        if names := [k for k in kwargs if k not in used_args]:
            raise ValueError(
                f"Unused keyword arguments to `jax.debug.print`: {names}. You may be passing an f-string "
                '(i.e, `f"{x}"`) into `jax.debug.print` and instead should pass in a regular string.'
            )


def print_(
    fmt: str | None = None, *args: Any, ordered: bool = False, partitioned: bool = False,
    skip_format_check: bool = False, **kwargs: Any,
) -> Any:  # fmt: skip
    """`jax.debug.print`: print a text with values of a program while it runs, as `str.format` puts them in.

    Without a text it gives what takes one: `print(ordered=True)("{x}", x=x)`.  With `skip_format_check` a text without
    places is followed by the values.  `ordered` and `partitioned` are as for `callback`.

    Raises:
        TypeError: if it is given arguments without a text.
        ValueError, IndexError, KeyError: if text and arguments do not belong together.
    """
    return _printing("debug_print", _write, fmt, args, kwargs, ordered, partitioned, skip_format_check)


def log(
    fmt: str | None = None, *args: Any, ordered: bool = False, partitioned: bool = False,
    skip_format_check: bool = False, **kwargs: Any,
) -> Any:  # fmt: skip
    """`jax.debug.log`: the same, to the logger `arraytyping.debug`, at the level of information."""
    file, number, _ = line_of_program() or ("(unknown file)", 0, "")

    def tell(message: str) -> None:
        logger.handle(logger.makeRecord(logger.name, logging.INFO, file, number, message, (), None))

    return _printing("debug_log", tell, fmt, args, kwargs, ordered, partitioned, skip_format_check)


def _write(message: str) -> None:
    sys.stdout.write(message + "\n")


def _printing(
    name: str, tell: Callable[[str], None], fmt: str | None, args: Sequence[Any], kwargs: dict[str, Any], ordered: bool,
    partitioned: bool, skip_format_check: bool,
) -> Any:  # fmt: skip
    def show(text: str, *c_args: Any, **c_kwargs: Any) -> None:
        if not skip_format_check:
            _Checker().format(text, *c_args, **c_kwargs)
        has_places = any(field is not None for _, field, *_ in [next(iter(string.Formatter().parse(text)))] if text)
        options: Any = np.get_printoptions()

        def shown(*values: Any, **named: Any) -> None:
            if not has_places:
                return tell(" ".join((text, *map(str, values))))
            with np.printoptions(**options):
                tell(text.format(*values, **named))

        _bind(shown, c_args, c_kwargs, ordered, partitioned)

    if fmt is not None:
        return show(fmt, *args, **kwargs)
    if args or kwargs:
        raise TypeError(f"{name} received unexpected arguments in the two-call form: {args=} {kwargs=}")
    return show
