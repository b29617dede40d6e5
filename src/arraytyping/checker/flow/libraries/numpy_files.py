"""Arrays that NumPy reads from files and bytes: what the call alone decides of them.

Source: https://numpy.org/doc/stable/reference/routines.io.html.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from arraytyping.checker.flow.engines.numpy_making import dtype_argument
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.fresh_sizes import fresh_size
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.syntax.told_shapes import told_shape
from arraytyping.checker.flow.values import LazyName, NumPyValue, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.semantics.sizes.dims import as_dim

__all__: list[str] = []

Kwargs = dict[str, Any]

_WHY: Final = "what a file holds"
_NUMBERS: Final = frozenset(
    {"bool", "complex64", "complex128", *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64))}
    | {"float16", "float32", "float64"}
)


def _bound(names: tuple[str, ...], args: list[Value], kwargs: Kwargs) -> dict[str, Value]:
    return {**dict(zip(names, args)), **kwargs}


def _dtype(given: dict[str, Value], default: str) -> str | None:
    """The dtype of an argument where it is one of numbers; a structured one, or one of arrays, is not known."""
    name = dtype_argument(given["dtype"], default) if "dtype" in given else default
    return name if name in _NUMBERS else None


@handles("numpy.load")
def _load(it: Interpreter, call: Call) -> Value:
    """An array or an archive of them, as the name says, or one of the two; where pickles are allowed, any object."""
    given = call.named("file", "mmap_mode", "allow_pickle")
    it.may_raise += 1  # it may not be there
    if given.get("allow_pickle", False) is not False:
        return it.unknown(_WHY)
    file = given.get("file")
    name = str(file) if isinstance(file, str | Path) else ""
    if name.endswith(".npy"):
        return NumPyValue(None, None)
    archive = it.call(it.importer.resolve(it, LazyName("numpy_archives", "NpzFile")), [], {}, call.node)
    return archive if name.endswith(".npz") else join_all([NumPyValue(None, None), archive])


@handles("numpy.loadtxt")
def _loadtxt(it: Interpreter, call: Call) -> Value:
    names = ("fname", "dtype", "comments", "delimiter", "converters", "skiprows", "usecols", "unpack", "ndmin")
    given = call.named(*names)
    dtype = _dtype(given, "float64")
    if dtype is None:
        return it.unknown(_WHY)  # with a structured dtype and `unpack` a list of arrays
    return NumPyValue((None, None) if given.get("ndmin") == 2 else None, dtype)


@handles("numpy.genfromtxt")
def _genfromtxt(it: Interpreter, call: Call) -> Value:
    """With names, or a dtype that the file decides, the result may be structured, and be taken apart into a list."""
    given = _bound(("fname", "dtype"), call.args[:2], call.kwargs)
    is_plain = len(call.args) <= 2 and not any(given.get(name) for name in ("names", "usemask"))
    dtype = None if given.get("dtype", 0.0) is None else _dtype(given, "float64")
    if not is_plain or dtype is None:
        return it.unknown(_WHY)
    return NumPyValue((None, None) if given.get("ndmin") == 2 else None, dtype)


@handles("numpy.fromfile", "numpy.frombuffer", "numpy.fromiter", "numpy.fromstring")
def _flat(it: Interpreter, call: Call) -> Value:
    """One axis, as long as the file or the bytes, or `count`."""
    given = call.named("file", "dtype", "count")
    dtype = _dtype(given, "float64")
    if dtype is None:
        return it.unknown(_WHY)  # a dtype of arrays gives more axes
    return NumPyValue((as_dim(fresh_size(it, "n")),), dtype)


@handles("numpy.memmap")
def _memmap(it: Interpreter, call: Call) -> Value:
    """One axis, or the shape that is given."""
    given = call.named("filename", "dtype", "mode", "offset", "shape")
    dtype = _dtype(given, "uint8")
    said = given.get("shape")
    shape = (as_dim(fresh_size(it, "n")),) if said is None else told_shape((said,) if type(said) is int else said)
    return NumPyValue(shape, dtype) if dtype is not None else it.unknown(_WHY)
