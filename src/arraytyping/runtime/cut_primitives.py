"""How the results of primitives are cut along explicit axes, each primitive by the rule of its kind.

A primitive that is not named here takes operands that are whole along such axes alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.errors import ShardingTypeError
from arraytyping.runtime.core import PRIMITIVES
from arraytyping.runtime.cut_evaluation import CutRule
from arraytyping.runtime.cut_types import cut_of, shown, shown_short
from arraytyping.semantics import cut_rules as rules
from arraytyping.semantics.avals import ShapedArray, static_shape
from arraytyping.semantics.cut_rules import Cut

__all__: list[str] = []

Avals = Sequence[ShapedArray]
Params = dict[str, Any]


def _cut(aval: ShapedArray) -> Cut:
    found = cut_of(aval)
    return (None,) * len(static_shape(aval)) if found is None else found


def _elementwise(name: str) -> CutRule:
    def rule(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
        cut = rules.elementwise(name, [static_shape(a) for a in avals], [cut_of(a) for a in avals])
        return [cut] * len(outs)

    return rule


def _as_first(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    return [_cut(avals[0])] * len(outs)


def _each(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    return list(map(_cut, avals))


def _reduced(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    axes = params["axes"] if "axes" in params else params["dimensions"]
    return [rules.without_axes(_cut(avals[0]), axes)] * len(outs)


def _broadcast(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    return [rules.broadcast(_cut(avals[0]), len(params["shape"]), params["broadcast_dimensions"])]


def _reshape(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    (x,) = avals
    return [rules.reshaped(static_shape(x), tuple(params["new_sizes"]), _cut(x), mesh.shape, shown(x))]


def _transpose(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    return [rules.permuted(_cut(avals[0]), params["permutation"])]


def _resized(name: str) -> CutRule:
    def rule(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
        x = avals[0]
        cut = rules.resized(name, static_shape(x), static_shape(outs[0]), _cut(x), mesh.shape, shown_short(x))
        return [cut] * len(outs)

    return rule


def _update_slice(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    x, update = avals[:2]
    if _cut(x) != _cut(update):
        raise ShardingTypeError(
            "dynamic_update_slice operand sharding must be equal to update sharding, got operand sharding "
            f"{shown(x)} and update sharding {shown(update)}."
        )
    return [_cut(x)]


def _concatenate(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    what = "All operands should have the same sharding. Got shardings"
    found = rules.alike(what, [cut_of(a) for a in avals], list(map(shown, avals)))
    assert found is not None
    return [found]


def _select(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    which, *cases = avals
    found = rules.chosen((static_shape(which), cut_of(which)), [cut_of(c) for c in cases], [shown(a) for a in avals])
    return [_cut(cases[0]) if found is None else found]


def _as_second(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    return [_cut(avals[1])]


def _folded(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    return [rules.without_axes(_cut(a), params["dimensions"]) for a in avals[: len(outs)]]


def _top(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    (x,) = avals
    axis = params.get("axis", -1) % len(static_shape(x))
    return [rules.along_whole_axis(_cut(x), axis, shown(x))] * len(outs)


def _random_bits(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    return [_cut(avals[0]), (None,) * len(static_shape(outs[1]))]


def _dot_general(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    left, right = map(_cut, avals)
    return [rules.contracted(left, right, params["dimension_numbers"])]


def _cumulative(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    return [rules.along_whole_axis(_cut(avals[0]), params["axis"], shown(avals[0]))]


def _sort(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    for aval in avals:
        if _cut(aval)[params["dimension"]] is not None:
            raise ShardingTypeError(
                f"Arguments to sort must be unsharded along dimension {params['dimension']}, which is sorted, got "
                f"{shown(aval)}; reshard it to be whole there"
            )
    cut = rules.elementwise("sort", [static_shape(a) for a in avals], [cut_of(a) for a in avals])
    return [cut] * len(outs)


def _bitcast(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    (x,), (out,) = avals, outs
    cut, before, after = _cut(x), len(static_shape(x)), len(static_shape(out))
    if after == before:
        return [cut]
    if after > before:
        return [(*cut, None)]
    if cut[-1] is not None:
        raise ShardingTypeError(f"bitcast_convert_type cannot bitcast when last dimension is sharded, got {shown(x)}")
    return [cut[:-1]]


def _gather(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    x, indices = avals
    numbers, sizes = params["dimension_numbers"], params["slice_sizes"]
    own, of_indices, shape = _cut(x), list(_cut(indices)), static_shape(x)
    batching = list(zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims))
    plain = (
        all(sizes[i] == shape[i] or own[i] is None for i in numbers.start_index_map)
        and all(of_indices[i] == own[o] or own[o] is None or of_indices[i] is None for o, i in batching)
        and all(s is None for i, s in enumerate(of_indices) if i not in numbers.start_indices_batching_dims)
    )
    if not plain:
        raise ShardingTypeError(
            "Use `.at[...].get(out_sharding=)` to provide output PartitionSpec for the gather indexing as out sharding "
            "could not be resolved unambiguously (or would require collectives on inputs). Got "
            f"operand={shown(x)}, indices={shown(indices)}"
        )
    for of_x, i in batching:
        of_indices[i] = of_indices[i] or own[of_x]
    gone = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    kept, rest = iter([s for i, s in enumerate(own) if i not in gone]), iter(of_indices)
    rank = len(static_shape(outs[0]))
    return [tuple(next(kept) if i in numbers.offset_dims else next(rest) for i in range(rank))]


def _scatter(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    x, indices, updates = avals
    numbers = params["dimension_numbers"]
    own, of_indices, of_updates = _cut(x), _cut(indices), _cut(updates)
    shape, update_shape = static_shape(x), static_shape(updates)
    queries = [i for i in range(len(update_shape)) if i not in numbers.update_window_dims]
    batched = list(numbers.scatter_indices_batching_dims)
    in_updates = [queries[i] for i in batched]
    batching = list(zip(numbers.operand_batching_dims, batched, in_updates))
    gone = {*numbers.inserted_window_dims, *numbers.operand_batching_dims}
    windows = list(zip(numbers.update_window_dims, [i for i in range(len(shape)) if i not in gone]))
    plain = (
        all(len({own[o], of_indices[i], of_updates[u]} - {None}) < 2 for o, i, u in batching)
        and all(
            (update_shape[u] == shape[o] and of_updates[u] == own[o]) or (of_updates[u] is None and own[o] is None)
            for u, o in windows
        )
        and all(own[i] is None for i in numbers.inserted_window_dims)
        and all(of_updates[i] is None for i in queries if i not in in_updates)
        and all(s is None for i, s in enumerate(of_indices) if i not in batched)
    )
    if not plain:
        raise ShardingTypeError(
            "Use `.at[...].set/add/mul/...(out_sharding=)` to provide output PartitionSpec for the scatter update as "
            "out sharding could not be resolved unambiguously (or would require collectives on inputs). Got "
            f"operand={shown(x)}, indices={shown(indices)}, updates={shown(updates)}"
        )
    result = list(own)
    for of_x, i, u in batching:
        result[of_x] = result[of_x] or of_indices[i] or of_updates[u]
    return [tuple(result)]


def _convolution(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
    left, right = avals
    numbers = params["dimension_numbers"]
    own = _cut(left)
    if any(s is not None for s in _cut(right)) or own[numbers.lhs_spec[1]] is not None:
        raise ShardingTypeError(
            "Please specify the output sharding via `out_sharding` parameter of `conv_general_dilated`: the kernel, or "
            f"the features of the input, are sharded. Got {shown(left)} and {shown(right)}"
        )
    cut = [None] * len(own)
    for of_input, of_result in zip(numbers.lhs_spec, numbers.out_spec):
        cut[of_result] = own[of_input]
    before = [0] * len(own)
    for of_input, of_result in zip(numbers.lhs_spec, numbers.out_spec):
        before[of_result] = static_shape(left)[of_input]
    after = static_shape(outs[0])
    return [rules.resized("conv_general_dilated", tuple(before), after, tuple(cut), mesh.shape, shown_short(left))]


def _of_matrices(name: str) -> CutRule:
    """Whole along the dimensions of the matrices, and cut alike along those of the batch."""

    def rule(avals: Avals, outs: Avals, mesh: Any, params: Params) -> list[Cut]:
        batches = []
        for i, aval in enumerate(avals):
            cut = _cut(aval)
            if any(s is not None for s in cut[-2:]):
                raise ShardingTypeError(
                    f"Input {i} to {name} must be unsharded on non-batch dimensions, but got P{cut}."
                )
            batches.append(cut[:-2])
        if any(b != batches[0] for b in batches[1:]):
            raise ShardingTypeError(f"All inputs to {name} must have the same batch sharding, but got {batches}.")
        rank = len(batches[0])
        return [(*batches[0], *(None,) * (len(static_shape(o)) - rank)) for o in outs]

    return rule


_UNARY_LIKE: Final = (
    "convert_element_type", "reduce_precision", "rev", "stop_gradient", "pvary", "sharding_constraint", "fft",
)  # fmt: skip
_MATRICES: Final = (
    "cholesky", "eig", "eigh", "lu", "qr", "svd", "schur", "hessenberg", "tridiagonal", "triangular_solve",
    "tridiagonal_solve", "householder_product", "ormqr", "symmetric_product",
)  # fmt: skip
_RULES: Final[dict[str, CutRule]] = {
    **dict.fromkeys(_UNARY_LIKE, _as_first),
    **{name: _of_matrices(name) for name in _MATRICES},
    **dict.fromkeys(("optimization_barrier", "dce_sink"), _each),
    **dict.fromkeys(
        ("reduce_sum", "reduce_prod", "reduce_max", "reduce_min", "reduce_and", "reduce_or", "reduce_xor", "argmax",
         "argmin"), _reduced,
    ),
    **dict.fromkeys(("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"), _cumulative),
    **dict.fromkeys(
        ("scatter", "scatter_add", "scatter_sub", "scatter_mul", "scatter_min", "scatter_max", "scatter_apply"),
        _scatter,
    ),
    **dict.fromkeys(
        ("reduce_window", "reduce_window_sum", "reduce_window_max", "reduce_window_min"), _resized("reduce_window")
    ),
    **{name: _elementwise(name) for name in ("threefry2x32", "threefry4x32", "philox2x32", "philox4x32")},
    "select_and_gather_add": _resized("select_and_gather_add"), "select_and_scatter_add": _as_second,
    "reduce": _folded, "top_k": _top, "rng_bit_generator": _random_bits,
    "bitcast_convert_type": _bitcast, "broadcast_in_dim": _broadcast, "clamp": _as_second, "concatenate": _concatenate,
    "dot_general": _dot_general, "dynamic_slice": _resized("dynamic_slice"), "dynamic_update_slice": _update_slice,
    "gather": _gather, "pad": _resized("padding"), "reshape": _reshape, "select_n": _select,
    "conv_general_dilated": _convolution, "slice": _resized("slicing"), "sort": _sort, "transpose": _transpose,
}  # fmt: skip


def _install() -> None:
    for name, rule in _RULES.items():
        PRIMITIVES[name].cut_rule = rule
    for name, primitive in PRIMITIVES.items():
        if primitive.is_elementwise and primitive.cut_rule is None:
            primitive.cut_rule = _elementwise(name)


_install()
