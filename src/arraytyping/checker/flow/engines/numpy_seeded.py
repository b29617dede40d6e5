"""Random numbers of NumPy's generators with a known seed, which are known too, see `seeds`."""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.engines.numpy_values import NotConcrete, concrete, describe
from arraytyping.checker.flow.engines.numpy_views import forget
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.seeds import LARGEST, SeedState
from arraytyping.checker.flow.values import ListValue, NumPyValue, Value
from arraytyping.checker.swallowed import swallow

__all__ = ["drawn", "make_generator"]


def drawn(it: Interpreter, state: SeedState, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """What a method of a generator gives that is drawn for real.

    Raises:
        NotConcrete: if the arguments are not known, or too many numbers are asked for.
    """
    if name in ("spawn", "set_state", "get_state") or "out" in kwargs:
        raise NotConcrete
    if name == "shuffle":
        return _shuffled(it, state, args, kwargs)
    real = [concrete(a) for a in args]
    named = {k: concrete(v) for k, v in kwargs.items()}
    size = named.get("size", real[-1] if real and name not in ("permutation", "permuted") else None)
    if _count(size) > LARGEST:
        raise NotConcrete
    return describe(it, state.draw(it, lambda generator: getattr(generator, name)(*real, **named)), True)


def _shuffled(it: Interpreter, state: SeedState, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """Shuffle an array that is known, or the items of a list, which need not be."""
    value = args[0]
    if isinstance(value, ListValue) and value.items is not None and len(value.items) <= LARGEST and not kwargs:
        order = list(range(len(value.items)))
        state.draw(it, lambda generator: generator.shuffle(order))
        it.journal.touch(value)
        value.items = [value.items[i] for i in order]
        return None
    if isinstance(value, NumPyValue) and value.data is not None:
        shuffled = value.data.copy()
        named = {k: concrete(v) for k, v in kwargs.items()}
        state.draw(it, lambda generator: generator.shuffle(shuffled, **named))
        forget(it, value)
        value.data = shuffled
        return None
    raise NotConcrete


def _count(size: Any) -> int:
    """How many numbers a size asks for, if it is one."""
    sizes = size if isinstance(size, tuple | list) else [size]
    number = 1
    for d in sizes:
        if isinstance(d, int) and not isinstance(d, bool):
            number *= max(1, d)
    return number


def make_generator(is_legacy: bool, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """A real generator of a known seed; None if the seed is not known, or there is none."""
    import numpy as np

    given = args[0] if args else kwargs.get("seed")
    if given is None:
        return None
    try:
        seed = concrete(given)
        return np.random.RandomState(seed) if is_legacy else np.random.default_rng(seed)
    except Exception as error:
        swallow(error)
        return None
