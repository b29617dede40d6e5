"""TensorFlow: as it is, where the second operand converts to the first, and its two modes after JAX's model.

The modes follow a lattice with two more weak types than JAX's: a Python int is a weak int32 (`int` here), a weak
int64 is `int64*`; a Python float is a weak float32 (`float`), a weak float64 is `float64*`.  The mode `safe` refuses
what loses precision and what widens; `all` allows it.

Source: https://www.tensorflow.org/guide/tf_numpy_type_promotion, and the table in TensorFlow's
`tensorflow/python/framework/flexible_dtypes.py`.
"""

from __future__ import annotations

from typing import Final

from arraytyping.scalars import KINDS, bits
from arraytyping.semantics.lattice import Lattice
from arraytyping.semantics.promotion.jax import WEAK
from arraytyping.semantics.promotion.losses import conversion_loss
from arraytyping.semantics.promotion.system import PUBLISHED, GraphSystem
from arraytyping.semantics.promotion.table_system import TableSystem

__all__ = ["tensorflow", "tensorflow_all", "tensorflow_safe"]

_APPENDIX: Final = "https://docs.jax.dev/en/latest/jep/9407-type-promotion.html#tensorflow-type-promotion"
_GUIDE: Final = "https://www.tensorflow.org/guide/tf_numpy_type_promotion"

_LATTICE: Final = Lattice(
    {
        "bool": ("int",),
        "int": ("int64*",),
        "int64*": ("float", "uint8", "int8"),
        "uint8": ("uint16", "int16"),
        "uint16": ("uint32", "int32"),
        "uint32": ("uint64", "int64"),
        "int8": ("int16",),
        "int16": ("int32",),
        "int32": ("int64",),
        **dict.fromkeys(("uint64", "int64", "float"), ("float64*",)),
        "float64*": ("bfloat16", "float16", "complex"),
        **dict.fromkeys(("bfloat16", "float16"), ("float32",)),
        "float32": ("float64", "complex64"),
        "float64": ("complex128",),
        "complex": ("complex64",),
        "complex64": ("complex128",),
        "complex128": (),
    }
)
_WEAK_DTYPES: Final = {
    "int": "int32",
    "int64*": "int64",
    "float": "float32",
    "float64*": "float64",
    "complex": "complex128",
}
_CATEGORIES: Final = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


def tensorflow() -> TableSystem:
    """TensorFlow as it is: the second operand converts to the first, if it is a Python scalar that fits its kind.

    A Python scalar in front becomes a tensor of its default dtype first.  Its table is that of addition, which
    booleans do not have.
    """
    kinds = {"int": "uifc", "float": "fc", "complex": "c"}
    defaults = {"int": "int32", "float": "float32", "complex": "complex128"}

    def results(a: str, b: str) -> str | None:
        first = defaults.get(a, a)
        if b in kinds:
            return first if KINDS[first] in kinds[b] else None
        return first if first == b != "bool" else None

    return TableSystem(
        "tensorflow",
        PUBLISHED,
        results,
        title="TensorFlow: the second operand converts to the first",
        source=_APPENDIX,
        scalars=WEAK,
    )


def tensorflow_all() -> GraphSystem:
    """TensorFlow with `dtype_conversion_mode="all"`: the joins of a lattice."""
    return GraphSystem(
        "tensorflow-all",
        _LATTICE,
        title='TensorFlow with dtype_conversion_mode="all"',
        source=_GUIDE,
        scalars=_WEAK_DTYPES,
        columns=PUBLISHED,
        stored=_WEAK_DTYPES,
    )


def tensorflow_safe() -> TableSystem:
    """TensorFlow with `dtype_conversion_mode="safe"`: the same joins, less those that lose or widen."""

    def results(a: str, b: str) -> str | None:
        top = _LATTICE.join(a, b)
        return top if _is_safe(a, b, top) else None

    return TableSystem(
        "tensorflow-safe",
        _LATTICE.elements,
        results,
        title='TensorFlow with dtype_conversion_mode="safe"',
        source=_GUIDE,
        scalars=_WEAK_DTYPES,
        columns=PUBLISHED,
        stored=_WEAK_DTYPES,
    )


def _is_safe(a: str, b: str, top: str) -> bool:
    """Whether neither operand loses anything and the result is no wider than the wider of them.

    A weak operand whose category is no higher than that of the other may always give way.
    """
    dtypes = {n: _WEAK_DTYPES.get(n, n) for n in (a, b)}
    target = _WEAK_DTYPES.get(top, top)
    category = {n: _CATEGORIES[KINDS[dtype]] for n, dtype in dtypes.items()}
    if bits(target) > max(map(bits, dtypes.values())):
        return False
    return all(
        (node in _WEAK_DTYPES and category[node] <= category[other]) or not conversion_loss(dtypes[node], target)
        for node, other in ((a, b), (b, a))
    )
