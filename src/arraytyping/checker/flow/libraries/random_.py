"""`random`: what a generator of a known seed draws (see `seeds`), else scalars of the kind that a function gives."""

from __future__ import annotations

import ast
import random
from typing import Any, Final

from arraytyping.checker.flow.libraries.registry import Handler, handles
from arraytyping.checker.flow.state.fresh_sizes import int_within, size_of_int
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.repeated import by_alternatives
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.state.seeds import LARGEST, SeedState
from arraytyping.checker.flow.values import MISSING, HandlerValue, ListValue, ScalarValue, SetValue, Value, is_concrete
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow

_STATE: Final[RunSlot[SeedState]] = RunSlot("the generator of random", lambda: SeedState(None))

Kwargs = dict[str, Any]
Node = ast.AST | None

_FLOATS: Final = (
    "random", "uniform", "gauss", "normalvariate", "triangular", "betavariate", "expovariate", "gammavariate",
    "lognormvariate", "paretovariate", "vonmisesvariate", "weibullvariate",
)  # fmt: skip
_SIZED: Final = frozenset({"choices", "sample", "getrandbits", "randbytes", "binomialvariate"})
"""Methods for which a number says how much is drawn."""
_INTS: Final = ("randint", "randrange", "getrandbits", "binomialvariate")


def _one(it: Interpreter, value: Value, node: Node) -> tuple[Value, int | None]:
    """One value for all items, and their number."""
    items, element = it.iterate(value, node)
    return (element, None) if items is None else (join_all(items), len(items))


@by_alternatives
def _choice(it: Interpreter, call: Call) -> Value:
    if len(call.args) != 1:
        return it.unknown("random.choice by keyword")
    if isinstance(call.args[0], SetValue):
        return it.fail(call.node, "array-call", "TypeError: 'set' object is not subscriptable")
    joined, count = _one(it, call.args[0], call.node)
    if count == 0:
        return it.fail(call.node, "array-call", "IndexError: cannot choose from an empty sequence")
    return it.unknown("a choice from something unknown") if joined is MISSING else joined


@by_alternatives
def _several(it: Interpreter, call: Call) -> Value:
    if not call.args:
        return it.unknown("random.sample by keyword")
    joined, _ = _one(it, call.args[0], call.node)
    number = call.kwargs.get("k", 1)
    return ListValue([joined] * number) if type(number) is int and joined is not MISSING else ListValue(None, joined)


@by_alternatives
def _sample(it: Interpreter, call: Call) -> Value:
    if len(call.args) < 2 and "k" not in call.kwargs:
        return it.unknown("random.sample by keyword")
    number = call.args[1] if len(call.args) > 1 else call.kwargs["k"]
    joined, count = _one(it, call.args[0], call.node)
    if type(number) is int and count is not None and number > count:
        return it.fail(call.node, "array-call", "ValueError: sample larger than population or is negative")
    return ListValue([joined] * number) if type(number) is int and joined is not MISSING else ListValue(None, joined)


def _shuffle(it: Interpreter, call: Call) -> Value:
    for value in call.args[:1]:
        if isinstance(value, ListValue):
            if value.items is not None:
                it.journal.touch(value)
                value.items = [join_all(value.items)] * len(value.items)
        elif isinstance(value, tuple | str | range):
            return it.fail(
                call.node, "array-call", f"TypeError: {type(value).__name__!r} object does not support item assignment"
            )
        else:
            return it.unknown("what is shuffled is not understood")
    return None


def _scalar(kind: type) -> Handler:
    return lambda it, call: ScalarValue(kind, is_data=True)


@by_alternatives
def _int(it: Interpreter, call: Call) -> Value:
    """`randint`, whose second limit may be drawn, and `randrange` without a step."""
    given = [size_of_int(value) for value in call.args]
    if call.kwargs or len(given) != 2 or given[0] is None or given[1] is None:
        return ScalarValue(int, is_data=True)
    return int_within(it, given[0], given[1])


_FUNCTIONS: Final[dict[str, Any]] = {
    **{name: _scalar(float) for name in _FLOATS},
    **{name: _scalar(int) for name in _INTS},
    "randint": _int,
    "randrange": _int,
    "choice": _choice,
    "choices": _several,
    "sample": _sample,
    "shuffle": _shuffle,
    "seed": lambda it, call: None,
    "setstate": lambda it, call: None,
    "getstate": lambda it, call: it.unknown("the state of a random generator"),
    "randbytes": _scalar(bytes),
}


def _seeded(it: Interpreter, state: SeedState, name: str, call: Call) -> Value:
    """Call a method of a generator: for real if its state and the arguments are known."""
    if name == "seed":
        state.seed(it, _make(call.args, call.kwargs))
        return None
    try:
        return _drawn(it, state, name, call.args, call.kwargs)
    except Exception as error:  # the state or an argument is not known; or the call is wrong, which is said below
        swallow(error)
        state.lose(it)
        return _FUNCTIONS[name](it, call)


def _make(args: list[Any], kwargs: Kwargs) -> Value:
    """A real generator of a known seed; None if it is not known, or there is none."""
    given = args[0] if args else kwargs.get("x", kwargs.get("a"))
    return random.Random(given) if type(given) in (int, float, str, bytes) else None


def _drawn(it: Interpreter, state: SeedState, name: str, args: list[Any], kwargs: Kwargs) -> Value:
    """What is drawn; of a sequence of values those at the places that are drawn.

    Raises:
        LookupError: if the state is not known, or a part of the arguments.
    """
    given = [*args[name in ("choices", "sample") :], *kwargs.values()]
    if name in _SIZED and any(type(v) is int and abs(v) > LARGEST for v in given):
        raise LookupError
    if name in ("choice", "choices", "sample", "shuffle") and args and isinstance(args[0], ListValue | tuple):
        items, _ = it.iterate(args[0], node=None)
        if items is None or not all(is_concrete(a) for a in [*args[1:], *kwargs.values()]):
            raise LookupError
        places = list(range(len(items)))
        found = state.draw(it, lambda generator: getattr(generator, name)(places, *args[1:], **kwargs))
        if name == "choice":
            return items[found]
        if name == "shuffle":
            assert isinstance(args[0], ListValue)
            it.journal.touch(args[0])
            args[0].items = [items[i] for i in places]
            return None
        return ListValue([items[i] for i in found])
    if name in ("setstate", "getstate") or not all(is_concrete(a) for a in [*args, *kwargs.values()]):
        raise LookupError
    return it.engines.from_python(state.draw(it, lambda generator: getattr(generator, name)(*args, **kwargs)))


@handles("random.Random", "random.SystemRandom")
def _generator(it: Interpreter, call: Call) -> Value:
    state = SeedState(_make(call.args, call.kwargs))
    methods = {name: HandlerValue(name, _method(state, name)) for name in _FUNCTIONS}
    return HandlerValue("Random", lambda it, call: it.unknown("a random generator is called"), (), methods)


def _method(state: SeedState, name: str) -> Any:
    return lambda it, call: _seeded(it, state, name, call)


def _function(name: str) -> Handler:
    def handle(it: Interpreter, call: Call) -> Value:
        return _seeded(it, _STATE.of(it), name, call)

    return handle


for _name in _FUNCTIONS:
    handles(f"random.{_name}")(_function(_name))
