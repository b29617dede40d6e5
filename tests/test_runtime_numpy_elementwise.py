"""The elementwise functions of `arraytyping.numpy` against JAX: types, values, derivatives, signatures, exceptions."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from answers import compiled
from oracle import Call, Raised, array, elements, rule_says, to_dtype
from runtime_calls import recorded_conversions, unequal, unequal_results, unlike_jax, wrong_answers
from shares import is_thorough, some
from test_elementwise import ONE_OF_EACH, choices

import arraytyping.numpy as anp
from arraytyping import config
from arraytyping.runtime.array_likes import array_from
from arraytyping.runtime.transformations.differentiation import vjp
from arraytyping.runtime.transformations.jit import jit
from arraytyping.runtime.transformations.mapping import vmap
from arraytyping.scalars import DTYPES
from arraytyping.semantics.avals import NumPyArray, ShapedArray
from arraytyping.semantics.rules import binary, choices as choice_rules, power, rounding, unary
from arraytyping.semantics.rules.registry import RULES

FAMILIES = (binary, unary, power, rounding, choice_rules)
NAMES = sorted(
    name.removeprefix("numpy.")
    for name, rule in RULES.items()
    if rule.function.__module__ in {family.__name__ for family in FAMILIES} and name.startswith("numpy.")
)
UNARY = [n for row in unary.ROWS for n in row.names.split()] + [
    "modf",
    "frexp",
    "angle",
    "nan_to_num",
    "round",
    "around",
]
BINARY = [n for row in binary.ROWS for n in row.names.split()] + ["divmod", "ldexp", "isclose", "power", "pow", "clip"]
EQUALITY = ("allclose", "array_equal", "array_equiv", "iscomplexobj", "isrealobj", "isscalar")


def test_every_function_is_here() -> None:
    assert {*UNARY, *BINARY} <= set(NAMES)
    assert len(NAMES) > 115
    assert [name for name in (*NAMES, *EQUALITY) if not callable(getattr(anp, name, None))] == []


@pytest.mark.parametrize("name", [*NAMES, *EQUALITY])
def test_signature(name: str) -> None:
    ours, real = (inspect.signature(getattr(space, name)).parameters.values() for space in (anp, jnp))
    assert [(p.name, p.kind, p.default) for p in ours] == [(p.name, p.kind, p.default) for p in real]
    assert isinstance(getattr(anp, name), anp.ufunc) == isinstance(getattr(jnp, name), jnp.ufunc)


def unary_calls(x64: bool) -> Iterator[Call]:
    odd = (
        True,
        2,
        2.5,
        1j,
        2**31,
        2**63,
        None,
        "a",
        [1.0],
        slice(None),
        NumPyArray((2,), "float64"),
        NumPyArray((), "int8"),
    )
    for name in UNARY:
        for (dtype, weak), shape in product((*elements(x64), ("bool", True)), ((), (2, 3))):
            yield Call(f"numpy.{name}", (array(dtype, *shape, weak=weak),))
        yield from (Call(f"numpy.{name}", (value,)) for value in odd)


def binary_calls(x64: bool) -> Iterator[Call]:
    arrays = [ShapedArray((2,), *e) for e in elements(x64)]
    pairs = [*product(arrays, [ShapedArray((3, 1), *e) for e in elements(x64)])]
    odd = (True, 2, 2.5, 1j, 2**31, None, "a", [1], NumPyArray((), "float16"), NumPyArray((2,), "int64"))
    for name in ONE_OF_EACH if x64 else BINARY:
        yield from (Call(f"numpy.{name}", pair) for pair in pairs)
        yield from (Call(f"numpy.{name}", pair) for a in arrays for v in odd for pair in ((a, v), (v, a)))
        for shapes in product(((), (3,), (1,), (0,), (4,), (2, 3), (2, 1), (4, 3)), repeat=2):
            yield Call(f"numpy.{name}", tuple(ShapedArray(s, "float32", weak_type=len(s) == 1) for s in shapes))


@pytest.mark.parametrize("x64", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.parametrize(("calls", "at_least"), [(unary_calls, 5_000), (binary_calls, 30_000)])
def test_types_of_every_dtype_and_pair(calls: Callable[[bool], Iterator[Call]], at_least: int, x64: bool) -> None:
    with recorded_conversions() as converted:
        count, lines = wrong_answers(some(calls(x64), 5), x64=x64)
    print(f"{count} calls, {len(lines)} wrong")
    assert lines == []
    assert converted == []  # what a body computes has the rule's dtype by itself
    assert count >= (at_least if is_thorough() else at_least // 5)


def test_conversions_are_recorded() -> None:
    """The control of the test before: a body whose dtype is not the rule's is found."""
    from arraytyping.runtime.calling import operation
    from arraytyping.runtime.lax.integers import abs_p

    wrong = operation("numpy.isnan", "x")(lambda x, /: abs_p.bind(x))
    with recorded_conversions() as converted:
        assert wrong(np.float32(2)).aval.dtype == "bool"
    assert converted


def test_types_against_jax() -> None:
    """A sample of the same calls, asked of JAX itself."""
    calls = [*unary_calls(False)][::11] + [*binary_calls(False)][::37]
    calls = [c for c in calls if not any(isinstance(a, str | list | slice) or a is None for a in c.args)]
    assert unlike_jax(calls) == []
    assert len(calls) > 1500


@pytest.mark.parametrize("x64", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_types_of_choices(x64: bool) -> None:
    def calls() -> Iterator[Call]:
        yield from (c for c in choices() if c.name.startswith("numpy."))
        every = elements(x64)
        for a, b in product(every, repeat=2):
            yield Call("numpy.where", (array("bool", 2), ShapedArray((2,), *a), ShapedArray((1, 1), *b)))
            yield Call("numpy.select", ([array("bool", 2), ShapedArray((2,), *a)], [ShapedArray((2,), *b), 1], 0))
            yield Call("numpy.clip", (ShapedArray((2,), *a), ShapedArray((), *b), 1))
        for e, decimals in product(every, (0, 2, -1, 40, True, 1.5, None)):
            yield Call("numpy.round", (ShapedArray((2,), *e), decimals))
            yield Call("numpy.nan_to_num", (ShapedArray((2,), *e),), {"nan": 1, "posinf": array("float32", 1)})

    count, lines = wrong_answers(calls(), x64=x64)
    assert lines == []
    assert count > 3000


def sample(dtype: str) -> np.ndarray[Any, Any]:
    """Ordinary and special values."""
    made = to_dtype(dtype)
    if dtype == "bool":
        return np.array([True, False, True])
    if "int" in dtype:
        return (
            np.array([0, 1, 2, 3, 7, 5, 100], made) if made.kind == "u" else np.array([0, 1, -1, 2, -3, 7, -100], made)
        )
    if made.kind == "c":
        parts = [0, 1, -1, 1j, -1j, 0.5 + 0.25j, -2.5 + 3j, 10 - 0.5j, complex(np.inf, 0), complex(np.nan, 1)]
        return np.array(parts, made)
    return np.array([0.0, -0.0, 1, -1, 0.5, -0.25, 2.5, -3.5, 7, 100, -100, 1e-3, np.inf, -np.inf, np.nan, 1.5], made)


def accepted(names: list[str], dtype: str, arity: int, x64: bool) -> list[str]:
    """The functions that take arrays of this dtype."""
    args = (array(dtype, 3),) * arity
    return [n for n in names if not isinstance(rule_says(Call(f"numpy.{n}", args), x64=x64), Raised)]


def both(program: Callable[[Any], Callable[..., Any]], *args: Any, x64: bool = False) -> tuple[Any, Any]:
    """The results of a program on jax.numpy and on ours, each compiled as one."""
    with config.enable_x64(x64), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compiled(program(jnp), *args, x64=x64), jit(program(anp))(*args)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int32", "uint8", "bool", "complex64", "float64", "int64"])
def test_values(dtype: str) -> None:
    x64 = dtype.endswith("64") and dtype != "complex64"
    x = sample(dtype)
    a, b = np.repeat(x, len(x)), np.tile(x, len(x))
    one, two = accepted(UNARY, dtype, 1, x64), accepted(BINARY, dtype, 2, x64)

    def program(space: Any) -> Callable[..., Any]:
        def all_of_them(x: Any, a: Any, b: Any) -> Any:
            found = {name: getattr(space, name)(x) for name in one}
            found |= {name: getattr(space, name)(a, b) for name in two}
            found["select"] = space.select([a == b if space is jnp else space.equal(a, b), a], [a, b], 1)
            found["where"] = space.where(a, b, 0)
            if dtype in ("float32", "complex64", "bfloat16"):
                found["round 2"], found["angle"] = space.round(x, 2), space.angle(x, deg=True)
                found["nan_to_num"] = space.nan_to_num(x, nan=7, posinf=-1, neginf=space.abs(x))
                found["isclose"] = space.isclose(a, b, 0.6, equal_nan=True)
            for exponent in (0, 1, 2, 7, *((-3, 2.5) if "int" not in dtype and dtype != "bool" else ())):
                found[f"power {exponent}"] = space.power(x, exponent)
            return found

        return all_of_them

    real, given = both(program, x, a, b, x64=x64)
    assert unequal_results(real, given) == []
    assert len(real) > 75


def test_values_of_frexp_and_ldexp_at_the_ends() -> None:
    """Infinities, numbers next to them, and the least normal ones."""
    info = np.finfo(np.float32)
    x = np.array([np.inf, -np.inf, np.nan, info.max, -info.max, info.tiny, 3e-38, -0.0, 1e-30, 1e30], np.float32)
    real, given = both(lambda s: lambda x: {"frexp": s.frexp(x), "ldexp": s.ldexp(x, np.arange(10) - 5)}, x)
    assert unequal_results(real, given) == []


def pulled_back(space: Any, function: Callable[..., Any], *args: Any) -> Any:
    """The cotangents of the arguments, of a cotangent of ones (and some imaginary part)."""

    def ones(aval: Any) -> Any:
        made = np.ones(aval.shape, to_dtype(str(aval.dtype)))
        return made * (1 + 0.5j) if made.dtype.kind == "c" else made

    if space is jnp:
        result, pull = jax.vjp(function, *args)
        return pull(ones(result))
    result, pull = vjp(function, *args)
    return pull(array_from(ones(result.aval)))


NO_DERIVATIVE = frozenset(("spacing", "nextafter"))
"""JAX does not differentiate them."""


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_derivatives(dtype: str) -> None:
    """Of every function that gives floats or complex numbers; at ties, zeros and ends of intervals too."""
    reals = np.array([0.0, -0.0, 1, -1, 0.5, -0.5, 2.5, -3.5, 7, 20, 1e-3], np.float32)
    complexes = np.array([0.5 + 0.25j, 1 + 2j, -1.5 + 0.5j, 2 - 3j, 0], np.complex64)
    x = complexes if dtype == "complex64" else reals
    a, b = np.repeat(x, len(x)), np.tile(x, len(x))

    def differentiable(names: list[str], arity: int) -> list[str]:
        args = (array(dtype, 3),) * arity
        results = {n: rule_says(Call(f"numpy.{n}", args)) for n in accepted(names, dtype, arity, False)}
        return [n for n, r in results.items() if isinstance(r, ShapedArray) and str(r.dtype)[0] in "fc" and
                n not in NO_DERIVATIVE]  # fmt: skip

    one, two = differentiable(UNARY, 1), differentiable(BINARY, 2)

    def program(space: Any) -> Callable[..., Any]:
        def all_of_them(x: Any, a: Any, b: Any) -> Any:
            found = {name: pulled_back(space, getattr(space, name), x) for name in one}
            found |= {name: pulled_back(space, getattr(space, name), a, b) for name in two}
            found["where"] = pulled_back(
                space, lambda a, b: space.where(space.equal(a, b), a, space.multiply(b, 2)), a, b
            )
            for exponent in (0, 3, -2, np.arange(len(x))):
                found[f"power {exponent}"] = pulled_back(space, lambda x, e=exponent: space.power(x, e), x)
            if dtype == "float32":
                found["clip"] = pulled_back(space, lambda x: space.clip(x, -1, 1), x)
                found["modf"] = pulled_back(space, lambda x: space.modf(x)[0], x)
                found["divmod"] = pulled_back(space, lambda x: space.divmod(x, 0.7)[1], x)
                found["ldexp"] = pulled_back(space, lambda x: space.ldexp(x, 3), x)
                found["frexp"] = pulled_back(space, lambda x: space.frexp(x)[0], x)
                found["nan_to_num"] = pulled_back(space, lambda x: space.nan_to_num(space.log(x)), x)
            return found

        return all_of_them

    real, given = both(program, x, a, b)
    assert unequal_results(real, given, rtol=1e-4) == []
    assert len(real) > 60


def test_second_and_third_derivatives() -> None:
    """Of the functions with rules of their own, at 0 too."""
    x = np.array([0.0, 0.5, -2.0], np.float32)

    def program(space: Any) -> Callable[..., Any]:
        from arraytyping.runtime.transformations.differentiation import grad as our_grad

        grad: Any = jax.grad if space is jnp else our_grad
        mapped: Any = jax.vmap if space is jnp else vmap

        def all_of_them(x: Any) -> Any:
            found = {}
            for name in ("sinc", "i0", "logaddexp", "logaddexp2"):
                function = getattr(space, name)
                of_one = function if name in ("sinc", "i0") else lambda v, f=function: f(v, 0.5)
                found[f"{name} 2"] = mapped(grad(grad(of_one)))(x)
                if name != "i0":
                    found[f"{name} 3"] = mapped(grad(grad(grad(of_one))))(x)
            return found

        return all_of_them

    real, given = both(program, x)
    assert unequal_results(real, given, rtol=1e-3) == []


def test_mapped_functions_equal_a_loop() -> None:
    x = np.array([[0.5, -1.5, 2.0], [3.0, 0.0, -0.25]], np.float32)
    scalar = np.array([1.5, 2.5], np.float32)
    one, two = accepted(UNARY, "float32", 1, False), accepted(BINARY, "float32", 2, False)

    def all_of_them(x: Any, y: Any) -> Any:
        found = {name: getattr(anp, name)(x) for name in one}
        found |= {name: getattr(anp, name)(x, y) for name in two if name != "ldexp"}
        return found

    mapped = jit(vmap(all_of_them))(x, scalar)
    each = [jit(all_of_them)(row, s) for row, s in zip(x, scalar)]
    for name, value in mapped.items():
        for n, part in enumerate(value if isinstance(value, tuple) else (value,)):
            rows = [np.asarray((e[name][n] if isinstance(value, tuple) else e[name])._value) for e in each]
            assert unequal(np.stack(rows), part, 1e-5) is None, name


def test_eager_as_traced() -> None:
    """A compiled program for each call, made of the same body; Python scalars, weak results, kinds of operands."""
    x = array_from(np.array([1.5, -2.0], np.float32))
    for name, args in (
        ("add", (x, 1)), ("add", (1, 2)), ("multiply", (np.int16(3), 2.5)), ("sin", (1,)), ("floor_divide", (7, x)),
        ("where", (True, 1, 2.5)), ("clip", (x, 0)), ("logaddexp", (x, 0)), ("frexp", (x,)),
        ("gcd", (12, np.arange(3))),
        ("round", (2.567, 2)), ("power", (x, 3)), ("power", (2, 3)), ("power", (x, x)), ("isclose", (x, 1.5)),
        ("divmod", (7, 2)), ("nan_to_num", (np.nan,)), ("select", ([x], [1], 2.5)), ("negative", (True + 1,)),
        ("positive", (3,)), ("real", (2.5,)), ("imag", (2.5,)), ("angle", (1j,)), ("invert", (True,)),
    ):  # fmt: skip
        theirs = jax.tree.map(lambda a: np.asarray(a._value) if hasattr(a, "_value") else a, args)
        real, given = getattr(jnp, name)(*theirs), getattr(anp, name)(*args)
        for a, b in zip(*((v if isinstance(v, tuple) else (v,)) for v in (real, given)), strict=True):
            assert unequal(a, b) is None, name
            assert (a.dtype.name, a.aval.weak_type) == (b.aval.dtype, bool(b.aval.weak_type)), name


def test_power_of_a_known_exponent() -> None:
    """A 0-d integer that is known is an exponent by which the base is multiplied; a traced one is an operand."""
    base, three = np.int8(2), np.int32(3)
    assert anp.power(base, array_from(three)).aval.dtype == jnp.power(base, jnp.int32(3)).dtype.name == "int8"
    assert jit(anp.power)(base, three).aval.dtype == jax.jit(jnp.power)(base, three).dtype.name == "int32"
    assert jit(lambda x: anp.power(x, three))(base).aval.dtype == "int8"
    for space in (anp, jnp):
        with pytest.raises(TypeError):
            space.power(base, -1)
        with pytest.raises(TypeError):
            space.power(base, (array_from if space is anp else jnp.asarray)(np.int32(-1)))


def test_ufunc_methods() -> None:
    x = np.array([[3, 1, 2], [5, 4, 6]], np.int32)
    f = np.array([[0.5, -1, 2], [1.5, 0, 3]], np.float32)
    mask = np.array([[True, False, True], [True, True, False]])

    def program(space: Any) -> Callable[..., Any]:
        def all_of_them(x: Any, f: Any, mask: Any) -> Any:
            found = {}
            for name in ("add", "multiply", "maximum", "minimum", "bitwise_and", "bitwise_or", "bitwise_xor",
                         "logical_and", "logical_or", "logical_xor", "subtract", "logaddexp",
                         "logaddexp2"):  # fmt: skip
                ufunc = getattr(space, name)
                given = f if name.startswith("loga") else x
                first = np.float32(1) if name == "logaddexp" else 1
                found[f"{name}.reduce"] = ufunc.reduce(given)
                found[f"{name}.reduce all"] = ufunc.reduce(given, axis=None, keepdims=True)
                found[f"{name}.reduce masked"] = ufunc.reduce(given, axis=1, initial=first, where=mask)
                if name not in ("logical_and", "logical_or", "logical_xor"):
                    found[f"{name}.accumulate"] = ufunc.accumulate(given, axis=1)
                found[f"{name}.outer"] = ufunc.outer(given[0] if space is jnp else given_row(given), given)
            found["add.reduce float16"] = space.add.reduce(f, dtype="float16")
            for name in ("add", "multiply", "subtract"):
                found[f"{name}.at"] = getattr(space, name).at(f, np.array([0, 1, 0]), 2.5, inplace=False)
            return found

        return all_of_them

    def given_row(given: Any) -> Any:
        from arraytyping.numpy.axes import at_axis

        return at_axis(given, 0, 0)

    real, given = both(program, x, f, mask)
    assert unequal_results(real, given) == []
    for ufunc, args, kwargs in (
        (anp.add, (f, f), {"out": f}), (anp.add.reduce, (f,), {"out": f}), (anp.negative.reduce, (f,), {}),
        (anp.maximum.reduce, (f[:0],), {}), (anp.add.at, (f, 0, 1), {}), (anp.add.reduce, (f, 5), {}),
        (anp.subtract.reduce, (f[:0],), {}), (anp.maximum.reduce, (f,), {"where": mask}),
    ):  # fmt: skip
        with pytest.raises((NotImplementedError, ValueError)):
            ufunc(*args, **kwargs)


def test_ufuncs_at_indices_and_in_segments() -> None:
    f = np.array([[0.5, -1, 2], [1.5, 0, 3]], np.float32)
    n = np.array([4, 3, 2, 1], np.int8)
    places, rows, columns = np.array([0, 2, 2]), np.array([0, 1, 1]), np.array([1, 1, 1])
    values = np.array([5.0, -7, 0.25], np.float32)

    def program(space: Any) -> Callable[..., Any]:
        made = space.frompyfunc(lambda a, b: a * 2 - b, 2, 1)

        def all_of_them(f: Any, n: Any, values: Any) -> Any:
            return [
                *(u.at(f, (rows, columns), values, inplace=False) for u in (space.minimum, space.logaddexp, made)),
                *(u.at(n, places, inplace=False) for u in (space.frompyfunc(lambda a: a * 2 + 1, 1, 1),)),
                space.maximum.at(f, (1,), 2.5, inplace=False), made.at(n, (0,), 2, inplace=False),
                made.at(f, (1, 1), 2.0, inplace=False), space.maximum.at(f, (), 2.5, inplace=False),
                space.bitwise_xor.at(n, places, n[:3], inplace=False),
                *(u.reduceat(n, np.array([0, 2, 1])) for u in (space.add, space.multiply, space.maximum, made)),
                *(u.reduceat(f, np.array([1, 0, 2, 2]), axis=a) for u in (space.add, made) for a in (1, -1)),
            ]  # fmt: skip

        return all_of_them

    real, given = both(program, f, n, values)
    for i, (a, b) in enumerate(zip(real, given, strict=True)):
        assert unequal(a, b) is None, i
    for space in (anp, jnp):
        made, again, other = (space.frompyfunc(g, 2, 1) for g in (max, max, min))
        assert (made == again, hash(made) == hash(again), made == other) == (True, True, False)
        for name in ("nin", "nout", "nargs", "identity"):
            with pytest.raises(AttributeError):
                setattr(made, name, None)
        wrong: list[Callable[[Any], Any]] = [
            lambda s: s.add.reduceat(f[0, 0], places), lambda s: s.add.reduceat(f, f[:, :1].astype(int)),
            lambda s: s.add.reduceat(f, places, axis=None), lambda s: s.frompyfunc(abs, 1, 1).reduceat(f, places),
        ]  # fmt: skip
        for call in wrong:
            with pytest.raises(ValueError, match=r"reduceat|axis"):
                call(space)


def test_ufunc_of_a_python_function() -> None:
    x = np.array([[1.0, 2.0], [3.0, 5.0]], np.float32)

    def program(space: Any) -> Callable[..., Any]:
        made = space.frompyfunc(lambda a, b: a * 2 - b, 2, 1)
        return lambda x: (made(x, 1.5), made.reduce(x, axis=1), made.accumulate(x), made.outer(x, x))

    for a, b in zip(*both(program, x), strict=True):
        assert unequal(a, b) is None


def test_equality() -> None:
    x, y = np.array([1.0, np.nan], np.float32), np.array([1.0, np.nan], np.float32)
    for name, args in (
        ("array_equal", (x, y)), ("array_equal", (x, y, True)), ("array_equal", ([1, 2], [1, 2])),
        ("array_equal", (x, 1)),
        ("array_equiv", ([1, 1], 1)), ("array_equiv", ([1, 2], [[1, 2], [1, 3]])),
        ("allclose", (x, y, 1e-5, 1e-8, True)),
        ("allclose", (x, y)), ("allclose", (1.0, 1.001, 0.1)),
    ):  # fmt: skip
        assert bool(getattr(anp, name)(*args)._value) == bool(getattr(jnp, name)(*args)), name
    for name, value in product(
        ("isscalar", "iscomplexobj", "isrealobj"), (1, 1j, "a", None, x, np.float32(1), [1j], [])
    ):
        assert getattr(anp, name)(value) is bool(getattr(jnp, name)(value)), (name, value)
    one = array_from(np.array(1j, np.complex64))
    assert anp.isscalar(one)
    assert anp.iscomplexobj(one)


def test_dtypes_of_the_table() -> None:
    assert len({d for c in unary_calls(True) for d in [getattr(c.args[0], "dtype", None)]} & set(DTYPES)) == len(DTYPES)
