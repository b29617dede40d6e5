"""Dead code elimination: which inputs and equations are left, against jax; the values stay; arguments nobody reads."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax._src.interpreters import partial_eval

import arraytyping
import arraytyping.numpy as anp
from arraytyping.runtime.jaxpr import dce_jaxpr, eval_jaxpr, typecheck_jaxpr


def programs(framework: ModuleType, numpy: Any) -> dict[str, Callable[[Any], Any]]:
    """Programs of one argument, of which every part of the result may be unread."""
    lax = framework.lax

    def unread_carry(x: Any) -> Any:
        def step(carry: Any, y: Any) -> Any:
            a, b, c = carry
            return (a + 1.0, b * 2.0, c + a), (y * 2.0, a * y)

        return lax.scan(step, (x[0], x[0], x[0]), x)

    def backwards(x: Any) -> Any:
        scale = numpy.cos(x)
        return lax.scan(lambda c, y: (c * scale + y, numpy.sin(y)), x, x, reverse=True)

    def branches(x: Any) -> Any:
        first = lambda a, b: (numpy.sin(a), b, numpy.cos(b))  # noqa: E731
        return lax.cond(x[0] > 0, first, lambda a, b: (a, numpy.cos(b), a), x, x * 2.0)

    def loops_in_branches(x: Any) -> Any:
        def loop(v: Any) -> Any:
            return lax.scan(lambda c, y: ((c[0] + y, c[1] * y), c[1]), (v, v), v)

        return lax.cond(x[0] > 0, loop, lambda v: loop(v * 2.0), x)

    def calls(x: Any) -> Any:
        inner = framework.jit(lambda a, b: (numpy.sin(a) * b, numpy.cos(b)))
        return framework.jit(lambda v: (inner(v, v * 2.0), v + 1.0))(x)

    def unread(x: Any) -> Any:
        numpy.sin(x)
        return x + 1.0, numpy.tanh(x) * 2.0

    def loop(x: Any) -> Any:
        return lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * 2.0), (0, x))

    return {
        "carries of a scan": unread_carry, "a scan backwards": backwards, "branches": branches,
        "loops in branches": loops_in_branches, "calls": calls, "unread equations": unread, "a loop": loop,
    }  # fmt: skip


OURS, THEIRS = programs(arraytyping, anp), programs(jax, jnp)
X = np.array([1.0, 2.0, 3.0], "float32")


def size(jaxpr: Any) -> int:
    """How many equations a jaxpr has, inside of others too."""
    found = 0
    for eqn in jaxpr.eqns:
        found += 1
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else (value,):
                found += size(inner.jaxpr) if hasattr(getattr(inner, "jaxpr", None), "eqns") else 0
    return found


@pytest.mark.parametrize("name", OURS)
def test_what_is_left(name: str) -> None:
    ours, theirs = arraytyping.make_jaxpr(OURS[name])(X), jax.make_jaxpr(THEIRS[name])(X)
    whole = eval_jaxpr(ours.jaxpr, ours.consts, anp.asarray(X))
    for used in itertools.product([False, True], repeat=len(ours.out_avals)):
        mine, inputs = dce_jaxpr(ours.jaxpr, used)
        other, their_inputs = partial_eval.dce_jaxpr(theirs.jaxpr, list(used))
        typecheck_jaxpr(mine)
        assert inputs == list(their_inputs)
        assert size(mine) == size(other)
        values = eval_jaxpr(mine, ours.consts, *([anp.asarray(X)] if inputs[0] else []))
        wanted = [v for v, u in zip(whole, used) if u]
        for value, expected in zip(values, wanted, strict=True):
            np.testing.assert_array_equal(value, expected)


def test_nothing_is_made_where_nothing_goes() -> None:
    closed = arraytyping.make_jaxpr(OURS["calls"])(X)
    jaxpr, _ = dce_jaxpr(closed.jaxpr, True)
    assert all(a is b for a, b in zip(jaxpr.eqns, closed.eqns, strict=True))


def inputs_of(lowered: Any) -> int:
    """How many arguments the main function of a module takes."""
    return len(re.findall(r"%arg\d+:", lowered.as_text().split("->")[0]))


def test_a_program_takes_what_it_reads() -> None:
    def of_second(unread: Any, x: Any, *, also: Any = None) -> Any:
        anp.sin(unread)
        return x * 2.0

    def theirs(unread: Any, x: Any, *, also: Any = None) -> Any:
        return x * 2.0

    jitted, plain = arraytyping.jit(of_second), arraytyping.jit(of_second, keep_unused=True)
    assert (
        inputs_of(jitted.lower(X, X, also={"a": 1.0})) == inputs_of(jax.jit(theirs).lower(X, X, also={"a": 1.0})) == 1
    )
    assert inputs_of(plain.lower(X, X)) == inputs_of(jax.jit(theirs, keep_unused=True).lower(X, X)) == 2
    assert "sine" not in jitted.lower(X, X).as_text()
    for _ in range(6):  # by then a text runs it
        for unread in (X, anp.asarray(X), 3.0, 7, np.float32(2)):
            np.testing.assert_array_equal(jitted(unread, X), X * 2)
            np.testing.assert_array_equal(jitted(also={"a": unread}, x=anp.asarray(X), unread=unread), X * 2)
            np.testing.assert_array_equal(plain(unread, X), X * 2)
    with pytest.raises(OverflowError):
        jitted(2**40, X)
    compiled = jitted.lower(X, X).compile()
    np.testing.assert_array_equal(compiled(X, X + 1), X * 2 + 2)
    with pytest.raises(TypeError, match="compiled with"):
        compiled(X[:2], X)


def test_a_donated_argument_that_is_not_read_stays() -> None:
    def second(a: Any, b: Any) -> Any:
        return b + 1.0

    for framework, numpy in ((arraytyping, anp), (jax, jnp)):
        a, b = numpy.ones(3), numpy.ones(3)
        framework.jit(second, donate_argnums=(0, 1))(a, b)
        assert (a.is_deleted(), b.is_deleted()) == (False, True)


def test_constants_that_nobody_reads_are_not_held_by_the_program() -> None:
    big, small = anp.ones(1000), anp.ones(3)

    def of_small(x: Any) -> Any:
        anp.sin(big)
        return x + small

    traced = arraytyping.jit(of_small).trace(X)
    assert [c.shape for c in traced.program.closed.consts] == [(3,)]
    assert len(traced.jaxpr.consts) == 2
