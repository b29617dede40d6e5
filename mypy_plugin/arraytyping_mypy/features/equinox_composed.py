"""The layers of equinox that call others, `Sequential`, `Lambda` and `WeightNorm`, and those that go between.

Of what calls others these are kept.

Source: equinox/nn/_sequential.py, _linear.py, _activations.py and _weight_norm.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mypy.types import AnyType, NoneType, TupleType, Type, TypeOfAny, get_proper_type

from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT
from arraytyping_mypy.calls import answer, result_type
from arraytyping_mypy.convert import array_type, value_of
from arraytyping_mypy.features.equinox_calls import Call, Layer, Made, text_of, value_in
from arraytyping_mypy.features.equinox_cells import CELLS
from arraytyping_mypy.features.equinox_linear import LINEAR
from arraytyping_mypy.features.equinox_windows import WINDOWS
from arraytyping_mypy.features.instance_types import instance_info
from arraytyping_mypy.fixed_lists import items_of

__all__ = ["COMPOSED", "SEQUENTIAL"]

SEQUENTIAL: Final = "equinox.nn._sequential.Sequential"
_STATEFUL: Final = "equinox.nn._sequential.StatefulLayer"


def _sequential(made: Made) -> list[Type] | None:
    layers = items_of(made.types["layers"]) if "layers" in made.types else None
    return layers or None


def _call_all(items: Sequence[Type], given: Sequence[Type], call: Call) -> Type | None:
    if len(given) != 1:
        return None
    key: Type = AnyType(TypeOfAny.special_form) if "key" in call.named else NoneType()
    x: Type | None = given[0]
    for layer in items:
        info = instance_info(layer)
        is_stateful = info is not None and info.has_base(_STATEFUL) and info.fullname != SEQUENTIAL
        if x is None or is_stateful:
            return None
        x = call.apply(layer, [x], {"key": key}, call.session)
    return x


def _lambda(made: Made) -> list[Type] | None:
    function = made.types.get("fn")
    return None if function is None or isinstance(get_proper_type(function), AnyType) else [function]


def _call_function(items: Sequence[Type], given: Sequence[Type], call: Call) -> Type | None:
    return call.apply(items[0], given, {}, call.session) if len(items) == len(given) == 1 else None


def _identity(made: Made) -> list[Type] | None:
    return [text_of("identity", made.session)]


def _call_identity(items: Sequence[Type], given: Sequence[Type], call: Call) -> Type | None:
    return given[0] if len(given) == 1 else None


def _prelu(made: Made) -> list[Type] | None:
    found = answer("numpy.asarray", [made.get("init_alpha", 0.25)], {}, made.session)
    any_one = AnyType(TypeOfAny.special_form)
    kept = any_one if found is None or found.error is not None else result_type(found, any_one, made.session)
    return None if isinstance(get_proper_type(kept), AnyType) else [kept]


def _leak(items: Sequence[Type], given: Sequence[Type], call: Call) -> Type | None:
    """`where(x >= 0, x, slope * x)`."""
    x = call.floats(given[0]) if len(given) == len(items) == 1 else None
    scaled = call.of("Array.__mul__", call.array(items[0]), x) if len(items) == 1 else None
    if x is None or scaled is None:
        return None
    return call.type_of(call.of("numpy.where", ShapedArray(x.shape, "bool", False), x, scaled))


_WITH_PARAMETERS: Final = {**LINEAR, **CELLS, **WINDOWS}


def _parameter(layer: Type, name: object) -> tuple[TupleType, int] | None:
    """A layer that is known, and at which place its parameter of this name is kept."""
    p = get_proper_type(layer)
    known = _WITH_PARAMETERS.get(p.partial_fallback.type.fullname) if isinstance(p, TupleType) else None
    if not isinstance(p, TupleType) or known is None or name not in known.fields:
        return None
    return p, known.fields.index(name)


def _weight_norm(made: Made) -> list[Type] | None:
    """The layer, and how large its parameter is along one axis, or as a whole."""
    name, axis = made.get("weight_name", "weight"), made.get("axis", 0)
    found = _parameter(made.types["layer"], name) if "layer" in made.types else None
    value = None if found is None else value_of(found[0].items[found[1]], made.session)
    shape = value.shape if isinstance(value, ShapedArray) and value.dtype in ANY_FLOAT else None
    if found is None or shape is None or not isinstance(value, ShapedArray):
        return None
    if axis is not None and not (type(axis) is int and -len(shape) <= axis < len(shape)):
        return None
    kept = [size if axis is not None and n == axis % len(shape) else 1 for n, size in enumerate(shape)]
    size_of = array_type([ShapedArray(tuple(kept), value.dtype, False)], made.session)
    return [found[0], size_of, text_of(name, made.session)]


def _call_normalized(items: Sequence[Type], given: Sequence[Type], call: Call) -> Type | None:
    """The layer with a parameter that is scaled: `v * g / norm(v)`."""
    found = _parameter(items[0], value_in(items[2])) if len(items) == 3 and len(given) == 1 else None
    if found is None:
        return None
    layer, place = found
    v, g = call.floats(layer.items[place]), call.floats(items[1])
    if v is None or g is None:
        return None
    scaled = call.of("Array.__truediv__", call.of("Array.__mul__", v, g), ShapedArray(g.shape, v.dtype, False))
    weight = call.type_of(scaled)
    if weight is None:
        return None
    items = [*layer.items[:place], weight, *layer.items[place + 1 :]]
    return call.apply(layer.copy_modified(items=items), given, {}, call.session)


COMPOSED: Final = {
    SEQUENTIAL: Layer(_sequential, _call_all, functions=(0, None)),
    "equinox.nn._sequential.Lambda": Layer(_lambda, _call_function, ("fn",), (0, None)),
    "equinox.nn._linear.Identity": Layer(_identity, _call_identity),
    "equinox.nn._weight_norm.WeightNorm": Layer(_weight_norm, _call_normalized),
    "equinox.nn._activations.PReLU": Layer(_prelu, _leak, ("negative_slope",)),
}
"""The layers, by their full names."""
