"""Programs whose results are looked at: `debug_nans` and `debug_infs` refuse those that are not numbers, or not finite.

A program that gives one is computed again, one operation after the other, to say which.

Source: https://docs.jax.dev/en/latest/debugging/flags.html.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from arraytyping import config
from arraytyping.runtime.array import ArrayImpl
from arraytyping.runtime.core import is_eager
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.runtime.transformations.calls import jit_p

__all__ = ["CheckedRun", "checks_here"]

Checks = tuple[bool, bool]
"""Whether results are refused that are not numbers, and those that are infinite."""


def checks_here() -> Checks:
    """What is refused here."""
    return config.read("debug_nans"), config.read("debug_infs")


class CheckedRun:
    """What runs a jaxpr, as `compile_jaxpr` gives it, and looks at what comes; no text is made for its calls."""

    __slots__ = ("checks", "closed", "is_donated", "name", "run")
    single = None
    has_effects = True

    def __init__(self, run: Any, closed: ClosedJaxpr, name: str, checks: Checks, is_donated: bool) -> None:
        self.run: Any = run
        self.closed: ClosedJaxpr = closed
        self.name: str = name
        self.checks: Checks = checks
        self.is_donated: bool = is_donated

    def __call__(self, args: Sequence[Any]) -> list[ArrayImpl]:
        """The results for these arrays.

        Raises:
            FloatingPointError: if one of them holds what is refused.
        """
        return self._checked(self.run(args), lambda: args)

    def on_buffers(self, buffers: list[Any]) -> list[ArrayImpl]:
        """The results for arrays that these buffers hold; raises as the call."""
        return self._checked(self.run.on_buffers(buffers), lambda: list(map(ArrayImpl, buffers)))

    def one(self, buffers: list[Any]) -> ArrayImpl:
        """The result, if it is one; raises as the call."""
        return self.on_buffers(buffers)[0]

    @property
    def executable(self) -> Any:
        """The program."""
        return self.run.executable

    def _checked(self, outs: list[ArrayImpl], args: Callable[[], Sequence[Any]]) -> list[ArrayImpl]:
        kind = next((k for k in (_refused(out, self.checks) for out in outs) if k), None)
        if kind is None:
            return outs
        eqns = self.closed.jaxpr.eqns
        if len(eqns) == 1 and eqns[0].primitive is not jit_p:
            raise FloatingPointError(f"invalid value ({kind}) encountered in {eqns[0].primitive}")
        if not self.is_donated and is_eager():
            eval_jaxpr(self.closed.jaxpr, self.closed.consts, *args())  # raises where it comes from
        raise FloatingPointError(f"invalid value ({kind}) encountered in {self.name}")


def _refused(out: ArrayImpl, checks: Checks) -> str | None:
    """The kind of value that a result holds and that is refused."""
    dtype = str(out.aval.dtype)
    if not dtype.startswith(("float", "bfloat", "complex")):
        return None
    value = np.asarray(out)
    if dtype.startswith(("bfloat", "float8", "float4")):
        value = value.astype(np.float32)
    if checks[0] and bool(np.isnan(value).any()):
        return "nan"
    return "inf" if checks[1] and bool(np.isinf(value).any()) else None
