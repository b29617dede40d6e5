"""How much NumPy may be asked to compute: one rule for all functions, on the sizes of what goes in and comes out.

An argument that is no array may decide how large the result is, so each large number among them counts as a factor.
"""

from __future__ import annotations

from typing import Final

from arraytyping.checker.flow.engines.numpy_arguments import RULES, Arguments
from arraytyping.checker.flow.engines.numpy_signatures import ARRAYS
from arraytyping.checker.flow.values import ArrayValue, DictValue, ListValue, NumPyValue, Value
from arraytyping.semantics.avals import size_of

__all__ = ["has_huge_numbers", "is_bearable"]

_MOST: Final = 2_000_000
"""The most elements that go in or come out."""
_MOST_WORK: Final = 20_000_000
"""The most operations where each element meets each other one."""
_LARGE: Final = 256
"""From here on a number among the arguments may be a size."""
_LINEAR_NAMES: Final = """
    concatenate concat stack vstack hstack dstack column_stack row_stack block array asarray asanyarray
    ascontiguousarray asfortranarray where select choose clip append insert isclose allclose array_equal
    array_equiv atleast_1d atleast_2d atleast_3d broadcast_arrays searchsorted digitize interp take
    take_along_axis put_along_axis copyto put place putmask fill_diagonal isin in1d union1d intersect1d
    setdiff1d setxor1d percentile quantile nanpercentile nanquantile average histogram histogram2d trapezoid
    polyval diff ediff1d lexsort mean std var sum full_like nan_to_num pad partition argpartition repeat dot
    vdot inner matmul vecdot matvec vecmat cross
"""
_LINEAR: Final = frozenset(_LINEAR_NAMES.split())
"""Functions of several arrays whose time grows as their sizes do; see `_PRODUCTS` for some."""
_PRODUCTS: Final = frozenset({"dot", "inner", "matmul", "matvec", "vecmat", "einsum", "tensordot", "linalg.multi_dot"})
_CUBIC: Final = ("linalg.", "polyfit", "roots", "poly", "cov", "corrcoef", "vander", "kron")


def is_bearable(name: str, arguments: Arguments) -> bool:
    """Whether a function can be called on these arguments, or on dummies of their sizes."""
    sizes: list[int] = []
    factor = 1
    arrays = ARRAYS.get(name, frozenset())
    rule = RULES.get(name)
    for parameter, value in arguments.given.items():
        sizes += _sizes(value)
        if parameter not in arrays and not (rule is not None and rule.grows):
            factor *= _largest_product(value)
    total = sum(sizes)
    if total > _MOST or factor * max(total, 1) > _MOST:
        return False
    if name == "bincount" and _largest_element(arguments.first) > _MOST:
        return False
    if name.startswith(_CUBIC) or name in _PRODUCTS:
        return int(total**1.5) <= _MOST_WORK * 5
    largest = sorted(sizes, reverse=True)[:2]
    return name in _LINEAR or len(largest) < 2 or largest[0] * largest[1] <= _MOST_WORK


def _sizes(value: Value) -> list[int]:
    """The numbers of elements of the arrays in an argument."""
    if isinstance(value, NumPyValue):
        return [(size_of(value.shape) or 0) if value.shape is not None else 0]
    if isinstance(value, ArrayValue):
        return [(size_of(value.aval.shape) or 0) if value.aval.shape is not None else 0]
    if isinstance(value, tuple):
        return [1 + sum(size for v in value for size in _sizes(v))] if len(value) <= _MOST else [_MOST + 1]
    if isinstance(value, ListValue) and value.items is not None:
        return [1 + sum(size for v in value.items for size in _sizes(v))]
    if isinstance(value, range | str | bytes):
        return [min(len(value), _MOST + 1)] if not isinstance(value, range) or value.stop < 2**60 else [_MOST + 1]
    return []


def _largest_product(value: Value) -> int:
    """The product of the large numbers in an argument, which may be sizes."""
    if type(value) is int:
        return abs(value) if abs(value) >= _LARGE else 1
    if type(value) is float:
        return int(abs(value)) if _LARGE <= abs(value) < 1e300 else 1
    found = 1
    data = value.data if isinstance(value, NumPyValue) else None
    if data is not None and data.size <= 8 and data.dtype.kind in "iu":
        value = tuple(int(v) for v in data.ravel())
    items = value if isinstance(value, tuple) else value.items if isinstance(value, ListValue | DictValue) else None
    for item in list(items or ())[:64]:
        found *= _largest_product(item) if not isinstance(item, NumPyValue) else 1
    return found


def _largest_element(value: Value) -> float:
    items = value.items if isinstance(value, ListValue) else value
    if isinstance(value, NumPyValue):
        return float(value.data.max()) if value.data is not None and value.data.size else 0.0
    if isinstance(items, tuple | list):
        return max((v for v in items if isinstance(v, int | float)), default=0)
    return 0.0


def has_huge_numbers(arguments: Arguments) -> bool:
    """Whether arguments that are no arrays may ask for a huge result even of the smallest arrays."""
    arrays = ARRAYS.get(arguments.name, frozenset())
    factor = 1
    for parameter, value in arguments.given.items():
        factor *= 1 if parameter in arrays else _largest_product(value)
    return factor > _MOST
