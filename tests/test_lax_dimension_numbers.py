"""Gathers and scatters by dimension numbers that are made up, right ones and wrong ones, against JAX."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st
from oracle import Call, Raised, array, differences, rule_says

from arraytyping.semantics.rules.dimension_numbers import GatherDimensionNumbers, ScatterDimensionNumbers


@st.composite
def gathers(draw: st.DrawFn) -> tuple[Call, Call]:
    """A gather and the scatter that mirrors it, of which one number may be wrong."""
    shape = tuple(draw(st.lists(st.integers(1, 4), max_size=4)))
    roles = [draw(st.sampled_from("ocb")) for _ in shape]  # offset, collapsed, batching
    collapsed, batching, offset = ([i for i, r in enumerate(roles) if r == role] for role in "cbo")
    indexed = draw(st.permutations([i for i, r in enumerate(roles) if r != "b"]))
    index_map = indexed[: draw(st.integers(0, len(indexed)))]
    batch = [*(shape[i] for i in batching), *draw(st.lists(st.integers(0, 3), max_size=2))]
    order = draw(st.permutations(range(len(batch))))
    indices = [batch[i] for i in order]
    indices_batching = [order.index(i) for i in range(len(batching))]
    cut = [draw(st.integers(0, d)) if r == "o" else 1 for d, r in zip(shape, roles)]
    places = st.permutations(range(len(batch) + len(offset)))
    offset_dims = sorted(draw(places)[: len(offset)])
    windows, left = iter(cut[i] for i in offset), iter(indices)
    updates = [next(windows) if i in offset_dims else next(left) for i in range(len(batch) + len(offset))]
    numbers = [offset_dims, collapsed, index_map, batching, indices_batching]
    given_shape, given_indices = list(shape), [*indices, len(index_map)]
    everything = [*numbers, given_shape, given_indices, cut, updates]
    for _ in range(draw(st.integers(0, 2))):
        some = draw(st.sampled_from(everything))
        match draw(st.sampled_from(("change", "append", "remove"))):
            case "change" if some:
                some[draw(st.integers(0, len(some) - 1))] += draw(st.sampled_from((-1, 1)))
            case "append":
                some.append(draw(st.integers(0, 3)))
            case "remove" if some:
                some.pop(draw(st.integers(0, len(some) - 1)))
    x, at = array("float32", *[max(d, 0) for d in given_shape]), array("int32", *[max(d, 0) for d in given_indices])
    new = array("float32", *[max(d, 0) for d in updates])
    five = tuple(map(tuple, numbers))
    scatter = Call("lax.scatter_add", (x, at, new, ScatterDimensionNumbers(*five)))
    return Call("lax.gather", (x, at, GatherDimensionNumbers(*five), tuple(cut))), scatter


@settings(max_examples=600, derandomize=True)
@given(gathers())
def test_dimension_numbers(calls: tuple[Call, Call]) -> None:
    _, lines = differences(calls, at_once=True)
    assert lines == []


def test_dimension_numbers_are_right_and_wrong() -> None:
    """The control of the strategy: it makes both."""
    right = 0

    @settings(max_examples=200, derandomize=True, database=None)
    @given(gathers())
    def count(calls: tuple[Call, Call]) -> None:
        nonlocal right
        right += not isinstance(rule_says(calls[0]), Raised)

    count()
    assert 20 < right < 180
