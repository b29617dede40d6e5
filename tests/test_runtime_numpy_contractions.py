"""The contractions, products, convolutions and the linear algebra of `arraytyping.numpy`, against JAX."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import test_contractions
from answers import compiled
from oracle import Call, array, elements
from runtime_calls import recorded_conversions, unequal, unequal_results, unlike_jax, wrong_answers

import arraytyping.numpy as anp
from arraytyping.numpy import (
    contractions,
    decompositions,
    linalg,
    matrix_products,
    products,
    sampling,
    solving,
    summation,
)
from arraytyping.runtime.transformations.differentiation import vjp
from arraytyping.runtime.transformations.jit import jit
from arraytyping.runtime.transformations.mapping import vmap
from arraytyping.semantics.avals import ShapedArray

NAMES = [name for module in (contractions, products, sampling, summation) for name in module.__all__]
OF_LINALG = [name for module in (matrix_products, solving, decompositions) for name in module.__all__]


@pytest.mark.parametrize("name", [*NAMES, *(f"linalg.{name}" for name in OF_LINALG)])
def test_signature(name: str) -> None:
    spaces = (linalg, jnp.linalg) if name.startswith("linalg.") else (anp, jnp)
    ours, real = (inspect.signature(getattr(s, name.removeprefix("linalg."))).parameters.values() for s in spaces)
    shown = [[(p.name, p.kind, p.default) for p in ps if p.name != "_dot_general"] for ps in (ours, real)]
    assert shown[0] == shown[1]


def calls_of(x64: bool) -> Iterator[Call]:
    yield from test_contractions.statics()
    yield from test_contractions.einsums()
    yield from test_contractions.calls()
    some = elements(x64)
    for path in test_contractions.PATHS:
        yield from test_contractions.calls_of(path, product(some[::2], some[::3]))


@pytest.mark.parametrize("x64", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_types(x64: bool) -> None:
    """Each call gives what its rule says, or raises what it says."""
    made = [c for c in calls_of(x64) if c.name.startswith("numpy.") and c.name.split(".")[-1] in (*NAMES, *OF_LINALG)]
    with recorded_conversions() as converted:
        count, lines = wrong_answers(made, x64=x64)
    print(f"{count} calls, {len(lines)} wrong")
    assert lines == []
    assert converted == []
    assert count > 8000


def ruleless_calls(x64: bool) -> Iterator[Call]:
    every = [
        e
        for e in elements(x64)
        if e[0] in ("bool", "int8", "uint32", "float16", "bfloat16") or e[0][-2:] in ("32", "64")
    ]
    for dtype, weak in every:
        vector = ShapedArray((4,), dtype, weak)
        for other in (array("int8", 4), vector, array("bfloat16", 4)):
            yield Call("numpy.convolve", (vector, other))
            yield Call("numpy.correlate", (vector, other), {"mode": "full"})
            yield Call("numpy.trapezoid", (vector, other))
            if dtype != "bfloat16":  # which JAX refuses, since NumPy does not know its precision
                yield Call("numpy.interp", (vector, vector, other))
        yield Call("numpy.trapezoid", (vector,))
        yield Call("numpy.trapezoid", (vector,), {"dx": 2})
        yield Call("numpy.interp", (vector, array("float32", 3), array("float32", 3)), {"left": dtype == "int8"})
        yield Call("numpy.convolve", (vector, vector), {"preferred_element_type": "float32"})
        if dtype in ("float16", "bfloat16"):
            continue
        square = ShapedArray((4, 4), dtype, weak)
        for name in (
            "inv",
            "det",
            "slogdet",
            "cholesky",
            "eigh",
            "eigvalsh",
            "qr",
            "svd",
            "svdvals",
            "pinv",
            "cond",
            "matrix_rank",
        ):
            yield Call(f"numpy.linalg.{name}", (square,))
        for n in (2, 3):
            yield Call("numpy.linalg.det", (ShapedArray((n, n), dtype, weak),))
        yield Call("numpy.linalg.solve", (square, vector))
        yield Call("numpy.linalg.solve", (square, array("float32", 4, 2)))
        yield Call("numpy.linalg.lstsq", (square, vector))
        for n in (-1, 0, 3):
            yield Call("numpy.linalg.matrix_power", (square, n))
        yield Call("numpy.linalg.multi_dot", ([square, square, array("float32", 4)],))


@pytest.mark.parametrize("x64", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_types_of_functions_without_rules(x64: bool) -> None:
    made = list(ruleless_calls(x64))
    assert unlike_jax(made, x64=x64) == []
    assert len(made) > 200


RNG = np.random.default_rng(0)
A, B, T = (RNG.standard_normal(s).astype(np.float32) for s in ((3, 4), (4, 2), (2, 3, 4)))
SQUARE = RNG.standard_normal((2, 4, 4)).astype(np.float32)
POSITIVE = SQUARE @ SQUARE.swapaxes(1, 2) + 4 * np.eye(4, dtype=np.float32)


def of_arrays(numpy: Any, algebra: Any) -> Iterator[tuple[str, Callable[[Any, Any, Any], Any]]]:
    """Functions of arrays of 3 x 4, of 4 x 2, and of 2 x 3 x 4, by name."""
    yield "dot", lambda a, b, t: (numpy.dot(a, b), numpy.dot(t, b), numpy.dot(a[0], b[:, 0]))
    yield "matmul", lambda a, b, t: (
        numpy.matmul(t, b), numpy.matmul(a, t.swapaxes(1, 2)), numpy.matmul(t[:1], t.mT), numpy.matmul(a[0], b),
        numpy.matmul(t[:, None], t.mT), algebra.matmul(t, b[:, 0]),
    )  # fmt: skip
    yield (
        "matvec",
        lambda a, b, t: (numpy.matvec(t, a[0]), numpy.vecmat(a[:2, :3], t), numpy.vecdot(t, a), numpy.vdot(a, a)),
    )
    yield (
        "inner",
        lambda a, b, t: (numpy.inner(a, t), numpy.inner(a, 2), numpy.outer(a, b), algebra.outer(a[0], b[:, 0])),
    )
    yield "tensordot", lambda a, b, t: (
        numpy.tensordot(t, b, 1), numpy.tensordot(t, t, ([0, 2], [0, 2])), algebra.tensordot(a, a, axes=2)
    )  # fmt: skip
    for subscripts in ("ij,jk", "ij,jk->ki", "ij->", "ij->j", "ij,ij->i", "ij,kj->", "i...,...->i..."):
        yield (
            f"einsum {subscripts}",
            lambda a, b, t, s=subscripts: numpy.einsum(  # type: ignore[misc]
                s,
                *([a, b] if "jk" in s else [a, a] if "," in s and "." not in s else [a, b[:, 0]] if "," in s else [a]),
            ),
        )
    yield "einsum of diagonals", lambda a, b, t: (
        numpy.einsum("ii", a[:, :3]), numpy.einsum("ii->i", a[:, :3]), numpy.einsum("iij,j->i", t[:, :2], a[0])
    )  # fmt: skip
    yield "einsum of many", lambda a, b, t: (
        numpy.einsum("ij,jk,lij,m->klm", a, b, t, a[0]), numpy.einsum(a, [0, 1], b, [1, 2], [2, 0]),
        numpy.einsum("i,j,k->kij", a[0], a[1], a[2]), numpy.einsum("ij,jk,lk->il", a, b, b, optimize=False),
    )  # fmt: skip
    yield "kron", lambda a, b, t: (numpy.kron(a, b), numpy.kron(a[0], t))
    yield "cross", lambda a, b, t: (
        numpy.cross(a[:, :3], a[:, 1:]), numpy.cross(a[:, :2], a[:, 1:]), numpy.cross(a[:, :2], a[:, 2:]),
        algebra.cross(a, a[::-1], axis=0),
    )  # fmt: skip
    yield "convolve", lambda a, b, t: (
        numpy.convolve(a[0], b[:3, 0]), numpy.convolve(b[:2, 0], a[0], "same"), numpy.correlate(b[:3, 0], a[0], "full"),
        numpy.correlate(a[0], b[:3, 0], "same"), numpy.correlate(b[:2, 0], a[0]),
    )  # fmt: skip
    yield (
        "trapezoid",
        lambda a, b, t: (numpy.trapezoid(a, dx=0.5), numpy.trapezoid(t, a[0]), numpy.trapezoid(a, a * a, axis=0)),
    )


def of_values(numpy: Any, algebra: Any) -> Iterator[tuple[str, Callable[[Any, Any], Any]]]:
    """Functions of stacks of square matrices, of others that are positive definite; what has one sign only."""
    yield "solve", lambda s, p: (algebra.solve(s, s[0, 0]), algebra.solve(s, p), algebra.solve(s[0], p))
    yield "inv", lambda s, p: (algebra.inv(s), algebra.matrix_power(s, 5), algebra.matrix_power(s, -1))
    yield (
        "det",
        lambda s, p: (algebra.det(s), algebra.det(s[:, :2, :2]), algebra.det(s[:, :3, :3]), algebra.det(s[:, :1, :1])),
    )
    yield "slogdet", lambda s, p: (algebra.slogdet(s)[1], algebra.slogdet(s[:, :1, :1])[1])
    yield "cholesky", lambda s, p: (algebra.cholesky(p), algebra.cholesky(p, upper=True))
    yield "eigvalsh", lambda s, p: (algebra.eigvalsh(p), algebra.eigvalsh(p, "U", symmetrize_input=False))
    yield "svdvals", lambda s, p: (algebra.svdvals(s[0, :3]), algebra.svd(p[0], compute_uv=False, hermitian=True))
    yield "pinv", lambda s, p: (algebra.pinv(s[0, :3]), algebra.pinv(s[:, :, :2]))
    yield "multi_dot", lambda s, p: algebra.multi_dot([s[0, 0], s[0], p[0]])
    yield "cond", lambda s, p: (algebra.cond(s), algebra.cond(s, 1))
    yield "lstsq", lambda s, p: algebra.lstsq(s[0, :, :3], s[1, :, :2])[0]
    yield "interp", lambda s, p: (
        numpy.interp(s, numpy.sort(p[0, 0]), s[0, 0]),
        numpy.interp(s, numpy.sort(p[0, 0]), s[0, 0], "extrapolate", 3.0),
        numpy.interp(s[0], p[0, 0], s[0, 0], period=3.0),
    )  # fmt: skip
    yield "tensorsolve", lambda s, p: algebra.tensorsolve(s[0].reshape(2, 2, 4), s[1, 0].reshape(2, 2))


def matched(real: dict[str, Any], given: dict[str, Any], rtol: float) -> list[str]:
    return unequal_results(real, given, rtol)


def program(numpy: Any, algebra: Any) -> Callable[..., Any]:
    def all_of_them(a: Any, b: Any, t: Any, s: Any, p: Any) -> Any:
        found = {name: f(a, b, t) for name, f in of_arrays(numpy, algebra)}
        return found | {name: f(s, p) for name, f in of_values(numpy, algebra)}

    return all_of_them


def test_values() -> None:
    given = (A, B, T, SQUARE, POSITIVE)
    real, ours = compiled(program(jnp, jnp.linalg), *given), jit(program(anp, linalg))(*given)
    assert matched(real, ours, 5e-3) == []
    assert len(real) > 25


@pytest.mark.parametrize("dtype", ["int32", "bool", "complex64", "bfloat16"])
def test_values_by_dtype(dtype: str) -> None:
    given = [(x * 3).astype(jnp.dtype(dtype)) for x in (A, B, T)]
    if dtype == "complex64":
        given = [x + 1j * x[::-1] for x in given]

    def of(numpy: Any, algebra: Any) -> Callable[..., Any]:
        names = ("dot", "matmul", "inner", "matvec", "einsum of diagonals", "einsum ij->j", "tensordot")
        return lambda a, b, t: {n: f(a, b, t) for n, f in of_arrays(numpy, algebra) if n in names}

    real, ours = compiled(of(jnp, jnp.linalg), *given), jit(of(anp, linalg))(*given)
    assert matched(real, ours, 3e-2 if dtype == "bfloat16" else 1e-5) == []


def test_decompositions_give_the_matrix_back() -> None:
    """Signs and phases of vectors are free, so the products are compared."""
    x = SQUARE[0, :, :3]

    @jit
    def of(x: Any, p: Any) -> Any:
        q, r = linalg.qr(x)
        u, s, v = linalg.svd(x, full_matrices=False)
        w, vectors = linalg.eigh(p)
        hermitian = linalg.svd(p[0], hermitian=True)
        return (
            q @ r, u * s @ v, vectors * w[:, None] @ vectors.mT, q.mT @ q, linalg.qr(x, "r") - r,
            hermitian.U * hermitian.S @ hermitian.Vh,
        )  # fmt: skip

    expected = (x, x, POSITIVE, np.eye(3), np.zeros((3, 3)), POSITIVE[0])
    for real, given in zip(expected, of(x, POSITIVE), strict=True):
        assert np.allclose(real, np.asarray(given._value), atol=2e-4)


def test_derivatives() -> None:
    def pulled(numpy: Any, algebra: Any) -> Callable[..., Any]:
        def listed(f: Callable[..., Any]) -> Callable[..., Any]:
            def of(*xs: Any) -> list[Any]:
                result = f(*xs)
                return list(result) if isinstance(result, tuple) else [result]

            return of

        def all_of_them(a: Any, b: Any, t: Any, s: Any, p: Any) -> Any:
            found = {}
            for group, operands in ((of_arrays, (a, b, t)), (of_values, (s, p))):
                for name, f in group(numpy, algebra):
                    if name in ("cond", "svdvals", "lstsq"):
                        continue
                    results, pull = (jax.vjp if numpy is jnp else vjp)(listed(f), *operands)
                    found[name] = pull([numpy.ones(r.shape, r.dtype) for r in results])
            return found

        return all_of_them

    given = (A, B, T, SQUARE, POSITIVE)
    real, ours = compiled(pulled(jnp, jnp.linalg), *given), jit(pulled(anp, linalg))(*given)
    assert matched(real, ours, 2e-2) == []


def test_mapped_functions_equal_a_loop() -> None:
    batches = [np.stack([x, x[::-1] if x.ndim == 2 else -x]) for x in (A, B, T)]

    def of(a: Any, b: Any, t: Any) -> Any:
        return {n: f(a, b, t) for n, f in of_arrays(anp, linalg)}

    mapped = jit(vmap(of))(*batches)
    each = [jit(of)(*row) for row in zip(*batches)]
    for name, value in mapped.items():
        for n, part in enumerate(value if isinstance(value, tuple) else (value,)):
            rows = [(e[name][n] if isinstance(value, tuple) else e[name])._value for e in each]
            assert unequal(np.stack(rows), part, 1e-4) is None, name


MISTAKES: tuple[Callable[[Any], Any], ...] = (
    lambda n: n.interp(A, A, A),
    lambda n: n.interp(A[0] * 1j, A[0], A[0]),
    lambda n: n.interp(A[0], A[0], A[0], "x"),
    lambda n: n.interp(A[0], A[0], A[0], period=A[0]),
    lambda n: n.convolve(A, A[0]),
    lambda n: n.convolve(A[0], A[0], "x"),
    lambda n: n.correlate(A[0], A[0, :0]),
    lambda n: n.linalg.solve(A, A[0]),
    lambda n: n.linalg.solve(SQUARE, A),
    lambda n: n.linalg.inv(A),
    lambda n: n.linalg.det(A),
    lambda n: n.linalg.slogdet(A),
    lambda n: n.linalg.slogdet(SQUARE, method="x"),
    lambda n: n.linalg.matrix_power(A, 2),
    lambda n: n.linalg.matrix_power(SQUARE, 1.5),
    lambda n: n.linalg.multi_dot([A]),
    lambda n: n.linalg.multi_dot([A, A]),
    lambda n: n.linalg.multi_dot([T, A]),
    lambda n: n.linalg.eigh(SQUARE, "x"),
    lambda n: n.linalg.qr(A, "x"),
    lambda n: n.linalg.pinv(A, 1, rcond=2),
    lambda n: n.linalg.matrix_rank(A, 1, tol=2),
    lambda n: n.linalg.cond(A[0]),
    lambda n: n.linalg.cond(A, 1),
    lambda n: n.linalg.tensorinv(T, 0),
    lambda n: n.linalg.tensorinv(T, 1),
    lambda n: n.linalg.tensorsolve(T, A),
    lambda n: n.linalg.lstsq(A, B),
    lambda n: n.linalg.lstsq(T, A),
    lambda n: n.einsum("ij,jk->ik", A, A),
    lambda n: n.einsum("ij,jk,kl->il", A, B, B.T, optimize=[(0, 1, 2)]),
)


def test_mistakes() -> None:
    """Exceptions of JAX's classes, with a sentence."""
    for number, diagnostic in enumerate(MISTAKES):
        raised = []
        for numpy in (jnp, anp):
            try:
                diagnostic(numpy)
            except Exception as error:
                raised.append(error)
        assert len(raised) == 2, (number, raised)
        real, given = raised
        builtin = next(e for e in type(real).__mro__ if e.__module__ == "builtins")
        assert isinstance(given, builtin), (number, real, given)
        assert len(str(given)) > 20, number
