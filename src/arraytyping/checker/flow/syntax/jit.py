"""`jax.jit`: what becomes of arguments and results, and which call traces the function anew.

As in JAX, a function is traced once for each combination of abstract arguments and static values, and its effects
happen then only.

Source: https://docs.jax.dev/en/latest/jit-compilation.html.
"""

from __future__ import annotations

import ast
import inspect
from typing import Any, Final

from arraytyping.checker.array_sentences import unhashable_sentence
from arraytyping.checker.flow.engines.signatures import signature_of
from arraytyping.checker.flow.state.compilations import note_call
from arraytyping.checker.flow.state.frozen import note_counts, tell_frozen
from arraytyping.checker.flow.state.identity import identity, names_read
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.key_effects import KeyArguments
from arraytyping.checker.flow.state.lives import begin_lives, donate, is_given_twice, refuse, tracing
from arraytyping.checker.flow.state.not_known import arguments_given, traces
from arraytyping.checker.flow.state.object_reads import read_by
from arraytyping.checker.flow.state.signatures import Signature, signature
from arraytyping.checker.flow.syntax.kept_answers import kept_answer, key_of_answer, made_again
from arraytyping.checker.flow.syntax.metadata_arrays import refuse_metadata
from arraytyping.checker.flow.syntax.static_arguments import are_told, constants, parameters_of, static_positions
from arraytyping.checker.flow.syntax.traced_arguments import as_traced, map_arrays, to_array
from arraytyping.checker.flow.values import (
    ArrayValue,
    BoundMethod,
    ClassValue,
    DictValue,
    FunctionValue,
    HandlerValue,
    JitValue,
    LazyName,
    ListValue,
    NumPyValue,
    PartialValue,
    SetValue,
    Tracing,
    Value,
    has_objects_as_keys,
    is_traced,
    walk,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.semantics.avals import ShapedArray

__all__ = ["call_jitted", "call_staged", "lower_mapped", "stage"]

_AHEAD_OF_TIME: Final = {"lower": "Lowered", "trace": "Traced"}


def call_jitted(it: Interpreter, jitted: JitValue, call: Call) -> Value:
    """Call a jitted function, and give it the arrays that it donates."""
    leaves = [v for v in walk(tuple(call.values)) if type(v) is ArrayValue]
    if (refused := refuse(it, leaves, call.node)) is not None:
        return refused
    result = _call_jitted(it, jitted, call)
    donation = {
        f"static_{name}": jitted.options[f"donate_{name}"] for name in _DONATIONS if f"donate_{name}" in jitted.options
    }
    if donation and not it.staged and not any(v.traced for v in leaves):
        return _donate(it, jitted, donation, call, result)
    return result


_DONATIONS: Final = ("argnums", "argnames")


def _donate(it: Interpreter, jitted: JitValue, donation: dict[str, Value], call: Call, result: Value) -> Value:
    """The result of a call that donates arrays: those that the function never looks at stay."""
    numbers, names = static_positions(jitted.function, donation, len(call.args)) or (set(), set())
    places = parameters_of(jitted.function)
    read = names_read(jitted.function.node) if isinstance(jitted.function, FunctionValue) else None

    def is_donated(i: int) -> bool:
        return i in numbers and (read is None or i >= len(places) or places[i] in read)

    given = [a for i, a in enumerate(call.args) if is_donated(i)] + [v for k, v in call.kwargs.items() if k in names]
    rest = [a for i, a in enumerate(call.args) if i not in numbers] + [
        v for k, v in call.kwargs.items() if k not in names
    ]
    label = _label(jitted)
    if is_given_twice(given, rest, result):
        return it.fail(
            call.node,
            "array-donated",
            f"ValueError: {label} is given one array twice, and donates its buffer: give it a copy, jnp.copy(x), or "
            "donate neither",
        )
    donate(it, label, given, result, call.node)
    return result


def _as_read(jitted: JitValue, value: Value, name: str) -> Value:
    """What a function reads of a static argument: JAX knows an object by its address, whatever is changed in it."""
    function = jitted.function
    return read_by(function.node, name, value) if isinstance(function, FunctionValue) else value


def _label(jitted: JitValue) -> str:
    """How a jitted function is called in a message."""
    function = jitted.function
    while isinstance(function, BoundMethod | PartialValue | JitValue):
        function = function.function
    return str(getattr(function, "name", "function"))


def _call_jitted(it: Interpreter, jitted: JitValue, call: Call) -> Value:
    static = static_positions(jitted.function, jitted.options, len(call.args))
    if static is None and (call.args or not are_told(jitted.options)):
        it.engines.havoc(it, [jitted.function, *call.values])
        return it.unknown("a jitted function of which the static arguments are not known")
    numbers, names = static or (set(), set(constants(jitted.options.get("static_argnames"), str)))
    label = _label(jitted)
    outside = it.staged > 0 or any(map(is_traced, call.values))

    def argument(value: Value, is_static: bool, what: str) -> Value:
        if not is_static:
            return as_traced(it, value, what, call.node)
        if isinstance(value, ListValue | DictValue | SetValue | ArrayValue) or (
            isinstance(value, NumPyValue) and value.is_array
        ):
            kind = "an array" if isinstance(value, ArrayValue | NumPyValue) else f"a {value.kind.__name__}"
            if isinstance(value, ArrayValue) and value.traced:
                kind = "a tracer"
            return it.fail(call.node, "array-call", unhashable_sentence(what, kind))
        return value

    traced_args = [argument(a, i in numbers, f"argument {i} of {label}") for i, a in enumerate(call.args)]
    traced_kwargs = {k: argument(v, k in names, f"argument {k!r} of {label}") for k, v in call.kwargs.items()}
    places = parameters_of(jitted.function) if numbers else []
    key = (
        tuple(
            identity(_as_read(jitted, a, places[i]) if i in numbers and i < len(places) else a)
            for i, a in enumerate(traced_args)
        ),
        tuple((k, identity(_as_read(jitted, v, k) if k in names else v)) for k, v in traced_kwargs.items()),
        it.engines.jax.configuration(),
        outside,
    )
    if jitted.compiles and (refused := refuse_metadata(it, jitted, key, call.values, label, call.node)):
        return refused
    is_live = it.engines.is_live
    keys = KeyArguments(it, [*traced_args, *traced_kwargs.values()])
    note_call(it, jitted, key, lambda: _signature(jitted, traced_args, traced_kwargs, numbers, names), call.node)
    if not is_live and (kept := kept_answer(it, jitted.answers, key)) is not None:
        answer, effects, frozen = kept
        keys.again(effects)
        tell_frozen(it, label, frozen)
        return map_arrays(
            it, it.engines.copy(answer, keys, effects), lambda leaf: made_again(it, leaf, call.node), call.node
        )
    suppressed, failures = it.suppressed, it.failures
    mark = it.journal.mark
    it.staged += 1
    sizes = it.engines.unknown_sizes
    try:
        with (
            sizes.within(),
            tracing(
                it, label, call.node, _trace(it, jitted, traced_args, traced_kwargs, call.args, call.kwargs, static)
            ) as life,
        ):
            traced_args = [a if i in numbers else _with_sizes(it, a) for i, a in enumerate(traced_args)]
            traced_kwargs = {k: v if k in names else _with_sizes(it, v) for k, v in traced_kwargs.items()}
            # Not the static ones: what they hold of an outer trace lives as long as that one.
            begin_lives(life, tuple(a for i, a in enumerate(traced_args) if i not in numbers))
            begin_lives(life, tuple(v for k, v in traced_kwargs.items() if k not in names))
            note_counts(it, life, jitted.function)
            result = sizes.forget(it.call(jitted.function, traced_args, traced_kwargs, call.node))
    finally:
        it.staged -= 1
    result = map_arrays(it, result, lambda leaf: _output(it, leaf, outside, label, call.node), call.node)
    if it.suppressed == suppressed and not is_live and not has_objects_as_keys(result):
        at = key_of_answer(it, key, it.failures > failures)
        jitted.answers[at] = (*it.engines.keep(result, keys, mark), life.frozen)
    return result


def _with_sizes(it: Interpreter, value: Value) -> Value:
    """An argument of a function that is traced, each unknown size in it with a name."""
    if not any(isinstance(v, ArrayValue) and None in (v.aval.shape or ()) for v in walk(value)):
        return value
    return map_arrays(it, value, lambda leaf: it.engines.unknown_sizes.tracer(it, leaf))


_POSITIONAL: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _trace(
    it: Interpreter, jitted: JitValue, traced_args: list[Value], traced_kwargs: dict[str, Value], args: list[Value],
    kwargs: dict[str, Value], static: Any,
) -> Tracing:  # fmt: skip
    """The trace of a jitted function, with the arguments of this call."""
    names = [*_called(jitted, args), *traced_kwargs]
    arguments = arguments_given(names, [*traced_args, *traced_kwargs.values()], [*args, *kwargs.values()])
    has_static = static is None or any(static)
    return traces(it, "jit" if jitted.compiles else "checkpoint", jitted, arguments, has_static)


def _called(jitted: JitValue, args: list[Value]) -> list[str]:
    """How the positional arguments of a call are called, as far as known."""
    taken = signature_of(jitted.function)
    parameters = [] if taken is None else [p for p in taken.parameters.values() if p.kind in _POSITIONAL]
    return [parameters[i].name if i < len(parameters) else f"argument {i}" for i in range(len(args))]


def _signature(
    jitted: JitValue, args: list[Value], kwargs: dict[str, Value], numbers: set[int], names: set[str]
) -> Signature:
    """What a call is compiled for, by the names of the parameters."""
    given = [(name, value, i in numbers) for i, (name, value) in enumerate(zip(_called(jitted, args), args))]
    return signature([*given, *((name, value, name in names) for name, value in kwargs.items())])


def _output(it: Interpreter, leaf: Value, traced: bool, label: str, node: ast.AST | None) -> Value:
    array = to_array(it, leaf, node)
    if isinstance(array, ArrayValue):
        output = array.as_traced(traced)
        output.life = it.life if traced else None
        return output
    if isinstance(leaf, str | FunctionValue | ClassValue | JitValue | BoundMethod):
        kind = "a string" if isinstance(leaf, str) else "a function or class"
        return it.fail(node, "array-call", f"TypeError: {label} is jitted and returns {kind}, which is no array")
    return leaf


def stage(it: Interpreter, function: JitValue, call: Call) -> Value:
    """What a jitted function would give for these arguments, some of which only tell their shape and dtype."""
    struct = it.engines.jax.ShapeDtypeStruct

    def change(leaf: Value) -> Value:
        if type(leaf) is ArrayValue and not leaf.traced:
            return leaf.another()  # of which only the type is looked at: it may have been donated, and it is not here
        if not isinstance(leaf, struct):
            return leaf
        if not all(isinstance(d, int) for d in leaf.shape):
            return it.unknown("an abstract array of symbolic sizes")
        dtype = it.engines.jax.dtype_name(leaf.dtype)
        return ArrayValue(ShapedArray(tuple(leaf.shape), dtype, bool(getattr(leaf, "weak_type", False))), True)

    given = [map_arrays(it, a, change, call.node) for a in call.args]
    named = {k: map_arrays(it, v, change, call.node) for k, v in call.kwargs.items()}
    return it.call(function, given, named, call.node)


def call_staged(it: Interpreter, function: JitValue, name: str, call: Call) -> Value:
    """`lower`, `trace` and `eval_shape` of a jitted function trace it; what the first two give can be compiled."""
    if name not in (*_AHEAD_OF_TIME, "eval_shape"):
        it.engines.havoc(it, [function, *call.values])
        return it.unknown(f"{name} of a function under jit")
    result = stage(it, function, call)
    static = static_positions(function.function, function.options, len(call.args))
    if name == "eval_shape":
        return map_arrays(it, result, lambda leaf: _struct(it, leaf), call.node)
    if static is None or static[1] & call.kwargs.keys():
        return it.unknown("a function that is compiled for static arguments of which it is not known which those are")
    return _ahead_of_time(it, function, name, call, sorted(static[0]))


def _ahead_of_time(it: Interpreter, function: Value, name: str, call: Call, static: list[int]) -> Value:
    given: list[Value] = [n for n in static if n < len(call.args)]
    made = it.importer.resolve(it, LazyName("ahead_of_time", _AHEAD_OF_TIME[name]))
    return it.call(made, [function, ListValue(list(call.args)), ListValue(given)], {}, call.node)


def lower_mapped(it: Interpreter, function: HandlerValue, call: Call) -> Value:
    """`lower` of what `pmap` gives, which follows the function as a call does."""
    *_, options = function.identity
    numbers = dict(options).get("static_broadcasted_argnums", ())
    static: list[Any] = [numbers] if type(numbers) is int else list(numbers) if isinstance(numbers, tuple) else [None]
    it.call(function, list(call.args), dict(call.kwargs), call.node)
    if not all(type(n) is int and n >= 0 for n in static):
        return it.unknown("a function that is compiled for static arguments of which it is not known which those are")
    return _ahead_of_time(it, function, "lower", call, sorted(static))


def _struct(it: Interpreter, leaf: Value) -> Value:
    """The shape and dtype of an array, as an object of jax; unknown if a part is not known."""
    if type(leaf) is not ArrayValue:
        return leaf
    aval = leaf.aval
    is_known = aval.shape is not None and aval.dtype is not None and aval.weak_type is not None
    if not is_known or not all(isinstance(d, int) for d in aval.shape or ()):
        return it.unknown("an abstract array of which a part is not known")
    jax = it.engines.jax
    return jax.struct(aval.shape, jax.dtype(aval.dtype), aval.weak_type)
