"""Haiku: modules of the program are real modules of Haiku, whose methods call back, and so do transformed functions.

What is transformed draws from the key that `init` and `apply` are given if its sequence of keys is another one after.

Source: https://dm-haiku.readthedocs.io/en/latest/api.html.
"""

from __future__ import annotations

import ast
import functools
import importlib
import sys
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.adapters.real_classes import make_real
from arraytyping.checker.flow.engines.invented_calls import within
from arraytyping.checker.flow.libraries.registry import Handler, handles, handles_family
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.keys import consume, new_key
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import (
    MISSING,
    ClassValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    Unknown,
    Value,
    is_concrete,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow

__all__: list[str] = []

Kwargs = dict[str, Any]
Node = ast.AST | None


@handles_family("haiku.Module")
def _module(it: Interpreter, cls: ClassValue, base: Value, keywords: Kwargs, node: Node) -> Value:
    return make_real(it, cls, keywords, node, _module)


# ---------------------------------------------------------------------- functions that nothing transforms


@within
def _in_transform(it: Interpreter, function: FunctionValue, run: Callable[[], None]) -> bool:
    """Call a function of a module that speaks of Haiku as `init` would, where nothing else does."""
    haiku = sys.modules.get("haiku")
    if haiku is None or it.engines.jax is None or not _speaks_of_haiku(function) or _is_transforming(haiku):
        return False

    def called() -> None:
        _UNTRANSFORMED.put(it, True)
        try:
            run()
        finally:
            _UNTRANSFORMED.put(it, False)

    with it.engines.objects.inside():
        try:
            haiku.transform_with_state(called).init(importlib.import_module("numpy").zeros(2, "uint32"))
        except Exception as error:  # Haiku finds at the end that what was not followed has not been done
            swallow(error)
    return True


_UNTRANSFORMED: Final[RunSlot[bool]] = RunSlot("whether a function is followed that nothing transforms", bool)


def _is_transforming(haiku: Any) -> bool:
    try:
        haiku.running_init()
    except ValueError:
        return False
    return True


def _speaks_of_haiku(function: FunctionValue) -> bool:
    return _imports_haiku(function.frame.module.tree)


@functools.lru_cache(maxsize=512)
def _imports_haiku(tree: ast.Module) -> bool:
    return any(
        isinstance(node, ast.Import) and any(alias.name.partition(".")[0] == "haiku" for alias in node.names)
        for node in ast.walk(tree)
    )


def _keys(name: str) -> Handler:
    """A handler of what gives keys, of which kind those say who transform the function."""

    def handle(it: Interpreter, call: Call) -> Value:
        if _UNTRANSFORMED.of(it):
            return it.unknown("a key of a function that nothing transforms")
        return it.engines.call(it, getattr(importlib.import_module("haiku"), name), call)

    return handle


for _of_keys in ("maybe_next_rng_key", "next_rng_key", "next_rng_keys"):
    handles(f"haiku.{_of_keys}")(_keys(_of_keys))


@handles("haiku.get_parameter")
def _parameter(it: Interpreter, call: Call) -> Value:
    """A parameter; as `init` makes it of a shape that is not known in numbers."""
    given = call.named("name", "shape", "dtype", "init")
    if _UNTRANSFORMED.of(it) and isinstance(given.get("shape"), tuple) and not is_concrete(given["shape"]):
        numpy = it.engines.jax.jax.numpy
        return it.call(numpy.zeros, [given["shape"], given.get("dtype", numpy.float32)], {}, call.node)
    return it.engines.call(it, importlib.import_module("haiku").get_parameter, call)


# ---------------------------------------------------------------------- transformed functions


class _Sequence:
    """Whether the function that is under way has drawn from the keys of Haiku."""

    def __init__(self, function: FunctionValue) -> None:
        self.function: FunctionValue = function
        self.drawn: list[bool] = []

    def call(self, it: Interpreter, function: Value, call: Call) -> Value:
        """Call the function of the program that is transformed."""
        before = _state()
        result = it.call(function, *call)
        if self.drawn and _differs(before, _state()):
            self.drawn[-1] = True
        return result


def _state() -> Value:
    return importlib.import_module("haiku").maybe_get_rng_sequence_state()


def _differs(before: Any, after: Any) -> bool:
    if before is None or after is None:
        return False
    return before[0] is not after[0] or len(before[1]) != len(after[1])


class _Drawing(HandlerValue):
    """`init` or `apply` of Haiku, which draws from the key that it is given if the function does."""

    __slots__ = ("key_at", "real", "sequence")

    def __init__(self, sequence: _Sequence, name: str, real: Any, key_at: int | None) -> None:
        super().__init__(name, self._call, (), (name, id(sequence)))
        self.sequence: _Sequence = sequence
        self.real: Any = real
        self.key_at: int | None = key_at

    def _call(self, it: Interpreter, call: Call) -> Value:
        self.sequence.drawn.append(False)
        try:
            result = it.engines.call(it, self.real, call)
            if isinstance(result, Unknown):  # it is called, with what is not known
                it.engines.havoc(it, [self.sequence.function])
            return result
        finally:
            if self.sequence.drawn.pop() and self.key_at is not None:
                key = call.args[self.key_at] if len(call.args) > self.key_at else call.kwargs.get("rng", MISSING)
                consume(it, key, self.name)


def _watching(made: Any, sequence: _Sequence, function: str, key_at: int) -> Value:
    """What Haiku has made of a function, with `init` and `apply` that draw; `apply` has its key at a place."""
    if isinstance(made, Unknown) or not hasattr(made, "_replace"):
        return made
    return made._replace(
        init=_Drawing(sequence, f"{function}.init", made.init, 0),
        apply=_Drawing(sequence, f"{function}.apply", made.apply, key_at or None),
    )


def _transform(name: str, key_at: int) -> Handler:
    """A handler of a function that makes `init` and `apply` of a function of the program."""

    def handle(it: Interpreter, call: Call) -> Value:
        real = getattr(importlib.import_module("haiku"), name)
        function = call.argument(0, "f", MISSING)
        if not isinstance(function, FunctionValue):
            return it.engines.call(it, real, call)
        sequence = _Sequence(function)
        watched = HandlerValue(function.name, lambda i, call: sequence.call(i, function, call), (function,))
        rest = {k: v for k, v in call.kwargs.items() if k != "f"}
        made = it.engines.call(it, real, Call([watched, *call.args[1:]], rest, call.node))
        return _watching(made, sequence, function.name, key_at)

    return handle


def _changed(name: str, key_at: int) -> Handler:
    """A handler of a function that gives transformed functions another signature."""

    def handle(it: Interpreter, call: Call) -> Value:
        real = getattr(importlib.import_module("haiku"), name)
        made: Any = call.argument(0, "f", MISSING)
        init, apply = getattr(made, "init", None), getattr(made, "apply", None)
        if not isinstance(init, _Drawing):
            return it.engines.call(it, real, call)
        plain = made._replace(init=init.real, apply=apply.real if isinstance(apply, _Drawing) else apply)
        changed = it.engines.call(it, real, Call([plain], {}, call.node))
        return _watching(changed, init.sequence, init.name.rpartition(".")[0], key_at)

    return handle


handles("haiku.transform")(_transform("transform", 1))
handles("haiku.transform_with_state")(_transform("transform_with_state", 2))
handles("haiku.without_apply_rng")(_changed("without_apply_rng", 0))
handles("haiku.without_state")(_changed("without_state", 1))
handles("haiku.with_empty_state")(_changed("with_empty_state", 2))


@handles("haiku.dropout")
def _dropout(it: Interpreter, call: Call) -> Value:
    names = ("rng", "rate", "x", "broadcast_dims")
    given: dict[str, Any] = call.named(*names)
    result = it.engines.call(it, importlib.import_module("haiku").dropout, call)
    if type(given.get("rate")) is float and given["rate"] > 0:
        consume(it, given.get("rng", MISSING), "hk.dropout")
    return result


# ---------------------------------------------------------------------- sequences of keys


@handles("haiku.PRNGSequence")
def _sequence(it: Interpreter, call: Call) -> Value:
    """A sequence of keys, which splits the one that it has for each that it gives."""
    given = call.argument(0, "key_or_seed", MISSING)
    if given is MISSING or isinstance(given, tuple):
        return it.unknown("a sequence of keys with a state")
    random = it.engines.jax.jax.random
    key = it.call(random.PRNGKey, [given], {}, call.node) if type(given) is int else given
    return InstanceValue(_SEQUENCE, {"key": key})


def _split(it: Interpreter, call: Call) -> Value:
    """The next key."""
    sequence: Any = call.args[0]
    key = sequence.attributes["key"]
    consume(it, key, "hk.PRNGSequence")
    made = it.engines.call(it, it.engines.jax.jax.random.clone, Call([key], {}, call.node))
    it.journal.touch(sequence)
    sequence.attributes["key"] = new_key(it, made)
    return new_key(it, made.another() if hasattr(made, "another") else made)


def _take(it: Interpreter, call: Call) -> Value:
    """As many keys as are asked for."""
    number = call.argument(1, "num")
    if type(number) is not int or number > _MOST:
        return it.unknown("a number of keys that is not known")
    return tuple(_split(it, Call(call.args[:1], {}, call.node)) for _ in range(number))


_MOST: Final = 256
_SEQUENCE: Final = ClassValue("PRNGSequence", (), {}, None)
for _name, _method in {
    "__next__": _split,
    "next": _split,
    "__iter__": lambda it, call: call.args[0],
    "take": _take,
    "reserve": lambda it, call: None,
}.items():
    _SEQUENCE.namespace[_name] = HandlerValue(_name, _method, (_SEQUENCE,), _name)
