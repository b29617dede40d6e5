"""The interpreter: what one run over a program knows and has seen.

The modules are functions that take the interpreter: statements, expressions, operators, calls, and so on.
"""

from __future__ import annotations

import ast
import builtins
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

from arraytyping.checker.claims import position_of
from arraytyping.checker.flow.state.call_chains import chain_to
from arraytyping.checker.flow.state.definitions import Definitions
from arraytyping.checker.flow.state.diagnostics import Condition, Diagnostic, Step
from arraytyping.checker.flow.state.fresh_sizes import without_numbers
from arraytyping.checker.flow.state.joins.saved import LOADING
from arraytyping.checker.flow.state.journal import Journal
from arraytyping.checker.flow.state.limits import Limits
from arraytyping.checker.flow.state.operations import Operations
from arraytyping.checker.flow.state.program_words import end_if_ungiven
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.state.signals import Attempt, OutOfTime, ProgramEnds, Raised, Recursion, Signal, TestEnds
from arraytyping.checker.flow.state.whoever import Whoever
from arraytyping.checker.flow.state.wording import presentable
from arraytyping.checker.flow.values import ArrayValue, Life, Unknown, Value
from arraytyping.checker.flow.values.frames import Doubts, Frame, Module
from arraytyping.checker.opt_in_codes import is_opt_in
from arraytyping.checker.swallowed import shown, swallow
from arraytyping.semantics.avals import ShapedArray

__all__ = ["Attempt", "OutOfTime", "ProgramEnds", "Raised", "Recursion", "Interpreter", "Signal", "TestEnds"]

MISTAKE: Final = "a mistake was reported here"
"""Why a value is unknown that a mistake gives."""
_CHECKED_EVERY: Final = 32
"""The clock is looked at once in so many calls and rounds of loops: on some systems that takes as long as they do."""
_LOOKED_EVERY: Final = 0.02
"""That of processor time, which takes longer yet, is looked at once in so many seconds."""


class Interpreter(Operations):
    """One run over a program from an entry point."""

    def __init__(self, importer: Any, registry: Any, engines: Any, limits: Limits | None = None) -> None:
        self.importer = importer
        self.registry = registry
        self.engines = engines
        self.limits: Limits = limits or Limits()
        self.deadline: float = time.process_time() + self.limits.seconds
        self._unchecked = 0
        self._looked = time.perf_counter()
        self.journal: Journal = Journal()
        self.diagnostics: dict[Any, Diagnostic] = {}
        self.unknowns: Counter[str] = Counter()
        self.crashes: Counter[str] = Counter()
        self.frame: Frame = None  # type: ignore[assignment]
        """The frame whose code is being interpreted."""
        self.chain: list[tuple[str, Module, ast.AST]] = []
        self.active: dict[ast.AST, list[Any]] = {}
        """The calls under way, by the function."""
        self.generating: dict[ast.AST, list[Any]] = {}
        """The generators whose items are being made, by the function."""
        self.staged = 0
        """How many transformations around make every operation a tracer (jit, scan)."""
        self.life: Life | None = None
        """The life of the tracers of the innermost function that is being traced."""
        self.mapping = 0
        """How many mapped axes there are around of which jax is not told (`vmap` over what is known in part)."""
        self.batching = 0
        """How many mapped axes there are around."""
        self.differentiating = 0
        """How many transformations around differentiate."""
        self.quiet: int = 0
        """How many reasons there are to keep mistakes to oneself (a `try` with handlers, a trial)."""
        self.trying: int = 0
        """How many `try` blocks with handlers are around, inside of the last reason to be quiet."""
        self.abandons: int | None = None
        """Among how many undecided branches a mistake ends the alternative that is tried out; None if none is."""
        self.inventing: bool = False
        """Whether sizes are invented: what is seen then is not told."""
        self.tentative: Any = None
        """The notes of what may be given up (`state.tentative_notes`), None where nothing may."""
        self.attempts: list[Attempt] = []
        """The attempts around, inside out the last first."""
        self.suppressed: int = 0
        """How many mistakes were kept quiet."""
        self.may_raise: int = 0
        """How many operations there were that may raise, as far as one can know."""
        self.obscure: int = 0
        """How many operations there were on what is not known, which may raise anything."""
        self.failures: int = 0
        """How often a mistake was reported, the same one again as well."""
        self.asks: Any = None
        """How many items are taken of an iterator, where perhaps not all are (`laziness`)."""
        self.path_uncertain: int = 0
        """How many undecided branches lie before, on what is no data: a mistake here is possible only (`certainty`)."""
        self.conditions: tuple[Condition, ...] = ()
        """The conditions on data that lead here."""
        self.handled: Value = None
        """The exception that is being handled, where it is known: a `raise` without one raises it again."""
        self.steps = 0
        """How many statements were executed."""
        self.asked = 0
        """How much jax was asked, in statements that take as long."""
        self.most_work: int | None = None
        """The work at which the test that is under way ends."""
        self.widening = 0
        """How many loops around are no longer gone through item by item."""
        self.settled: set[ast.AST] = set()
        """The loops that have been widened within the outermost of these."""
        self.unrolling = 1
        """The product of the numbers of iterations of the unrolled loops around."""
        self.whoever: Whoever | None = None
        """Where a function is followed that something unknown may call, with whatever arguments."""
        self.havocked: dict[Any, bool] = {}
        """Functions that were called with unknown arguments, since something unknown may call them."""
        self.awaited: frozenset[ast.stmt] = frozenset()
        """The statements of which is told when they have been executed."""
        self.came_to: Callable[[ast.stmt], None] = lambda statement: None
        """Told of these."""
        self.reached: set[ast.AST] = set()
        """The functions of the program that were called, other than on trial."""
        self.definitions: Definitions | None = None
        """What is defined while a function is followed that nothing calls."""
        self.known_functions: frozenset[ast.AST] = frozenset()
        """Functions of which all is known that can be: calls with unknown arguments tell nothing of them."""
        self.written: dict[tuple[int, str | None], Any] = {}
        """Objects of libraries that the program has written to: a name of a module or class, or all of an object."""
        self.enabled: frozenset[str] = frozenset()
        """The codes that are told although they are not by default."""
        self.notes_origins: bool = False
        self.is_ended_by_raising: bool = False
        """Whether an exception of the program has come to where nothing catches it."""
        """Whether it is noted how each array came about."""
        LOADING.begin()
        self.kept: dict[RunSlot[Any], Any] = {}
        """What single libraries remember during the run."""
        self.recorded: Any = None
        """What a recording says of the program (`recorded`), if there is one; asked at every expression."""

    # ------------------------------------------------------------------ what is not known, and what is wrong

    def unknown(self, why: str) -> Unknown:
        """An unknown value, counted by its reason."""
        self.unknowns[why] += 1
        return Unknown(why)

    def fail(
        self, node: ast.AST | None, code: str, message: str, is_warning: bool = False, is_minor: bool = False
    ) -> Unknown:
        """Report a mistake; the value of the expression is unknown from then on."""
        message = presentable(message)
        if message.startswith("UnexpectedTracerError"):
            return self.unknown("a library's object that holds arrays of another trace")
        if self.attempts and not is_warning and self._ends(kind := _exception(message)):
            raise self.raised(message, node or self.frame.module.tree, kind)
        if self.quiet:
            if self.whoever is not None and self.whoever.is_told(self, code):
                self._tell(node, code, message, is_warning, is_minor, certain=True)
            self.suppressed += not is_warning
            is_tried = self.trying and not self.path_uncertain  # a handler around may catch it
            is_abandoned = self.abandons == self.undecided
            if (is_tried or is_abandoned) and not is_warning:
                raised = self.raised(message, node or self.frame.module.tree, _exception(message))
                raised.dangers -= 1  # it is one of those that were counted
                raised.is_abandoned = is_abandoned
                raise raised
            return Unknown(MISTAKE)
        if self.frame.module.is_library:
            self.obscure += 1
            return self.unknown("what the source of a library does here")
        self._tell(node, code, message, is_warning, is_minor)
        return Unknown(MISTAKE)

    def remark(
        self, node: ast.AST | None, code: str, message: str, steps: tuple[Step, ...] = (), is_minor: bool = False
    ) -> None:
        """Report a mistake that raises nothing, so that no handler sees it and the program goes on.

        What a library does in its own code is its own affair, and what is only tried out here happens nowhere.
        """
        if is_opt_in(code) and code not in self.enabled:
            return
        if self.quiet == self.trying and self.frame.module.is_program:
            self._tell(node, code, message, True, is_minor, steps)

    def _tell(
        self, node: ast.AST | None, code: str, message: str, is_warning: bool, is_minor: bool,
        steps: tuple[Step, ...] = (), certain: bool | None = None,
    ) -> None:  # fmt: skip
        """Keep a mistake, at the innermost line of the program that led to it."""
        module = self.frame.module
        at = node if node is not None and hasattr(node, "lineno") else None
        calls = list(self.chain)
        function = self.frame.function_frame().function
        name = function.name if function is not None else ""
        while (not module.is_program or at is None) and calls:
            name, module, at = calls.pop()
        if at is None or not module.is_program:
            return
        self.failures += 1
        certain = not self.path_uncertain if certain is None else certain
        position = position_of(at)  # type: ignore[arg-type]
        chain = tuple(chain_to(calls, name, module, at))
        diagnostic = Diagnostic(
            module.shown,
            *position,
            code,
            message,
            chain,
            certain,
            is_warning,
            conditions=self.conditions,
            is_minor=is_minor,
            steps=steps,
        )
        # A loop asks for one value again and again, each time of another tracer, or for sizes that it invents anew:
        # that is told once.
        key = (module.shown, position, code, "" if code == "array-traced" else without_numbers(self, message))
        known = self.diagnostics.get(key)
        if known is None:
            self.diagnostics[key] = diagnostic
        elif certain and not known.is_certain:
            self.diagnostics[key] = replace(known, chain=chain, is_certain=True, conditions=self.conditions)
        elif certain and known.conditions and not self.conditions:
            self.diagnostics[key] = replace(known, conditions=())
        if certain and code == "array-call" and not is_warning:
            end_if_ungiven(self)

    def _ends(self, kind: type[BaseException] | None) -> bool:
        """Whether this exception ends what is being attempted regularly."""
        attempt = self.attempts[-1]
        if kind is None or attempt.ending is None or not issubclass(kind, attempt.ending):
            return False
        return self.quiet == attempt.quiet  # a trial is not what is attempted

    def may_end(self, kind: type[BaseException]) -> None:
        """An exception of this class may come here."""
        self.may_raise += 1
        for attempt in reversed(self.attempts):
            if attempt.ending is not None:
                attempt.may_end = attempt.may_end or issubclass(kind, attempt.ending)
                break

    @contextmanager
    def attempting(self, ending: type[BaseException] | None = None) -> Iterator[Attempt]:
        """What is done here may be ended by an exception that is caught."""
        attempt = Attempt(ending, self.quiet)
        self.attempts.append(attempt)
        frame, began = self.frame, self.frame.began
        frame.began = math.inf  # where it is caught, things are there that were made until then
        try:
            yield attempt
        finally:
            frame.began = began
            self.attempts.pop()
            if self.attempts:
                self.attempts[-1].held += attempt.held

    def raised(self, what: str, node: ast.AST, value: Value = None) -> Raised:
        """The exception that ends the path, to be raised."""
        raised = Raised(value, what, self.frame.module, node)
        raised.is_unsure, raised.conditions = self.path_uncertain > 0, self.conditions
        raised.dangers = self.dangers
        return raised

    def report(self, error: Raised) -> None:
        """Report what the program raises, where that is."""
        self.is_ended_by_raising = True
        conditions = self.conditions
        self.path_uncertain += error.is_unsure
        self.conditions = error.conditions
        try:
            with self.in_frame(error.module.frame):
                self.fail(error.node, "array-call", error.what)
        finally:
            self.path_uncertain -= error.is_unsure
            self.conditions = conditions

    def crash(self, error: BaseException, where: str) -> Unknown:
        """An internal error: counted, shown by `--debug`, and otherwise unknown."""
        swallow(error, 2)
        if isinstance(error, MemoryError | RecursionError):  # the program's doing, and of where it is followed
            return self.unknown("what takes too much memory, or is nested too deeply")
        self.crashes[f"{where}: {shown(error)}"] += 1
        return self.unknown("an internal error")

    @property
    def work(self) -> int:
        """What was done, in statements: the same on every machine."""
        return self.steps + self.asked + self.journal.spread

    def check_time(self) -> None:
        """Stop when the time of the entry point is used up, or the work of the test that is under way.

        Raises:
            OutOfTime: then.
        """
        if self.most_work is not None and self.work > self.most_work:
            raise OutOfTime
        self._unchecked += 1
        if self._unchecked >= _CHECKED_EVERY:
            self._unchecked = 0
            if (now := time.perf_counter()) - self._looked > _LOOKED_EVERY:
                self._looked = now
                if time.process_time() > self.deadline:
                    raise OutOfTime

    # ------------------------------------------------------------------ making values

    def array(self, aval: ShapedArray, traced: bool, node: ast.AST | None = None) -> ArrayValue:
        """An array that is made here."""
        line = getattr(node, "lineno", 0)
        made = (self.frame.module.shown, line) if line else None
        array = ArrayValue(aval, traced or self.staged > 0, made)
        if array.traced and self.staged and (traced or aval.shape != ()):  # a constant scalar is a literal
            array.life = self.life
        return array

    def in_frame(self, frame: Frame) -> _InFrame:
        """Interpret code of this frame."""
        return _InFrame(self, frame)

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Keep mistakes quiet."""
        trying, self.trying = self.trying, 0
        abandons, self.abandons = self.abandons, None
        self.quiet += 1
        try:
            yield
        finally:
            self.quiet -= 1
            self.trying, self.abandons = trying, abandons

    # ------------------------------------------------------------------ paths

    @property
    def undecided(self) -> int:
        """How many undecided branches this path is in."""
        return self.path_uncertain + len(self.conditions)

    @property
    def dangers(self) -> int:
        """How many operations there were that may have raised."""
        return self.suppressed + self.may_raise + self.obscure

    def take_back(self, mark: int) -> None:
        """Undo a path on which an exception may have come: a handler finds what it had written until then."""
        if self.attempts:
            self.attempts[-1].held += self.journal.held(mark)
        self.journal.undo(mark)

    def set_doubts(self, frame: Frame, doubts: Doubts) -> None:
        """Let what is not sure of the rest of a frame's code be this."""
        if doubts is not frame.doubts:
            self.path_uncertain += sum(doubts) - sum(frame.doubts)
            frame.doubts = doubts


class _InFrame:
    """A block in which code of a frame is interpreted; there is one for each call, so it is no generator."""

    __slots__ = ("before", "frame", "it")

    def __init__(self, it: Interpreter, frame: Frame) -> None:
        self.it: Interpreter = it
        self.frame: Frame = frame

    def __enter__(self) -> None:
        self.before: Frame = self.it.frame
        self.it.frame = self.frame

    def __exit__(self, *ended: object) -> None:
        self.it.frame = self.before


def _exception(message: str) -> type[BaseException] | None:
    """The class that a message names at its beginning, as Python shows exceptions."""
    found = getattr(builtins, message.partition(":")[0], None)
    return found if isinstance(found, type) and issubclass(found, BaseException) else None
