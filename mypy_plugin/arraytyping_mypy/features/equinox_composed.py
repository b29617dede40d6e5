"""The layers of equinox that call others, `Sequential` and `Lambda`, and those that go between: `Identity`, `PReLU`.

Of what calls others these are kept.

Source: equinox/nn/_sequential.py, _linear.py and _activations.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mypy.types import AnyType, NoneType, Type, TypeOfAny, get_proper_type

from arraytyping.semantics.avals import ShapedArray
from arraytyping_mypy.calls import answer, result_type
from arraytyping_mypy.features.equinox_calls import Call, Layer, Made, text_of
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


COMPOSED: Final = {
    SEQUENTIAL: Layer(_sequential, _call_all, functions=(0, None)),
    "equinox.nn._sequential.Lambda": Layer(_lambda, _call_function, ("fn",), (0, None)),
    "equinox.nn._linear.Identity": Layer(_identity, _call_identity),
    "equinox.nn._activations.PReLU": Layer(_prelu, _leak, ("negative_slope",)),
}
"""The layers, by their full names."""
