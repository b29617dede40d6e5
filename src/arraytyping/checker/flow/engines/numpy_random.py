"""NumPy's random generators and the functions of `np.random`: their numbers by value or by shape.

Source: https://numpy.org/doc/stable/reference/random/generator.html.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.engines.numpy_arguments import Refused, Unknowable
from arraytyping.checker.flow.engines.numpy_distributions import draw, dtype_drawn
from arraytyping.checker.flow.engines.numpy_seeded import drawn, make_generator
from arraytyping.checker.flow.engines.numpy_values import NotConcrete, NotPossible, concrete, contains_traced
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.may_raise import note_drawn
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.state.seeds import SeedState
from arraytyping.checker.flow.values import MISSING, HandlerValue, ListValue, NumPyValue, ScalarValue, UnionValue, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.rules.errors import ShapeError

__all__ = ["GeneratorValue", "call_global", "call_random"]

_STATE: Final[RunSlot[SeedState]] = RunSlot("the generator of np.random", lambda: SeedState(None))


class GeneratorValue(HandlerValue):
    """A random generator of NumPy; its methods are `Generator`'s, or with `is_legacy` those of `RandomState`."""

    __slots__ = ("is_legacy", "state")

    def __init__(self, is_legacy: bool = False, generator: Any = None) -> None:
        self.state: SeedState = SeedState(generator)
        methods = _methods(is_legacy, self.state)
        super().__init__("RandomState" if is_legacy else "Generator", _not_callable, (), methods)
        self.is_legacy: bool = is_legacy


def _not_callable(it: Interpreter, call: Call) -> Value:
    return it.fail(call.node, "array-call", "TypeError: a random generator is not callable")


@functools.cache
def _method_names(is_legacy: bool) -> tuple[str, ...]:
    import numpy as np

    cls = np.random.RandomState if is_legacy else np.random.Generator
    return tuple(name for name in dir(cls) if not name.startswith("_"))


def _methods(is_legacy: bool, state: SeedState) -> dict[str, Value]:
    def make(name: str) -> HandlerValue:
        def handle(it: Interpreter, call: Call) -> Value:
            return call_seeded(it, state, name, call, is_legacy)

        return HandlerValue(f"{'RandomState' if is_legacy else 'Generator'}.{name}", handle)

    return {name: make(name) for name in _method_names(is_legacy)}


def call_seeded(it: Interpreter, state: SeedState, name: str, call: Call, is_legacy: bool) -> Value:
    """Call a method of a generator: for real if its state and the arguments are known, else by shapes."""
    if name == "seed":
        state.seed(it, make_generator(True, call.args, call.kwargs))
        return None
    if state.state is not None:
        try:
            found = drawn(it, state, name, call.args, call.kwargs)
        except (NotConcrete, LookupError):
            pass
        except Exception as error:  # what is wrong with the call is said below
            swallow(error)
        else:
            return found
    state.lose(it)
    return call_random(it, name, call, is_legacy)


def call_random(it: Interpreter, name: str, call: Call, is_legacy: bool = True) -> Value:
    """Call a function of `np.random`, or a method of a generator."""
    for i, value in enumerate(call.args):
        if isinstance(value, UnionValue) and name != "shuffle":
            with it.quietly():
                return join_all(
                    call_random(it, name, call.with_args([*call.args[:i], v, *call.args[i + 1 :]]), is_legacy)
                    for v in value.values
                )
    note_drawn(it, name, call.args, call.kwargs)
    tracer = contains_traced(call.values)
    if tracer is not None and name != "shuffle":
        message = (
            f"{name} of np.random needs a value, but {tracer.aval} is a tracer, which has none yet; use jax.random"
        )
        return it.fail(call.node, "array-traced", message)
    try:
        maker = _MAKERS.get(name)
        if maker is not None:
            return maker(it, call.args, call.kwargs)
        found = draw(it, name, call.args, call.kwargs, is_legacy)
        return it.unknown(f"np.random: {name}") if found is MISSING else found
    except (Unknowable, NotPossible):
        return NumPyValue(None, dtype_drawn(name))
    except (Refused, ShapeError) as error:
        return it.fail(call.node, error.code, error.message)


def _spawn(it: Interpreter, args: list[Any], kwargs: dict[str, Any]) -> Value:
    try:
        count = concrete(args[0] if args else kwargs.get("n_children"))
    except NotConcrete:
        return ListValue(None, GeneratorValue())
    return ListValue([GeneratorValue() for _ in range(min(int(count), 4096))])


def _nothing(it: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return None


_BIT_GENERATORS: Final = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64", "SeedSequence")
_MAKERS: Final[dict[str, Callable[..., Any]]] = {
    "spawn": _spawn,
    "seed": _nothing,
    "set_state": _nothing,
    "bytes": lambda it, args, kwargs: ScalarValue(bytes),
    "default_rng": lambda it, args, kwargs: _default_rng(args, kwargs),
    "Generator": lambda it, args, kwargs: GeneratorValue(),
    "RandomState": lambda it, args, kwargs: GeneratorValue(True, make_generator(True, args, kwargs)),
    **{name: lambda it, args, kwargs, name=name: HandlerValue(name, _not_callable) for name in _BIT_GENERATORS},
}
"""What makes generators or changes their states, and draws no numbers that have a shape."""


def _default_rng(args: list[Value], kwargs: dict[str, Value]) -> Value:
    given = args[0] if args else kwargs.get("seed")
    return given if isinstance(given, GeneratorValue) else GeneratorValue(False, make_generator(False, args, kwargs))


def call_global(it: Interpreter, name: str, call: Call) -> Value:
    """Call a function of `np.random`: those that draw use one generator, which `np.random.seed` seeds."""
    if name in ("default_rng", "Generator", "RandomState", *_BIT_GENERATORS):
        return call_random(it, name, call)
    return call_seeded(it, _STATE.of(it), name, call, True)
