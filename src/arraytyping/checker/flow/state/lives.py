"""Arrays that can no longer be used: those whose buffers were donated, and tracers whose trace is over.

Source: https://docs.jax.dev/en/latest/buffer_donation.html and
https://docs.jax.dev/en/latest/errors.html#jax.errors.UnexpectedTracerError.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from arraytyping.checker.flow.state.interpreter import MISTAKE, Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import (
    SEVERAL_LIVES,
    ArrayValue,
    End,
    Life,
    MethodOf,
    Tracing,
    Unknown,
    Value,
    walk,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["begin_lives", "donate", "is_given_twice", "refuse", "refuse_call", "tracing"]

_READS: Final = frozenset({
    "shape", "ndim", "size", "zeros_like", "ones_like", "full_like", "empty_like", "result_type", "issubdtype",
    "iscomplexobj", "isrealobj", "isscalar", "eval_shape", "typeof", "device_put", "isdtype", "is_deleted", "delete",
    "addressable_data", "devices",
})  # fmt: skip
"""Functions and methods that ask for the type of an array alone, or may make another one of it."""
_ROOMS: Final = ("jax.numpy", "jax.lax", "jax._src.numpy", "jax._src.lax", "jax._src.nn", "jax._src.random", "numpy")
_BUILTINS: Final = frozenset({"float", "int", "bool", "complex", "abs", "sum", "max", "min", "round"})


_TOLD: Final[RunSlot[dict[Any, Any]]] = RunSlot("the ends of arrays that were told of, and where", dict)


def refuse(it: Interpreter, values: Iterable[Value], node: ast.AST | None) -> Unknown | None:
    """The mistake that one of these arrays is used that can be used no more; None if each can."""
    for value in values:
        if type(value) is ArrayValue and value.life is not None and (end := value.life.end) is not None:
            return _told(it, value, end, node)
    return None


def refuse_call(it: Interpreter, function: Value, call: Call) -> Unknown | None:
    """`refuse` of the arguments of a call that uses the elements of arrays."""
    if isinstance(function, MethodOf):
        if type(function.receiver) is ArrayValue and function.name not in _READS:
            return refuse(it, [function.receiver, *call.args], call.node)
        return None
    values = call.values
    if function is print or function is str or function is repr:  # a tracer can be shown
        return refuse(it, [v for v in values if type(v) is ArrayValue and _is_given_away(v)], call.node)
    for v in values:
        if type(v) is ArrayValue and v.life is not None and v.life.end is not None:
            return refuse(it, values, call.node) if _uses(function) else None
    return None


def _is_given_away(array: ArrayValue) -> bool:
    return array.life is not None and array.life.end is not None and array.life.end.is_donated


def _uses(function: Value) -> bool:
    """Whether a function of a library computes with the elements of its arguments."""
    name, module = getattr(function, "__name__", ""), str(getattr(function, "__module__", ""))
    if module == "builtins":
        return name in _BUILTINS
    return module.startswith(_ROOMS) and name not in _READS and not isinstance(function, type)


def _told(it: Interpreter, value: ArrayValue, end: End, node: ast.AST | None) -> Unknown:
    """The mistake at a use."""
    if not it.path_uncertain and not it.quiet:
        told = _TOLD.of(it).setdefault((end, None if end.is_donated else value.origin), node)
        if told is not node:
            return Unknown(MISTAKE)  # the program has ended there
    here = it.frame.module.shown
    where = f"line {end.line}" if end.path == here else f"{end.path}:{end.line}"
    if end.is_donated:
        return it.fail(
            node,
            "array-donated",
            f"RuntimeError: the array was given to {end.function} in {where}, which donates its buffer, and is used "
            f"again: use what {end.function} returned, or give it a copy",
        )
    path, line = value.origin or ("", 0)
    made = "" if not line else f" in line {line}" if path == here else f" in {path}:{line}"
    return it.fail(
        node,
        "array-leak",
        f"a tracer that was made{made}, while {end.function} was traced ({where}), is used after that: "
        f"let {end.function} return the value",
    )


@contextmanager
def tracing(it: Interpreter, function: str, node: ast.AST | None, how: Tracing | None = None) -> Iterator[Life]:
    """A function is traced here: the tracers that are made cannot be used behind it."""
    life = Life(how)
    before, it.life = it.life, life
    try:
        yield life
    finally:
        it.life = before
        if before is not None and before.frozen is not None:
            before.frozen += life.frozen or ()
        life.end = End(False, function, it.frame.module.shown, getattr(node, "lineno", 0))


def begin_lives(life: Life, arguments: tuple[Value, ...]) -> None:
    """The tracers among the arguments of a function that is traced live as long as the trace."""
    for leaf in walk(arguments):
        if type(leaf) is ArrayValue and leaf.traced:
            leaf.life = life


def donate(it: Interpreter, function: str, given: list[Value], result: Value, node: ast.AST | None) -> None:
    """The arrays in these arguments are donated, as far as there is a result of the same type that takes the buffer."""
    taken = Counter(_type_of(v) for v in walk(result) if type(v) is ArrayValue)
    for value in (v for argument in given for v in walk(argument)):
        if type(value) is not ArrayValue or value.traced or not value.is_full or not taken[_type_of(value)]:
            continue
        taken[_type_of(value)] -= 1
        if value.life is None:
            value.life = Life()
        if value.life is not SEVERAL_LIVES:
            it.journal.touch(value.life)
            value.life.end = End(True, function, it.frame.module.shown, getattr(node, "lineno", 0))


def is_given_twice(donated: list[Value], others: list[Value], result: Value) -> bool:
    """Whether one array is donated, where a result takes its buffer, and given a second time in the same call."""
    taken = {_type_of(v) for v in walk(result) if type(v) is ArrayValue}
    arrays = [v for a in donated for v in walk(a) if type(v) is ArrayValue and not v.traced and v.is_full]
    counts = Counter(map(id, arrays))
    rest = {id(v) for a in others for v in walk(a) if type(v) is ArrayValue}
    return any(
        _type_of(v) in taken and (counts[id(v)] > 1 or id(v) in rest) for v in arrays if v.life is not SEVERAL_LIVES
    )


def _type_of(array: ArrayValue) -> tuple[Value, ...]:
    return array.aval.shape, array.aval.dtype
