"""The scalar types: one class for each dtype, in NumPy's hierarchy, and nothing else.

They are the first parameter of `Array`, the names that a checker prints, and the ground-floor form of a dtype;
`DTYPES` and the functions below are the only table of their kinds and widths.

At run time they are NumPy's dtypes too, and calling one makes an array: `ScalarType` asks the runtime for that.

Source: https://numpy.org/doc/stable/reference/arrays.scalars.html for the hierarchy; `jax.numpy` for the dtypes.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

__all__ = [
    "generic",
    "bool_",
    "number",
    "integer",
    "signedinteger",
    "unsignedinteger",
    "inexact",
    "floating",
    "complexfloating",
    "int1",
    "int2",
    "int4",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint1",
    "uint2",
    "uint4",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float4_e2m1fn",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e8m0fnu",
    "float8_e4m3b11fnuz",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "bfloat16",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]


class ScalarType(type):
    """The class of the scalar types: what they can do at run time.

    Calling one makes a strong array without dimensions, `float32(1)`; NumPy takes one for its dtype, and it is equal
    to that dtype and to NumPy's class.  The package is asked for what is above this floor when that is needed.
    """

    def __call__(cls, x: Any, /) -> Any:
        """An array of this dtype.

        Raises:
            TypeError: if the class stands for several dtypes.
        """
        return _above("numpy").scalar_types.made(cls, x)

    @property
    def dtype(cls) -> Any:
        """NumPy's dtype.

        Raises:
            AttributeError: if the class stands for several dtypes.
        """
        name = NAMES.get(cls)
        if name is None:
            raise AttributeError(f"{cls.__name__} stands for several dtypes; give one of them, such as float32")
        return _above("runtime.np_dtypes").np_dtype(name)

    def __eq__(cls, other: object) -> bool:
        """Whether this is the same class, or NumPy's dtype or class that it stands for."""
        numpy: Any = sys.modules.get("numpy")
        if isinstance(other, ScalarType) or cls not in NAMES or not hasattr(numpy, "dtype"):
            return cls is other
        if isinstance(other, numpy.dtype):
            return bool(cls.dtype == other)
        return isinstance(other, type) and cls.dtype.type is other

    def __hash__(cls) -> int:  # not that of NumPy's class: it must not change when NumPy is loaded
        return type.__hash__(cls)

    def __instancecheck__(cls, instance: object) -> bool:
        """Whether this is a scalar of NumPy of this dtype; the class itself has no instances."""
        if "numpy" not in sys.modules:
            return False
        return isinstance(instance, _above("runtime.np_dtypes").np_class(cls.__name__))


def _above(module: str) -> Any:
    """A module of the package, which loads it when it is asked for."""
    return import_module(f"{__package__}.{module}")


class generic(metaclass=ScalarType):
    """Any scalar type."""

    bits: int
    """Width of one element, in bits (a bool counts 8, as it is stored)."""

    if TYPE_CHECKING:  # mypy does not look at the call of a metaclass

        def __new__(cls, x: Any, /) -> Any:
            """An array of this dtype."""


class bool_(generic):
    """True or False."""

    bits = 8


class number(generic):
    """Any scalar type but bool."""


class integer(number):
    """Any integer."""


class signedinteger(integer):
    """Any signed integer."""


class unsignedinteger(integer):
    """Any unsigned integer."""


class inexact(number):
    """Any floating or complex type."""


class floating(inexact):
    """Any real floating type."""


class complexfloating(inexact):
    """Any complex floating type."""


class int1(signedinteger):
    """1-bit signed integer: -1 and 0."""

    bits = 1


class int2(signedinteger):
    """2-bit signed integer."""

    bits = 2


class int4(signedinteger):
    """4-bit signed integer."""

    bits = 4


class int8(signedinteger):
    """8-bit signed integer."""

    bits = 8


class int16(signedinteger):
    """16-bit signed integer."""

    bits = 16


class int32(signedinteger):
    """32-bit signed integer."""

    bits = 32


class int64(signedinteger):
    """64-bit signed integer."""

    bits = 64


class uint1(unsignedinteger):
    """1-bit unsigned integer."""

    bits = 1


class uint2(unsignedinteger):
    """2-bit unsigned integer."""

    bits = 2


class uint4(unsignedinteger):
    """4-bit unsigned integer."""

    bits = 4


class uint8(unsignedinteger):
    """8-bit unsigned integer."""

    bits = 8


class uint16(unsignedinteger):
    """16-bit unsigned integer."""

    bits = 16


class uint32(unsignedinteger):
    """32-bit unsigned integer."""

    bits = 32


class uint64(unsignedinteger):
    """64-bit unsigned integer."""

    bits = 64


class float4_e2m1fn(floating):
    """4-bit float of the OCP microscaling formats: 2 exponent bits, 1 mantissa bit, finite."""

    bits = 4


class float6_e2m3fn(floating):
    """6-bit float of the OCP microscaling formats: 2 exponent bits, 3 mantissa bits, finite."""

    bits = 6


class float6_e3m2fn(floating):
    """6-bit float of the OCP microscaling formats: 3 exponent bits, 2 mantissa bits, finite."""

    bits = 6


class float8_e3m4(floating):
    """8-bit float: 3 exponent bits, 4 mantissa bits."""

    bits = 8


class float8_e4m3(floating):
    """8-bit float: 4 exponent bits, 3 mantissa bits."""

    bits = 8


class float8_e8m0fnu(floating):
    """8-bit scale factor of the OCP microscaling formats: 8 exponent bits, unsigned, finite."""

    bits = 8


class float8_e4m3b11fnuz(floating):
    """8-bit float: 4 exponent bits with bias 11, 3 mantissa bits, finite, no negative zero."""

    bits = 8


class float8_e4m3fn(floating):
    """8-bit float: 4 exponent bits, 3 mantissa bits, finite."""

    bits = 8


class float8_e4m3fnuz(floating):
    """8-bit float: 4 exponent bits, 3 mantissa bits, finite, no negative zero."""

    bits = 8


class float8_e5m2(floating):
    """8-bit float: 5 exponent bits, 2 mantissa bits."""

    bits = 8


class float8_e5m2fnuz(floating):
    """8-bit float: 5 exponent bits, 2 mantissa bits, finite, no negative zero."""

    bits = 8


class bfloat16(floating):
    """16-bit float with float32's exponent: 8 exponent bits, 7 mantissa bits."""

    bits = 16


class float16(floating):
    """IEEE 754 half precision."""

    bits = 16


class float32(floating):
    """IEEE 754 single precision."""

    bits = 32


class float64(floating):
    """IEEE 754 double precision."""

    bits = 64


class complex64(complexfloating):
    """Two float32."""

    bits = 64


class complex128(complexfloating):
    """Two float64."""

    bits = 128


UNSIGNED: Final = ("uint1", "uint2", "uint4", "uint8", "uint16", "uint32", "uint64")
SIGNED: Final = ("int1", "int2", "int4", "int8", "int16", "int32", "int64")
FLOAT4: Final = ("float4_e2m1fn",)
FLOAT6: Final = ("float6_e2m3fn", "float6_e3m2fn")
FLOAT8: Final = (
    "float8_e3m4",
    "float8_e4m3",
    "float8_e8m0fnu",
    "float8_e4m3b11fnuz",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
)
SMALL_FLOATS: Final = FLOAT4 + FLOAT6 + FLOAT8
FLOATS: Final = (*SMALL_FLOATS, "bfloat16", "float16", "float32", "float64")
COMPLEXES: Final = ("complex64", "complex128")
DTYPES: Final = ("bool", *UNSIGNED, *SIGNED, *FLOATS, *COMPLEXES)
"""The names of all dtypes; a dtype is its name everywhere but in the runtime."""

ABSTRACT: Final[dict[str, type[generic]]] = {
    c.__name__: c
    for c in (generic, number, integer, signedinteger, unsignedinteger, inexact, floating, complexfloating)
}
"""The classes above the dtypes, as `issubdtype` takes them."""

SCALARS: Final[dict[str, type[generic]]] = {name: globals()["bool_" if name == "bool" else name] for name in DTYPES}
"""The scalar type of each dtype."""

NAMES: Final[dict[type, str]] = {scalar: name for name, scalar in SCALARS.items()}
"""The dtype of each scalar type."""

KINDS: Final[dict[str, str]] = {
    "bool": "b",
    **dict.fromkeys(UNSIGNED, "u"),
    **dict.fromkeys(SIGNED, "i"),
    **dict.fromkeys(FLOATS, "f"),
    **dict.fromkeys(COMPLEXES, "c"),
}
"""NumPy's one-letter kind of each dtype; ml_dtypes' own types count as what they are, `f`, `i` or `u`."""


def bits(dtype: str) -> int:
    """Width of one element of a dtype, in bits."""
    return SCALARS[dtype].bits
