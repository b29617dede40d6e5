"""A random key is consumed once: what draws from it is kept at its identity, and a second draw is told.

What consumes a key is what JAX's own check of a run counts: a draw and `split`; not `fold_in`, which makes another key
for each data, and nothing that only reads.  A draw on one of several paths is possible only, and not told.

Source: https://docs.jax.dev/en/latest/jep/9263-typed-keys.html and jax.experimental.key_reuse.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from arraytyping.checker.flow.state.code_places import is_in_loop, is_in_test
from arraytyping.checker.flow.state.fixed_keys import is_constant, is_made_in_step
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.telling import tell
from arraytyping.checker.flow.values import ArrayValue, DictValue, KeyOrigin, KeyUse, Value
from arraytyping.checker.flow.values.basic import births
from arraytyping.checker.flow.values.frames import Module

__all__ = [
    "apart",
    "consume",
    "consume_again",
    "consume_streams",
    "consumed_since",
    "in_rounds",
    "item_key",
    "new_key",
    "origin_of",
    "repeat",
    "tell_same_rows",
]


def new_key(it: Interpreter, value: Value, seeded: ast.AST | None = None) -> Value:
    """What makes a key has given this: a key of an identity of its own, perhaps of a seed in this call."""
    if not isinstance(value, ArrayValue) or value.keys_shape is None:
        return value
    origin = KeyOrigin(tuple(it.chain))
    origin.is_fixed = is_constant(it, seeded)
    key = value.with_key(origin)
    if it.chain:
        _, module, node = it.chain[-1]
        key.origin = (module.shown, getattr(node, "lineno", 0))
    return key


def origin_of(value: Value) -> KeyOrigin | None:
    """The identity of what may be a key, if it has been one before or not; None of what cannot be one."""
    if not isinstance(value, ArrayValue) or value.keys_shape is None:
        return None
    if value.key is None:
        value.key = KeyOrigin()
    return value.key


def item_key(array: ArrayValue, index: Value, item: Value) -> Value:
    """An item of what may be an array of keys: the key that it is, if it is known which one."""
    shape = array.keys_shape
    if not shape or not isinstance(item, ArrayValue) or item.keys_shape is None:
        return item
    origin = origin_of(array)
    for at in index if isinstance(index, tuple) else (index,):
        if type(at) is not int or not shape or not isinstance(shape[0], int) or origin is None:
            return item
        origin = origin.derive(("part", at % shape[0] if shape[0] else at))
        shape = shape[1:]
    return item.with_key(origin)


def consume(it: Interpreter, value: Value, what: str, like: Any = None) -> None:
    """Something draws from a key, perhaps in the shape of an array."""
    origin = origin_of(value)
    if origin is not None:
        consume_again(it, origin, KeyUse(what, tuple(it.chain), like=like))


def consume_streams(it: Interpreter, function: Value, kwargs: dict[str, Value]) -> None:
    """Flax draws from the keys in `rngs`, each folded with the name of its stream, if the model is being trained."""
    rngs = kwargs["rngs"]
    if any(kwargs.get(name) is off for name, off in _EVALUATION) or not isinstance(rngs, DictValue):
        return
    what = f"{getattr(function, '__name__', getattr(function, 'name', 'the model'))}(rngs=...)"
    for name, value in (rngs.items or {}).items():
        if (origin := origin_of(value)) is not None and name != "params":
            consume_again(it, origin.derive(("fold", f"rngs {name}")), KeyUse(what, tuple(it.chain), True))


_EVALUATION = (("deterministic", True), ("train", False), ("training", False), ("is_training", False))
"""How models are told, by convention, that they are evaluated, so that they draw nothing."""


def consume_again(it: Interpreter, origin: KeyOrigin, use: KeyUse) -> None:
    """A draw from a key of this identity, perhaps one that was seen before and is made again."""
    if origin.is_many:
        return
    if is_made_in_step(origin):
        _tell_alone(it, use, _FIXED)
    earlier = origin.used() or origin.looped
    if earlier is not None:
        _tell(it, origin, earlier, use)
    it.journal.touch(origin)
    origin.last = use
    origin.use = origin.use or use


def consumed_since(it: Interpreter, mark: int, born: int, is_folded: bool = False) -> dict[KeyOrigin, KeyUse]:
    """What was certainly drawn since a mark from keys that are older; `is_folded`: or folded from such."""
    held = it.journal.first_held(mark, KeyOrigin)
    older = (o for o in held if (_unfolded(o) if is_folded else o).born < born)
    return {origin: origin.last for origin in older if origin.use is not None and origin.last}


def _unfolded(origin: KeyOrigin) -> KeyOrigin:
    """The key from which one is folded: with the same number it is the same again, and that uses up nothing."""
    while origin.source is not None and origin.source[1][0] == "fold":
        origin = origin.source[0]
    return origin


@contextmanager
def apart(it: Interpreter) -> Iterator[dict[KeyOrigin, KeyUse]]:
    """What is drawn here from keys that are older is taken back: who reads it knows how often it happens."""
    found: dict[KeyOrigin, KeyUse] = {}
    mark, born = it.journal.mark, next(births)
    yield found
    found.update(consumed_since(it, mark, born))
    for origin, use in it.journal.first_held(mark, KeyOrigin).items():
        if origin.use is not use and origin.born < born:
            it.journal.touch(origin)
            origin.use = use


def repeat(it: Interpreter, origin: KeyOrigin, use: KeyUse) -> None:
    """A body that is executed several times draws from a key that is the same each time."""
    consume_again(it, origin, use)
    consume_again(it, origin, use)


@contextmanager
def in_rounds(it: Interpreter) -> Iterator[Callable[[int], None]]:
    """A loop of which it is not known how often it goes round: a round since a mark is told of, and more may follow."""
    drawn: list[KeyOrigin] = []

    def end_round(mark: int) -> None:
        for origin, before in it.journal.first_held(mark, KeyOrigin).items():
            if before is None and origin.use is not None:
                origin.looped = origin.last
                drawn.append(origin)

    try:
        yield end_round
    finally:
        for origin in drawn:
            origin.looped = None


def _tell(it: Interpreter, origin: KeyOrigin, earlier: KeyUse, use: KeyUse) -> None:
    """Tell of a second draw, at the outermost call that is another one than that of the first."""
    differing = next((i for i, (a, b) in enumerate(zip(earlier.calls, use.calls)) if a[2] is not b[2]), None)
    if differing is not None and (use.is_only_again or not use.calls[differing][1].is_program):
        return  # what a library does with a key in one call of it, it does
    if differing is not None:
        at = _in_program(use.calls, differing)
        message = f"{_drawing(use, at)} from a key that {_first(earlier, use, differing)}; {_SPLIT}"
    else:
        at = _repeated(use.calls, len(origin.calls) - 1)
        message = f"{_drawing(use, at)} from the same key each time that the loop comes here; {_FOLD}"
    if at < 0 or is_in_test(use.calls[at][1], use.calls[at][2]):
        return
    tell(it, use.calls[: at + 1], "array-key", message)


def tell_same_rows(it: Interpreter, use: KeyUse) -> None:
    """Tell of a draw for each row of what `vmap` maps over, from a key that is not mapped."""
    _tell_alone(it, use, _SAME_ROWS)


def _tell_alone(it: Interpreter, use: KeyUse, message: str) -> None:
    """Tell of a draw for what comes of it alone."""
    at = _in_program(use.calls, len(use.calls) - 1)
    if at >= 0 and not is_in_test(use.calls[at][1], use.calls[at][2]):
        tell(it, use.calls[: at + 1], "array-key", f"{_drawing(use, at)} {message}")


_FIXED = "the same in each step, from a key that is made of a constant there: make it outside, and split it for each"
_SAME_ROWS = "the same for each row that vmap maps over: split the key, and map over the parts as well (in_axes=0)"
_SPLIT = "split it and use each part once: key, subkey = jax.random.split(key)"
_FOLD = "split it in the loop, or fold the step in: jax.random.fold_in(key, step)"


def _drawing(use: KeyUse, at: int) -> str:
    """How the call that is told of draws: by itself, or further in."""
    if at == len(use.calls) - 1:
        return f"{use.what} draws"
    _, module, node = use.calls[-1]
    line = getattr(node, "lineno", 0)
    if not module.is_program:
        where = "in a library"
        if module.is_stand_in:  # which draws otherwise than what it stands for
            return f"{_called(use, at)} draws"
    else:
        where = f"line {line}" if module is use.calls[at][1] else f"{module.shown}:{line}"
    return f"{use.what} ({where}) draws"


def _first(earlier: KeyUse, use: KeyUse, differing: int) -> str:
    """Where the first draw was: the outermost call that is another one, and the draw itself."""
    _, module, node = earlier.calls[differing]
    line = getattr(node, "lineno", 0)
    place = f"line {line}" if module is use.calls[differing][1] else f"{module.shown}:{line}"
    is_known = not earlier.calls[-1][1].is_stand_in
    return f"{earlier.what if is_known else _called(earlier, differing)} has used in {place}"


def _called(use: KeyUse, at: int) -> str:
    """What the program calls there."""
    node = use.calls[at][2]
    called = node.func if isinstance(node, ast.Call) else node
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else use.what


def _in_program(calls: tuple[tuple[str, Module, ast.AST], ...], at: int) -> int:
    """The call of the program itself that leads to one; -1 if there is none."""
    while at >= 0 and not calls[at][1].is_program:
        at -= 1
    return at


def _repeated(calls: tuple[tuple[str, Module, ast.AST], ...], depth: int) -> int:
    """The outermost call in a loop, of those below where the key was made; the innermost if none is seen."""
    for i in range(max(depth, 0), len(calls)):
        _, module, node = calls[i]
        if module.is_program and is_in_loop(module.tree, node):
            return i
    return _in_program(calls, len(calls) - 1)
