"""Loops made of others: `fori_loop`, `map`, `associative_scan`.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.fori_loop.html;
https://docs.jax.dev/en/latest/_autosummary/jax.lax.map.html;
https://docs.jax.dev/en/latest/_autosummary/jax.lax.associative_scan.html.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final
from weakref import WeakKeyDictionary, ref

from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import array_from, convert_to
from arraytyping.runtime.core import Tracer, TypedScalar
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import add_p
from arraytyping.runtime.lax.comparisons import lt_p
from arraytyping.runtime.lax.control_flow.bodies import leaves_of
from arraytyping.runtime.lax.control_flow.scan import scan
from arraytyping.runtime.lax.control_flow.while_loop import while_loop
from arraytyping.runtime.lax.prefix_scans import prefix_scan
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.lax.structure import reshape
from arraytyping.runtime.tracebacks import api_boundary
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray

__all__ = ["associative_scan", "fori_loop", "map"]

_scan_bodies: Final[WeakKeyDictionary[Any, Any]] = WeakKeyDictionary()
_while_bodies: Final[WeakKeyDictionary[Any, Any]] = WeakKeyDictionary()


def _next(i: Any) -> Any:
    return add_p.bind(i, TypedScalar(1, ShapedArray((), i.aval.dtype, i.aval.weak_type)))


def _kept(found: WeakKeyDictionary[Any, Any], key: Any, make: Callable[[Callable[[], Any]], Any]) -> Any:
    """A function made of another one, the same each time, so that it is traced once; it keeps the other not alive."""
    try:
        known = found.get(key)
        weak = ref(key)
    except TypeError:  # without a hash, or without weak references
        return make(lambda: key)
    if known is None:
        known = found[key] = make(weak)
    return known


def _scan_body(get: Callable[[], Any]) -> Any:
    def step(carry: Any, _: Any) -> Any:
        i, x = carry
        return (_next(i), get()(i, x)), None

    return step


def _while_body(get: Callable[[], Any]) -> Any:
    def step(carry: Any) -> Any:
        i, upper, x = carry
        return _next(i), upper, get()(i, x)

    return step


def _goes_on(carry: Any) -> Any:
    i, upper, _ = carry
    return lt_p.bind(i, upper)


@api_boundary
def fori_loop(
    lower: Any, upper: Any, body_fun: Callable[[Any, Any], Any], init_val: Any, *, unroll: int | bool | None = None
) -> Any:
    """`jax.lax.fori_loop`: `x = body_fun(i, x)` for `i` from `lower` to below `upper`, from `init_val` on.

    Where both bounds are known it is a `scan`, which can be differentiated in reverse; else a `while_loop`.

    Raises:
        TypeError: if `body_fun` is no function, the bounds differ in dtype, or the body's result is of another
            structure, shape or dtype than its argument.
        ValueError: if it is to be unrolled while a bound is not known.
    """
    if not callable(body_fun):
        raise TypeError(f"lax.fori_loop: body_fun argument should be callable, got {body_fun!r:.60}")
    first, last = array_from(lower), array_from(upper)
    dtype = _bounds_dtype(first, last)
    if not isinstance(first, Tracer) and not isinstance(last, Tracer):
        numbers: list[Any] = [v.value if isinstance(v, TypedScalar) else v._literal() for v in (first, last)]
        start, stop = int(numbers[0]), int(numbers[1])
        body = _kept(_scan_bodies, body_fun, _scan_body)
        (_, result), _ = scan(
            body, (start, init_val), None, max(stop - start, 0), unroll=False if unroll is None else unroll
        )
        return result
    if unroll not in (None, False, 1):
        raise ValueError("Can only use `unroll` in `fori_loop` if the loop bounds are statically known.")
    bounds = [v if v.aval.dtype == dtype else convert_to(v, dtype) for v in (first, last)]
    return while_loop(_goes_on, _kept(_while_bodies, body_fun, _while_body), (*bounds, init_val))[2]


def _bounds_dtype(first: Any, last: Any) -> str:
    a, b = first.aval, last.aval
    if a.dtype == b.dtype:
        return str(a.dtype)
    if KINDS[a.dtype] == "i" and KINDS[b.dtype] == "i" and bool(a.weak_type) != bool(b.weak_type):
        return str(b.dtype if a.weak_type else a.dtype)
    raise TypeError(
        f"lower and upper arguments to fori_loop must have equal types, got {a.dtype} and {b.dtype}; convert one of "
        "them"
    )


@api_boundary
def map(f: Callable[[Any], Any], xs: Any, *, batch_size: int | None = None) -> Any:
    """`jax.lax.map`: what the function gives for each element along the leading dimension, stacked.

    With a `batch_size` that many are computed at once, by `vmap`; 0 means all.

    Raises:
        TypeError: if `f` is no function.
        ValueError: if lengths disagree.
    """
    if not callable(f):
        raise TypeError(f"lax.map: f argument should be a callable, got {f!r:.60} of type {type(f).__name__}")
    if batch_size is None:
        return scan(_kept(_mapped, f, _mapping), (), xs)[1]
    return _map_batches(f, xs, batch_size)


_mapped: Final[WeakKeyDictionary[Any, Any]] = WeakKeyDictionary()


def _mapping(get: Callable[[], Any]) -> Any:
    return lambda _, x: ((), get()(x))


def _map_batches(f: Callable[[Any], Any], xs: Any, batch_size: int) -> Any:
    from arraytyping.runtime.transformations.mapping import vmap

    leaves, structure = leaves_of(xs, f)
    if not leaves:
        return scan(lambda _, x: ((), f(x)), (), xs)[1]
    length = leaves[0].aval.shape[0]
    rounds = length // batch_size if batch_size else 0
    done = rounds * batch_size
    many = vmap(f)
    parts = []
    if rounds:
        batches = [reshape(slice_along(x, 0, done, 1, 0), (rounds, batch_size, *x.aval.shape[1:])) for x in leaves]
        ys = scan(lambda _, x: ((), many(x)), (), tree.unflatten(structure, batches))[1]
        parts.append(tree.map(lambda y: reshape(y, (done, *y.aval.shape[2:])), ys))
    if done < length or not rounds:
        parts.append(many(tree.unflatten(structure, [slice_along(x, done, length, 1, 0) for x in leaves])))
    return parts[0] if len(parts) == 1 else tree.map(lambda a, b: concatenate_p.bind(a, b, dimension=0), *parts)


@api_boundary
def associative_scan(fn: Callable[[Any, Any], Any], elems: Any, reverse: bool = False, axis: int = 0) -> Any:
    """`jax.lax.associative_scan`: all partial results of an associative function of two, in a tree of few levels.

    `fn` is given whole slices, and computes elementwise along `axis`.

    Raises:
        TypeError: if `fn` is no function.
        ValueError: if sizes along the axis disagree.
    """
    if not callable(fn):
        raise TypeError(f"lax.associative_scan: fn argument should be callable, got {fn!r:.60}")
    leaves, structure = leaves_of(elems, fn)
    if not leaves:
        return elems
    rank = len(leaves[0].aval.shape)
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {rank}")
    axis %= rank
    if any(len(x.aval.shape) <= axis or x.aval.shape[axis] != leaves[0].aval.shape[axis] for x in leaves):
        raise ValueError(
            "Array inputs to associative_scan must have the same first dimension. (saw: "
            f"{[x.aval.shape for x in leaves]})"
        )

    def combine(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
        return leaves_of(fn(tree.unflatten(structure, a), tree.unflatten(structure, b)), fn)[0]

    return tree.unflatten(structure, prefix_scan(combine, leaves, axis, reverse))
