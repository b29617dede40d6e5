"""What tells modules of libraries apart, by their fields: functions that are made anew are the same by their code."""

from __future__ import annotations

import dataclasses
import functools
import types
from typing import Any

from arraytyping.checker.flow.engines.conversion import PROGRAM, Callback

__all__ = ["module_key"]


def module_key(module: Any) -> Any:
    """A hashable key of a module of Flax, equal for those that give the same.

    Raises:
        TypeError: if a field is of a sort that has no such key.
    """
    if type(module).__module__ == PROGRAM:
        raise TypeError("a module of the program")
    names = [f.name for f in dataclasses.fields(module) if f.name not in ("parent", "name")]
    return type(module), tuple((name, _key(getattr(module, name, None))) for name in names)


def _key(value: Any) -> Any:
    if isinstance(value, Callback):
        raise TypeError("a function of the program")
    if isinstance(value, types.FunctionType):
        cells = tuple(_key(cell.cell_contents) for cell in value.__closure__ or ())
        return value.__module__, value.__code__, cells, _key(value.__defaults__), _key(value.__kwdefaults__)
    if isinstance(value, functools.partial):
        return _key(value.func), _key(value.args), _key(value.keywords)
    if isinstance(value, tuple | list):
        return type(value), tuple(map(_key, value))
    if isinstance(value, dict):
        return dict, tuple((k, _key(v)) for k, v in value.items())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return module_key(value)
    hash(value)
    return type(value), value
