"""`custom_vmap`: a function with its own rule for a whole batch; `sequential_vmap`, which loops over the examples.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.custom_batching.custom_vmap.html.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, ParamSpec, TypeVar

from arraytyping.runtime import tree
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.runtime.lax.control_flow import map as map_over
from arraytyping.runtime.tracing.batching import Axis, batch_flat, move_batch_dim
from arraytyping.runtime.tracing.forward import jvp_flat, jvp_jaxpr
from arraytyping.runtime.tracing.partial_eval import PartialTrace
from arraytyping.runtime.tracing.staging import stage
from arraytyping.runtime.tracing.tangents import Zero, has_tangent, instantiate
from arraytyping.runtime.transformations.arguments import FlatFunction, arrays_of, name_of
from arraytyping.runtime.transformations.calls import hoisted
from arraytyping.runtime.transformations.custom_functions import CustomFunction
from arraytyping.semantics.avals import ShapedArray

__all__ = ["custom_vmap", "custom_vmap_p", "sequential_vmap"]

P = ParamSpec("P")
R = TypeVar("R")

FlatRule = Callable[[int, Sequence[bool], Sequence[Any]], tuple[list[Any], list[bool]]]
"""The results for a batch of some flat arguments, and which of them are batched, at dimension 0."""


def _rule(cx: Any, *avals: ShapedArray, jaxpr: ClosedJaxpr, **params: Any) -> list[ShapedArray]:
    return jaxpr.out_avals


custom_vmap_p: Final = Primitive("custom_vmap_call", _rule, multiple_results=True, has_jaxprs=True)
"""A call of such a function: of the arrays that it closes over first (`num_consts`), then of its arguments."""


def _evaluate(*args: Any, jaxpr: ClosedJaxpr, **params: Any) -> list[Any]:
    return eval_jaxpr(jaxpr.jaxpr, jaxpr.consts, *args)


def _batch(
    axis: Axis, args: Sequence[Any], dims: Sequence[int | None], *, jaxpr: ClosedJaxpr, rule: FlatRule,
    num_consts: int, name: str,
) -> tuple[list[Any], list[int | None]]:  # fmt: skip
    if all(d is None for d in dims):
        return batch_flat(lambda *xs: _evaluate(*xs, jaxpr=jaxpr), axis, args, dims)
    if any(d is not None for d in dims[:num_consts]):
        raise ValueError(f"the custom_vmap function {name} closes over a value that is mapped; pass it as an argument")
    front = [a if d is None else move_batch_dim(axis, a, d, 0) for a, d in zip(args, dims)]
    outs, batched = rule(axis.size, [d is not None for d in dims[num_consts:]], front[num_consts:])
    return outs, [0 if b else None for b in batched]


def _jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, jaxpr: ClosedJaxpr, rule: FlatRule, num_consts: int, name: str
) -> tuple[list[Any], list[Any]]:
    moving = [has_tangent(p.aval) for p in primals]
    derived, out_moving = jvp_jaxpr(jaxpr, moving, True)
    n = len(primals) - num_consts
    given = [instantiate(t) for t, m in zip(tangents, moving) if m]
    of_consts = sum(moving[:num_consts])
    if of_consts:  # they stand before the arguments, with their tangents
        derived = _reordered(derived, num_consts, len(primals), of_consts)
    outs = iter(
        custom_vmap_p.bind(
            *primals[:num_consts], *given[:of_consts], *primals[num_consts:], *given[of_consts:], jaxpr=derived,
            rule=_derived_rule(rule, n, moving[num_consts:], out_moving), num_consts=num_consts + of_consts, name=name,
        )
    )  # fmt: skip
    results = [next(outs) for _ in jaxpr.out_avals]
    return results, [next(outs) if m else Zero(o.aval) for o, m in zip(results, out_moving)]


def _reordered(closed: ClosedJaxpr, num_consts: int, n: int, of_consts: int) -> ClosedJaxpr:
    """The jaxpr of consts, their tangents, arguments and their tangents, of one that takes all tangents last."""

    def call(*args: Any) -> list[Any]:
        middle = num_consts + of_consts
        consts, tangents, own = args[:num_consts], args[num_consts:middle], args[middle:]
        count = n - num_consts
        return eval_jaxpr(closed.jaxpr, closed.consts, *consts, *own[:count], *tangents, *own[count:])

    avals = closed.in_avals
    order = [*avals[:num_consts], *avals[n : n + of_consts], *avals[num_consts:n], *avals[n + of_consts :]]
    return stage(call, order)


def _derived_rule(rule: FlatRule, n: int, moving: Sequence[bool], out_moving: Sequence[bool]) -> FlatRule:
    """The rule of the derivative: of the arguments and their tangents.

    Where the one is batched and the other is not, the rule is differentiated for each example, as in JAX.
    """

    def derived(size: int, batched: Sequence[bool], args: Sequence[Any]) -> tuple[list[Any], list[bool]]:
        of_tangents = iter(batched[n:])
        pairs = [(b, next(of_tangents) if m else b) for b, m in zip(batched[:n], moving)]
        both = [p and t for p, t in pairs]
        extra = [0 if p and not t else None for p, t in pairs]
        extra += [0 if t and not p else None for (p, t), m in zip(pairs, moving) if m]
        out_batched: list[bool] = []

        def of_rule(*primals: Any) -> list[Any]:
            outs, out_batched[:] = rule(size, both, primals)
            return outs

        def of_all(*values: Any) -> list[Any]:
            given = iter(values[n:])
            tangents = [next(given) if m else Zero(p.aval) for p, m in zip(values[:n], moving)]
            outs, out_tangents = jvp_flat(of_rule, values[:n], tangents)
            return [*outs, *(instantiate(t) for t, m in zip(out_tangents, out_moving) if m)]

        axis = Axis(size)
        found, dims = batch_flat(of_all, axis, args, extra)
        own = [*out_batched, *(b for b, m in zip(out_batched, out_moving) if m)]
        placed = [f if d is None else move_batch_dim(axis, f, d, 0) for f, d in zip(found, dims)]
        return placed, [b or d is not None for b, d in zip(own, dims)]

    return derived


def _no_reverse(trace: PartialTrace, args: Sequence[Any], params: dict[str, Any]) -> list[Any]:
    raise ValueError(
        f"Linearization failed to produce known values for all output primals: the custom_vmap function "
        f"{params['name']} has no derivative in reverse; give it one by custom_vjp around it"
    )


custom_vmap_p.eval_rule = _evaluate
custom_vmap_p.batching_rule = _batch
custom_vmap_p.jvp_rule = _jvp
custom_vmap_p.partial_eval_rule = _no_reverse


class custom_vmap(CustomFunction[P, R], Generic[P, R]):
    """`jax.custom_batching.custom_vmap`: a function with its own rule for `vmap`, that `def_vmap` takes."""

    _what = "custom_vmap"
    vmap_rule: Callable[..., tuple[Any, Any]] | None = None

    def __init__(self, fun: Callable[P, R]) -> None:
        super().__init__(fun)

    def def_vmap(self, vmap_rule: Callable[..., tuple[Any, Any]]) -> Callable[..., tuple[Any, Any]]:
        """Set the rule: `vmap_rule(axis_size, in_batched, *args)` gives the results and which of them are batched.

        `in_batched` is a list of trees of bools, one for each argument; batches are at dimension 0.
        """
        self.vmap_rule = vmap_rule
        return vmap_rule

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The function's result.

        Raises:
            AttributeError: if no rule is set.
            TypeError: for arguments that cannot be given by position.
        """
        positional = self._positional(args, kwargs)
        rule = self.vmap_rule
        if rule is None:
            raise AttributeError(f"No batching rule defined for custom_vmap function {self._name} using def_vmap.")
        found, in_tree = tree.flatten(positional)
        leaves = arrays_of(found, self.fun, lambda i: tree.path_str(in_tree.paths()[i]))
        flat = FlatFunction(self.fun, in_tree)
        jaxpr, consts = hoisted(stage(flat, [leaf.aval for leaf in leaves]))
        outs = custom_vmap_p.bind(
            *consts, *leaves, jaxpr=jaxpr, rule=_flat(rule, in_tree, flat.out_tree), num_consts=len(consts),
            name=self._name,
        )  # fmt: skip
        return tree.unflatten(flat.out_tree, outs)  # type: ignore[no-any-return]


def _flat(rule: Callable[..., tuple[Any, Any]], in_tree: Any, out_tree: Any) -> FlatRule:
    """The rule of flat arguments.

    Raises (when called):
        ValueError: if the results are not of the function's structure, or what says which are batched is not.
    """

    def flat(size: int, batched: Sequence[bool], args: Sequence[Any]) -> tuple[list[Any], list[bool]]:
        results, out_batched = rule(size, list(tree.unflatten(in_tree, batched)), *tree.unflatten(in_tree, args))
        outs, structure = tree.flatten(results)
        flags, of_flags = tree.flatten(out_batched)
        if structure != of_flags:
            raise ValueError(
                "structure of output value and output batching specification returned by custom vmap rule "
                f"({name_of(rule)}) do not match: {structure} and {of_flags}"
            )
        if structure != out_tree:
            raise ValueError(
                f"structure of output returned by custom vmap rule ({name_of(rule)}) does not match that of original "
                f"custom-vmapped function: {structure} and {out_tree}"
            )
        return arrays_of(outs, rule, lambda i: f"(a result) {tree.path_str(structure.paths()[i])}"), flags

    flat.__qualname__ = name_of(rule)
    return flat


def sequential_vmap(f: Callable[P, R]) -> custom_vmap[P, R]:
    """`jax.custom_batching.sequential_vmap`: a function that a loop calls for each example of a batch."""
    function: custom_vmap[P, R] = custom_vmap(f)

    call: Callable[..., Any] = function

    def rule(axis_size: int, in_batched: list[Any], *args: Any) -> tuple[Any, Any]:
        leaves, structure = tree.flatten(args)
        batched = tree.leaves(in_batched)

        def on_example(mapped: list[Any]) -> Any:
            examples = iter(mapped)
            whole = tree.unflatten(structure, [next(examples) if b else leaf for leaf, b in zip(leaves, batched)])
            return call(*whole)

        out = map_over(on_example, [leaf for leaf, b in zip(leaves, batched) if b])
        return out, tree.map(lambda _: True, out)

    function.def_vmap(rule)
    return function
