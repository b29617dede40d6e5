"""`jit` against JAX's: which calls share a program, and what may go in and come out besides arrays."""

from __future__ import annotations

import dataclasses
import gc
import pickle
import threading
import warnings
import weakref
from collections import OrderedDict, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from runtime_pairs import OURS, THEIRS, check_same

import arraytyping
from arraytyping.runtime.core import Tracer


def scaled(fw: Any, jnp: Any, factors: tuple[Any, ...]) -> list[Any]:
    """What one function gives for these static arguments, one after the other."""
    scale = fw.jit(lambda x, factor: x * factor, static_argnums=1)
    return [scale(jnp.int32(3), factor) for factor in factors]


@pytest.mark.parametrize("factors", [(1, 1.0, True), (True, 1, 1.0), (2.0, 2), (0, False, 0.0)])
def test_static_arguments_that_are_equal_have_programs_of_their_own(factors: tuple[Any, ...]) -> None:
    assert check_same(lambda fw, jnp: scaled(fw, jnp, factors)) is None
    assert [a.dtype for a in scaled(OURS[0], OURS[1], factors)] == [
        "float32" if type(f) is float else "int32" for f in factors
    ]


def test_static_arguments_by_name_and_in_tuples() -> None:
    at = arraytyping
    total = at.jit(lambda x, by: x * by[0], static_argnames="by")
    x = OURS[1].int32(3)
    assert [str(total(x, by=by).dtype) for by in ((1,), (1.0,), (True,), (1,))] == [
        "int32",
        "float32",
        "int32",
        "int32",
    ]
    assert len(total.traces) == 3
    inverse = at.jit(lambda zero, x: x / zero, static_argnums=0)
    one = OURS[1].float32(1)
    assert (float(inverse(0.0, one)), float(inverse(-0.0, one))) == (np.inf, -np.inf)


PROGRAMS = {
    "gradient of an int": lambda fw, jnp: fw.jit(fw.grad(lambda i, x: i * x, allow_int=True))(3, 2.0).shape,
    "gradients of a tree": lambda fw, jnp: fw.jit(fw.grad(lambda p: p["w"] * p["n"], allow_int=True))(
        {"w": 2.0, "n": 3}
    )["w"],
    "float0 goes in": lambda fw, jnp: fw.jit(lambda p, g: fw.tree.map(lambda x: x.shape, (p * 2, g))[1])(
        jnp.ones(2), np.zeros((2, 3), fw.dtypes.float0)
    ),
    "float0 is made": lambda fw, jnp: [
        (str(x.dtype), x.shape)
        for f in [fw.dtypes.float0]
        for x in (
            *(make((2, 3), dtype=f) for make in (jnp.zeros, jnp.ones, jnp.empty)),
            jnp.zeros((), f),
            jnp.full(3, 0, f),
            *(like(np.zeros(3, f)) for like in (jnp.zeros_like, jnp.ones_like, jnp.asarray, jnp.array)),
            jnp.full_like(np.zeros(3, f), 1),
            jnp.reshape(np.zeros(4, f), (2, 2)),
            jnp.zeros_like(jnp.ones(2), dtype=f),
        )
    ],
    "an integer result of a gradient of one's own": lambda fw, jnp: fw.grad(
        lambda x: fw.custom_gradient(lambda x: ((x, jnp.round(x).astype(int)), lambda g: g[0] * 3))(x)[0]
    )(2.0),
    "float0 and numbers": lambda fw, jnp: jnp.zeros(3, fw.dtypes.float0) + jnp.ones(3),
    "put on devices by a tree": lambda fw, jnp: fw.device_put(
        {"a": jnp.ones(2), "b": [1.0, 2]}, {"a": fw.devices()[0], "b": None}
    ),
    "put on devices by another tree": lambda fw, jnp: fw.device_put({"a": 1.0}, {"a": (None, None)}),
    "put on what is no device": lambda fw, jnp: fw.device_put(jnp.ones(2), "cpu"),
    "a number of classes that is traced": lambda fw, jnp: fw.jit(fw.nn.one_hot)(3, 5),
    "unused arguments": lambda fw, jnp: fw.jit(lambda x, y: x, keep_unused=True)(1.0, jnp.ones(3)),
    "a pullback": lambda fw, jnp: fw.jit(lambda x: fw.vjp(jnp.sin, x))(1.0)[1](2.0),
    "a pullback goes in": lambda fw, jnp: fw.jit(lambda pull, ct: pull(ct))(fw.vjp(jnp.sin, 1.0)[1], 2.0),
    "a pullback by two arguments": lambda fw, jnp: fw.jit(lambda x, y: fw.vjp(lambda a, b: {"r": a * b}, x, y)[1])(
        jnp.arange(3.0), jnp.ones(3)
    )({"r": jnp.array([1.0, 2.0, 3.0])}),
    "a linear function": lambda fw, jnp: fw.jit(lambda x: fw.linearize(jnp.sin, x)[1])(1.0)(2.0),
    "a transpose": lambda fw, jnp: fw.jit(lambda m: fw.linear_transpose(lambda x: m @ x, jnp.ones(2)))(
        jnp.arange(4.0).reshape(2, 2)
    )(jnp.ones(2)),
    "batched pullbacks": lambda fw, jnp: fw.vmap(lambda pull: pull(1.0))(
        fw.vmap(lambda x: fw.vjp(jnp.sin, x)[1])(jnp.arange(3.0))
    ),
    "a tangent of another structure": lambda fw, jnp: fw.jit(lambda x: fw.linearize(jnp.sin, x)[1])(1.0)((2.0,)),
    "a cotangent of another structure": lambda fw, jnp: fw.jit(lambda x: fw.vjp(jnp.sin, x))(1.0)[1]([2.0]),
    "a cotangent of another dtype": lambda fw, jnp: fw.vjp(jnp.sin, 1.0)[1](jnp.int32(2)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_goes_through_jit_besides_arrays(name: str) -> None:
    assert check_same(PROGRAMS[name]) is None


def test_tangents_that_hold_nothing_leave_jit_as_they_are() -> None:
    for way in (lambda fw: fw.jit, lambda fw: lambda f: fw.jit(fw.jit(f))):
        ours = way(arraytyping)(arraytyping.grad(lambda i, x: (i * x).sum(), argnums=(0, 1), allow_int=True))
        for _ in range(2):  # traced, and from the cache
            nothing, gradient = ours(np.arange(3), np.ones(3, np.float32))
            assert (nothing.dtype, nothing.shape) == (jax.dtypes.float0, (3,))
            np.testing.assert_array_equal(gradient, [0, 1, 2])


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.float64, "bfloat16", float, np.ones(2, np.float16)])
def test_finfo_takes_classes_names_and_arrays(dtype: Any) -> None:
    assert check_same(lambda fw, jnp: [repr(getattr(jnp.finfo(dtype), k)) for k in ("eps", "max", "bits")]) is None


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.int64, "int16", int, np.ones(2, np.int16)])
def test_iinfo_takes_classes_names_and_arrays(dtype: Any) -> None:
    assert check_same(lambda fw, jnp: [repr(getattr(jnp.iinfo(dtype), k)) for k in ("min", "max", "bits")]) is None


@arraytyping.tree_util.register_dataclass
@dataclasses.dataclass
class Pair:
    """A container whose second field is no leaf."""

    first: Any
    second: str = dataclasses.field(metadata={"static": True})

    @property
    def dtype(self) -> str:
        """What `repr` of a result asks for."""
        return self.second


class Turned:
    """A container whose children come in another order than they are given, each time as new objects."""

    def __init__(self, first: Any, second: Any) -> None:
        self.first, self.second = first, second


arraytyping.tree_util.register_pytree_node(
    Turned, lambda t: ((t.second, +t.first), None), lambda _, children: Turned(children[1], children[0])
)


def in_x64(at: Any, call: Any) -> Any:
    """A call with 64-bit dtypes."""
    with at.config.enable_x64():
        return call()


def calls_of(at: Any, jnp: Any) -> dict[str, tuple[Any, list[Any]]]:
    """Jitted functions, each with calls that are alike or nearly so."""
    x, y = jnp.arange(3.0), jnp.ones(3)
    minus = at.jit(lambda a, b: a - b)
    static = at.jit(lambda a, n, m=2: a * n - m, static_argnums=1, static_argnames="m")
    of_tree = at.jit(lambda t, s=1.0: at.tree.map(lambda v: v * s, t))
    return {
        "keywords": (minus, [lambda f: f(a=x, b=y), lambda f: f(b=x, a=y), lambda f: f(x, b=y), lambda f: f(y, b=x)]),
        "numbers": (minus, [lambda f: f(x, 2.0), lambda f: f(x, 3), lambda f: f(2.0, x), lambda f: f(x, True)]),
        "zeros": (at.jit(lambda a, b: b / a), [lambda f: f(0.0, 1.0), lambda f: f(-0.0, 1.0)]),
        "arrays of numpy": (minus, [lambda f: f(np.ones(3, "float32"), y), lambda f: f(x, np.ones(3)),
                                    lambda f: f(np.arange(3), y), lambda f: f(np.float32(2), y),
                                    lambda f: f(np.float64(2), y), lambda f: f(np.bool_(True), y),
                                    lambda f: f(np.arange(3)[::-1], y), lambda f: f(np.arange(3, dtype=">i4"), y)]),
        "static": (static, [lambda f: f(x, 2), lambda f: f(x, 2.0), lambda f: f(x, 3), lambda f: f(x, True),
                            lambda f: f(x, 2, m=3), lambda f: f(x, n=2), lambda f: f(x, 2, 3)]),
        "containers": (of_tree, [lambda f: f([x, y]), lambda f: f((x, y)), lambda f: f({"b": x, "a": y}),
                                 lambda f: f({"a": x, "b": (y, None)}), lambda f: f([x, 2.0], s=y),
                                 lambda f: f([x], 3)]),
        "a class of its own": (of_tree, [lambda f: f(at.tree_util.Partial(max, x)).args,
                                         lambda f: f(at.tree_util.Partial(min, x, 2.0)).args]),
        "other containers": (of_tree, [lambda f: f(OrderedDict(b=x, a=y)), lambda f: f(OrderedDict(a=y, b=x)),
                                       lambda f: f(defaultdict(list, b=x, a=y)), lambda f: f({1: x, "a": y}),
                                       lambda f: f(Pair(x, "no leaf")).second, lambda f: f(Pair(y, "another")).second,
                                       lambda f: f(Turned(x, y)).second, lambda f: f([Turned(y, 2.0)])[0].second]),
        "shapes and dtypes in turn": (minus, [lambda f: f(x, y), lambda f: f(x[:2], y[:2]), lambda f: f(x, y),
                                              lambda f: f(x.astype("int32"), 1), lambda f: f(a=x, b=y),
                                              lambda f: f(a=x[:1], b=y), lambda f: f(x, x[0])]),
        "static by number and by name": (static, [lambda f: f(x, 0.0), lambda f: f(x, -0.0), lambda f: f(x, 0),
                                                  lambda f: f(x, 2, 3), lambda f: f(x, 2), lambda f: f(x, 2, m=3.0),
                                                  lambda f: f(a=x, n=2, m=3), lambda f: f(n=2, a=y)]),
        "x64 in turn": (minus, [lambda f: f(x, 2), lambda f: in_x64(at, lambda: f(np.arange(3), 2)),
                                lambda f: f(np.arange(3), 2), lambda f: in_x64(at, lambda: f(x, 2))]),
        "keys": (at.jit(lambda k: at.random.normal(k, (2,))), [lambda f: f(at.random.key(0)),
                                                               lambda f: f(at.random.PRNGKey(1))]),
        "refused": (static, [lambda f: f(x, [2]), lambda f: f("x", 2), lambda f: f(2**40, 2)]),
    }  # fmt: skip


@pytest.mark.parametrize("name", calls_of(*OURS))
def test_calls_that_are_found_at_once_give_what_the_first_gave(name: str) -> None:
    function, calls = calls_of(*OURS)[name]

    def result(call: Any, f: Any) -> str:
        try:
            out = call(f)
            return out if isinstance(out, str) else repr(arraytyping.tree.map(lambda v: (v, v.dtype, v.weak_type), out))
        except (TypeError, ValueError, OverflowError) as error:
            return f"{type(error).__name__}: {error}"

    def afresh(call: Any) -> str:
        function.clear_cache()
        return result(call, function)

    wanted = [afresh(call) for call in calls]
    function.clear_cache()
    for _ in range(6):
        assert [result(call, function) for call in calls] == wanted
    function.clear_cache()
    for call, first in zip(calls, wanted):
        assert [result(call, function) for _ in range(6)] == [first] * 6
    for call, first in zip(calls[::-1], wanted[::-1]):
        assert [result(call, function) for _ in range(2)] == [first] * 2
    assert ("call" in texts_of(function)) is (name not in {"a class of its own", "other containers", "refused"})


def texts_of(function: Any) -> list[str]:
    """The names of what runs the calls of a jitted function without a look at what is no mark of their kinds."""
    return [call.__name__ for call in function._turns._calls.values() if callable(call)]


def often(function: Any, *args: Any, **kwargs: Any) -> Any:
    """The result of a call that has come so often that a text runs it."""
    for _ in range(5):
        result = function(*args, **kwargs)
    assert function.__call__ in function._turns._in_turn
    return result


def test_arrays_of_numpy_are_copied_at_each_call() -> None:
    """The same memory serves for all calls, and no result is in it."""
    at, jnp = arraytyping, OURS[1]
    given = np.zeros((2, 3), "float32")
    for function in (lambda a: a, lambda a: a.reshape(6), lambda a: (a, a + 1, a.T), lambda a: jnp.stack([a, a])):
        jitted = at.jit(function)
        often(jitted, given)
        results = []
        for i in range(4):
            given[...] = i
            results.append(jitted(given))
        given[...] = 9
        for i, result in enumerate(results):
            assert {float(leaf.reshape(-1)[0]) for leaf in at.tree.leaves(result)} <= {i, i + 1}


@pytest.mark.parametrize("size", [3, 20_000])
def test_threads_do_not_write_over_each_others_arguments(size: int) -> None:
    jitted = arraytyping.jit(lambda a, s: (a * s, a.sum()))
    given = np.ones(size, "float32")
    often(jitted, given, 2.0)

    def work(n: int) -> bool:
        mine = given * n
        return all(
            float(out[0]) == float(out[-1]) == n * s and float(total) == n * size
            for s in map(float, range(1, 60))
            for out, total in [jitted(mine, s)]
        )

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(1, 17)))


def test_numbers_that_do_not_fit_and_errors_of_numpy() -> None:
    jitted = arraytyping.jit(lambda x, s: x * s)
    x = OURS[1].ones(2)
    with np.errstate(all="raise"):
        often(jitted, x, 2.0)
        assert repr(jitted(x, 1e-50)) == "Array([0., 0.], dtype=float32)"
        assert repr(jitted(x, float("nan"))) == "Array([nan, nan], dtype=float32)"
        often(jitted, np.ones(2), 3)
        assert repr(jitted(np.full(2, 1e300), 1)) == "Array([inf, inf], dtype=float32)"
    with pytest.raises(OverflowError):
        jitted(x, 2**40)


def test_numbers_of_programs_that_take_long_are_known_again() -> None:
    """Such programs give no memory back: numbers that come again have their buffers, and equal zeros their signs."""
    jitted = arraytyping.jit(lambda x, s: x / s)
    x = OURS[1].ones(2)
    often(jitted, x, 2.0)
    names: dict[str, Any] = getattr(jitted.__call__, "__globals__")  # noqa: B009
    made: list[Any] = []
    buffer_of = names["buffer_of"]

    def counted(number: Any) -> Any:
        made.append(number)
        return buffer_of(number)

    names["is_done"], names["buffer_of"] = lambda result: False, counted
    for number in [*[float(i) for i in range(1, 41)], *[5.0] * 40, *[-0.0, 0.0] * 3]:
        assert jitted(x, number).tolist() == (x / number).tolist()
    assert 6 < len(made) < 60, "memories first, then a buffer for each number, none for those that are known"


class Changing:
    """A static argument that is equal to others by what it holds, which may change."""

    def __init__(self, by: int) -> None:
        self.by = by

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Changing) and self.by == other.by

    def __hash__(self) -> int:
        return hash(self.by)


@pytest.mark.parametrize("wrap", [lambda c: c, lambda c: (c, 1)], ids=["itself", "in a tuple"])
def test_a_static_argument_that_has_changed(wrap: Any) -> None:
    """It is looked at by what it is equal to, at each call; JAX gives what it gave before."""
    jitted = arraytyping.jit(lambda x, c: x * (c if isinstance(c, Changing) else c[0]).by, static_argnums=1)
    x, changing = OURS[1].arange(3), Changing(2)
    for _ in range(5):
        assert jitted(x, wrap(changing)).tolist() == [0, 2, 4]
    changing.by = 3
    assert jitted(x, wrap(changing)).tolist() == [0, 3, 6]
    assert jitted(x, wrap(Changing(2))).tolist() == [0, 2, 4]


def test_kinds_of_calls_in_turn() -> None:
    """More than are tried one after the other, in several orders, also where they are not tried."""
    at, jnp = arraytyping, OURS[1]
    jitted = at.jit(lambda x, s: x * s)
    kinds = [jnp.ones(n, dtype) for n in (1, 2, 3) for dtype in ("float32", "int32")]
    for order in (kinds, kinds[::-1], kinds[:3], kinds[2:5], kinds[:1], kinds[::2]):
        for _ in range(5):
            for x in order:
                for s in (2, 2.0):
                    assert repr(jitted(x, s)) == repr(x * s)
        with at.config.numpy_dtype_promotion("standard"):
            assert repr(jitted(order[0], 2)) == repr(order[0] * 2)
    assert len(jitted.traces) == 12
    assert 1 <= len(jitted._turns._in_turn) <= 4


def test_what_is_forgotten_is_forgotten_by_all_wrappers() -> None:
    at, x = arraytyping, OURS[1].arange(3)
    traced: list[Any] = []

    def function(a: Any) -> Any:
        traced.append(a)
        return a + 1

    first, second = at.jit(function), at.jit(function)
    often(first, x)
    often(second, x)
    assert len(traced) == 1
    first.clear_cache()
    often(second, x)
    often(first, x)
    assert len(traced) == 2


def test_a_wrapper_and_its_program_go_with_the_last_name() -> None:
    """Without Python's collector of cycles, which what is in XLA's memory would wait for."""
    at, x = arraytyping, OURS[1].arange(3)
    gc.collect()
    gc.disable()
    try:
        function = at.jit(lambda a: a + 1)
        often(function, x)
        taken, wrapper, text = function.__call__, weakref.ref(function), weakref.ref(function.__call__)
        program = weakref.ref(next(iter(function._cache.entries.values())).compiled.executable)
        del function
        assert wrapper() is None
        assert repr(taken(x)) == repr(taken(x[:3])) == "Array([1, 2, 3], dtype=int32)"
        assert taken(x.astype("float32")).dtype == "float32"
        del taken
        assert text() is None
        assert program() is None
    finally:
        gc.enable()


def test_what_holds_in_one_thread_holds_there_alone() -> None:
    at = arraytyping
    jitted = at.jit(lambda a, s: a + s)
    given = np.arange(3)
    often(jitted, given, 1)
    reached, done = threading.Event(), threading.Event()

    def elsewhere() -> str:
        with at.config.enable_x64():
            reached.set()
            done.wait(10)
            return str(jitted(given, 1).dtype)

    with ThreadPoolExecutor(1) as pool:
        wide = pool.submit(elsewhere)
        reached.wait(10)
        assert str(often(jitted, given, 1).dtype) == "int32"
        done.set()
        assert wide.result() == "int64"
    assert str(jitted(given, 1).dtype) == "int32"
    assert not at.config._inside


def test_the_line_of_the_program_is_told_where_a_call_is_of_another_kind() -> None:
    jnp = OURS[1]
    leaked: list[Any] = []

    def narrows(a: Any) -> Any:
        leaked.append(a)
        return a.astype("float64")

    jitted = arraytyping.jit(narrows)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        often(jitted, jnp.ones(3))
        jitted(jnp.ones(4))
    assert [Path(w.filename).name for w in told] == [Path(__file__).name] * 2
    with pytest.raises(arraytyping.errors.UnexpectedTracerError, match=r"began at \S*test_runtime_jit\.py:"):
        leaked[1] + 1


def test_a_deleted_array_is_said_to_be_one() -> None:
    at, jnp = arraytyping, OURS[1]
    for jitted in (at.jit(lambda a: a + 1), at.jit(lambda a: a + 1, donate_argnums=0)):
        for _ in range(5):
            x = jnp.arange(3)
            jitted(x)
        assert texts_of(jitted)
        x.delete()
        with pytest.raises(RuntimeError, match=r"Array has been deleted with shape=int32\[3\]"):
            jitted(x)


def test_a_donated_number_is_not_given_away() -> None:
    jnp = OURS[1]
    f = arraytyping.jit(lambda x: x + 1, donate_argnums=0)
    for _ in range(3):
        assert float(f(2.0)) == 3
        x = jnp.float32(5)
        assert float(f(x)) == 6
        assert x.is_deleted()
    assert float(jnp.float32(1) * 2.0) == 2


def test_without_jit_functions_run_as_plain_python() -> None:
    def program(fw: Any, jnp: Any) -> list[Any]:
        seen: list[Any] = []

        def note(x: Any) -> Any:
            seen.append(float(x))  # a tracer has no value
            return x * 2

        jitted = fw.jit(note)
        with fw.disable_jit():
            results = [
                jitted(jnp.float32(1)),
                fw.lax.cond(jnp.float32(2) > 1, note, lambda x: x, jnp.float32(2)),
                fw.lax.switch(1, [lambda x: x, note], jnp.float32(3)),
                fw.lax.while_loop(lambda x: x < 20, note, jnp.float32(4)),
                fw.lax.scan(lambda c, x: (note(c) + x, c), jnp.float32(5), jnp.arange(3.0), reverse=True),
                fw.lax.fori_loop(0, 2, lambda i, x: note(x) + i, jnp.float32(6)),
                fw.grad(lambda x: fw.jit(lambda y: y * y)(x))(jnp.float32(7)),
            ]
        with_jit = jitted.__wrapped__ is note and fw.jit(lambda x: isinstance(x, fw.Array) and x + 1)(1)
        return [results, seen, with_jit]

    assert check_same(program) is None


def test_programs_are_found_by_what_is_static_only_where_it_is_the_same() -> None:
    at, jnp = arraytyping, OURS[1]
    f = at.jit(lambda x, n: x * n, static_argnums=1)
    x = jnp.arange(3)
    for n in (2, 2.0, True, 2, 0.0, -0.0, 2):
        assert repr(f(x, n)) == repr(x * n)
    assert len(f.traces) == 5


def test_jitted_functions_called_within_transformations_are_not_run_at_once() -> None:
    at, jnp = arraytyping, OURS[1]
    double = at.jit(lambda x: x * 2)
    x = jnp.arange(3.0)
    assert float(double(x)[1]) == 2  # found at once from now on
    assert [e.primitive.name for e in at.make_jaxpr(lambda y: double(x) + y)(x).jaxpr.eqns] == ["jit", "add"]
    assert float(at.grad(lambda y: (double(y) * double(x)).sum())(x)[1]) == 4
    assert at.vmap(lambda y: double(y) + double(x))(x).shape == (3, 3)
    leaked: list[Any] = []
    at.jit(lambda y: leaked.append(y))(x)
    with pytest.raises(at.errors.UnexpectedTracerError):
        double(leaked[0])


EAGER = {
    "an axis": lambda jnp, x: [jnp.sum(x, axis=0), jnp.sum(x, axis=1), jnp.sum(x, axis=(0, 1)), jnp.sum(x, axis=None)],
    "an axis in an array": lambda jnp, x: [jnp.sum(x, axis=jnp.int32(i)) for i in (0, 1, 0)],
    "flags": lambda jnp, x: [jnp.mean(x, axis=1, keepdims=k) for k in (True, False, 1, 0)],
    "dtypes": lambda jnp, x: [jnp.sum(x, dtype=d) for d in ("int32", jnp.float32, np.int16, float, "int32")],
    "numbers": lambda jnp, x: [jnp.clip(x, min=m, max=2) for m in (1, 1.0, True, -0.0, 0.0, jnp.float32(1))],
    "numbers by position": lambda jnp, x: [jnp.maximum(a, b) for a, b in ((x, 1), (1, x), (x, 1.5), (1.5, x), (x, x))],
    "lists": lambda jnp, x: [jnp.concatenate([x, x], axis=a) for a in (0, 1)] + [jnp.concatenate((x,), axis=0)],
    "shapes": lambda jnp, x: [jnp.reshape(x, s) for s in ((3, 2), [3, 2], (6,), -1, (6, True))],
    "tuples of results": lambda jnp, x: [*jnp.divmod(x, 2), *jnp.frexp(x)],
    "a number for a flag of numbers": lambda jnp, x: [jnp.round(x, decimals=d) for d in (1, 1, 2)],
    "numbers among arrays": lambda jnp, x: [jnp.where(x > 0, x, v) for v in (3, 3.0)],
}


@pytest.mark.parametrize("name", EAGER)
def test_calls_of_functions_are_found_at_once(name: str) -> None:
    """With what was remembered of earlier calls, each gives what it gives the first time, and what JAX gives."""
    x = np.arange(6, dtype="float32").reshape(2, 3) * 1.25
    mine: Any = EAGER[name]

    def program(fw: Any, jnp: Any) -> Any:
        return mine(jnp, jnp.asarray(x))

    arraytyping.clear_caches()
    assert check_same(program) is None
    first = repr([(v, v.dtype, v.weak_type) for v in program(*OURS)])
    assert repr([(v, v.dtype, v.weak_type) for v in program(*OURS)]) == first
    with pytest.raises(TypeError):
        OURS[1].sum(x, 0, None, None, False, 0, None, True, 3)
    assert repr([(v, v.dtype, v.weak_type) for v in program(*OURS)]) == first


def test_a_compiled_function_is_pickled_with_its_options() -> None:
    function = arraytyping.jit(np.power, static_argnums=1, inline=True)
    again = pickle.loads(pickle.dumps(arraytyping.jit(powers, static_argnums=1, donate_argnames=("x",))))
    assert float(again(OURS[1].float32(3), 2)) == 9
    given = OURS[1].ones(3)
    again(given, 2)
    assert given.is_deleted()
    assert function.__reduce__()[1][1:] == ([1], None, None, None, True, False)


@pytest.mark.parametrize("way", ["jit", "grad", "vmap", "eager"])
def test_what_is_computed_while_a_function_is_traced(way: str) -> None:
    for fw in (arraytyping, jax):

        def f(x: Any, fw: Any = fw) -> Any:
            tracers = (Tracer, jax.core.Tracer)
            with fw.ensure_compile_time_eval():
                n = fw.numpy.arange(3) + 1
                assert int(n.sum()) == 6
                eye = fw.jit(lambda size: fw.numpy.eye(2) * size)(n[2])
                assert float(fw.lax.fori_loop(0, 3, lambda i, c: c + i, eye).sum()) == 18
                x = x + fw.numpy.sin(x) * 0  # what is traced stays so
                assert way == "eager" or isinstance(x, tracers)
            return (x * n[1]).sum()

        changed = f if way == "eager" else getattr(fw, way)(f)
        x = np.ones(2, np.float32) if way in ("vmap", "eager") else np.float32(3)
        expected: dict[str, Any] = {"jit": 6, "grad": 2, "vmap": [2, 2], "eager": 4}
        np.testing.assert_allclose(np.asarray(changed(x)), expected[way])


def powers(x: Any, n: int) -> Any:
    return x**n


def test_attributes_of_a_function_do_not_stand_in_the_place_of_a_wrappers_own() -> None:
    """Ufuncs have an attribute `_call`, as wrappers have a method."""
    for fw, jnp in (OURS, THEIRS):
        assert np.asarray(fw.jit(jnp.add)(jnp.ones(2), 2.0)).tolist() == [3, 3]
        assert np.asarray(fw.jit(jnp.negative)(jnp.ones(2))).tolist() == [-1, -1]
        assert np.asarray(fw.custom_jvp(jnp.multiply).fun(jnp.ones(2), 2.0)).tolist() == [2, 2]

    def function(x: Any) -> Any:
        return x + 1

    function.note, function.lower = "kept", None  # type: ignore[attr-defined]
    wrapped = arraytyping.jit(function)
    assert (wrapped.note, function.note) == ("kept", "kept")  # type: ignore[attr-defined]
    assert callable(wrapped.lower)
