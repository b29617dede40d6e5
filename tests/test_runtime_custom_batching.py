"""`custom_vmap` and `sequential_vmap`: the same programs on jax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest

import arraytyping as at

XS = np.linspace(0.5, 2.0, 4, dtype=np.float32)
YS = np.linspace(1.5, 3.0, 4, dtype=np.float32)
ROWS = np.arange(12, dtype=np.float32).reshape(3, 4)
N = np.arange(4, dtype=np.int32)


def product(fw: Any, seen: list[Any]) -> Any:
    """A product with a number, whose rule doubles it, so that it is seen to be used."""

    @fw.custom_batching.custom_vmap  # type: ignore[untyped-decorator]
    def f(x: Any, p: Any) -> Any:
        return {"y": x * p["k"], "n": p["n"]}

    @f.def_vmap  # type: ignore[untyped-decorator]
    def rule(axis_size: int, in_batched: Any, x: Any, p: Any) -> Any:
        seen.append((axis_size, in_batched))
        (of_x, of_p) = in_batched
        return {"y": 2 * x * p["k"], "n": p["n"]}, {"y": of_x or of_p["k"], "n": of_p["n"]}

    return f


PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {
    "called": lambda fw, f: f(XS[0], {"k": YS[0], "n": N[1]}),
    "by keywords": lambda fw, f: f(p={"k": YS[0], "n": N[1]}, x=XS[0]),
    "jitted": lambda fw, f: fw.jit(f)(XS[0], {"k": YS[0], "n": N[1]}),
    "mapped": lambda fw, f: fw.vmap(f)(XS, {"k": YS, "n": N}),
    "mapped in part": lambda fw, f: fw.vmap(f, (0, None), {"y": 0, "n": None})(XS, {"k": YS[0], "n": N[1]}),
    "mapped over another axis": lambda fw, f: fw.vmap(lambda r: f(r, {"k": r, "n": N[1]})["y"], 1)(ROWS),
    "mapped twice": lambda fw, f: fw.vmap(fw.vmap(lambda a, b: f(a, {"k": b, "n": N[1]})["y"], (0, None)), (None, 0))(
        XS, YS
    ),
    "mapped and jitted": lambda fw, f: fw.vmap(fw.jit(f))(XS, {"k": YS, "n": N}),
    "mapped over nothing in it": lambda fw, f: fw.vmap(lambda x: x + f(XS[0], {"k": YS[0], "n": N[1]})["y"],
                                                       axis_name="i")(XS),
    "in a scan": lambda fw, f: fw.vmap(
        lambda x: fw.lax.scan(lambda c, a: (f(c, {"k": a, "n": N[1]})["y"], c), x, YS)
    )(XS),
    "a tangent": lambda fw, f: fw.jvp(lambda x, k: f(x, {"k": k, "n": N[1]})["y"], (XS[0], YS[0]), (XS[1], YS[1])),
    "a tangent of a mapped one": lambda fw, f: fw.jvp(
        fw.vmap(lambda x, k: f(x, {"k": k, "n": N[1]})["y"]), (XS, YS), (YS, XS)
    ),
    "mapped tangents": lambda fw, f: fw.vmap(
        lambda x, k: fw.jvp(lambda x, k: f(x, {"k": k, "n": N[1]})["y"], (x, k), (k, x))
    )(XS, YS),
    "tangents alone mapped": lambda fw, f: fw.vmap(
        lambda t: fw.jvp(lambda x: f(x, {"k": YS[0], "n": N[1]})["y"], (XS[0],), (t,)), out_axes=(None, 0)
    )(XS),
    "primals alone mapped": lambda fw, f: fw.vmap(
        lambda x: fw.jvp(lambda x: f(x, {"k": YS[0], "n": N[1]})["y"], (x,), (XS[0],))[0]
    )(XS),
    "jacfwd": lambda fw, f: fw.jacfwd(lambda x: f(x, {"k": YS, "n": N[1]})["y"])(XS),
    "a gradient": lambda fw, f: fw.grad(lambda x: f(x, {"k": YS[0], "n": N[1]})["y"])(XS[0]),
    "a keyword alone": lambda fw, f: f(XS[0], k=2),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    told: list[Any] = []
    for fw in (at, jax):
        seen: list[Any] = []
        f = product(fw, seen)
        try:
            found = fw.tree.leaves(PROGRAMS[name](fw, f))
            told.append(([(str(x.dtype), x.shape, np.asarray(x).tolist()) for x in found], seen))
        except Exception as error:
            told.append(type(error))
    assert told[0] == told[1]


def test_sequential() -> None:
    for fw in (at, jax):
        g = fw.custom_batching.sequential_vmap(lambda x, y: {"sum": x + y, "both": (x, y), "rank": x.ndim})
        out = fw.vmap(g, (0, None))(XS, YS)
        assert out["sum"].shape == (4, 4)
        np.testing.assert_allclose(out["sum"], XS[:, None] + YS, rtol=1e-6)
        np.testing.assert_allclose(out["both"][1], np.tile(YS, (4, 1)))
        np.testing.assert_array_equal(out["rank"], [0, 0, 0, 0])


def test_with_other_rules() -> None:
    def program(fw: Any) -> Any:
        f = fw.custom_jvp(fw.custom_batching.custom_vmap(lambda x: x * x))
        f.def_vmap(lambda n, b, x: (x * 10, b[0]))
        f.defjvp(lambda x, t: (f(*x), 7 * t[0]))
        return [fw.vmap(f)(XS), fw.grad(f)(XS[1]), fw.vmap(fw.grad(f))(XS)]

    for a, b in zip(program(at), program(jax), strict=True):
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-6)


def passing(fw: Any, rule: Callable[..., Any]) -> Any:
    f = fw.custom_batching.custom_vmap(lambda x: x * 2)
    f.def_vmap(rule)
    return f


def closing(fw: Any, y: Any) -> Any:
    f = fw.custom_batching.custom_vmap(lambda x: x * y)
    f.def_vmap(lambda n, b, x: (x * 2, b[0]))
    return f


MISTAKES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "no rule": (lambda fw: fw.custom_batching.custom_vmap(lambda x: x)(1.0), "No batching rule defined"),
    "other structures": (lambda fw: fw.vmap(passing(fw, lambda n, b, x: ([x, x], b)))(XS), "do not match"),
    "another structure": (lambda fw: fw.vmap(passing(fw, lambda n, b, x: ([x], b)))(XS), "of original"),
    "in reverse": (lambda fw: fw.grad(passing(fw, lambda n, b, x: (x, b[0])))(1.0), "Linearization failed to produce"),
    "a method that is not there": (lambda fw: passing(fw, max).defjvp, "defjvp"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(name: str) -> None:
    call, text = MISTAKES[name]
    for fw in (at, jax):
        with pytest.raises((AttributeError, ValueError), match=text):
            call(fw)


def test_what_it_closes_over_is_not_mapped() -> None:
    for fw, error in ((at, ValueError), (jax, AssertionError)):
        with pytest.raises(error):
            fw.vmap(lambda x, y, fw=fw: closing(fw, y)(x))(XS, YS)
        np.testing.assert_allclose(fw.vmap(closing(fw, fw.numpy.float32(3)))(XS), XS * 2)
