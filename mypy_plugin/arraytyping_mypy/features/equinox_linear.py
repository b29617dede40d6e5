"""The layers of equinox that are linear, or made of such: `Linear`, `MLP`, `MultiheadAttention`.

Of each its weights and biases are kept, and what is known of functions that it applies.

Source: equinox/nn/_linear.py, _mlp.py and _attention.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from mypy.types import AnyType, CallableType, Instance, NoneType, TupleType, Type, TypeOfAny, get_proper_type

from arraytyping.semantics.avals import ShapedArray
from arraytyping_mypy.features.equinox_calls import Call, Layer, Made, is_none, text_of, value_in
from arraytyping_mypy.fixed_lists import LONGEST
from arraytyping_mypy.followable import definition_of
from arraytyping_mypy.frameworks import function_rule
from arraytyping_mypy.own_names import jax_name
from arraytyping_mypy.provenance import PARTIAL

__all__ = ["LINEAR"]

_LINEAR: Final = "equinox.nn._linear.Linear"
_SCALAR: Final = "scalar"
_RELU: Final = "jax._src.nn.functions.relu"


def _size_or_scalar(value: Any) -> int | str | None:
    """A number of features, `"scalar"`, or None for what is not known; the empty text for what is neither."""
    if value is None or isinstance(value, str):
        return value if value == _SCALAR else ""
    return value if type(value) is int else None


def _weights(entering: int | str | None, leaving: int | str | None, has_bias: bool, made: Made) -> list[Type]:
    n, m = (1 if isinstance(size, str) else size for size in (entering, leaving))
    items = [made.array(m, n), made.array(m) if has_bias else NoneType()]
    is_scalar = isinstance(entering, str), isinstance(leaving, str)
    return [*items, text_of(is_scalar, made.session)] if any(is_scalar) else items


def _linears(shapes: Sequence[tuple[int | str | None, int | str | None, bool]], made: Made) -> list[Type] | None:
    """Linear layers of these sizes, with a bias or without."""
    found = [made.layer(_LINEAR, _weights(*shape, made)) for shape in shapes]
    return [layer for layer in found if layer is not None] if None not in found else None


def _linear(made: Made) -> list[Type] | None:
    entering, leaving = (_size_or_scalar(made.get(name)) for name in ("in_features", "out_features"))
    has_bias = made.flag("use_bias", True)
    if made.dtype is None or entering == "" or leaving == "" or has_bias is None:
        return None
    return _weights(entering, leaving, has_bias, made)


def _multiplied(items: Sequence[Type], x: ShapedArray | None, call: Call) -> ShapedArray | None:
    """`Linear.__call__`."""
    if not 2 <= len(items) <= 3 or x is None:
        return None
    is_scalar = value_in(items[2]) if len(items) == 3 else (False, False)
    if is_scalar[0]:
        if x.shape is not None and x.shape != ():
            call.refuse(f"Linear: in_features is 'scalar', and x is {x}")
        if x.shape != ():
            return None
        x = call.of("numpy.broadcast_to", x, (1,))
    x = call.of("Array.__matmul__", call.array(items[0]), x)
    if not is_none(items[1]):
        x = call.of("Array.__add__", x, call.array(items[1]))
    if not is_scalar[1] or x is None:
        return x
    return ShapedArray((), x.dtype, x.weak_type) if x.shape == (1,) else None


def _call_linear(items: Sequence[Type], given: Sequence[Type], call: Call) -> Type | None:
    return call.type_of(_multiplied(items, call.array(given[0]), call)) if len(given) == 1 else None


def _function(name: str, made: Made, default: str) -> Type | None:
    """A function that a layer applies: the name of one of JAX, or its type; None if it is no function."""
    if name not in made.types:
        return text_of(default, made.session)
    p = get_proper_type(made.types[name])
    definition = p.definition if isinstance(p, CallableType) else None
    full_name = "" if definition is None else jax_name(definition.fullname)
    if function_rule(full_name) is not None:
        return text_of(full_name, made.session)
    if isinstance(p, CallableType) and not p.is_type_obj() and definition_of(p) is not None:
        return p
    return p if isinstance(p, Instance) and p.type.fullname in PARTIAL else None


def _each(function: Type, x: ShapedArray | None, call: Call) -> ShapedArray | None:
    """What `vmap` of a function makes of an array of one dimension."""
    if x is None or x.shape is None or len(x.shape) != 1:
        return None
    made = _applied(function, ShapedArray((), x.dtype, x.weak_type), call)
    return None if made is None or made.shape != () else ShapedArray(x.shape, made.dtype, made.weak_type)


def _applied(function: Type, x: ShapedArray | None, call: Call) -> ShapedArray | None:
    name = value_in(function)
    if x is None or name == "":
        return x
    if isinstance(name, str):
        rule = function_rule(name)
        return None if rule is None else call.of(rule, x)
    given = call.type_of(x)
    made = None if given is None else call.apply(function, [given], {}, call.session)
    return None if made is None else call.array(made)


def _mlp(made: Made) -> list[Type] | None:
    entering, leaving = (_size_or_scalar(made.get(name)) for name in ("in_size", "out_size"))
    biases = made.flag("use_bias", True), made.flag("use_final_bias", True)
    depth = made.size("depth")
    if made.dtype is None or entering == "" or leaving == "" or depth is None or not 0 <= depth < LONGEST:
        return None
    if biases[0] is None or biases[1] is None or made.flag("scan", False) is not False:
        return None
    inner, final = _function("activation", made, _RELU), _function("final_activation", made, "")
    if inner is None or final is None:
        return None
    width = made.size("width_size")
    sizes = [entering, *[width] * depth, leaving]
    has_bias = [*[biases[0]] * depth, biases[1]]
    items = _linears([(n, m, b) for n, m, b in zip(sizes, sizes[1:], has_bias)], made)
    if items is None:
        return None
    plain = made.session.api.named_generic_type("builtins.tuple", [AnyType(TypeOfAny.special_form)])
    return [TupleType(items, plain), inner, final, text_of(leaving == _SCALAR, made.session)]


def _call_mlp(items: Sequence[Type], given: Sequence[Type], call: Call) -> Type | None:
    layers = get_proper_type(items[0]) if len(items) == 4 and len(given) == 1 else None
    if not isinstance(layers, TupleType):
        return None
    x = call.array(given[0])
    for i, layer in enumerate(map(get_proper_type, layers.items)):
        if not isinstance(layer, TupleType):
            return None
        x = _each(items[1], x, call) if i else x
        x = _multiplied(layer.items, x, call)
    if len(layers.items) > 1:  # a single layer has no activation
        x = _applied(items[2], x, call) if value_in(items[3]) else _each(items[2], x, call)
    return call.type_of(x)


_PROJECTIONS: Final = ("query", "key", "value", "output")


def _attention(made: Made) -> list[Type] | None:
    heads, of_query = made.size("num_heads"), made.size("query_size")
    if made.dtype is None or heads is None or of_query is None or heads < 1:
        return None
    defaults = {
        "key": of_query,
        "value": of_query,
        "output": of_query,
        "qk": of_query // heads,
        "vo": of_query // heads,
    }
    sizes = {
        name: default if made.get(f"{name}_size") is None else made.size(f"{name}_size")
        for name, default in defaults.items()
    }
    biases = [made.flag(f"use_{name}_bias", False) for name in _PROJECTIONS]
    known = [n for n in sizes.values() if n is not None]
    if len(known) < len(sizes) or type(made.get("dropout_p", 0.0)) not in (int, float):
        return None
    inner = [heads * sizes[name] for name in ("qk", "qk", "vo")]  # type: ignore[operator]
    shapes = [*zip((of_query, sizes["key"], sizes["value"]), inner), (inner[2], sizes["output"])]
    if any(b is None for b in biases):
        return None
    return _linears([(n, m, bool(b)) for (n, m), b in zip(shapes, biases)], made)


def _attend(items: Sequence[Type], given: Sequence[Type], call: Call) -> Type | None:
    if len(items) != 4 or not 3 <= len(given) <= 4 or "process_heads" in call.named:
        return None
    x = [call.floats(t) for t in given[:3]]
    arrays = [a for a in x if a is not None and a.shape is not None and len(a.shape) == 2]
    if len(arrays) < 3:
        return None
    lengths = [a.shape[0] for a in arrays if a.shape is not None]
    if type(lengths[1]) is int and type(lengths[2]) is int and lengths[1] != lengths[2]:
        call.refuse(f"MultiheadAttention: key and value have different lengths: {arrays[1]} and {arrays[2]}")
        return None
    rows = [_row(layer, a, call) for layer, a in zip(items, arrays)]
    query, key, value = rows
    if query is None or key is None or value is None:
        return None
    logits = call.of("Array.__mul__", ShapedArray((), query.dtype, False), ShapedArray((), key.dtype, False))
    attended = call.of("Array.__mul__", logits, ShapedArray((), value.dtype, False))
    if attended is None:
        return None
    made = _row(items[3], ShapedArray((None, *(value.shape or ())), attended.dtype, False), call)
    return None if made is None else call.type_of(ShapedArray((lengths[0], *(made.shape or ())), made.dtype, False))


def _row(layer: Type, x: ShapedArray, call: Call) -> ShapedArray | None:
    """What `vmap` of a layer gives for one row: floats of one dimension."""
    p = get_proper_type(layer)
    if not isinstance(p, TupleType) or x.shape is None:
        return None
    made = _multiplied(p.items, ShapedArray(x.shape[1:], x.dtype, x.weak_type), call)
    return made if made is not None and made.shape is not None and len(made.shape) == 1 else None


LINEAR: Final = {
    _LINEAR: Layer(_linear, _call_linear, ("weight", "bias")),
    "equinox.nn._mlp.MLP": Layer(_mlp, _call_mlp, ("layers",), (1, 3)),
    "equinox.nn._attention.MultiheadAttention": Layer(
        _attention, _attend, tuple(f"{name}_proj" for name in _PROJECTIONS)
    ),
}
"""The layers, by their full names."""
