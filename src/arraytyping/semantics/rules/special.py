"""Rules of `jax.scipy.special`: functions of each item, which make floats of integers first.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/scipy/special.py.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.compositions import Operations, alike, composition, promoted
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, ANY_INTEGER
from arraytyping.semantics.rules.errors import DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.lax_operands import NOT_FLOAT, NOT_INEXACT
from arraytyping.semantics.rules.named import named
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.refusals import COMPLEX, Refusal, refuse
from arraytyping.semantics.rules.static_arguments import as_flag
from arraytyping.semantics.rules.table import register, rule

__all__: list[str] = []


def _elementwise(name: str, lax_name: str) -> None:
    of_lax = named(f"lax.{lax_name}")

    def function(cx: Context, x: Any) -> Any:
        return of_lax(cx, *alike(cx, name, x))

    register(f"scipy.special.{name}", function)


for _name, _lax_name in (
    ("erf", "erf"), ("erfc", "erfc"), ("erfinv", "erf_inv"), ("gammaln", "lgamma"), ("digamma", "digamma"),
    ("expit", "logistic"), ("i0e", "bessel_i0e"), ("i1e", "bessel_i1e"),
):  # fmt: skip
    _elementwise(_name, _lax_name)


@rule("scipy.special.xlogy")
def xlogy(cx: Context, x: Any, y: Any) -> ShapedArray:
    """`jax.scipy.special.xlogy`."""
    first, _ = alike(cx, "xlogy", x, y)
    refuse("xlogy", first.dtype, (NOT_INEXACT,))
    return first


@rule("scipy.special.xlog1py")
def xlog1py(cx: Context, x: Any, y: Any) -> ShapedArray:
    """`jax.scipy.special.xlog1py`."""
    first, _ = alike(cx, "xlog1py", x, y)
    refuse("xlog1py", first.dtype, (NOT_INEXACT,))
    return first


@rule("scipy.special.entr")
def entr(cx: Context, x: Any) -> ShapedArray:
    """`jax.scipy.special.entr`."""
    (array,) = alike(cx, "entr", x)
    if array.dtype in ANY_COMPLEX:
        raise DtypeError(f"entr does not take {array.dtype}; take jnp.real or jnp.abs of it first", ValueError)
    refuse("entr", array.dtype, (NOT_INEXACT.raising(ValueError),))
    return array


_Weak = Callable[[Context, ShapedArray], ShapedArray]
"""The result of what may be weak."""


def _strong(cx: Context, result: ShapedArray) -> ShapedArray:
    return ShapedArray(result.shape, result.dtype, False)


def _weak_by_default(cx: Context, result: ShapedArray) -> ShapedArray:
    """Weak without dimensions and of the default dtype: a constant of another one, and beside others, is strong."""
    is_default = result.dtype in (cx.default("float"), cx.default("complex"))
    if result.shape is None and result.weak_type:
        return ShapedArray(None, result.dtype, None)
    return result if result.shape == () and (is_default or result.dtype is None) else _strong(cx, result)


def _made_default(cx: Context, result: ShapedArray) -> ShapedArray:
    """A weak array is of the default dtype, since it was computed with numbers."""
    if result.dtype in ANY_COMPLEX:
        return _strong(cx, result)
    if not result.weak_type or result.dtype is None:
        return result if result.weak_type is not None else ShapedArray(result.shape, None, None)
    return ShapedArray(result.shape, cx.default("float"), True)


def _as_is(cx: Context, result: ShapedArray) -> ShapedArray:
    return result


def _of_numbers(name: str, parameters: str, refusals: tuple[Refusal, ...], weak: _Weak = _as_is) -> None:
    """A function of arrays that are promoted to one inexact dtype and broadcast, which is that of the result."""

    def function(cx: Context, *xs: Any) -> ShapedArray:
        return _result(cx, name, xs, refusals, weak)

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    names = [inspect.Parameter(p, kind) for p in ("cx", *parameters.split())]
    function.__signature__ = inspect.Signature(names)  # type: ignore[attr-defined]
    register(f"scipy.special.{name}", function)


def _result(cx: Context, name: str, xs: Sequence[Any], refusals: tuple[Refusal, ...], weak: _Weak) -> ShapedArray:
    if _VALUE_ERROR in refusals:  # it is looked at before the shapes are
        dtype, _ = cx.join(name, [as_operand(cx, x, name, i) for i, x in enumerate(xs)])
        refuse(name, dtype, refusals)
    first, *_ = alike(cx, name, *xs)
    refuse(name, first.dtype, refusals)
    return weak(cx, first)


_VALUE_ERROR: Final = COMPLEX.raising(ValueError)
for _name, _parameters, _refusals, _weak in (
    ("gammasgn", "x", (_VALUE_ERROR,), _strong), ("gamma", "x", (), _strong), ("loggamma", "x", (), _made_default),
    ("betaln", "a b", (NOT_FLOAT,), _made_default), ("beta", "a b", (_VALUE_ERROR,), _strong),
    ("betainc", "a b x", (_VALUE_ERROR,), _as_is), ("gammainc", "a x", (NOT_FLOAT,), _as_is),
    ("gammaincc", "a x", (NOT_FLOAT,), _as_is), ("poch", "z m", (_VALUE_ERROR,), _strong),
    ("i0", "x", (NOT_FLOAT,), _as_is), ("i1", "x", (NOT_FLOAT,), _as_is),
    ("logit", "x", (), _weak_by_default), ("boxcox", "x lmbda", (), _as_is), ("boxcox1p", "x lmbda", (), _as_is),
    ("erfcx", "x", (), _strong), ("dawsn", "x", (_VALUE_ERROR,), _strong), ("expi", "x", (_VALUE_ERROR,), _strong),
    ("exp1", "x", (_VALUE_ERROR,), _strong),
):  # fmt: skip
    _of_numbers(_name, _parameters, _refusals, _weak)


@rule("scipy.special.expn")
def expn(cx: Context, n: Any, x: Any) -> ShapedArray:
    """`jax.scipy.special.expn`: lists are taken, too."""
    arrays = [_asarray(cx, n), x if x is None else _asarray(cx, x)]
    try:
        return _result(cx, "expn", arrays, (_VALUE_ERROR,), _strong)
    except ShapeError as error:
        raise ShapeError(error.message, ValueError) from None


_asarray: Final = named("numpy.asarray")


def _vectorized(cx: Context, name: str, *xs: Any) -> ShapedArray:
    """A function of numbers that `numpy.vectorize` makes one of arrays: lists are taken, too."""
    if None in xs[1:]:
        raise DtypeError(f"{name} takes numbers and arrays, got None; give one")
    refusal = _VALUE_ERROR if name == "hyp1f1" else COMPLEX  # of remainders, in the other
    try:
        return _result(cx, name, [_asarray(cx, x) for x in xs], (refusal,), _strong)
    except ShapeError as error:
        raise ShapeError(error.message, ValueError) from None


@rule("scipy.special.hyp1f1")
def hyp1f1(cx: Context, a: Any, b: Any, x: Any) -> ShapedArray:
    """`jax.scipy.special.hyp1f1`."""
    return _vectorized(cx, "hyp1f1", a, b, x)


@rule("scipy.special.hyp2f1")
def hyp2f1(cx: Context, a: Any, b: Any, c: Any, x: Any) -> ShapedArray:
    """`jax.scipy.special.hyp2f1`."""
    return _vectorized(cx, "hyp2f1", a, b, c, x)


def _relative(name: str) -> None:
    def function(cx: Context, p: Any, q: Any) -> ShapedArray:
        result = _result(cx, name, (p, q), (_VALUE_ERROR,), _as_is)
        first, _ = promoted(cx, name, p, q)  # the constants are like p
        is_default = result.dtype in (cx.default("float"), None)
        if not result.weak_type or not is_default or (first.shape is not None and first.shape != ()):
            return ShapedArray(result.shape, result.dtype, None if result.weak_type is None else False)
        given = as_operand(cx, p, name)
        if first.shape is None or given.dtype is None or given.weak_type is None:
            return ShapedArray(result.shape, result.dtype, None)
        return result if given.weak_type and given.dtype != "bool" else _strong(cx, result)

    register(f"scipy.special.{name}", function)


_relative("kl_div")
_relative("rel_entr")


@rule("scipy.special.sici")
def sici(cx: Context, x: Any) -> tuple[ShapedArray, ShapedArray]:
    """`jax.scipy.special.sici`: the sine and the cosine integral."""
    (array,) = alike(cx, "sici", x)
    refuse("sici", array.dtype, (_VALUE_ERROR,))
    return _strong(cx, array), _strong(cx, array)


@rule("scipy.special.fresnel")
def fresnel(cx: Context, x: Any) -> tuple[ShapedArray, ShapedArray]:
    """`jax.scipy.special.fresnel`: the integrals of a sine and a cosine."""
    (array,) = alike(cx, "fresnel", x)
    refuse("fresnel", array.dtype, (COMPLEX.raising(NotImplementedError),))
    return _strong(cx, array), _strong(cx, array)


@rule("scipy.special.owens_t")
def owens_t(cx: Context, h: Any, a: Any) -> ShapedArray:
    """`jax.scipy.special.owens_t`: computed with an array of the default float, which wider floats come of."""
    result = _result(cx, "owens_t", (h, a), (), _strong)
    dtype, _ = cx.join("owens_t", [result, ShapedArray((), cx.default("float"), False)])
    return ShapedArray(result.shape, dtype, False)


@rule("scipy.special.bessel_jn")
def bessel_jn(cx: Context, z: Any, *, v: Any, n_iter: Any = 50) -> ShapedArray:
    """`jax.scipy.special.bessel_jn`: orders from 0 to v come first, of as many as there are steps."""
    (array,) = alike(cx, "bessel_jn", _asarray(cx, z))
    refuse("bessel_jn", array.dtype, (COMPLEX.raising(TypeError),))
    shape = None
    if array.shape is not None:
        is_known = type(v) is int and type(n_iter) is int and v >= 0 and n_iter >= 0
        shape = (min(v, n_iter) + 1 if is_known else None, *array.shape)
    return ShapedArray(shape, array.dtype, False)


@rule("scipy.special.factorial")
def factorial(cx: Context, n: Any, exact: Any = False) -> ShapedArray:
    """`jax.scipy.special.factorial`."""
    if as_flag(exact):
        raise RuleError("factorial: exact=True is not implemented; leave it out", NotImplementedError)
    (array,) = alike(cx, "factorial", n)
    refuse("factorial", array.dtype, (NOT_FLOAT,))
    return array


@rule("scipy.special.comb")
def comb(cx: Context, N: Any, k: Any, *, repetition: Any = False) -> ShapedArray:
    """`jax.scipy.special.comb`."""
    return _result(cx, "comb", (N, k), (NOT_FLOAT,), _made_default)


@rule("scipy.special.multigammaln")
def multigammaln(cx: Context, a: Any, d: Any) -> ShapedArray:
    """`jax.scipy.special.multigammaln`."""
    if isinstance(d, complex | tuple | list | None):
        raise DtypeError(f"multigammaln: d must be an integer, got {d!r}; give an int")
    return _result(cx, "multigammaln", (a, 0), (NOT_FLOAT,), _strong)  # d is an int, whatever is given


@rule("scipy.special.zeta")
def zeta(cx: Context, x: Any, q: Any = None) -> ShapedArray:
    """`jax.scipy.special.zeta`: of two arguments alone."""
    if q is None:
        raise RuleError("zeta: q is required, the number that the sum begins with; zeta(x, 1.0) is Riemann's",
                        NotImplementedError)  # fmt: skip
    return _result(cx, "zeta", (x, q), (NOT_FLOAT,), _as_is)


@rule("scipy.special.polygamma")
def polygamma(cx: Context, n: Any, x: Any) -> ShapedArray:
    """`jax.scipy.special.polygamma`: the order is an integer."""
    if n is None:
        raise DtypeError("polygamma: the order n is an integer, got None; give one", ValueError)
    order = as_operand(cx, n, "polygamma", "n")
    if order.dtype is not None and order.dtype not in ANY_INTEGER:
        raise DtypeError(f"polygamma: the order n must be an integer, got {order.dtype}; convert it", ValueError)
    return _result(cx, "polygamma", (n, x), (_VALUE_ERROR,), _as_is)


def _of_wide_floats(name: str, parameter: str) -> None:
    def function(cx: Context, *xs: Any) -> ShapedArray:
        return _wide_float(cx, name, *xs)

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    function.__signature__ = inspect.Signature([inspect.Parameter(p, kind) for p in ("cx", parameter)])  # type: ignore[attr-defined]
    register(f"scipy.special.{name}", function)


def _wide_float(cx: Context, name: str, x: Any) -> ShapedArray:
    if x is None:
        raise DtypeError(f"{name} takes a number or an array, got None; give one", ValueError)
    array = as_operand(cx, x, name) if name == "ndtri" else _asarray(cx, x)
    if array.dtype not in (None, "float32", "float64"):
        raise DtypeError(f"{name} takes float32 and float64, got {array.dtype}; convert it first, with x.astype(float)")
    return ShapedArray(array.shape, array.dtype, False)


_of_wide_floats("ndtr", "x")
_of_wide_floats("ndtri", "p")


@rule("scipy.special.log_ndtr")
def log_ndtr(cx: Context, x: Any, series_order: Any = 3) -> ShapedArray:
    """`jax.scipy.special.log_ndtr`."""
    if isinstance(series_order, float | str | tuple | list | None):
        raise DtypeError(f"log_ndtr: series_order is an int, got {series_order!r}; give one from 0 to 30")
    if isinstance(series_order, int) and not 0 <= series_order <= 30:
        raise RuleError(f"log_ndtr: series_order is from 0 to 30, got {series_order}", ValueError)
    return _wide_float(cx, "log_ndtr", x)


@rule("scipy.special.spence")
def spence(cx: Context, x: Any) -> ShapedArray:
    """`jax.scipy.special.spence`."""
    return _wide_float(cx, "spence", x)


@rule("scipy.special.wofz")
def wofz(cx: Context, z: Any) -> ShapedArray:
    """`jax.scipy.special.wofz`: complex."""
    (array,) = alike(cx, "wofz", z)
    if array.dtype is None or array.dtype in ANY_COMPLEX:
        return ShapedArray(array.shape, array.dtype, False)
    return ShapedArray(array.shape, "complex128" if array.dtype == "float64" else "complex64", False)


@composition("scipy.special.softmax")
def softmax(ops: Operations, x: Any, /, *, axis: Any = None) -> Any:
    """`jax.scipy.special.softmax`: of all elements, unless an axis is named."""
    return _normalized(ops, "softmax", x, axis)


@composition("scipy.special.log_softmax")
def log_softmax(ops: Operations, x: Any, /, *, axis: Any = None) -> Any:
    """`jax.scipy.special.log_softmax`: of all elements, unless an axis is named."""
    return _normalized(ops, "log_softmax", x, axis)


def _normalized(ops: Operations, name: str, x: Any, axis: Any) -> Any:
    return ops(f"nn.{name}", x, axis=axis)
