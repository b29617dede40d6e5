"""Subscripts that make grids, `np.mgrid[0:n, 0:1:20j]` and `jnp.ogrid[...]`, of which not all bounds are known.

Source: https://numpy.org/doc/stable/reference/generated/numpy.mgrid.html.
"""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.libraries.registry import handles_subscript
from arraytyping.checker.flow.real_calls.costs import is_bearable_index
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.values import ArrayValue, NumPyValue, ScalarValue, Value, is_concrete
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.avals import Dim, Shape

__all__: list[str] = []

Node = ast.AST | None


def _of_module(module: str, name: str) -> Any:
    def handle(it: Interpreter, owner: Any, index: Value, node: Node) -> Value:
        if is_concrete(index):
            if module == "numpy" and not is_bearable_index(index):
                return it.unknown("a huge grid")
            try:
                return it.engines.from_python(owner[index])
            except Exception as error:
                swallow(error)
                return it.unknown(f"{name} that fails")
        parts = index if isinstance(index, tuple) else (index,)
        if not all(isinstance(part, slice) for part in parts):
            return it.unknown(f"{name} of what is no slice")
        make = _of_jax if module == "jax.numpy" else _of_numpy
        return make(it, name, parts, isinstance(index, tuple), node)

    return handle


def _of_jax(it: Interpreter, name: str, parts: tuple[slice, ...], is_tuple: bool, node: Node) -> Value:
    numpy = it.engines.jax.jax.numpy
    axes = [_axis(it, numpy, part, node) for part in parts]
    if not is_tuple:
        return axes[0]
    if not all(isinstance(axis, ArrayValue) for axis in axes):
        return it.unknown(f"{name} of axes that are not known")
    dtype = it.call(numpy.result_type, axes, {}, node)
    alike = [it.call(numpy.astype, [axis, dtype], {}, node) for axis in axes]
    grids = it.call(numpy.meshgrid, alike, {"indexing": "ij", "sparse": name == "ogrid"}, node)
    return it.call(numpy.stack, [grids], {}, node) if name == "mgrid" else grids


def _axis(it: Interpreter, numpy: Any, part: slice, node: Node) -> Value:
    # JAX writes 0 and 1 for a start and a step that are zero, whatever their dtypes are.
    starts = [0] if part.start is None else [part.start] if is_concrete(part.start) else [part.start, 0]
    step = part.step
    if isinstance(step, complex):
        return join_all(it.call(numpy.linspace, [start, part.stop, int(abs(step))], {}, node) for start in starts)
    if step is not None and not _is_real(step):
        return it.unknown("a grid with a step that may be complex")
    steps = [1] if step is None else [step] if is_concrete(step) else [step, 1]
    return join_all(it.call(numpy.arange, [start, part.stop, by], {}, node) for start in starts for by in steps)


def _is_real(value: Value) -> bool:
    """Whether a number is surely not complex."""
    if isinstance(value, ArrayValue | NumPyValue):
        dtype = value.aval.dtype if isinstance(value, ArrayValue) else value.dtype
        return dtype is not None and not dtype.startswith("complex")
    return complex not in value.kinds if isinstance(value, ScalarValue) else isinstance(value, int | float)


def _of_numpy(it: Interpreter, name: str, parts: tuple[slice, ...], is_tuple: bool, node: Node) -> Value:
    sizes: list[Dim] = []
    kinds: set[type | None] = set()
    for part in parts:
        bounds = [0 if part.start is None else part.start, part.stop, 1 if part.step is None else part.step]
        kinds |= {float if type(v) is complex else _python_kind(v) for v in bounds}
        sizes.append(_size(it, bounds, node))
    dtype = "int64" if kinds == {int} else "float64" if kinds <= {int, float} else None
    if not is_tuple:
        return NumPyValue((sizes[0],), dtype)
    if name == "mgrid":
        return NumPyValue((len(sizes), *sizes), dtype)
    grids = [NumPyValue(_open(sizes, i), dtype) for i in range(len(sizes))]
    return tuple(grids)


def _python_kind(value: Value) -> type | None:
    """`int` or `float` for a number of Python's own."""
    kind = value.kinds[0] if isinstance(value, ScalarValue) and len(value.kinds) == 1 else type(value)
    return kind if kind in (int, float) else None


def _size(it: Interpreter, bounds: list[Any], node: Node) -> Dim:
    if isinstance(bounds[2], complex):
        return int(abs(bounds[2]))
    counted = it.call(it.engines.jax.numpy.arange, bounds, {}, node)
    shape = counted.shape if isinstance(counted, NumPyValue) else None
    return shape[0] if shape else None


def _open(sizes: list[Dim], axis: int) -> Shape:
    return tuple(size if i == axis else 1 for i, size in enumerate(sizes))


for _module in ("numpy", "jax.numpy"):
    for _name in ("mgrid", "ogrid"):
        handles_subscript(f"{_module}.{_name}")(_of_module(_module, _name))
