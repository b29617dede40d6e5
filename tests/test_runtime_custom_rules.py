"""Functions with their own rules of differentiation: the same programs on jax."""

# ruff: noqa: E731  (programs are read more easily as expressions)

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import jax
import numpy as np
import pytest
from runtime_pairs import OURS as OUR_PAIR, THEIRS as THEIR_PAIR
from test_runtime_control_flow import OURS as BASE, THEIRS as JAX, XS, type_of, value_of

from arraytyping.runtime import tree
from arraytyping.runtime.core import Tracer
from arraytyping.runtime.transformations.custom_rules import custom_gradient, custom_jvp, custom_vjp

OURS: Any = SimpleNamespace(**vars(BASE), custom_jvp=custom_jvp, custom_vjp=custom_vjp, custom_gradient=custom_gradient)
THEIRS: Any = SimpleNamespace(
    **vars(JAX), custom_jvp=jax.custom_jvp, custom_vjp=jax.custom_vjp, custom_gradient=jax.custom_gradient
)


def with_jvp(m: Any) -> Any:
    """sin, whose derivative is said to be three times its own, so that the rule is seen to be used."""

    @m.custom_jvp  # type: ignore[untyped-decorator]
    def f(x: Any, p: Any) -> Any:
        return {"y": m.mul(m.sin(x), p["k"]), "n": p["n"]}

    @f.defjvp  # type: ignore[untyped-decorator]
    def rule(primals: Any, tangents: Any) -> Any:
        (x, p), (dx, dp) = primals, tangents
        out = f(x, p)
        slope = m.mul(m.mul(m.cos(x), 3.0), p["k"])
        return out, {"y": m.add(m.mul(slope, dx), m.mul(m.sin(x), dp["k"])), "n": dp["n"]}

    return lambda x, k: f(x, {"k": k, "n": 7})["y"]


def with_vjp(m: Any) -> Any:
    """A product whose gradient by the first factor is clipped, by the second doubled."""

    @m.custom_vjp  # type: ignore[untyped-decorator]
    def f(x: Any, k: Any, n: Any = 2) -> Any:
        return (m.mul(x, k), n)

    def fwd(x: Any, k: Any, n: Any) -> Any:
        return f(x, k, n), (x, {"k": k})

    def bwd(residuals: Any, cotangents: Any) -> Any:
        x, rest = residuals
        ct, _ = cotangents
        return m.clamp(-1.0, m.mul(ct, rest["k"]), 1.0), m.mul(m.mul(ct, x), 2.0), None

    f.defvjp(fwd, bwd)
    return lambda x, k: m.mul(f(x, k)[0], m.sin(x))


def uses(m: Any, f: Any, forward: bool) -> Any:
    """A function in every transformation, alone and together."""
    x, k = m.array(XS[1]), m.array(XS[3])
    row = m.array(XS)
    total: Any = lambda x, k: m.sum(m.vmap(f, (0, None))(x, k))
    body: Any = lambda k: lambda c, a: (m.add(f(c, k), a), f(a, c))
    over: Any = lambda x, k: m.sum(m.scan(body(k), x, row)[1])
    chosen: Any = lambda x, k: m.cond(m.lt(x, k), lambda: f(x, k), lambda: f(k, x))
    results = [
        f(x, k),
        m.jit(f)(x, k),
        m.grad(f, (0, 1))(x, k),
        m.jit(m.grad(f, (0, 1)))(x, k),
        m.grad(m.jit(f), (0, 1))(x, k),
        m.vmap(f)(row, row),
        m.vmap(f, (None, 0))(x, row),
        m.vmap(m.grad(f, (0, 1)), (0, None))(row, k),
        m.grad(total, (0, 1))(row, k),
        m.grad(over, (0, 1))(x, k),
        m.vmap(m.grad(over, (0, 1)), (0, None))(row, k),
        m.grad(m.checkpoint(over), (0, 1))(x, k),
        m.grad(lambda k: m.sum(m.vmap(lambda x: over(x, k))(row)))(k),
        m.grad(chosen, (0, 1))(x, k),
        m.jacrev(lambda r: m.vmap(f)(r, r))(row),
        m.grad(lambda x: m.sum(m.map(lambda a: f(a, x), row)))(x),
        m.vmap(m.vmap(m.grad(f, 1), (0, None)), (None, 0))(row, row),
    ]
    if forward:
        # of the second derivative in reverse of a scan jax 0.10.2 forgets the rule; it agrees with itself unrolled
        # only so
        second = m.hessian(over) if m is OURS else m.jacfwd(m.jacfwd(over))
        results += [
            m.jvp(f, (x, k), (k, x)),
            m.hessian(f)(x, k),
            m.grad(m.grad(f), 1)(x, k),
            m.jacfwd(over, 1)(x, k),
            m.vmap(lambda x: m.jvp(f, (x, k), (x, k)))(row),
            m.linearize(lambda x: f(x, k), x)[1](k),
            m.jvp(lambda r: m.vmap(f, (0, None))(r, k), (row,), (row,)),
            second(x, k),
            m.jvp(lambda x: m.while_loop(lambda c: m.lt(c, 3.0), lambda c: m.add(f(c, k), 2.5), x), (x,), (k,)),
        ]
    return results


@pytest.mark.parametrize("kind", ["custom_jvp", "custom_vjp", "custom_gradient", "defjvps"])
def test_the_rule_is_used_in_every_transformation(kind: str) -> None:
    def program(m: Any) -> Any:
        if kind == "custom_jvp":
            return uses(m, with_jvp(m), True)
        if kind == "custom_vjp":
            return uses(m, with_vjp(m), False)
        if kind == "custom_gradient":
            return uses(
                m, m.custom_gradient(lambda x, k: (m.mul(x, k), lambda g: (m.mul(g, k), m.mul(m.sin(g), x)))), False
            )
        f = m.custom_jvp(lambda x, k: m.mul(x, m.sin(k)))
        f.defjvps(lambda t, out, x, k: m.mul(m.mul(t, out), 5.0), None)
        return uses(m, f, True)

    compare_namespaces(program)


def compare_namespaces(program: Callable[[Any], Any], rtol: float = 2e-5) -> None:
    """As `compare`, of these namespaces, which have the decorators too."""
    ours, theirs = (tree.leaves(m.jit(lambda m=m: program(m))()) for m in (OURS, THEIRS))
    assert len(ours) == len(theirs)
    for i, (a, b) in enumerate(zip(ours, theirs)):
        assert type_of(a) == type_of(b), f"result {i}"
        np.testing.assert_allclose(value_of(a), value_of(b), rtol=rtol, atol=1e-6, err_msg=f"result {i}")


def test_python_control_flow_sees_values() -> None:
    """Outside of jit the functions and the rules are called with the values at hand."""

    def program(m: Any) -> Any:
        seen = []

        @m.custom_jvp  # type: ignore[untyped-decorator]
        def f(x: Any) -> Any:
            seen.append(x)
            return m.mul(x, 2.0) if float(value_of(x)) > 1 else x

        @f.defjvp  # type: ignore[untyped-decorator]
        def rule(primals: Any, tangents: Any) -> Any:
            seen.append(primals[0])
            return f(*primals), m.mul(tangents[0], 10.0 if float(value_of(primals[0])) > 1 else 1.0)

        x = m.array(np.float32(3))
        result = f(x), m.grad(f)(x), m.grad(f)(m.array(np.float32(0.5)))
        assert not any(isinstance(x, Tracer | jax.core.Tracer) for x in seen)
        return [value_of(r).item() for r in result]

    assert program(OURS) == program(THEIRS) == [6, 10, 1]


def test_arguments_that_take_no_part() -> None:
    def program(m: Any) -> Any:
        @partial(m.custom_jvp, nondiff_argnums=(0, 2))
        def apply(f: Any, x: Any, n: Any = 2.0, *, scale: Any = None) -> Any:
            return m.mul(f(x), n)

        def rule(f: Any, n: Any, primals: Any, tangents: Any) -> Any:
            return apply(f, *primals, n), m.mul(m.mul(m.cos(primals[0]), tangents[0]), n)

        apply.defjvp(rule)

        @partial(m.custom_vjp, nondiff_argnums=(1,))
        def twice(x: Any, g: Any) -> Any:
            return m.add(g(x), g(x))

        twice.defvjp(lambda x, g: (twice(x, g), {"x": x}), lambda g, r, ct: (m.mul(m.mul(ct, g(r["x"])), 7.0),))

        @partial(m.custom_vjp, nondiff_argnames="g")
        def named(x: Any, g: Any) -> Any:
            return g(x)

        named.defvjp(lambda x, g: (named(x, g), None), lambda g, r, ct: [m.mul(ct, 2.0)])
        k = m.array(XS[3])
        x = m.array(XS[1])
        return (
            m.grad(lambda x: apply(m.sin, x))(x),
            m.grad(lambda x: apply(m.sin, n=3.0, x=x))(x),
            m.grad(lambda x: apply(m.sin, x, n=m.mul(x, 1.0)))(x),
            m.vmap(m.grad(lambda x: apply(m.cos, x, k)))(m.array(XS)),
            m.jit(m.grad(lambda x, k: apply(m.sin, x, k), (0, 1)))(x, k),
            m.grad(lambda x: twice(x, m.sin))(x),
            m.grad(lambda x: twice(g=m.cos, x=x))(x),
            m.vmap(m.grad(lambda x: twice(x, m.exp)))(m.array(XS)),
            m.grad(lambda x: named(x, g=m.sin))(x),
        )

    ours, theirs = (tree.leaves(program(m)) for m in (OURS, THEIRS))
    for i, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        assert type_of(a) == type_of(b), i
        np.testing.assert_allclose(value_of(a), value_of(b), rtol=1e-6, err_msg=str(i))


def test_axis_names_and_integers_in_rules() -> None:
    def program(m: Any) -> Any:
        @m.custom_vjp  # type: ignore[untyped-decorator]
        def mean(x: Any, n: Any) -> Any:
            return m.pmean(x, "i"), n

        mean.defvjp(lambda x, n: (mean(x, n), n), lambda n, ct: (m.psum(ct[0], "i"), None))

        @m.custom_jvp  # type: ignore[untyped-decorator]
        def counted(x: Any, n: Any) -> Any:
            return m.mul(x, x), n

        @counted.defjvp  # type: ignore[untyped-decorator]
        def rule(primals: Any, tangents: Any) -> Any:
            (x, n), (dx, dn) = primals, tangents
            assert dn.dtype == jax.dtypes.float0
            assert dn.shape == ()
            return (m.mul(x, m.psum(x, "i")), n), (m.mul(dx, 4.0), dn)

        n, row = m.array(np.int32(3)), m.array(XS)
        return (
            m.vmap(m.grad(lambda x: mean(x, n)[0]), axis_name="i")(row),
            m.vmap(lambda a: m.jvp(lambda x: counted(x, n)[0], (a,), (a,)), axis_name="i")(row),
            m.vmap(lambda a, n: m.grad(lambda x: counted(x, n)[0])(a), axis_name="i")(
                row, m.array(np.arange(4, dtype=np.int32))
            ),
            m.vmap(lambda a: m.jit(m.grad(lambda x: m.add(mean(x, n)[0], counted(x, n)[0])))(a), axis_name="i")(row),
        )

    compare_namespaces(program)
    mean = OURS.custom_vjp(lambda x: OURS.pmean(x, "i"))
    mean.defvjp(lambda x: (mean(x), None), lambda _, ct: (OURS.pmean(ct, "i"),))
    # jax 0.10.2 gives the rule the sum of the cotangents of all examples, and so four times this
    of_sum = OURS.grad(lambda x: OURS.sum(OURS.vmap(mean, axis_name="i")(x)))(OURS.array(XS))
    np.testing.assert_allclose(value_of(of_sum), np.ones(4), rtol=1e-6)


def rule_for(m: Any, rule: Callable[..., Any], fun: Callable[..., Any] | None = None) -> Any:
    f = m.custom_jvp(fun or (lambda x: x))
    f.defjvp(rule)
    return f


def passes_for(m: Any, fwd: Callable[..., Any], bwd: Callable[..., Any]) -> Any:
    f = m.custom_vjp(lambda x: x)
    f.defvjp(fwd, bwd)
    return f


def one(x: Any) -> Any:
    return x, None


MISTAKES: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "no rule": (lambda m, x: m.custom_jvp(lambda x: x)(x), "No JVP defined for custom_jvp function <lambda>"),
    "no passes": (lambda m, x: m.custom_vjp(lambda x: x)(x), "No VJP defined for custom_vjp function <lambda>"),
    "a call that does not fit": (lambda m, x: rule_for(m, lambda p, t: (p, t))(x, x), "could not be resolved"),
    "no pair": (lambda m, x: m.grad(rule_for(m, lambda p, t: p[0]))(x), "must produce a pair"),
    "two structures": (
        lambda m, x: m.grad(rule_for(m, lambda p, t: (p[0], (t[0], t[0]))))(x),
        "equal container .pytree. structures",
    ),
    "another tangent": (
        lambda m, x: m.grad(rule_for(m, lambda p, t: (p[0], XS)))(x),
        r"Expected (f32|float32)\[\] .* but got (f32|float32)\[4\]",
    ),
    "another result": (lambda m, x: m.grad(m.jit(rule_for(m, lambda p, t: ((p[0],), (t[0],)))))(x), "container"),
    "another type of result": (lambda m, x: m.jvp(m.jit(rule_for(m, lambda p, t: (XS, XS))), (x,), (x,)), "shape"),
    "defjvps with other arguments": (
        lambda m, x: m.custom_jvp(lambda x, y: x, nondiff_argnums=(1,)).defjvps(None),
        "nondiff_argnums",
    ),
    "fwd without residuals": (
        lambda m, x: m.grad(passes_for(m, lambda x: x, lambda r, g: (g,)))(x),
        "must produce a pair",
    ),
    "bwd of another length": (
        lambda m, x: m.grad(passes_for(m, one, lambda r, g: (g, g)))(x),
        "same container .pytree. structure as the args tuple",
    ),
    "bwd of no tuple": (lambda m, x: m.grad(passes_for(m, one, lambda r, g: g))(x), "must produce a tuple of length"),
    "bwd of another shape": (lambda m, x: m.grad(passes_for(m, one, lambda r, g: (XS,)))(x), "at output\\[0\\]"),
    "forward through passes": (
        lambda m, x: m.jvp(passes_for(m, one, lambda r, g: (g,)), (x,), (x,)),
        "can't apply forward-mode autodiff .jvp.",
    ),
    "forward in jit": (
        lambda m, x: m.jit(lambda x: m.jvp(passes_for(m, one, lambda r, g: (g,)), (x,), (x,)))(x),
        "forward-mode autodiff",
    ),
    "a tracer that takes no part": (
        lambda m, x: m.jit(lambda y: nondiff_vjp(m)(x, y))(x),
        "Tracer object passed as an argument to a custom_vjp function",
    ),
}


def nondiff_vjp(m: Any) -> Any:
    f = m.custom_vjp(lambda x, y: x, nondiff_argnums=(1,))
    f.defvjp(lambda x, y: (x, None), lambda y, r, g: (g,))
    return f


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_exception_of_the_class_of_jax(name: str) -> None:
    call, text = MISTAKES[name]
    with pytest.raises(Exception) as theirs:  # noqa: PT011  (its class is what is asked for)
        call(THEIRS, THEIRS.array(np.float32(2)))
    with pytest.raises(Exception, match=text) as ours:
        call(OURS, OURS.array(np.float32(2)))
    names = {c.__name__ for c in type(ours.value).__mro__} - {"object"}
    assert type(theirs.value).__name__ in names, f"{type(ours.value)} in place of {type(theirs.value)}"
    assert "\n" not in str(ours.value)


def test_what_a_function_closes_over_is_not_differentiated() -> None:
    def f(y: Any) -> Any:
        g = rule_for(OURS, lambda p, t: (p[0], t[0]), lambda x: OURS.mul(x, y))
        return OURS.jit(lambda x: g(x))(y)

    with pytest.raises(Exception, match="with respect to a closed-over value"):
        OURS.grad(f)(OURS.array(np.float32(2)))


PUBLIC = OUR_PAIR, THEIR_PAIR
COTANGENTS = ("float32", "bfloat16", "float16", "int32", "bool", "weak")
AROUND: dict[str, Callable[[Any, Any, Any], Callable[[Any], Any]]] = {
    "alone": lambda fw, jnp, f: f,
    "twice": lambda fw, jnp, f: lambda x: f(x) + f(x),
    "beside": lambda fw, jnp, f: lambda x: f(x) + x,
    "of a product": lambda fw, jnp, f: lambda x: f(x * jnp.asarray(3, x.dtype)),
    "of a negative": lambda fw, jnp, f: lambda x: f(-x),
    "reshaped": lambda fw, jnp, f: lambda x: f(x.reshape(2, 1)),
    "in jit": lambda fw, jnp, f: fw.jit(f),
    "in scan": lambda fw, jnp, f: lambda x: fw.lax.scan(lambda c, _: (f(c), None), x, None, length=2)[0],
    "in checkpoint": lambda fw, jnp, f: fw.checkpoint(f),
    "mapped": lambda fw, jnp, f: fw.vmap(f),
    "of elements": lambda fw, jnp, f: lambda x: f(x[np.array([1, 0])]),
    "of a part": lambda fw, jnp, f: lambda x: f(fw.lax.dynamic_slice(x, (1,), (1,))),
}


@pytest.mark.parametrize("name", AROUND)
@pytest.mark.parametrize("own", ["float32", "bfloat16"])
def test_cotangents_keep_the_dtype_that_a_backward_pass_gives_them(own: str, name: str) -> None:
    """JAX converts none, and refuses where two dtypes meet."""
    for given in COTANGENTS:

        def program(fw: Any, jnp: Any, given: str = given) -> Any:
            def backward(_: None, ct: Any) -> Any:
                return (jnp.broadcast_to(2.0, ct.shape) if given == "weak" else jnp.ones(ct.shape, given),)

            f = fw.custom_vjp(lambda x: x)
            f.defvjp(lambda x: (x, None), backward)
            try:
                y, pull = fw.vjp(AROUND[name](fw, jnp, f), jnp.ones(2, own))
                (found,) = pull(jnp.ones(y.shape, y.dtype))
            except (TypeError, ValueError):
                return "refused"
            return str(found.dtype), bool(found.aval.weak_type), np.asarray(found).astype(float).tolist()

        assert program(*PUBLIC[0]) == program(*PUBLIC[1]), given


RECOMPUTED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "alone": lambda fw, jnp, f: fw.value_and_grad(lambda x: f(x) ** 2)(3.2),
    "in checkpoint": lambda fw, jnp, f: fw.value_and_grad(lambda x: fw.checkpoint(f)(x) ** 2)(3.2),
    "among others": lambda fw, jnp, f: fw.value_and_grad(fw.checkpoint(lambda x: f(jnp.sin(x)) ** 2))(3.2),
    "mapped within": lambda fw, jnp, f: fw.value_and_grad(lambda x: fw.checkpoint(fw.vmap(f))(x).sum())(jnp.ones(2)),
    "mapped": lambda fw, jnp, f: fw.value_and_grad(lambda x: fw.vmap(fw.checkpoint(f))(x).sum())(jnp.ones(2)),
    "each for itself": lambda fw, jnp, f: fw.vmap(fw.value_and_grad(lambda x: fw.checkpoint(f)(x)))(jnp.ones(2)),
    "in jit": lambda fw, jnp, f: fw.jit(fw.value_and_grad(lambda x: fw.checkpoint(f)(x) ** 2))(3.2),
    "of jit": lambda fw, jnp, f: fw.value_and_grad(lambda x: fw.checkpoint(fw.jit(f))(x) ** 2)(3.2),
    "twice": lambda fw, jnp, f: fw.value_and_grad(
        fw.checkpoint(lambda x: fw.checkpoint(lambda y: f(y) * 2)(f(x)))
    )(3.2),
}  # fmt: skip


@pytest.mark.parametrize("name", RECOMPUTED)
@pytest.mark.parametrize("optimized", [False, True])
def test_a_forward_pass_gives_way_to_the_function_where_no_residual_is_wanted(optimized: bool, name: str) -> None:
    """The pass computes something else than the function, so that it is seen which was run."""

    def program(fw: Any, jnp: Any) -> list[Any]:
        scale = jnp.float32(2)  # closed over
        f = fw.custom_vjp(lambda x: jnp.tan(x) * scale)
        f.defvjp(
            lambda x: (jnp.sin(x), (x,)), lambda kept, g: (jnp.cos(kept[0]) * g * scale,), optimize_remat=optimized
        )
        return [np.asarray(leaf) for leaf in RECOMPUTED[name](fw, jnp, f)]

    for ours, theirs in zip(program(*PUBLIC[0]), program(*PUBLIC[1])):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5)
