"""Functions and methods of the program that nothing calls: they are followed with arguments of which nothing is known.

So are those that are defined in them and that nothing calls there: whoever gets them, calls them.
"""

from __future__ import annotations

import ast
import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from arraytyping.checker.flow.engines.any_subclass import any_subclass
from arraytyping.checker.flow.engines.havoc import call_with_anything
from arraytyping.checker.flow.engines.unmade import unmade_instance
from arraytyping.checker.flow.state.definitions import Definitions
from arraytyping.checker.flow.state.identity import names_read
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.told_uses import OF_FUNCTION, OF_METHOD
from arraytyping.checker.flow.state.whoever import is_of_tests
from arraytyping.checker.flow.values import (
    BoundMethod,
    ClassValue,
    Descriptor,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    JitValue,
    PartialValue,
    Value,
)
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["follow_unreached", "functions_in", "is_settled"]

_MOST_INNER: Final = 64
"""How many functions that are defined in one are followed."""


def follow_unreached(it: Interpreter, value: Value, is_unreached: Callable[[FunctionValue], bool]) -> None:
    """Follow a function, or the methods of a class, that nothing calls: with arguments of which nothing is known."""
    if isinstance(value, ClassValue):

        def make(maker: FunctionValue, made: InstanceValue, keep: Callable[[dict[str, Any]], None]) -> bool:
            return is_unreached(maker) and _follow(it, maker, [made], OF_METHOD, lambda: keep(made.attributes))

        anything = unmade_instance(it, value, make)
        for held in list(value.namespace.values()):
            bound: list[Value] = [] if isinstance(held, Descriptor) and held.kind == "staticmethod" else [anything]
            if isinstance(held, Descriptor) and held.kind == "classmethod":
                bound = [any_subclass(it, value)]
            for function in functions_in(held):
                if is_unreached(function):
                    _follow(it, function, bound, OF_METHOD)
    else:
        for function in functions_in(value):
            if is_unreached(function):
                _follow(it, function, [], OF_FUNCTION)


def functions_in(value: Value) -> Iterator[FunctionValue]:
    """The functions of the program that a value is made of by decorators and transformations."""
    if isinstance(value, FunctionValue):
        yield value
    elif isinstance(value, JitValue | Descriptor | BoundMethod | PartialValue):
        yield from functions_in(value.function)
    elif isinstance(value, HandlerValue):
        for wrapped in value.wraps:
            yield from functions_in(wrapped)


def _follow(
    it: Interpreter, function: FunctionValue, bound: list[Value], why: str, once: Callable[[], None] | None = None
) -> bool:
    """Follow a function, and then what was defined meanwhile and not called; whether it came to its end."""
    before, it.definitions = it.definitions, Definitions()
    try:
        is_told = not is_of_tests(function.frame.module.path)
        has_ended = call_with_anything(it, function, bound, {}, why, once, is_told)
        for _ in range(_MOST_INNER):
            inner = it.definitions.take() if has_ended else None
            if inner is None:
                break
            if isinstance(inner, ClassValue):
                follow_unreached(it, inner, lambda method: not is_settled(method))
            elif is_settled(inner):
                call_with_anything(it, inner, [], {}, OF_FUNCTION, None, is_told)
        return has_ended
    finally:
        it.definitions = before


def is_settled(function: FunctionValue) -> bool:
    """Whether what a function reads of those around it is bound there once, so that it is the same at each call."""
    read = set(names_read(function.node)) - _bindings(function.node).keys()
    frame: Frame | None = function.frame
    while frame is not None and frame.kind != "module":
        if frame.function is not None:
            times = _bindings(frame.function.node)
            if any(times.get(name, 0) > 1 for name in read):
                return False
        frame = frame.parent
    return True


@functools.lru_cache(maxsize=2048)
def _bindings(node: ast.AST) -> Mapping[str, int]:
    """How often the names of a function are bound in it; in a loop, or by a function in it, twice."""
    found: Counter[str] = Counter()
    waiting: list[tuple[ast.AST, int]] = [(child, 1) for child in ast.iter_child_nodes(node)]
    while waiting:
        n, times = waiting.pop()
        found.update(dict.fromkeys(_bound_by(n), times))
        if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            for inner in ast.walk(n):
                if isinstance(inner, ast.Nonlocal | ast.NamedExpr):
                    found.update(dict.fromkeys(_bound_by(inner), 2))
            continue
        times = 2 if isinstance(n, ast.For | ast.AsyncFor | ast.While) else times
        waiting += ((child, times) for child in ast.iter_child_nodes(n))
    for n in getattr(node, "body", ()) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else ():
        for name in n.names if isinstance(n, ast.Nonlocal | ast.Global) else ():
            found.pop(name, None)  # it is of a function around
    return found


def _bound_by(n: ast.AST) -> Iterable[str]:
    """The names that one node binds."""
    if isinstance(n, ast.arg):
        return (n.arg,)
    if isinstance(n, ast.Name):
        return () if isinstance(n.ctx, ast.Load) else (n.id,)
    if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return (n.name,)
    if isinstance(n, ast.alias):
        return (n.asname or n.name.partition(".")[0],)
    if isinstance(n, ast.Nonlocal):
        return n.names
    if isinstance(n, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and n.name:
        return (n.name,)
    return (n.target.id,) if isinstance(n, ast.NamedExpr) else ()
