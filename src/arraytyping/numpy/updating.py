"""Updates of an array at an index, by scatters: what `x.at[index].set(values)` computes.

Source: `_scatter_update` of `jax/_src/ops/scatter.py`; the rules are those of `Array.at.set` and its kin.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from arraytyping import config
from arraytyping.basearray import Array
from arraytyping.numpy.gather_index import GatherIndex, gather_index, index_dtype
from arraytyping.numpy.index_parsing import Index, IntEntry, key_of, parse_index
from arraytyping.numpy.indexing import run_once_compiled, with_flag_axes
from arraytyping.numpy.promoting import joined
from arraytyping.runtime.array_likes import array_from, convert_to, materialized, python_scalar
from arraytyping.runtime.call_arguments import abstract
from arraytyping.runtime.core import TypedScalar, raised
from arraytyping.runtime.cut_types import CutArray, cut_of
from arraytyping.runtime.lax import scatter_derivatives as scatter_derivatives  # fills the primitives' slots
from arraytyping.runtime.lax.gathering import GatherScatterMode, scatter_numbers
from arraytyping.runtime.lax.resharding import resharded
from arraytyping.runtime.lax.scatter_apply import element_jaxpr, scatter_apply_p
from arraytyping.runtime.lax.scattering import (
    scatter_add_p,
    scatter_max_p,
    scatter_min_p,
    scatter_mul_p,
    scatter_p,
    scatter_sub_p,
)
from arraytyping.runtime.lax.slicing import rev_p
from arraytyping.runtime.lax.structure import broadcast_to, expand_to, reshape
from arraytyping.runtime.sharding import NamedSharding, PartitionSpec
from arraytyping.scalars import KINDS, bits
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.promotion.jax import Element, JaxPromotion
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import integer_limits
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.user_warnings import warn_user

__all__ = ["apply", "update"]

_SCATTERS: Final = {
    "set": scatter_p,
    "add": scatter_add_p,
    "subtract": scatter_sub_p,
    "multiply": scatter_mul_p,
    "divide": scatter_mul_p,
    "power": scatter_mul_p,
    "min": scatter_min_p,
    "max": scatter_max_p,
}


def _values_of(values: Any, dtype: str) -> Any:
    """The values as an array: a Python int that the array's dtype holds becomes one of that."""
    if isinstance(values, int) and KINDS[dtype] in "iu" and bits(dtype) >= 8:
        low, high = integer_limits(dtype)
        if low <= values <= high:
            return TypedScalar(int(values), ShapedArray((), dtype, False))
    if isinstance(values, tuple | list):
        from arraytyping.numpy.conversion import asarray

        return asarray(values)
    return array_from(values)


def _check(method: str, x: Any, key: Any, values: Any, mode: Any) -> None:
    """Raise what the rule of the method says."""
    from arraytyping.semantics.rules.updates import updated

    try:
        updated(Context(config.promotion()), method, x.aval, key, values, mode if isinstance(mode, str) else None)
    except RuleError as error:
        raise raised(error) from None


@functools.lru_cache(maxsize=1024)
def _loss(method: str, dtype: str, values: Element, promotion: JaxPromotion) -> str | None:
    """What is said of values that the array's dtype does not hold; None if it does."""
    if values.dtype == dtype or promotion.join([values, Element(dtype, False)])[0] == dtype:
        return None
    return (
        f"at[].{method}: values of {values.dtype} are put into an array of {dtype}, which does not hold all of them; "
        f"convert them first, with astype({dtype!r}): this will be an error in JAX"
    )


def _prepared(method: str, x: Any, index: Any, values: Any, mode: Any, counts_back: bool) -> tuple[Any, Index, Any]:
    """The array, the parsed index and the values, after the rule has seen them."""
    x = materialized(x)
    parsed, seen = parse_index(f"at[].{method}", x, index, counts_back=counts_back, update=True)
    if isinstance(values, tuple | list):
        from arraytyping.numpy.conversion import asarray

        values = asarray(values)
    elif hasattr(values, "__jax_array__"):
        values = values.__jax_array__()
    elif hasattr(values, "__array__") and not isinstance(values, Array | np.generic | type):
        values = np.asarray(values)
    _check(method, x, seen, abstract(values, False), mode)
    new = _values_of(values, x.aval.dtype)
    loss = _loss(method, x.aval.dtype, Element(new.aval.dtype, bool(new.aval.weak_type)), config.promotion())
    if loss is not None:
        warn_user([loss], FutureWarning)
    return x, parsed, new


def update(
    method: str, x: Any, index: Any, values: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False,
    mode: Any = None, wrap_negative_indices: bool = True,
) -> Any:  # fmt: skip
    """The array after an update of the places of an index.

    Raises:
        IndexError, TypeError, ValueError: as the rule says.
        NonConcreteBooleanIndexError: for a mask that is traced.
    """
    x, parsed, new = _prepared(method, x, index, values, mode, wrap_negative_indices)
    element = joined(x, new)
    flags = (indices_are_sorted, unique_indices)

    def bound(x: Any, found: GatherIndex, new: Any) -> Any:
        return _SCATTERS[method].bind(x, found.indices, new, **_params(found, flags, mode))

    key = (method, element, flags, mode)
    return _run(
        f"scatter_{method}", key, x, new, parsed, lambda x, new, *rest: _scattered(x, new, parsed, rest, element, bound)
    )


def _run(name: str, key: Any, x: Any, new: Any, index: Index, body: Callable[..., Any]) -> Any:
    """What a body makes of the array, the values, the ints of an index and its arrays."""
    aval = ShapedArray((), index_dtype(x.aval.shape), False)
    ints = [TypedScalar(e.value, aval) for e in index.entries if type(e) is IntEntry]
    return run_once_compiled(name, (key, key_of(index)), body, [x, new, *ints, *index.arrays])


def _params(found: GatherIndex, flags: tuple[bool, bool], mode: Any) -> dict[str, Any]:
    """The parameters of the scatter of an index."""
    return {
        "dimension_numbers": scatter_numbers(found.numbers),
        "indices_are_sorted": flags[0] or found.is_unique,
        "unique_indices": flags[1] or found.is_unique,
        "mode": GatherScatterMode.from_any(mode),
    }


def _scattered(
    x: Any, new: Any, index: Index, rest: Sequence[Any], computed: Element, bound: Callable[..., Any], *,
    are_given: bool = True,
) -> Any:  # fmt: skip
    """The array after a scatter of the values, which is computed in some dtype; `rest` are the ints and the arrays.

    Values that are not given only say how many places there are.
    """
    n = len(rest) - len(index.arrays)
    found = gather_index(x.aval.shape, index, rest[:n], rest[n:])
    if not math.prod(found.shape):
        return x
    own = x.aval
    x = with_flag_axes(convert_to(x, *computed), found.flag_axes)
    new = _in_shape(convert_to(new, *computed), found.shape)
    new = reshape(new, tuple(n for i, n in enumerate(found.shape) if i not in found.new_axes))
    new = _cut_as_windows(new, x.aval, found) if are_given else new
    if found.reversed_axes:
        new = rev_p.bind(new, dimensions=found.reversed_axes)
    return convert_to(reshape(bound(x, found, new), own.shape), own.dtype, bool(own.weak_type))


def _cut_as_windows(new: Any, aval: ShapedArray, found: GatherIndex) -> Any:
    """Values that say nothing of it lie as the parts of the array do in whose place they are put."""
    if not isinstance(aval, CutArray) or any(entry is not None for entry in cut_of(new.aval) or ()):
        return new
    numbers = found.numbers
    gone = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    kept = iter([entry for i, entry in enumerate(aval.cut) if i not in gone])
    cut = [next(kept) if i in numbers.offset_dims else None for i in range(len(new.aval.shape))]
    return resharded(new, NamedSharding(aval.mesh, PartitionSpec(*cut))) if any(e is not None for e in cut) else new


def _in_shape(x: Any, shape: tuple[int, ...]) -> Any:
    """The values broadcast to what the index selects; leading dimensions of size 1 too many are left out."""
    own = x.aval.shape
    if len(own) > len(shape):
        own = own[len(own) - len(shape) :]
        x = reshape(x, own)
    if own and len(own) < len(shape):
        x = expand_to(x, (*(1,) * (len(shape) - len(own)), *own))
    return broadcast_to(x, shape)


def apply(
    x: Any, index: Any, func: Callable[[Any], Any], *, indices_are_sorted: bool = False, unique_indices: bool = False,
    mode: Any = None, wrap_negative_indices: bool = True,
) -> Any:  # fmt: skip
    """The array with a function of the elements at the places of an index, once for every time that one is named.

    Raises:
        TypeError: if `func` is no function.
        IndexError, ValueError: as `update`.
    """
    if not callable(func):
        raise TypeError(f"at[].apply takes a function, got {func!r:.60} of type {type(func).__name__}")
    zero = TypedScalar(python_scalar(0, x.aval.dtype), ShapedArray((), x.aval.dtype, False))
    x, parsed, _ = _prepared("set", x, index, zero, mode, wrap_negative_indices)
    jaxpr = element_jaxpr(func, x.aval.dtype)
    flags = (indices_are_sorted, unique_indices)

    def bound(x: Any, found: GatherIndex, new: Any) -> Any:
        return scatter_apply_p.bind(x, found.indices, new, jaxpr=jaxpr, **_params(found, flags, mode))

    element = Element(x.aval.dtype, False)
    return _run(
        "scatter_apply", (jaxpr, flags, mode), x, zero, parsed,
        lambda x, new, *rest: _scattered(x, new, parsed, rest, element, bound, are_given=False),
    )  # fmt: skip
