"""`custom_jvp`: a function with its own rule of forward differentiation.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.custom_jvp.html.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.core import Tracer
from arraytyping.runtime.jaxpr.syntax import short_aval
from arraytyping.runtime.tracing.tangents import Zero, has_tangent
from arraytyping.runtime.transformations.arguments import name_of
from arraytyping.runtime.transformations.custom_calls import custom_jvp_call_p
from arraytyping.runtime.transformations.custom_functions import (
    CustomFunction,
    OutTree,
    disagreeing,
    pair_of,
    results_of,
)
from arraytyping.runtime.transformations.differentiation import float0, float0_zeros
from arraytyping.runtime.transformations.symbolic_zeros import SymbolicZero, as_seen
from arraytyping.semantics.rules.control_flow import same_type

__all__ = ["custom_jvp"]

P = ParamSpec("P")
R = TypeVar("R")


class custom_jvp(CustomFunction[P, R]):
    """`jax.custom_jvp`: a function whose derivative a rule says, that `defjvp` (or `defjvps`) takes.

    The arguments `nondiff_argnums` take no part in differentiation: the rule gets them first, as they are.
    """

    _what = "custom_jvp"
    jvp: Callable[..., Any] | None = None
    symbolic_zeros: bool = False

    def defjvp(self, jvp: Callable[..., Any], symbolic_zeros: bool = False) -> Callable[..., Any]:
        """Set the rule: `jvp(primals, tangents)`, two tuples, gives the result and its tangent.

        With `symbolic_zeros` the tangents of what is not differentiated are `SymbolicZero`s, else arrays of zeros.
        """
        self.jvp = jvp
        self.symbolic_zeros = symbolic_zeros
        return jvp

    def defjvps(self, *jvps: Callable[..., Any] | None) -> None:
        """Set a rule for each argument: `jvp(tangent, result, *primals)`; None for one without a derivative.

        Raises:
            TypeError: with `nondiff_argnums`.
        """
        if self.nondiff_argnums:
            raise TypeError("Can't use ``defjvps`` with ``nondiff_argnums``.")

        function: Callable[..., Any] = self

        def jvp(primals: Any, tangents: Any) -> Any:
            result = function(*primals)
            parts = [rule(t, result, *primals) for t, rule in zip(tangents, jvps) if rule]
            return result, tree.map(_sum_of, result, *parts)

        self.defjvp(jvp)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The function's result.

        Raises:
            AttributeError: if no rule is set.
            TypeError: if what the rule gives does not fit the function.
        """
        if self.jvp is None:
            raise AttributeError(f"No JVP defined for custom_jvp function {self._name} using defjvp.")
        static, others = self._split(self._positional(args, kwargs))
        found, in_tree = tree.flatten(others)
        leaves = self._arrays(found, in_tree)
        # tracers among the static arguments are operands too, whose tangents are not looked at
        static_leaves, static_tree = tree.flatten(static)
        traced = [isinstance(leaf, Tracer) for leaf in static_leaves]
        n = sum(traced)
        out = OutTree()
        symbolic = self.symbolic_zeros

        def all_static(values: Sequence[Any]) -> list[Any]:
            given = iter(values)
            found: list[Any] = tree.unflatten(
                static_tree, [next(given) if t else v for v, t in zip(static_leaves, traced)]
            )
            return found

        def function(*values: Any) -> list[Any]:
            given = self._joined(all_static(values[:n]), tree.unflatten(in_tree, values[n:]))
            outs, structure = results_of(self.fun(*given), self.fun)
            out.enter(structure, [o.aval for o in outs], getattr(self.jvp, "__name__", "jvp"), self._name)
            return outs

        def rule(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
            return self._differentiated(
                all_static(primals[:n]), tree.unflatten(in_tree, primals[n:]),
                tree.unflatten(in_tree, [as_seen(t, symbolic) for t in tangents[n:]]), out,
            )  # fmt: skip

        rule.__qualname__ = name_of(self.jvp)  # as jaxprs name it
        outs = custom_jvp_call_p.bind(
            *(v for v, t in zip(static_leaves, traced) if t),
            *leaves,
            jaxpr=function,
            jvp=rule,
            num_consts=0,
            name=self._name,
        )
        return tree.unflatten(out.tree, outs)  # type: ignore[no-any-return]

    def _differentiated(
        self, static: Sequence[Any], primals: Any, tangents: Any, out: OutTree
    ) -> tuple[list[Any], list[Any]]:
        assert self.jvp is not None
        rule = name_of(self.jvp)
        pair = pair_of(
            self.jvp(*static, primals, tangents),
            f"Custom JVP rule {rule} for function {self._name} must produce a pair (list or tuple of length two) "
            "representing "
            "primal and tangent outputs",
        )
        outs, structure = results_of(pair[0], self.jvp)
        found, tangent_structure = tree.flatten(pair[1])
        if structure != tangent_structure:
            raise disagreeing(
                TypeError(
                    f"Custom JVP rule {rule} for function {self._name} must produce primal and tangent "
                    "outputs with equal "
                    "container "
                    f"(pytree) structures, but got {structure} and {tangent_structure} respectively."
                )
            )
        out.enter(structure, [o.aval for o in outs], rule, self._name)
        return outs, [_tangent_of(o, t, rule) for o, t in zip(outs, found)]


def _sum_of(result: Any, *parts: Any) -> Any:
    from arraytyping.runtime.lax.arithmetic import add_p
    from arraytyping.runtime.lax.creation import zeros_of

    aval = array_from(result).aval
    if not has_tangent(aval):
        return float0_zeros(aval)
    arrays = [array_from(p) for p in parts]
    return functools.reduce(add_p.bind, arrays) if arrays else zeros_of(aval)


def _tangent_of(out: Any, tangent: Any, rule: str) -> Any:
    """A tangent that a rule gives, checked against its result."""
    aval = out.aval
    if type(tangent) is SymbolicZero:
        if (tangent.shape, tangent.aval.dtype) != (aval.shape, aval.dtype):
            raise disagreeing(
                TypeError(
                    f"Custom JVP rule {rule} must produce primal and tangent outputs with corresponding "
                    "shapes and dtypes. "
                    f"Expected {short_aval(aval)} (tangent type of {short_aval(aval)}) but got a SymbolicZero of "
                    f"{short_aval(tangent.aval)}."
                )
            )
        return Zero(aval)
    if not has_tangent(aval):
        given = getattr(tangent, "dtype", None)
        if given != float0:
            raise disagreeing(
                TypeError(
                    f"Custom JVP rule {rule} must produce primal and tangent outputs with corresponding "
                    "shapes and dtypes. "
                    f"Expected float0 (tangent type of {short_aval(aval)}) but got {given or type(tangent).__name__}."
                )
            )
        return Zero(aval)
    found = materialized(array_from(tangent))
    if not same_type(found.aval, aval):
        raise disagreeing(
            TypeError(
                f"Custom JVP rule {rule} must produce primal and tangent outputs with corresponding shapes and dtypes. "
                "Expected "
                f"{short_aval(aval)} (tangent type of {short_aval(aval)}) but got {short_aval(found.aval)}."
            )
        )
    return found
