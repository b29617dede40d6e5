"""`ufunc`: a function of elements that also reduces, accumulates, updates and combines arrays.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ufunc.html.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from arraytyping.runtime.array_likes import array_from, convert_to, materialized
from arraytyping.runtime.lax.structure import broadcast_to, moveaxis, reshape
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.errors import RuleError

__all__ = ["frompyfunc", "ufunc"]

REDUCTIONS: Final[dict[str, Callable[..., Any]]] = {}
"""What `reduce` computes at once, by name; `ufunc_reductions` fills it, since it is made of ufuncs itself."""
ACCUMULATIONS: Final[dict[str, Callable[..., Any]]] = {}
"""The same for `accumulate`."""


class ufunc:
    """A function of one array or of two, elementwise; `nin` says of how many.

    `identity` is what changes no operand, None if there is no such; `reduce` and `accumulate` name the functions of
    `arraytyping.numpy` that compute along an axis, where there is one; `at` is the method of `x.at[...]`.
    """

    def __init__(
        self, call: Callable[..., Any], nin: int, *, identity: Any = None, reduce: str | None = None,
        accumulate: str | None = None, at: str | None = None,
    ) -> None:  # fmt: skip
        self.__name__: str = getattr(call, "__name__", "function")
        self.__doc__ = call.__doc__
        self._nin: Final = nin
        self._identity: Final = identity
        self._call = call
        self._of: Any = call
        self._reduce, self._accumulate, self._at = reduce, accumulate, at

    @property
    def nin(self) -> int:
        """Of how many arrays it is a function."""
        return self._nin

    @property
    def nout(self) -> int:
        """How many arrays it gives."""
        return 1

    @property
    def nargs(self) -> int:
        """How many arrays it takes, as JAX counts them: those that it is a function of."""
        return self._nin

    @property
    def identity(self) -> Any:
        """What changes no operand, or None."""
        return self._identity

    @property
    def _func(self) -> Callable[..., Any]:
        return self._call

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ufunc):
            return NotImplemented
        return (self._of, self.nin, self.identity) == (other._of, other.nin, other.identity)

    def __hash__(self) -> int:
        return hash((self._of, self.nin))

    def __repr__(self) -> str:
        return f"<arraytyping.numpy.ufunc '{self.__name__}'>"

    def __call__(self, *args: Any, out: None = None, where: None = None) -> Any:
        """The function of the elements.

        Raises:
            NotImplementedError: if `out` or `where` is given, which JAX does not implement either.
        """
        if out is not None or where is not None:
            raise NotImplementedError(f"{self.__name__}: out and where are not implemented; leave them out")
        return self._call(*args)

    def _of_two(self, method: str) -> None:
        if self.nin != 2:
            raise ValueError(f"{self.__name__}.{method}: {method} is for functions of two arrays")

    def _no_out(self, method: str, out: Any) -> None:
        if out is not None:
            raise NotImplementedError(
                f"{self.__name__}.{method}: JAX does not implement the argument out; leave it out"
            )

    def reduce(
        self, a: Any, axis: Any = 0, dtype: Any = None, out: None = None, keepdims: bool = False, initial: Any = None,
        where: Any = None,
    ) -> Any:  # fmt: skip
        """The elements along an axis combined to one.

        Raises:
            ValueError: for a function of one array; for an axis of size 0 or a mask, without an identity.
            NotImplementedError: if `out` is given, and for several axes where JAX does not implement them.
        """
        self._of_two("reduce")
        self._no_out("reduce", out)
        if where is not None and self.identity is None and initial is None:
            raise ValueError(f"{self.__name__}.reduce has no identity, so a where mask needs initial; give one")
        if self._reduce is not None:
            return _reducer(self._reduce)(a, axis, dtype, keepdims, initial, where)
        return self._reduce_in_steps(a, axis, dtype, keepdims, initial, where)

    def _reduce_in_steps(self, a: Any, axis: Any, dtype: Any, keepdims: bool, initial: Any, where: Any) -> Any:
        from arraytyping.numpy.promoting import chosen
        from arraytyping.runtime.lax.aggregates import slice_along
        from arraytyping.runtime.lax.control_flow import scan

        x = materialized(array_from(a))
        mask = None if where is None else broadcast_to(array_from(where), x.aval.shape)
        if isinstance(axis, tuple):
            raise NotImplementedError(f"{self.__name__}.reduce: several axes are not implemented; reduce one by one")
        shape = x.aval.shape
        if axis is None:
            left = (1,) * len(shape) if keepdims else ()
            x = reshape(x, (_size(shape),))
            mask = None if mask is None else reshape(mask, (_size(shape),))
            axis = 0
        else:
            axis = _axis(self.__name__, axis, len(shape))
            left = (*shape[:axis], *((1,) if keepdims else ()), *shape[axis + 1 :])
        x = convert_to(x, self._dtype(dtype, x))
        x, mask = moveaxis(x, axis, 0), None if mask is None else moveaxis(mask, axis, 0)
        start = self.identity if initial is None else initial
        if start is None:
            if not x.aval.shape[0]:
                raise ValueError(f"{self.__name__}.reduce of an axis of size 0 is nothing; give initial")
            start, x = reshape(slice_along(x, 0, 1), x.aval.shape[1:]), slice_along(x, 1, x.aval.shape[0])
        start = materialized(broadcast_to(convert_to(array_from(start), x.aval.dtype), x.aval.shape[1:]))

        def step(value: Any, given: Any) -> Any:
            element, chooses = given
            found = convert_to(self._call(value, element), x.aval.dtype)
            return (found if chooses is None else chosen(chooses, found, value)), None

        result, _ = scan(step, start, (x, mask))
        return reshape(result, left)

    def _dtype(self, dtype: Any, x: Any) -> str:
        """The dtype in which the steps are computed."""
        if dtype is not None:
            from arraytyping.runtime.lax.dtype_arguments import canonical_dtype

            return canonical_dtype(dtype, self.__name__)
        from arraytyping.runtime.transformations.staging_out import eval_shape
        from arraytyping.semantics.avals import ShapedArray

        one = ShapedArray((), x.aval.dtype, False)
        return str(eval_shape(self._call, one, one).dtype)

    def accumulate(self, a: Any, axis: Any = 0, dtype: Any = None, out: None = None) -> Any:
        """The elements along an axis, each combined with all before it.

        Raises:
            ValueError: for a function of one array; if no axis is named.
            NotImplementedError: if `out` is given.
        """
        self._of_two("accumulate")
        self._no_out("accumulate", out)
        if self._accumulate is not None:
            return ACCUMULATIONS[self._accumulate](a, axis, dtype)
        if axis is None or isinstance(axis, tuple):
            raise ValueError(f"{self.__name__}.accumulate does not allow multiple axes; name one")
        from arraytyping.runtime.lax.aggregates import slice_along
        from arraytyping.runtime.lax.control_flow import scan
        from arraytyping.runtime.lax.slicing import concatenate_p

        x = materialized(array_from(a))
        axis = _axis(self.__name__, axis, len(x.aval.shape))
        x = moveaxis(convert_to(x, self._dtype(dtype, x)), axis, 0)
        if not _size(x.aval.shape):
            return moveaxis(x, 0, axis)

        def step(value: Any, element: Any) -> Any:
            found = convert_to(self._call(value, element), x.aval.dtype)
            return found, found

        first = slice_along(x, 0, 1)
        _, rest = scan(step, reshape(first, x.aval.shape[1:]), slice_along(x, 1, x.aval.shape[0]))
        return moveaxis(concatenate_p.bind(first, rest, dimension=0), 0, axis)

    def at(self, a: Any, indices: Any, b: Any = None, /, *, inplace: bool = True) -> Any:
        """The array with the elements at these indices combined with others, one after another where they repeat.

        Raises:
            NotImplementedError: unless `inplace=False`, since arrays do not change.
        """
        if inplace:
            raise NotImplementedError(
                f"{self.__name__}.at cannot change the array; give inplace=False, and take the result"
            )
        from arraytyping.numpy.conversion import asarray, astype

        x = asarray(a)
        if self._at is None:
            from arraytyping.numpy.ufunc_steps import updated_in_steps

            return updated_in_steps(self, x, indices, [] if b is None else [asarray(b)])
        if x.aval.dtype == "bool":
            updated = getattr(astype(x, "int32").at[indices], self._at)(astype(astype(b, "bool"), "int32"))
            return astype(updated, "bool")
        return getattr(x.at[indices], self._at)(b)

    def reduceat(self, a: Any, indices: Any, axis: int = 0, dtype: Any = None, out: None = None) -> Any:
        """The elements from each index up to the next one combined to one; where that is no greater, the first alone.

        Raises:
            ValueError: for a function of one array, an array without dimensions, indices of another rank than 1, and
                where it is not one axis that is named.
            NotImplementedError: if `out` is given.
        """
        self._of_two("reduceat")
        self._no_out("reduceat", out)
        from arraytyping.numpy.conversion import asarray
        from arraytyping.numpy.ufunc_steps import reduced_in_segments

        x, places = asarray(a), asarray(indices)
        if not x.aval.shape or len(places.aval.shape) != 1:
            raise ValueError(
                f"{self.__name__}.reduceat takes an array of 1 or more dimensions and indices of 1, got {x.aval} and "
                f"{places.aval}"
            )
        if axis is None or isinstance(axis, tuple | list):
            raise ValueError(f"{self.__name__}.reduceat requires a single integer axis")
        return reduced_in_segments(self, x, places, _axis(self.__name__, axis, len(x.aval.shape)))

    def outer(self, A: Any, B: Any, /) -> Any:
        """The function of every element of the first with every element of the second.

        Raises:
            ValueError: for a function of one array.
        """
        self._of_two("outer")
        a, b = array_from(A), array_from(B)
        left = materialized(reshape(a, (*a.aval.shape, *(1,) * len(b.aval.shape))))
        return self._call(left, materialized(b))


def _size(shape: tuple[int, ...]) -> int:
    size = 1
    for n in shape:
        size *= n
    return size


def _axis(name: str, axis: Any, rank: int) -> int:
    """The axis, counted from the front.

    Raises:
        ValueError: if an array of this rank does not have it.
    """
    try:
        found = canonicalize_axis(name, axis, rank)
    except RuleError as error:
        raise error.exception(error.message) from None
    assert found is not None
    return found


def _reducer(name: str) -> Callable[..., Any]:
    return REDUCTIONS[name]


def unary_ufunc(function: Callable[..., Any]) -> ufunc:
    """Make a `ufunc` of a function of one array."""
    return ufunc(function, 1)


def binary_ufunc(identity: Any = None, **methods: str) -> Callable[[Callable[..., Any]], ufunc]:
    """Make a `ufunc` of a function of two arrays."""
    return lambda function: ufunc(function, 2, identity=identity, **methods)


def frompyfunc(func: Callable[..., Any], /, nin: int, nout: int, *, identity: Any = None) -> ufunc:
    """A `ufunc` of a function of scalars: `jax.numpy.frompyfunc`.

    Raises:
        TypeError: if it is given no function.
        NotImplementedError: for a function of more than one result.
    """
    if not callable(func):
        raise TypeError(f"frompyfunc takes a function, got {func!r:.60} of type {type(func).__name__}")
    if nout != 1:
        raise NotImplementedError(f"frompyfunc makes functions of one result, got nout={nout}; use jnp.vectorize")
    from arraytyping.numpy.vectorizing import vectorize

    made = ufunc(vectorize(func), operator.index(nin), identity=identity)
    made._of = func
    return made
