"""What a module of Flax gives when its parameters are made, outside of any `init` and `apply` of the program."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, Final

from arraytyping.checker.flow.engines.conversion import GIVES_A_PART, Abort, is_callable_value
from arraytyping.checker.flow.engines.probe_answers import agreed, is_no_part, without_shapes, without_sizes
from arraytyping.checker.flow.engines.together import Together
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.made_parameters import parameters_made
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    DictValue,
    ListValue,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
    mapped,
    walk,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.avals import ShapedArray

__all__ = ["initialized", "is_module", "is_module_class", "with_numbers"]

_NUMBERS: Final = (8, 16)
"""What is put in the place of sizes that jax, or the module, refuses as symbols."""
_RANKS: Final = (3, 2, 4, 1)
"""Those of arrays of unknown rank."""
_MOST: Final = 200
"""How often modules are asked with numbers in a run."""
_ASKED: Final[RunSlot[list[int]]] = RunSlot("how often modules were asked with numbers", lambda: [0])
_CONTAINERS: Final = (tuple, ListValue, DictValue, TreeValue)


def is_module(function: Value) -> bool:
    """Whether it is a module of Flax, which is called outside of any `init` and `apply`, since nothing calls it."""
    return is_module_class(type(function))


def is_module_class(cls: Value) -> bool:
    """Whether it is a class of modules of Flax."""
    return isinstance(cls, type) and any(base.__module__ == "flax.linen.module" for base in cls.__mro__)


def initialized(engines: Together, it: Interpreter, module: Any, method: str, call: Call) -> Value:
    """What a method of a module gives when its parameters are made, which are noted."""
    key = engines.jax.jax.random.PRNGKey

    def made(*args: Any, **kwargs: Any) -> Any:
        keys = {"params": key(0), "dropout": key(1)}
        return module.init_with_output(keys, *args, method=method, **kwargs)

    try:
        found = engines.objects.call(it, made, call)
    except Abort as abort:
        return Unknown(abort.why)
    if type(found) is not tuple or len(found) != 2:
        return Unknown("a module that is refused")
    result, variables = found
    if (noted := parameters_made(it)) is not None:
        noted.note(v for v in walk(variables) if not isinstance(v, DictValue | str))
    return result


def with_numbers(engines: Together, it: Interpreter, module: Any, method: str, call: Call) -> Value:
    """The dtypes and ranks of what a module gives, for numbers in the place of the sizes; MISSING if it refuses these.

    An array of unknown rank is one of a few, of which those are left out that are refused.
    """
    leaves = [v for value in call.values for v in walk(value)]
    if any(is_no_part(v) or is_callable_value(v) for v in leaves):
        return MISSING
    is_of_ranks = any(isinstance(v, ArrayValue) and v.aval.shape is None for v in leaves)
    found: list[Value] = []
    tried = [(rank, _NUMBERS[0]) for rank in _RANKS] if is_of_ranks else [(0, number) for number in _NUMBERS]
    asked = _ASKED.of(it)
    for rank, number in tried:
        if asked[0] >= _MOST:
            return MISSING
        asked[0] += 1
        try:
            made = _of_numbers(engines, module, number)
            given = [_sized(a, number, rank) for a in call.args]
            named = {k: _sized(v, number, rank) for k, v in call.kwargs.items()}
        except Exception as error:
            swallow(error)
            return MISSING
        with it.quietly():
            answer = initialized(engines, it, made, method, Call(given, named, call.node))
        if not any(isinstance(v, Unknown | UnionValue) for v in walk(answer)):
            found.append(answer)
        elif not is_of_ranks or (isinstance(answer, Unknown) and answer.why == GIVES_A_PART):
            return MISSING
    return functools.reduce(agreed, map(without_shapes if is_of_ranks else without_sizes, found)) if found else MISSING


def _sized(value: Value, number: int, rank: int) -> Value:
    """An argument with a number for each size that is not known.

    Raises:
        ValueError: if a dtype is not known.
    """
    if not isinstance(value, ArrayValue):
        return mapped(value, lambda v: _sized(v, number, rank)) if isinstance(value, _CONTAINERS) else value
    aval = value.aval
    if aval.dtype is None:
        raise ValueError("an array of unknown dtype")
    shape = (None,) * rank if aval.shape is None else aval.shape
    sizes = tuple(d if isinstance(d, int) else number for d in shape)
    return ArrayValue(ShapedArray(sizes, aval.dtype, bool(aval.weak_type)), value.traced)


def _of_numbers(engines: Together, module: Any, number: int) -> Any:
    """Such a module with a number for each size that it was given."""

    def change(value: Any) -> Any:
        if type(value) in (tuple, list):
            return type(value)(map(change, value))
        return number if engines.jax.is_symbolic(value) else value

    fields = {f.name: getattr(module, f.name) for f in dataclasses.fields(module) if f.init}
    return type(module)(**{k: change(v) for k, v in fields.items() if k not in ("parent", "name")})
