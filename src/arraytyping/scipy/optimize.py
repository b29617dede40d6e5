"""The least value of a function, under the names of `jax.scipy.optimize`: by BFGS, and by it with limited memory.

Source: https://docs.jax.dev/en/latest/jax.scipy.html#module-jax.scipy.optimize; J. Nocedal, S. Wright, "Numerical
Optimization", 2nd edition, algorithms 6.1 and 7.4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from arraytyping.lax import Precision, fori_loop, while_loop
from arraytyping.numpy import array, conj, einsum, eye, isfinite, real, reciprocal, roll, where, zeros, zeros_like
from arraytyping.numpy.linalg import norm as norm_of
from arraytyping.runtime import whole as whole
from arraytyping.runtime.transformations.differentiation import value_and_grad
from arraytyping.scipy.line_searches import line_search, product

__all__ = ["OptimizeResults", "minimize"]


class OptimizeResults(NamedTuple):
    """What `minimize` has found."""

    x: Any
    """The point."""
    success: Any
    """Whether the gradient is small there."""
    status: Any
    """0, or a number for the reason why it ended otherwise."""
    fun: Any
    """The value of the function."""
    jac: Any
    """Its gradient."""
    hess_inv: Any
    """An estimate of the inverse of its Hessian, or None."""
    nfev: Any
    """How often the function was asked."""
    njev: Any
    """How often its gradient was."""
    nit: Any
    """How many steps were taken."""


class _Bfgs(NamedTuple):
    is_done: Any
    has_failed: Any
    count: Any
    calls: Any
    x: Any
    value: Any
    gradient: Any
    inverse: Any
    before: Any
    status: Any


def _outer(x: Any, y: Any) -> Any:
    return x[:, None] * y[None, :]


def _bfgs(
    f: Callable[[Any], Any], x0: Any, maxiter: int | None = None, norm: Any = np.inf, gtol: float = 1e-5,
    line_search_maxiter: int = 10,
) -> OptimizeResults:  # fmt: skip
    most = np.size(x0) * 200 if maxiter is None else maxiter
    size = x0.shape[0]

    def step(state: _Bfgs) -> _Bfgs:
        direction = -product(state.inverse, state.gradient)
        found = line_search(f, state.x, direction, state.value, state.gradient, state.before, line_search_maxiter)
        moved = found.step * direction
        turned = found.gradient - state.gradient
        factor = reciprocal(product(turned, moved))
        kept = eye(size, dtype=factor.dtype) - factor * _outer(moved, turned)
        inverse = einsum("ij,jk,lk", kept, state.inverse, kept, precision=Precision.HIGHEST)
        inverse = where(isfinite(factor), inverse + factor * _outer(moved, moved), state.inverse)
        return _Bfgs(
            norm_of(found.gradient, ord=norm) < gtol, found.has_failed, state.count + 1, state.calls + found.calls,
            state.x + moved, found.value, found.gradient, inverse, state.value, found.status,
        )  # fmt: skip

    value, gradient = value_and_grad(f)(x0)
    start = _Bfgs(
        norm_of(gradient, ord=norm) < gtol, False, 0, 1, x0, value, gradient, eye(size, dtype=x0.dtype),
        value + norm_of(gradient) / 2, 0,
    )  # fmt: skip
    end = while_loop(lambda s: ~s.is_done & ~s.has_failed & (s.count < most), step, start)
    status = where(end.has_failed, 2 + end.status, -1)
    status = where(end.is_done, 0, where(end.count == most, 1, status))
    return OptimizeResults(
        end.x, end.is_done & ~end.has_failed, status, end.value, end.gradient, end.inverse, end.calls, end.calls,
        end.count,
    )  # fmt: skip


class _Limited(NamedTuple):
    is_done: Any
    has_failed: Any
    count: Any
    calls: Any
    x: Any
    value: Any
    gradient: Any
    moves: Any
    turns: Any
    factors: Any
    scale: Any
    status: Any


def _limited_direction(state: _Limited) -> Any:
    """The direction, by two loops over the steps that are remembered."""
    dtype, room = state.factors.dtype, len(state.factors)
    known = where(state.count < room, state.count, room)

    def back(j: Any, carry: Any) -> Any:
        q, parts = carry
        i = room - 1 - j
        part = state.factors[i] * real(product(conj(state.moves[i]), q)).astype(dtype)
        return q - part * conj(state.turns[i]), parts.at[i].set(part)

    q, parts = fori_loop(0, known, back, (-conj(state.gradient), zeros_like(state.factors)))

    def forth(j: Any, q: Any) -> Any:
        i = room - known + j
        part = state.factors[i] * real(product(state.turns[i], q)).astype(dtype)
        return q + (parts[i] - part) * state.moves[i]

    return fori_loop(0, known, forth, state.scale * q)


def _remembered(history: Any, new: Any) -> Any:
    return roll(history, -1, axis=0).at[-1].set(new)


def _limited_bfgs(
    f: Callable[[Any], Any], x0: Any, maxiter: float | None = None, norm: Any = np.inf, maxcor: int = 10,
    ftol: float = 2.220446049250313e-09, gtol: float = 1e-05, maxfun: float | None = None,
    maxgrad: float | None = None, maxls: int = 20,
) -> OptimizeResults:  # fmt: skip
    size, dtype = len(x0), x0.dtype
    if maxiter is None and maxfun is None and maxgrad is None:
        maxiter = size * 200
    most, most_calls, most_gradients = (np.inf if n is None else n for n in (maxiter, maxfun, maxgrad))

    def step(state: _Limited) -> _Limited:
        direction = _limited_direction(state)
        found = line_search(f, state.x, direction, state.value, state.gradient, maxiter=maxls)
        moved = found.step.astype(direction.dtype) * direction
        turned = found.gradient - state.gradient
        curvature = real(product(turned, moved))
        status = where(state.value - found.value < ftol, 4, array(0))
        status = where(state.calls >= most_gradients, 3, status)
        status = where(state.calls >= most_calls, 2, status)
        status = where(state.count >= most, 1, status)
        status = where(found.has_failed, 5, status)
        is_done = norm_of(found.gradient, ord=norm) < gtol
        return _Limited(
            is_done, (status > 0) & ~is_done, state.count + 1, state.calls + found.calls,
            (state.x + moved).astype(state.x.dtype), found.value.astype(state.value.dtype),
            found.gradient.astype(state.gradient.dtype), _remembered(state.moves, moved),
            _remembered(state.turns, turned),
            _remembered(state.factors, reciprocal(curvature).astype(turned.dtype)),
            (curvature / real(product(conj(turned), turned))).astype(state.gradient.dtype), where(is_done, 0, status),
        )  # fmt: skip

    value, gradient = value_and_grad(f)(x0)
    start = _Limited(
        array(False), array(False), 0, 1, x0, value, gradient, zeros((maxcor, size), dtype),
        zeros((maxcor, size), dtype), zeros((maxcor,), dtype), 1.0, 0,
    )  # fmt: skip
    end = while_loop(lambda s: ~s.is_done & ~s.has_failed, step, start)
    return OptimizeResults(
        end.x, end.is_done & ~end.has_failed, end.status, end.value, end.gradient, None, end.calls, end.calls, end.count
    )


def minimize(
    fun: Callable[..., Any], x0: Any, args: tuple[Any, ...] = (), *, method: str, tol: float | None = None,
    options: Mapping[str, Any] | None = None,
) -> OptimizeResults:  # fmt: skip
    """`jax.scipy.optimize.minimize`: a point where a function of a vector is least, sought from another one.

    Raises:
        TypeError: for further arguments that are no tuple.
        ValueError: for an unknown method.
    """
    if not isinstance(args, tuple):
        raise TypeError(f"args argument to jax.scipy.optimize.minimize must be a tuple, got {args}")
    methods: dict[str, Callable[..., OptimizeResults]] = {
        "bfgs": _bfgs,
        "l-bfgs-experimental-do-not-rely-on-this": _limited_bfgs,
    }
    if method.lower() not in methods:
        raise ValueError(f"Method {method} not recognized")
    return methods[method.lower()](lambda x: fun(x, *args), x0, **(options or {}))
