"""Asking jax: a call of a library's function on abstract values becomes one `jax.eval_shape`.

Functions of the program go in as callbacks, which jax calls with its tracers, and which give back zeros of the
shapes that the interpreter found.  So the rules of `vmap`, `scan`, `grad` and the like, and their messages, are
jax's own.  An answer without callbacks is kept by function and arguments.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any, Final

from arraytyping.checker.flow.engines.callbacks import Callbacks, Choice, NeedsLive
from arraytyping.checker.flow.engines.collectives import is_collective, no_axis, unbound_axis
from arraytyping.checker.flow.engines.concrete_objects import package_of
from arraytyping.checker.flow.engines.concreteness import asks_for_another, value_sentence
from arraytyping.checker.flow.engines.conversion import Abort, Callback, Given, from_jax, is_callable_value
from arraytyping.checker.flow.engines.invented_sizes import is_refused_for_all_sizes
from arraytyping.checker.flow.engines.jax import JaxEngine, Refused
from arraytyping.checker.flow.engines.key_draws import KeyDraws
from arraytyping.checker.flow.engines.key_sentences import key_sentence
from arraytyping.checker.flow.engines.outcomes import Outcome
from arraytyping.checker.flow.engines.own_results import as_arrays
from arraytyping.checker.flow.engines.questions import Question
from arraytyping.checker.flow.engines.refusals import is_trusted, own_sentence
from arraytyping.checker.flow.engines.several_results import MOST_TRIALS
from arraytyping.checker.flow.engines.structures import (
    all_traced,
    copy_structure,
    displaced,
    substitute,
    unions_in,
    weaken,
)
from arraytyping.checker.flow.engines.together import Together
from arraytyping.checker.flow.engines.trials import trial
from arraytyping.checker.flow.state.branching import of_each
from arraytyping.checker.flow.state.counting import blur_counts
from arraytyping.checker.flow.state.identity import identity
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join, join_all
from arraytyping.checker.flow.state.tentative_notes import tentatively
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    InstanceValue,
    ScalarValue,
    UnionValue,
    Unknown,
    Value,
    is_traced,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow

__all__ = ["Asker", "NeedsLive"]

_NEEDS_LIVE: Final = frozenset({"filter_jvp", "filter_vjp", "filter_linearize", "filter_closure_convert"})
"""What treats results apart that do not depend on the arguments."""

_TRACER: Final = re.compile(r"\b\w*Tracer\b")


_UNBOUND: Final = re.compile(r"unbound axis name: (\w+)")


_WORK: Final = 100
"""How many statements are interpreted in the time of one question."""
_WORK_LIVE: Final = 20


class Asker:
    """Asks one jax for one run of the interpreter."""

    def __init__(self, engines: Together, jax: JaxEngine, answers: dict[Any, Outcome]) -> None:
        self.engines = engines
        self.jax = jax
        self.answers = answers
        self.asked: int = 0
        self.kept: int = 0
        self._met: set[Any] = set()
        """What was asked in this run; what only other runs have asked counts as work here, too."""
        self.callbacks: Callbacks = Callbacks(engines, jax)
        self._lives = 0
        self._inconclusive = (
            NotImplementedError, AssertionError, RecursionError, jax.jax.errors.UnexpectedTracerError, *jax.inconclusive
        )  # fmt: skip

    def ask(self, it: Interpreter, function: Value, call: Call, is_gradient: bool = False, key: Value = None) -> Value:
        """What a library's function gives for these values.

        Raises:
            Abort: if they are not known well enough; functions among them may then have been called in part.
        """
        if self.callbacks.live:
            return self._ask_live(it, function, call)
        if (unbound := unbound_axis(self.jax, it, function, call.args, call.kwargs)) is not None:
            return it.fail(call.node, "array-sharding", no_axis(self.jax, unbound))
        with self.engines.unknown_sizes.within():
            return self.callbacks.several.join(it, lambda: self._ask(it, function, call, is_gradient, key))

    def _ask(self, it: Interpreter, function: Value, call: Call, is_gradient: bool, key: Value) -> Value:
        """What it gives where each function of the program gives one sort of values."""
        question = Question(self.callbacks, it, call.node)
        real_args = [question.convert(a) for a in call.args]
        real_kwargs = {k: question.convert(v) for k, v in call.kwargs.items()}
        if question.alternatives:
            return self._each(it, function, call, question.alternatives)
        kept = None
        # What a collective gives hangs on the axes that have names here.
        if not question.callables and not isinstance(function, Callback) and not is_collective(function):
            about = key if key is not None else identity(function)  # which keeps it, so that its address stays its own
            kept = (
                about,
                identity(tuple(call.args)),
                tuple((k, identity(v)) for k, v in call.kwargs.items()),
                it.staged > 0,
                self.jax.configuration(),
            )
            self.engines.kept_alive[id(function)] = function
            if kept not in self._met:
                self._met.add(kept)
                it.asked += _WORK
            answer = self.answers.get(kept)
            if answer is not None:
                self.kept += 1
                told = self._told(it, answer, function, call, question, is_kept=True)
                return weaken(told) if question.any_weak and not it.staged and is_collective(function) else told
        self.asked += 1
        it.asked += _WORK if kept is None else 0
        mark, born = it.journal.mark, it.journal.newest
        sizes, self.jax.sizes_met = self.jax.sizes_met, set()
        draws = KeyDraws(function, call.args, call.kwargs)
        try:
            with self._drawing(it, draws):
                answer = self._asked(it, question, function, real_args, real_kwargs, call.node, is_gradient)
            answer.value = self.engines.unknown_sizes.forget(answer.value)
        finally:
            self.jax.sizes_met |= sizes
            if question.callables and not draws.is_called_once:
                blur_counts(it.journal, mark, born)
        if kept is not None:
            self.answers[kept] = answer.apart()
        elif question.callables and type(answer.value) is bool and not _is_of_jax(function):
            return ScalarValue(bool)  # what stands for a function of the program is not equal to itself
        told = self._told(it, answer, function, call, question)
        return weaken(told) if question.any_weak and not it.staged and is_collective(function) else told

    def _asked(
        self, it: Interpreter, question: Question, function: Value, real_args: list[Value],
        real_kwargs: dict[str, Value], node: ast.AST | None, is_gradient: bool,
    ) -> Outcome:  # fmt: skip
        """The answer to a question that is new."""
        is_gradient = is_gradient or function is self.jax.jax.jvp
        is_weak = question.any_weak or _any_float([*real_args, *real_kwargs.values()])
        differentiates = is_gradient or function is self.jax.jax.linearize
        if (differentiates and is_weak) or getattr(function, "__name__", "") in _NEEDS_LIVE:
            answer = self._followed_live(it, question, function, Call(real_args, real_kwargs, node))
        else:
            try:
                answer = self._answer(it, question, function, Call(real_args, real_kwargs, node))
            except NeedsLive as live:
                answer = self._after_all(it, live, question, function, Call(real_args, real_kwargs, node))
        return answer

    def _after_all(self, it: Interpreter, live: NeedsLive, question: Question, function: Value, call: Call) -> Outcome:
        """The answer where functions have to be followed live; as before if that tells less."""
        mark = it.journal.mark
        try:
            with tentatively(it):
                return self._followed_live(it, question, function, call)
        except Abort:
            if live.is_needed:
                raise
        it.journal.undo(mark)
        self.callbacks.is_blind = True
        try:
            return self._answer(it, question, function, call)
        except NeedsLive:
            return self._followed_live(it, question, function, call)
        finally:
            self.callbacks.is_blind = False

    @contextmanager
    def _drawing(self, it: Interpreter, draws: KeyDraws) -> Iterator[None]:
        """What functions of the program draw from keys here is drawn as often as a function of jax executes them."""
        self.callbacks.draws.append(draws)
        try:
            yield
        finally:
            self.callbacks.draws.pop()
        draws.settle(it)

    def _told(
        self, it: Interpreter, answer: Outcome, function: Value, call: Call, question: Question, is_kept: bool = False
    ) -> Value:
        """The answer, here; one that was kept was found elsewhere, perhaps in another run."""
        if answer.code:
            if answer.message.startswith("NameError"):
                if it.mapping:
                    return it.unknown("an operation along a mapped axis")
                if (unbound := _UNBOUND.search(answer.message)) is not None:
                    return it.fail(call.node, "array-sharding", no_axis(self.jax, unbound[1]))
            return self._refused(it, answer, function, call)

        here = (it.frame.module.shown, getattr(call.node, "lineno", 0)) if is_kept and call.node is not None else None

        passes_on = _passes_numbers_on(function)

        def own(array: ArrayValue) -> Value:
            made = array.another()
            made.origin = here or made.origin
            if isinstance(array.sharding, Given):
                given = question.leaves[array.sharding.number]
                if passes_on and isinstance(given, ScalarValue) and not question.callables:
                    made.sharding = None
                    return join(given, made)
                made.sharding = given.sharding if isinstance(given, ArrayValue) and not made.traced else None
            is_literal = not question.any_traced and made.aval.shape == ()
            made.life = it.life if made.traced and it.staged and not is_literal else None
            return made

        told = copy_structure(answer.value, own)
        return as_arrays(self.engines, it, told, call.node) if question.callables else told

    def _refused(self, it: Interpreter, answer: Outcome, function: Value, call: Call) -> Unknown:
        """The mistake, in our words where there are such."""
        if answer.asks is not None:
            # A collective asks for the size of its axis, which may be any here.
            if is_collective(function) or asks_for_another(answer.message, call, answer.asks):
                return it.unknown(f"{_name(function)}: a tracer stands for a number that is not known")
            return it.fail(call.node, answer.code, value_sentence(it, function, call, answer.asks))
        if (key := key_sentence(function, call.args, call.kwargs)) is not None:
            return it.fail(call.node, *key)
        return it.fail(call.node, answer.code, answer.message)

    def _each(self, it: Interpreter, function: Value, call: Call, several: list[UnionValue]) -> Value:
        """Ask once for each alternative, and join."""
        within = unions_in(call.values)
        distinct = [v for v in {id(v): v for v in several}.values() if id(v) in within]
        if not distinct:
            raise Abort("one of several values inside of an instance")
        wants_arrays = str(getattr(function, "__module__", "")).startswith("jax.numpy")
        choices = [
            [v for v in one.values if not (wants_arrays and self._is_no_array(v))] or one.values for one in distinct
        ]
        if math.prod(map(len, choices)) > MOST_TRIALS:
            raise Abort("too many alternatives in the arguments")
        given_up: list[Abort] = []
        # What stands for a transformation of a function of the program is known to its handler alone.
        is_own = str(getattr(function, "__module__", "")).startswith("arraytyping.checker.flow.libraries")
        ask = self.ask if is_own else self.engines.call

        def asked(chosen: tuple[Value, ...]) -> Value:
            swap = {id(one): value for one, value in zip(distinct, chosen)}
            kwargs = {k: substitute(v, swap) for k, v in call.kwargs.items()}
            try:
                return ask(it, function, Call([substitute(a, swap) for a in call.args], kwargs, call.node))
            except Abort as abort:
                given_up.append(abort)
                return Unknown(abort.why)

        found = of_each(it, [*product(*choices)], asked)
        if given_up:
            raise given_up[0]
        return found

    def _is_no_array(self, value: Value) -> bool:
        """Whether functions of `jax.numpy` refuse it for certain, so that it must be another one where they go on."""
        if not isinstance(value, InstanceValue) or is_callable_value(value) or self.engines.pytrees.is_tree(value):
            return False
        module = value.cls.module
        if module is None or not (module.is_program or value.cls.find("__getattr__") is not MISSING):
            return False  # a class of a library may have more than is said of it
        return all(value.cls.find(name) is MISSING for name in ("__jax_array__", "__array__", "shape", "dtype"))

    def _answer(self, it: Interpreter, question: Question, function: Value, call: Call) -> Outcome:
        """Try with unknown scalars as tracers, and if their values are asked for, as symbolic sizes and both truths."""
        results: list[Value] = []
        refused_once = False
        choices: list[Choice] = []
        pending = [(weak, False) for weak in question.weak_types()]
        for weak, given in pending:
            choice = Choice(given)
            choices.append(choice)
            self.callbacks.choices.append(choice)
            try:
                results.append(trial(self.callbacks, it, question, function, call, "traced", weak))
                if choice.is_used and not given:
                    pending.append((weak, True))
                continue
            except Refused as refused:
                error = refused
            finally:
                self.callbacks.choices.pop()
            if choice.is_invented and "non-boolean" in str(error.error):
                raise Abort(f"{_name(function)}: a function gives a Python value that is not known")
            if choice.is_used:  # the other weak type may be accepted
                if not given:
                    pending.append((weak, True))
                    refused_once = True
                    continue
                if not refused_once:
                    raise Abort(f"{_name(function)}: a function gives an array of unknown weak type")
            if question.scalars:
                try:
                    for chosen in question.static_choices(it):
                        results.append(trial(self.callbacks, it, question, function, call, chosen, weak))
                    continue
                except Refused:
                    raise Abort(f"{_name(function)} with a scalar of unknown value") from None
            if error.is_concreteness and (choice.is_invented or not question.is_of_traced(str(error.error))):
                raise Abort(f"{_name(function)} needs a value that is not known")
            if isinstance(error.error, self._inconclusive):
                raise Abort(f"{_name(function)}: {type(error.error).__name__}")
            if self.jax.has_other_sizes(str(error.error)):
                raise Abort(f"{_name(function)} with symbolic sizes that it holds")
            if self.jax.sizes_met and not self._is_refused_for_all_sizes(it, question, function, call, weak, error):
                raise Abort(f"{_name(function)} with symbolic sizes")
            is_shown = own_sentence(error.error) is None and _TRACER.search(str(error.error)) is not None
            if is_shown and not question.is_of_traced(str(error.error)):
                raise Abort(f"{_name(function)}: a tracer stands for an array that is none in the program")
            if not is_trusted(error.error, not (question.is_displaced or choice.is_displaced)):
                raise Abort(f"{_name(function)}: what stands for a value of the program is refused")
            return Outcome.of(error)
        if refused_once and results:
            raise Abort(f"{_name(function)}: a function gives an array of unknown weak type")
        value = results[0] if len(results) == 1 else join_all(results)
        return Outcome(displaced(value) if self._is_displaced(question, choices) else value)

    def _is_displaced(self, question: Question, choices: list[Choice]) -> bool:
        """Whether it cannot be known where a result lies, in a program in which that has to be known."""
        return self.jax.has_places and (question.is_displaced or any(choice.is_displaced for choice in choices))

    def _is_refused_for_all_sizes(
        self, it: Interpreter, question: Question, function: Value, call: Call, weak: bool, error: Refused
    ) -> bool:
        """Whether jax refuses a question with symbolic sizes whatever numbers they are; the question is asked again."""

        def again() -> None:
            try:
                trial(self.callbacks, it, question, function, call, "traced", weak)
            except Refused as refused:
                raise refused.error from None

        return is_refused_for_all_sizes(it, self.jax, again, question.numbers, error.error, self._inconclusive)

    def _followed_live(self, it: Interpreter, question: Question, function: Value, call: Call) -> Outcome:
        """The answer of a gradient, with the function's operations traced by jax as they are interpreted.

        The weak type of a gradient depends on the way that it came, and a rule of the program's own is followed only
        by jax's own differentiation.
        """
        self._lives += 1
        self.callbacks.live = self._lives
        try:
            return self._answer(it, question, function, call)
        finally:
            self.callbacks.live = 0

    def _ask_live(self, it: Interpreter, function: Any, call: Call) -> Value:
        """Call a function of jax in the trace that is under way."""
        it.asked += _WORK_LIVE
        choice = Choice(False)
        self.callbacks.choices.append(choice)
        try:
            given = [self.callbacks.outgoing(it, a, call.node) for a in call.args]
            named = {k: self.callbacks.outgoing(it, v, call.node) for k, v in call.kwargs.items()}
            with self._drawing(it, KeyDraws(function, call.args, call.kwargs)):
                result = function(*given, **named)
        except self.jax.concreteness as error:
            if all_traced(call.values) and not choice.is_invented:
                return self._refused(it, Outcome.of(Refused(error, True)), function, call)
            raise Abort(f"{_name(function)} needs a value that is not known") from None
        except self._inconclusive as error:
            raise Abort(f"{_name(function)}: {type(error).__name__}") from None
        except Exception as error:
            swallow(error)
            if not is_trusted(error):
                raise Abort(f"{_name(function)}: what stands for a value of the program is refused") from None
            if self.jax.sizes_met:
                return self._followed_dead(it, function, call)
            return self._refused(it, Outcome.of(Refused(error, False)), function, call)
        finally:
            self.callbacks.choices.pop()
        traced = it.staged > 0 or any(map(is_traced, call.values))
        made = (it.frame.module.shown, getattr(call.node, "lineno", 0)) if call.node is not None else None
        value = from_jax(
            self.jax, result, lambda _: traced, made, self.callbacks.build(it, call.node), self.callbacks.live
        )
        return weaken(value) if choice.is_used else value

    def _followed_dead(self, it: Interpreter, function: Value, call: Call) -> Value:
        """What a call gives outside of the trace: whether jax refuses it for all sizes is found out there only.

        Raises:
            Abort: if it does not.
        """
        live, self.callbacks.live = self.callbacks.live, 0
        try:
            found = self.engines.call(it, function, call)
        finally:
            self.callbacks.live = live
        if isinstance(found, Unknown):
            return found
        raise Abort(f"{_name(function)} with symbolic sizes")


def _is_of_jax(function: Value) -> bool:
    return str(getattr(function, "__module__", "")).startswith("jax")


def _passes_numbers_on(function: Any) -> bool:
    """Whether a function may give back a number that it is given: one of jax makes an array of it, but for trees."""
    module = str(getattr(function, "__module__", None) or "")
    return package_of(function) not in ("jax", "jaxlib") or "tree" in module


def _name(function: Value) -> str:
    return str(getattr(function, "__name__", function))[:60]


def _any_float(values: Iterable[Value]) -> bool:
    """Whether a number of Python's that can be differentiated is among arguments: it is a weak array."""
    return any(
        _any_float(value) if isinstance(value, tuple | list) else isinstance(value, float | complex) for value in values
    )
