"""What JAX compiles while a program runs: each jitted function with its signatures, and what lets it compile again.

JAX keeps what it has compiled by the object that was jitted, the abstract arguments and the static ones.  So it
compiles again for a function that is made anew, though its code is the same, and for arguments of other types.  What is
looked at is one place of the program that is come by in the same way, which is a loop.

Source: https://docs.jax.dev/en/latest/jit-compilation.html#jit-and-caching.
"""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from types import MethodType
from typing import Any, Final

from arraytyping.checker.flow.state.compiled import Compiled
from arraytyping.checker.flow.state.identity import identity, tells_all
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.state.signatures import Signature, difference, is_known, shapes_of
from arraytyping.checker.flow.values import BoundMethod, FunctionValue, HandlerValue, JitValue, PartialValue, Value

__all__ = ["COMPILED", "is_outermost", "note_call", "note_fresh", "note_unrolled"]

_CODE: Final = "array-recompile"
_MADE: Final = 3
"""How many new functions at one place make it certain that each iteration brings one."""
_CALLED: Final = 3
"""How many calls of a function between, from which on its compilation may pay."""
_UNROLLED: Final = 64
"""How many copies of the body of a loop are borne."""
_SIZES: Final = 6
_STATICS: Final = 8
"""How many different sizes, or static values, are taken for ever new ones."""


@dataclass
class _Place:
    """A call in the program, come by in one way: what was called there, and with what."""

    made: list[tuple[Value, Value, list[int]]] = field(default_factory=list)
    """The functions that were called, each with what it is and the number of its calls."""
    signatures: list[Signature] = field(default_factory=list)
    is_told: bool = False
    """Whether it was reported that arguments differ."""


@dataclass
class _Compilations:
    compiled: Counter[Compiled] = field(default_factory=Counter)
    """The compilations, with how often each comes."""
    places: dict[tuple[int, ...], _Place] = field(default_factory=dict)
    again: set[int] = field(default_factory=set)
    """The calls, by their nodes, that ran what was compiled before."""
    known: dict[tuple[int, Any], Any] = field(default_factory=dict)
    """The functions, kept so that their addresses stay their own, by these and what they were compiled for."""


COMPILED: Final[RunSlot[_Compilations]] = RunSlot("what is compiled", _Compilations)


def is_outermost(it: Interpreter) -> bool:
    """Whether what is called here is called by the running program: not traced, not tried out."""
    is_tried = it.quiet != it.trying or it.inventing
    return not (is_tried or it.staged or it.mapping or it.differentiating or it.engines.is_asking)


def note_call(
    it: Interpreter, jitted: JitValue, key: Value, signature: Callable[[], Signature], node: ast.AST | None
) -> None:
    """Note the call of a jitted function, and report it if it is compiled anew there again and again."""
    if not jitted.compiles or not is_outermost(it) or not it.frame.module.is_program or not hasattr(node, "lineno"):
        return
    place = _place(it, node)
    inner = _code(jitted.function)
    name = str(getattr(inner, "name", "") or getattr(inner, "__name__", "the function"))
    is_new = _is_new(it, place, jitted.function)
    if not _remember(it, jitted.function, key):
        COMPILED.of(it).again.add(id(node))
        _check_history(it, place, None, name, node)
        return
    found = signature()
    _list(it, inner, name, found, node)
    if is_new and _is_made_anew(it, place) and not _is_on_purpose(node):
        made = jitted.origin
        where = f" (line {made[1]})" if made is not None and made[0] == it.frame.module.shown else ""
        message = (
            f"{name} compiles again each time, since jax.jit{where} is given a new function; "
            "call jax.jit once, outside of the loop, with what changes as arguments"
        )
        it.remark(node, _CODE, message)
    elif not is_new or len(place.made) == 1:
        _check_history(it, place, found, name, node)


def note_fresh(it: Interpreter, name: str, functions: list[Any], node: ast.AST | None) -> None:
    """Note a call of `scan` and its kin outside of any `jit`: each new function is compiled anew."""
    if not functions or not is_outermost(it) or not it.frame.module.is_program or not hasattr(node, "lineno"):
        return
    place = _place(it, node)
    if _is_new(it, place, functions[0]) and _is_made_anew(it, place):
        message = (
            f"{name} compiles again each time, since it is given a new function; "
            "define the function once, outside of the loop, or jit what calls it"
        )
        it.remark(node, _CODE, message)


def note_unrolled(it: Interpreter, place: ast.expr, count: int, done: int, operations: int) -> None:
    """Note a loop while jax traces, in so many iterations of which so many operations of jax were met."""
    if it.staged and not it.inventing and count > _UNROLLED and operations >= done:
        message = (
            f"this loop is unrolled while JAX traces, so that {count} copies of its body are compiled; "
            "use jax.lax.fori_loop or jax.lax.scan"
        )
        it.remark(place, _CODE, message)


def _place(it: Interpreter, node: ast.AST | None) -> _Place:
    key = (*(id(at) for _, _, at in it.chain), id(node))
    return COMPILED.of(it).places.setdefault(key, _Place())


def _code(function: Value) -> Value:
    """The function of the program in what was jitted."""
    while not isinstance(function, FunctionValue):
        if isinstance(function, BoundMethod | PartialValue | JitValue):
            function = function.function
        elif isinstance(function, HandlerValue) and function.wraps:
            function = function.wraps[0]
        else:
            break
    return function


def _is_new(it: Interpreter, place: _Place, function: Value) -> bool:
    """Whether a function is another object than those that were called at a place; its call is counted."""
    count = 2 if it.widening else 1  # in a loop that is not gone through to its end, each call stands for several
    for made, _, calls in reversed(place.made):
        if made is function:
            calls[0] += count
            return False
    place.made.append((function, _what(function), [count]))
    return True


def _what(function: Value) -> Value:
    """What is the same of functions that were made from one piece of code, and close over the same."""
    if isinstance(function, MethodType):
        return "method", id(function.__self__), id(function.__func__)
    return identity(function)


def _is_made_anew(it: Interpreter, place: _Place) -> bool:
    """Whether the functions that were called at a place are the same, made again, and called too seldom to pay.

    Tests come by one place again and again without a loop.
    """
    if it.most_work is not None:
        return False
    wanted = 2 if it.widening else _MADE
    last = place.made[-wanted:]
    return (
        len(last) == wanted
        and len({known for _, known, _ in last}) == 1
        and tells_all(last[0][1])
        and all(calls[0] < _CALLED for _, _, calls in last)
    )


def _is_on_purpose(node: Any) -> bool:
    """Whether the program asks for a compilation by its name."""
    function = getattr(node, "func", None)
    return isinstance(function, ast.Attribute) and function.attr in ("lower", "trace", "eval_shape")


def _remember(it: Interpreter, function: Value, key: Value) -> bool:
    """Whether a function is compiled for the first time for this key."""
    known = COMPILED.of(it).known
    at = (id(function), key)
    if at in known:
        return False
    known[at] = function
    return True


def _list(it: Interpreter, function: Any, name: str, found: Signature, node: Any) -> None:
    is_ours = isinstance(function, FunctionValue) and function.frame.module.is_program
    path, line = (function.frame.module.shown, function.node.lineno) if is_ours else ("", 0)
    entry = Compiled(name, path, line, tuple(found.items()), it.frame.module.shown, node.lineno)
    COMPILED.of(it).compiled[entry] += 1


# ------------------------------------------------------------------ arguments of other types


def _check_history(it: Interpreter, place: _Place, found: Signature | None, name: str, node: ast.AST | None) -> None:
    """Report what differs from the calls before; with no signature it is one that was seen."""
    seen = place.signatures
    if found is None or not is_known(found):
        if seen:
            seen.append(seen[-1])
        return
    seen.append(found)
    if len(seen) < 2:
        return
    names = difference(seen[-2], found)
    if not names or place.is_told:
        return
    for judge in (_weak, _smaller, _growing, _static):
        if (why := judge(seen, names)) is not None:
            place.is_told = True
            it.remark(node, _CODE, f"{name} compiles again: {why}")
            return


def _told(seen: list[Signature], name: str, last: int) -> str:
    return f"{name} is {seen[last - 2][name]} in call {last - 1} and {seen[last - 1][name]} in call {last}"


def _weak(seen: list[Signature], names: list[str]) -> str | None:
    """A weak type, mostly of a Python scalar, where the next call has a strong one."""
    pairs = [(shapes_of(seen[-2][n]), shapes_of(seen[-1][n])) for n in names]
    if len(seen) != 2 or not all(
        a and b and a[1] in ((), b[1]) and a[0].endswith("(weak)") and a[0] != b[0] for a, b in pairs
    ):
        return None
    return f"{_told(seen, names[0], 2)}; give it the dtype from the start: jnp.asarray(..., dtype=...)"


def _smaller(seen: list[Signature], names: list[str]) -> str | None:
    """A batch that is smaller than all before."""
    if len(seen) < 3 or any(difference(one, seen[-2]) for one in seen[:-2]):
        return None
    for n in names:
        before, now = shapes_of(seen[-2][n]), shapes_of(seen[-1][n])
        if before is None or now is None or before[0] != now[0] or before[1][1:] != now[1][1:]:
            return None
        if not 0 < sum(now[1][:1]) < sum(before[1][:1]):
            return None
    return f"{_told(seen, names[0], len(seen))}; pad the last batch, or leave it out"


def _growing(seen: list[Signature], names: list[str]) -> str | None:
    """An array of another size in each of many calls, by equal steps."""
    name = names[0]
    found = [shapes_of(one[name]) if name in one else None for one in seen[-_SIZES:]]
    sizes = [f[1] for f in found if f is not None]
    if len(sizes) < _SIZES or len({len(s) for s in sizes}) != 1:
        return None
    steps = {tuple(b - a for a, b in zip(one, other)) for one, other in itertools.pairwise(sizes)}
    if len(steps) != 1 or not any(steps.copy().pop()):
        return None
    return f"{_told(seen, name, 2)}, and so on; pad it to one size, and mask what is not there yet"


def _static(seen: list[Signature], names: list[str]) -> str | None:
    """A static argument that has another value in each of many calls."""
    name = names[0]
    values = [one.get(name, "") for one in seen]
    if len(names) != 1 or shapes_of(values[-1]) is not None or len(values) < _STATICS or len({*values}) != len(values):
        return None
    return f"{name}, which is static, is {values[0]} in call 1, {values[1]} in call 2, and so on; let it be traced"
