"""`composite`: a function that keeps a name in the program, for a compiler that knows it by that name.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.composite.html;
https://openxla.org/stablehlo/spec#composite.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

from arraytyping.errors import UnexpectedTracerError
from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import materialized
from arraytyping.runtime.core import Primitive, Tracer
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.runtime.tracing.batching import Axis, batch_jaxpr, move_batch_dim
from arraytyping.runtime.tracing.staging import stage
from arraytyping.runtime.transformations.arguments import FlatFunction, arrays_of, name_of
from arraytyping.runtime.transformations.calls import hoisted

__all__ = ["Attribute", "composite", "composite_p"]


def _rule(cx: Any, *avals: Any, jaxpr: ClosedJaxpr, **params: Any) -> list[Any]:
    return jaxpr.out_avals


composite_p: Final = Primitive("composite", _rule, multiple_results=True, has_jaxprs=True)


def composite(decomposition: Callable[..., Any], name: str, version: int = 0) -> Callable[..., Any]:
    """`jax.lax.composite`: the function, in programs an operation of this name that may be taken apart.

    Positional arguments are its operands, keywords its attributes.

    Raises (when called):
        UnexpectedTracerError: if an attribute is a tracer.
        ValueError: when it is differentiated; `custom_jvp` says how.
    """

    @functools.wraps(decomposition)
    def call(*args: Any, **kwargs: Any) -> Any:
        if any(isinstance(v, Tracer) for v in tree.leaves(kwargs)):
            raise UnexpectedTracerError(
                f"Found a JAX Tracer as an attribute in the decomposition for the composite op '{name}'. This means "
                "that the decomposition function closes over a value that is involved in a JAX transformation. Any "
                "values that aren't explicitly known at compile time must be explicitly passed as arguments to the "
                "composite.\\n\\nNote: If you are passing jax arrays as attributes, use numpy arrays instead."
            )
        found, in_tree = tree.flatten(args)
        leaves = [materialized(a) for a in arrays_of(found, decomposition, str)]
        flat = FlatFunction(functools.partial(decomposition, **kwargs), in_tree)
        jaxpr, consts = hoisted(stage(flat, [leaf.aval for leaf in leaves]))
        if any(isinstance(c, Tracer) for c in consts):
            raise UnexpectedTracerError(
                f"Found a JAX Tracer as a constant in the decomposition for the composite op '{name}'. This means that "
                "the decomposition function closes over a value that is involved in a JAX transformation. Any values "
                "that aren't explicitly known at compile time must be explicitly passed as arguments to the composite."
            )
        attributes = tuple((k, Attribute(v)) for k, v in kwargs.items())
        outs = composite_p.bind(*consts, *leaves, jaxpr=jaxpr, name=name, attributes=attributes, version=int(version))
        return tree.unflatten(flat.out_tree, outs)

    if not callable(decomposition):
        raise TypeError(f"composite takes a function, got {decomposition!r:.60} of type {name_of(type(decomposition))}")
    return call


class Attribute:
    """The value of a keyword, which has a hash whatever it is."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value: Any = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Attribute) and repr(self.value) == repr(other.value)

    def __hash__(self) -> int:
        return hash(repr(self.value))


def _evaluate(*args: Any, jaxpr: ClosedJaxpr, **params: Any) -> list[Any]:
    return eval_jaxpr(jaxpr.jaxpr, jaxpr.consts, *args)


def _batch(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, jaxpr: ClosedJaxpr, **params: Any
) -> tuple[list[Any], list[int | None]]:
    moved = [a if d is None else move_batch_dim(axis, a, d, 0) for a, d in zip(args, dims)]
    derived, batched = batch_jaxpr(jaxpr, axis, [d is not None for d in dims])
    return composite_p.bind(*moved, jaxpr=derived, **params), [0 if b else None for b in batched]


def _no_derivative(*args: Any, **params: Any) -> NoReturn:
    raise ValueError(
        "JVP rule for composite not implemented. You can use `jax.custom_jvp` to add support. See "
        "https://docs.jax.dev/en/latest/_autosummary/jax.custom_jvp.html"
    )


def _no_transpose(*args: Any, **params: Any) -> NoReturn:
    raise ValueError(
        "Transpose rule for composite not implemented. You can use `jax.custom_jvp` or `jax.custom_vjp` to add "
        "support. See https://docs.jax.dev/en/latest/_autosummary/jax.custom_jvp.html"
    )


composite_p.eval_rule = _evaluate
composite_p.batching_rule = _batch
composite_p.jvp_rule = _no_derivative
composite_p.transpose_rule = _no_transpose
