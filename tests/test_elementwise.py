"""The rules of elementwise functions and operators against JAX itself, for every dtype, pair of dtypes and mode."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agreements import agreed, digest_of, record
from oracle import (
    Call,
    Raised,
    array,
    builtin_exception,
    configured,
    differences,
    elements,
    fingerprint,
    from_jax,
    jax_says,
    rule_says,
    show,
    to_dtype,
    to_jax,
)

from arraytyping.scalars import DTYPES
from arraytyping.semantics.avals import UNKNOWN, Alternatives, NumPyArray, Scalar, ShapedArray
from arraytyping.semantics.promotion.jax import JaxPromotion, Mode
from arraytyping.semantics.rules import binary, unary
from arraytyping.semantics.rules.operators import ARITHMETIC, COMPARISONS
from arraytyping.semantics.rules.registry import RULES

UNARY = [name for row in unary.ROWS for name in row.names.split()] + ["modf", "frexp", "angle", "nan_to_num", "round"]
BINARY = [name for row in binary.ROWS for name in row.names.split()] + ["divmod", "ldexp", "isclose"]
ONE_OF_EACH = [row.names.split()[0] for row in binary.ROWS] + ["divmod", "ldexp", "isclose"]
OTHER = ["power", "pow", "around", "clip", "where", "select"]
OPERATORS = [f"__{n}__" for n in (*ARITHMETIC, *(f"r{a}" for a in ARITHMETIC), *COMPARISONS)]
PYTHON_SCALARS: tuple[bool | float | complex, ...] = (True, 2, 2.5, 1j)
SHAPES: list[tuple[int, ...]] = [(), (3,), (1,), (0,), (4,), (2, 3), (2, 1), (1, 3), (4, 3), (2, 2, 3)]
SAMPLE = [("bool", False), ("uint8", False), ("int32", False), ("bfloat16", False), ("float32", True),
          ("complex64", False)]  # fmt: skip


def all_elements(x64: bool) -> list[tuple[str, bool]]:
    """Every dtype and weak dtype, and weak bool, which comparisons of weak arrays give."""
    return [*elements(x64), ("bool", True)]


def abstract(a: ShapedArray) -> Any:
    """The array as `jax.eval_shape` takes it."""
    return jax.ShapeDtypeStruct(a.shape, to_dtype(a.dtype or ""), weak_type=a.weak_type)  # type: ignore[no-untyped-call]


def compare_each(
    names: Iterable[str], operands: Iterable[tuple[Any, ...]], *, x64: bool, mode: Mode = "standard"
) -> tuple[int, list[str]]:
    """As `differences`, of many functions on the same arguments, which are traced together for speed."""
    count, lines = 0, []
    names, operands = list(names), list(operands)
    answers = {
        (i, name): rule_says(Call(f"numpy.{name}", args), x64=x64, mode=mode)
        for i, args in enumerate(operands)
        for name in names
    }
    digest = digest_of((f"each {x64} {mode} {names}", *map(repr, operands), *map(fingerprint, answers.values())))
    if agreed(digest):
        return len(answers), []
    for i, args in enumerate(operands):
        said: dict[str, Any] = {}
        arrays = [a for a in args if isinstance(a, ShapedArray)]

        def traced(*tracers: Any, args: tuple[Any, ...] = args, said: dict[str, Any] = said) -> None:
            given = iter(tracers)
            actual = [next(given) if isinstance(a, ShapedArray) else to_jax(a) for a in args]
            for name in names:
                try:
                    said[name] = from_jax(getattr(jnp, name)(*actual))
                except Exception as error:
                    said[name] = Raised(builtin_exception(type(error)), str(error))

        with configured(x64, mode):
            jax.eval_shape(traced, *map(abstract, arrays))
        for name, real in said.items():
            call = Call(f"numpy.{name}", args)
            ours = answers[i, name]
            count += 1
            if real != ours:
                lines.append(f"{call} [x64={x64}, {mode}]: jax says {show(real)}, the rule says {show(ours)}")
    if not lines:
        record(digest)
    return count, lines


def check(count: int, lines: list[str], at_least: int) -> None:
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == []
    assert count >= at_least


def test_every_function_is_here() -> None:
    """Those of jax.numpy that are elementwise, and none of their names is misspelt."""
    functions = {*UNARY, *BINARY, *OTHER}
    assert all(hasattr(jnp, name) for name in functions)
    assert {f"numpy.{name}" for name in functions} <= set(RULES)
    # NumPy's own list of ufuncs is the control: what JAX has of it must be here.
    ufuncs = {n for n in dir(np) if isinstance(getattr(np, n), np.ufunc) and hasattr(jnp, n)}
    assert ufuncs - functions == {"matmul", "matvec", "vecdot", "vecmat"}


@pytest.mark.parametrize("name", sorted({*UNARY, *BINARY, *OTHER}))
def test_signature(name: str) -> None:
    real = inspect.signature(getattr(jnp, name)).parameters.values()
    ours = RULES[f"numpy.{name}"].signature.parameters.values()
    if isinstance(getattr(jnp, name), jnp.ufunc):
        real = inspect.signature(jnp.ufunc.__call__).parameters.values()
        keywords = [p for p in real if p.kind is p.KEYWORD_ONLY]
        assert [(p.name, p.default) for p in ours if p.kind is p.KEYWORD_ONLY] == [(p.name, None) for p in keywords]
        assert all(p.kind in (p.POSITIONAL_ONLY, p.KEYWORD_ONLY) for p in ours)
        return
    assert [p.kind for p in ours] == [p.kind for p in real]
    named = [(p.name, p.default) for p in real if p.kind is not p.POSITIONAL_ONLY]
    assert [(p.name, p.default) for p in ours if p.kind is not p.POSITIONAL_ONLY] == named


@pytest.mark.parametrize("x64", [False, True])
def test_unary_of_every_dtype(x64: bool) -> None:
    operands: list[tuple[Any, ...]] = [
        (ShapedArray(shape, *e),) for e, shape in product(all_elements(x64), ((), (2, 3), (0,)))
    ]
    scalars = [*PYTHON_SCALARS, 2**31 - 1, 2**31, -(2**31) - 1, 2**63 - 1, 2**63, None, "a", [1.0], slice(None)]
    operands += [(value,) for value in scalars]
    operands += [(NumPyArray(shape, dtype),) for dtype in DTYPES for shape in ((), (2,))]
    check(*compare_each(UNARY, operands, x64=x64), at_least=9000)


def test_unary_strict() -> None:
    operands = [(ShapedArray(shape, *e),) for e, shape in product(all_elements(False), ((), (2,)))]
    check(*compare_each(UNARY, operands, x64=False, mode="strict"), at_least=3000)


@pytest.mark.parametrize(("x64", "names"), [(False, BINARY), (True, ONE_OF_EACH)])
def test_binary_of_every_pair(x64: bool, names: list[str]) -> None:
    pairs = list(product(all_elements(x64), repeat=2))
    arrays = [(ShapedArray((2, 3), *a), ShapedArray((2, 3), *b)) for a, b in pairs]
    # Without a weak operand the rank is not looked at.
    scalars = [(ShapedArray((), *a), ShapedArray((), *b)) for a, b in pairs if a[1] and b[1]]
    check(*compare_each(names, arrays + scalars, x64=x64), at_least=24_000)


def test_binary_strict() -> None:
    pairs = product(elements(False), repeat=2)
    arrays = [(ShapedArray((), *a), ShapedArray((2,), *b)) for a, b in pairs]
    check(*compare_each(ONE_OF_EACH, arrays, x64=False, mode="strict"), at_least=17_000)


@pytest.mark.parametrize(("x64", "names"), [(False, BINARY), (True, ONE_OF_EACH)])
def test_binary_with_python_scalars(x64: bool, names: list[str]) -> None:
    arrays = [ShapedArray((2,), *e) for e in all_elements(x64)]
    operands: list[tuple[Any, ...]] = []
    for a, s in product(arrays, PYTHON_SCALARS):
        operands += [(a, s), (s, a)]
    for a in (array("int8", 2), array("float32"), array("uint32", 2)):
        for odd in (2**31, -(2**31) - 1, 2**63, None, "a", [1], (1.0,)):
            operands += [(a, odd), (odd, a)]
    operands += list(product(PYTHON_SCALARS, repeat=2))
    check(*compare_each(names, operands, x64=x64), at_least=6000)


def test_binary_with_numpy() -> None:
    operands: list[tuple[Any, ...]] = []
    for element, dtype in product(SAMPLE, DTYPES):
        a, n = ShapedArray((2,), *element), NumPyArray(() if element[0] < "f" else (3, 1), dtype)
        operands += [(a, n), (n, a)]
    check(*compare_each(ONE_OF_EACH, operands, x64=False), at_least=5_500)


def test_binary_shapes() -> None:
    """Every pair of shapes, with weak operands too: the weak type of some results depends on the ranks."""
    count = 0
    lines: list[str] = []
    for left, right in (("int32", "int32"), ("float32", "int32"), ("complex64", "float32")):
        for weak in (False, True):
            operands = [(ShapedArray(s, left, weak), ShapedArray(t, right, weak)) for s, t in product(SHAPES, repeat=2)]
            # These refuse this dtype; which of two mistakes is reported first is of no interest.
            names = [n for n in ONE_OF_EACH if not isinstance(jax_says(Call(f"numpy.{n}", operands[0])), Raised)]
            n, more = compare_each(names, operands, x64=False)
            count, lines = count + n, lines + more
    check(count, lines, at_least=7_500)


def power_pairs(x64: bool) -> Iterator[tuple[ShapedArray, ShapedArray]]:
    for a, b in product(all_elements(x64), repeat=2):
        for left, right in (((), ()), ((2,), ())) if not x64 else (((), ()),):
            yield ShapedArray(left, *a), ShapedArray(right, *b)


@pytest.mark.parametrize("x64", [False, True])
def test_power_eager_and_traced(x64: bool) -> None:
    """Of 0-d exponents: every real answer is among ours, and ours is that answer where the two modes agree."""
    count = both = 0
    calls = [Call("numpy.power" if b.shape == () else "Array.__pow__", (b, e)) for b, e in power_pairs(x64)]
    said = [rule_says(call, x64=x64) for call in calls]
    digest = digest_of((f"power {x64}", *map(repr, calls), *map(fingerprint, said)))
    if agreed(digest):
        return
    for call, ours in zip(calls, said):
        base, exponent = call.args
        alternatives = ours.values if isinstance(ours, Alternatives) else (ours,)
        traced = jax_says(call, x64=x64)
        # XLA runs no float6 and takes 1-bit integers for bool.  Only integer exponents differ, so that one shape of
        # the base does for the others.
        runs = not any(
            d in ("int1", "uint1", "float6_e2m3fn", "float6_e3m2fn") for d in (base.dtype, exponent.dtype)
        ) and (base.shape == () or "int" in (exponent.dtype or ""))
        real = {traced, jax_says(call, x64=x64, eager=True)} if runs else {traced}
        count += len(real)
        answers = {r for r in real if not isinstance(r, Raised)}
        assert answers <= set(alternatives), f"{call} [x64={x64}]: {real} against {ours}"
        if runs:
            assert set(alternatives) == (answers or real), f"{call} [x64={x64}]: {real} against {ours}"
        both += len(answers) == 2
    print(f"{count} calls compared, {both} of them differ between eager and traced JAX")
    assert count > 1300
    assert both > 70
    record(digest)


@pytest.mark.parametrize(("x64", "mode"), [(False, "standard"), (True, "standard"), (False, "strict")])
def test_power_of_every_pair_of_arrays(x64: bool, mode: Mode) -> None:
    """Exponents with dimensions: one answer."""
    pairs = product(all_elements(x64), repeat=2)
    operands = [(ShapedArray((2,), *a), ShapedArray((1, 1) if a[1] else (2,), *b)) for a, b in pairs]
    check(*compare_each(["power"], operands, x64=x64, mode=mode), at_least=900)


@pytest.mark.parametrize("x64", [False, True])
def test_power_of_python_exponents(x64: bool) -> None:
    """Exponents known before anything runs: one answer."""
    exponents = (True, False, 0, 1, 2, 3, -1, -3, 2**40, 2**70, 2.0, -0.5, 1j, None, "a", [2])
    operands: list[tuple[Any, ...]] = []
    for e, exponent in product(all_elements(x64), exponents):
        operands += [(ShapedArray((2, 1), *e), exponent)]
    operands += list(product((True, 2, 2.5, 1j, None), exponents))
    operands += list(product((2**31, 2**63, 2**64, -(2**63) - 1), (0, 2, 2.0, 1j)))
    operands += [(NumPyArray((), d), 2) for d in DTYPES] + [(d, array("int32", 2)) for d in PYTHON_SCALARS]
    operands += [(array("int8", 2), NumPyArray(s, d)) for d in DTYPES for s in ((2,), (3, 1)) if "int" in d]
    operands += [(array("int8", 2), NumPyArray((), d)) for d in DTYPES if "int" not in d]
    check(*compare_each(["power", "pow"], operands, x64=x64), at_least=1200)


def test_power_of_unknown_exponents() -> None:
    """A Python int may reach a jitted function as a tracer."""
    base = array("int8", 2)
    both = Alternatives((base, array("int32", 2)))
    assert rule_says(Call("numpy.power", (base, Scalar("int")))) == base  # weak: the same either way
    assert rule_says(Call("numpy.power", (base, NumPyArray((), "int32")))) == both
    assert rule_says(Call("Array.__pow__", (base, array("int32")))) == both
    assert rule_says(Call("numpy.power", (array("int8", 2, weak=True), Scalar("int")))) != both
    weak_or_not = rule_says(Call("Array.__rpow__", (array("int32"), 2)))
    assert weak_or_not == Alternatives((array("int32", weak=True), array("int32")))
    assert rule_says(Call("numpy.power", (base, Scalar("float")))) == array("float32", 2, weak=True)
    # An error only if no exponent of this type works.
    assert isinstance(rule_says(Call("numpy.power", (base, -1))), Raised)
    assert rule_says(Call("numpy.power", (base, UNKNOWN))) == Alternatives((base, ShapedArray(None, None)))


def operator_operands() -> Iterator[tuple[Any, Any]]:
    """An array and another operand, of every kind."""
    strong = [ShapedArray((2, 2), *e) for e in SAMPLE] + [array("int8", 2), array("uint32")]
    yield from product(strong, repeat=2)
    yield from product(strong, (*PYTHON_SCALARS, None, [1], (1, 2), slice(None), int))
    yield from ((a, b"a") for a in strong if a.shape)  # a 0-d integer array repeats it
    yield from ((a, NumPyArray(s, d)) for a in strong for d in ("bool", "int32", "float64") for s in ((2,),))


def test_operators() -> None:
    names = [name for name in OPERATORS if "pow" not in name]
    calls = [
        Call(f"Array.{name}", (a, b))
        for name in names
        for a, b in operator_operands()
        if not (name == "__rmod__" and isinstance(b, bytes))  # bytes are formatted, whatever the array
    ]
    calls += [
        Call(f"Array.{name}", (ShapedArray(shape, *e),))
        for name in ("__neg__", "__pos__", "__abs__", "__invert__", "__round__")
        for e, shape in product(all_elements(False), ((), (2,)))
    ]
    count, lines = differences(calls)
    check(count, lines, at_least=5500)


def test_power_operators() -> None:
    """`**` in both orders, where the exponent has dimensions or is known."""
    arrays = [ShapedArray((2,), *e) for e in all_elements(False)]
    values = (True, 2, -1, 2.5, 1j, None, "a", [1])
    calls = [Call("Array.__pow__", (a, v)) for a, v in product(arrays, values)]
    calls += [Call("Array.__rpow__", (a, v)) for a, v in product(arrays, values)]
    calls += [Call("Array.__rpow__", (a, NumPyArray((2,), "uint8"))) for a in arrays]
    check(*differences(calls), at_least=400)


@pytest.mark.parametrize(("x64", "mode"), [(False, "standard"), (True, "standard"), (False, "strict")])
def test_where_of_every_pair(x64: bool, mode: Mode) -> None:
    pairs = list(product(all_elements(x64), repeat=2))
    condition = array("bool", 2)
    operands: list[tuple[Any, ...]] = [(condition, ShapedArray((), *a), ShapedArray((1, 1), *b)) for a, b in pairs]
    operands += [(ShapedArray((2,), *e), 1, array("float32", 1, 2)) for e in all_elements(x64)]
    operands += [(condition, s, ShapedArray((3, 1), *e)) for e in all_elements(x64) for s in PYTHON_SCALARS]
    check(*compare_each(["where"], operands, x64=x64, mode=mode), at_least=1000)


@pytest.mark.parametrize("x64", [False, True])
def test_clip_and_select_of_every_pair(x64: bool) -> None:
    pairs = list(product(elements(x64), repeat=2))
    # Limits take part in promotion one after the other.
    calls = [Call("numpy.clip", (ShapedArray((2,), *a), ShapedArray((), *b), 1)) for a, b in pairs[::2]]
    calls += [Call("numpy.clip", (ShapedArray((2,), *a), None, ShapedArray((3, 1), *b))) for a, b in pairs[1::2]]
    chosen = [ShapedArray((2,), *e) for e in elements(x64)[::3]]
    calls += [Call("numpy.select", ([array("bool", 2), x], [x, y], 0)) for x, y in product(chosen, repeat=2)]
    check(*differences(calls, x64=x64), at_least=1000)


def choices() -> Iterator[Call]:
    f, i, w, c, m = array("float32", 2, 3), array("int8", 3), array("float32", 3, weak=True), array("complex64"), array(
        "bool", 3)  # fmt: skip
    for x, y in product((f, i, w, c, m, 1, True, 2.5, None, [1], "a"), repeat=2):
        yield Call("numpy.where", (m, x, y)) if (x, y) != (None, None) else Call("numpy.where", (None, 1, 2))
    for shapes in product(((), (3,), (2, 1), (4,), (0,)), repeat=3):
        yield Call("numpy.where", tuple(ShapedArray(s, "int32") for s in shapes))
        yield Call("numpy.clip", tuple(ShapedArray(s, "int32") for s in shapes))
    yield Call("numpy.where", (m, f, i), {"size": 2})
    yield Call("numpy.where", (m, f, i), {"fill_value": 0})
    for args in product((f, i, w, c, m, 1, None, "a", [1.0]), (None, 1, 2.5, 1j, i, c, w, [1], "a")):
        if args[0] in (None, c) and args[1] in ([1], "a"):
            continue  # two mistakes at once
        yield Call("numpy.clip", args)
        yield Call("numpy.clip", args, {"max": array("int16", 2, 1)})
        if isinstance(args[0], ShapedArray):
            yield Call("Array.clip", args)
            yield Call("Array.clip", args[:1], {"max": args[1]})
    yield Call("numpy.clip")
    for a in (f, w, c, m, array("float8_e4m3", 2), array("float32", weak=True)):
        for replacement in (1, 2.5, 1j, None, f, array("int32", 2, 1, 1), array("float32", 7), 2**31):
            for name in ("nan", "posinf", "neginf"):
                yield Call("numpy.nan_to_num", (a,), {name: replacement})
        yield Call("numpy.nan_to_num", (a, False, "a"))
    for conditions, options in (([m, f], [i, w]), ([m], [i, w]), ([], []), ([True], [1]), ([m, i], [1, 2.5]),
                                ([array("bool", 2, 1)], [i]), ([array("bool", 4)], [i]), ([m], [None])):  # fmt: skip
        yield Call("numpy.select", (conditions, options))
        yield Call("numpy.select", (conditions, options), {"default": array("float16", 2, 2, 1)})
        yield Call("numpy.select", (tuple(conditions), tuple(options), 1j))
    yield Call("numpy.select", (None, [i]))
    yield Call("numpy.select", ([array("uint4", 3), array("int8", 3)], [i, i]))


def rounded() -> Iterator[Call]:
    arrays = [ShapedArray(s, *e) for s in ((), (2,)) for e in all_elements(False)]
    for x, name in product(arrays, ("numpy.round", "Array.round", "numpy.around")):
        for decimals in (0, 1, -1, True, 19, 31, 38, 39, 308, 309, -400):
            yield Call(name, (x, decimals))
    weak = array("float32", 2, weak=True)
    bad = (None, 1.0, "a", [1], (1,), 1j, array("int32"), NumPyArray((1,), "int32"), NumPyArray((), "int32"))
    for x, no_decimals in product((array("int8", 2), array("float32")), bad):
        yield Call("numpy.round", (x, no_decimals))
    yield Call("numpy.round", (weak, 1), {"out": weak})
    yield Call("Array.round", (weak,), {"out": weak})
    for x, ndigits in product((weak, array("int8", 2), array("bool")), (None, 0, 1, -1, "a", 1.0)):
        yield Call("Array.__round__", (x, ndigits))


def special_arguments(x64: bool) -> Iterator[Call]:
    f, i = array("float32", 2), array("int32", 2)
    for e, deg in product(all_elements(x64), (False, True)):
        yield Call("numpy.angle", (ShapedArray((), *e), deg))
        yield Call("numpy.angle", (ShapedArray((2,), *e), deg))
    for name, args in (("add", (f, f)), ("logical_and", (f, f)), ("negative", (f,)), ("maximum", (i, 1))):
        yield Call(f"numpy.{name}", args, {"out": None, "where": None})
        yield Call(f"numpy.{name}", args, {"out": f})
        yield Call(f"numpy.{name}", args, {"where": array("bool", 2)})
    for name in ("isposinf", "isneginf", "modf"):
        yield Call(f"numpy.{name}", (f,), {"out": f})
        yield Call(f"numpy.{name}", (f, None))
    for name in ("fmax", "fmin", "gcd", "lcm"):
        yield Call(f"numpy.{name}", (), {"x1": i, "x2": 2})
    for name in ("trunc", "isreal", "iscomplex", "i0"):
        yield Call(f"numpy.{name}", (), {"x": f})
    for tolerance in (1, 1.0, 1j, True, None, "a", array("float16"), array("complex64"), NumPyArray((), "float64")):
        yield Call("numpy.isclose", (f, i, tolerance))
        yield Call("numpy.isclose", (f, array("float32", 3, 1)), {"atol": tolerance, "equal_nan": True})
    for x in (f, array("complex64", 2, weak=True), array("int8")):
        for name in ("Array.real", "Array.imag", "Array.conj", "Array.conjugate"):
            yield Call(name, (x,))


@pytest.mark.parametrize("x64", [False, True])
def test_choices(x64: bool) -> None:
    check(*differences(choices(), x64=x64), at_least=780)


def test_rounding() -> None:
    check(*differences(rounded()), at_least=1600)


@pytest.mark.parametrize("x64", [False, True])
def test_special_arguments(x64: bool) -> None:
    check(*differences(special_arguments(x64), x64=x64), at_least=150)


def calls() -> Iterator[Call]:
    """A few hundred fully known calls of every function and operator."""
    elements_ = [("bool", False), ("uint4", False), ("int32", False), ("int32", True), ("float16", False),
                 ("float32", True), ("complex64", False)]  # fmt: skip
    pairs = list(product(elements_, repeat=2))
    for k, name in enumerate(UNARY):
        for n, e in enumerate(elements_):
            yield Call(f"numpy.{name}", (ShapedArray(SHAPES[(k + n) % 6], *e),))
        yield Call(f"numpy.{name}", (PYTHON_SCALARS[k % 4],))
    for k, name in enumerate((*BINARY, "power")):
        for n in range(6):
            left, right = pairs[(7 * k + 11 * n) % len(pairs)]
            shapes = SHAPES[(k + n) % len(SHAPES)], SHAPES[(k + 3 * n) % len(SHAPES)]
            yield Call(f"numpy.{name}", (ShapedArray(shapes[0], *left), ShapedArray(shapes[1], *right)))
        yield Call(f"numpy.{name}", (array("float32", 2), PYTHON_SCALARS[k % 4]))
        yield Call(f"numpy.{name}", (NumPyArray((2,), "int16"), array("int32", 2)))
    for k, name in enumerate(OPERATORS):
        for a in (array("int8", 2, 2), array("float32", 2, weak=True), array("uint8")):
            yield Call(f"Array.{name}", (a, PYTHON_SCALARS[k % 4]))
            yield Call(f"Array.{name}", (a, array("int32", 2)))
        yield Call(f"Array.{name}", (array("int32", 2), None))
        yield Call(f"Array.{name}", (array("int32", 2), NumPyArray((2, 2), "float32")))
    for exponent in (0, 2, -1, True, 2.5):
        yield Call("numpy.power", (array("int8", 2), exponent))
        yield Call("Array.__pow__", (array("float32", 2, weak=True), exponent))
    yield from list(choices())[::7]
    yield from list(rounded())[::40]
    yield from list(special_arguments(False))[::3]


def test_messages() -> None:
    """They say what was given and what to do."""
    said = rule_says(Call("numpy.bitwise_and", (array("float32", 2), 1)))
    assert said.message == (
        "bitwise_and does not take float32; it takes bool and integers: convert first, with x.astype(jnp.int32)"
    )
    said = rule_says(Call("Array.__add__", (array("float32", 2), None)))
    assert said.message == "unsupported operand types for +: float32[2] and None; it has to be an array or a number"
    said = rule_says(Call("Array.__rmatmul__", (array("float32", 2), None)))
    assert said.message == "unsupported operand types for @: None and float32[2]; it has to be an array or a number"
    said = rule_says(Call("numpy.hypot", (array("float32", 2), array("float32", 3))))
    assert "(2,) and (3,)" in said.message


def test_partly_known_operands() -> None:
    """What is known of the result in spite of what is unknown of the operands."""
    half, anything = ShapedArray((2, None), "float16"), ShapedArray((3, 1), None)
    assert rule_says(Call("numpy.sin", (half,))) == half
    assert rule_says(Call("numpy.add", (half, Scalar("float")))) == half
    assert rule_says(Call("numpy.add", (anything, ShapedArray((4,), "int8")))) == ShapedArray((3, 4), None)
    assert rule_says(Call("numpy.less", (half, UNKNOWN))) == ShapedArray(None, "bool", None)
    assert rule_says(Call("numpy.logical_and", (half, UNKNOWN))) == ShapedArray(None, "bool", False)
    assert rule_says(Call("numpy.bitwise_count", (anything,))) == ShapedArray((3, 1), "uint8")
    promotions = (JaxPromotion(), JaxPromotion(x64=True))
    assert {p.default("float") for p in promotions} == {"float32", "float64"}
