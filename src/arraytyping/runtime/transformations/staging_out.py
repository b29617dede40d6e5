"""Functions as jaxprs: `make_jaxpr`, `eval_shape`, `checkpoint`, `closure_convert`.

Source: https://docs.jax.dev/en/latest/jaxpr.html; https://docs.jax.dev/en/latest/gradient-checkpointing.html.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from arraytyping.runtime import tree
from arraytyping.runtime.call_arguments import described_type
from arraytyping.runtime.core import Tracer
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.shape_dtype_struct import around_bits, of_whole, struct_of
from arraytyping.runtime.tracebacks import api_boundary
from arraytyping.runtime.tracing.staging import stage
from arraytyping.runtime.transformations import remat as remat  # fills the primitive's slot
from arraytyping.runtime.transformations.arguments import FlatFunction, arrays_of, described_argument
from arraytyping.runtime.transformations.calls import hoisted, remat_p
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray

__all__ = ["checkpoint", "closure_convert", "eval_shape", "make_jaxpr", "staged"]


def staged(fun: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], static: Sequence[int] = ()) -> Any:
    """The closed jaxpr of a call, the flat function and the arrays."""
    dynamic = tuple(None if i in static else a for i, a in enumerate(args))

    def call(given: Any) -> Any:
        return fun(*(a if i in static else g for i, (a, g) in enumerate(zip(args, given[0]))), **given[1])

    found, in_tree = tree.flatten(around_bits((dynamic, kwargs), struct_of))
    flat = FlatFunction(fun, in_tree, call)
    avals = [_aval_of(leaf, fun, in_tree, i) for i, leaf in enumerate(found)]
    return stage(flat, avals), flat


def _aval_of(leaf: Any, fun: Callable[..., Any], in_tree: Any, number: int) -> ShapedArray:
    """The abstract value of an argument; one with `shape` and `dtype` stands for an array."""
    if isinstance(leaf, ShapedArray):
        return leaf
    if not hasattr(leaf, "aval") and (described := described_type(leaf)) is not None:
        return described
    (array,) = arrays_of([leaf], fun, lambda i: described_argument(fun, in_tree.paths()[number]))
    return array.aval  # type: ignore[no-any-return]


def make_jaxpr(
    fun: Callable[..., Any], static_argnums: int | Sequence[int] = (), return_shape: bool = False
) -> Callable[..., Any]:
    """A function that gives the jaxpr of a call of `fun`, with its constants.

    Raises:
        TypeError: if it is given no function; when called, for an argument that is no array-like.
    """
    if not callable(fun):
        raise TypeError(f"make_jaxpr takes a function, got {fun!r:.60} of type {type(fun).__name__}")
    static = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums)

    @api_boundary
    @functools.wraps(fun)
    def jaxpr_of(*args: Any, **kwargs: Any) -> Any:
        closed, flat = staged(fun, args, kwargs, [n % len(args) for n in static])
        return (closed, _result(closed, flat)) if return_shape else closed

    return jaxpr_of


@api_boundary
def eval_shape(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Shape and dtype of what a call would give, in its tree; nothing is computed.

    Arguments may be anything with `shape` and `dtype`.
    """
    closed, flat = staged(fun, args, kwargs)
    return _result(closed, flat)


def _result(closed: Any, flat: FlatFunction) -> Any:
    return of_whole(tree.unflatten(flat.out_tree, [struct_of(a) for a in closed.out_avals]))


def closure_convert(fun: Callable[..., Any], *example_args: Any) -> tuple[Callable[..., Any], list[Any]]:
    """A function that takes what `fun` closes over as further arguments, and these: the traced floats.

    Source: https://docs.jax.dev/en/latest/_autosummary/jax.closure_convert.html.
    """
    closed, flat = staged(fun, example_args, {})
    is_hoisted = [isinstance(c, Tracer) and KINDS[str(c.aval.dtype)] in "fc" for c in closed.consts]
    taken = [c for c, h in zip(closed.consts, is_hoisted) if h]

    def converted(*args_and_consts: Any) -> Any:
        count = len(args_and_consts) - len(taken)
        given, in_tree = tree.flatten((args_and_consts[:count], {}))
        if in_tree != flat.in_tree:
            raise TypeError(
                f"the converted function takes {flat.in_tree} and {len(taken)} closed-over values, got {in_tree}"
            )
        values = iter(args_and_consts[count:])
        consts = [next(values) if h else c for c, h in zip(closed.consts, is_hoisted)]
        return tree.unflatten(flat.out_tree, eval_jaxpr(closed.jaxpr, consts, *arrays_of(given, fun, str)))

    return converted, taken


def checkpoint(
    fun: Callable[..., Any], *, prevent_cse: bool = True, policy: Callable[..., bool] | None = None,
    static_argnums: int | Sequence[int] = (),
) -> Callable[..., Any]:  # fmt: skip
    """The same function, whose inner values are computed again for the backward pass instead of being kept.

    `policy`, one of `checkpoint_policies` for example, says which are kept all the same.  With `prevent_cse` there is a
    barrier before the second computation, so that the compiler does not merge it with the first.

    Raises:
        TypeError: if it is given no function, or a policy that is none.
        NotImplementedError: when it is differentiated, if there is an `io_callback` in it.
    """
    if not callable(fun):
        raise TypeError(f"checkpoint takes a function, got {fun!r:.60} of type {type(fun).__name__}")
    if policy is not None and not callable(policy):
        raise TypeError(
            f"checkpoint takes a function as policy, such as those of checkpoint_policies, got {policy!r:.60} of type "
            f"{type(policy).__name__}"
        )
    static = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums)
    params = {"prevent_cse": prevent_cse, **({} if policy is None else {"policy": policy})}

    @api_boundary
    @functools.wraps(fun)
    def again(*args: Any, **kwargs: Any) -> Any:
        numbers = [n % len(args) for n in static]
        dynamic = tuple(None if i in numbers else a for i, a in enumerate(args))
        found, in_tree = tree.flatten((dynamic, kwargs))
        leaves = arrays_of(found, fun, lambda i: described_argument(fun, in_tree.paths()[i]))

        def call(given: Any) -> Any:
            return fun(*(a if i in numbers else g for i, (a, g) in enumerate(zip(args, given[0]))), **given[1])

        flat = FlatFunction(fun, in_tree, call)
        jaxpr, consts = hoisted(stage(flat, [leaf.aval for leaf in leaves]))
        return tree.unflatten(flat.out_tree, remat_p.bind(*consts, *leaves, jaxpr=jaxpr, **params))

    return again
