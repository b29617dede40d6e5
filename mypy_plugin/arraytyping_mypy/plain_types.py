"""Types of jax in mypy's cache as plain mypy would have them: without the type parameters that the plugin gives.

`jax.Array` and what `jit` returns are generic with the plugin, and the dtypes of `jax.numpy` have a class.  What is
done to the cache's data is done to the bytes that mypy itself writes for such a type, which name the class in full.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, Final

from librt.internal import ReadBuffer, WriteBuffer, write_int as write_int_bare, write_str as write_str_bare
from mypy import types
from mypy.cache import (
    END_TAG,
    LIST_GEN,
    LITERAL_NONE,
    read_tag,
    write_bool,
    write_int,
    write_json_value,
    write_str,
    write_str_list,
    write_tag,
)
from mypy.nodes import COVARIANT, INVARIANT
from mypy.types import AnyType, TypeOfAny

from arraytyping_mypy.names import ARRAY, JIT_WRAPPED, SCALAR_META
from arraytyping_mypy.wrappers import PARAMETER

__all__ = ["plain_types"]

_PARAMETERS: Final = {ARRAY: (("DType", "Shape"), COVARIANT), JIT_WRAPPED: ((PARAMETER,), INVARIANT)}
"""The type parameters of the classes, and their variance."""
_ANY: Final = (
    TypeOfAny.unannotated, TypeOfAny.explicit, TypeOfAny.from_unimported_type, TypeOfAny.from_omitted_generics,
    TypeOfAny.from_error, TypeOfAny.special_form, TypeOfAny.implementation_artifact,
)  # fmt: skip


def plain_types(path: str, data: bytes) -> bytes:
    """The data of a module, as plain mypy would write them.

    Raises:
        ValueError: if they are not understood.
    """
    for name in _PARAMETERS:
        if name.encode() in data:
            for generic in _ARGUMENTS[name]:
                data = data.replace(generic, _BARE[name])
            data = _without_arguments(data, _generic(name), _BARE[name])
            for declared, bare in _DECLARED[name]:
                data = data.replace(declared, bare)
            if path.startswith(f"{name.rpartition('.')[0].replace('.', '/')}."):
                data = data.replace(*_NAMES[name])
    data = data.replace(*_PAIR)
    if path.startswith("jax/numpy/__init__."):
        data = data.replace(_simple(SCALAR_META), _written(lambda b: AnyType(TypeOfAny.explicit).write(b)))
    return data


def _without_arguments(data: bytes, start: bytes, bare: bytes) -> bytes:
    """The data with a bare class wherever it has arguments, whatever these are."""
    place = data.find(start)
    while place >= 0:
        end = data.find(_END, place)
        while end >= 0 and not _is_type(data[place : end + len(_END)]):
            end = data.find(_END, end + 1)
        if end < 0:
            raise ValueError("a type that does not end")
        data = data[:place] + bare + data[end + len(_END) :]
        place = data.find(start, place + len(bare))
    return data


def _is_type(data: bytes) -> bool:
    """Whether these bytes are a whole type, no part of one.

    Raises:
        ValueError: if something stands behind it.
    """
    buffer = ReadBuffer(data)
    try:
        types.read_type(buffer)
    except (ValueError, AssertionError):
        return False
    try:
        read_tag(buffer)
    except ValueError:
        return True
    raise ValueError("a type that ends otherwise")


def _written(write: Callable[[WriteBuffer], object]) -> bytes:
    buffer = WriteBuffer()
    write(buffer)
    return bytes(buffer.getvalue())


def _simple(name: str) -> bytes:
    """A class without arguments."""
    return _tags(types.INSTANCE, types.INSTANCE_SIMPLE) + _written(lambda b: write_str_bare(b, name))


def _generic(name: str) -> bytes:
    """How a class with arguments begins."""
    return _tags(types.INSTANCE, types.INSTANCE_GENERIC) + _written(lambda b: write_str(b, name))


def _tags(*tags: int) -> bytes:
    def write(b: WriteBuffer) -> None:
        for tag in tags:
            write_tag(b, tag)

    return _written(write)


def _list(items: tuple[bytes, ...]) -> bytes:
    return _tags(LIST_GEN) + _written(lambda b: write_int_bare(b, len(items))) + b"".join(items)


def _variable(owner: str, name: str, number: int, variance: int) -> bytes:
    def write(b: WriteBuffer) -> None:
        write_tag(b, types.TYPE_VAR_TYPE)
        write_str(b, name)
        write_str(b, f"{owner}.{name}")
        write_int(b, number)
        write_str(b, "")
        types.write_type_list(b, [])
        write_tag(b, types.INSTANCE)
        write_tag(b, types.INSTANCE_OBJECT)
        AnyType(TypeOfAny.special_form).write(b)
        write_int(b, variance)
        write_tag(b, END_TAG)

    return _written(write)


def _variables(owner: str) -> tuple[bytes, ...]:
    names, variance = _PARAMETERS[owner]
    return tuple(_variable(owner, name, i, variance) for i, name in enumerate(names, 1))


def _names(names: tuple[str, ...]) -> bytes:
    return _written(lambda b: write_str_list(b, names))


def _text(text: str) -> bytes:
    return _written(lambda b: write_str(b, text))


def _json(value: Any) -> bytes:
    return _written(lambda b: write_json_value(b, value))


def _described(name: str, kinds: tuple[int, ...]) -> dict[str, Any]:
    """A class with arguments that are not known, in JSON."""
    arguments = [AnyType(kind).serialize() for kind in kinds]
    return {".class": "Instance", "type_ref": name, "args": arguments, "extra_attrs": None}


def _pair(name: str) -> bytes:
    any_type = _written(AnyType(TypeOfAny.special_form).write)
    fallback = _generic("builtins.tuple") + _list((any_type,)) + _END
    items = _list((_simple(name), _simple(name)))
    return _tags(types.TUPLE_TYPE) + fallback + items + _written(lambda b: write_bool(b, False)) + _tags(END_TAG)


_END: Final = _tags(LITERAL_NONE, LITERAL_NONE, END_TAG)
"""How a class with arguments ends."""
_BARE: Final = {name: _simple(name) for name in _PARAMETERS}
_ARGUMENTS: Final = {
    name: [
        _generic(name) + _list(given) + _END
        for given in (
            *product([_written(AnyType(kind).write) for kind in _ANY], repeat=len(names)),
            _variables(name),
        )
    ]
    for name, (names, _) in _PARAMETERS.items()
}
"""The usual arguments: those that are not known, and the class's own parameters."""
_DECLARED: Final = {
    name: (
        (_list(_variables(name)), _list(())),
        *((_json(_described(name, (kind,) * len(names))), _json(name)) for kind in _ANY),
    )
    for name, (names, _) in _PARAMETERS.items()
}
"""The parameters themselves, and what is noted of a field of a dataclass."""
_NAMES: Final = {name: (_names(names), _names(())) for name, (names, _) in _PARAMETERS.items()}
_REFLECTED: Final = "__rdivmod__ of Array"
_PAIR: Final = (_pair(ARRAY) + _text(_REFLECTED), _BARE[ARRAY] + _text(_REFLECTED))
"""`divmod(2, x)`, of which JAX says that it is an array."""
