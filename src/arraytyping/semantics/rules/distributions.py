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
    _enter_through("lax.exp", distribution, name, f"log{name}", f"the {_WHAT[name]}")


def logarithm(distribution: str, name: str) -> None:
    """Enter a function (`logcdf`) that is the logarithm of another (`cdf`)."""
    _enter_through("lax.log", distribution, f"log{name}", name, f"the logarithm of the {_WHAT[name]}")


def _enter_through(operation: str, distribution: str, name: str, inner: str, what: str) -> None:
    """Enter a function that is an operation on the result of another one of the distribution."""
    inner = f"scipy.stats.{distribution}.{inner}"

    @functools.wraps(COMPOSITIONS[inner])
    def definition(ops: Operations, *args: Any, **kwargs: Any) -> Any:
        return ops(operation, ops(inner, *args, **kwargs))

    definition.__doc__ = f"`jax.scipy.stats.{distribution}.{name}`: {what}."
    composition(f"scipy.stats.{distribution}.{name}")(definition)


def applied(name: str, first: Term, *others: Any) -> Term:
    """A function of `jax.scipy.special` of terms."""
    return first.made(f"scipy.special.{name}", first, *others)


def scaled(x: Term, loc: Term, scale: Term) -> Term:
    """Where x is in the standard distribution."""
    return (x - loc) / scale


def clamped(x: Term, greatest: float = math.inf) -> Term:
    """The term between 0 and a number."""
    return x.made("lax.clamp", x.constant(0), x, x.constant(greatest))
