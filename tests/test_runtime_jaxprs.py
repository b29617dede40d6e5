"""Jaxprs: what is staged, the type checker, the text and its reader."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import arraytyping as at
import arraytyping.numpy as anp
from arraytyping import lax
from arraytyping.errors import JaxprTypeError
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr, jaxpr_as_fun
from arraytyping.runtime.jaxpr.parser import JaxprSyntaxError, parse_jaxpr
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var
from arraytyping.runtime.jaxpr.typecheck import typecheck_jaxpr
from arraytyping.runtime.lax.arithmetic import add_p, mul_p
from arraytyping.semantics.avals import ShapedArray

X = np.linspace(0.1, 1, 6, dtype=np.float32).reshape(2, 3)


def same(a: Any, b: Any, names: dict[Var, Var]) -> bool:
    """Whether two parts of jaxprs are equal up to the variables' identity."""
    if isinstance(a, ClosedJaxpr) and isinstance(b, ClosedJaxpr):
        return same_jaxpr(a.jaxpr, b.jaxpr)
    if isinstance(a, Literal) and isinstance(b, Literal):
        return a.aval == b.aval and type(a.val) is type(b.val) and repr(a.val) == repr(b.val)
    if isinstance(a, Var) and isinstance(b, Var):
        return names.setdefault(a, b) is b and a.aval == b.aval
    if isinstance(a, tuple) and type(a) is type(b):
        return len(a) == len(b) and all(same(x, y, names) for x, y in zip(a, b))
    return type(a) is type(b) and (a is b if isinstance(a, enum.Enum) else repr(a) == repr(b))


def same_jaxpr(a: Jaxpr, b: Jaxpr) -> bool:
    names: dict[Var, Var] = {}

    def all_same(xs: Any, ys: Any) -> bool:
        return len(xs) == len(ys) and all(same(x, y, names) for x, y in zip(xs, ys))

    return (
        all_same(a.constvars, b.constvars)
        and all_same(a.invars, b.invars)
        and len(a.eqns) == len(b.eqns)
        and all(
            e.primitive is f.primitive
            and all_same(e.invars, f.invars)
            and all_same(e.outvars, f.outvars)
            and e.params.keys() == f.params.keys()
            and all(same(e.params[k], f.params[k], names) for k in e.params)
            for e, f in zip(a.eqns, b.eqns)
        )
        and all_same(a.outvars, b.outvars)
    )


def newton(x: Any) -> Any:
    def step(c: Any) -> Any:
        return 0.5 * (c[0] + x / c[0]), c[1] + 1

    return lax.while_loop(lambda c: anp.abs(c[0] * c[0] - x) > 1e-3, step, (x, 0))


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "arithmetic": (lambda x, y: anp.sum(2.0 * anp.sin(x) + y), (X, X)),
    "nothing": (lambda: anp.float32(2.5), ()),
    "identity": (lambda x: x, (X,)),
    "several results": (lambda x: {"a": x, "b": (x + 1, 3)}, (X,)),
    "narrow dtypes": (lambda x: x.astype("bfloat16").astype("float8_e4m3fn"), (X,)),
    "complex": (lambda x: x * (1 + 2j), (X,)),
    "nan and inf": (lambda x: anp.where(x > 0, math.inf, -math.nan) - math.inf, (X,)),
    "closed over": (lambda x: x + anp.asarray(X), (X,)),
    "weak": (lambda x: (x + 1) ** 2, (2.0,)),
    "indexing": (lambda x, i: x[i, ::-1] + x[0].at[1].set(5.0), (X, np.int32(1))),
    "gather": (lambda x, i: x[:, i], (X, np.array([0, 2], np.int32))),
    "contraction": (lambda x: anp.einsum("ij,kj->ik", x, x) @ x, (X,)),
    "sorting": (lambda x: (anp.sort(x), anp.argmax(x, axis=1), anp.cumsum(x)), (X,)),
    "jit in jit": (at.jit(lambda x: at.jit(anp.tanh)(x) + 1), (X,)),
    "gradient": (at.grad(lambda x: anp.sum(anp.tanh(x @ x.T) ** 2)), (X,)),
    "gradient of jit": (at.grad(at.jit(lambda x: anp.sum(anp.tanh(x)))), (X,)),
    "checkpoint": (at.grad(at.checkpoint(lambda x: anp.sum(anp.sin(anp.sin(x))))), (X,)),
    "vmap": (at.vmap(at.jit(lambda x: x / anp.sum(x))), (X,)),
    "cond": (lambda x: lax.cond(x[0, 0] > 0, anp.sin, lambda y: y * 2, x), (X,)),
    "switch": (lambda i, x: lax.switch(i, [anp.sin, anp.cos, lambda y: y], x), (1, X)),
    "while": (newton, (np.float32(2),)),
    "scan": (lambda x: lax.scan(lambda c, y: (c + y, c * y), anp.zeros(3), x), (X,)),
    "gradient of scan": (
        at.grad(lambda x: anp.sum(lax.scan(lambda c, y: (anp.sin(c + y), c), anp.zeros(3), x)[0])),
        (X,),
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_text_is_read_back(name: str) -> None:
    function, args = PROGRAMS[name]
    closed = at.make_jaxpr(function)(*args)
    kind = typecheck_jaxpr(closed)
    text = str(closed)
    again = parse_jaxpr(text)
    assert same_jaxpr(closed.jaxpr, again), f"{text}\n{again}"
    assert str(again) == text
    assert typecheck_jaxpr(again) == kind


def test_a_jaxpr_computes_what_the_function_computes() -> None:
    function, args = PROGRAMS["arithmetic"]
    closed = at.make_jaxpr(function)(*args)
    (out,) = eval_jaxpr(closed.jaxpr, closed.consts, *map(anp.asarray, args))
    assert np.allclose(out, function(*map(anp.asarray, args)))
    assert np.allclose(jaxpr_as_fun(closed)(*map(anp.asarray, args))[0], out)
    with pytest.raises(TypeError, match="takes 0 constants and 2 inputs, got 0 and 1"):
        eval_jaxpr(closed.jaxpr, closed.consts, anp.asarray(X))


def test_type_of_a_jaxpr() -> None:
    closed = at.make_jaxpr(lambda x, n: (anp.sum(x) * n, x))(np.ones(3, np.float32), 2)
    assert str(typecheck_jaxpr(closed)) == "(f32[3], ~i32[]) -> (f32[], f32[3])"


def test_computation_on_constants_is_staged() -> None:
    closed = at.make_jaxpr(lambda: anp.sin(anp.ones(3)) + 1)()
    assert [e.primitive.name for e in closed.eqns][-2:] == ["sin", "add"]
    assert not closed.consts


F3, F4, I3 = (ShapedArray(s, d, False) for s, d in (((3,), "float32"), ((4,), "float32"), ((3,), "int32")))


def eqn(ins: list[Any], out: Var, primitive: Any = add_p) -> JaxprEqn:
    return JaxprEqn(ins, [out], primitive, {})


def test_ill_typed_jaxprs_are_rejected() -> None:
    a, b, c, d = Var(F3), Var(F3), Var(F3), Var(F3)
    other, number, wrong = Var(F4), Var(I3), Var(F4)
    cases = {
        "add uses a variable of f32[3] that is not bound before": Jaxpr([], [a], [eqn([a, b], c)], [c]),
        "uses a variable of f32[3] that is not bound": Jaxpr([], [a], [eqn([a, d], c), eqn([a, a], d)], [c]),
        "add binds a variable of f32[3] a second time": Jaxpr([], [a], [eqn([a, a], c), eqn([a, a], c)], [c]),
        "mul binds a variable of f32[3] a second time": Jaxpr([], [a], [eqn([a, a], a, mul_p)], [a]),
        "the input f32[3] is bound twice": Jaxpr([], [a, a], [], [a]),
        "add does not take (f32[3], f32[4])": Jaxpr([], [a, other], [eqn([a, other], c)], [c]),
        "requires arguments to have the same dtypes": Jaxpr([], [a, number], [eqn([a, number], c)], [c]),
        "add gives (f32[3]) by its rule, and its results are bound as (f32[4])": Jaxpr(
            [], [a], [eqn([a, a], wrong)], [a]
        ),
        "the results hold a variable of f32[3] that is not bound": Jaxpr([], [a], [], [b]),
        "the literal 2 of type int stands for f32[]": Jaxpr(
            [], [a], [eqn([a, Literal(2, ShapedArray((), "float32", False))], c)], [c]
        ),
    }
    for message, jaxpr in cases.items():
        with pytest.raises(JaxprTypeError) as raised:
            typecheck_jaxpr(jaxpr)
        assert message in str(raised.value)
        assert "{ lambda ;" in str(raised.value)
    weak = Var(ShapedArray((3,), "float32", True))
    with pytest.raises(JaxprTypeError, match=r"gives \(f32\[3\]\) by its rule.*\(~f32\[3\]\)"):
        typecheck_jaxpr(Jaxpr([], [a], [eqn([a, a], weak)], [weak]))


def test_an_error_names_the_line_of_the_program() -> None:
    def f(x: Any) -> Any:
        y = x + 1
        return y * y  # the line

    closed = at.make_jaxpr(f)(X)
    bad = closed.jaxpr.eqns[-1]
    bad.outvars = [Var(F4)]
    with pytest.raises(JaxprTypeError) as raised:
        typecheck_jaxpr(closed)
    line = f.__code__.co_firstlineno + 2
    assert f"from {__file__}:{line} (f)" in str(raised.value)
    assert "--> " in str(raised.value)
    assert str(raised.value).count("--> ") == 1


def test_an_error_in_an_inner_jaxpr() -> None:
    closed = at.make_jaxpr(at.jit(lambda x: anp.sin(x)))(X)
    inner = closed.jaxpr.eqns[0].params["jaxpr"].jaxpr
    inner.eqns[0].outvars = [Var(F4)]
    inner.outvars = inner.eqns[0].outvars
    with pytest.raises(JaxprTypeError, match="in a jaxpr of jit: sin gives"):
        typecheck_jaxpr(closed)


@pytest.mark.parametrize(
    ("primitive", "name", "value", "expected"),
    [
        ("cond", "branches", (4, 2), "jaxprs"),
        ("cond", "branches", (), "jaxprs"),
        ("cond", "branches", 4, "jaxprs"),
        ("scan", "jaxpr", None, "a jaxpr"),
        ("scan", "num_carry", "one", "an int"),
        ("scan", "reverse", 1, "a bool"),
        ("while", "body_jaxpr", 3, "a jaxpr"),
        ("jit", "jaxpr", "sin", "a jaxpr"),
    ],
)
def test_a_parameter_of_another_kind_is_an_error_of_the_checker(
    primitive: str, name: str, value: Any, expected: str
) -> None:
    def f(x: Any) -> Any:
        y = at.lax.switch(0, [anp.sin, anp.cos], at.jit(anp.tanh)(x))
        y = at.lax.while_loop(lambda v: v.sum() < 0, lambda v: v + 1, y)
        return at.lax.scan(lambda c, v: (c + v, c), anp.zeros(y.shape[1:]), y)

    closed = at.make_jaxpr(f)(X)
    typecheck_jaxpr(closed)
    (bad,) = [e for e in closed.eqns if e.primitive.name == primitive]
    bad.params[name] = value
    with pytest.raises(JaxprTypeError) as raised:
        typecheck_jaxpr(closed)
    assert f"its parameter {name} is {value!r}, and {expected} is expected" in str(raised.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: expected '{', got the end"),
        ("{ lambda ; a:f32[3]. let in (b,) }", "the variable b is not bound"),
        ("{ lambda ; a:f33[3]. let in (a,) }", "'f33' is no dtype; did you mean"),
        ("{ lambda ; a:f32[x]. let in (a,) }", "expected an int, got 'x'"),
        ("{ lambda ; a:f32[] a:f32[]. let in (a,) }", "the variable a is bound twice"),
        ("{ lambda ; a:f32[]. let b:f32[] = sinn a in (b,) }", "there is no primitive 'sinn'; did you mean sin"),
        ("{ lambda ; a:f32[]. let b:f32[] = add a 2:f32[] in (b,) }", "a literal of float32[] is a float, got 2"),
        ("{ lambda ; a:f32[]. let b:f32[] = add a b in (b,) }", "an equation uses what it binds itself"),
        ("{ lambda ; a:f32[]. let b:f32[] = sin[x=<f>] a in (b,) }", "a function cannot be read back"),
        ("{ lambda ; a:f32[]. let in (a,) } x", "expected the end, got 'x'"),
        ("{ lambda ; a:f32[]. let in (a,) } ?", "'?' begins nothing"),
    ],
)
def test_what_is_no_jaxpr(text: str, message: str) -> None:
    with pytest.raises(JaxprSyntaxError) as raised:
        parse_jaxpr(text)
    assert message in str(raised.value)
    assert str(raised.value).startswith("line 1, column ")
