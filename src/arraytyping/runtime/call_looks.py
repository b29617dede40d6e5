"""How a call of an operation is looked at, once the classes of its arguments are known: by a text made for these.

It finds the program for the call by the identities of abstract values and by the other arguments, and runs it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from pathlib import Path
from types import NoneType
from typing import Any, Final

import numpy as np

from arraytyping.runtime.array_likes import scalar_from
from arraytyping.runtime.call_arguments import rebuilt
from arraytyping.runtime.core import EVAL

__all__ = ["Look", "Looks", "NotFound"]

Look = Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]
"""What is called with the promotion and the arguments, and gives the result of the call.

Where it has no program it gives a `NotFound`, and None if the classes are others, or a value has to be looked at
closely.
"""


_NOTHING: Final = (None,) * 4


class NotFound:
    """A call of which the program is not known yet, and where to keep it: a table, a key, the buffers of its arrays."""

    __slots__ = ("buffers", "key", "table")

    def __init__(self, table: dict[Any, Any], key: Any, buffers: list[Any]) -> None:
        self.table: dict[Any, Any] = table
        self.key: Any = key
        self.buffers: list[Any] = buffers

    def keep(self, promotion: Any, compiled: Any, structure: Any) -> None:
        """Keep the program; with it what the key has the identities of, so that nothing else gets them.

        It is kept as its parts where it gives one array of what it is given alone, else as what runs it, without
        handlers, and the structure of the result, None if that is one array.
        """
        kept = [b.aval.aval for b in self.buffers]
        parts: Any
        if structure is not None:
            parts = compiled.on_buffers, None, None, structure, _NOTHING
        else:
            parts = compiled.single or (compiled.one, None, None, None, _NOTHING)
        self.table[self.key] = promotion, *parts, kept


_BY_VALUE: Final = frozenset({int, bool, str, NoneType, type})
"""The classes of which values that are equal are the same."""
_NAMES: Final = {k: k.__name__ for k in (int, bool, str, NoneType, type, float, tuple, list)}
_INTS: Final = frozenset({int})
_IN_ORDER: Final = (tuple, list)
_MOST_LOOKS: Final = 256
_FILE: Final = str(Path(__file__).with_name("<a look at a call>"))
"""Its frames are this package's, where the line of the program is looked for."""
_SCOPE: Final = {
    "AVAL": attrgetter("aval"), "BUFFER": attrgetter("_buffer"), "INTS": _INTS, "NoneType": NoneType,
    "NotFound": NotFound, "asarray": np.asarray,
    "rebuilt": rebuilt, "scalar_from": scalar_from,
}  # fmt: skip


def _look(kinds: Sequence[type], names: Sequence[str], is_array: Sequence[bool]) -> Look | None:
    """The look at arguments of these classes, the last ones by name, of which some may be arrays; or None."""
    array_class: Any = EVAL.array_class
    first = len(kinds) - len(names)
    locals_ = [f"a{i}" for i in range(len(kinds))]
    checks: list[str] = []
    key: list[str] = ["id(promotion)"]
    buffers: list[str] = []
    scope: dict[str, Any] = {**_SCOPE, "array_class": array_class, "table": {}}
    others = []
    for i, (a, kind) in enumerate(zip(locals_, kinds)):
        name = _NAMES.get(kind, f"kind{i}")
        scope.setdefault(name, kind)
        others.append(f"type({a}) is not {name}")
    for a, kind, takes_array in zip(locals_, kinds, is_array):
        if kind is array_class and takes_array:
            key.append(f"id({a}.aval)")
            buffers.append(f"{a}._buffer")
        elif takes_array and (kind is int or kind is float or kind is bool):
            if kind is int:
                checks.append(f"if not -0x80000000 <= {a} < 0x80000000: return None")
            checks.append(f"{a} = scalar_from({a}, promotion)")
            key.append(f"id({a}.aval)")
            buffers.append(f"buffer_of({a})")
        elif takes_array and issubclass(kind, np.ndarray | np.generic) and not issubclass(kind, np.ma.MaskedArray):
            checks.append(f"b{a} = buffer_from({a if kind is np.ndarray else f'asarray({a})'}, promotion)")
            key += [f"{a}.dtype", f"id(b{a}.aval.aval)"]
            buffers.append(f"b{a}")
        elif kind in _BY_VALUE:
            if kind is not NoneType:
                key.append(a)
        elif kind is float:
            key.append(f"repr({a})")
        elif kind in _IN_ORDER and takes_array:
            key += [f"len({a})", f"*map(id, map(AVAL, {a}))"]
            buffers.append(f"*map(BUFFER, {a})")
        elif kind in _IN_ORDER:
            checks.append(f"if not INTS.issuperset(map(type, {a})): return None")
            key += [f"len({a})", f"*{a}"]
        else:
            return None
    lines = [
        "def look(promotion, args, kwargs):",
        *([f"{', '.join(locals_[:first])}, = args"] if first else []),
        *([f"{', '.join(locals_[first:])}, = kwargs.values()"] if names else []),
        f"if {' or '.join(others) or 'False'}: return None",
        "try:",
        *[f"  {check}" for check in checks],
        f"  key, buffers = ({', '.join(key)},), [{', '.join(buffers)}]",
        "except (AttributeError, TypeError): return None",  # in a list stand others than arrays; a dtype not ours
        "program = table.get(key)",
        "if program is None: return NotFound(table, key, buffers)",
        "_, execute, handlers, explain, aval, (turns, collect_garbage, new, array_class), _ = program",
        "if handlers is None:",
        "  return execute(buffers) if aval is None else rebuilt(aval, iter(execute(buffers)))",
        "if next(turns): collect_garbage()",
        "try:",
        "  (buffer,) = execute(buffers).consume_with_handlers(handlers)",
        "except Exception as error:",
        "  explain(error, buffers)",
        "  raise",
        "array = new(array_class)",
        "array._buffer, array.aval = buffer, aval",
        "return array",
    ]
    scope.update(buffer_of=EVAL.buffer_of, buffer_from=EVAL.buffer_from)
    exec(compile("\n  ".join(lines), _FILE, "exec"), scope)
    look: Look = scope.pop("look")
    return look


class Looks(dict[tuple[Any, ...], "Look | None"]):
    """The looks of one operation, by the classes and names of the arguments; None where each is looked at closely."""

    def __init__(self, of_arrays: Sequence[bool], array_names: frozenset[str]) -> None:
        super().__init__()
        self.of_arrays: Sequence[bool] = of_arrays
        self.array_names: frozenset[str] = array_names

    def __missing__(self, kinds: tuple[Any, ...]) -> Look | None:
        names = [k for k in kinds if isinstance(k, str)]
        count = len(kinds) - 2 * len(names)
        is_array = [*self.of_arrays[:count], *[n in self.array_names for n in names]]
        if len(self) >= _MOST_LOOKS:
            self.clear()
        self[kinds] = look = _look([k for k in kinds if not isinstance(k, str)], names, is_array)
        return look
