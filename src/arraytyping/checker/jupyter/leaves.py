"""Numbers, texts and arrays of a session as expressions."""

from __future__ import annotations

import math
import sys
from typing import Any, Final

from arraytyping.scalars import KINDS
from arraytyping.semantics.key_implementations import KEY_SIZES, KEY_TAGS

__all__ = ["FACTS", "JAX", "NUMPY", "array_text", "key_text", "plain_text"]

_LONGEST: Final = 200
"""Longer texts are some text."""
_MOST_BITS: Final = 4096


FACTS: Final = "_arraytyping_facts"
NUMPY: Final = "_arraytyping_numpy"
JAX: Final = "_arraytyping_jax"
"""What the modules are called in the expressions."""


def plain_text(value: Any) -> str | None:
    """An expression for a number, a text or None; None for anything else."""
    kind = type(value)
    if value is None or value is ... or kind is bool:
        return repr(value)
    if kind is int:
        return repr(value) if value.bit_length() <= _MOST_BITS else f"{FACTS}.integer()"
    if kind is float:
        return repr(value) if math.isfinite(value) else f"float({str(value)!r})"
    if kind is complex:
        return f"complex({plain_text(value.real)}, {plain_text(value.imag)})"
    if kind is str:
        return repr(value) if len(value) <= _LONGEST else f"{FACTS}.text()"
    if kind is bytes:
        return repr(value) if len(value) <= _LONGEST else f"{FACTS}.data()"
    if kind is slice:
        parts = [plain_text(part) for part in (value.start, value.stop, value.step)]
        return None if None in parts else f"slice({', '.join(map(str, parts))})"
    return None


def key_text(key: Any) -> str | None:
    """An expression for a key of a dict; None for one that is not looked at."""
    if type(key) is tuple:
        items = [*map(key_text, key)]
        return None if None in items else f"({''.join(f'{item}, ' for item in items)})"
    if type(key) in (str, bytes, int, float, bool, type(None)):
        return None if type(key) is float and not math.isfinite(key) else repr(key)
    return None


def array_text(value: Any) -> str | None:
    """An expression for an array or a scalar of NumPy; None for anything else."""
    kind = type(value)
    if kind.__name__ in ("ArrayImpl", "PRNGKeyArray") and kind.__module__.split(".")[0] in ("jax", "jaxlib"):
        return _of_jax(value)
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return None
    if kind is numpy.ndarray:
        name = _dtype(value.dtype)
        return None if name is None else f"{FACTS}.numpy_array({name!r}, {value.shape!r})"
    if issubclass(kind, numpy.generic) and kind.__module__ == "numpy" and value.dtype.kind in "biuf":
        module = f"{NUMPY}.{kind.__name__}"
        item = value.item()
        if type(item) is float and not math.isfinite(item):
            return f"{module}({str(item)!r})"
        return f"{module}({item!r})" if type(item) in (bool, int, float) else None
    if issubclass(kind, numpy.dtype):
        return f"{NUMPY}.dtype({value.name!r})" if _dtype(value) and value.kind in "biufc" else None
    return None


def _of_jax(value: Any) -> str | None:
    shape = tuple(map(int, value.shape))
    name = str(value.dtype)
    if value.is_deleted():
        return None
    if name.startswith("key<"):
        tag = name.removeprefix("key<").removesuffix(">")
        impl = next((i for i, t in KEY_TAGS.items() if t == tag), None)
        if impl is None:
            return None
        data = f"{FACTS}.array('uint32', {(*shape, KEY_SIZES[tag])!r})"
        return f"{JAX}.random.wrap_key_data({data}, impl={impl!r})"
    if name not in KINDS:
        return None
    weak = ", weak_type=True" if value.weak_type else ""
    return f"{FACTS}.array({name!r}, {shape!r}{weak})"


def _dtype(dtype: Any) -> str | None:
    """The name of a dtype that arrays of JAX may have, too."""
    return dtype.name if dtype.isnative and dtype.name in KINDS and dtype.subdtype is None else None
