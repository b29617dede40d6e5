"""The rules of `jax.lax.linalg` that are not those of decompositions, against JAX itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from oracle import Call, array, differences, elements, rule_says
from rule_families import a_few_of_each, parameters_of_both

from arraytyping.semantics.avals import UNKNOWN, Alternatives, ShapedArray

NAMES = [
    f"lax.linalg.{name}"
    for name in (
        "hessenberg", "schur", "tridiagonal", "tridiagonal_solve", "householder_product", "ormqr", "symmetric_product",
        "cholesky_update", "qdwh",
    )
]  # fmt: skip
F = "float32"
MATRICES: tuple[Any, ...] = (
    array(F, 3, 3), array(F, 3, 2), array(F, 2, 3), array(F, 3), array(F), array(F, 2, 3, 3), array(F, 1, 1),
    array(F, 4, 2, 3, 3), array("complex64", 3, 3), array(F, 3, 3, weak=True), 2.0, None, [[1.0]], array("int32", 3, 3),
)  # fmt: skip
VECTORS: tuple[Any, ...] = (
    array(F, 3), array(F, 2), array(F, 4), array(F), array(F, 2, 3), array(F, 2, 2), array("complex64", 3),
    array(F, 3, weak=True), 1.0, array(F, 1),
)  # fmt: skip


def _first_size(x: Any, rank: int) -> tuple[int, ...]:
    return x.shape[: len(x.shape) - rank] if isinstance(x, ShapedArray) and x.shape is not None else ()  # type: ignore[return-value]


def all_calls() -> Iterator[Call]:
    for x in (*MATRICES, array(F, 0, 0)):
        yield Call("lax.linalg.hessenberg", (x,))
        for flag in (True, False):
            yield Call("lax.linalg.schur", (x,), {"compute_schur_vectors": flag})
            yield Call("lax.linalg.tridiagonal", (x,), {"lower": flag})
        yield Call("lax.linalg.qdwh", (x,), {"max_iterations": 3})
        yield Call("lax.linalg.qdwh", (x,), {"eps": 1e-3, "is_hermitian": True})
    for a, v in product(MATRICES, VECTORS):
        yield Call("lax.linalg.cholesky_update", (a, v))
        leads = _first_size(a, 2), _first_size(v, 1)
        if len(leads[0]) != len(leads[1]) or leads[0] == leads[1]:  # that they differ is found when it is compiled
            yield Call("lax.linalg.householder_product", (a, v))
            for c, left in product(MATRICES, (True, False)):
                lead = _first_size(c, 2)
                if len(lead) != len(leads[0]) or lead == leads[0]:
                    yield Call("lax.linalg.ormqr", (a, v, c), {"left": left, "transpose": not left})
    for a, c in product(MATRICES, MATRICES):
        leads = _first_size(a, 2), _first_size(c, 2)
        if len(leads[0]) != len(leads[1]) or leads[0] == leads[1]:
            yield Call("lax.linalg.symmetric_product", (a, c))
            yield Call("lax.linalg.symmetric_product", (a, c), {"symmetrize_output": True, "alpha": 2, "beta": 0.5})
    for v, b in product(VECTORS, MATRICES):
        leads = _first_size(v, 1), _first_size(b, 2)
        if len(leads[0]) != len(leads[1]) or leads[0] == leads[1]:
            for other in VECTORS:
                if _first_size(other, 1) == leads[0]:
                    yield Call("lax.linalg.tridiagonal_solve", (v, v, other, b))
                    yield Call("lax.linalg.tridiagonal_solve", (other, v, v, b), {"perturb_singular": True})


def by_dtype(x64: bool) -> Iterator[Call]:
    for e in elements(x64):
        m, v = ShapedArray((3, 3), *e), ShapedArray((3,), *e)
        for name in ("hessenberg", "schur", "tridiagonal", "qdwh"):
            yield Call(f"lax.linalg.{name}", (m,))
        for name in ("householder_product", "cholesky_update"):
            yield Call(f"lax.linalg.{name}", (m, v))
            yield Call(f"lax.linalg.{name}", (m, array(F, 3)))
        yield Call("lax.linalg.ormqr", (m, v, m))
        yield Call("lax.linalg.ormqr", (m, v, array(F, 3, 3)))
        yield Call("lax.linalg.symmetric_product", (m, m))
        yield Call("lax.linalg.symmetric_product", (m, m), {"symmetrize_output": True})
        yield Call("lax.linalg.symmetric_product", (array(F, 3, 3), m))
        yield Call("lax.linalg.tridiagonal_solve", (v, v, v, m))
        yield Call("lax.linalg.tridiagonal_solve", (v, v, array(F, 3), m))


def calls() -> tuple[Call, ...]:
    """Some calls of each rule: those that are tried with unknown parts."""
    return a_few_of_each(NAMES, (*all_calls(), *by_dtype(False)))


@pytest.mark.parametrize("x64", [False, True])
def test_calls(x64: bool) -> None:
    count, lines = differences(all_calls(), x64=x64, at_once=True)
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == [], "\n".join(lines)
    assert count > 2000


@pytest.mark.parametrize("x64", [False, True])
def test_every_dtype(x64: bool) -> None:
    count, lines = differences(by_dtype(x64), x64=x64, at_once=True)
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == [], "\n".join(lines)
    assert count > 400


def test_partly_known() -> None:
    wide = ShapedArray((None, 4), F)
    form, factors = rule_says(Call("lax.linalg.hessenberg", (wide,)))
    assert (form, factors) == (ShapedArray((4, 4), F), ShapedArray((3,), F))
    both, one = (4 * [ShapedArray((4, 4), F)])[:2], (ShapedArray((4, 4), F),)
    vectors = {"compute_schur_vectors": UNKNOWN}
    assert rule_says(Call("lax.linalg.schur", (wide,), vectors)) == Alternatives((tuple(both), one))
    some = ShapedArray(None, None)
    assert rule_says(Call("lax.linalg.tridiagonal_solve", (some, some, some, array(F, 3, 1)))).shape == (3, 1)
    assert rule_says(Call("lax.linalg.cholesky_update", (some, array(F, 3)))) == ShapedArray((3, 3), F)
    assert rule_says(Call("lax.linalg.symmetric_product", (array(F, 3, 2), some))) == ShapedArray((3, 3), F)
    assert rule_says(Call("lax.linalg.qdwh", (some,)))[1] == ShapedArray((None, None), None, False)


@pytest.mark.parametrize("name", NAMES)
def test_signature(name: str) -> None:
    ours, real = parameters_of_both(name)
    assert ours == real
