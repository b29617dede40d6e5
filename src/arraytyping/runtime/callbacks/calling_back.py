"""`pure_callback` and `io_callback`: the results of a function of the program, called while a compiled one runs.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.pure_callback.html;
https://docs.jax.dev/en/latest/_autosummary/jax.experimental.io_callback.html.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import materialized
from arraytyping.runtime.callbacks.host_functions import FlatCallback, result_avals_of
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.effects import IO, ORDERED_IO, Effects
from arraytyping.runtime.lax.control_flow.bodies import leaves_of
from arraytyping.runtime.lax.control_flow.scan import scan
from arraytyping.runtime.trace_state import manual_here
from arraytyping.runtime.tracing.batching import Axis, batched_aval
from arraytyping.runtime.varying import Axes
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.operations import OPERATIONS

__all__ = ["io_callback", "io_callback_p", "pure_callback", "pure_callback_p"]

_VMAP_METHODS: Final = ("sequential", "sequential_unrolled", "expand_dims", "broadcast_all", "legacy_vectorized", None)


def _rule(cx: Any, *avals: Any, result_avals: tuple[ShapedArray, ...], **params: Any) -> list[ShapedArray]:
    return list(result_avals)


pure_callback_p: Final = Primitive("pure_callback", _rule, multiple_results=True, has_functions=True)
io_callback_p: Final = Primitive("io_callback", _rule, multiple_results=True, has_functions=True)


def pure_callback(
    callback: Callable[..., Any], result_shape_dtypes: Any, *args: Any, sharding: Any = None,
    vmap_method: str | None = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """`jax.pure_callback`: what a function gives, which has no effects, and is called as often as is convenient.

    `result_shape_dtypes` describes its result; `vmap_method` says what is called for a batch: the function for each
    example (`sequential`), or once with one more leading dimension (`expand_dims`, `broadcast_all`).  In a
    program of several devices the first calls it, whatever `sharding` says; within `shard_map` each does.

    Raises:
        TypeError: for an argument that is no array-like, or a description without a shape and a dtype.
        ValueError: for another `vmap_method`, or for dtypes of 64 bits while x64 is off; when it is differentiated.
        NotImplementedError: under `vmap` without a `vmap_method`.
        JaxRuntimeError: if the function raises, or gives something else than is described.
    """
    del sharding
    if vmap_method not in _VMAP_METHODS:
        raise ValueError(f"vmap_method must be on of the allowed methods {[*_VMAP_METHODS]}, but got: {vmap_method}")
    return _called(pure_callback_p, callback, result_shape_dtypes, args, kwargs, vmap_method=vmap_method)


def io_callback(
    callback: Callable[..., Any], result_shape_dtypes: Any, *args: Any, sharding: Any = None, ordered: bool = False,
    **kwargs: Any,
) -> Any:  # fmt: skip
    """`jax.experimental.io_callback`: what a function with effects gives, which is called as often as the program says.

    `ordered` calls happen in the order in which the program says them.  In a program of several
    devices the first calls it, whatever `sharding` says; within `shard_map` each does.

    Raises:
        TypeError: for an argument that is no array-like, or a description without a shape and a dtype.
        ValueError: for dtypes of 64 bits while x64 is off; under `vmap` where it is ordered; when it is differentiated.
        JaxRuntimeError: if the function raises, or gives something else than is described.
    """
    del sharding
    return _called(io_callback_p, callback, result_shape_dtypes, args, kwargs, ordered=bool(ordered))


def _called(
    primitive: Primitive, callback: Callable[..., Any], result_shape_dtypes: Any, args: Sequence[Any],
    kwargs: dict[str, Any], **params: Any,
) -> Any:  # fmt: skip
    if not callable(callback):
        raise TypeError(f"{primitive} takes a function, got {callback!r:.60} of type {type(callback).__name__}")
    leaves, in_tree = leaves_of((tuple(args), kwargs), callback)
    result_avals, out_tree = result_avals_of(primitive.name, result_shape_dtypes)
    outs = primitive.bind(
        *map(materialized, leaves), callback=FlatCallback(callback, in_tree), result_avals=result_avals, **params
    )
    return tree.unflatten(out_tree, outs)


def _one_by_one(
    primitive: Primitive, args: Sequence[Any], dims: Sequence[int | None], unroll: bool, params: dict[str, Any]
) -> tuple[list[Any], list[int]]:
    """What it gives for each example."""
    batched = [OPERATIONS.moveaxis(a, d, 0) for a, d in zip(args, dims) if d is not None]

    def step(carry: Any, examples: Any) -> Any:
        given = iter(examples)
        return carry, primitive.bind(*[a if d is None else next(given) for a, d in zip(args, dims)], **params)

    _, outs = scan(step, (), batched, unroll=unroll)
    return list(outs), [0] * len(outs)


def _batch_pure(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, vmap_method: str | None,
    result_avals: tuple[ShapedArray, ...], **params: Any,
) -> tuple[list[Any], list[int]]:  # fmt: skip
    params = {"vmap_method": vmap_method, **params}
    if vmap_method in ("sequential", "sequential_unrolled"):
        unroll = vmap_method == "sequential_unrolled"
        return _one_by_one(pure_callback_p, args, dims, unroll, {"result_avals": result_avals, **params})
    if vmap_method is None:
        raise NotImplementedError(
            "vmap is only supported for the pure_callback primitive when vmap_method is one of 'sequential', "
            "'sequential_unrolled', 'expand_dims', 'broadcast_all', or 'legacy_vectorized'. Got vmap_method=None."
        )
    size = axis.size if vmap_method == "broadcast_all" else 1
    repeats = vmap_method != "legacy_vectorized"
    moved = [
        OPERATIONS.moveaxis(a, d, 0) if d is not None else OPERATIONS.broadcast_at(a, size, 0) if repeats else a
        for a, d in zip(args, dims)
    ]
    of_batch = tuple([batched_aval(a, 0, axis.size) for a in result_avals])
    outs = pure_callback_p.bind(*moved, result_avals=of_batch, **params)
    return outs, [0] * len(outs)


def _batch_io(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, ordered: bool, **params: Any
) -> tuple[list[Any], list[int]]:
    if ordered:
        raise ValueError("Cannot `vmap` ordered IO callback.")
    return _one_by_one(io_callback_p, args, dims, False, {"ordered": False, **params})


def _no_pure_derivative(*args: Any, **params: Any) -> NoReturn:
    raise ValueError(
        "Pure callbacks do not support JVP. Please use `jax.custom_jvp` to use callbacks while taking gradients."
    )


def _no_io_derivative(*args: Any, **params: Any) -> NoReturn:
    raise ValueError("IO callbacks do not support JVP.")


def _no_io_transpose(*args: Any, **params: Any) -> NoReturn:
    raise ValueError("IO callbacks do not support transpose.")


def _io_effects(params: dict[str, Any]) -> Effects:
    return frozenset({ORDERED_IO if params["ordered"] else IO})


def _pure_varying(given: Sequence[Axes], params: dict[str, Any]) -> tuple[Sequence[Axes], Sequence[Axes]]:
    axes: Axes = frozenset().union(*given)
    return [axes] * len(given), [axes] * len(params["result_avals"])


def _io_varying(given: Sequence[Axes], params: dict[str, Any]) -> tuple[Sequence[Axes], Sequence[Axes]]:
    """What a function with effects gives may differ from device to device, whatever it is given."""
    manual = manual_here()
    axes: Axes = frozenset() if manual is None else manual.followed
    return given, [axes] * len(params["result_avals"])


pure_callback_p.varying_rule = _pure_varying
io_callback_p.varying_rule = _io_varying
pure_callback_p.batching_rule = _batch_pure
pure_callback_p.jvp_rule = pure_callback_p.transpose_rule = _no_pure_derivative
io_callback_p.batching_rule = _batch_io
io_callback_p.jvp_rule = _no_io_derivative
io_callback_p.transpose_rule = _no_io_transpose
io_callback_p.effects_rule = _io_effects
