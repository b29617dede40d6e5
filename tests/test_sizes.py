"""Symbolic sizes against the numbers that they stand for: arithmetic, bounds, what differs for certain, their text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

from arraytyping.semantics.sizes import dims
from arraytyping.semantics.sizes.dims import (
    LONGEST,
    Dim,
    SymbolicDim,
    add_dims,
    any_differ,
    as_dim,
    at_least,
    differ,
    divide_dim,
    divides_never,
    exceeds,
    known_dim,
    max_dim,
    min_dim,
    multiply_dims,
    of_dim,
    subtract_dims,
)  # fmt: skip
from arraytyping.semantics.sizes.operations import floor_division, maximum, minimum
from arraytyping.semantics.sizes.polynomials import Size, constant, symbol

N, M, K = symbol("n", 0), symbol("m", 0), symbol("k", 1, 5)
INTEGERS = {"n": st.integers(0, 9), "m": st.integers(0, 9), "k": st.integers(1, 5)}


def divided(a: Size, b: Size) -> Size:
    found = floor_division(a, b)
    return a if found is None else found


def combined(sizes: st.SearchStrategy[Size]) -> st.SearchStrategy[Size]:
    functions: tuple[Callable[[Size, Size], Size], ...] = (
        Size.__add__, Size.__sub__, Size.__mul__, divided, maximum, minimum,
    )  # fmt: skip
    return st.builds(lambda f, a, b: f(a, b), st.sampled_from(functions), sizes, sizes)


SIZES = st.recursive(st.one_of(st.integers(-4, 6).map(constant), st.sampled_from((N, M, K))), combined, max_leaves=6)
VALUES = st.fixed_dictionaries(INTEGERS)


@settings(max_examples=1500)
@given(SIZES, SIZES, VALUES)
@example(N - constant(3), constant(2), {"n": 0, "m": 0, "k": 1})
def test_operations_are_those_of_their_numbers(a: Size, b: Size, values: dict[str, int]) -> None:
    x, y = a.at(values), b.at(values)
    assert (a + b).at(values) == x + y
    assert (a - b).at(values) == x - y
    assert (a * b).at(values) == x * y
    assert maximum(a, b).at(values) == max(x, y)
    assert minimum(a, b).at(values) == min(x, y)
    quotient = floor_division(a, b)
    if quotient is not None:
        assert quotient.at(values) == x // y
    exact = a.exact_division(b)
    if exact is not None:
        assert exact.at(values) * y == x


@settings(max_examples=1500)
@given(SIZES, SIZES, st.integers(1, 6), VALUES)
def test_what_is_certain_holds_for_all_numbers(a: Size, b: Size, divisor: int, values: dict[str, int]) -> None:
    x, y = a.at(values), b.at(values)
    low, high = a.bounds()
    assert low is None or low <= x
    assert high is None or x <= high
    p, q = as_dim(a), as_dim(b)
    assert not (differ(p, q) and x == y)
    assert not (exceeds(p, q) and x <= y)
    assert not (at_least(p, divisor) and x < divisor)
    assert not (divides_never(divisor, p) and x % divisor == 0)
    assert not (a == b and x != y)


@settings(max_examples=500)
@given(SIZES, VALUES)
def test_the_text_of_a_size_is_its_value_in_python(size: Size, values: dict[str, int]) -> None:
    assert eval(str(size), {"max": max, "min": min}, dict(values)) == size.at(values)


SHOWN: tuple[tuple[Any, str], ...] = (
    (N + N + constant(2), "2*n + 2"),
    (constant(-1) * N + constant(3), "-n + 3"),
    (N * M * N - M, "m*n*n - m"),
    (divided(N + N + constant(3), constant(2)), "n + 1"),
    (divided(N - constant(3), constant(2)), "(n + 1)//2 - 2"),
    (divided(divided(N, constant(2)), constant(3)), "n//6"),
    (divided(divided(N + constant(1), constant(2)) + constant(1), constant(2)), "(n + 3)//4"),
    (divided(constant(4) * N + constant(2), constant(8)), "n//2"),
    (divided(N * M, constant(2)), "(m*n)//2"),
    (divided(N, K), "n//k"),
    (divided(constant(6) * N * K, constant(4) * K * K), "(3*n)//(2*k)"),
    (divided(constant(2) * N * K, constant(4) * K), "n//2"),
    (divided(K, K + constant(6)), "0"),
    (constant(2) * divided(N, constant(2)), "2*(n//2)"),
    (-divided(N, constant(2)), "-(n//2)"),
    (maximum(N - constant(1), constant(0)), "max(n - 1, 0)"),
    (maximum(maximum(N - constant(1), constant(0)) - constant(1), constant(0)), "max(n - 2, 0)"),
    (maximum(N + constant(1), constant(0)), "n + 1"),
    (minimum(constant(3), N), "min(n, 3)"),
    (maximum(N - divided(N, constant(2)), constant(0)), "n - n//2"),
    (minimum(K, constant(5)), "k"),
)  # fmt: skip


@pytest.mark.parametrize(("size", "text"), SHOWN, ids=[text for _, text in SHOWN])
def test_sizes_are_simplified_and_shown(size: Size, text: str) -> None:
    assert str(size) == text


def test_what_differs() -> None:
    n, m = as_dim(N), as_dim(M)
    twice, odd = add_dims((n, n)), add_dims((m, m, 1))
    assert differ(add_dims((twice, 2)), twice)
    assert differ(twice, odd)  # one is even and the other is not
    assert differ(add_dims((n, 5)), 3)
    assert not differ(add_dims((n, 2)), 3)
    assert not differ(n, m)
    assert not differ(n, 3)
    assert not differ(None, 3)
    assert not differ(twice, n)  # both may be 0
    assert any_differ((n, m, add_dims((n, 1))))
    assert divides_never(2, odd)
    assert not divides_never(2, n)
    assert exceeds(add_dims((n, 1)), n)
    assert not exceeds(n, None)


UNKNOWN_PARTS: tuple[tuple[Dim, Dim], ...] = (
    (add_dims((None, 1)), None),
    (multiply_dims((None, 0)), 0),
    (multiply_dims((None, 2)), None),
    (subtract_dims(None, 1), None),
    (divide_dim(None, 2), None),
    (divide_dim(0, SymbolicDim("n")), None),
    (divide_dim(0, as_dim(K)), 0),
    (max_dim(None, 0), None),
    (min_dim(0, None), None),
    (known_dim((None, SymbolicDim("n"), 3)), 3),
    (known_dim((None, SymbolicDim("n"))), SymbolicDim("n")),
    (known_dim((None,)), None),
)


@pytest.mark.parametrize(("found", "expected"), UNKNOWN_PARTS)
def test_unknown_sizes(found: Dim, expected: Dim) -> None:
    assert found == expected


def test_a_name_is_a_symbol_of_its_own() -> None:
    assert as_dim(N) == SymbolicDim("n")
    assert of_dim(SymbolicDim("n")) == N
    assert as_dim(symbol("n", 1)) != SymbolicDim("n")
    assert add_dims((SymbolicDim("n"), as_dim(symbol("n", 1)))) != add_dims((SymbolicDim("n"),) * 2)
    assert as_dim(constant(3)) == 3


def test_sizes_do_not_grow_without_end() -> None:
    size: Dim = as_dim(N)
    for i in range(LONGEST):
        size = multiply_dims((add_dims((size, SymbolicDim(f"m{i}"))), as_dim(M)))
    assert size is None
    assert set(dims.__all__) <= vars(dims).keys()
