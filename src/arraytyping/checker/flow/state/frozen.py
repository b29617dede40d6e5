"""What a function under `jit` draws or reads from outside while it is traced is a constant of every call from then on.

Source: https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html, pure functions.
"""

from __future__ import annotations

import ast
import random
import re
import time
from collections.abc import Sequence
from typing import Final

from arraytyping.checker.flow.state.certainty import depends_on_data
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.stateful import told_by
from arraytyping.checker.flow.state.telling import tell
from arraytyping.checker.flow.values import (
    ArrayValue,
    FunctionValue,
    HandlerValue,
    Life,
    ScalarValue,
    TracerText,
    Value,
)
from arraytyping.checker.flow.values.lives import Frozen

__all__ = ["CLOCKS", "note_counts", "note_frozen", "tell_frozen", "text_with"]

CLOCKS: Final = frozenset(
    {time.time, time.time_ns, time.perf_counter, time.perf_counter_ns, time.monotonic, time.process_time}
)
_SEEDING: Final = frozenset({"seed", "default_rng", "RandomState", "Random", "Generator", "set_state", "setstate"})
_LEVELS: Final = frozenset({"debug", "info", "warning", "error", "critical"})
_CLOCK: Final = "measure time outside of it, around jax.block_until_ready"
_COUNT: Final = "count outside of it, or in an array that it takes and returns"
_OF_TRACES: Final = re.compile("trac|compil|jit|cache", re.I)
_DRAW: Final = "draw with jax.random, from a key that is an argument"


def note_frozen(it: Interpreter, life: Life, function: Value, args: Sequence[Value]) -> None:
    """A function is called while a trace is under way: perhaps it gives another value each time, or ends the trace.

    What prints a tracer is meant to print its value, and what prints no more than a text may tell of the trace.
    """
    name = told_by(function, "__name__", "")
    if name == "ensure_compile_time_eval":
        it.life = None  # what is made from here on may be no tracer
    if name in _SEEDING:
        life.frozen = None  # what is drawn now is meant to be the same each time
    elif life.frozen is not None and (found := _changing(function, name)) and it.chain:
        life.frozen.append(Frozen(found[0], found[1], tuple(it.chain)))
    elif (
        life.frozen is not None
        and (how := _printing(function, name))
        and it.chain
        and any(isinstance(arg, ArrayValue | TracerText) and _is_traced_by(arg, life) for arg in args)
    ):
        life.frozen.append(Frozen(f"{how} shows a tracer", "", tuple(it.chain)))


def text_with(*values: Value) -> ScalarValue:
    """A text that is not known, in which these values are written."""
    for value in values:
        if isinstance(value, TracerText):
            return value
        if type(value) is ArrayValue and value.traced and value.life is not None:
            return TracerText(value.life)
    return ScalarValue(str, is_data=depends_on_data(*values))


def _is_traced_by(value: ArrayValue | TracerText, life: Life) -> bool:
    return value.life is life and (isinstance(value, TracerText) or value.traced)


def _printing(function: Value, name: str) -> str:
    """How a function is called that shows its arguments to people; empty if it does not."""
    if function is print:
        return "print"
    return f"logging.{name}" if name in _LEVELS and getattr(function, "__module__", "") == "logging" else ""


def note_counts(it: Interpreter, life: Life, function: Value) -> None:
    """What a function that is traced counts up outside of it, such as the steps that were done, for use elsewhere.

    A count of the traces themselves is meant to be one, as is what a test or an `assert` looks at.
    """
    if life.frozen is None or not isinstance(function, FunctionValue) or not function.frame.module.is_program:
        return
    module, node = function.frame.module, function.node
    outer = {n for d in ast.walk(node) if isinstance(d, ast.Global | ast.Nonlocal) for n in d.names}
    for step in ast.walk(node) if outer else ():
        if not isinstance(step, ast.AugAssign) or not isinstance(step.target, ast.Name) or step.target.id not in outer:
            continue
        name = step.target.id
        is_number = isinstance(step.value, ast.Constant) and type(step.value.value) in (int, float)
        if is_number and not _OF_TRACES.search(name) and _is_read(module.tree, node, name):
            called = (function.name, module, step)
            life.frozen.append(Frozen(f"{name} is counted up", _COUNT, (*it.chain, called)))


def _is_read(tree: ast.AST, function: ast.AST, name: str) -> bool:
    """Whether a variable is read outside of a function, and nothing is asserted of it."""
    inside = set(ast.walk(function))
    asserted = any(name in ast.dump(n) for n in ast.walk(tree) if isinstance(n, ast.Assert))
    return not asserted and any(
        isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load) and n not in inside
        for n in ast.walk(tree)
    )


def _changing(function: Value, name: str) -> tuple[str, str] | None:
    """How a function is called that gives another value each time, and what to do instead; None if it is none."""
    owner = told_by(function, "__self__")
    if isinstance(owner, random.Random):
        return f"random.{name} is called", _DRAW
    if type(owner).__name__ == "RandomState" and type(owner).__module__ == "numpy.random.mtrand":
        return f"np.random.{name} is called", _DRAW
    if isinstance(function, HandlerValue) and function.name.startswith("Generator."):
        return f"{function.name} is called", _DRAW
    try:
        return (f"time.{name} is called", _CLOCK) if function in CLOCKS else None
    except TypeError:  # it cannot be hashed
        return None


def tell_frozen(it: Interpreter, label: str, frozen: Sequence[Frozen] | None) -> None:
    """A jitted function is called again that drew or read this while it was traced."""
    for one in frozen or ():
        while one.calls and not one.calls[-1][1].is_program:
            one = one._replace(calls=one.calls[:-1])
        if one.calls:
            message = f"{one.what} once, while jit traces {label}: " + (
                f"every call of {label} has this same value; {one.advice}"
                if one.advice
                else f"no call of {label} shows a value; write jax.debug.print"
            )
            tell(it, one.calls, "array-leak", message)
