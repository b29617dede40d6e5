"""Joins in a finite order against their definition, by brute force, on random orders."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import pytest
from hypothesis import assume, given, settings, strategies as st

from arraytyping.semantics.lattice import CycleError, JoinError, Lattice, Violation
from arraytyping.semantics.promotion.jax import jax_lattice, standard_covers, strict_covers

Covers = dict[str, tuple[str, ...]]

DIAMOND: Covers = {"A": ("B", "C"), "B": ("D",), "C": ("D",), "D": ()}
NO_TOP: Covers = {"A": ("B", "C"), "B": (), "C": ()}
"""Not a lattice, from JEP 9407: B and C have no common upper bound."""
TWO_TOPS: Covers = {"A": ("C", "D"), "B": ("C", "D"), "C": (), "D": ()}
"""Not a lattice, from JEP 9407: A and B have two minimal upper bounds."""

NAMES = "abcdefg"


@st.composite
def relations(draw: st.DrawFn, *, acyclic: bool) -> Covers:
    """A random relation, its elements given in an order that says nothing."""
    names = draw(st.permutations(NAMES[: draw(st.integers(1, len(NAMES)))]))
    pairs = combinations(names, 2) if acyclic else product(names, names)
    edges = [pair for pair in pairs if draw(st.booleans())]
    return {a: tuple(b for c, b in edges if c == a) for a in draw(st.permutations(names))}


def distances(covers: Covers) -> dict[tuple[str, str], int]:
    """The length of a shortest way up, of one step or more, for each pair that has one."""
    lengths = {(a, b): 1 for a, above in covers.items() for b in above}
    for middle, a, b in product(covers, repeat=3):
        if (a, middle) in lengths and (middle, b) in lengths:
            way = lengths[a, middle] + lengths[middle, b]
            lengths[a, b] = min(way, lengths.get((a, b), way))
    return lengths


class Definition:
    """What the words mean, spelled out."""

    def __init__(self, covers: Covers) -> None:
        self.elements = tuple(covers)
        self.distances = distances(covers)

    def le(self, a: str, b: str) -> bool:
        return a == b or (a, b) in self.distances

    def upper_bounds(self, *elements: str) -> list[str]:
        return [u for u in self.elements if all(self.le(e, u) for e in elements)]

    def least(self, *elements: str) -> str | None:
        bounds = self.upper_bounds(*elements)
        return next((u for u in bounds if all(self.le(u, v) for v in bounds)), None)

    def minimal(self, *elements: str) -> tuple[str, ...]:
        bounds = self.upper_bounds(*elements)
        return tuple(u for u in bounds if not any(self.le(v, u) for v in bounds if v != u))


@given(relations(acyclic=True))
def test_order_is_the_closure_of_the_covers(covers: Covers) -> None:
    lattice, definition = Lattice(covers), Definition(covers)
    for a, b in product(covers, covers):
        assert lattice.le(a, b) == definition.le(a, b)
        assert not (a != b and lattice.le(a, b) and lattice.le(b, a))


@given(relations(acyclic=True), st.data())
def test_join_is_the_least_upper_bound(covers: Covers, data: st.DataObject) -> None:
    lattice, definition = Lattice(covers), Definition(covers)
    some = st.lists(st.sampled_from(sorted(covers)), min_size=1, max_size=4)
    for elements in [*product(covers, covers), data.draw(some)]:
        least, minimal = definition.least(*elements), definition.minimal(*elements)
        assert lattice.minimal_upper_bounds(*elements) == minimal
        for _ in range(2):  # the second answer is remembered
            if least is None:
                with pytest.raises(JoinError) as error:
                    lattice.join(*elements)
                assert error.value.minimal == minimal
                assert error.value.elements == tuple(elements)
                assert len(minimal) != 1
            else:
                assert lattice.join(*elements) == least


@given(relations(acyclic=True))
def test_violations_are_the_pairs_without_a_join(covers: Covers) -> None:
    lattice, definition = Lattice(covers), Definition(covers)
    wrong = [(a, b) for a, b in combinations(covers, 2) if definition.least(a, b) is None]
    assert lattice.violations() == tuple(Violation(a, b, definition.minimal(a, b)) for a, b in wrong)
    assert lattice.is_join_semilattice() == (not wrong)


@given(relations(acyclic=True))
@settings(max_examples=200)
def test_laws_of_a_join_semilattice(covers: Covers) -> None:
    top: Covers = {**{a: (*above, "top") for a, above in covers.items()}, "top": ()}
    lattice = Lattice(top)
    assume(lattice.is_join_semilattice())
    join = lattice.join
    for a, b, c in product(top, repeat=3):
        assert join(a) == join(a, a) == a
        assert join(a, b) == join(b, a)
        assert join(join(a, b), c) == join(a, join(b, c)) == join(a, b, c)
        assert lattice.le(a, b) == (join(a, b) == b)
        assert lattice.le(a, join(a, b))


@given(relations(acyclic=True))
def test_paths_are_shortest_chains_of_covers(covers: Covers) -> None:
    lattice, definition = Lattice(covers), Definition(covers)
    for a, b in product(covers, covers):
        path = lattice.path(a, b)
        if not definition.le(a, b):
            assert path is None
            continue
        assert path is not None
        assert (path[0], path[-1]) == (a, b)
        assert all(upper in covers[lower] for lower, upper in pairwise(path))
        assert len(path) == 1 + (definition.distances[a, b] if a != b else 0)


@given(relations(acyclic=True), st.data())
def test_paths_to_join_meet_there(covers: Covers, data: st.DataObject) -> None:
    lattice = Lattice(covers)
    elements = data.draw(st.lists(st.sampled_from(sorted(covers)), min_size=1, max_size=3))
    assume(Definition(covers).least(*elements) is not None)
    top = lattice.join(*elements)
    assert lattice.paths_to_join(*elements) == tuple(lattice.path(e, top) for e in elements)


@given(relations(acyclic=False))
def test_a_relation_with_a_cycle_is_refused_with_the_cycle(covers: Covers) -> None:
    if not any((a, a) in distances(covers) for a in covers):
        assert Lattice(covers).elements == tuple(covers)
        return
    with pytest.raises(CycleError) as error:
        Lattice(covers)
    cycle = error.value.cycle
    assert cycle[0] == cycle[-1]
    assert len(cycle) >= 2
    assert len(set(cycle)) == len(cycle) - 1
    assert all(upper in covers[lower] for lower, upper in pairwise(cycle))


def test_cycle_is_named_in_the_message() -> None:
    with pytest.raises(CycleError, match="A -> A; remove one of them"):
        Lattice({"A": ("A",)})
    with pytest.raises(CycleError, match=r"(A -> B -> C -> A|B -> C -> A -> B|C -> A -> B -> C)"):
        Lattice({"A": ("B",), "B": ("C", "D"), "C": ("A",), "D": ()})


def test_no_upper_bound() -> None:
    lattice = Lattice(NO_TOP)
    assert lattice.violations() == (Violation("B", "C", ()),)
    assert not lattice.is_join_semilattice()
    assert str(lattice.violations()[0]) == "B and C have no least upper bound: nothing lies above them all"
    with pytest.raises(JoinError, match="A, B and C have no least upper bound") as error:
        lattice.join("A", "B", "C")
    assert error.value.minimal == ()
    assert lattice.join("A", "B") == "B"


def test_several_minimal_upper_bounds() -> None:
    lattice = Lattice(TWO_TOPS)
    # C and D, which have nothing above them, are a violation as well.
    assert lattice.violations() == (Violation("A", "B", ("C", "D")), Violation("C", "D", ()))
    with pytest.raises(JoinError) as error:
        lattice.join("B", "A")
    assert str(error.value) == (
        "B and A have no least upper bound: C and D lie above them all, and none of these below another"
    )
    with pytest.raises(JoinError):
        lattice.paths_to_join("A", "B")


def test_diamond() -> None:
    lattice = Lattice(DIAMOND)
    assert lattice.is_join_semilattice()
    assert lattice.elements == ("A", "B", "C", "D")
    assert lattice.join("B", "C") == "D"
    assert lattice.join("A", "C") == "C"
    assert lattice.path("A", "D") in (("A", "B", "D"), ("A", "C", "D"))
    assert lattice.path("D", "A") is None
    assert lattice.paths_to_join("B", "C", "B") == (("B", "D"), ("C", "D"), ("B", "D"))


def test_what_is_no_lattice_and_no_element() -> None:
    with pytest.raises(ValueError, match="at least one element"):
        Lattice({})
    with pytest.raises(ValueError, match="'B' is said to be above 'A'"):
        Lattice({"A": ("B",)})
    lattice = Lattice(DIAMOND)
    with pytest.raises(ValueError, match="at least one element"):
        lattice.join()
    for call in (lambda: lattice.join("A", "X"), lambda: lattice.le("A", "X"), lambda: lattice.path("X", "A")):
        with pytest.raises(KeyError, match="X"):
            call()


def test_equal_covers_make_equal_lattices() -> None:
    assert Lattice(DIAMOND) == Lattice(dict(DIAMOND))
    assert hash(Lattice(DIAMOND)) == hash(Lattice(dict(reversed(DIAMOND.items()))))
    assert Lattice(DIAMOND) != Lattice(NO_TOP)


def test_a_long_chain_and_a_wide_ladder_are_no_trouble() -> None:
    n = 3000  # more than Python recurses
    chain = Lattice({str(i): (str(i + 1),) if i < n else () for i in range(n + 1)})
    assert chain.join("7", str(n)) == str(n)
    rungs = 60  # with 2**60 ways up
    ladder = {f"{side}{i}": (f"l{i + 1}", f"r{i + 1}") for i in range(rungs) for side in "lr"}
    path = Lattice({**ladder, f"l{rungs}": (), f"r{rungs}": ()}).path("l0", f"r{rungs}")
    assert path is not None
    assert len(path) == rungs + 1


@pytest.mark.parametrize("covers", [standard_covers(x64=False), standard_covers(x64=True)])
def test_jax_standard_order_fails_only_where_dtypes_do_not_promote(covers: Covers) -> None:
    narrow = {a for a, above in covers.items() if not above and a != "complex128"}
    assert {v.minimal for v in Lattice(covers).violations()} == {()}
    assert all({v.a, v.b} & narrow for v in Lattice(covers).violations())


def test_jax_strict_order_joins_nothing_but_weak_types() -> None:
    lattice = Lattice(strict_covers())
    assert lattice == jax_lattice("strict", True)
    for a, b in combinations(lattice.elements, 2):
        weak = {a, b} & {"int", "float", "complex"}
        if not weak:
            assert lattice.minimal_upper_bounds(a, b) == ()
