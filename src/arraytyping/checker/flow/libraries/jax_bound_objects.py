"""Arguments of a transformed function that are no arrays: objects that it neither maps nor differentiates.

jax hands them on as they are, as `self` in `@partial(jax.vmap, in_axes=(None, 0))` above a method.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.vmap.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import HandlerValue, InstanceValue, ListValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__ = ["bind_objects", "differentiated", "mapped_axes"]

Transformed = tuple[Any, list[Any], dict[str, Any], list[Any]]


def bind_objects(
    it: Interpreter, name: str, function: Value, rest: list[Value], options: dict[str, Value], args: list[Value]
) -> Transformed:
    """The function with such arguments bound, and the options and arguments that are left for the transformation."""
    option = "in_axes" if name in ("vmap", "pmap") else "argnums"
    given = _as_tuple(options.get(option, rest[0] if rest else 0))
    if option == "in_axes":
        axes = mapped_axes(given, len(args))
        objects = {i for i, (a, axis) in enumerate(zip(args, axes)) if axis is None and _is_object(it, a)}
    else:
        numbers = given if isinstance(given, tuple) else (given,)
        if not all(type(n) is int and n >= 0 for n in numbers):
            return function, rest, options, args
        objects = {i for i, a in enumerate(args) if i not in numbers and _is_object(it, a)}
    if not objects or len(objects) == len(args):
        return function, rest, options, args
    left = [a for i, a in enumerate(args) if i not in objects]
    if option == "in_axes":
        changed: Value = tuple(axis for i, axis in enumerate(axes) if i not in objects)
    else:
        moved = tuple(n - sum(o < n for o in objects) for n in numbers)
        changed = moved if isinstance(given, tuple) else moved[0]
    if option in options or not rest:
        options = {**options, option: changed}
    else:
        rest = [changed, *rest[1:]]
    return _binding(function, {i: args[i] for i in objects}), rest, options, left


def differentiated(rest: list[Value], options: dict[str, Value]) -> set[int]:
    """The positions of the arguments of a gradient's function that are tracers in it, as far as they are known."""
    given = options.get("argnums", rest[0] if rest else 0)
    return {n for n in (given if isinstance(given, tuple) else (given,)) if type(n) is int and n >= 0}


def _as_tuple(given: Value) -> Value:
    """An option that may be given as a list."""
    return tuple(given.items) if isinstance(given, ListValue) and given.items is not None else given


def mapped_axes(in_axes: Value, count: int) -> list[Value]:
    """The axes along which so many arguments are mapped; of one that is mapped along several it is no number."""
    given = _as_tuple(in_axes)
    return [*given] if isinstance(given, tuple) and len(given) == count else [given] * count


def _is_object(it: Interpreter, value: Value) -> bool:
    return isinstance(value, str) or (isinstance(value, InstanceValue) and not it.engines.pytrees.is_tree(value))


def _binding(function: Value, bound: dict[int, Value]) -> HandlerValue:
    """The function with arguments bound at their positions."""

    def called(it: Interpreter, call: Call) -> Value:
        given = list(call.args)
        for position in sorted(bound):
            given.insert(position, bound[position])
        return it.call(function, given, call.kwargs, call.node)

    return HandlerValue(getattr(function, "name", "function"), called, (function,), tuple(bound.items()))
