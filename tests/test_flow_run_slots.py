"""What a module keeps for the length of one run is kept in that run alone."""

from __future__ import annotations

from flow_values import interpreted

from arraytyping.checker.flow.state.program_words import ARGUMENTS
from arraytyping.checker.flow.state.run_slots import RunSlot


def test_a_slot_holds_what_it_is_given_in_one_run() -> None:
    slot: RunSlot[list[int]] = RunSlot("numbers", list)
    one, other = interpreted("x = 1\n")[1].interpreter, interpreted("x = 1\n")[1].interpreter
    slot.of(one).append(3)
    assert slot.of(one) == [3]
    assert slot.of(other) == []
    slot.put(other, [4])
    assert slot.take(other) == [4]
    assert slot.take(other) == []
    assert slot.of(one) == [3]


def test_slots_of_one_name_are_two() -> None:
    first, second = RunSlot("same", int), RunSlot("same", int)
    it = interpreted("x = 1\n")[1].interpreter
    first.put(it, 5)
    assert (first.of(it), second.of(it)) == (5, 0)


def test_the_command_line_is_one_list_a_run() -> None:
    source = "import sys\na = sys.argv\na.append('--more')\nb = sys.argv[-1]\nsame = sys.argv is a\n"
    for _ in range(2):
        variables, result = interpreted(source)
        assert (variables["b"], variables["same"]) == ("--more", True)
        assert ARGUMENTS.of(result.interpreter) is None
