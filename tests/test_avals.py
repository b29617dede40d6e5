"""Abstract values by themselves."""

from __future__ import annotations

from arraytyping.semantics.avals import UNKNOWN, Alternatives


def test_alternatives_are_each_there_once() -> None:
    either = Alternatives.of([[1, 2], [3]])
    assert either == Alternatives(([1, 2], [3]))
    assert Alternatives.of([either, [3], (3,), [1, 2]]) == Alternatives(([1, 2], [3], (3,)))
    assert Alternatives.of([1, 1.0, True]) == Alternatives((1, 1.0, True))
    assert Alternatives.of([2, 2]) == 2
    assert Alternatives.of([2, UNKNOWN]) is UNKNOWN


def test_an_item_of_a_list_may_be_one_of_several() -> None:
    either = Alternatives.of([[1, 2], [3]])
    assert Alternatives.of([[either, 4], [either, 4]]) == [either, 4]
    assert Alternatives.of([[either, 4], [4, either]]) == Alternatives(([either, 4], [4, either]))
