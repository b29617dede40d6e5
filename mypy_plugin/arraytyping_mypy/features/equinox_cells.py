"""The layers of equinox besides the linear ones: cells of recurrent networks, normalizations, embeddings, dropout.

Of a layer the arrays are kept that its result hangs on; of one that has none, a mark.

Source: equinox/nn/_rnn.py, _normalisation.py, _embedding.py and _dropout.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from mypy.types import NoneType, TupleType, Type, get_proper_type

from arraytyping.semantics.avals import Scalar, ShapedArray
from arraytyping_mypy.convert import array_type, value_of
from arraytyping_mypy.features.equinox_calls import Call, Layer, Made, is_none, text_of, value_in

__all__ = ["CELLS"]


def _cell(gates: int) -> Callable[[Made], list[Type] | None]:
    def make(made: Made) -> list[Type] | None:
        entering, hidden, has_bias = made.size("input_size"), made.size("hidden_size"), made.flag("use_bias", True)
        if made.dtype is None or entering is None or hidden is None or has_bias is None:
            return None
        shapes = [(gates * hidden, entering), (gates * hidden, hidden)]
        shapes_of_biases = [(gates * hidden,), (hidden,)] if gates == 3 else [(gates * hidden,)]
        biases = [made.array(*s) if has_bias else NoneType() for s in shapes_of_biases]
        return [*(made.array(*s) for s in shapes), *biases]

    return make


def _norm(made: Made) -> list[Type] | None:
    shape = made.get("shape")
    shape = (shape,) if type(shape) is int else tuple(shape) if isinstance(shape, tuple | list) else None
    if shape is None or not all(type(n) is int for n in shape) or "elementwise_affine" in made.types:
        return None
    uses = [made.flag(name, True) for name in ("use_weight", "use_bias")]
    if made.dtype is None or None in uses:
        return None
    return [*(made.array(*shape) if u else NoneType() for u in uses), text_of(shape, made.session)]


def _group_norm(made: Made) -> list[Type] | None:
    channels, is_affine = made.size("channels"), made.flag("channelwise_affine", True)
    if made.dtype is None or made.size("groups") is None or channels is None or is_affine is not True:
        return None
    return [made.array(channels)] * 2


def _embedding(made: Made) -> list[Type] | None:
    count, size = made.size("num_embeddings"), made.size("embedding_size")
    if made.dtype is None or made.get("weight") is not None or count is None or size is None:
        return None
    return [made.array(count, size)]


def _dropout(made: Made) -> list[Type] | None:
    is_known = type(made.get("p", 0.5)) in (int, float) and made.flag("inference", False) is not None
    return [text_of("dropout", made.session)] if is_known else None


def _gate(gates: int, array: ShapedArray | None) -> ShapedArray | None:
    """One of the equal parts that an array is split into."""
    size = array.shape[0] if array is not None and array.shape is not None and len(array.shape) == 1 else None
    if array is None or not isinstance(size, int) or size % gates:
        return None
    return ShapedArray((size // gates,), array.dtype, False)


def _gru(items: Sequence[Type], given: Sequence[Type], call: Call) -> Type | None:
    if len(items) != 4 or len(given) != 2:
        return None
    x, hidden, to_in, to_hidden = (call.floats(t) for t in (*given, *items[:2]))
    a, b = call.of("Array.__matmul__", to_in, x), call.of("Array.__matmul__", to_hidden, hidden)
    has_bias = not is_none(items[2])
    a = _gate(3, call.of("Array.__add__", a, call.floats(items[2])) if has_bias else a)
    b = _gate(3, b)
    reset = call.of("Array.__add__", a, b)
    inner = call.of("Array.__add__", b, call.floats(items[3])) if has_bias else b
    new = call.of("Array.__add__", a, call.of("Array.__mul__", reset, inner))
    change = call.of("Array.__mul__", reset, call.of("Array.__sub__", hidden, new))
    made = call.of("Array.__add__", new, change)
    return call.type_of(made)


def _lstm(items: Sequence[Type], given: Sequence[Type], call: Call) -> Type | None:
    state = get_proper_type(given[1]) if len(given) == 2 else None
    if len(items) != 3 or not isinstance(state, TupleType) or len(state.items) != 2:
        return None
    x, h, c, to_in, to_hidden = (call.floats(t) for t in (given[0], *state.items, *items[:2]))
    both = call.of("Array.__add__", call.of("Array.__matmul__", to_in, x), call.of("Array.__matmul__", to_hidden, h))
    if not is_none(items[2]):
        both = call.of("Array.__add__", both, call.floats(items[2]))
    gate = _gate(4, both)
    cell = call.of("Array.__add__", call.of("Array.__mul__", gate, c), gate)
    hidden = call.of("Array.__mul__", gate, cell)
    if cell is None or hidden is None:
        return None
    made: list[Type] = [array_type([one], call.session) for one in (hidden, cell)]
    named = call.session.api.named_generic_type
    return TupleType(made, named("builtins.tuple", [named("builtins.object", [])]))


def _same(items: Sequence[Type], given: Sequence[Type], call: Call) -> Type | None:
    """What keeps shape and dtype of an array of floats."""
    x = call.floats(given[0]) if len(given) == 1 else None
    return None if x is None else call.type_of(ShapedArray(x.shape, x.dtype, False))


def _normalized(items: Sequence[Type], given: Sequence[Type], call: Call) -> Type | None:
    shape = value_in(items[2]) if len(items) == 3 else None
    x = call.array(given[0]) if len(given) == 1 else None
    if shape is None or x is None:
        return None
    if x.shape is not None and (len(x.shape) != len(shape) or _differ(x.shape, shape)):
        call.refuse(f"the layer is made for the shape {shape}, and is given {x}")
        return None
    is_number = x.dtype is not None and x.dtype.startswith(("int", "uint", "float", "bfloat"))
    return call.type_of(ShapedArray(x.shape, x.dtype, False)) if is_number else None  # computed in floats, and cast


def _differ(sizes: Sequence[object], others: Sequence[int]) -> bool:
    return any(type(n) is int and n != m for n, m in zip(sizes, others))


def _embed(items: Sequence[Type], given: Sequence[Type], call: Call) -> Type | None:
    """A row of the weights: a number of one dimension or more is refused."""
    weight = call.floats(items[0]) if len(items) == 1 and len(given) == 1 else None
    index = value_of(given[0], call.session) if given else None
    is_bool = isinstance(index, bool) or (isinstance(index, Scalar) and index.kind != "int")
    is_number = isinstance(index, int | Scalar) and not is_bool
    is_array = isinstance(index, ShapedArray) and index.dtype is not None and index.dtype.startswith(("int", "uint"))
    if isinstance(index, ShapedArray) and index.shape:
        call.refuse(f"Embedding: the index has to be a scalar, and is {index}")
        return None
    if weight is None or weight.shape is None or not (is_number or is_array):
        return None
    return call.type_of(ShapedArray(weight.shape[1:], weight.dtype, False))


def _rotary(made: Made) -> list[Type] | None:
    size = made.size("embedding_size")
    return None if size is None else [text_of(size, made.session)]


def _rotate(items: Sequence[Type], given: Sequence[Type], call: Call) -> Type | None:
    """An array of two dimensions, cast to the dtype that it has."""
    size = value_in(items[0]) if len(items) == len(given) == 1 else None
    x = call.array(given[0]) if given else None
    if size is None or x is None:
        return None
    shape = (None, size) if x.shape is None else x.shape
    if len(shape) != 2 or _differ(shape[1:], (size,)):
        call.refuse(f"RotaryPositionalEmbedding: embedding_size is {size}, and x is {x}")
        return None
    return call.type_of(ShapedArray((shape[0], size), x.dtype, False))


_NORMS: Final = ("equinox.nn._normalisation.LayerNorm", "equinox.nn._normalisation.RMSNorm")
_GROUPS: Final = "equinox.nn._normalisation.GroupNorm"
CELLS: Final = {
    "equinox.nn._rnn.GRUCell": Layer(_cell(3), _gru, ("weight_ih", "weight_hh", "bias", "bias_n")),
    "equinox.nn._rnn.LSTMCell": Layer(_cell(4), _lstm, ("weight_ih", "weight_hh", "bias")),
    "equinox.nn._embedding.Embedding": Layer(_embedding, _embed, ("weight",)),
    "equinox.nn._embedding.RotaryPositionalEmbedding": Layer(_rotary, _rotate),
    "equinox.nn._dropout.Dropout": Layer(_dropout, _same),
    _GROUPS: Layer(_group_norm, _same, ("weight", "bias")),
    **{name: Layer(_norm, _normalized, ("weight", "bias")) for name in _NORMS},
}
"""The layers, by their full names."""
