"""Whether an abstract value of flow describes a real Python object, and programs that are interpreted and run."""

from __future__ import annotations

import contextlib
import enum
import io
import itertools
import math
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arraytyping.checker.flow.python.held_containers import CONTENTS, IS_ATTRIBUTES, aliased_dict, contents_of
from arraytyping.checker.flow.start.program import Result, interpret
from arraytyping.checker.flow.values import (
    ArrayValue,
    BaseValue,
    BoundMethod,
    ClassValue,
    Descriptor,
    DictValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    IteratorValue,
    ListValue,
    MethodOf,
    ModuleValue,
    NumPyValue,
    OpenTree,
    PartialValue,
    ScalarValue,
    SetValue,
    UnionValue,
    Unknown,
)

PATH = Path(__file__).parent / "program.py"
_FUNCTIONS = (BoundMethod, Descriptor, FunctionValue, HandlerValue, MethodOf, PartialValue)


def interpreted(source: str) -> tuple[dict[str, Any], Result]:
    """The variables of a program as flow knows them."""
    result = interpret(PATH, source=source)
    return result.interpreter.importer.modules["__main__"].frame.variables, result


def run(source: str) -> dict[str, Any]:
    """The variables of a program that was run, without arguments."""
    namespace: dict[str, Any] = {"__name__": "__main__", "__file__": str(PATH)}
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit), _arguments(str(PATH)):
        exec(compile(source, str(PATH), "exec", dont_inherit=True), namespace)
    return namespace


@contextlib.contextmanager
def _arguments(*words: str) -> Iterator[None]:
    before, sys.argv = sys.argv, list(words)
    try:
        yield
    finally:
        sys.argv = before


def difference(value: Any, real: Any, depth: int = 0) -> str | None:
    """Where a value does not describe a real object; None if it does."""
    if isinstance(value, OpenTree):
        return _in_tree(value, real)
    if depth > 20 or isinstance(value, Unknown):
        return None
    if isinstance(value, UnionValue):
        return None if any(difference(v, real, depth + 1) is None for v in value.values) else f"{value} is not {real!r}"
    if isinstance(value, ScalarValue):
        return None if type(real) in value.kinds else f"{value} is not {real!r}"
    if isinstance(value, ListValue | SetValue | DictValue):
        if type(real) is not value.kind:
            return f"{value} is a {value.kind}, not a {type(real)}"
        return _in_container(value, real, depth + 1)
    if isinstance(value, IteratorValue):
        return _in_iterator(value, real, depth + 1)
    if isinstance(value, InstanceValue):
        return _in_instance(value, real, depth + 1)
    if isinstance(value, ClassValue):
        return None if isinstance(real, type) and real.__name__ == value.name else f"{value} is not {real!r}"
    if isinstance(value, _FUNCTIONS):
        plain = isinstance(real, int | float | str | list | dict)
        return f"{value} is not {real!r}" if plain else None
    if isinstance(value, ModuleValue):
        return None if isinstance(real, types.ModuleType) else f"{value} is not {real!r}"
    if isinstance(value, ArrayValue):
        return _in_array(value, real)
    if isinstance(value, NumPyValue):
        return _in_numpy(value, real)
    if isinstance(value, BaseValue):
        return None if type(real) not in (int, float, str, bool, list, dict) else f"{value} is not {real!r}"
    if isinstance(value, tuple):
        if not isinstance(real, tuple) or type(value).__name__ != type(real).__name__ or len(value) != len(real):
            return f"{value} is not {real!r}"
        return _first(difference(v, r, depth + 1) for v, r in zip(value, real, strict=True))
    return _exactly(value, real)


def _in_tree(value: OpenTree, real: Any) -> str | None:
    """Each leaf is as the one that stands for all of them."""
    import jax

    leaf = value.leaf
    return None if leaf is None else _first(_in_array(leaf, one) for one in jax.tree.leaves(real))


def _in_array(value: ArrayValue, real: Any) -> str | None:
    import jax

    aval = value.aval
    if not isinstance(real, jax.Array):
        return f"{value} is not {real!r}"
    if aval.dtype is not None and aval.dtype != str(real.dtype):
        return f"{value} has not the dtype {real.dtype}"
    if aval.weak_type is not None and aval.weak_type != real.aval.weak_type:
        return f"{value} has another weak type"
    return _shape(value, aval.shape, real)


def _in_numpy(value: NumPyValue, real: Any) -> str | None:
    import numpy as np

    if not isinstance(real, np.generic if value.is_scalar else np.ndarray | np.generic):
        return f"{value} is not {real!r}"
    if value.dtype is not None and value.dtype != str(real.dtype):
        return f"{value} has not the dtype {real.dtype}"
    if (wrong := _shape(value, value.shape, real)) is not None or value.data is None:
        return wrong
    same = np.array_equal(value.data, real, equal_nan=real.dtype.kind in "fc")
    return None if same else f"{value} holds {value.data!r} and not {real!r}"


def _shape(value: Any, shape: Any, real: Any) -> str | None:
    if shape is None:
        return None
    fits = len(shape) == len(real.shape) and all(not isinstance(a, int) or a == b for a, b in zip(shape, real.shape))
    return None if fits else f"{value} has not the shape {real.shape}"


def _exactly(value: Any, real: Any) -> str | None:
    if isinstance(value, enum.Enum) and isinstance(real, enum.Enum):
        same = value.name == real.name and value.value == real.value
    elif isinstance(value, type) and isinstance(real, type):
        same = value.__name__ == real.__name__
    elif isinstance(value, BaseException):
        same = type(value) is type(real)
    elif isinstance(value, float) and isinstance(real, float) and math.isnan(value):
        same = math.isnan(real)
    else:
        same = value is real or (type(value) is type(real) and repr(value) == repr(real))
    return None if same else f"{value!r} is not {real!r}"


def _first(found: Any) -> str | None:
    return next((wrong for wrong in found if wrong is not None), None)


def _in_container(value: Any, real: Any, depth: int) -> str | None:
    if isinstance(value, DictValue):
        if value.items is None:
            pairs = ((value.key, value.element, k, v) for k, v in real.items())
            return _first(difference(a, k, depth) or difference(b, v, depth) for a, b, k, v in pairs)
        if [repr(k) for k in value.items] != [repr(k) for k in real] and not _has_enum(real):
            return f"the keys of {value} are not those of {real!r}"
        return _first(difference(a, b, depth) for a, b in zip(value.items.values(), real.values(), strict=True))
    if value.items is None:
        return _first(difference(value.element, item, depth) for item in real)
    if len(value.items) != len(real):
        return f"{value} has not {len(real)} items"
    if isinstance(value, SetValue):
        return None if set(value.items) == set(real) else f"{value} is not {real!r}"
    return _first(difference(a, b, depth) for a, b in zip(value.items, real, strict=True))


def _has_enum(real: Any) -> bool:
    return any(isinstance(key, enum.Enum) for key in real)


def _in_iterator(value: IteratorValue, real: Any, depth: int) -> str | None:
    if isinstance(real, int | float | str | None):
        return f"{value} is not {real!r}"
    if value.has_changed is not None and value.has_changed():
        return None  # whoever asks for the next item is told that it is not known
    items = list(itertools.islice(real, 50))
    if value.items is None:
        return _first(difference(value.element, item, depth) for item in items)
    if len(value.items) != len(items):
        return f"{value} has not the items {items}"
    return _first(difference(a, b, depth) for a, b in zip(value.items, items, strict=True))


def _in_instance(value: InstanceValue, real: Any, depth: int) -> str | None:
    if value.cls.name == "singledispatch":  # a function, for Python
        return None if isinstance(real, types.FunctionType) else f"{value} is not {real!r}"
    if type(real).__name__ not in (value.cls.name, "Namespace", "SimpleNamespace"):
        return f"{value} is not {real!r}"
    if (held := contents_of(value)) is not None:
        if (wrong := _in_container(held, real, depth)) is not None:
            return wrong
        own = {k: v for k, v in value.attributes.items() if k not in (CONTENTS, IS_ATTRIBUTES)}
        return (
            None
            if not own or aliased_dict(value)
            else _in_instance(InstanceValue(value.cls, own), types.SimpleNamespace(**vars(real)), depth)
        )
    found = getattr(real, "__dict__", None)
    attributes = found if found is not None else {name: getattr(real, name) for name in value.attributes}
    known = {name for name, v in value.attributes.items() if not isinstance(v, Unknown)}
    if not known <= attributes.keys() <= value.attributes.keys():
        return f"{value} has not the attributes of {attributes}"
    return _first(difference(value.attributes[name], v, depth) for name, v in attributes.items())


def is_known(value: Any, depth: int = 0) -> bool:
    """Whether nothing in a value is left open."""
    if depth > 20:
        return True
    if isinstance(value, Unknown | UnionValue | ScalarValue):
        return False
    if isinstance(value, ListValue | SetValue | IteratorValue):
        return value.items is not None and all(is_known(v, depth + 1) for v in value.items)
    if isinstance(value, DictValue):
        return value.items is not None and all(is_known(v, depth + 1) for v in value.items.values())
    if isinstance(value, InstanceValue):
        return all(is_known(v, depth + 1) for v in value.attributes.values())
    return all(is_known(v, depth + 1) for v in value) if isinstance(value, tuple) else True


def wrong_claims(source: str, variables: dict[str, Any], real: dict[str, Any]) -> list[str]:
    """What flow says wrongly of the variables of a program."""
    wrong = []
    for name, value in variables.items():
        if name.startswith("__"):
            continue
        if name not in real:
            wrong.append(f"{name} is not bound")
        elif (found := difference(value, real[name])) is not None:
            wrong.append(f"{name}: {found}")
    missing = [n for n in real if not n.startswith("__") and n not in variables]
    return [*wrong, *(f"{name} is not known to flow" for name in missing)]
