"""Functions whose result is cut along explicit axes as the argument `out_sharding` says.

Source: https://docs.jax.dev/en/latest/notebooks/explicit-sharding.html.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

from arraytyping.semantics.operations import OPERATIONS

__all__ = ["takes_out_sharding"]

P = ParamSpec("P")
R = TypeVar("R")


def takes_out_sharding(function: Callable[P, R]) -> Callable[P, R]:
    """Make a function compute into the `out_sharding` that it is given; within it the compiler decides."""
    place = list(inspect.signature(function).parameters).index("out_sharding")

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        given = args[place] if len(args) > place else kwargs.get("out_sharding")
        if given is None:
            return function(*args, **kwargs)
        rest = {name: value for name, value in kwargs.items() if name != "out_sharding"}
        made = OPERATIONS.computed_into(function.__name__, function, args[:place], rest, given)
        return cast(R, made)

    return call
