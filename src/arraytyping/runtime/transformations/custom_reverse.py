"""`custom_vjp` and `custom_gradient`: a function with its own backward pass.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.custom_vjp.html;
https://docs.jax.dev/en/latest/_autosummary/jax.custom_gradient.html.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

from arraytyping.errors import UnexpectedTracerError
from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.core import Tracer
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import short_aval
from arraytyping.runtime.tracing.staging import stage
from arraytyping.runtime.tracing.tangents import Zero, has_tangent, instantiate
from arraytyping.runtime.transformations.arguments import FlatFunction, is_float0, name_of
from arraytyping.runtime.transformations.calls import hoisted
from arraytyping.runtime.transformations.custom_calls import custom_vjp_call_p
from arraytyping.runtime.transformations.custom_functions import (
    CustomFunction,
    OutTree,
    disagreeing,
    pair_of,
    results_of,
)
from arraytyping.runtime.transformations.custom_remat import results_and_residuals
from arraytyping.runtime.transformations.symbolic_zeros import CustomVJPPrimal, SymbolicZero, as_seen
from arraytyping.runtime.varying import tangent_type
from arraytyping.semantics.avals import ShapedArray

__all__ = ["custom_gradient", "custom_vjp"]

P = ParamSpec("P")
R = TypeVar("R")


class custom_vjp(CustomFunction[P, R]):
    """`jax.custom_vjp`: a function with its own forward and backward pass, that `defvjp` takes.

    The arguments `nondiff_argnums` take no part in differentiation: the backward pass gets them first, as they are.
    """

    _what = "custom_vjp"
    fwd: Callable[..., Any] | None = None
    bwd: Callable[..., Any] | None = None
    symbolic_zeros: bool = False
    optimize_remat: bool = False

    def defvjp(
        self,
        fwd: Callable[..., Any],
        bwd: Callable[..., Any],
        symbolic_zeros: bool = False,
        optimize_remat: bool = False,
    ) -> None:
        """Set the passes: `fwd(*args)` gives result and residuals, `bwd(residuals, cotangent)` a tuple of cotangents.

        With `symbolic_zeros` the leaves of `args` are `CustomVJPPrimal`s, and cotangents that are known to be zero
        `SymbolicZero`s.  With `optimize_remat` the function itself is computed where the residuals are not wanted, as
        under `checkpoint`.

        Raises:
            NotImplementedError: for both together.
        """
        if symbolic_zeros and optimize_remat:
            raise NotImplementedError("remat optimization for custom_vjp does not support symbolic zeros")
        self.fwd, self.bwd = fwd, bwd
        self.symbolic_zeros, self.optimize_remat = symbolic_zeros, optimize_remat

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The function's result.

        Raises:
            AttributeError: if no passes are set.
            TypeError: if what the passes give does not fit the function.
            UnexpectedTracerError: for a tracer among the arguments that take no part in differentiation.
        """
        fwd, bwd = self.fwd, self.bwd
        if fwd is None or bwd is None:
            raise AttributeError(f"No VJP defined for custom_vjp function {self._name} using defvjp.")
        static, others = self._split(self._positional(args, kwargs))
        if any(isinstance(leaf, Tracer) for leaf in tree.leaves(static)):
            raise UnexpectedTracerError(
                "Found a Tracer object passed as an argument to a custom_vjp function in a position indicated by "
                "nondiff_argnums as non-differentiable. Tracers cannot be passed as non-differentiable arguments to "
                "custom_vjp "
                "functions; pass it as a differentiable one, and give None for its cotangent."
            )
        found, in_tree = tree.flatten(others)
        leaves = self._arrays(found, in_tree)
        avals = [leaf.aval for leaf in leaves]
        out = OutTree()
        residual_tree: list[Any] = []
        symbolic = self.symbolic_zeros

        def function(*values: Any) -> list[Any]:
            outs, structure = results_of(self.fun(*self._joined(static, tree.unflatten(in_tree, values))), self.fun)
            out.enter(structure, [o.aval for o in outs], name_of(fwd), self._name)
            return outs

        def forward(values: Sequence[Any], perturbed: Sequence[bool]) -> tuple[list[Any], list[Any]]:
            given = [CustomVJPPrimal(v, p) for v, p in zip(values, perturbed)] if symbolic else values
            pair = pair_of(
                fwd(*self._joined(static, tree.unflatten(in_tree, given))),
                f"Custom VJP fwd rule {name_of(fwd)} for function {self._name} must produce a pair (list or tuple of "
                "length "
                "two) of the primal output and residuals",
            )
            outs, structure = results_of(pair[0], fwd)
            out.enter(structure, [o.aval for o in outs], name_of(fwd), self._name)
            residuals, residual_tree[:] = (lambda r: (r[0], [r[1]]))(results_of(pair[1], fwd))
            return outs, residuals

        def backward(residuals: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
            given = bwd(
                *static,
                tree.unflatten(residual_tree[0], residuals),
                tree.unflatten(out.tree, [as_seen(ct, symbolic) for ct in cotangents]),
            )
            return _cotangents(given, in_tree, avals)

        def optimized(values: Sequence[Any], perturbed: Sequence[bool]) -> tuple[list[Any], list[Any]]:
            return results_and_residuals(lambda xs: forward(xs, perturbed), function, values, self._name)

        forward.__qualname__ = optimized.__qualname__ = name_of(fwd)  # as jaxprs name them
        backward.__qualname__ = name_of(bwd)
        pass_ = optimized if self.optimize_remat else forward
        outs = custom_vjp_call_p.bind(*leaves, jaxpr=function, fwd=pass_, bwd=backward, num_consts=0, name=self._name)
        return tree.unflatten(out.tree, outs)  # type: ignore[no-any-return]


def _cotangents(given: Any, in_tree: Any, avals: Sequence[ShapedArray]) -> list[Any]:
    """What a backward pass gives, a cotangent or `Zero` for each leaf of the arguments.

    Raises:
        TypeError: if its structure is not that of the arguments.
        ValueError: if a type is not that of its argument.
    """
    if isinstance(given, list) and len(given) == in_tree.num_children:
        given = tuple(given)
    shape = tree.unflatten(in_tree, [0] * in_tree.num_leaves)
    try:
        if not isinstance(given, tuple) or len(given) != len(shape):
            raise ValueError
        found = tree.prefix_leaves(given, shape)
    except ValueError:
        raise disagreeing(
            TypeError(
                "Custom VJP bwd rule must produce an output with the same container (pytree) structure as "
                "the args tuple "
                "of the "
                "primal function, and in particular must produce a tuple of length equal to the number of "
                "arguments to the "
                "primal "
                f"function, but got bwd output structure {tree.structure(given)} for primal input structure {in_tree}."
            )
        ) from None
    results: list[Any] = []
    for i, (ct, aval) in enumerate(zip(found, avals)):
        if ct is None or not has_tangent(aval):
            results.append(Zero(aval))
            continue
        if type(ct) is SymbolicZero:
            if (ct.shape, ct.aval.dtype) != (aval.shape, aval.dtype):
                raise disagreeing(
                    ValueError(
                        "Custom VJP bwd rule produced a SymbolicZero with a shape/dtype that does not match the "
                        f"corresponding input tangent shape/dtype: at output{tree.path_str(in_tree.paths()[i])} the "
                        f"SymbolicZero had shape/dtype {short_aval(ct.aval)} while the corresponding input "
                        "had shape/dtype "
                        f"{short_aval(aval)}. Consider just returning a None here instead of a SymbolicZero object."
                    )
                )
            results.append(Zero(aval))
            continue
        array = materialized(array_from(ct))
        if array.aval.shape != aval.shape:
            raise disagreeing(
                ValueError(
                    "Custom VJP bwd rule must produce an output with the same type as the args tuple of the primal "
                    "function, but "
                    f"at output{tree.path_str(in_tree.paths()[i])} the bwd rule produced an output of type "
                    f"{short_aval(array.aval)} corresponding to an input of type {short_aval(aval)}"
                )
            )
        results.append(array)
    return results


class _Residuals:
    """A backward pass of `custom_gradient`, as a jaxpr: a container of the arrays that it closes over."""

    __slots__ = ("arrays", "what")

    def __init__(self, arrays: Sequence[Any], what: Any) -> None:
        self.arrays = arrays
        self.what = what


tree.register_pytree_node(
    _Residuals, lambda r: (tuple(r.arrays), r.what), lambda what, arrays: _Residuals(arrays, what)
)


def custom_gradient(fun: Callable[P, Any]) -> custom_vjp[P, Any]:
    """`jax.custom_gradient`: a function that returns its result and a function of its cotangent.

    Raises (when called):
        TypeError: if it does not return such a pair.
    """

    @functools.wraps(fun)
    def value(*args: Any, **kwargs: Any) -> Any:
        return _result_and_rule(fun, args, kwargs)[0]

    def fwd(*args: Any) -> Any:
        result, rule = _result_and_rule(fun, args, {})
        outs, structure = results_of(result, fun)
        flat = FlatFunction(rule, tree.structure((tree.unflatten(structure, [0] * len(outs)),)))
        closed = stage(flat, [tangent_type(o.aval) for o in outs])
        jaxpr, consts = hoisted(closed)
        return tree.unflatten(structure, outs), _Residuals(consts, (jaxpr, flat.out_tree))

    def given(cotangent: Any, aval: ShapedArray) -> Any:
        return instantiate(Zero(aval)) if is_float0(cotangent) else cotangent

    def bwd(residuals: _Residuals, cotangent: Any) -> Any:
        jaxpr, out_tree = residuals.what
        avals = jaxpr.in_avals[len(residuals.arrays) :]
        cotangents = map(given, tree.leaves(cotangent), avals)
        found = eval_jaxpr(jaxpr.jaxpr, jaxpr.consts, *residuals.arrays, *cotangents)
        result = tree.unflatten(out_tree, found)
        return result if isinstance(result, tuple | list) else (result,)

    function: custom_vjp[P, Any] = custom_vjp(value)
    function.defvjp(fwd, bwd)
    return function


def _result_and_rule(fun: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return pair_of(
        fun(*args, **kwargs), f"custom_gradient: {name_of(fun)} must return its result and a function of a cotangent"
    )
