"""Callbacks: what the functions of a program are given, how often and in which order, against jax."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import io_callback

import arraytyping
import arraytyping.experimental
import arraytyping.numpy as anp
from arraytyping.runtime.effects import DEBUG, IO, NO_EFFECTS, ORDERED_DEBUG
from arraytyping.runtime.jaxpr import dce_jaxpr, typecheck_jaxpr


class Framework(NamedTuple):
    """One of the two, and where its callbacks write to."""

    top: ModuleType
    numpy: Any
    io: Callable[..., Any]
    told: list[Any]

    def note(self, *args: Any, **kwargs: Any) -> None:
        """Write down what a callback was given."""
        given = [np.asarray(a).tolist() for a in args]
        self.told.append((given, {name: np.asarray(v).tolist() for name, v in kwargs.items()}))

    def shown(self, x: Any, *args: Any, ordered: bool = True) -> Any:
        """The first argument, when all have been noted."""
        self.top.debug.callback(self.note, x, *args, ordered=ordered)
        return x


def frameworks() -> tuple[Framework, Framework]:
    """Ours and JAX."""
    return (
        Framework(arraytyping, anp, arraytyping.experimental.io_callback, []),
        Framework(jax, jnp, io_callback, []),
    )


def scanned(f: Framework, x: Any) -> Any:
    return f.top.lax.scan(lambda c, y: (f.shown(c, y) + y, y), 0.0, x)


def chosen(f: Framework, x: Any) -> Any:
    return f.top.lax.cond(x > 0, lambda v: f.shown(v) + 1, lambda v: f.shown(-v), x)


def looped(f: Framework, x: Any) -> Any:
    return f.top.lax.while_loop(lambda c: f.shown(c, 0) < 3, lambda c: f.shown(c, 1) + 1, x)


def called(f: Framework, x: Any) -> Any:
    double = f.top.jit(lambda v: f.shown(v) * 2)
    f.shown(x, 5)
    result = double(double(x))
    f.shown(x, 6)
    return result


def sine(f: Framework, x: Any) -> Any:
    return f.numpy.sin(f.shown(x, ordered=False))


def unread(f: Framework, x: Any) -> Any:
    f.shown(f.numpy.cos(x), ordered=False)
    return x * 0


SHOWN: dict[str, tuple[Callable[..., Any], Any]] = {
    "scan": (scanned, (3,)),
    "cond": (chosen, ()),
    "while": (looped, ()),
    "calls": (called, ()),
    "sine": (sine, ()),
    "unread": (unread, ()),
}
TRANSFORMED: dict[str, Callable[[Framework, Callable[..., Any]], Callable[..., Any]]] = {
    "plain": lambda f, g: g,
    "jit": lambda f, g: f.top.jit(g),
    "jvp": lambda f, g: lambda x: f.top.jvp(g, (x,), (x,)),
    "grad": lambda f, g: f.top.grad(lambda x: f.top.tree.leaves(g(x))[0]),
    "jit of grad": lambda f, g: f.top.jit(f.top.grad(lambda x: f.top.tree.leaves(g(x))[0])),
    "grad of jit": lambda f, g: f.top.grad(f.top.jit(lambda x: f.top.tree.leaves(g(x))[0])),
    "checkpoint": lambda f, g: f.top.grad(f.top.checkpoint(lambda x: f.top.tree.leaves(g(x))[0])),
    "vmap": lambda f, g: lambda x: f.top.vmap(g)(f.numpy.stack([x, x + 1])),
}


PAIRS = [(w, h) for w in SHOWN for h in TRANSFORMED if (w, h) != ("while", "vmap")]
"""Of a batch of loops whose predicate has effects, JAX gives 4 where the loop ends at 3."""


@pytest.mark.parametrize(("what", "how"), PAIRS)
def test_what_is_shown(what: str, how: str) -> None:
    function, shape = SHOWN[what]
    found = []
    for f in frameworks():
        x = f.numpy.arange(1.0, 4.0) if shape else f.numpy.float32(1)
        try:
            result = TRANSFORMED[how](f, lambda v, f=f: function(f, v))(x)
            f.top.block_until_ready(result)
            f.top.effects_barrier()
        except Exception as error:
            result = type(error).__name__
        found.append((f.told, f.top.tree.map(lambda v: np.asarray(v).tolist(), result)))
    assert found[0] == found[1]


METHODS = ("sequential", "sequential_unrolled", "expand_dims", "broadcast_all", "legacy_vectorized", None, "other")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("compiled", [False, True])
def test_a_pure_callback_of_a_batch(method: str | None, compiled: bool) -> None:
    found = []
    for f in frameworks():

        def product(x: Any, y: Any, f: Framework = f) -> Any:
            f.note(np.shape(x), np.shape(y))
            return np.asarray(x) * np.asarray(y)

        def one(x: Any, y: Any, f: Framework = f, product: Any = product) -> Any:
            return f.top.pure_callback(product, f.top.ShapeDtypeStruct((3,), "float32"), x, y, vmap_method=method)

        many = f.top.vmap(one, in_axes=(0, None))
        x, y = f.numpy.arange(6.0).reshape(2, 3), f.numpy.arange(3.0)
        try:
            result = np.asarray((f.top.jit(many) if compiled else many)(x, y)).tolist()
        except Exception as error:
            result = type(error).__name__
        found.append((f.told, result))
    assert found[0] == found[1]


def told_wrong(f: Framework, what: str) -> Any:
    x, of_three = f.numpy.arange(3.0), f.top.ShapeDtypeStruct((3,), "float32")
    pure, debug = f.top.pure_callback, f.top.debug
    calls: dict[str, Callable[[], Any]] = {
        "shape": lambda: pure(lambda v: np.ones(2, "float32"), of_three, x),
        "dtype": lambda: pure(lambda v: np.ones(3, "int32"), of_three, x),
        "number of results": lambda: pure(lambda v: (), of_three, x),
        "64 bits": lambda: pure(lambda v: v, f.top.ShapeDtypeStruct((3,), "float64"), x),
        "an error": lambda: pure(lambda v: 1 // 0, of_three, x),
        "derivative": lambda: f.top.grad(lambda v: pure(lambda w: w, of_three, v).sum())(x),
        "derivative of io": lambda: f.top.grad(lambda v: f.io(lambda w: w, of_three, v).sum())(x),
        "ordered batch": lambda: f.top.vmap(lambda v: f.io(f.note, None, v, ordered=True))(x),
        "no function": lambda: debug.callback(3),
        "arguments without one": lambda: debug.callback(x=3),
        "positional too many": lambda: debug.print("{}", 1, 2),
        "keyword too many": lambda: debug.print("a", b=1),
        "none for a place": lambda: debug.print("{}"),
        "no name": lambda: debug.print("{x}", y=2),
        "text missing": lambda: debug.print(x=2),
    }
    return calls[what]()


WRONG = ("shape", "dtype", "number of results", "64 bits", "an error", "derivative", "derivative of io",
         "ordered batch", "no function", "arguments without one", "positional too many", "keyword too many",
         "none for a place", "no name", "text missing")  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_is_refused(what: str) -> None:
    errors = []
    for f in frameworks():
        with pytest.raises(Exception) as told:  # noqa: PT011 (compared below)
            f.top.block_until_ready(told_wrong(f, what))
        errors.append(told.value)
    assert type(errors[0]).__name__ == type(errors[1]).__name__
    assert "\n" not in str(errors[0]).removesuffix("\n") or "CpuCallback error" in str(errors[0])


def show_all(f: Framework, compiled: bool) -> None:
    """Print in each way."""
    x, show = f.numpy.arange(3.0), f.top.debug.print

    def run(print_it: Callable[[], Any]) -> None:
        (f.top.jit(print_it) if compiled else print_it)()

    run(lambda: show("{} {x} {y:.2f} {z}", 1, x=x, y=2.5, z="text"))
    run(lambda: show(ordered=True)("in order {}", x))
    run(lambda: show("nothing"))
    run(lambda: show("raw", x, skip_format_check=True))
    with np.printoptions(precision=2):
        run(lambda: show("{}", x / 3))
    f.top.effects_barrier()


def test_what_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    texts = []
    for f in frameworks():
        show_all(f, compiled=False)
        show_all(f, compiled=True)
        texts.append(capfd.readouterr().out)
    assert texts[0] == texts[1]
    assert texts[0].count("in order [0. 1. 2.]") == 2


def test_io_in_order_over_programs() -> None:
    told: list[int] = []

    def step(i: Any) -> Any:
        def write(n: Any) -> Any:
            told.append(int(n))
            return n

        shape = arraytyping.ShapeDtypeStruct((), "int32")
        return arraytyping.experimental.io_callback(write, shape, i, ordered=True)

    compiled = arraytyping.jit(step)
    for i in range(200):
        compiled(i)
    assert told == list(range(200))


def test_results_in_a_tree_and_narrow_dtypes() -> None:
    def host(given: Any) -> Any:
        assert type(given["b"]) is type(anp.ones(1))
        assert given["b"].dtype == "bfloat16"
        return {"sum": given["a"] + 1, "rest": (given["b"] * 2,)}

    shapes = {
        "sum": arraytyping.ShapeDtypeStruct((2,), "int8"), "rest": (arraytyping.ShapeDtypeStruct((), "bfloat16"),)
    }  # fmt: skip
    given = {"a": anp.array([1, 2], "int8"), "b": anp.bfloat16(1.5)}
    found = arraytyping.jit(lambda g: arraytyping.pure_callback(host, shapes, g))(given)
    assert found["sum"].dtype == "int8"
    assert found["sum"].tolist() == [2, 3]
    assert float(found["rest"][0]) == 3


def test_what_a_callback_does_with_arrays_computes() -> None:
    shape = arraytyping.ShapeDtypeStruct((3,), "float32")
    compute = arraytyping.jit(lambda x: arraytyping.pure_callback(lambda v: anp.sin(v) + v.sum(), shape, x))
    x = anp.arange(3.0)
    np.testing.assert_allclose(compute(x), np.sin(np.arange(3)) + 3, rtol=1e-6)


def test_effects_of_jaxprs() -> None:
    def program(x: Any) -> Any:
        arraytyping.debug.print("{}", x)
        step = arraytyping.jit(lambda c, y: (arraytyping.debug.callback(print, y, ordered=True), (c, y))[1])
        arraytyping.lax.scan(step, x, anp.ones(3))
        arraytyping.experimental.io_callback(print, None, x)
        arraytyping.pure_callback(float, arraytyping.ShapeDtypeStruct((), "float32"), x)
        return anp.sin(x)

    closed = arraytyping.make_jaxpr(program)(1.0)
    typecheck_jaxpr(closed)
    assert closed.effects == {DEBUG, ORDERED_DEBUG, IO}
    assert sorted(map(str, closed.effects)) == ["Debug", "IO", "OrderedDebug"]
    names = [eqn.primitive.name for eqn in closed.eqns]
    assert {"debug_callback", "scan", "io_callback", "pure_callback"} <= set(names)
    pruned, used = dce_jaxpr(closed.jaxpr, [False])
    assert used == [True]
    assert pruned.effects == closed.effects
    assert "pure_callback" not in [eqn.primitive.name for eqn in pruned.eqns]
    assert arraytyping.make_jaxpr(anp.sin)(1.0).effects == NO_EFFECTS


PROGRAM = """
import sys
import arraytyping as at
at.jit(lambda x: at.debug.print("last {}", x))(3)
assert "jax" not in sys.modules
"""


def test_a_program_that_ends_has_printed() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert ran.stdout == "last 3\n"
