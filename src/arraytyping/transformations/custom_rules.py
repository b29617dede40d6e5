"""Functions with their own rules of differentiation: `custom_jvp`, `custom_vjp`, `custom_gradient`.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.custom_jvp.html;
https://docs.jax.dev/en/latest/_autosummary/jax.custom_vjp.html.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, Generic, ParamSpec, TypeVar

from arraytyping import tree
from arraytyping.avals import ShapedArray
from arraytyping.calling import array_from, convert_to, materialized
from arraytyping.core import Tracer
from arraytyping.errors import UnexpectedTracerError
from arraytyping.jaxpr.syntax import short_aval
from arraytyping.rules.control_flow import same_type
from arraytyping.tracing.tangents import Zero, has_tangent, is_zero
from arraytyping.transformations.arguments import arrays_of, name_of
from arraytyping.transformations.custom_calls import custom_jvp_call_p, custom_vjp_call_p
from arraytyping.transformations.differentiation import float0, float0_zeros

__all__ = ["custom_jvp", "custom_vjp"]

P = ParamSpec("P")
R = TypeVar("R")


class _Custom(Generic[P, R]):
    """A function of which some arguments take part in differentiation; the others are given to its rule as they are."""

    _what = ""

    def __init__(
        self, fun: Callable[P, R], nondiff_argnums: Sequence[int] = (), nondiff_argnames: Sequence[str] = ()
    ) -> None:
        if not callable(fun):
            raise TypeError(f"{self._what} takes a function, got {fun!r:.60} of type {type(fun).__name__}")
        functools.update_wrapper(self, fun)
        self.fun = fun
        self._name = name_of(fun)
        try:
            self._signature: inspect.Signature | None = inspect.signature(fun)
        except (TypeError, ValueError):
            self._signature = None
        numbers = {nondiff_argnums} if isinstance(nondiff_argnums, int) else set(nondiff_argnums)
        names = [] if self._signature is None else list(self._signature.parameters)
        for name in (nondiff_argnames,) if isinstance(nondiff_argnames, str) else nondiff_argnames:
            if name not in names:
                raise ValueError(f"{self._what}: {self._name} has no parameter {name!r}; it has {', '.join(names) or 'none'}")
            numbers.add(names.index(name))
        self.nondiff_argnums = tuple(sorted(numbers))

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def _positional(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """All arguments by position, defaults filled in.

        Raises:
            TypeError: if they do not fit the function's signature, or one can only be given by keyword.
        """
        if self._signature is None:
            return args
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(
                f"The input arguments to the {self._what}-decorated function {self._name} could not be resolved to "
                f"positional-only arguments. Binding failed with the error: {error}"
            ) from None
        bound.apply_defaults()
        if bound.kwargs:
            raise TypeError(
                f"The input arguments to the {self._what}-decorated function {self._name} could not be resolved to "
                f"positional-only arguments: {', '.join(bound.kwargs)} can only be given by keyword"
            )
        return bound.args

    def _split(self, args: tuple[Any, ...]) -> tuple[list[Any], tuple[Any, ...]]:
        """The arguments that take no part in differentiation, and the others."""
        for n in self.nondiff_argnums:
            if n >= len(args):
                raise TypeError(
                    f"{self._what}: nondiff_argnums names argument {n}, but {self._name} was called with {len(args)}"
                )
        return [args[n] for n in self.nondiff_argnums], tuple(
            a for n, a in enumerate(args) if n not in self.nondiff_argnums
        )

    def _joined(self, static: Sequence[Any], others: Sequence[Any]) -> list[Any]:
        """All arguments in their order."""
        given = list(others)
        for n, value in zip(self.nondiff_argnums, static):
            given.insert(n, value)
        return given

    def _arrays(self, found: Sequence[Any], in_tree: Any) -> list[Any]:
        return arrays_of(found, self.fun, lambda i: tree.path_str(in_tree.paths()[i]))


def _results(value: Any, function: Callable[..., Any]) -> tuple[list[Any], Any]:
    found, structure = tree.flatten(value)
    arrays = arrays_of(found, function, lambda i: f"(a result) {tree.path_str(structure.paths()[i])}")
    return [materialized(a) for a in arrays], structure


def _pair(value: Any, message: str) -> Any:
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise TypeError(f"{message}, but got {value!r:.80}")
    return value


class _OutTree:
    """The structure of the results, known when one of the functions has run; they must agree."""

    def __init__(self) -> None:
        self.tree: Any = None
        self.avals: list[ShapedArray] | None = None

    def enter(self, structure: Any, avals: list[ShapedArray], rule: str, name: str) -> None:
        """Note the structure and the types.

        Raises:
            TypeError: if others are known.
        """
        if self.tree is not None:
            if self.tree != structure:
                raise TypeError(
                    f"the rule {rule} must give as its first result what {name} gives, in the same container (pytree) "
                    f"structure, but one is {structure} and the other {self.tree}"
                )
            assert self.avals is not None
            if not all(map(same_type, avals, self.avals)):
                raise TypeError(
                    f"the rule {rule} must give as its first result what {name} gives, with the same shapes and dtypes, but "
                    f"one is {', '.join(map(short_aval, avals))} and the other {', '.join(map(short_aval, self.avals))}"
                )
        self.tree, self.avals = structure, avals


class custom_jvp(_Custom[P, R]):
    """`jax.custom_jvp`: a function whose derivative a rule says, that `defjvp` (or `defjvps`) takes.

    The arguments `nondiff_argnums` take no part in differentiation: the rule gets them first, as they are.
    """

    _what = "custom_jvp"
    jvp: Callable[..., Any] | None = None

    def defjvp(self, jvp: Callable[..., Any], symbolic_zeros: bool = False) -> Callable[..., Any]:
        """Set the rule: `jvp(primals, tangents)`, two tuples, gives the result and its tangent.

        Raises:
            NotImplementedError: with `symbolic_zeros`.
        """
        if symbolic_zeros:
            raise NotImplementedError("custom_jvp: symbolic_zeros is not supported; the rule gets zeros as arrays")
        self.jvp = jvp
        return jvp

    def defjvps(self, *jvps: Callable[..., Any] | None) -> None:
        """Set a rule for each argument: `jvp(tangent, result, *primals)`; None for one without a derivative.

        Raises:
            TypeError: with `nondiff_argnums`.
        """
        if self.nondiff_argnums:
            raise TypeError("Can't use ``defjvps`` with ``nondiff_argnums``.")

        def jvp(primals: Any, tangents: Any) -> Any:
            result = self(*primals)
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
        out = _OutTree()

        def all_static(values: Sequence[Any]) -> list[Any]:
            given = iter(values)
            return tree.unflatten(static_tree, [next(given) if t else v for v, t in zip(static_leaves, traced)])  # type: ignore[no-any-return]

        def function(*values: Any) -> list[Any]:
            given = self._joined(all_static(values[:n]), tree.unflatten(in_tree, values[n:]))
            outs, structure = _results(self.fun(*given), self.fun)
            out.enter(structure, [o.aval for o in outs], getattr(self.jvp, "__name__", "jvp"), self._name)
            return outs

        def rule(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
            return self._differentiated(
                all_static(primals[:n]), tree.unflatten(in_tree, primals[n:]),
                tree.unflatten(in_tree, [_as_seen(t) for t in tangents[n:]]), out,
            )  # fmt: skip

        outs = custom_jvp_call_p.bind(
            *(v for v, t in zip(static_leaves, traced) if t), *leaves, jaxpr=function, jvp=rule, num_consts=0, name=self._name
        )
        return tree.unflatten(out.tree, outs)  # type: ignore[no-any-return]

    def _differentiated(self, static: Sequence[Any], primals: Any, tangents: Any, out: _OutTree) -> Any:
        assert self.jvp is not None
        rule = name_of(self.jvp)
        pair = _pair(
            self.jvp(*static, primals, tangents),
            f"Custom JVP rule {rule} for function {self._name} must produce a pair (list or tuple of length two) representing "
            "primal and tangent outputs",
        )
        outs, structure = _results(pair[0], self.jvp)
        found, tangent_structure = tree.flatten(pair[1])
        if structure != tangent_structure:
            raise TypeError(
                f"Custom JVP rule {rule} for function {self._name} must produce primal and tangent outputs with equal container "
                f"(pytree) structures, but got {structure} and {tangent_structure} respectively."
            )
        out.enter(structure, [o.aval for o in outs], rule, self._name)
        return outs, [_tangent_of(o, t, rule) for o, t in zip(outs, found)]


def _as_seen(tangent: Any) -> Any:
    """A tangent as a rule gets it."""
    return float0_zeros(tangent.aval) if is_zero(tangent) and not has_tangent(tangent.aval) else tangent


def _sum_of(result: Any, *parts: Any) -> Any:
    from arraytyping.lax.arithmetic import add_p
    from arraytyping.lax.creation import zeros_of

    aval = array_from(result).aval
    if not has_tangent(aval):
        return float0_zeros(aval)
    arrays = [array_from(p) for p in parts]
    return functools.reduce(add_p.bind, arrays) if arrays else zeros_of(aval)


def _tangent_of(out: Any, tangent: Any, rule: str) -> Any:
    """A tangent that a rule gives, checked against its result."""
    aval = out.aval
    if not has_tangent(aval):
        given = getattr(tangent, "dtype", None)
        if given != float0:
            raise TypeError(
                f"Custom JVP rule {rule} must produce primal and tangent outputs with corresponding shapes and dtypes. "
                f"Expected float0 (tangent type of {short_aval(aval)}) but got {given or type(tangent).__name__}."
            )
        return Zero(aval)
    found = materialized(array_from(tangent))
    if not same_type(found.aval, aval):
        raise TypeError(
            f"Custom JVP rule {rule} must produce primal and tangent outputs with corresponding shapes and dtypes. Expected "
            f"{short_aval(aval)} (tangent type of {short_aval(aval)}) but got {short_aval(found.aval)}."
        )
    return found


class custom_vjp(_Custom[P, R]):
    """`jax.custom_vjp`: a function with its own forward and backward pass, that `defvjp` takes.

    The arguments `nondiff_argnums` take no part in differentiation: the backward pass gets them first, as they are.
    """

    _what = "custom_vjp"
    fwd: Callable[..., Any] | None = None
    bwd: Callable[..., Any] | None = None

    def defvjp(
        self, fwd: Callable[..., Any], bwd: Callable[..., Any], symbolic_zeros: bool = False, optimize_remat: bool = False
    ) -> None:
        """Set the passes: `fwd(*args)` gives the result and residuals, `bwd(residuals, cotangent)` a tuple of cotangents.

        Raises:
            NotImplementedError: with `symbolic_zeros`.
        """
        if symbolic_zeros:
            raise NotImplementedError("custom_vjp: symbolic_zeros is not supported; the rule gets zeros as arrays")
        del optimize_remat  # it changes nothing of the result
        self.fwd, self.bwd = fwd, bwd

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
                "nondiff_argnums as non-differentiable. Tracers cannot be passed as non-differentiable arguments to custom_vjp "
                "functions; pass it as a differentiable one, and give None for its cotangent."
            )
        found, in_tree = tree.flatten(others)
        leaves = self._arrays(found, in_tree)
        avals = [leaf.aval for leaf in leaves]
        out = _OutTree()
        residual_tree: list[Any] = []

        def function(*values: Any) -> list[Any]:
            outs, structure = _results(self.fun(*self._joined(static, tree.unflatten(in_tree, values))), self.fun)
            out.enter(structure, [o.aval for o in outs], name_of(fwd), self._name)
            return outs

        def forward(*values: Any) -> tuple[list[Any], list[Any]]:
            pair = _pair(
                fwd(*self._joined(static, tree.unflatten(in_tree, values))),
                f"Custom VJP fwd rule {name_of(fwd)} for function {self._name} must produce a pair (list or tuple of length "
                "two) of the primal output and residuals",
            )
            outs, structure = _results(pair[0], fwd)
            out.enter(structure, [o.aval for o in outs], name_of(fwd), self._name)
            residuals, residual_tree[:] = (lambda r: (r[0], [r[1]]))(_results(pair[1], fwd))
            return outs, residuals

        def backward(residuals: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
            given = bwd(
                *static,
                tree.unflatten(residual_tree[0], residuals),
                tree.unflatten(out.tree, [_as_seen(ct) for ct in cotangents]),
            )
            return _cotangents(given, in_tree, avals)

        outs = custom_vjp_call_p.bind(
            *leaves, jaxpr=function, fwd=forward, bwd=backward, num_consts=0, name=self._name
        )
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
        raise TypeError(
            "Custom VJP bwd rule must produce an output with the same container (pytree) structure as the args tuple of the "
            "primal function, and in particular must produce a tuple of length equal to the number of arguments to the primal "
            f"function, but got bwd output structure {tree.structure(given)} for primal input structure {in_tree}."
        ) from None
    results: list[Any] = []
    for i, (ct, aval) in enumerate(zip(found, avals)):
        if ct is None or not has_tangent(aval):
            results.append(Zero(aval))
            continue
        array = materialized(array_from(ct))
        if array.aval.shape != aval.shape:
            raise ValueError(
                "Custom VJP bwd rule must produce an output with the same type as the args tuple of the primal function, but "
                f"at output{tree.path_str(in_tree.paths()[i])} the bwd rule produced an output of type "
                f"{short_aval(array.aval)} corresponding to an input of type {short_aval(aval)}"
            )
        results.append(convert_to(array, str(aval.dtype), bool(array.aval.weak_type)))
    return results
