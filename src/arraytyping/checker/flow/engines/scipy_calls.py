"""What functions of SciPy give that only compute: their results for known arguments, and else what dummies show.

Source: https://docs.scipy.org/doc/scipy/reference/.
"""

from __future__ import annotations

import functools
import importlib
import itertools
import math
import warnings
from collections.abc import Callable
from typing import Any, Final, TypeGuard

from arraytyping.checker.flow.engines.numpy_array_likes import dtype_of, shape_of
from arraytyping.checker.flow.engines.numpy_values import NotConcrete, concrete, describe
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, NumPyValue, ScalarValue, Value, is_concrete
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow

__all__ = ["call_scipy"]

_OF_DISTRIBUTIONS: Final = frozenset({
    "cdf", "logcdf", "sf", "logsf", "pdf", "logpdf", "pmf", "logpmf", "ppf", "isf", "mean", "std", "var", "median",
    "entropy",
})  # fmt: skip
_NAMES: Final = {
    "elements": {"scipy.special": "softmax log_softmax"},
    "shapes": {
        "scipy.special": "logsumexp",
        "scipy.linalg": "expm inv pinv det cholesky solve toeplitz circulant hankel block_diag eigh eigvalsh svd "
        "svdvals qr lu norm solve_triangular",
        "scipy.signal": "convolve fftconvolve correlate",
    },
    "numbers": {
        "scipy.special": "factorial comb perm",
        "scipy.linalg": "hadamard dft hilbert pascal sqrtm logm",
        "scipy.signal": "butter cheby1 cheby2 ellip bessel firwin get_window",
        "scipy.signal.windows": "hann hamming blackman bartlett kaiser gaussian tukey boxcar cosine triang",
    },
    "root": {"scipy.optimize": "brentq brenth bisect ridder"},
    "integral": {"scipy.integrate": "quad"},
}
"""How results are found: from each element, from shapes, from numbers alone, or by calling the program."""
_OF_FUNCTIONS: Final = ("root", "integral")
_PLAIN: Final = frozenset({"a", "b", "args", "xtol", "rtol", "maxiter", "epsabs", "epsrel", "limit"})
"""Their options that do not say what they give."""
_MOST_ELEMENTS: Final = 100_000
"""So large may a dummy be."""
_FIRST_SIZE: Final = 5
"""The least size of a dummy that stands for one without a number."""
_DTYPES: Final = ("float32", "float64", "int64")
"""What an array of unknown dtype may be."""


def call_scipy(it: Interpreter, function: Any, call: Call) -> Value:
    """The result of a call; MISSING if the function is not known, or its arguments are not known well enough."""
    kind = _kind(function)
    if kind is None:
        return MISSING
    if kind in _OF_FUNCTIONS:
        if call.kwargs.keys() - _PLAIN or len(call.args) > 3:
            return MISSING
        it.engines.havoc(it, call.values)
        found = ScalarValue(float, is_data=True)
        return found if kind == "root" else (found, found)
    if any(name.startswith("overwrite_") for name in call.kwargs):
        return MISSING
    try:
        arguments = call.with_args([concrete(v) for v in call.args])
        arguments = arguments.with_kwargs({k: concrete(v) for k, v in call.kwargs.items()})
    except NotConcrete:
        return MISSING if kind == "numbers" else _by_dummies(it, function, kind, call)
    return _described(it, _result(function, arguments), True)


@functools.cache
def _by_function() -> dict[Any, str]:
    found: dict[Any, str] = {}
    for kind, modules in _NAMES.items():
        for module, names in modules.items():
            loaded = _imported(module)
            found |= {getattr(loaded, name): kind for name in names.split() if hasattr(loaded, name)}
    return found


def _imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _kind(function: Any) -> str | None:
    owner = getattr(function, "__self__", None)
    if owner is not None:
        module = type(owner).__module__
        is_distribution = any(base.__name__ == "rv_generic" for base in type(owner).__mro__)
        is_known = is_distribution and module.startswith("scipy.stats.")
        return "elements" if is_known and function.__name__ in _OF_DISTRIBUTIONS else None
    try:
        return _by_function().get(function)
    except TypeError:  # what has no hash
        return None


def _result(function: Callable[..., Any], call: Call) -> Any:
    """What SciPy gives; MISSING if it raises."""
    import numpy as np

    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return function(*call.args, **call.kwargs)
    except Exception as error:
        swallow(error)
        return MISSING


def _described(it: Interpreter, result: Any, is_known: bool) -> Value:
    return MISSING if result is MISSING else describe(it, result, is_known)


def _by_dummies(it: Interpreter, function: Any, kind: str, call: Call) -> Value:
    """What other arguments of the same dtypes and shapes give, where all dtypes that these may have give the same."""
    sizes = _numbers(call.values) if kind == "elements" else {}
    found: Value = MISSING
    for dtype in _DTYPES if any(_has_no_dtype(v) for v in call.values) else _DTYPES[:1]:
        try:
            made = [_dummy(v, dtype, kind, sizes) for v in call.values]
        except NotConcrete:
            return MISSING
        given = Call(made[: len(call.args)], dict(zip(call.kwargs, made[len(call.args) :])), call.node)
        one = _described(it, _result(function, given), False)
        if one is MISSING:
            return MISSING
        found = one if found is MISSING else _agreed(found, one)
        if found is MISSING:
            return MISSING
    return _with_sizes(found, {number: size for size, number in sizes.items()})


def _has_no_dtype(value: Value) -> bool:
    return isinstance(value, NumPyValue) and value.dtype is None


def _dummy(value: Value, dtype: str, kind: str, sizes: dict[Any, int]) -> Any:
    """Ones, or unit matrices, which all functions take that want matrices.

    Raises:
        NotConcrete: if too little is known of the value.
    """
    import numpy as np

    if is_concrete(value):
        return value
    if isinstance(value, ScalarValue) and len(value.kinds) == 1 and value.kinds[0] in (int, float):
        if kind != "elements":
            raise NotConcrete  # it may be an axis
        return value.kinds[0](1)
    shape = shape_of(value) if isinstance(value, NumPyValue) else None
    if not isinstance(value, NumPyValue) or shape is None:
        raise NotConcrete
    numbers = [sizes.get(size, size) for size in shape]
    if not _are_numbers(numbers):
        raise NotConcrete
    known = dtype_of(value) or dtype
    if math.prod(numbers) > _MOST_ELEMENTS:
        raise NotConcrete
    made = np.ones(numbers, known)
    if kind == "shapes" and len(numbers) > 1 and numbers[-1] == numbers[-2]:
        made = made * np.eye(numbers[-1], dtype=known)
    return made[()] if value.is_scalar else made


def _are_numbers(sizes: list[Any]) -> TypeGuard[list[int]]:
    """Whether no size is left without a number."""
    return all(type(size) is int for size in sizes)


def _numbers(values: list[Value]) -> dict[Any, int]:
    """A number of its own for each size that has none, unlike those that there are."""
    shapes = [shape_of(v) for v in values if isinstance(v, NumPyValue)]
    sizes = dict.fromkeys(size for shape in shapes for size in shape or () if size is not None)
    free = (number for number in itertools.count(_FIRST_SIZE) if number not in sizes)
    return {size: next(free) for size in sizes if type(size) is not int}


def _agreed(one: Value, other: Value) -> Value:
    """What is the same of two results; MISSING if they are not both arrays of one shape."""
    if not isinstance(one, NumPyValue) or not isinstance(other, NumPyValue) or one.shape != other.shape:
        return MISSING
    dtype = one.dtype if one.dtype == other.dtype else None
    return NumPyValue(one.shape, dtype, one.is_scalar and other.is_scalar)


def _with_sizes(value: Value, names: dict[int, Any]) -> Value:
    if not names:
        return value
    if not isinstance(value, NumPyValue) or value.shape is None:
        return MISSING
    return NumPyValue(tuple(names.get(size, size) for size in value.shape), value.dtype, value.is_scalar)
