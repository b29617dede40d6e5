"""Primitives that call a function which has its own rule of differentiation.

The function is called as it is, with the values at hand, unless a jaxpr is recorded: then it becomes a jaxpr, which
keeps its rule.  Such a call takes the arrays that the function closes over first (`num_consts`), then its arguments.

Source: https://docs.jax.dev/en/latest/notebooks/Custom_derivative_rules_for_Python_code.html;
https://docs.jax.dev/en/latest/jep/2026-custom-derivatives.html.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping.runtime.core import EVAL, Primitive
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.runtime.tracing.batching import Axis, batch_flat, move_batch_dim
from arraytyping.runtime.tracing.partial_eval import PartialTrace
from arraytyping.runtime.tracing.staging import stage
from arraytyping.runtime.tracing.tangents import Zero, has_tangent, is_zero, tangent_aval
from arraytyping.runtime.tracing.transposing import is_linear
from arraytyping.runtime.transformations.calls import called, hoisted
from arraytyping.runtime.varying import one_along
from arraytyping.semantics.avals import ShapedArray

__all__ = [
    "ClosedOverError", "Function", "OnBatch", "custom_jvp_call_p", "custom_lin_p", "custom_vjp_call_p",
    "evaluate_call", "run_call",
]  # fmt: skip

Function = Callable[..., list[Any]] | ClosedJaxpr
"""A function of flat arrays, or what it has become where it was recorded."""


class ClosedOverError(Exception):
    """A function with its own rule is differentiated by a value that it closes over."""


custom_jvp_call_p: Final = Primitive("custom_jvp_call", called, multiple_results=True, has_jaxprs=True)
custom_vjp_call_p: Final = Primitive("custom_vjp_call", called, multiple_results=True, has_jaxprs=True)


def run_call(function: Function, args: Sequence[Any]) -> list[Any]:
    """The results of a function of flat arrays."""
    return eval_jaxpr(function.jaxpr, function.consts, *args) if isinstance(function, ClosedJaxpr) else function(*args)


def evaluate_call(*args: Any, jaxpr: Function, name: str, **params: Any) -> list[Any]:
    """The results of such a call: of a function as it is, of what was recorded as one program."""
    if not isinstance(jaxpr, ClosedJaxpr):
        return jaxpr(*args)
    if "program" not in jaxpr.cache:
        jaxpr.cache["program"] = EVAL.compile(jaxpr, name)
    return jaxpr.cache["program"](args)  # type: ignore[no-any-return]


def _staged(args: Sequence[Any], *, jaxpr: Function, **params: Any) -> tuple[Sequence[Any], dict[str, Any]]:
    if isinstance(jaxpr, ClosedJaxpr):
        return args, {"jaxpr": jaxpr, **params}
    if isinstance(jaxpr, OnBatch):
        jaxpr.keep_mapped()
    closed, consts = hoisted(stage(jaxpr, [a.aval for a in args]))
    return [*consts, *args], {"jaxpr": closed, **params, "num_consts": params["num_consts"] + len(consts)}


def _inlined(trace: PartialTrace, args: Sequence[Any], params: dict[str, Any]) -> list[Any]:
    # what is unknown is a tangent: the function was differentiated before, and its rule is needed no more
    return run_call(params["jaxpr"], args)


for _p in (custom_jvp_call_p, custom_vjp_call_p):
    _p.eval_rule = evaluate_call
    _p.staging_rule = _staged
    _p.partial_eval_rule = _inlined


def _refuse_consts(tangents: Sequence[Any], num_consts: int, what: str, name: str) -> None:
    if not all(map(is_zero, tangents[:num_consts])):
        raise ClosedOverError(
            f"Detected differentiation of the {what} function {name} with respect to a closed-over value. That isn't "
            "supported, because the rule only says how to differentiate it with respect to its arguments; pass the "
            "value "
            "as an argument."
        )


class OnBatch:
    """A function of whole batches, whose results have the batch at dimension 0.

    A result that is the same for every example, such as that of a collective, is not repeated where nothing else says
    what the results are to be: where neither a jaxpr was recorded, nor another function of the call has run.
    """

    __slots__ = ("axis", "dims", "function", "is_mapped", "out_dims")

    def __init__(self, function: Function, axis: Axis, dims: Sequence[int | None], is_mapped: bool = False) -> None:
        self.function: Function = function
        self.axis: Axis = axis
        self.dims: Sequence[int | None] = dims
        self.is_mapped: bool = is_mapped
        self.out_dims: list[int | None] = []

    def keep_mapped(self) -> None:
        """Repeat all results from now on."""
        self.is_mapped = True
        if isinstance(self.function, OnBatch):
            self.function.keep_mapped()

    def __call__(self, *args: Any) -> list[Any]:
        """The results, after which it is known which of them are mapped."""
        outs, dims = batch_flat(lambda *xs: run_call(self.function, xs), self.axis, args, self.dims)
        self.settle(dims)
        return self.placed(outs, dims)

    def settle(self, dims: Sequence[int | None]) -> None:
        """Decide which results are mapped, of which these are."""
        self.out_dims = [0 if self.is_mapped or d is not None else None for d in dims]

    def placed(self, values: Sequence[Any], dims: Sequence[int | None]) -> list[Any]:
        """The results, or their tangents, with the batch where it has been decided to be."""
        return [
            v if to is None or is_zero(v) else move_batch_dim(self.axis, v, d, to)
            for v, d, to in zip(values, dims, self.out_dims)
        ]


# a rule `jvp(primals, tangents)` of flat lists gives the results and their tangents; tangents may be `Zero`


def _jvp(
    primals: Sequence[Any],
    tangents: Sequence[Any],
    *,
    jaxpr: Function,
    jvp: Callable[..., Any],
    num_consts: int,
    name: str,
) -> tuple[list[Any], list[Any]]:
    _refuse_consts(tangents, num_consts, "custom_jvp", name)
    return jvp(primals[num_consts:], tangents[num_consts:])  # type: ignore[no-any-return]


def _batch_jvp(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, jaxpr: Function, jvp: Callable[..., Any],
    num_consts: int, name: str,
) -> tuple[list[Any], list[int | None]]:  # fmt: skip
    own = dims[num_consts:]
    function = OnBatch(jaxpr, axis, dims)

    def jvp_on_batch(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        moving = [not is_zero(t) for t in tangents]
        out_moving: list[bool] = []

        def flat(*values: Any) -> list[Any]:
            inner = iter(values[len(primals) :])
            zeros = [Zero(v.aval) for v in values[: len(primals)]]
            outs, out_tangents = jvp(
                list(values[: len(primals)]), [next(inner) if m else z for m, z in zip(moving, zeros)]
            )
            out_moving[:] = [not is_zero(t) for t in out_tangents]
            return [*outs, *(t for t in out_tangents if not is_zero(t))]

        all_dims = [*own, *(d for d, m in zip(own, moving) if m)]
        found, found_dims = batch_flat(flat, axis, [*primals, *(t for t in tangents if not is_zero(t))], all_dims)
        n = len(out_moving)
        moved = iter(zip(found[n:], found_dims[n:]))
        pairs = [next(moved) if m else (None, None) for m in out_moving]
        # a result is mapped where its tangent is, and the tangent where the result is
        function.settle([d if d is not None else t for d, (_, t) in zip(found_dims, pairs)])
        outs = function.placed(found[:n], found_dims)
        given = [Zero(o.aval) if not m else t for o, m, (t, _) in zip(outs, out_moving, pairs)]
        return outs, function.placed(given, [d for _, d in pairs])

    jvp_on_batch.__qualname__ = jvp.__qualname__
    outs = custom_jvp_call_p.bind(*args, jaxpr=function, jvp=jvp_on_batch, num_consts=num_consts, name=name)
    return outs, function.out_dims


custom_jvp_call_p.jvp_rule = _jvp
custom_jvp_call_p.batching_rule = _batch_jvp


# `fwd(args, perturbed)`, which is told what is differentiated, gives the results and the residuals,
# `bwd(residuals, cotangents)` a cotangent for each argument; cotangents may be `Zero`

_NO_FORWARD = "can't apply forward-mode autodiff (jvp) to a custom_vjp function."


def _lin_rule(cx: Any, *avals: ShapedArray, out_avals: tuple[ShapedArray, ...], **params: Any) -> list[ShapedArray]:
    return [tangent_aval(a) for a in out_avals if has_tangent(a)]


def _no_forward(*args: Any, **params: Any) -> Any:
    raise TypeError(f"{_NO_FORWARD} Use reverse mode (grad, vjp, jacrev), or give it a rule with custom_jvp.")


custom_lin_p: Final = Primitive("custom_lin", _lin_rule, multiple_results=True)
"""The linear function of tangents of which only the transpose is known: a custom backward pass."""
custom_lin_p.eval_rule = _no_forward
custom_lin_p.lowering = _no_forward
custom_lin_p.jvp_rule = _no_forward
custom_lin_p.batching_rule = _no_forward


def _jvp_of_vjp(
    primals: Sequence[Any], tangents: Sequence[Any], *, jaxpr: Function, fwd: Callable[..., Any],
    bwd: Callable[..., Any], num_consts: int, name: str,
) -> tuple[list[Any], list[Any]]:  # fmt: skip
    _refuse_consts(tangents, num_consts, "custom_vjp", name)
    moving = tuple(not is_zero(t) for t in tangents[num_consts:])
    outs, residuals = fwd(primals[num_consts:], moving)
    found = iter(
        custom_lin_p.bind(
            *residuals, *(t for t in tangents if not is_zero(t)), num_residuals=len(residuals), moving=moving, bwd=bwd,
            out_avals=tuple(o.aval for o in outs),
        )
    )  # fmt: skip
    return outs, [next(found) if has_tangent(o.aval) else Zero(o.aval) for o in outs]


def _transpose_lin(
    cts: Sequence[Any], *args: Any, num_residuals: int, moving: tuple[bool, ...], bwd: Callable[..., Any],
    out_avals: tuple[ShapedArray, ...],
) -> list[Any]:  # fmt: skip
    given = iter(cts)
    cotangents = [next(given) if has_tangent(a) else Zero(a) for a in out_avals]
    found = bwd(list(args[:num_residuals]), cotangents)
    wanted = [ct for ct, m in zip(found, moving) if m]
    return [*[None] * num_residuals, *(ct if is_linear(a) else None for ct, a in zip(wanted, args[num_residuals:]))]


def _batch_vjp(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, jaxpr: Function, fwd: Callable[..., Any],
    bwd: Callable[..., Any], num_consts: int, name: str,
) -> tuple[list[Any], list[int | None]]:  # fmt: skip
    own = dims[num_consts:]
    residual_dims: list[int | None] = []
    function = OnBatch(jaxpr, axis, dims)

    def fwd_on_batch(values: Sequence[Any], perturbed: Sequence[bool]) -> tuple[list[Any], list[Any]]:
        n: list[int] = []

        def flat(*xs: Any) -> list[Any]:
            outs, residuals = fwd(xs, perturbed)
            n[:] = [len(outs)]
            return [*outs, *residuals]

        found, out_dims = batch_flat(flat, axis, values, own)
        residual_dims[:] = out_dims[n[0] :]
        function.keep_mapped()  # the backward pass is given the cotangent of each example
        function.settle(out_dims[: n[0]])
        return function.placed(found[: n[0]], out_dims[: n[0]]), found[n[0] :]

    def bwd_on_batch(residuals: list[Any], cotangents: list[Any]) -> list[Any]:
        moving: list[bool] = []
        zero = [is_zero(ct) for ct in cotangents]

        def flat(*values: Any) -> list[Any]:
            rest = iter(values[len(residuals) :])
            cts = [Zero(_of_one(ct.aval)) if z else next(rest) for ct, z in zip(cotangents, zero)]
            found = bwd(list(values[: len(residuals)]), cts)
            moving[:] = [not is_zero(ct) for ct in found]
            return [ct for ct in found if not is_zero(ct)]

        given = [ct for ct, z in zip(cotangents, zero) if not z]
        found, found_dims = batch_flat(flat, axis, [*residuals, *given], [*residual_dims, *[0] * len(given)])
        pairs = iter(zip(found, found_dims))
        return [
            _summed(axis, *next(pairs), d) if m else Zero(a.aval) for a, d, m in zip(args[num_consts:], own, moving)
        ]

    fwd_on_batch.__qualname__, bwd_on_batch.__qualname__ = fwd.__qualname__, bwd.__qualname__
    outs = custom_vjp_call_p.bind(
        *args, jaxpr=function, fwd=fwd_on_batch, bwd=bwd_on_batch, num_consts=num_consts, name=name
    )
    return outs, function.out_dims


def _of_one(aval: ShapedArray) -> ShapedArray:
    """The type of an example of a batch at dimension 0."""
    return one_along(aval, 0)


def _summed(axis: Axis, ct: Any, dim: int | None, wanted: int | None) -> Any:
    """A cotangent whose batch is where its argument's is; the sum, where that is the same for all examples."""
    from arraytyping.runtime.lax.reductions import reduce_sum

    if wanted is not None:
        return move_batch_dim(axis, ct, dim, wanted)
    return ct if dim is None else reduce_sum(ct, (dim,))


custom_vjp_call_p.jvp_rule = _jvp_of_vjp
custom_vjp_call_p.batching_rule = _batch_vjp
custom_lin_p.transpose_rule = _transpose_lin
