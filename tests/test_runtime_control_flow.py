"""Control flow, collectives and Jacobians at run time: the same programs on jax, in every transformation and order."""

# ruff: noqa: E731  (programs are read more easily as expressions)

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from answers import compiled

import arraytyping as at
import arraytyping.lax
import arraytyping.numpy
import arraytyping.runtime.xla.execution
from arraytyping import config
from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import array_from
from arraytyping.runtime.core import Tracer
from arraytyping.runtime.lax import (
    arithmetic,
    collectives,
    comparisons,
    control_flow,
    elementary,
    exchanges,
    reductions,
)
from arraytyping.runtime.lax.choices import clamp, select, select_n
from arraytyping.runtime.lax.control_flow import scan_p
from arraytyping.runtime.transformations.differentiation import grad, jvp, linearize, value_and_grad, vjp
from arraytyping.runtime.transformations.jacobians import hessian, jacfwd, jacobian, jacrev
from arraytyping.runtime.transformations.jit import jit
from arraytyping.runtime.transformations.mapping import vmap
from arraytyping.runtime.transformations.staging_out import checkpoint, eval_shape, make_jaxpr

OURS: Any = SimpleNamespace(
    **{name: getattr(arithmetic, name) for name in ("add", "mul", "sub")},
    **{name: getattr(elementary, name) for name in ("sin", "cos", "exp")},
    **{name: getattr(control_flow, name) for name in control_flow.__all__},
    **{name: getattr(collectives, name) for name in collectives.__all__},
    **{name: getattr(exchanges, name) for name in exchanges.__all__},
    lt=comparisons.lt,
    gt=comparisons.gt,
    select=select,
    select_n=select_n,
    clamp=clamp,
    sum=lambda x: reductions.reduce_sum(x, tuple(range(len(x.aval.shape)))),
    array=array_from,
    jit=jit,
    grad=grad,
    value_and_grad=value_and_grad,
    vjp=vjp,
    jvp=jvp,
    linearize=linearize,
    vmap=vmap,
    checkpoint=checkpoint,
    jacfwd=jacfwd,
    jacrev=jacrev,
    jacobian=jacobian,
    hessian=hessian,
    eval_shape=eval_shape,
    make_jaxpr=make_jaxpr,
)
THEIRS: Any = SimpleNamespace(
    **{
        name: getattr(jax.lax, name)
        for name in (
            "add",
            "mul",
            "sub",
            "sin",
            "cos",
            "exp",
            "lt",
            "gt",
            "select",
            "select_n",
            "clamp",
            "cond",
            "switch",
            "while_loop",
            "fori_loop",
            "scan",
            "map",
            "associative_scan",
            *collectives.__all__,
            *exchanges.__all__,
        )
    },
    **{
        name: getattr(jax, name)
        for name in (
            "jit",
            "grad",
            "value_and_grad",
            "vjp",
            "jvp",
            "linearize",
            "vmap",
            "checkpoint",
            "jacfwd",
            "jacrev",
            "jacobian",
            "hessian",
            "eval_shape",
            "make_jaxpr",
        )
    },
    sum=jnp.sum,
    array=jnp.asarray,
)

XS = np.array([0.3, 1.2, -0.7, 2.0], np.float32)
ROWS = np.array([[0.3, -1.2, 0.7], [0.5, 0.1, 2.0]], np.float32)


def value_of(x: Any) -> Any:
    return np.asarray(x._value if hasattr(x, "_value") and hasattr(x, "aval") else x)


def type_of(x: Any) -> tuple[Any, ...]:
    aval = getattr(x, "aval", x)
    return tuple(aval.shape), str(aval.dtype), bool(getattr(aval, "weak_type", False))


def compare(program: Callable[..., Any], *args: Any, rtol: float = 2e-5) -> None:
    """The program gives the same on both, in values, dtypes and weak types."""
    ours = tree.leaves(OURS.jit(lambda *xs: program(OURS, *xs))(*args))
    theirs = tree.leaves(compiled(partial(program, THEIRS), *args))
    assert len(ours) == len(theirs)
    for i, (a, b) in enumerate(zip(ours, theirs)):
        assert type_of(a) == type_of(b), f"result {i}"
        np.testing.assert_allclose(
            value_of(a).astype(np.float64), value_of(b).astype(np.float64), rtol=rtol, atol=1e-6, err_msg=f"result {i}"
        )


def step(m: Any, w: Any) -> Callable[[Any, Any], tuple[Any, Any]]:
    """A body with a condition in it, that closes over `w`."""

    def body(carry: Any, a: Any) -> tuple[Any, Any]:
        new = m.cond(
            m.lt(carry, m.array(np.float32(0.8))), lambda v: m.mul(m.sin(v), w), lambda v: m.mul(m.cos(a), v), carry
        )
        return m.add(new, a), m.mul(carry, m.mul(w, w))

    return body


def loss(m: Any, w: Any, xs: Any) -> Any:
    carry, ys = m.scan(step(m, w), w, xs)
    return m.add(m.mul(carry, carry), m.sum(ys))


def derivatives_of_scan_of_cond(m: Any, w: Any, xs: Any) -> Any:
    both = m.grad(lambda w, xs: loss(m, w, xs), (0, 1))
    again = m.checkpoint(lambda w, xs: loss(m, w, xs))
    value, linear = m.linearize(lambda w: loss(m, w, xs), w)
    return (
        both(w, xs),
        m.jvp(lambda w, xs: loss(m, w, xs), (w, xs), (w, xs)),
        value,
        linear(w),
        m.grad(again, (0, 1))(w, xs),
        m.grad(m.jit(lambda w: loss(m, w, xs)))(w),
    )


def higher_derivatives(m: Any, w: Any, xs: Any) -> Any:
    f: Any = lambda w: loss(m, w, xs)
    return (
        m.grad(m.grad(f))(w),
        m.jvp(m.grad(f), (w,), (w,)),
        m.hessian(lambda xs: loss(m, w, xs))(xs),
        m.jacfwd(m.jacrev(f))(w),
        m.jacrev(m.jacfwd(f))(w),
    )


def batches_of_scan_of_cond(m: Any, ws: Any, xs: Any) -> Any:
    f: Any = lambda w, xs: loss(m, w, xs)
    return (
        m.vmap(f, (0, None))(ws, xs),
        m.vmap(f, (None, 0))(m.sum(ws), ROWS),
        m.vmap(m.grad(f), (0, None))(ws, xs),
        m.grad(lambda ws: m.sum(m.vmap(f, (0, None))(ws, xs)))(ws),
        m.jvp(lambda ws: m.vmap(f, (0, None))(ws, xs), (ws,), (ws,)),
        m.vmap(lambda w: m.jvp(lambda w: m.vmap(lambda a: loss(m, w, a))(ROWS), (w,), (w,)))(ws),
        m.vmap(m.checkpoint(m.grad(f)), (0, None))(ws, xs),
    )


def loops(m: Any, x: Any, n: Any) -> Any:
    def grow(x: Any, limit: Any) -> Any:
        return m.while_loop(
            lambda c: m.lt(c[0], limit), lambda c: (m.add(m.mul(c[0], c[0]), x), m.add(c[1], 1)), (x, 0)
        )

    limits = m.array(np.array([3.0, 100.0, 0.5], np.float32))
    limit = m.array(np.float32(50))
    sums: Any = lambda x: m.fori_loop(0, 4, lambda i, c: m.mul(c, m.sin(m.add(c, x))), x)
    open_ended: Any = lambda x, n: m.fori_loop(0, n, lambda i, c: m.mul(c, m.sin(x)), x)
    return (
        grow(x, limit),
        m.vmap(lambda limit: grow(x, limit))(limits),
        m.vmap(grow)(limits, limits),
        m.vmap(lambda y: m.while_loop(lambda c: m.lt(c[0], limit), lambda c: (m.mul(c[0], x), m.add(c[1], y)), (x, y)))(
            limits
        ),
        m.jvp(lambda x: grow(x, limit)[0], (x,), (x,)),
        m.jacfwd(lambda x: grow(x, limit)[0])(x),
        m.vmap(lambda y: m.jvp(lambda y: grow(y, limit)[0], (y,), (x,)))(limits),
        m.linearize(lambda x: grow(x, limit)[0], x)[1](x),
        m.grad(sums)(x),
        m.hessian(sums)(x),
        m.vmap(m.grad(sums))(limits),
        open_ended(x, n),
        m.jvp(lambda x: open_ended(x, n), (x,), (x,)),
        m.vmap(open_ended, (None, 0))(x, np.arange(4)),
        m.grad(lambda x: m.mul(x, m.sum(grow(2.0, 9.0)[0])))(x),
    )


def switches(m: Any, i: Any, x: Any, ints: Any) -> Any:
    table = {"a": x, "b": m.mul(x, x)}
    branches = [
        lambda t: {"s": m.sin(t["a"]), "n": t["b"]},
        lambda t: {"s": m.mul(t["b"], t["a"]), "n": m.cos(t["b"])},
        lambda t: {"s": t["a"], "n": m.mul(t["a"], x)},
    ]
    f: Any = lambda i, x: m.switch(i, branches, {"a": x, "b": m.mul(x, x)})
    total: Any = lambda i, x: m.add(f(i, x)["s"], f(i, x)["n"])
    return (
        m.switch(i, branches, table),
        m.switch(-5, branches, table),
        m.switch(7, branches, operand=table),
        m.grad(total, 1)(i, x),
        m.vmap(total, (0, None))(ints, x),
        m.vmap(m.grad(total, 1), (0, None))(ints, x),
        m.grad(lambda x: m.sum(m.vmap(total, (0, None))(ints, x)))(x),
        m.jvp(lambda x: f(i, x), (x,), (x,)),
        m.vmap(total, (None, 0))(i, XS),
        m.vmap(lambda i: f(i, x))(ints),
        m.grad(m.grad(total, 1), 1)(i, x),
        m.cond(x, m.sin, m.cos, x),
        m.cond(i, lambda: (x, i), lambda: (m.mul(x, x), i)),
        m.vmap(lambda p, x: m.cond(p, lambda x: m.mul(x, ROWS), lambda x: m.add(m.mul(x, ROWS), ROWS), x))(
            XS[:2] > 1, XS[:2]
        ),
    )


def kinds_of_scan(m: Any, x: Any, xs: Any) -> Any:
    body: Any = lambda c, a: (m.add(m.mul(c, x), a), m.mul(c, a))
    trees = m.scan(
        lambda c, a: ((c[1], m.add(c[0], c[1])), {"sum": m.add(c[0], c[1]), "x": a[0]}),
        (m.array(np.int32(0)), m.array(np.int32(1))),
        (xs, None),
        reverse=True,
    )
    nested: Any = lambda x: m.scan(lambda c, a: m.scan(lambda d, b: (m.mul(m.sin(d), b), d), c, xs), x, None, length=2)
    several = [
        m.value_and_grad(lambda x, u=u, r=r: m.sum(m.scan(body, x, xs, unroll=u, reverse=r)[1]))(x)
        for u, r in ((1, True), (3, False), (2, True), (0, True), (True, False), (9, False))
    ]
    empty = m.value_and_grad(lambda x: m.scan(body, x, XS[:0])[0])(x)
    return (
        trees,
        nested(x),
        m.grad(lambda x: m.sum(nested(x)[1]))(x),
        several,
        empty,
        m.scan(body, x, XS[:0]),
        m.map(lambda a: (m.sin(a), m.mul(a, x)), xs),
        m.grad(lambda x: m.sum(m.map(lambda a: m.mul(a, x), xs)))(x),
        m.scan(lambda c, _: (m.mul(c, 3), None), 1, length=5),
        m.scan(lambda c, a: (c, a), x, xs),
    )


def mapped_axes(m: Any, x: Any, rows: Any) -> Any:
    def f(x: Any) -> Any:
        return (
            m.psum(x, "i"),
            m.pmean(x, "i"),
            m.axis_index("i"),
            m.psum(2, "i"),
            m.psum(m.gt(x, m.array(np.float32(0))), "i"),
            m.pmean(2.0, "i"),
            m.mul(x, m.scan(lambda c, _: (m.add(c, m.psum(m.mul(c, x), "i")), None), x, None, length=2)[0]),
            m.cond(m.gt(x, m.array(np.float32(0))), lambda: m.psum(x, "i"), lambda: x),
            m.jit(lambda: m.psum(x, "i"))(),
            m.cond(True, lambda: m.axis_index("i"), lambda: m.axis_index("i")),
        )

    outer = m.vmap(
        m.vmap(
            lambda a: (m.psum(a, ("i", "j")), m.psum(a, "j"), m.axis_index(("j", "i")), m.psum(1, ("i", "j"))),
            axis_name="i",
        ),
        axis_name="j",
    )
    square: Any = lambda x: m.psum(m.mul(x, x), "i")
    return (
        m.vmap(f, axis_name="i")(x),
        outer(rows),
        m.vmap(m.grad(square), axis_name="i")(x),
        m.grad(lambda x: m.sum(m.vmap(square, axis_name="i")(x)))(x),
        m.vmap(square, axis_name="i", out_axes=None)(x),
        m.vmap(lambda a: m.fori_loop(0, 3, lambda i, c: m.add(c, m.pmean(m.mul(a, c), "i")), a), axis_name="i")(x),
    )


def sent_around(m: Any, x: Any, rows: Any) -> Any:
    ring = [(0, 1), (1, 2), (2, 3), (3, 0)]
    send: Any = lambda a: m.ppermute(a, "i", ring)
    gather: Any = lambda a: m.all_gather(a, "i")
    return (
        m.vmap(send, axis_name="i")(x),
        m.vmap(gather, axis_name="i")(x),
        m.vmap(lambda a: m.pmax(a, "i"), axis_name="i")(x),
        m.vmap(lambda a: m.pmin(a, "i"), axis_name="i")(x),
        m.vmap(lambda a: m.all_gather(a, "i", axis=1), axis_name="i")(rows),
        m.vmap(lambda a: m.all_gather(a, "i", tiled=True), axis_name="i")(rows),
        m.grad(lambda x: m.sum(m.mul(m.vmap(send, axis_name="i")(x), x)))(x),
        m.vmap(m.grad(lambda a: m.sum(m.mul(gather(a), x))), axis_name="i")(x),
        m.vmap(m.grad(lambda a: m.sum(m.all_gather(m.mul(a, a), "i", tiled=True))), axis_name="i")(rows),
    )


def choices(m: Any, x: Any, which: Any, first: Any) -> Any:
    picked: Any = lambda w, x: m.select_n(w, x, m.mul(x, x), m.sin(x))
    bounded: Any = lambda a, x, b: m.sum(m.mul(m.clamp(a, x, b), x))
    low, high = m.array(np.float32(-0.5)), m.array(np.float32(1.2))
    return (
        picked(which, x),
        m.grad(lambda x: m.sum(picked(which, x)))(x),
        m.vmap(picked, (0, None))(which, first),
        m.vmap(picked, (None, 0))(m.array(np.int32(1)), x),
        m.select(m.lt(x, high), x, m.cos(x)),
        m.clamp(low, x, high),
        m.grad(bounded, 1)(low, x, high),
        m.vmap(m.clamp, (0, None, None))(x, low, high),
        m.vmap(m.clamp, (None, 0, 0))(low, x, x),
        m.grad(bounded, (0, 1, 2))(m.sub(x, x), x, m.add(x, x)),
    )


def jacobians(m: Any, x: Any, rows: Any, row: Any) -> Any:
    f: Any = lambda x: {"s": m.mul(m.sin(x), x), "n": (m.sum(x),)}
    g: Any = lambda p: m.mul(m.mul(p["a"], p["b"]), m.cos(p["b"]))
    trees = {"a": x, "b": m.cos(x)}
    matrix: Any = lambda r: m.scan(lambda c, a: (m.mul(m.add(c, a), a), m.sum(c)), row, r)
    return (
        m.jacfwd(f)(x),
        m.jacrev(f)(x),
        m.jacfwd(g)(trees),
        m.jacobian(g)(trees),
        m.hessian(lambda p: m.sum(g(p)))(trees),
        m.jacrev(lambda x, y: m.mul(x, y), (0, 1))(x, x),
        m.jacfwd(lambda x, y: m.mul(x, y), (1,))(x, x),
        m.jacfwd(lambda x: (m.sin(x), x), has_aux=True)(x),
        m.jacrev(lambda x: (m.sin(x), m.cos(x)), has_aux=True)(x),
        m.jacfwd(matrix)(rows),
        m.jacrev(matrix)(rows),
        m.vmap(m.hessian(lambda v: m.sum(m.mul(m.sin(v), v))))(rows),
    )


def prefixes(m: Any, xs: Any, rows: Any) -> Any:
    pair: Any = lambda a, b: (m.mul(a[0], b[0]), m.add(m.mul(b[0], a[1]), b[1]))
    return (
        m.associative_scan(m.add, xs),
        m.associative_scan(pair, (xs, xs), reverse=True),
        m.associative_scan(m.mul, rows, axis=1),
        m.grad(lambda xs: m.sum(m.associative_scan(m.mul, xs)))(xs),
        m.map(lambda a: m.mul(a, a), xs, batch_size=3),
        m.map(m.sin, rows, batch_size=0),
    )


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "derivatives of scan of cond": (derivatives_of_scan_of_cond, (XS[0], XS)),
    "higher derivatives": (higher_derivatives, (XS[1], XS[:3])),
    "batches of scan of cond": (batches_of_scan_of_cond, (XS, XS[:3])),
    "loops": (loops, (np.float32(1.5), np.int32(3))),
    "switches": (switches, (np.int32(1), XS[1], np.array([2, 0, 1, 1], np.int32))),
    "kinds of scan": (kinds_of_scan, (XS[0], XS)),
    "mapped axes": (mapped_axes, (XS, ROWS)),
    "exchanges": (sent_around, (XS, ROWS)),
    "choices": (choices, (XS, np.array([0, 1, 2, 1], np.int32), XS[1])),
    "jacobians": (jacobians, (XS[:3], ROWS, ROWS[0])),
    "prefixes": (prefixes, (XS[:3], ROWS)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_give_the_same(name: str) -> None:
    program, args = PROGRAMS[name]
    compare(program, *args)


F32, F16, I8, I16, I32 = (np.dtype(n).type(2) for n in ("float32", "float16", "int8", "int16", "int32"))

# what a weak carry, a weak branch or a Python bound gives, as types alone
TYPES: dict[str, Callable[[Any, Any], Any]] = {
    "weak carry out strong": lambda m, x: m.scan(lambda c, _: (m.mul(c, x), c), 0.0, length=2),
    "the same, of no steps": lambda m, x: m.scan(lambda c, _: (m.mul(c, x), c), 0.0, length=0),
    "strong carry out weak": lambda m, x: m.scan(lambda c, _: (1.0, c), x, length=2),
    "an int that becomes a float": lambda m, x: m.scan(
        lambda c, _: (m.cond(True, lambda: x, lambda: x), c), 0, length=2
    ),
    "an int that becomes an int8": lambda m, x: m.scan(lambda c, _: (m.array(I8), c), 0, length=2),
    "a float that becomes a float16": lambda m, x: m.scan(lambda c, _: (m.array(F16), c), 0.0, length=2),
    "an int that becomes a weak float": lambda m, x: m.scan(lambda c, _: (1.0, c), 0, length=2),
    "a weak carry kept": lambda m, x: m.scan(lambda c, a: (c, a), 1.0, np.ones((2, 3), np.int16)),
    "while, weak to strong": lambda m, x: m.while_loop(lambda c: m.lt(c, 3.0), lambda c: m.add(c, x), 0.0),
    "while, an int that becomes a float": lambda m, x: m.while_loop(lambda c: False, lambda c: x, 0),
    "while, a bool": lambda m, x: m.while_loop(lambda c: c, lambda c: False, True),
    "fori, its index": lambda m, x: m.fori_loop(0, 3, lambda i, c: i, 0),
    "fori, of int8 bounds that are known": lambda m, x: m.fori_loop(I8, I8, lambda i, c: i, 0),
    "fori, of floats": lambda m, x: m.fori_loop(0.0, 3.0, lambda i, c: i, 0),
    "fori, of int8 bounds": lambda m, x: m.jit(lambda a: m.fori_loop(a, a, lambda i, c: i, 0))(I8),
    "fori, of a Python bound": lambda m, x: m.jit(lambda a: m.fori_loop(0, a, lambda i, c: i, m.array(I16)))(I16),
    "fori, a weak carry": lambda m, x: m.fori_loop(0, 3, lambda i, c: m.mul(c, x), 1.0),
    "fori, one kept weak": lambda m, x: m.fori_loop(0, 3, lambda i, c: m.mul(c, 2.0), 1.0),
    "cond, weak if true": lambda m, x: m.cond(True, lambda: 1.0, lambda: x),
    "cond, weak if false": lambda m, x: m.cond(True, lambda: x, lambda: 1.0),
    "cond, both weak": lambda m, x: m.cond(2, lambda y: y, lambda y: m.mul(y, 1), 1),
    "cond, of no operands": lambda m, x: m.cond(x, lambda: (1, 2.0, True), lambda: (3, 4.0, False)),
    "switch, the first weak": lambda m, x: m.switch(1, [lambda: 1.0, lambda: x, lambda: x]),
    "switch, the last weak": lambda m, x: m.switch(I8, [lambda: x, lambda: x, lambda: 1.0]),
    "vmap of cond": lambda m, x: m.vmap(lambda p: m.cond(p, lambda: 1.0, lambda: x))(np.array([True, False])),
    "vmap of cond, weak first": lambda m, x: m.vmap(lambda p: m.cond(p, lambda: x, lambda: 1.0))(
        np.array([True, False])
    ),
    "vmap of while": lambda m, x: m.vmap(lambda a: m.while_loop(lambda c: m.lt(c, a), lambda c: m.add(c, x), 0.0))(XS),
    "grad by a weak carry": lambda m, x: m.grad(lambda y: m.scan(lambda c, _: (m.mul(c, x), None), y, length=2)[0])(
        1.0
    ),
    "jvp of a weak carry": lambda m, x: m.jvp(
        lambda y: m.scan(lambda c, _: (m.mul(c, y), c), 1.0, length=2), (1.0,), (1.0,)
    ),
    "map": lambda m, x: m.map(lambda a: (1, a), XS),
    "psum of a number": lambda m, x: m.vmap(
        lambda a: (m.psum(1, "i"), m.psum(1.5, "i"), m.pmean(1, "i")), axis_name="i"
    )(XS),
    "pmean of int8": lambda m, x: m.vmap(lambda a: (m.pmean(a, "i"), m.axis_index("i")), axis_name="i")(
        np.ones(3, np.int8)
    ),
    "jacfwd of a weak number": lambda m, x: (m.jacfwd(m.sin)(1.0), m.jacrev(m.sin)(1.0), m.hessian(m.sin)(1.0)),
    "jacobians of several dtypes": lambda m, x: m.jacrev(lambda a, b: (a, m.cond(True, lambda: b, lambda: b)), (0, 1))(
        m.array(F16), x
    ),
}


@pytest.mark.parametrize("name", TYPES)
def test_types_are_the_same(name: str) -> None:
    types = [
        [type_of(leaf) for leaf in tree.leaves(m.eval_shape(lambda x, m=m: TYPES[name](m, x), m.array(F32)))]
        for m in (OURS, THEIRS)
    ]
    assert types[0] == types[1]


def identity(*args: Any) -> Any:
    return args[0] if args else 1.0


MISTAKES: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "another structure of carry": (
        lambda m, x: m.scan(lambda state, _: ((state, state), None), x, length=2),
        "the carry input is an array and the carry output is a tuple of 2",
    ),
    "another structure inside": (
        lambda m, x: m.scan(lambda state, _: ({"a": [x], "b": x}, None), {"a": (x, x), "b": x}, length=2),
        r"at \['a'\], the carry input is a tuple of 2 and the carry output is a list of 1",
    ),
    "another dtype of carry": (
        lambda m, x: m.scan(lambda c, _: ({"a": c["a"], "b": 1}, None), {"a": x, "b": x}, length=2),
        r"the input carry c\['b'\] has type f32\[\] but the corresponding output carry component has type ~i32\[\], so "
        r"the "
        "dtypes do not match",
    ),
    "another shape of carry": (
        lambda m, x: m.while_loop(lambda c: m.lt(c, 1.0), lambda c: m.array(XS), x),
        r"c has type f32\[\] .* f32\[4\], so the shapes",
    ),
    "carry of fori_loop": (lambda m, x: m.fori_loop(0, 3, lambda i, c: i, x), "equal types"),
    "no pair": (lambda m, x: m.scan(lambda c, _: c, x, length=2), "must be a pair"),
    "three results": (lambda m, x: m.scan(lambda c, _: (c, c, c), x, length=2), "must be a pair"),
    "lengths": (lambda m, x: m.scan(lambda c, _: (c, c), x, (XS, XS[1:])), "different leading axis sizes: 4, 3"),
    "length": (
        lambda m, x: m.scan(lambda c, _: (c, c), x, XS, length=3),
        r"of 3 which disagrees with leading axis sizes \[4\]",
    ),
    "no length": (lambda m, x: m.scan(lambda c, _: (c, c), x), "`length` not provided"),
    "nothing to scan over": (lambda m, x: m.scan(lambda c, _: (c, c), x, 1.0), "no leading axis to scan over"),
    "traced length": (
        lambda m, x: m.jit(lambda n: m.scan(lambda c, _: (c, c), x, length=n))(3),
        "expects a concrete `int` value",
    ),
    "negative unroll": (lambda m, x: m.scan(lambda c, _: (c, c), x, length=3, unroll=-1), "non-negative"),
    "scan of no function": (lambda m, x: m.scan(3, x, XS), "should be a callable"),
    "a result that is no array": (lambda m, x: m.scan(lambda c, _: ("a", c), x, length=3), "'a' of type str"),
    "an init that is no array": (lambda m, x: m.scan(lambda c, _: (c, c), "a", length=3), "'a' of type str"),
    "a predicate of floats": (
        lambda m, x: m.while_loop(identity, identity, x),
        r"must return a boolean scalar, but got f32\[\]|ou",
    ),
    "a predicate of two": (lambda m, x: m.while_loop(lambda c: (c, c), identity, x), "must return a boolean scalar"),
    "while of no function": (lambda m, x: m.while_loop(1, identity, x), "should be callable"),
    "fori of no function": (lambda m, x: m.fori_loop(0, 1, 2, x), "should be callable|should be a callable"),
    "bounds of fori": (
        lambda m, x: m.jit(lambda n: m.fori_loop(I8, n, lambda i, c: c, x))(I16),
        "must have equal types, got int8 and int16",
    ),
    "unrolling fori": (
        lambda m, x: m.jit(lambda n: m.fori_loop(0, n, lambda i, c: c, x, unroll=2))(3),
        "loop bounds are statically known",
    ),
    "no predicate": (lambda m, x: m.cond(None, identity, identity), "predicate is None"),
    "a predicate of a shape": (lambda m, x: m.cond(XS, identity, identity), r"Pred must be a scalar, got .*\(4,\)"),
    "a complex predicate": (lambda m, x: m.cond(1j, identity, identity), "either boolean or number, got complex64"),
    "a predicate of text": (lambda m, x: m.cond("yes", identity, identity), "must be a scalar"),
    "cond of no function": (lambda m, x: m.cond(True, 1.0, identity), "should be callable"),
    "branches of two dtypes": (
        lambda m, x: m.cond(True, lambda y: {"a": y}, lambda y: {"a": 1}, x),
        r"output of true_fun at \['a'\] has type f32\[\] but the corresponding output of false_fun has type "
        r"~i32\[\]|float32",
    ),
    "branches of two shapes": (
        lambda m, x: m.switch(1, [lambda y: y, lambda y: y, lambda y: m.array(XS)], x),
        "output of branch 0.* of branch ?2",
    ),
    "branches of two structures": (
        lambda m, x: m.cond(True, lambda y: (y, y), lambda y: y, x),
        "same pytree structure, but they differ",
    ),
    "an index of floats": (lambda m, x: m.switch(1.0, [identity, identity]), "must be an integer, got .*float32"),
    "an index of a shape": (lambda m, x: m.switch(np.arange(3), [identity, identity]), "must be scalar"),
    "no branches": (lambda m, x: m.switch(1, []), "Empty branch sequence"),
    "branches that are none": (lambda m, x: m.switch(1, [3]), "sequence of callables"),
    "two ways of operands": (lambda m, x: m.cond(True, identity, identity, x, operand=x), "operand"),
    "reverse through while": (
        lambda m, x: m.grad(lambda x: m.while_loop(lambda c: m.lt(c, 3.0), lambda c: m.mul(c, 2.0), x))(x),
        "Reverse-mode differentiation does not work for lax.while_loop",
    ),
    "reverse through fori": (
        lambda m, x: m.jit(lambda n: m.grad(lambda x: m.fori_loop(0, n, lambda i, c: m.mul(c, x), x))(x))(3),
        "Try using lax.scan, or using fori_loop with static start/stop",
    ),
    "an axis without a name": (lambda m, x: m.vmap(lambda a: m.psum(a, "i"))(XS), "unbound axis name: i"),
    "a derivative of pmax": (
        lambda m, x: m.vmap(m.grad(lambda a: m.pmax(a, "i")), axis_name="i")(XS),
        "for 'pmax' not implemented",
    ),
    "jacfwd of ints": (lambda m, x: m.jacfwd(m.sin)(3), "jacfwd requires real-valued inputs"),
    "jacrev to ints": (lambda m, x: m.jacrev(lambda x: 1)(x), "jacrev requires real-valued outputs"),
    "jacrev of complex": (lambda m, x: m.jacrev(m.sin)(1j), "jacrev requires real-valued outputs"),
    "hessian of no function": (lambda m, x: m.hessian(3)(x), "int|callable"),
    "associative scan of two sizes": (
        lambda m, x: m.associative_scan(lambda a, b: a, (XS, XS[1:])),
        "same first dimension",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_exception_of_the_class_of_jax(name: str) -> None:
    call, text = MISTAKES[name]
    with pytest.raises(Exception) as theirs:  # noqa: PT011  (its class is what is asked for)
        call(THEIRS, THEIRS.array(F32))
    with pytest.raises(Exception, match=text) as ours:
        call(OURS, OURS.array(F32))
    names = [{c.__name__ for c in type(e.value).__mro__} - {"object"} for e in (ours, theirs)]
    assert type(theirs.value).__name__ in names[0], f"{type(ours.value)} in place of {type(theirs.value)}"
    assert "\n" not in str(ours.value)
    compare(lambda m, x: m.add(x, x), F32)  # nothing of it is left behind


def test_eagerly_a_body_is_traced_once() -> None:
    traced = []

    def body(c: Any, a: Any) -> Any:
        traced.append(c)
        return OURS.add(c, a), c

    def positive(c: Any) -> Any:
        traced.append(c)
        return OURS.gt(c, 0.0)

    results = [OURS.scan(body, np.float32(i), XS)[0] for i in range(3)]
    assert len(traced) == 1
    assert isinstance(traced[0], Tracer)
    np.testing.assert_allclose([value_of(r) for r in results], XS.sum() + np.arange(3), rtol=1e-6)
    for _ in range(2):
        assert value_of(OURS.cond(OURS.gt(np.float32(1), 0.5), OURS.sin, OURS.cos, np.float32(0))) == 0
        assert value_of(OURS.while_loop(positive, lambda c: OURS.sub(c, 1.0), 2.5)) == -0.5
    assert len(traced) == 2
    OURS.scan(body, 0.0, XS)  # of another type, the weak carry becomes strong
    assert len(traced) == 3


def test_what_no_step_changes_is_not_kept_for_every_step() -> None:
    """Residuals that are the same at every step, carries that are handed on, and slices of inputs are not stacked."""

    def f(w: Any, xs: Any) -> Any:
        def body(c: Any, a: Any) -> Any:
            return (OURS.mul(OURS.mul(c[0], OURS.mul(OURS.sin(w), c[1])), a), c[1]), None

        return OURS.scan(body, (w, w), xs)[0][0]

    jaxpr = OURS.make_jaxpr(lambda w, xs: OURS.vjp(f, w, xs)[1](w))(np.float32(2), XS)
    forward = next(e for e in jaxpr.eqns if e.primitive is scan_p)
    stacked = [v.aval.shape for v in forward.outvars]
    assert forward.params["num_carry"] == 1
    assert stacked.count((4,)) == 2  # of the two products of each step the one factor: the rest is known without it
    assert sum("sin" in str(e.primitive) for e in forward.params["jaxpr"].eqns) == 1


def test_values_of_the_function_around_are_operands() -> None:
    """Tracers that a body closes over are differentiated, batched and staged."""

    def f(m: Any, x: Any, y: Any) -> Any:
        inner: Any = lambda a: m.scan(
            lambda c, _: (m.cond(m.lt(c, x), lambda: m.mul(c, a), lambda: m.mul(y, c)), c), y, None, 3
        )[0]
        return m.vmap(m.grad(inner))(XS), m.grad(lambda z: m.sum(m.vmap(inner)(m.mul(XS, z))))(x)

    compare(f, np.float32(0.4), np.float32(0.7))
    eager = f(OURS, OURS.array(np.float32(0.4)), OURS.array(np.float32(0.7)))
    jitted = OURS.jit(lambda x, y: f(OURS, x, y))(np.float32(0.4), np.float32(0.7))
    for a, b in zip(tree.leaves(eager), tree.leaves(jitted)):
        np.testing.assert_allclose(value_of(a), value_of(b), rtol=1e-6)


def test_axes_of_vmap_by_name() -> None:
    sent = OURS.vmap(lambda a: OURS.ppermute(a, "i", [(0, 2), (3, 1)]), axis_name="i")(XS)
    np.testing.assert_array_equal(value_of(sent), [0, XS[3], XS[0], 0])
    square = OURS.vmap(lambda a: OURS.pswapaxes(a, "i", 0), axis_name="i")(
        np.arange(9.0, dtype=np.float32).reshape(3, 3)
    )
    np.testing.assert_array_equal(value_of(square), np.arange(9).reshape(3, 3).T)
    sizes = []

    def noted(a: Any) -> Any:
        sizes.append(OURS.axis_size("i"))
        return a

    OURS.vmap(noted, axis_name="i")(XS)
    assert sizes == [4]
    with pytest.raises(ValueError, match="sources in perm must be different"):
        OURS.vmap(lambda a: OURS.ppermute(a, "i", [(0, 1), (0, 2)]), axis_name="i")(XS)


@pytest.mark.parametrize("on", [False, True])
def test_types_of_64_bits(on: bool) -> None:
    def program(m: Any) -> Any:
        return (
            m.fori_loop(0, 3, lambda i, c: i, 0),
            m.fori_loop(0, 3, lambda i, c: m.mul(c, m.array(np.float64(2))), 1.0),
            m.jit(lambda n: m.fori_loop(0, n, lambda i, c: m.add(c, i), 0))(3),
            m.switch(m.array(np.int64(1)), [lambda: 1, lambda: 2]),
            m.scan(lambda c, a: (m.add(c, a), c), 0, np.arange(3)),
            m.vmap(lambda a: (m.pmean(a, "i"), m.axis_index("i"), m.psum(1, "i")), axis_name="i")(np.arange(3)),
            m.vmap(lambda a: m.pmean(a, "i"), axis_name="i")(np.ones(3, np.int8)),
            m.hessian(lambda x: m.mul(x, m.sin(x)))(1.5),
            m.jacrev(m.sin, holomorphic=True)(1 + 1j),
        )

    with config.enable_x64(on), jax.enable_x64(on):
        ours, theirs = (
            [type_of(leaf) for leaf in tree.leaves(m.eval_shape(lambda m=m: program(m)))] for m in (OURS, THEIRS)
        )
    assert ours == theirs


def test_an_equation_is_checked_against_its_jaxpr() -> None:
    f: Any = lambda x, xs: OURS.scan(lambda c, a: (OURS.cond(OURS.lt(c, a), lambda: c, lambda: a), c), x, xs)
    (equation,) = OURS.make_jaxpr(f)(XS[0], XS).eqns
    avals = [v.aval for v in equation.invars]
    assert [type_of(a) for a in scan_p.abstract_eval(avals, equation.params)] == [
        ((), "float32", False),
        ((4,), "float32", False),
    ]
    with pytest.raises(TypeError, match="the carry of scan: value 0 is int32"):
        scan_p.abstract_eval([OURS.array(I32).aval, avals[1]], equation.params)
    with pytest.raises(TypeError, match=r"what scan goes over: value 0 is float32\[3\], and float32\[4\] is expected"):
        scan_p.abstract_eval([avals[0], OURS.array(XS[:3]).aval], equation.params)
    with pytest.raises(TypeError, match="1 values are expected, got 2"):
        scan_p.abstract_eval([*avals, avals[1]], equation.params)


def test_a_program_goes_with_its_function() -> None:
    """What was traced and compiled for a function is not kept when the function is gone."""

    def run() -> weakref.ref[Any]:
        def body(c: Any, a: Any) -> Any:
            return OURS.add(c, OURS.cond(OURS.lt(a, c), lambda: a, lambda: c)), None

        OURS.scan(body, XS[0], XS)
        OURS.grad(lambda x: OURS.fori_loop(0, 2, lambda i, c: OURS.mul(c, x), x))(OURS.array(XS[0]))
        jaxpr = OURS.make_jaxpr(lambda xs: OURS.scan(body, XS[0], xs))(XS).eqns[0].params["jaxpr"]
        return weakref.ref(jaxpr)

    jaxpr = run()
    gc.collect()
    assert jaxpr() is None


def test_the_function_of_the_platform_is_called() -> None:
    x = np.array([1, 2], np.float32)

    def choosing(framework: Any, name: str) -> Callable[[Any], Any]:
        given = {name: lambda y: y * 2}
        return lambda v: framework.lax.platform_dependent(v, default=lambda y: y * y * y, **given)

    for framework in (jax, at):
        for wrap in (framework.jit, framework.vmap, lambda f: f):
            np.testing.assert_array_equal(wrap(choosing(framework, "cpu"))(x), [2, 4])
            np.testing.assert_array_equal(wrap(choosing(framework, "tpu"))(x), [1, 8])
        assert framework.grad(choosing(framework, "tpu"))(2.0) == 12.0
    wrong: dict[str, Any]
    for wrong in ({"gpu": abs}, {"cpu": 3}, {"default": 3}, {"tpu": abs}):
        with pytest.raises((TypeError, ValueError, NotImplementedError)) as expected:
            jax.lax.platform_dependent(1.0, **wrong)
        with pytest.raises(expected.type, match="platform_dependent"):
            at.lax.platform_dependent(1.0, **wrong)
