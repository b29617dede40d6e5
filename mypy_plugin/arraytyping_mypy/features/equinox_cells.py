"""The layers of equinox besides the linear ones: cells of recurrent networks, normalizations, embeddings, dropout.

Of a layer the arrays are kept that its result hangs on; of one that has none, a mark.

Source: equinox/nn/_rnn.py, _normalisation.py, _embedding.py and _dropout.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from mypy.types import LiteralType, NoneType, TupleType, Type, get_proper_type

from arraytyping.semantics.avals import Scalar, ShapedArray
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT
from arraytyping_mypy.calls import answer
from arraytyping_mypy.convert import array_type, value_of
from arraytyping_mypy.session import Session

__all__ = ["CELLS_CALLED", "CELLS_MADE"]

_Make = Callable[[Mapping[str, Any], str, Session], list[Type] | None]
_Call = Callable[[Sequence[Type], Sequence[Type], Session], Type | None]


def _array(shape: tuple[int | None, ...], dtype: str, session: Session) -> Type:
    return array_type([ShapedArray(shape, dtype, False)], session)


def _size(given: Mapping[str, Any], name: str) -> int | None:
    value = given.get(name)
    return value if type(value) is int else None


def _cell(gates: int) -> _Make:
    def make(given: Mapping[str, Any], dtype: str, session: Session) -> list[Type] | None:
        entering, hidden, has_bias = (
            _size(given, "input_size"),
            _size(given, "hidden_size"),
            given.get("use_bias", True),
        )
        if entering is None or hidden is None or type(has_bias) is not bool:
            return None
        shapes = [(gates * hidden, entering), (gates * hidden, hidden)]
        shapes_of_biases = [(gates * hidden,), (hidden,)] if gates == 3 else [(gates * hidden,)]
        biases = [_array(s, dtype, session) if has_bias else NoneType() for s in shapes_of_biases]
        return [*(_array(s, dtype, session) for s in shapes), *biases]

    return make


def _norm(given: Mapping[str, Any], dtype: str, session: Session) -> list[Type] | None:
    shape = given.get("shape")
    shape = (shape,) if type(shape) is int else tuple(shape) if isinstance(shape, tuple | list) else None
    if shape is None or not all(type(n) is int for n in shape) or "elementwise_affine" in given:
        return None
    uses = [given.get(name, True) for name in ("use_weight", "use_bias")]
    if not all(type(u) is bool for u in uses):
        return None
    return [_array(shape, dtype, session) if u else NoneType() for u in uses]


def _group_norm(given: Mapping[str, Any], dtype: str, session: Session) -> list[Type] | None:
    channels = _size(given, "channels")
    if _size(given, "groups") is None or channels is None or given.get("channelwise_affine", True) is not True:
        return None
    return [_array((channels,), dtype, session)] * 2


def _embedding(given: Mapping[str, Any], dtype: str, session: Session) -> list[Type] | None:
    if given.get("weight") is not None:
        return None
    count, size = _size(given, "num_embeddings"), _size(given, "embedding_size")
    return None if count is None or size is None else [_array((count, size), dtype, session)]


def _dropout(given: Mapping[str, Any], dtype: str, session: Session) -> list[Type] | None:
    if type(given.get("p", 0.5)) not in (int, float) or type(given.get("inference", False)) is not bool:
        return None
    return [LiteralType("exactly dropout", session.api.named_generic_type("builtins.str", []))]


def _floats(t: Type, session: Session) -> ShapedArray | None:
    """An array of floats of a known dtype that is not weak."""
    value = value_of(t, session)
    return value if isinstance(value, ShapedArray) and _is_float(value) else None


def _is_float(array: ShapedArray) -> bool:
    return array.dtype in ANY_FLOAT and array.weak_type is False


def _of(rule: str, first: ShapedArray | None, second: ShapedArray | None, session: Session) -> ShapedArray | None:
    """What an operator gives; None if it refuses, or one operand is not known."""
    if first is None or second is None:
        return None
    made = answer(rule, [first, second], {}, session)
    value = None if made is None or made.error is not None else made.value
    return value if isinstance(value, ShapedArray) and _is_float(value) else None


def _gate(gates: int, array: ShapedArray | None) -> ShapedArray | None:
    """One of the equal parts that an array is split into."""
    size = array.shape[0] if array is not None and array.shape is not None and len(array.shape) == 1 else None
    if array is None or not isinstance(size, int) or size % gates:
        return None
    return ShapedArray((size // gates,), array.dtype, False)


def _gru(items: Sequence[Type], given: Sequence[Type], session: Session) -> Type | None:
    if len(items) != 4 or len(given) != 2:
        return None
    x, hidden, to_in, to_hidden = (_floats(t, session) for t in (*given, *items[:2]))
    a, b = _of("Array.__matmul__", to_in, x, session), _of("Array.__matmul__", to_hidden, hidden, session)
    has_bias = not isinstance(get_proper_type(items[2]), NoneType)
    a = _gate(3, _of("Array.__add__", a, _floats(items[2], session), session) if has_bias else a)
    b = _gate(3, b)
    reset = _of("Array.__add__", a, b, session)
    inner = _of("Array.__add__", b, _floats(items[3], session), session) if has_bias else b
    new = _of("Array.__add__", a, _of("Array.__mul__", reset, inner, session), session)
    change = _of("Array.__mul__", reset, _of("Array.__sub__", hidden, new, session), session)
    made = _of("Array.__add__", new, change, session)
    return None if made is None else array_type([made], session)


def _lstm(items: Sequence[Type], given: Sequence[Type], session: Session) -> Type | None:
    state = get_proper_type(given[1]) if len(given) == 2 else None
    if len(items) != 3 or not isinstance(state, TupleType) or len(state.items) != 2:
        return None
    x, h, c, to_in, to_hidden = (_floats(t, session) for t in (given[0], *state.items, *items[:2]))
    both = _of(
        "Array.__add__",
        _of("Array.__matmul__", to_in, x, session),
        _of("Array.__matmul__", to_hidden, h, session),
        session,
    )
    if not isinstance(get_proper_type(items[2]), NoneType):
        both = _of("Array.__add__", both, _floats(items[2], session), session)
    gate = _gate(4, both)
    cell = _of("Array.__add__", _of("Array.__mul__", gate, c, session), gate, session)
    hidden = _of("Array.__mul__", gate, cell, session)
    if cell is None or hidden is None:
        return None
    made: list[Type] = [array_type([one], session) for one in (hidden, cell)]
    item = session.api.named_generic_type("builtins.object", [])
    return TupleType(made, session.api.named_generic_type("builtins.tuple", [item]))


def _same(items: Sequence[Type], given: Sequence[Type], session: Session) -> Type | None:
    """What keeps shape and dtype of an array of floats."""
    x = _floats(given[0], session) if len(given) == 1 else None
    return None if x is None else array_type([ShapedArray(x.shape, x.dtype, False)], session)


def _embed(items: Sequence[Type], given: Sequence[Type], session: Session) -> Type | None:
    """A row of the weights: a number of one dimension or more is refused."""
    weight = _floats(items[0], session) if len(items) == 1 and len(given) == 1 else None
    index = value_of(given[0], session) if given else None
    is_bool = isinstance(index, bool) or (isinstance(index, Scalar) and index.kind != "int")
    is_number = isinstance(index, int | Scalar) and not is_bool
    is_array = isinstance(index, ShapedArray) and index.dtype is not None and index.dtype.startswith(("int", "uint"))
    if weight is None or weight.shape is None or not (is_number or is_array):
        return None
    return array_type([ShapedArray(weight.shape[1:], weight.dtype, False)], session)


_NORMS: Final = ("equinox.nn._normalisation.LayerNorm", "equinox.nn._normalisation.RMSNorm")
_GROUPS: Final = "equinox.nn._normalisation.GroupNorm"
CELLS_MADE: Final[dict[str, _Make]] = {
    "equinox.nn._rnn.GRUCell": _cell(3),
    "equinox.nn._rnn.LSTMCell": _cell(4),
    "equinox.nn._embedding.Embedding": _embedding,
    "equinox.nn._dropout.Dropout": _dropout,
    _GROUPS: _group_norm,
    **dict.fromkeys(_NORMS, _norm),
}
"""What is kept of a layer that is made with these arguments, for parameters of a dtype."""
CELLS_CALLED: Final[dict[str, _Call]] = {
    "equinox.nn._rnn.GRUCell": _gru,
    "equinox.nn._rnn.LSTMCell": _lstm,
    "equinox.nn._embedding.Embedding": _embed,
    **dict.fromkeys((*_NORMS, _GROUPS, "equinox.nn._dropout.Dropout"), _same),
}
"""What a layer gives of which this is kept, for positional arguments."""
