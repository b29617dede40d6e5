"""What a library's function gives where a part of its arrays is unknown: it is asked with arrays in their place.

Of the answer only the dtypes are kept, which hang on no size; the shapes too where nothing but dtypes was put in.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any, Final

from arraytyping.checker.flow.engines.concrete_objects import package_of
from arraytyping.checker.flow.engines.conversion import is_callable_value
from arraytyping.checker.flow.engines.initialized_modules import initialized, is_module
from arraytyping.checker.flow.engines.numpy_array_likes import shape_of
from arraytyping.checker.flow.engines.probe_answers import agreed, is_no_part, of_any_size, without_shapes
from arraytyping.checker.flow.engines.sample_trees import opened, sample_tree
from arraytyping.checker.flow.engines.together import Together
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import open_tree_of
from arraytyping.checker.flow.state.made_values import is_of_float32
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    DictValue,
    ListValue,
    NumPyValue,
    OpenTree,
    TreeValue,
    UnionValue,
    Value,
    mapped,
    walk,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.semantics.avals import Shape, ShapedArray

__all__ = ["probed"]

_RANKS: Final = (3, 2, 0, 4, 1)
"""What array is put in the place of one of unknown rank; one of rank 0 is most often another case."""
_SIZES: Final = (4, 1)
"""The sizes of unknown axes; what refuses the one for other arrays, with which it is broadcast, may take the other."""
_ENOUGH: Final = 3
"""Of how many shapes an answer is taken for that of all."""
_SORTS: Final = (("float32", False), ("int32", False), ("float32", True))
"""The dtypes of unknown arrays, and whether they are weakly typed."""
_PACKAGES: Final = ("jax", "flax.linen", "optax", "haiku", "equinox", "chex", "distrax", "rlax")
_STATEFUL: Final = ("flax.nnx", "flax.core")
_SOLVERS: Final = ("diffrax", "lineax", "optimistix", "quadax")
"""What solves equations: it divides by sizes, which no symbol takes, and calls functions of the program."""
_MOST: Final = 1_000
"""How often functions are asked like this in a run."""
_ASKED: Final[RunSlot[list[int]]] = RunSlot(
    "how often functions were asked with arrays in the place of unknown ones", lambda: [0]
)
_IS_PROBING: Final[RunSlot[bool]] = RunSlot("whether a function is being asked like this", bool)


def probed(engines: Together, it: Interpreter, function: Any, call: Call) -> Value:
    """What is known of the result; MISSING if that is nothing.

    Unknown dtypes are only put in where those of the program are known (`is_of_float32`), and where nothing calls what
    is followed.  Elsewhere arrays of other ranks have to give the same.
    """
    call = call.with_args(list(map(_of_open_trees, call.args)))
    if package_of(function) in _SOLVERS:
        return _solved(engines, it, function, call)
    open_arrays = [v for v in _leaves(call.values) if isinstance(v, ArrayValue) and not v.is_full]
    if not open_arrays or _IS_PROBING.of(it) or _ASKED.of(it)[0] > _MOST:
        return MISSING
    is_of_dtypes = any(a.aval.dtype is None for a in open_arrays)
    is_assumed = not it.staged and is_of_float32(it)
    if (is_of_dtypes and not is_assumed) or not _is_asked(function):
        return MISSING
    if any(is_no_part(v) or is_callable_value(v) for v in _leaves(call.values)):
        return MISSING
    in_trees = {id(v.leaf) for v in _leaves(call.values) if isinstance(v, OpenTree)}
    is_of_shapes = any(a.aval.shape is None or None in a.aval.shape for a in open_arrays if id(a) not in in_trees)
    is_of_weakness = any(a.aval.weak_type is None and a.aval.dtype != "bool" for a in open_arrays)
    sorts = _SORTS if is_of_dtypes else _SORTS[::2] if is_of_weakness else _SORTS[:1]
    found: list[Value] = []
    _IS_PROBING.put(it, True)
    try:
        for shape in _shapes(call.values, is_of_ranks=any(a.aval.shape is None for a in open_arrays)):
            answers = [_of_a_sort(engines, it, function, call, shape, sort) for sort in sorts]
            found += [answer for answer in answers if answer is not MISSING]
            # How many arrays there are may hang on ranks and sizes, the dtype of one does not.
            is_one = all(isinstance(answer, ArrayValue | NumPyValue) for answer in found)
            if is_one and len(found) >= (1 if is_assumed else _ENOUGH * len(sorts)):
                break
    finally:
        _IS_PROBING.put(it, False)
    if not found:
        return MISSING
    if is_of_shapes or len(found) < _ENOUGH * bool(in_trees):
        found = list(map(without_shapes, found))
    return functools.reduce(agreed, found)


def _solved(engines: Together, it: Interpreter, function: Value, call: Call) -> Value:
    """The dtypes, and ranks where those of the arguments are known, of what a solver gives; the same for two sizes.

    The functions of the program are seen here with invented sizes, of which nothing is kept, and then with anything.
    """
    call = Call([*map(_unnamed, call.args)], {k: _unnamed(v) for k, v in call.kwargs.items()}, call.node)
    leaves = list(_leaves(call.values))
    open_arrays = [v for v in leaves if isinstance(v, ArrayValue) and not v.is_full]
    is_known = all(v.aval.dtype is not None and v.aval.weak_type is not None for v in open_arrays)
    if not open_arrays or not is_known or _IS_PROBING.of(it) or any(map(is_no_part, leaves)):
        return MISSING
    is_of_ranks = any(a.aval.shape is None for a in open_arrays)
    inventing, it.inventing = it.inventing, True
    _IS_PROBING.put(it, True)
    try:
        tried = ((2, 2, 2), (3,)) if is_of_ranks else ((2,), (3,))
        found = [_of_a_sort(engines, it, function, call, shape, _SORTS[0]) for shape in tried]
    finally:
        it.inventing = inventing
        _IS_PROBING.put(it, False)
    if MISSING in found:
        return MISSING
    engines.havoc(it, [v for v in leaves if is_callable_value(v)])
    first, second = found
    return of_any_size(engines.jax.tree_util, first, second, is_of_ranks)


def _unnamed(value: Value) -> Value:
    """A value with unknown sizes in the place of those that have names only."""
    if isinstance(value, ArrayValue):
        aval = value.aval
        if aval.shape is None or _is_fixed(aval.shape):
            return value
        sizes = tuple(d if isinstance(d, int) else None for d in aval.shape)
        return ArrayValue(ShapedArray(sizes, aval.dtype, aval.weak_type), value.traced)
    return mapped(value, _unnamed) if isinstance(value, tuple | ListValue | DictValue | TreeValue) else value


def _of_open_trees(value: Value) -> Value:
    """An argument with a tree of unknown structure in the place of each container of unknown length."""
    if isinstance(value, DictValue | ListValue) and value.items is None:
        tree = open_tree_of(value)
        return tree if isinstance(tree, OpenTree) else value
    return mapped(value, _of_open_trees) if isinstance(value, tuple | ListValue | DictValue) else value


def _shapes(values: list[Value], is_of_ranks: bool) -> list[tuple[int, ...]]:
    """The shapes that stand for unknown ones: of some ranks, of other arguments, and of one element."""
    made = [(size,) * rank for size in _SIZES for rank in (_RANKS if is_of_ranks else _RANKS[:1])]
    given = (shape_of(v) for v in _leaves(values) if isinstance(v, ArrayValue | NumPyValue)) if is_of_ranks else ()
    alike = [tuple(d for d in shape if isinstance(d, int)) for shape in given if shape and _is_fixed(shape)]
    return list(dict.fromkeys([*made[: len(_RANKS)], *alike, *made[len(_RANKS) :]]))


def _is_fixed(shape: Shape) -> bool:
    return all(isinstance(d, int) for d in shape)


def _leaves(values: Iterable[Value]) -> Iterator[Value]:
    for value in values:
        yield from walk(value)


def _is_asked(function: Any) -> bool:
    module = getattr(function, "__module__", None) or type(function).__module__
    module = module.replace("jax._src", "jax")
    owner = getattr(function, "__self__", None)
    if owner is not None and not isinstance(owner, type):
        module = type(owner).__module__
    return module.startswith(_PACKAGES) and not module.startswith(_STATEFUL)


def _of_a_sort(
    engines: Together, it: Interpreter, function: Value, call: Call, shape: tuple[int, ...], sort: tuple[str, bool]
) -> Value:
    """What the function gives for arrays of a shape and a dtype; MISSING if it refuses them, or nothing is known."""
    dtype, weak = sort
    made: dict[int, ArrayValue] = {}

    def change(value: Value) -> Value:
        if isinstance(value, OpenTree) and (leaf := value.leaf) is not None:
            # Of one leaf or of two, by the rank.
            more = ArrayValue(ShapedArray((2, *shape), leaf.aval.dtype, leaf.aval.weak_type), leaf.traced)
            first: Any = change(leaf)
            return sample_tree(engines.jax, [first, more][: 1 + len(shape) % 2])
        if isinstance(value, ArrayValue) and not value.is_full:
            aval = value.aval
            if id(value) not in made:
                sizes = shape if aval.shape is None else [(*shape, 1)[0] if d is None else d for d in aval.shape]
                shaped = ShapedArray(tuple(sizes), aval.dtype or dtype, _is_weak(aval, weak))
                made[id(value)] = ArrayValue(shaped, value.traced)
            return made[id(value)]
        return mapped(value, change) if isinstance(value, tuple | ListValue | DictValue | TreeValue) else value

    _ASKED.of(it)[0] += 1
    mark, suppressed = it.journal.mark, it.suppressed
    with it.quietly():
        given, named = [change(a) for a in call.args], {k: change(v) for k, v in call.kwargs.items()}
        if is_module(function):
            result = initialized(engines, it, function, "__call__", Call(given, named, call.node))
        else:
            result = engines.call(it, function, Call(given, named, call.node))
    it.journal.undo(mark)
    result = opened(result, all(v.is_of_dicts for v in _leaves(call.values) if isinstance(v, OpenTree)))
    is_refused = it.suppressed > suppressed or any(is_no_part(v) or isinstance(v, UnionValue) for v in walk(result))
    return MISSING if is_refused else result


def _is_weak(aval: ShapedArray, weak: bool) -> bool:
    """Whether an array that stands for others is weakly typed; no bools, keys and ints of other widths are."""
    if aval.weak_type is not None or aval.dtype not in (None, "float32", "int32"):
        return aval.weak_type or False
    return weak
