"""What distributions of `jax.scipy.stats` have in common: how their functions are named, and exponentials of others."""

from __future__ import annotations

import functools
import math
from typing import Any

from arraytyping.semantics.rules.compositions import COMPOSITIONS, Operations, composition
from arraytyping.semantics.rules.terms import Term

__all__ = ["applied", "clamped", "exponential", "logarithm", "scaled"]

_WHAT = {"pdf": "density", "pmf": "probability", "cdf": "distribution function", "sf": "survival function"}


def exponential(distribution: str, name: str) -> None:
    """Enter a function (`pdf`) that is the exponential of another (`logpdf`)."""
    logarithm = f"scipy.stats.{distribution}.log{name}"

    @functools.wraps(COMPOSITIONS[logarithm])
    def definition(ops: Operations, *args: Any, **kwargs: Any) -> Any:
        return ops("lax.exp", ops(logarithm, *args, **kwargs))

    definition.__doc__ = f"`jax.scipy.stats.{distribution}.{name}`: the {_WHAT[name]}."
    composition(f"scipy.stats.{distribution}.{name}")(definition)


def logarithm(distribution: str, name: str) -> None:
    """Enter a function (`logcdf`) that is the logarithm of another (`cdf`)."""
    inner = f"scipy.stats.{distribution}.{name}"

    @functools.wraps(COMPOSITIONS[inner])
    def definition(ops: Operations, *args: Any, **kwargs: Any) -> Any:
        return ops("lax.log", ops(inner, *args, **kwargs))

    definition.__doc__ = f"`jax.scipy.stats.{distribution}.log{name}`: the logarithm of the {_WHAT[name]}."
    composition(f"scipy.stats.{distribution}.log{name}")(definition)


def applied(name: str, first: Term, *others: Any) -> Term:
    """A function of `jax.scipy.special` of terms."""
    return first.made(f"scipy.special.{name}", first, *others)


def scaled(x: Term, loc: Term, scale: Term) -> Term:
    """Where x is in the standard distribution."""
    return (x - loc) / scale


def clamped(x: Term, greatest: float = math.inf) -> Term:
    """The term between 0 and a number."""
    return x.made("lax.clamp", x.constant(0), x, x.constant(greatest))
