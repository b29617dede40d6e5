"""Which arguments of a jitted function are static, by `static_argnums`, `static_argnames` and the signature."""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.engines.signatures import signature_of
from arraytyping.checker.flow.values import BaseValue, ListValue, SetValue, Value

__all__ = ["are_told", "constants", "is_told", "parameters_of", "static_positions"]


def static_positions(function: Value, options: dict[str, Value], count: int) -> tuple[set[int], set[str]] | None:
    """The positions and the names of the static arguments; None if jax infers them from what is not known.

    Where numbers or names are given, and not both, JAX infers the others from the signature.  A negative number counts
    from the last of the arguments that the call passes by position, of which there are `count`, and has no name.
    """
    if not are_told(options):
        return None
    numbers = set(constants(options.get("static_argnums"), int))
    names = set(constants(options.get("static_argnames"), str))
    if not numbers and not names:
        return numbers, names
    signature = signature_of(function)
    if signature is None:
        return None if names else ({n + count if n < 0 else n for n in numbers}, names)
    parameters = list(signature.parameters.values())
    places = [p.name if p.kind is p.POSITIONAL_OR_KEYWORD else None for p in parameters]
    if options.get("static_argnames") is None:
        names = {name for n in numbers if 0 <= n < len(places) and (name := places[n]) is not None}
    elif options.get("static_argnums") is None:
        numbers = {i for i, name in enumerate(places) if name in names}
    return {n + count if n < 0 else n for n in numbers}, names


def are_told(options: dict[str, Value]) -> bool:
    """Whether it is known of each option which arguments it lists."""
    return all(is_told(options.get(name)) for name in ("static_argnums", "static_argnames"))


def is_told(value: Value) -> bool:
    """Whether it is known which arguments an option lists."""
    if isinstance(value, ListValue | SetValue):
        return value.items is not None and not any(isinstance(item, BaseValue) for item in value.items)
    return not any(isinstance(item, BaseValue) for item in (value if isinstance(value, tuple) else (value,)))


def constants(value: Value, kind: type) -> list[Any]:
    """The constants of one type that an option such as `static_argnums` lists: a single one, or several."""
    if isinstance(value, tuple):
        items = list(value)
    else:
        items = list(value.items or ()) if isinstance(value, ListValue | SetValue) else [value]
    return [i for i in items if isinstance(i, kind) and not isinstance(i, bool)]


def parameters_of(function: Value) -> list[str]:
    """The names of the parameters of a function of the program that take positional arguments, as far as known."""
    signature = signature_of(function)
    return [] if signature is None else [p.name for p in signature.parameters.values()]
