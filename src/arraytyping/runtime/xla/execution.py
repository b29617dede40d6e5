"""Compile jaxprs, and run them on arrays: what evaluation means.

Source: https://openxla.org/xla.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping import config
from arraytyping.runtime.array import ArrayImpl, array_of, buffer_from, buffer_of, own_buffer_of
from arraytyping.runtime.call_plans import forget_calls
from arraytyping.runtime.core import EVAL, PRIMITIVES, Primitive, aval_of
from arraytyping.runtime.effects import has_ordered
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, Jaxpr, JaxprEqn, Var
from arraytyping.runtime.placed_array import PlacedArray, device_set_here, placed
from arraytyping.runtime.sharding import Sharding, SingleDeviceSharding
from arraytyping.runtime.xla import lowerings as lowerings  # fills the primitives' slots
from arraytyping.runtime.xla.checked_runs import CheckedRun, checks_here
from arraytyping.runtime.xla.jaxlib_api import (
    argument_memory,
    buffer_aval,
    collect_garbage,
    compile_module,
    default_device,
    devices,
    hlo_of,
    hlo_text,
    is_done,
    told_of,
    turns,
)
from arraytyping.runtime.xla.jaxlib_api.structures import flatten
from arraytyping.runtime.xla.lowering import lower_module
from arraytyping.runtime.xla.placed_programs import PlacedPrograms, PlacedRun

__all__ = ["clear_caches", "compile_jaxpr"]

_new: Final = object.__new__


def compile_jaxpr(
    closed: ClosedJaxpr, name: str, donated: Sequence[int] = (),
    in_shardings: Sequence[Sharding | None] | None = None, out_shardings: Sequence[Sharding | None] | None = None,
) -> Callable[[Sequence[Any]], list[ArrayImpl]]:  # fmt: skip
    """A function that runs a jaxpr on arrays as a compiled program, on the default device if they do not lie elsewhere.

    It has the same for buffers, `on_buffers`, and `one` for those that give a single array; `parts` are what these
    call, for a text that does it itself, and `single` for a frame that does what `one` does, if nothing is constant.

    Raises:
        NotImplementedError: if XLA cannot compute with a dtype in it.
    """
    if any(checks := checks_here()):
        with config._set_here("debug_nans", False), config._set_here("debug_infs", False):
            run_unchecked = compile_jaxpr(closed, name, donated, in_shardings, out_shardings)
        return CheckedRun(run_unchecked, closed, name, checks, bool(donated))
    elsewhere = PlacedPrograms(closed, name, donated, in_shardings, out_shardings)
    if elsewhere.is_placed or device_set_here() is not None:
        return PlacedRun(elsewhere)
    device = default_device()
    callbacks: list[Callable[..., Any]] = []
    module = lower_module(closed, name, device.platform, donated, callbacks)
    executable = compile_module(module, closed.out_avals, device, callbacks=callbacks)
    if effects := closed.effects:
        executable._execute = told_of(executable, has_ordered(effects))
    execute, handlers, explain = executable._execute, executable._handlers, executable._explain
    if any(type(c) is PlacedArray for c in closed.consts):
        return PlacedRun(elsewhere)
    consts = [buffer_of(c) for c in closed.consts]
    avals = [buffer_aval(a).aval for a in executable.out_avals]
    first = avals[0] if avals else None

    # Every call goes through these, and therefore neither through `Executable.__call__` nor `ArrayImpl.__init__`.

    def one(buffers: list[Any]) -> ArrayImpl:
        if consts:
            buffers = consts + buffers
        if next(turns):
            collect_garbage()
        try:
            (buffer,) = execute(buffers).consume_with_handlers(handlers)
        except Exception as error:
            explain(error, buffers)
            raise
        array = _new(ArrayImpl)
        array._buffer = buffer
        array.aval = first  # type: ignore[assignment]
        return array

    def on_buffers(buffers: list[Any]) -> list[ArrayImpl]:
        if consts:
            buffers = consts + buffers
        if next(turns):
            collect_garbage()
        try:
            made = execute(buffers).consume_with_handlers(handlers)
        except Exception as error:
            explain(error, buffers)
            raise
        arrays = []
        for buffer, aval in zip(made, avals):
            array = _new(ArrayImpl)
            array._buffer = buffer
            array.aval = aval
            arrays.append(array)
        return arrays

    def run(args: Sequence[Any]) -> list[ArrayImpl]:
        if config.device_here() is not None:
            return elsewhere.run(args)
        try:
            if donated:
                return on_buffers([own_buffer_of(a) if i in donated else buffer_of(a) for i, a in enumerate(args)])
            buffers = [a._buffer for a in args]
        except AttributeError:
            if any(type(a) is PlacedArray and a._committed for a in args):
                return elsewhere.run(args)
            here = SingleDeviceSharding(device)
            buffers = [placed(a, here)._placed if type(a) is PlacedArray else buffer_of(a) for a in args]
        return on_buffers(buffers)

    run.one = one  # type: ignore[attr-defined]
    run.on_buffers = on_buffers  # type: ignore[attr-defined]
    run.executable = executable  # type: ignore[attr-defined]
    run.parts = {  # type: ignore[attr-defined]
        "execute": execute, "handlers": handlers, "explain": explain, "turns": turns, "is_done": is_done,
        "collect_garbage": collect_garbage, "new": _new,
    }  # fmt: skip
    frame = turns, collect_garbage, _new, ArrayImpl
    run.single = None if consts else (execute, handlers, explain, first, frame)  # type: ignore[attr-defined]
    run.has_effects = bool(effects or callbacks)  # type: ignore[attr-defined]
    run.consts = consts  # type: ignore[attr-defined]
    run.out_avals = avals  # type: ignore[attr-defined]
    return run


def module_of(
    closed: ClosedJaxpr, name: str, donated: Sequence[int] = (),
    in_shardings: Sequence[Sharding | None] | None = None, out_shardings: Sequence[Sharding | None] | None = None,
) -> Any:  # fmt: skip
    """The StableHLO of a jaxpr: for the default device, or for those that the jaxpr or the shardings name."""
    programs = PlacedPrograms(closed, name, donated, in_shardings, out_shardings)
    if programs.is_placed:
        return programs.module()
    return lower_module(closed, name, default_device().platform, donated)


def lying(
    closed: ClosedJaxpr, name: str, in_shardings: Sequence[Sharding | None] | None = None,
    out_shardings: Sequence[Sharding | None] | None = None,
) -> tuple[Sequence[Sharding], Sequence[Sharding]]:  # fmt: skip
    """Where the arguments of a program of these types lie, and its results."""
    program = PlacedPrograms(closed, name, (), in_shardings, out_shardings).of_types()
    return program.arguments[len(closed.consts) :], program.results


def _memory(aval: Any) -> Any:
    return argument_memory(buffer_aval(aval))


MOST_PROGRAMS: Final = 4096
"""How many programs of single primitives are kept; then the oldest go."""

_compiled: Final[dict[Any, Callable[[Sequence[Any]], list[ArrayImpl]]]] = {}


def evaluate(primitive: Primitive, args: Sequence[Any], params: dict[str, Any]) -> Any:
    """The result of one primitive on arrays: a program of one equation, compiled once for each kind of arguments."""
    avals = tuple(map(aval_of, args))
    key: Any = (primitive, avals, *params.items(), checks_here())
    try:
        run = _compiled.get(key)
    except TypeError:  # a parameter without a hash
        run = key = None
    if run is None:
        out = primitive.abstract_eval(avals, params)
        invars = [Var(a) for a in avals]
        outvars = [Var(a) for a in (out if primitive.multiple_results else [out])]
        jaxpr = Jaxpr([], invars, [JaxprEqn(invars, outvars, primitive, params)], outvars)
        run = compile_jaxpr(ClosedJaxpr(jaxpr, []), primitive.name)
        if key is not None:
            while len(_compiled) >= MOST_PROGRAMS:
                del _compiled[next(iter(_compiled))]
            _compiled[key] = run
    outs = run(args)
    return outs if primitive.multiple_results else outs[0]


def clear_caches() -> None:
    """Let go of all programs but those of jitted functions that are still there, which `clear_cache` lets go of.

    Source: https://docs.jax.dev/en/latest/_autosummary/jax.clear_caches.html.
    """
    _compiled.clear()
    forget_calls()
    for primitive in PRIMITIVES.values():
        primitive._memo.clear()


EVAL.evaluate = evaluate
EVAL.compile = compile_jaxpr
EVAL.devices = devices
EVAL.lower = module_of
EVAL.lying = lying
EVAL.hlo_of = hlo_of
EVAL.hlo_text = hlo_text
EVAL.argument_memory = _memory
EVAL.array_of = array_of
EVAL.array_class = ArrayImpl
EVAL.buffer_of = buffer_of
EVAL.buffer_from = buffer_from
EVAL.flatten = flatten
