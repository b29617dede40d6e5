"""Types to annotate functions of arrays with, and `check`, which looks at values in the same way.

**Annotate the intent**: what a function promises to take, not everything that happens to work.  **Inputs are
permissive**, so that nobody has to convert what he has; **outputs are strict**, so that everybody knows what he gets.

| | inputs | outputs |
|---|---|---|
| arrays | `ArrayLike` | `Array` |
| dtypes | `DTypeLike` | `DType` |
| shapes | `ShapeLike` | `Shape`, and `NamedShape` for sizes by axis name |
| random keys | `KeyArray` | `KeyArray` |

`ArrayLike` is what a function of arrays makes an array of: an array (also a tracer, inside of `jit`, `vmap` or `grad`),
an array or a scalar of NumPy, a Python number.  It is not a list: lists are slow under `jit`, and a tree to `vmap`.
`Array` is the class of arrays and tracers.  A function whose first line is `x = asarray(x)` takes `ArrayLike`; one that
uses methods of its argument takes `Array`.

```python
from arraytyping import Array, jit, numpy as anp
from arraytyping.typing import ArrayLike

@jit
def normalized(x: ArrayLike) -> Array:
    x = anp.asarray(x)
    return x / anp.linalg.norm(x)
```

**Say more where more is meant.**  `Array` and `ArrayLike` have two parameters, the dtype and the shape:

- The dtype is a scalar type, or a class of several (`floating`); `int`, `float` or `complex` is a *weak* type, that of
  Python's numbers, which gives way to the dtypes that it meets; `float32 | float` is either; `Any`, or nothing, is
  unknown.
- The shape is a tuple of sizes: `tuple[Literal[3], int]` has two dimensions, the first of size 3; `tuple[()]` none;
  `tuple[int, *tuple[int, ...]]` at least one; `tuple[int, ...]`, `Any`, or nothing, is unknown.

`ArrayLike[float32]` is an array-like that may stand for an `Array[float32]`: it has this dtype once it is an array (a
float64 array of NumPy too, while x64 is off), or gives way to it (`1.5`, and an array of weak type `float`).  Type
checkers see of it the dtype and shape of arrays; those of NumPy's arrays, and which Python numbers fit, `check` sees.

**Examples**, those which the JAX proposal on types (JEP 12049) gives for what is hard.  `slice` is documentation first:
an array-like, sequences of ints, and the result is an array, not `Any`.  What `tile` does with `reps` works for
anything that can be iterated; its intent is a shape, an int or a sequence of ints.

```python
from collections.abc import Sequence
from arraytyping import Array
from arraytyping.typing import ArrayLike, ShapeLike

def slice(operand: ArrayLike, start_indices: Sequence[int], limit_indices: Sequence[int],
          strides: Sequence[int] | None = None) -> Array: ...

def tile(A: ArrayLike, reps: ShapeLike) -> Array: ...
```

The ends of `linspace` are scalars, but scalars are arrays without dimensions, and `linspace` broadcasts: `ArrayLike`
is right, and `dtype` says `None` where that is allowed.  A function that takes *only* scalars says so by their shape.

```python
from typing import Any
from arraytyping import Array
from arraytyping.typing import ArrayLike, DTypeLike

def linspace(start: ArrayLike, stop: ArrayLike, num: int = 50, dtype: DTypeLike | None = None) -> Array: ...

def clip_norm(gradient: ArrayLike, most: ArrayLike[Any, tuple[()]]) -> Array: ...
```

The second argument of `random.choice` is an array to choose from, or the number of things to choose among, an integer
without dimensions.  Two overloads say what the results are (`...` here stands for the bodies).

```python
from typing import TypeVar, overload
from arraytyping import Array, int32, int64, integer
from arraytyping.typing import KeyArray, ShapeLike

D = TypeVar("D")

@overload
def choice(key: KeyArray, a: int | Array[integer | int, tuple[()]], shape: ShapeLike = ()) -> Array[int32 | int64]: ...
@overload
def choice(key: KeyArray, a: Array[D, tuple[int, *tuple[int, ...]]], shape: ShapeLike = ()) -> Array[D]: ...
```

**At run time** every type here is a class, so that `isinstance`, beartype and typeguard look at dtypes, weak types and
shapes, of arrays and of tracers.  Type checkers refuse `isinstance` with a type that has parameters; `check(x,
ArrayLike)` says the same, and `ensure` raises a `TypeError` with the reason.

```python
from typing import Literal
from arraytyping import Array, float32, numpy as anp
from arraytyping.typing import ArrayLike, check, ensure

x = anp.zeros((3, 4), float32)
assert check(x, Array[float32, tuple[Literal[3], int]])
assert not check(x + 1, Array[float])
assert check(anp.asarray(1.0), Array[float])
assert check(1.0, ArrayLike) and not check([1.0], ArrayLike)
y = ensure(x, Array[float32], "x")
```

Importing this module loads neither NumPy nor a runtime.

Source: JEP 12049, https://docs.jax.dev/en/latest/jep/12049-type-annotations.html.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from arraytyping.basearray import Array
from arraytyping.semantics.array_types import prng_key
from arraytyping.typing.checking import check, ensure
from arraytyping.typing.protocols import NumPyLike, SupportsDType, SupportsJAXArray

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import SupportsIndex

    import numpy as np
    from typing_extensions import TypeAliasType, TypeVar

    from arraytyping.scalars import generic

    D = TypeVar("D", default=Any)
    S = TypeVar("S", default=Any)

    # An alias that keeps its name: ty and pyright show `ArrayLike` in messages.  The weak arrays stand apart, and
    # `complex` alone stands for Python's numbers, so that checkers find the overload for each member, and few members.
    ArrayLike = TypeAliasType(
        "ArrayLike",
        Array[D, S] | Array[int | float, S] | Array[complex, S] | NumPyLike | SupportsJAXArray | complex,
        type_params=(D, S),
    )
    KeyArray = TypeAliasType("KeyArray", Array[prng_key, S], type_params=(S,))
    DType: TypeAlias = np.dtype[Any]
    DTypeLike = TypeAliasType(
        "DTypeLike",
        str
        | type[generic]
        | type[bool]
        | type[int]
        | type[float]
        | type[complex]
        | type[NumPyLike]
        | np.dtype[Any]
        | SupportsDType,
    )
    ShapeLike = TypeAliasType("ShapeLike", SupportsIndex | Sequence[SupportsIndex])
else:
    from arraytyping.typing.permissive import ArrayLike, DTypeLike, KeyArray, ShapeLike

    def __getattr__(name: str) -> Any:
        if name == "DType":
            import numpy as np

            return np.dtype
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


Shape: TypeAlias = tuple[int, ...]
"""The size of each dimension, as `x.shape` gives them."""

NamedShape: TypeAlias = Mapping[Any, int]
"""Sizes by axis name."""

__all__ = [
    "Array",
    "ArrayLike",
    "DType",
    "DTypeLike",
    "KeyArray",
    "NamedShape",
    "Shape",
    "ShapeLike",
    "SupportsDType",
    "check",
    "ensure",
    "prng_key",
]
