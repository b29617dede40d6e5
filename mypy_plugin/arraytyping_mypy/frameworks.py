"""Which name is which rule, and which name is which dtype, for each framework: JAX, and arraytyping itself."""

from __future__ import annotations

from typing import Final

from arraytyping.scalars import ABSTRACT, SCALARS
from arraytyping.semantics.rules.registry import RULES
from arraytyping_mypy.names import ARRAY, STUB_SCALARS_MODULE
from arraytyping_mypy.own_names import jax_name

_LAX_MODULES: Final = (
    "lax", "special", "slicing", "convolution", "control_flow.loops", "windowed_reductions", "fft",
)  # fmt: skip
"""Where the functions of `jax.lax` are defined."""

_FUNCTION_SPACES: Final = {
    "jax.numpy.linalg.": "numpy.linalg.",
    "jax._src.numpy.linalg.": "numpy.linalg.",
    "jax.numpy.": "numpy.",
    f"{STUB_SCALARS_MODULE}.": "numpy.",  # a dtype that is called
    "jax.lax.linalg.": "lax.linalg.",
    "jax._src.lax.linalg.": "lax.linalg.",
    "jax._src.tpu.linalg.qdwh.": "lax.linalg.",
    "jax.lax.": "lax.",
    **{f"jax._src.lax.{module}.": "lax." for module in _LAX_MODULES},
    "jax.numpy.fft.": "numpy.fft.",
    "jax._src.numpy.fft.": "numpy.fft.",
    "jax.nn.": "nn.",
    "jax._src.nn.functions.": "nn.",
    "jax.image.": "image.",
    "jax._src.image.scale.": "image.",
    "jax.random.": "random.",
    "jax._src.random.core.": "random.",
    "jax._src.random.": "random.",  # before jax 0.10
    "jax.scipy.special.": "scipy.special.",
    "jax._src.scipy.special.": "scipy.special.",
    "jax._src.ops.special.": "scipy.special.",
    "jax._src.third_party.scipy.special.": "scipy.special.",
    "jax.scipy.signal.": "scipy.signal.",
    "jax._src.scipy.signal.": "scipy.signal.",
    "jax.scipy.fft.": "scipy.fft.",
    "jax._src.scipy.fft.": "scipy.fft.",
    "jax.scipy.linalg.": "scipy.linalg.",
    "jax._src.scipy.linalg.": "scipy.linalg.",
    "jax._src.third_party.scipy.linalg.": "scipy.linalg.",
    "jax.scipy.stats.": "scipy.stats.",
    "jax._src.scipy.stats._core.": "scipy.stats.",
    "jax._src.scipy.stats.": "scipy.stats.",
}
_REFLECTED_NDARRAY: Final = {
    f"numpy.ndarray.__{op}__": f"Array.__r{op}__"
    for op in (
        "add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul",
        "and", "or", "xor", "lshift", "rshift",
    )
} | {
    "numpy.ndarray.__lt__": "Array.__gt__", "numpy.ndarray.__le__": "Array.__ge__",
    "numpy.ndarray.__gt__": "Array.__lt__", "numpy.ndarray.__ge__": "Array.__le__",
    "numpy.ndarray.__eq__": "Array.__eq__", "numpy.ndarray.__ne__": "Array.__ne__",
}  # fmt: skip
"""Operators of an ndarray on the left, and the method of the array on the right that answers them."""


_SCALAR_COMPARISONS: Final = {
    f"builtins.{scalar}.__{op}__": f"Array.__{op}__"
    for scalar in ("bool", "int", "float", "complex")
    for op in ("eq", "ne")
}


def function_rule(fullname: str) -> str | None:
    """The rule of a function by its full name, or None."""
    fullname = jax_name(fullname)
    if not fullname.startswith("jax."):
        return None
    for space, ours in _FUNCTION_SPACES.items():
        if fullname.startswith(space):
            name = ours + fullname[len(space) :]
            return name if name in RULES else None
    return None


def method_rule(fullname: str) -> str | None:
    """The rule of a method or attribute of the array class by its full name, or None."""
    fullname = jax_name(fullname)
    if not fullname.startswith(ARRAY + "."):
        return None
    name = f"Array.{fullname[len(ARRAY) + 1 :]}"
    return name if name in RULES else None


def ndarray_rule(fullname: str) -> str | None:
    """The rule that decides an operator of `numpy.ndarray` (or a NumPy scalar) if an array stands on its right."""
    owner, _, operator = fullname.rpartition(".")
    if not owner.startswith("numpy"):
        return None
    return _REFLECTED_NDARRAY.get(f"numpy.ndarray.{operator}")


def scalar_rule(fullname: str) -> str | None:
    """The rule that decides a comparison of a Python scalar with an array, for mypy one with any object."""
    return _SCALAR_COMPARISONS.get(fullname)


DTYPE_NAMES: Final[dict[str, type]] = {
    **{f"jax.numpy.{name}": scalar for name, scalar in SCALARS.items() if name != "bool"},
    **{f"ml_dtypes.{name}": scalar for name, scalar in SCALARS.items() if name != "bool"},
    **{f"ml_dtypes._ml_dtypes_ext.{name}": scalar for name, scalar in SCALARS.items() if name != "bool"},
    **{f"arraytyping.scalars.{scalar.__name__}": scalar for scalar in SCALARS.values()},
    **{f"{STUB_SCALARS_MODULE}.{scalar.__name__}": scalar for scalar in SCALARS.values()},
    **{
        f"numpy.{name}": SCALARS[name]
        for name in (
            "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
            "float16", "float32", "float64", "complex64", "complex128",
        )
    },
    "numpy.bool_": SCALARS["bool"], "numpy.bool": SCALARS["bool"], "jax.numpy.bool_": SCALARS["bool"],
    "jax.numpy.bool": SCALARS["bool"],
    "numpy.half": SCALARS["float16"], "numpy.single": SCALARS["float32"], "numpy.double": SCALARS["float64"],
    "numpy.csingle": SCALARS["complex64"], "numpy.cdouble": SCALARS["complex128"],
    "numpy.byte": SCALARS["int8"], "numpy.ubyte": SCALARS["uint8"], "numpy.short": SCALARS["int16"],
    "numpy.ushort": SCALARS["uint16"],
    "jax.numpy.single": SCALARS["float32"], "jax.numpy.double": SCALARS["float64"],
    "jax.numpy.csingle": SCALARS["complex64"], "jax.numpy.cdouble": SCALARS["complex128"],
    "jax.numpy.float_": SCALARS["float64"], "jax.numpy.complex_": SCALARS["complex128"],
    "jax.numpy.int_": SCALARS["int64"], "jax.numpy.uint": SCALARS["uint64"],
    "builtins.bool": bool, "builtins.int": int, "builtins.float": float, "builtins.complex": complex,
    **{f"{space}.{name}": c for name, c in ABSTRACT.items() for space in ("numpy", "jax.numpy", STUB_SCALARS_MODULE)},
}  # fmt: skip
"""The names that denote a dtype where they stand as an argument."""

DTYPE_CONSTRUCTORS: Final = frozenset(name for name in DTYPE_NAMES if name.startswith("jax.numpy."))
"""The dtypes of `jax.numpy` that can be called."""
