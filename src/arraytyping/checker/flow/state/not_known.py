"""Why the value of a tracer is not known, and what to do: which argument of which traced function it is.

Source: https://docs.jax.dev/en/latest/errors.html#jax.errors.ConcretizationTypeError.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    Argument,
    ArrayValue,
    BoundMethod,
    FunctionValue,
    JitValue,
    NumPyValue,
    PartialValue,
    ScalarValue,
    Tracing,
    Value,
    walk,
)
from arraytyping.checker.traced_sentences import OTHERWISE, names_shown, not_known_sentence, static_sentence

__all__ = ["arguments_given", "not_known", "static_advice", "traces"]


def traces(
    it: Interpreter, by: str, function: Value, arguments: tuple[Argument, ...] = (), has_static: bool = False
) -> Tracing:
    """The trace of a function by a transformation."""
    while isinstance(function, BoundMethod | PartialValue | JitValue):
        function = function.function
    name = str(getattr(function, "name", "the function"))
    if not isinstance(function, FunctionValue):
        return Tracing(by, name, it.frame.module.shown, 0, arguments, has_static)
    return Tracing(by, name, function.frame.module.shown, function.node.lineno, arguments, has_static)


def arguments_given(names: list[str], traced: list[Any], given: list[Value]) -> tuple[Argument, ...]:
    """The arguments of a function that is traced, by the names of its parameters."""
    return tuple(Argument(n, t, g, _is_hashable(g)) for n, t, g in zip(names, traced, given))


def _is_hashable(value: Value) -> bool:
    """Whether JAX would take this for a static argument."""
    if isinstance(value, tuple):
        return all(map(_is_hashable, value))
    if isinstance(value, NumPyValue):
        return value.is_scalar
    return value is None or isinstance(value, bool | int | float | complex | str | ScalarValue)


def not_known(it: Interpreter, arrays: list[ArrayValue], node: ast.AST | None, advice: str = "") -> str:
    """`the value of `n` is not known while `jit` traces `pad` (line 3): mark `n` static: ...`; of one of some tracers.

    `advice` is what to do where no argument can be static.
    """
    found = [_argument_of(array) for array in arrays]
    direct = {a.name: a for pair in found if pair is not None for a in (pair[0],)}
    if direct and all(pair is not None for pair in found):
        subject = f"the value of {names_shown(direct)}"
    else:
        types = dict.fromkeys(f"{a.aval.dtype}[{', '.join(map(str, a.aval.shape or ()))}]" for a in arrays)
        subject = f"a value of type {' or '.join(types)}" if types else "a value that is asked for"
    trace = next((pair[1] for pair in found if pair is not None), None) or _trace_of(it, arrays)
    if trace is None:
        return f"{subject} is not known while JAX traces; {advice or OTHERWISE}"
    where = ""
    if trace.line:
        own = trace.path == it.frame.module.shown
        where = f" (line {trace.line})" if own else f" ({trace.path}:{trace.line})"
    help_ = static_advice(it, arrays, node)
    return not_known_sentence(subject, trace.by, trace.function, where, help_ or advice or OTHERWISE)


def static_advice(it: Interpreter, arrays: list[ArrayValue], node: ast.AST | None) -> str | None:
    """Which arguments to mark as static, if the tracers are arguments that can be, or are computed of such."""
    found = [_argument_of(array) for array in arrays]
    pairs = [pair for pair in found if pair is not None]
    if len(pairs) < len(arrays) or not pairs:
        pairs = [pair for value in _named_in(it, node) if (pair := _argument_of(value)) is not None]
    arguments = {argument.name: argument for argument, _ in pairs}
    if not arguments or not all(a.is_hashable and a.name.isidentifier() for a in arguments.values()):
        return None
    trace = pairs[0][1]
    if trace.by != "jit" or any(other is not trace for _, other in pairs):
        return None
    return static_sentence(trace.function, list(arguments), trace.has_static)


def _argument_of(array: ArrayValue) -> tuple[Argument, Tracing] | None:
    """The argument that a tracer is, or a part of, of the outermost function that was given no tracer for it."""
    trace = array.life.tracing if array.life is not None else None
    if trace is None:
        return None
    for argument in trace.arguments:
        leaves = [v for v in walk(argument.traced) if type(v) is ArrayValue]
        for number, leaf in enumerate(leaves):
            if leaf is not array:
                continue
            given = [v for v in walk(argument.given) if type(v) is ArrayValue]
            if len(given) == len(leaves) and given[number].traced:
                return _argument_of(given[number]) or (argument, trace)
            return argument, trace
    return None


def _trace_of(it: Interpreter, arrays: list[ArrayValue]) -> Tracing | None:
    """The trace that tracers belong to, or else the one that is under way."""
    lives = [*(array.life for array in arrays), it.life]
    return next((life.tracing for life in lives if life is not None and life.tracing is not None), None)


def _named_in(it: Interpreter, node: ast.AST | None) -> Iterator[ArrayValue]:
    """The tracers of rank 0 that are variables in an expression."""
    for part in ast.walk(node) if node is not None else ():
        if isinstance(part, ast.Name):
            value = it.frame.find(part.id)
            if type(value) is ArrayValue and value.traced and value.aval.shape == ():
                yield value
