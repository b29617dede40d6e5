"""Random numbers of NumPy by their shapes and dtypes, whatever the generator.

Source: https://numpy.org/doc/stable/reference/random/generator.html.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.engines.numpy_arguments import Refused, Unknowable, dims_of, known_shape
from arraytyping.checker.flow.engines.numpy_array_likes import dim_of, dtype_of, shape_of
from arraytyping.checker.flow.engines.numpy_making import dtype_argument
from arraytyping.checker.flow.engines.numpy_views import forget
from arraytyping.checker.flow.state.fresh_sizes import int_within, size_of_int
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.values import MISSING, ListValue, NumPyValue, ScalarValue, UnionValue, Unknown, Value
from arraytyping.semantics.avals import Shape, shape_tuple_str
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.sizes.dims import differ
from arraytyping.semantics.sizes.polynomials import Size, constant

__all__ = ["draw", "dtype_drawn"]

_FLOATS: Final = {
    "beta": "a b",
    "chisquare": "df",
    "exponential": "scale",
    "f": "dfnum dfden",
    "gamma": "shape scale",
    "gumbel": "loc scale",
    "laplace": "loc scale",
    "logistic": "loc scale",
    "lognormal": "mean sigma",
    "noncentral_chisquare": "df nonc",
    "noncentral_f": "dfnum dfden nonc",
    "normal": "loc scale",
    "pareto": "a",
    "power": "a",
    "rayleigh": "scale",
    "standard_cauchy": "",
    "standard_exponential": "",
    "standard_gamma": "shape",
    "standard_normal": "",
    "standard_t": "df",
    "triangular": "left mode right",
    "uniform": "low high",
    "vonmises": "mu kappa",
    "wald": "mean scale",
    "weibull": "a",
    "random": "",
    "random_sample": "",
    "ranf": "",
    "sample": "",
}
_INTEGERS: Final = {
    "binomial": "n p",
    "geometric": "p",
    "hypergeometric": "ngood nbad nsample",
    "logseries": "p",
    "negative_binomial": "n p",
    "poisson": "lam",
    "zipf": "a",
}
_VECTORS: Final = {
    "multivariate_normal": ("mean cov size", "float64"),
    "multinomial": ("n pvals size", "int64"),
    "dirichlet": ("alpha size", "float64"),
    "multivariate_hypergeometric": ("colors nsample size", "int64"),
}


def draw(it: Interpreter, name: str, args: list[Value], kwargs: dict[str, Value], is_legacy: bool) -> Any:
    """What a generator's method of this name gives; MISSING if none that draws numbers has it.

    Raises:
        Refused: if NumPy refuses the arguments.
        ShapeError: if the shapes of the parameters do not go together.
        Unknowable: if the shape of the result is not known.
        NotPossible: likewise.
    """
    if name in _FLOATS or name in _INTEGERS:
        return _distribution(it, name, args, kwargs)
    if name in _VECTORS:
        return _vectors(name, args, kwargs)
    special = _SPECIAL.get(name)
    return MISSING if special is None else special(it, name, args, kwargs, is_legacy)


def dtype_drawn(name: str) -> str | None:
    """The dtype of the numbers of a distribution; None if it depends on the arguments."""
    return "int64" if name in _INTEGERS else "float64" if name in _FLOATS else None


def _bind(parameters: str, args: list[Value], kwargs: dict[str, Value]) -> dict[str, Value]:
    names = parameters.split()
    if len(args) > len(names):
        raise Refused(
            "array-call", f"TypeError: {len(args)} positional arguments given, at most {len(names)} are taken"
        )
    return {**dict(zip(names, args)), **kwargs}


def _size(given: dict[str, Value]) -> Shape | None:
    """The argument `size`; None if there is none.

    Raises:
        Unknowable: if it is not known how many sizes it has.
    """
    size = given.get("size")
    return None if size is None else dims_of(size)


def _result(shape: Shape | None, dtype: str | None, kind: type) -> Value:
    return ScalarValue(kind, is_data=True) if shape is None else NumPyValue(shape, dtype)


def _distribution(it: Interpreter, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
    parameters = _FLOATS.get(name, _INTEGERS.get(name, ""))
    extra = " dtype out" if name in ("random", "standard_normal", "standard_gamma") else ""
    extra = " dtype method out" if name == "standard_exponential" else extra
    given = _bind(f"{parameters} size{extra}", args, kwargs)
    if given.get("out") is not None:
        forget(it, given["out"])
        return given["out"]
    size = _size(given)
    shapes = [known_shape(given[n]) for n in parameters.split() if given.get(n) is not None]
    joined = broadcast_shapes(name, *shapes) or () if shapes else ()
    if size is not None:
        _check(size, joined)
    shape = size if size is not None else joined or None
    is_float = name in _FLOATS
    dtype = dtype_argument(given.get("dtype"), "float64") if is_float else "int64"
    return _result(shape, dtype, float if is_float else int)


def _check(size: Shape, joined: Shape) -> None:
    known = all(not differ(x, y) or not differ(x, 1) for x, y in zip(reversed(joined), reversed(size)))
    if not known or len(joined) > len(size):
        text = f"size {shape_tuple_str(size)} does not go with parameters of shape {shape_tuple_str(joined)}"
        raise Refused("array-shape", f"ValueError: {text}")


def _vectors(name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
    parameters, dtype = _VECTORS[name]
    given = _bind(parameters + " check_valid tol method", args, kwargs)
    vector = known_shape(given.get({"multinomial": "pvals"}.get(name, parameters.split()[0])))
    if not vector:
        raise Unknowable
    size = _size(given)
    if name == "multivariate_normal":
        cov = known_shape(given.get("cov"))
        d = vector[-1]
        if len(cov) != 2 or any(differ(c, d) for c in cov):
            text = f"mean of shape {shape_tuple_str(vector)} and cov of shape {shape_tuple_str(cov)}"
            raise Refused("array-shape", f"ValueError: {text} must have the same length")
    batch = size
    if name == "multinomial" and size is None:
        batch = broadcast_shapes(name, known_shape(given.get("n")), vector[:-1])
    return NumPyValue((*(batch or ()), vector[-1]), dtype)


def _integers(it: Interpreter, name: str, args: list[Value], kwargs: dict[str, Value], is_legacy: bool) -> Value:
    given = _bind("low high size dtype endpoint", args, kwargs)
    size = _size(given)
    shapes = [known_shape(given[n]) for n in ("low", "high") if given.get(n) is not None]
    joined = broadcast_shapes(name, *shapes) or ()
    if size is not None:
        _check(size, joined)
    shape = size if size is not None else joined or None
    asked = given.get("dtype", int if is_legacy else None)
    dtype = dtype_argument(asked, "int64")
    if shape is None and (asked is int or asked is bool):
        return _drawn_int(it, given) if asked is int and not given.get("endpoint") else ScalarValue(asked, is_data=True)
    made = NumPyValue(() if shape is None else shape, dtype, shape is None)
    if dtype == "int64" and given.get("endpoint", False) is False and name != "random_integers":
        made.limits = _limits(given)
    return made


def _limits(given: dict[str, Value]) -> tuple[Size, Size] | None:
    """The least and the greatest integer that is drawn, as far as they can be told in symbols."""
    low, high = given.get("low"), given.get("high")
    low, high = (0, low) if high is None else (low, high)
    first, behind = size_of_int(low), size_of_int(high)
    return None if first is None or behind is None else (first, behind - constant(1))


def _drawn_int(it: Interpreter, given: dict[str, Value]) -> Value:
    limits = _limits(given)
    return ScalarValue(int, is_data=True) if limits is None else int_within(it, *limits)


def _rand(it: Interpreter, name: str, args: list[Value], kwargs: dict[str, Value], is_legacy: bool) -> Value:
    return NumPyValue(tuple(map(dim_of, args)), "float64") if args else ScalarValue(float, is_data=True)


def _choice(it: Interpreter, name: str, args: list[Value], kwargs: dict[str, Value], is_legacy: bool) -> Value:
    given = _bind("a size replace p" if is_legacy else "a size replace p axis shuffle", args, kwargs)
    size = _size(given)
    population = given.get("a")
    shape = known_shape(population)
    axis = given.get("axis", 0)
    if type(axis) is not int:
        raise Unknowable
    count = shape[axis] if shape else dim_of(population)
    if is_legacy and len(shape) > 1:
        raise Refused("array-shape", "ValueError: a must be 1-dimensional")
    odds = shape_of(given.get("p")) if given.get("p") is not None else None
    if odds and isinstance(count, int) and isinstance(odds[0], int) and odds[0] != count:
        raise Refused("array-shape", f"ValueError: a and p must have the same size, not {count} and {odds[0]}")
    number = 1
    for d in size or ():
        number = number * d if isinstance(d, int) else 0
    if given.get("replace") is False and isinstance(count, int) and number > count:
        text = f"{number} of {count} cannot be taken without replacement"
        raise Refused("array-shape", f"ValueError: {text}")
    if not shape:
        return _result(size, "int64", int)
    dtype = dtype_of(population)
    if axis < 0:
        axis += len(shape)
    result = (*shape[:axis], *(size or ()), *shape[axis + 1 :])
    if dtype == "object":
        return it.unknown("a choice among objects")
    return NumPyValue(result, dtype, result == () and size is None)


def _permutation(it: Interpreter, name: str, args: list[Value], kwargs: dict[str, Value], is_legacy: bool) -> Value:
    given = _bind("x axis out", args, kwargs)
    value = given.get("x")
    if isinstance(value, Unknown):
        raise Unknowable
    if given.get("out") is not None:
        forget(it, given["out"])
        return given["out"]
    shape = known_shape(value)
    if shape == () and name == "permutation":
        return NumPyValue((dim_of(value),), "int64")
    return NumPyValue(shape, dtype_of(value))


def _shuffle(it: Interpreter, name: str, args: list[Value], kwargs: dict[str, Value], is_legacy: bool) -> Value:
    value = args[0] if args else kwargs.get("x")
    if isinstance(value, NumPyValue):
        forget(it, value)
    elif isinstance(value, ListValue) and value.items:
        it.journal.touch(value)
        value.items = [join_all(value.items)] * len(value.items)
    elif isinstance(value, UnionValue):
        for one in value.values:
            _shuffle(it, name, [one], {}, is_legacy)
    return None


_SPECIAL: Final[dict[str, Callable[..., Any]]] = {
    "integers": _integers,
    "randint": _integers,
    "random_integers": _integers,
    "rand": _rand,
    "randn": _rand,
    "choice": _choice,
    "permutation": _permutation,
    "permuted": _permutation,
    "shuffle": _shuffle,
}
