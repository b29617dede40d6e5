"""The values of derivatives against JAX's.

Orders 1 to 6, narrow dtypes, arguments where what is computed on the way overflows, is no number or is rounded away,
under `vmap`, and through branches that are not taken (https://github.com/jax-ml/jax/issues/1052).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import numpy as np
import pytest
from answers import asked
from runtime_primitive_cases import CASES, Case
from shares import spread

import arraytyping

OURS: Any = arraytyping
DTYPES = {"float32": 1e-3, "float16": 3e-2, "bfloat16": 3e-2}
"""The dtypes, and how far rounding may take derivatives apart: XLA rounds otherwise in a fused program."""
PLAIN = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, 4.0, 20.0, -20.0, 0.999, np.inf, -np.inf, np.nan]
EXTREME = {
    "float32": [87.0, -100.0, 1e5, -1e5, 1e-5, 1e10, 1e-10, 1e20, 3e38],
    "bfloat16": [87.0, -100.0, 1e5, -1e5, 1e-5, 1e10, 1e-10, 1e20],
    "float16": [300.0, -300.0, 1e-3, 6e4, 6e-5],
}

UNARY = {
    "numpy": "abs arccos arccosh arcsin arcsinh arctan arctanh cbrt cos cosh cumprod cumsum deg2rad exp exp2 expm1 "
    "fabs i0 log log10 log1p log2 nan_to_num negative positive reciprocal sign sin sinh sqrt square std tan tanh var",
    "nn": "celu elu gelu hard_sigmoid hard_silu hard_tanh leaky_relu log_sigmoid log_softmax logsumexp "
    "mish relu relu6 selu sigmoid silu soft_sign softmax softplus sparse_plus sparse_sigmoid squareplus standardize",
    "lax": "bessel_i0e bessel_i1e cummax cummin digamma erf erf_inv erfc lgamma logistic round rsqrt",
}
BINARY = (
    "arctan2 copysign float_power fmod heaviside hypot logaddexp logaddexp2 maximum minimum power remainder true_divide"
)


def unary(module: str, name: str) -> Callable[[Any], Callable[[Any], Any]]:
    return lambda fw: getattr(getattr(fw, module), name)


def of_first(name: str, other: float) -> Callable[[Any], Callable[[Any], Any]]:
    return lambda fw: lambda x: getattr(fw.numpy, name)(x, fw.numpy.array(other, x.dtype))


def of_second(name: str, other: float) -> Callable[[Any], Callable[[Any], Any]]:
    return lambda fw: lambda x: getattr(fw.numpy, name)(fw.numpy.array(other, x.dtype), x)


FUNCTIONS: dict[str, Callable[[Any], Callable[[Any], Any]]] = {
    f"{module}.{name}": unary(module, name) for module, names in UNARY.items() for name in names.split()
}
for _name in BINARY.split():
    for _other in (1.5, -2.0, 0.0):
        FUNCTIONS[f"{_name}(x, {_other})"] = of_first(_name, _other)
        FUNCTIONS[f"{_name}({_other}, x)"] = of_second(_name, _other)


def arguments(dtype: str) -> Any:
    return np.array(PLAIN + EXTREME[dtype]).astype(jax.numpy.dtype(dtype))


def derived(fw: Any, function: Callable[[Any], Any], order: int, how: str) -> Callable[[Any], Any]:
    """The derivative of this order of an elementwise function (of others, in the direction of ones)."""
    if not order:
        return function
    if how == "reverse":
        inner = derived(fw, function, order - 1, how)
        return fw.grad(lambda x: inner(x).sum())  # type: ignore[no-any-return]
    inner = derived(fw, function, order - 1, how)
    return lambda x: fw.jvp(inner, (x,), (fw.numpy.ones_like(x),))[1]


def value(fw: Any, function: Callable[[Any], Any], x: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(fw.numpy.asarray(x))


def value_of(compute: Callable[[Any], Any], fw: Any, x: Any) -> Any:
    return value(fw, compute(fw), x)


def check(name: str, compute: Callable[[Any], Any], x: Any, tolerance: float) -> None:
    """Hold what is computed of an array by one framework against the other."""
    with np.errstate(all="ignore"):
        ours, theirs = value_of(compute, OURS, x), asked(partial(value_of, compute, jax, x))
    assert (ours.shape, str(ours.dtype), ours.weak_type) == (theirs.shape, str(theirs.dtype), theirs.weak_type), name
    found, expected = (np.asarray(a).astype(np.float64) for a in (ours, theirs))
    same = np.isclose(found, expected, rtol=tolerance, atol=0, equal_nan=True)
    assert same.all(), f"{name} at {np.asarray(x)[~same]}: {found[~same]}, and {expected[~same]} with jax"


@pytest.mark.parametrize("name", spread(FUNCTIONS, 4))
def test_first_and_second_derivatives_at_extreme_arguments(name: str) -> None:
    function = FUNCTIONS[name]
    for (dtype, tolerance), how in zip(DTYPES.items(), ("reverse", "reverse", "forward")):
        for order in (1, 2):
            label = f"derivative {order} of {name}, {how}, {dtype}"
            check(label, partial(in_order, function, order, how), arguments(dtype), tolerance)


def in_order(function: Callable[[Any], Callable[[Any], Any]], order: int, how: str, fw: Any) -> Callable[[Any], Any]:
    return derived(fw, function(fw), order, how)


HIGHER = [
    "numpy.reciprocal", "true_divide(1.5, x)", "true_divide(x, 1.5)", "numpy.cbrt", "numpy.sqrt", "numpy.log",
    "numpy.tan", "numpy.tanh", "nn.sigmoid", "lax.rsqrt", "numpy.exp2", "power(x, 1.5)",
]  # fmt: skip


@pytest.mark.parametrize("order", [3, 6])
@pytest.mark.parametrize("name", spread(HIGHER, 3))
def test_higher_derivatives_of_an_array_and_of_a_batch(name: str, order: int) -> None:
    function = FUNCTIONS[name]
    for dtype, how, mapped in (("float32", "reverse", True), ("float16", "forward", False)):
        x = np.array([0.25, 1.5, 4.0, 20.0, 1e3]).astype(dtype)

        def compute(fw: Any, how: str = how, mapped: bool = mapped) -> Callable[[Any], Any]:
            whole = derived(fw, function(fw), order, how)
            return fw.vmap(whole) if mapped else whole

        # sums of terms of both signs: what they leave is rounded as the greatest of them is
        with np.errstate(all="ignore"):
            both = value_of(compute, OURS, x), asked(partial(value_of, compute, jax, x))
        ours, theirs = (np.asarray(a).astype(np.float64) for a in both)
        greatest = np.max(np.abs(theirs[np.isfinite(theirs)]), initial=0)
        np.testing.assert_allclose(ours, theirs, rtol=0.05, atol=greatest * 1e-6)


def test_derivatives_of_a_quotient_are_those_of_the_truth() -> None:
    at = OURS
    second = at.grad(at.grad(lambda x: 1 / x))
    assert abs(float(second(at.numpy.float16(20))) - 2 / 20**3) < 1e-6
    assert abs(float(second(at.numpy.float32(1e10))) - 2e-30) < 1e-34
    assert abs(float(at.grad(second)(at.numpy.float32(1e5))) + 6e-20) < 1e-24
    sixth = at.grad(at.grad(at.grad(at.grad(second))))
    assert abs(float(sixth(at.numpy.float32(4))) - 720 / 4**7) < 1e-5


BRANCHES: dict[str, Callable[[Any], Callable[[Any], Any]]] = {
    "cond": lambda fw: lambda x: fw.lax.cond(x < 1e-3, lambda: 1e-3, lambda: fw.numpy.sqrt(x)),
    "cond, of an operand": lambda fw: lambda x: fw.lax.cond(x > 0, fw.numpy.log, lambda y: 0 * y, x),
    "switch": lambda fw: (
        lambda x: fw.lax.switch(
            fw.numpy.int32(x > 0) + fw.numpy.int32(x > 2), [lambda y: 0 * y, fw.numpy.log, lambda y: 1 / (y - 1)], x
        )
    ),
    "cond in cond": lambda fw: (
        lambda x: fw.lax.cond(
            x > 0, lambda y: fw.lax.cond(y > 1, lambda z: fw.numpy.sqrt(z - 1), lambda z: z, y), lambda y: y, x
        )
    ),
}


@pytest.mark.parametrize("name", BRANCHES)
def test_no_gradient_comes_from_a_branch_that_is_not_taken(name: str) -> None:
    function = BRANCHES[name]
    x = np.array([0.0, -1.0, 1.0, 3.0], np.float32)
    ways: list[Callable[[Any], Callable[[Any], Any]]] = [
        lambda fw: fw.grad(lambda v: fw.vmap(function(fw))(v).sum()),
        lambda fw: fw.vmap(fw.grad(function(fw))),
        lambda fw: fw.jit(fw.grad(lambda v: fw.vmap(function(fw))(v).sum())),
        lambda fw: fw.vmap(fw.grad(fw.grad(function(fw)))),
        lambda fw: fw.grad(lambda v: fw.grad(lambda w: fw.vmap(function(fw))(w).sum())(v).sum()),
    ]
    for number, way in enumerate(ways):
        check(f"{name}, way {number}", way, x, 1e-5)
        assert np.isfinite(np.asarray(value(OURS, way(OURS), x))).all()


def test_a_weight_of_all_branches_has_the_gradient_of_those_that_take_it() -> None:
    def program(fw: Any) -> Callable[[Any], Any]:
        def loss(w: Any) -> Any:
            x = fw.numpy.arange(4.0)
            return fw.vmap(lambda v: fw.lax.cond(v > 1.5, lambda: (w * v).sum(), lambda: (fw.numpy.sqrt(w)).sum()))(x)

        return fw.grad(lambda w: loss(w).sum())  # type: ignore[no-any-return]

    check("a weight", program, np.array([1.0, 4.0], np.float32), 1e-5)


def test_what_every_branch_hands_on_is_not_batched() -> None:
    def program(fw: Any) -> Any:
        f = lambda x, y: fw.lax.cond(x < 3, lambda x, y: (x * 2, y), lambda x, y: (x * 3, y), x, y)  # noqa: E731
        return fw.vmap(f, in_axes=(0, None), out_axes=(0, None))(fw.numpy.arange(3), fw.numpy.array(3.0))

    for ours, theirs in zip(program(OURS), program(jax)):
        assert repr(ours) == repr(theirs)


def parts(result: Any) -> list[Any]:
    return [leaf for part in result for leaf in parts(part)] if isinstance(result, tuple | list) else [result]


def scalar_program(case: Case, fw: Any, operands: list[Any]) -> tuple[Callable[..., Any], list[int]]:
    """A scalar that depends in second order on every inexact result, and which operands are inexact."""
    moving = [i for i, x in enumerate(operands) if jax.numpy.issubdtype(x.dtype, jax.numpy.inexact)]

    def loss(*given: Any) -> Any:
        xs = [fw.numpy.asarray(x) for x in operands]
        for i, x in zip(moving, given):
            xs[i] = x
        total: Any = 0.0
        for k, out in enumerate(parts(case.program(fw)(*xs))):
            kind = jax.numpy.dtype(str(out.dtype)).kind
            if kind in "biu":
                continue
            real = fw.numpy.real(out) * 1.3 + fw.numpy.imag(out) * 0.7 if kind == "c" else out.astype("float32")
            weights = np.cos(np.arange(out.size) + k).reshape(out.shape).astype(np.float32)
            total = total + (fw.numpy.sin(real) * weights).sum()
        return total

    return loss, moving


SECOND = [name for name, case in CASES.items() if not {"vjp", "jvp"} & {*case.without, *case.differs}]


@pytest.mark.parametrize("name", spread(SECOND, 4))
def test_second_derivatives_of_every_primitive(name: str) -> None:
    check_second(CASES[name], "float32", 2e-4)


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", SECOND)
def test_second_derivatives_of_every_primitive_in_narrow_dtypes(name: str, dtype: str) -> None:
    check_second(CASES[name], dtype, {"float16": 0.02, "bfloat16": 0.1}[dtype])


def check_second(case: Case, dtype: str, tolerance: float) -> None:
    wanted = jax.numpy.dtype(dtype)
    operands = [x.astype(wanted) if x.dtype == np.float32 else x for x in map(np.asarray, case.operands)]
    random = np.random.default_rng(0)

    def compute(fw: Any, dots: list[Any]) -> list[Any]:
        loss, moving = scalar_program(case, fw, operands)
        gradient = fw.grad(loss, argnums=tuple(range(len(moving))))
        xs = tuple(fw.numpy.asarray(operands[i]) for i in moving)
        directions = tuple(fw.numpy.asarray(dots[i]) for i in moving)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return parts(fw.jit(lambda xs, dots: fw.jvp(gradient, xs, dots))(xs, directions))

    _, moving = scalar_program(case, OURS, operands)
    if not moving:
        pytest.skip("of integers alone")
    dots = [random.uniform(-1, 1, x.shape).astype(x.dtype) for x in operands]
    try:
        theirs = asked(partial(compute, jax, dots))
    except NotImplementedError:
        pytest.skip(f"jax does not compute it in {dtype}")
    for ours, expected in zip(compute(OURS, dots), theirs, strict=True):
        types = [(str(a.dtype), a.shape, a.weak_type) for a in (ours, expected)]
        assert types[0] == types[1]
        kind: Any = np.complex128 if expected.dtype.kind == "c" else np.float64
        a, b = np.asarray(ours).astype(kind), np.asarray(expected).astype(kind)
        scale = np.max(np.abs(b[np.isfinite(b)]), initial=1e-9)
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance * scale)
