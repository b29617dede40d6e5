"""Sizes that a class of a library is made with: an int that is not known is a symbolic size to it, not an array.

A library takes an array for no size, so a number of which nothing is known but that it is an int would be refused.
"""

from __future__ import annotations

import ast
import functools
import inspect
from typing import Any, Final

from arraytyping.checker.flow.engines.conversion import Abort, Held, dim_to_jax
from arraytyping.checker.flow.engines.together import Together
from arraytyping.checker.flow.state.fresh_sizes import as_size, fresh_size, some_int
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MISSING,
    ClassValue,
    DictValue,
    FunctionValue,
    ListValue,
    ScalarValue,
    Unknown,
    Value,
)
from arraytyping.semantics.sizes.dims import Dim, as_dim
from arraytyping.semantics.sizes.polynomials import Size

__all__ = ["no_less_than_zero", "sized_arguments"]

_SIZES: Final = frozenset({
    "features", "in_features", "out_features", "hidden_features", "num_embeddings", "embedding_size", "in_size",
    "out_size", "input_size", "hidden_size", "width_size", "in_channels", "out_channels", "num_heads", "output_size",
    "output_channels", "vocab_size", "embed_dim", "key_size", "value_size", "model_size",
})  # fmt: skip
"""Parameters of layers that are sizes and nothing else, so that none is negative."""
_PLAIN: Final = ("int", "float", "bool", "str")
_LAYERS: Final = ("flax", "equinox", "haiku")


def sized_arguments(
    engines: Together, it: Interpreter, cls: type, args: list[Value], kwargs: dict[str, Value]
) -> tuple[list[Value], dict[str, Value]]:
    """The arguments of a class with sizes in the place of ints that are not known.

    Raises:
        Abort: if an int may be negative, so that it may be no size.
    """
    names = _parameters(cls)
    own = it.engines.class_of.get(cls)
    plain = _plain_parameters(own)
    kept = _kept_fields(own)
    is_layer = (cls.__module__ or "").partition(".")[0] in _LAYERS

    def sized(name: str | None, value: Value) -> Value:
        is_size = is_layer and name in _SIZES
        if isinstance(value, Unknown):
            if name in plain:  # which the library only keeps
                return Held(some_int(it, "u") if plain[name] == "int" else value)
            value = ScalarValue(int) if is_size else value
        if own is not None and isinstance(value, DictValue | ListValue | tuple):
            return _keeping_scalars(value)
        if not isinstance(value, ScalarValue) or value.kinds != (int,):
            return value
        size = value.size
        if is_size and (size is None or size.bounds()[0] is None):
            size = fresh_size(it, "u") if size is None else as_size(size)
        if (dim := no_less_than_zero(size)) is None:
            if name in kept:
                return Held(some_int(it, "u") if size is None else value)
            raise Abort("an int that may be negative")
        return dim if isinstance(dim, int) else dim_to_jax(engines.jax, dim)

    given = [sized(names[i] if i < len(names) else None, value) for i, value in enumerate(args)]
    return given, {name: sized(name, value) for name, value in kwargs.items()}


def no_less_than_zero(size: Size | None) -> Dim:
    """The size of an array that a number is; None if it may be negative, or nothing is known of it."""
    low = None if size is None else size.bounds()[0]
    return as_dim(size) if low is not None and low >= 0 else None


def _keeping_scalars(value: Value) -> Value:
    """A configuration that a field holds, with what a library only keeps of it: numbers and texts not known."""
    if isinstance(value, ScalarValue):
        return Held(value)
    if type(value) is tuple:
        return tuple(map(_keeping_scalars, value))
    if isinstance(value, ListValue) and value.items is not None and value.kind is list:
        return ListValue([*map(_keeping_scalars, value.items)])
    if isinstance(value, DictValue) and value.items is not None and value.kind is dict:
        return DictValue({key: _keeping_scalars(item) for key, item in value.items.items()})
    return value


@functools.lru_cache(maxsize=512)
def _parameters(cls: type) -> tuple[str, ...]:
    initialize: Any = getattr(cls, "__init__", None)
    try:
        return tuple(inspect.signature(initialize).parameters)[1:]
    except (TypeError, ValueError):
        return ()


def _kept_fields(cls: ClassValue | None) -> frozenset[str]:
    """What a class of the program only keeps or hands on to its own `__init__`, whatever the annotation says."""
    init = None if cls is None else cls.find("__init__")
    if isinstance(init, FunctionValue):
        spec = init.node.args
        return frozenset(p.arg for p in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs))
    if cls is None or cls.find("__init__") is not MISSING or cls.find("__post_init__") is not MISSING:
        return frozenset()
    return frozenset(cls.fields)


def _plain_parameters(cls: ClassValue | None) -> dict[str, str]:
    """The fields and parameters of a class of the program that are annotated as a number or a text."""
    if cls is None:
        return {}
    annotations = [(name, annotation) for name, (annotation, _) in cls.fields.items()]
    init = cls.find("__init__")
    if isinstance(init, FunctionValue):
        spec = init.node.args
        annotations += [(p.arg, p.annotation) for p in (*spec.args, *spec.kwonlyargs) if p.annotation is not None]
    return {name: text for name, annotation in annotations if (text := ast.unparse(annotation)) in _PLAIN}
