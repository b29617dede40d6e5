"""A library that is annotated with arraytyping.typing: no checker reports anything, and it runs.

With the stubs, an unknown shape is a class that inherits from `Any`, which ty takes for no tuple.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeVar, overload

import numpy as np
from typing_extensions import assert_type

from arraytyping import Array, bfloat16, bool_, float32, floating, int8, int32, int64, integer
from arraytyping.typing import (
    ArrayLike,
    DType,
    DTypeLike,
    KeyArray,
    NamedShape,
    Shape,
    ShapeLike,
    SupportsDType,
    check,
    ensure,
    prng_key,
)

D = TypeVar("D")
S = TypeVar("S")
Rows = tuple[Literal[3], int]


def any_array(x: ArrayLike) -> ArrayLike:
    return x


def of_floats(x: ArrayLike[float32]) -> bool:
    return True


def of_rows(x: ArrayLike[float32, Rows]) -> bool:
    return True


def scalar(x: ArrayLike[Any, tuple[()]]) -> bool:
    return True


def strict(x: Array[float32, Rows]) -> Array[float32, Rows]:
    return x


def weak_or_strong(x: Array[float32 | float]) -> bool:
    return True


def some_float(x: Array[floating]) -> bool:
    return True


def same(x: Array[D, S]) -> Array[D, S]:
    return x


def shaped(shape: ShapeLike, dtype: DTypeLike | None = None) -> bool:
    return True


def takes_dtype(x: SupportsDType) -> DType:
    return x.dtype


def takes_key(key: KeyArray[tuple[()]]) -> KeyArray:
    return key


def volume(shape: Shape) -> int:
    size = 1
    for n in shape:
        size *= n
    return size


def named(sizes: NamedShape) -> int:
    return sizes["batch"]


@overload
def choice(key: KeyArray, a: int | Array[integer | int, tuple[()]], shape: ShapeLike = ()) -> Array[int32 | int64]: ...
@overload
def choice(key: KeyArray, a: Array[D, tuple[int, *tuple[int, ...]]], shape: ShapeLike = ()) -> Array[D]: ...
def choice(key: Any, a: Any, shape: ShapeLike = ()) -> Any:
    return a


def calls(
    a: Array, b: Array[float32], c: Array[int8], w: Array[float], r: Array[float32, Rows], k: KeyArray[tuple[()]]
) -> None:
    any_array(a), any_array(b), any_array(w), any_array(r)
    any_array(any_array(a))
    of_floats(a), of_floats(b), of_floats(w), of_floats(r)
    of_rows(r), scalar(2.5), strict(r)
    of_rows(a)  # refused by ty
    of_rows(b)  # refused by ty
    scalar(a)  # refused by ty
    strict(a)  # refused by ty
    weak_or_strong(a), weak_or_strong(b), weak_or_strong(w)
    some_float(a), some_float(b)
    takes_key(k)
    takes_key(a)  # refused by ty
    assert_type(same(r), Array[float32, Rows])
    assert_type(strict(r), Array[float32, Rows])
    assert_type(takes_key(k), Array[prng_key, Any])
    assert_type(choice(k, 3), Array[int32 | int64])
    assert_type(choice(k, r), Array[float32])
    of_alternatives: ArrayLike[float32 | bfloat16] = b
    any_array(of_alternatives)


any_array(1), any_array(2.5), any_array(2j), any_array(True)
any_array(np.zeros(3)), any_array(np.float32(1)), any_array(np.int8(1)), any_array(np.bool_(True))
of_floats(1), of_floats(2.5), of_floats(np.zeros(3, np.float32))
shaped(3), shaped((3, 4)), shaped([3, 4]), shaped(np.int64(3)), shaped((np.int32(3), 4)), shaped(()), shaped(range(3))
shaped(3, "float32"), shaped(3, float32), shaped(3, int), shaped(3, np.float32), shaped(3, np.dtype("int8"))
shaped(3, bool_), shaped(3, bool), shaped(3, bfloat16), shaped(3, np.zeros(3)), shaped(3, None)
dtype: DType = takes_dtype(np.zeros(3))
assert_type(volume((2, 3)), int)
sizes: Sequence[int] = (2, 3)
by_name: Mapping[str, int] = {"batch": 4}
assert named(by_name) == 4
assert check(1.0, ArrayLike) and not check([1.0], ArrayLike)
number: int = ensure(volume((2, 3)), ArrayLike[float32])
