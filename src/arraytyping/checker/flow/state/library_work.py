"""The border between the program and libraries that are followed from their source.

What such a library does wrong is not told, and what it may cost is bounded: a call of the program that needs more gives
something unknown, and may have changed whatever it was given.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from arraytyping.checker.flow.state.forgetting import forget_reachable
from arraytyping.checker.flow.state.interpreter import Interpreter, ProgramEnds, Raised, Signal, TestEnds
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import Value
from arraytyping.checker.flow.values.frames import Frame, Module

__all__ = [
    "TooMuchWork",
    "at_top_level",
    "call_back",
    "call_library",
    "check_library_work",
    "enters_library",
    "forget_in_stand_ins",
    "give_up",
    "leaves_library",
    "put_right",
]

_ONE_CALL: Final = 20_000
"""How much work one call of the program may make in libraries, in statements."""
_IDLE_CALL: Final = 5_000
"""How much one call may make that has come to no operation of arrays, such as the accounting of a budget."""
_ALL_CALLS: Final = 200_000
"""How much all of them may make in one run."""
_PUT_RIGHT: Final = 500
"""How much is done at the end of a block, such as to take off a stack what was put there."""
_FORGETS: Final = "forget_changes"
"""The function of a stand-in that forgets what it keeps."""
_MOST_VAIN: Final = 2
"""How many calls of one function may be too much, one after the other, before it is followed no more."""


class TooMuchWork(Signal):
    """A library needs more work than is done for it."""


class _Spent:
    """The work that was done in libraries, and where the present call has to end."""

    def __init__(self) -> None:
        self.total = 0
        self.end: int | None = None
        self.idle: tuple[int, int] | None = None
        """Where it ends if there were no operations of arrays yet, and how many there were before it."""
        self.of_program = 0
        """The work in functions of the program that libraries called."""
        self.in_vain: Counter[str] = Counter()
        """The functions whose last calls were too much to follow, with their number."""


_SPENT: Final[RunSlot[_Spent]] = RunSlot("work in libraries that are followed", _Spent)


def leaves_library(it: Interpreter, module: Module) -> bool:
    """Whether a call of a function in this module goes from a library into the program."""
    return it.frame.module.is_library and not module.is_library


def enters_library(it: Interpreter, module: Module) -> bool:
    """Whether a call of a function in this module goes from the program into a library."""
    return module.is_library and not it.frame.module.is_library


def call_back(it: Interpreter, run: Callable[[], Any]) -> Value:
    """Run a function of the program that a library calls: what it needs is the program's own work."""
    spent = _SPENT.of(it)
    end, idle, began = spent.end, spent.idle, it.work
    spent.end = spent.idle = None
    try:
        return run()
    finally:
        done = it.work - began
        spent.end = None if end is None else end + done
        spent.idle = None if idle is None else (idle[0] + done, idle[1])
        spent.of_program += done


def check_library_work(it: Interpreter) -> None:
    """Stop when a library needs too much.

    Raises:
        TooMuchWork: then.
    """
    spent = _SPENT.of(it)
    if spent.end is None or not it.frame.module.is_library:
        return
    if it.work > spent.end or (
        spent.idle is not None and it.work > spent.idle[0] and it.engines.operations == spent.idle[1]
    ):
        raise TooMuchWork


def give_up(it: Interpreter) -> None:
    """Stop what is followed of a library for the program: what it did so far is not known.

    Raises:
        TooMuchWork: if anything is.
    """
    if _SPENT.of(it).end is not None:
        raise TooMuchWork


@contextmanager
def put_right(it: Interpreter) -> Iterator[None]:
    """Do what a library does at the end of a block of which the rest is not followed: so much is done for it."""
    spent = _SPENT.of(it)
    before, spent.end, spent.idle = (spent.end, spent.idle), it.work + _PUT_RIGHT, None
    try:
        yield
    finally:
        spent.end, spent.idle = before


def call_library(
    it: Interpreter,
    name: str,
    given: list[Value],
    run: Callable[[], Any],
    node: ast.AST | None,
    is_stand_in: bool = False,
) -> Value:
    """Run a function of a library for the program, within bounds; what a stand-in raises is raised by the call.

    So is what a function of the program raises that a stand-in calls, and where one ends the program.
    """
    spent = _SPENT.of(it)
    outer, outer_idle, began, of_program = spent.end, spent.idle, it.work, spent.of_program
    left = min(_ONE_CALL, _ALL_CALLS - spent.total)
    spent.end = min(began + left, outer) if outer is not None else began + left
    # A module is executed once, and as a whole.
    spent.idle = None if node is None else outer_idle or (began + _IDLE_CALL, it.engines.operations)
    depth = len(it.chain)
    try:
        if left <= 0 or spent.in_vain[name] >= _MOST_VAIN:
            raise TooMuchWork
        result = run()
        del spent.in_vain[name]
        return result
    except TooMuchWork:
        if outer is not None and it.work > outer:
            raise
        spent.in_vain[name] += 1
        why = f"{name}, which is too much to follow"
    except TestEnds:
        raise
    except (Raised, ProgramEnds) as ended:
        if isinstance(ended, Raised) and (it.attempts or it.trying or ended.is_abandoned):
            raise
        if isinstance(ended, Raised) and ended.is_deliberate and ended.module.is_stand_in and node is not None:
            ended.module, ended.node = it.frame.module, node
            raise
        if is_stand_in and (isinstance(ended, ProgramEnds) or ended.module.is_program):
            raise
        why = f"{name}, which raises as far as it is understood"
    finally:
        if outer is None:
            spent.total += it.work - began - (spent.of_program - of_program)
        spent.end, spent.idle = outer, outer_idle
    del it.chain[depth:]
    it.obscure += 1
    it.engines.havoc(it, given)
    for value in given:
        forget_reachable(it.journal.touch, value, "what a library may have changed")
    if is_stand_in:
        forget_in_stand_ins(it, name.partition(".")[0])
    return it.unknown(why)


def forget_in_stand_ins(it: Interpreter, package: str | None = None) -> None:
    """Let stand-ins that keep what functions change (those of one package, or all) forget it."""
    for name, module in list(it.importer.libraries.modules.items()):
        if module is None or not module.is_stand_in or package not in (None, name.partition(".")[0]):
            continue
        if (forget := module.frame.variables.get(_FORGETS)) is not None:
            with put_right(it):
                it.call(forget, [], {}, None)


@contextmanager
def at_top_level(it: Interpreter, frame: Frame) -> Iterator[None]:
    """Execute a module of a library as if nothing were under way: it is executed once, whoever asks for it first."""
    names = ("quiet", "trying", "path_uncertain", "conditions", "staged", "mapping", "batching", "differentiating",
             "attempts", "unrolling", "chain", "active", "inventing", "asks", "abandons")  # fmt: skip
    kept = {name: getattr(it, name) for name in names}
    it.quiet = it.trying = it.path_uncertain = it.staged = it.mapping = it.batching = it.differentiating = 0
    it.conditions, it.attempts, it.unrolling = (), [], 1
    it.chain, it.active, it.inventing, it.asks, it.abandons = [], {}, False, None, None
    try:
        with it.in_frame(frame):
            yield
    finally:
        for name, value in kept.items():
            setattr(it, name, value)
