"""Asking jax: a call of a library's function on abstract values becomes one `jax.eval_shape`.

Functions of the program go in as callbacks, which jax calls with its tracers, and which give back zeros of the
shapes that the interpreter found.  So the rules of `vmap`, `scan`, `grad` and the like, and their messages, are
jax's own.  An answer without callbacks is kept by function and arguments.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from arraytyping.avals import ShapedArray
from arraytyping.flow.counting import blur_counts
from arraytyping.flow.engines.conversion import (
    Abort,
    Callback,
    Leaf,
    Node,
    dim_to_jax,
    fresh_size,
    from_jax,
    is_callable_value,
)
from arraytyping.flow.engines.jax import JaxEngine, Refused
from arraytyping.flow.engines.refusals import code_of, first_line, is_trusted
from arraytyping.flow.identity import identity
from arraytyping.flow.interpreter import Interpreter, Signal
from arraytyping.flow.joins import join_all
from arraytyping.flow.sizes import as_dim
from arraytyping.flow.values import (
    ArrayValue,
    AtValue,
    ClassValue,
    DictValue,
    InstanceValue,
    IteratorValue,
    ListValue,
    NumPyValue,
    OneOf,
    ScalarValue,
    SetValue,
    TreeValue,
    Unknown,
    Value,
    is_exact,
    remake_tuple,
)

if TYPE_CHECKING:
    from arraytyping.flow.engines import Engines

__all__ = ["Asker", "NeedsLive", "Outcome", "copy_structure"]

_PYTHON_DTYPES: Final = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}
_MOST_TRIALS: Final = 8


_NEEDS_LIVE: Final = frozenset({"filter_jvp", "filter_vjp", "filter_linearize", "filter_closure_convert"})
"""What treats results apart that do not depend on the arguments."""


class Outcome:
    """The kept answer of jax: a value, or a mistake."""

    __slots__ = ("code", "message", "value")

    def __init__(self, value: Any, code: str = "", message: str = "") -> None:
        self.value = value
        self.code = code
        self.message = message


class NeedsLive(Signal):
    """A gradient depends on a rule of the program: its function must be followed live."""


class _Choice:
    """The weak type that is tried for results of callbacks where it is not known.

    `is_invented` says that a callback gave a tracer in place of a Python or NumPy value that is not known.
    """

    __slots__ = ("is_invented", "is_used", "weak")

    def __init__(self, weak: bool) -> None:
        self.weak = weak
        self.is_used = False
        self.is_invented = False

    def use(self) -> bool:
        self.is_used = True
        return self.weak


class Asker:
    """Asks one jax for one run of the interpreter."""

    def __init__(self, engines: Engines, jax: JaxEngine, answers: dict[Any, Outcome]) -> None:
        self.engines = engines
        self.jax = jax
        self.answers = answers
        self.asked = 0
        self.kept = 0
        self.choices: list[_Choice] = []
        """For the questions under way: which weak type callbacks give where it is not known."""
        self.live = 0
        """The number of the innermost live trace under way; 0 if there is none."""
        self._lives = 0
        self._inconclusive = (
            NotImplementedError, AssertionError, RecursionError, jax.jax.errors.UnexpectedTracerError, *jax.inconclusive
        )  # fmt: skip
        self.instance_of: Any = None
        """How an instance of the program is made again of what a library holds: `(class, children, rest)`."""
        self.bases: list[Any] = []
        """The outermost traces of the questions under way."""
        self.tracers: list[dict[int, bool]] = []
        """Which tracers of these questions stand for traced arrays, by identity."""

    def ask(
        self, it: Interpreter, function: Any, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None,
        is_gradient: bool = False, key: Any = None,
    ) -> Any:  # fmt: skip
        """What a library's function gives for these values.

        Raises:
            Abort: if they are not known well enough; functions among them may then have been called in part.
        """
        if self.live:
            return self._ask_live(it, function, args, kwargs, node)
        question = _Question(self, it, node)
        real_args = [question.convert(a) for a in args]
        real_kwargs = {k: question.convert(v) for k, v in kwargs.items()}
        if question.alternatives:
            return self._each(it, function, args, kwargs, node, is_gradient, question.alternatives)
        kept = None
        if not question.callbacks and not isinstance(function, Callback):
            about = key if key is not None else identity(function)  # which keeps it, so that its address stays its own
            kept = (
                about,
                identity(tuple(args)),
                tuple((k, identity(v)) for k, v in kwargs.items()),
                it.staged > 0,
                self.jax.configuration(),
            )
            self.engines.kept_alive[id(function)] = function
            answer = self.answers.get(kept)
            if answer is not None:
                self.kept += 1
                return self._told(it, answer, node)
        self.asked += 1
        mark = it.journal.mark
        try:
            answer = self._asked(it, question, function, real_args, real_kwargs, node, is_gradient)
        finally:
            if question.callbacks:
                blur_counts(it.journal, mark)
        if kept is not None:
            self.answers[kept] = answer
        elif question.callbacks and type(answer.value) is bool and not _is_of_jax(function):
            return ScalarValue(bool)  # what stands for a function of the program is not equal to itself
        return self._told(it, answer, node)

    def _asked(
        self, it: Interpreter, question: _Question, function: Any, real_args: list[Any], real_kwargs: dict[str, Any],
        node: ast.AST | None, is_gradient: bool,
    ) -> Outcome:  # fmt: skip
        """The answer to a question that is new."""
        if (is_gradient and question.any_weak) or getattr(function, "__name__", "") in _NEEDS_LIVE:
            answer = self._followed_live(it, question, function, real_args, real_kwargs, node)
        else:
            try:
                answer = self._answer(it, question, function, real_args, real_kwargs, node, is_gradient)
            except NeedsLive:
                answer = self._followed_live(it, question, function, real_args, real_kwargs, node)
        return answer

    def _told(self, it: Interpreter, answer: Outcome, node: ast.AST | None) -> Any:
        if answer.code:
            if it.mapping and answer.message.startswith("NameError"):
                return it.unknown("an operation along a mapped axis")
            return it.fail(node, answer.code, answer.message)
        return copy_structure(answer.value)

    def _each(
        self, it: Interpreter, function: Any, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None,
        is_gradient: bool, several: list[OneOf],
    ) -> Any:  # fmt: skip
        """Ask once for each alternative, and join."""
        distinct = list({id(v): v for v in several}.values())
        count = 1
        for one in distinct:
            count *= len(one.values)
        if count > _MOST_TRIALS:
            raise Abort("too many alternatives in the arguments")
        results, wrong = [], 0
        last: Any = None
        for chosen in product(*(one.values for one in distinct)):
            swap = {id(one): value for one, value in zip(distinct, chosen)}
            new_args = [substitute(a, swap) for a in args]
            new_kwargs = {k: substitute(v, swap) for k, v in kwargs.items()}
            suspects = it.suspects
            last = (new_args, new_kwargs)
            with it.quietly():
                result = self.engines.call(it, function, new_args, new_kwargs, node)
            if it.suspects > suspects:
                wrong += 1
            else:
                results.append(result)
        if wrong == count and last is not None:
            return self.engines.call(it, function, last[0], last[1], node)
        return join_all(results)

    def _answer(
        self, it: Interpreter, question: _Question, function: Any, args: list[Any], kwargs: dict[str, Any],
        node: ast.AST | None, is_gradient: bool,
    ) -> Outcome:  # fmt: skip
        """Try with unknown scalars as tracers, and if their values are asked for, as symbolic sizes and both truths."""
        results: list[Any] = []
        refused_once = False
        pending = [(weak, False) for weak in question.weak_types()]
        for weak, given in pending:
            choice = _Choice(given)
            self.choices.append(choice)
            try:
                results.append(self._trial(it, question, function, args, kwargs, node, "traced", weak, is_gradient))
                if choice.is_used and not given:
                    pending.append((weak, True))
                continue
            except Refused as refused:
                error = refused
            finally:
                self.choices.pop()
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
                        results.append(
                            self._trial(it, question, function, args, kwargs, node, chosen, weak, is_gradient)
                        )
                    continue
                except Refused:
                    raise Abort(f"{_name(function)} with a scalar of unknown value") from None
            if error.is_concreteness and (choice.is_invented or not question.all_traced):
                raise Abort(f"{_name(function)} needs a value that is not known")
            if isinstance(error.error, self._inconclusive):
                raise Abort(f"{_name(function)}: {type(error.error).__name__}")
            if question.is_symbolic and "shape_poly" in str(error.error):
                raise Abort(f"{_name(function)} with symbolic sizes")
            if not is_trusted(error.error):
                raise Abort(f"{_name(function)}: what stands for a value of the program is refused")
            return Outcome(None, code_of(error), first_line(error.error))
        if refused_once and results:
            raise Abort(f"{_name(function)}: a function gives an array of unknown weak type")
        value = results[0] if len(results) == 1 else join_all(results)
        return Outcome(value)

    def _followed_live(
        self, it: Interpreter, question: _Question, function: Any, args: list[Any], kwargs: dict[str, Any],
        node: ast.AST | None,
    ) -> Outcome:  # fmt: skip
        """The answer of a gradient, with the function's operations traced by jax as they are interpreted.

        The weak type of a gradient depends on the way that it came, and a rule of the program's own is followed only
        by jax's own differentiation.
        """
        self._lives += 1
        self.live = self._lives
        try:
            return self._answer(it, question, function, args, kwargs, node, False)
        finally:
            self.live = 0

    def _ask_live(
        self, it: Interpreter, function: Any, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None
    ) -> Any:
        """Call a function of jax in the trace that is under way."""
        choice = _Choice(False)
        self.choices.append(choice)
        try:
            given = [self.outgoing(it, a, node) for a in args]
            named = {k: self.outgoing(it, v, node) for k, v in kwargs.items()}
            result = function(*given, **named)
        except Signal:
            raise
        except self.jax.concreteness as error:
            if _all_traced([*args, *kwargs.values()]) and not choice.is_invented:
                refused = Refused(error, True)
                return it.fail(node, code_of(refused), first_line(error))
            raise Abort(f"{_name(function)} needs a value that is not known") from None
        except self._inconclusive as error:
            raise Abort(f"{_name(function)}: {type(error).__name__}") from None
        except Exception as error:
            if not is_trusted(error):
                raise Abort(f"{_name(function)}: what stands for a value of the program is refused") from None
            refused = Refused(error, False)
            return it.fail(node, code_of(refused), first_line(error))
        finally:
            self.choices.pop()
        traced = it.staged > 0 or any(map(_has_tracer, [*args, *kwargs.values()]))
        made = (it.frame.module.shown, getattr(node, "lineno", 0)) if node is not None else None
        value = from_jax(self.jax, result, lambda _: traced, made, self._build(it, node), self.live)
        return weaken(value) if choice.is_used else value

    def _trial(
        self, it: Interpreter, question: _Question, function: Any, args: list[Any], kwargs: dict[str, Any],
        node: ast.AST | None, scalars: Any, weak: bool, is_gradient: bool,
    ) -> Any:  # fmt: skip
        """One `eval_shape`."""
        avals, static = question.avals(scalars, weak)
        box: list[Any] = []

        def run(*tracers: Any) -> None:
            values = dict(static)
            flags: dict[int, bool] = {}
            kept = iter(tracers)
            for number, leaf in enumerate(question.leaves):
                if number not in values:
                    tracer = values[number] = next(kept)
                    flags[id(tracer)] = isinstance(leaf, ArrayValue) and leaf.traced
            base = self.jax.current_trace()
            self.bases.append(base)
            self.tracers.append(flags)
            try:
                result = function(
                    *(question.restore(a, values) for a in args),
                    **{k: question.restore(v, values) for k, v in kwargs.items()},
                )
                traced = it.staged > 0 or question.any_traced
                made = (it.frame.module.shown, getattr(node, "lineno", 0)) if node is not None else None
                box.append(from_jax(self.jax, result, lambda _: traced, made, self._build(it, node)))
            finally:
                self.bases.pop()
                self.tracers.pop()

        try:
            self.jax.trace(run, avals)
        except Refused:
            raise
        except Signal:
            raise
        except Exception as error:
            raise Refused(error, False) from None
        return box[-1]

    def _build(self, it: Interpreter, node: ast.AST | None) -> Callable[..., Any]:
        def build(cls: ClassValue, children: tuple[Any, ...], rest: Any) -> Any:
            return self.engines.pytrees.unflatten(it, cls, children, rest, node)

        return build

    # ------------------------------------------------------------------ callbacks

    def callback(self, it: Interpreter, function: Any, node: ast.AST | None) -> Callback:
        """A function of the program as jax sees it."""

        def call(called: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            base = self.bases[-1] if self.bases else None
            staging = self.jax.is_staging(base)
            build = self._build(it, node)

            def incoming(v: Any) -> Any:
                return from_jax(self.jax, v, self._is_traced, None, build, self.live)

            it.staged += staging
            try:
                result = it.call(called, [incoming(a) for a in args], {k: incoming(v) for k, v in kwargs.items()}, node)
                return self.outgoing(it, result, node)
            finally:
                it.staged -= staging

        return Callback(function, call)

    def instances_call_back(self, it: Interpreter) -> None:
        """Let a library call instances of the program that it is given as pytrees."""

        def call(instance: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            value = from_jax(self.jax, instance, self._is_traced, None, self._build(it, None), self.live)
            return self.callback(it, value, it.chain[-1][2] if it.chain else None)(*args, **kwargs)

        self.engines.pytrees.call = call
        self.instance_of = self._build(it, None)

    def _is_traced(self, tracer: Any) -> bool:
        """Whether what a callback is given is a tracer in the program too: not if it is only differentiated."""
        primal = self.jax.primal(tracer)
        for flags in reversed(self.tracers):
            if id(primal) in flags:
                return flags[id(primal)]
        trace = self.jax.trace_of(primal)
        if trace is None:
            return False
        if any(trace is base for base in self.bases):
            return any(any(flags.values()) for flags in self.tracers)
        return True

    def _invented(self) -> None:
        if self.choices:
            self.choices[-1].is_invented = True

    def outgoing(self, it: Interpreter, value: Any, node: ast.AST | None) -> Any:
        """A result of a callback as an object of jax.

        Raises:
            Abort: if it is not known well enough.
        """
        if isinstance(value, ArrayValue):
            if value.real is not None and value.real[0] == self.live:
                return value.real[1]
            aval = value.aval
            if aval.shape is None or aval.dtype is None:
                raise Abort("a function gives an array of which a part is unknown")
            weak = aval.weak_type
            if weak is None:
                if not self.choices:
                    raise Abort("a function gives an array of unknown weak type")
                weak = self.choices[-1].use()
            return self.jax.zeros(tuple(dim_to_jax(self.jax, d) for d in aval.shape), aval.dtype, weak)
        if isinstance(value, NumPyValue):
            if value.shape is None or value.dtype is None or not all(isinstance(d, int) for d in value.shape):
                raise Abort("a function gives a NumPy array of which a part is unknown")
            if value.data is not None:
                return value.data[()] if value.is_scalar else value.data
            self._invented()
            return self.jax.numpy.zeros(value.shape, self.jax.dtype(value.dtype))
        if isinstance(value, ScalarValue):
            kinds = [k for k in value.kinds if k in _PYTHON_DTYPES]
            if len(kinds) != 1 or len(value.kinds) != 1:
                raise Abort("a function gives a Python value that is not known")
            dtype = str(self.jax.canonical(_PYTHON_DTYPES[kinds[0]]))
            self._invented()
            return self.jax.zeros((), dtype, kinds[0] is not bool)
        if isinstance(value, tuple):
            return remake_tuple(value, [self.outgoing(it, v, node) for v in value])
        if isinstance(value, ListValue | IteratorValue):
            if value.items is None:
                raise Abort("a function gives a list of unknown length")
            return [self.outgoing(it, v, node) for v in value.items]
        if isinstance(value, DictValue):
            if value.items is None:
                raise Abort("a function gives a dict of unknown keys")
            return (
                value.kind({k: self.outgoing(it, v, node) for k, v in value.items.items()})
                if value.kind in (dict,)
                else {k: self.outgoing(it, v, node) for k, v in value.items.items()}
            )
        if isinstance(value, InstanceValue) and self.engines.pytrees.is_tree(value):
            children, rest = self.engines.pytrees.flatten(it, value, node)
            self.instances_call_back(it)
            return self.engines.pytrees.node(value.cls, tuple(self.outgoing(it, c, node) for c in children), rest)
        if isinstance(value, TreeValue):
            return value.treedef.unflatten([self.outgoing(it, leaf, node) for leaf in value.leaves])
        if isinstance(value, Unknown):
            raise Abort(value.why)
        if isinstance(value, OneOf):
            raise Abort("a function gives one of several sorts of values")
        if is_callable_value(value):
            return self.callback(it, value, node)
        if isinstance(value, Value):
            raise Abort("a function gives what jax does not take")
        return value


class _Question:
    """The arguments of one question, with their abstract leaves taken out."""

    def __init__(self, asker: Asker, it: Interpreter, node: ast.AST | None) -> None:
        self.asker = asker
        self.it = it
        self.node = node
        self.leaves: list[Any] = []
        self.callbacks = 0
        self.alternatives: list[OneOf] = []

    # -------------------------------------------------------------- out

    def convert(self, value: Any) -> Any:
        """The value with `Leaf`s in place of what is abstract."""
        if isinstance(value, ArrayValue):
            aval = value.aval
            if aval.shape is None or aval.dtype is None:
                raise Abort("an array of unknown rank" if aval.shape is None else "an array of unknown dtype")
            return self._leaf(value)
        if isinstance(value, NumPyValue):
            if value.data is not None:
                return value.data[()] if value.is_scalar else value.data
            if value.shape is None or value.dtype is None:
                raise Abort("a NumPy array of which a part is unknown")
            return self._leaf(value)
        if isinstance(value, ScalarValue):
            if str in value.kinds or bytes in value.kinds:
                raise Abort("a string that is not known")
            if len(value.kinds) > 1:
                self.alternatives.append(OneOf(tuple(ScalarValue(k) for k in value.kinds)))
                raise Abort("a number that may be an int or a float")
            return self._leaf(value)
        if isinstance(value, tuple):
            return remake_tuple(value, [self.convert(v) for v in value])
        if isinstance(value, ListValue | IteratorValue):
            if value.items is None:
                raise Abort("a list of unknown length")
            return [self.convert(v) for v in value.items]
        if isinstance(value, DictValue):
            if value.items is None:
                raise Abort("a dict of unknown keys")
            items = {k: self.convert(v) for k, v in value.items.items()}
            return items if value.kind is dict else self._other_dict(value, items)
        if isinstance(value, SetValue):
            if value.items is None:
                raise Abort("a set of unknown items")
            return value.kind(value.items)
        if type(value) is slice:
            return slice(self.convert(value.start), self.convert(value.stop), self.convert(value.step))
        if isinstance(value, Unknown):
            raise Abort(value.why)
        if isinstance(value, OneOf):
            self.alternatives.append(value)
            return None
        if isinstance(value, InstanceValue):
            if self.asker.engines.pytrees.is_tree(value):
                children, rest = self.asker.engines.pytrees.flatten(self.it, value, self.node)
                self.callbacks += is_callable_value(value)
                self.asker.instances_call_back(self.it)
                converted = tuple(self.convert(c) for c in children)
                return self.asker.engines.pytrees.node(value.cls, converted, rest)
            real = self.asker.engines.real_object(self.it, value)
            if real is not None:
                return real
            if is_callable_value(value):
                return self._callback(value)
            raise Abort(f"an instance of {value.cls.name}, which is no pytree")
        if isinstance(value, TreeValue):
            return value.treedef.unflatten([self.convert(leaf) for leaf in value.leaves])
        if isinstance(value, ClassValue):
            if value.tuple_type is not None:
                return value.tuple_type
            real = self.asker.engines.real_class(self.it, value)
            return real if real is not None else self._callback(value)
        if is_callable_value(value):
            return self._callback(value)
        if isinstance(value, AtValue) or isinstance(value, Value):
            raise Abort("an argument that jax does not take")
        return value

    def _other_dict(self, value: DictValue, items: dict[Any, Any]) -> Any:
        try:
            made = value.kind()
            made.update(items)
            return made
        except Exception:
            return items

    def _callback(self, value: Any) -> Any:
        self.callbacks += 1
        return self.asker.callback(self.it, value, self.node)

    def _leaf(self, value: Any) -> Leaf:
        self.leaves.append(value)
        return Leaf(len(self.leaves) - 1)

    # -------------------------------------------------------------- what the leaves are

    @property
    def scalars(self) -> list[int]:
        """The leaves that are Python scalars of unknown value."""
        return [i for i, leaf in enumerate(self.leaves) if isinstance(leaf, ScalarValue)]

    @property
    def any_traced(self) -> bool:
        return any(isinstance(leaf, ArrayValue) and leaf.traced for leaf in self.leaves)

    @property
    def all_traced(self) -> bool:
        """Whether every abstract argument is a tracer in the program too."""
        return bool(self.leaves) and all(isinstance(leaf, ArrayValue) and leaf.traced for leaf in self.leaves)

    @property
    def any_weak(self) -> bool:
        return any(
            isinstance(leaf, ScalarValue) or (isinstance(leaf, ArrayValue) and leaf.aval.weak_type)
            for leaf in self.leaves
        )

    @property
    def is_symbolic(self) -> bool:
        return any(
            not isinstance(d, int)
            for leaf in self.leaves
            for d in (getattr(getattr(leaf, "aval", leaf), "shape", ()) or ())
        )

    def weak_types(self) -> tuple[bool, ...]:
        """What is tried for arrays of unknown weak type."""
        unknown = any(isinstance(leaf, ArrayValue) and leaf.aval.weak_type is None for leaf in self.leaves)
        return (False, True) if unknown else (False,)

    def static_choices(self, it: Interpreter) -> list[dict[int, Any]]:
        """For each unknown scalar a static value: an int is a symbolic size, a bool both."""
        choices: list[list[Any]] = []
        for i in self.scalars:
            leaf = self.leaves[i]
            if leaf.kinds == (bool,):
                choices.append([False, True])
            elif leaf.kinds == (int,):
                size = leaf.size if leaf.size is not None else fresh_size(it, "u")
                low, _ = size.bounds()
                dim = as_dim(size)
                if low is None or low < 0 or dim is None:
                    raise Abort("an int that may be negative")
                choices.append([dim_to_jax(self.asker.jax, dim)])
            else:
                raise Abort("a float whose value is asked for")
        combinations = list(product(*choices))
        if len(combinations) > _MOST_TRIALS:
            raise Abort("too many unknown flags")
        return [dict(zip(self.scalars, chosen)) for chosen in combinations]

    def avals(self, scalars: Any, weak: bool) -> tuple[list[Any], dict[int, Any]]:
        """The abstract arguments of jax, and the static values of the other leaves."""
        jax = self.asker.jax
        static = {} if scalars == "traced" else dict(scalars)
        avals = []
        for i, leaf in enumerate(self.leaves):
            if i in static:
                continue
            if isinstance(leaf, ScalarValue):
                (kind,) = leaf.kinds
                avals.append(jax.struct((), jax.canonical(_PYTHON_DTYPES[kind]), kind is not bool))
            elif isinstance(leaf, NumPyValue):
                assert leaf.shape is not None and leaf.dtype is not None
                try:
                    dtype = jax.canonical(leaf.dtype)
                except Exception:
                    raise Abort(f"a NumPy array of {leaf.dtype}") from None
                avals.append(jax.struct(tuple(dim_to_jax(jax, d) for d in leaf.shape), dtype, False))
            else:
                aval = leaf.aval
                is_weak = weak if aval.weak_type is None else aval.weak_type
                dims = tuple(dim_to_jax(jax, d) for d in aval.shape)
                avals.append(jax.struct(dims, jax.dtype(aval.dtype), is_weak))
        return avals, static

    def restore(self, value: Any, values: dict[int, Any]) -> Any:
        """The arguments with tracers in place of the leaves."""
        if isinstance(value, Leaf):
            return values[value.number]
        if isinstance(value, tuple):
            return remake_tuple(value, [self.restore(v, values) for v in value])
        if type(value) is list:
            return [self.restore(v, values) for v in value]
        if isinstance(value, dict):
            restored = {k: self.restore(v, values) for k, v in value.items()}
            return restored if type(value) is dict else self._like(value, restored)
        if type(value) is slice:
            return slice(*(self.restore(v, values) for v in (value.start, value.stop, value.step)))
        if isinstance(value, Node):
            children = tuple(self.restore(c, values) for c in value.children)
            return self.asker.engines.pytrees.node(value.cls, children, value.rest)
        if not is_exact(value) or isinstance(value, str | int | float | bool | type(None) | Callback):
            return value
        return self._restore_tree(value, values)

    def _like(self, value: Any, items: dict[Any, Any]) -> Any:
        made = type(value)()
        made.update(items)
        return made

    def _restore_tree(self, value: Any, values: dict[int, Any]) -> Any:
        """A library's pytree whose leaves are `Leaf`s."""
        tree = self.asker.jax.tree_util
        try:
            leaves, treedef = tree.tree_flatten(value, is_leaf=lambda v: isinstance(v, Leaf))
        except Exception:
            return value
        if len(leaves) == 1 and leaves[0] is value:
            return value
        if not any(isinstance(leaf, Leaf) for leaf in leaves):
            return value
        return treedef.unflatten([self.restore(leaf, values) for leaf in leaves])


def weaken(value: Any) -> Any:
    """The value of a call that was given an array whose weak type is not known."""
    if isinstance(value, ArrayValue):
        weakened = ArrayValue(ShapedArray(value.aval.shape, value.aval.dtype, None), value.traced, value.made)
        weakened.real = value.real
        return weakened
    if isinstance(value, tuple):
        return remake_tuple(value, [weaken(v) for v in value])
    if isinstance(value, ListValue) and value.items is not None:
        return ListValue([weaken(v) for v in value.items])
    if isinstance(value, DictValue) and value.items is not None:
        return DictValue({k: weaken(v) for k, v in value.items.items()}, kind=value.kind)
    return value


def _has_tracer(value: Any) -> bool:
    if isinstance(value, ArrayValue):
        return value.traced
    if isinstance(value, tuple):
        return any(map(_has_tracer, value))
    if isinstance(value, ListValue | IteratorValue):
        return value.items is not None and any(map(_has_tracer, value.items))
    if isinstance(value, DictValue):
        return value.items is not None and any(map(_has_tracer, value.items.values()))
    return isinstance(value, TreeValue) and any(map(_has_tracer, value.leaves))


def _all_traced(values: list[Any]) -> bool:
    arrays = [v for v in values if isinstance(v, ArrayValue)]
    return bool(arrays) and all(a.traced for a in arrays)


def _is_of_jax(function: Any) -> bool:
    return str(getattr(function, "__module__", "")).startswith("jax")


def _name(function: Any) -> str:
    return str(getattr(function, "__name__", function))[:60]


def copy_structure(value: Any) -> Any:
    """A result that is kept, with new containers: each call makes its own."""
    if isinstance(value, tuple) and value:
        return remake_tuple(value, [copy_structure(v) for v in value])
    if isinstance(value, ListValue) and value.items is not None:
        return ListValue([copy_structure(v) for v in value.items], kind=value.kind)
    if isinstance(value, DictValue) and value.items is not None:
        return DictValue({k: copy_structure(v) for k, v in value.items.items()}, kind=value.kind, factory=value.factory)
    if isinstance(value, InstanceValue):
        return InstanceValue(value.cls, {k: copy_structure(v) for k, v in value.attributes.items()})
    return value


def substitute(value: Any, swap: dict[int, Any]) -> Any:
    """The value with some of its alternatives chosen."""
    if isinstance(value, OneOf):
        return swap.get(id(value), value)
    if isinstance(value, tuple):
        return remake_tuple(value, [substitute(v, swap) for v in value])
    if isinstance(value, ListValue) and value.items is not None:
        return ListValue([substitute(v, swap) for v in value.items], kind=value.kind)
    if isinstance(value, DictValue) and value.items is not None:
        return DictValue({k: substitute(v, swap) for k, v in value.items.items()}, kind=value.kind)
    return value
