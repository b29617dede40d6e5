"""Rules with `symbolic_zeros=True`: what they see and what comes of them, the same programs on jax."""

# ruff: noqa: E731  (programs are read more easily as expressions)

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest

import arraytyping as at

XS = np.linspace(0.5, 2.0, 4, dtype=np.float32)
N = np.arange(4, dtype=np.int32)


def seen_of(m: Any, tangent: Any) -> tuple[str, tuple[int, ...], str]:
    """What a rule sees of a tangent or cotangent."""
    kind = "symbolic" if type(tangent) is m.custom_derivatives.SymbolicZero else "array"
    return kind, tuple(tangent.shape), str(tangent.dtype)


def forward(m: Any, seen: list[Any], symbolic: bool = True) -> Any:
    """A function with a rule of its own, whose second result has a tangent only where its argument has one."""

    @m.custom_jvp  # type: ignore[untyped-decorator]
    def f(x: Any, y: Any, n: Any) -> Any:
        return x * y, y + 0.0, n

    def rule(primals: Any, tangents: Any) -> Any:
        (x, y, n), (dx, dy, dn) = primals, tangents
        seen.append([seen_of(m, t) for t in tangents])
        is_zero = type(dy) is m.custom_derivatives.SymbolicZero
        first = 3.0 * y * (0.0 * x if type(dx) is m.custom_derivatives.SymbolicZero else dx)
        return f(x, y, n), (first, dy if is_zero else 2.0 * dy, dn)

    f.defjvp(rule, symbolic_zeros=symbolic)
    return f


def backward(m: Any, seen: list[Any], symbolic: bool = True) -> Any:
    """A function with passes of its own, which note what they see."""
    values = m.custom_derivatives.custom_vjp_primal_tree_values

    @m.custom_vjp  # type: ignore[untyped-decorator]
    def f(x: Any, y: Any, n: Any) -> Any:
        return x * y, y + 0.0, n

    def fwd(x: Any, y: Any, n: Any) -> Any:
        if symbolic:
            seen.append([x.perturbed, y.perturbed, n.perturbed])
            x, y, n = values((x, y, n))
        return f(x, y, n), (x, y)

    def bwd(residuals: Any, cotangents: Any) -> Any:
        x, y = residuals
        seen.append([seen_of(m, ct) for ct in cotangents])
        a, b, n = cotangents
        a_zero, b_zero = (type(ct) is m.custom_derivatives.SymbolicZero for ct in (a, b))
        of_x = 3.0 * y * (0.0 * x if a_zero else a)
        return of_x, b if b_zero else 5.0 * b, n if symbolic else None

    f.defvjp(fwd, bwd, symbolic_zeros=symbolic)
    return f


def ways(m: Any, f: Any, is_forward: bool) -> dict[str, Callable[[], Any]]:
    """Ways to differentiate it, by all and by some of its arguments."""
    x, y, n, xs = XS[1], XS[2], N[3], XS
    first: Any = lambda x, y: f(x, y, n)[0]
    second: Any = lambda x, y: f(x, y, n)[1]
    mapped: Any = lambda x, y: m.vmap(f, (0, None, 0))(x, y, N)[0].sum()
    found: dict[str, Callable[[], Any]] = {
        "by one": lambda: m.grad(first)(x, y),
        "by the other": lambda: m.grad(second, 1)(x, y),
        "by both": lambda: m.grad(lambda x, y: first(x, y) + second(x, y), (0, 1))(x, y),
        "what is not asked": lambda: m.vjp(lambda x: second(x, y), x)[1](x),
        "jitted within": lambda: m.grad(lambda x: m.jit(f)(x, y, n)[0])(x),
        "jitted without": lambda: m.jit(m.grad(first))(x, y),
        "mapped": lambda: m.grad(mapped)(xs, y),
        "mapped, by the other": lambda: m.grad(lambda y: mapped(xs, y))(y),
        "jitted and mapped": lambda: m.jit(m.vmap(m.grad(first), (0, None)))(xs, y),
        "a mapped gradient of a jitted one": lambda: m.vmap(m.grad(lambda x: m.jit(f)(x, y, n)[0]))(xs),
        "checkpoint": lambda: m.grad(m.checkpoint(first))(x, y),
        "scan": lambda: m.grad(lambda x: m.lax.scan(lambda c, a: (f(c, a, n)[0], f(a, c, n)[1]), x, xs)[0])(x),
    }
    if is_forward:
        found |= {
            "jvp": lambda: m.jvp(lambda x: f(x, y, n)[:2], (x,), (y,)),
            "jvp by both": lambda: m.jvp(lambda x, y: f(x, y, n)[:2], (x, y), (y, x)),
            "jvp of a mapped one": lambda: m.jvp(lambda x: m.vmap(f, (0, None, None))(x, y, n)[:2], (xs,), (xs,)),
            "second derivative": lambda: m.jacfwd(m.jacrev(lambda x: m.jit(f)(x, y, n)[0]))(x),
        }
    return found


WAYS = [
    *(("forward", name) for name in ways(at, None, True)),
    *(("backward", name) for name in ways(at, None, False)),
]


@pytest.mark.parametrize("symbolic", [True, False])
@pytest.mark.parametrize(("kind", "name"), WAYS)
def test_what_a_rule_sees(kind: str, name: str, symbolic: bool) -> None:
    results, seen = [], []
    for m in (at, jax):
        noted: list[Any] = []
        f = (forward if kind == "forward" else backward)(m, noted, symbolic)
        results.append(m.tree.leaves(ways(m, f, kind == "forward")[name]()))
        seen.append(noted[-1])  # how often a rule is called is another matter
    for a, b in zip(*results, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-6)
    assert seen[0] == seen[1]


def test_zeros_of_primals() -> None:
    tree = {"x": np.float32(2), "n": np.int32(3), "w": 1.0, "a": np.ones((2, 3), np.complex64), "b": np.ones(2, bool)}
    for symbolic in (False, True):
        ours, theirs = (
            m.custom_derivatives.zero_from_primal({k: m.numpy.asarray(v) for k, v in tree.items()}, symbolic)
            for m in (at, jax)
        )
        for k in tree:
            assert (ours[k].shape, ours[k].dtype) == (theirs[k].shape, theirs[k].dtype), k
            assert (type(ours[k]).__name__ == "SymbolicZero") is symbolic
    for m in (at, jax):
        zero = m.custom_derivatives.SymbolicZero.from_primal_value(m.numpy.ones(3))
        assert (repr(zero), zero.ndim, zero.size, str(zero.dtype)) == ("SymbolicZero", 1, 3, "float32")
        with pytest.raises(TypeError, match="unexpected leaf type"):
            m.custom_derivatives.custom_vjp_primal_tree_values([1.0])
        with pytest.raises(NotImplementedError, match="does not support symbolic zeros"):
            m.grad(passes(m, lambda r, g: g, optimize_remat=True))(1.0, 2.0)


def passes(m: Any, bwd: Callable[..., Any], **options: Any) -> Any:
    f = m.custom_vjp(lambda x, y: (x, y))
    f.defvjp(lambda x, y: ((x.value, y.value), None), bwd, symbolic_zeros=True, **options)
    return lambda x, y: f(x, y)[0].sum()


def test_a_zero_of_another_type() -> None:
    for m in (at, jax):
        zero, zeros = m.custom_derivatives.SymbolicZero, m.custom_derivatives.zero_from_primal
        f = passes(m, lambda r, g, zero=zero: (g[0], zero(g[0].aval)))
        with pytest.raises(ValueError, match="Consider just returning a None here"):
            m.grad(f, (0, 1))(XS, N[:2] * 1.0)
        f = m.custom_jvp(lambda x: x.sum())
        f.defjvp(lambda x, t, zeros=zeros: (x[0].sum(), zeros(x[0], symbolic_zeros=True)))
        with pytest.raises(TypeError, match="must produce primal and tangent outputs with corresponding shapes"):
            m.grad(f)(XS)


def test_results_of_a_collective_are_the_same_for_all() -> None:
    """A function with a rule, called in a batch: a result that no example has for itself is not mapped."""

    def program(m: Any) -> Any:
        f = m.custom_jvp(lambda x: (m.lax.psum(x, "i"), x * 2.0))
        f.defjvp(lambda x, t: (f(*x), (m.lax.psum(t[0], "i"), t[0] * 3.0)))
        g = m.custom_vjp(lambda x: m.lax.pmax(x, "i"))
        g.defvjp(lambda x: (g(x), None), lambda _, ct: (ct,))
        out = (None, 0)
        return [
            m.vmap(f, axis_name="i", out_axes=out)(XS),
            m.vmap(lambda x, _: f(x), (None, 0), axis_name="i", out_axes=None)(XS[1], XS),
            m.jvp(m.vmap(f, axis_name="i", out_axes=out), (XS,), (XS,)),
            m.vmap(lambda x: m.jvp(f, (x,), (x,)), axis_name="i", out_axes=(out, out))(XS),
            m.vmap(g, axis_name="i", out_axes=None)(XS),
            m.vmap(m.grad(g), axis_name="i")(XS),
        ]

    ours, theirs = (m.tree.leaves(program(m)) for m in (at, jax))
    for a, b in zip(ours, theirs, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-6)
