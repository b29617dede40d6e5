"""The text of a function that runs one kind of call: it looks at nothing but what can tell another kind.

Such a text is made as `namedtuple` makes a class: containers are taken apart and put together by Python's own displays,
and an array is known by the identity of its abstract value.  Where an argument is of a class that could be equal or be
taken apart in more ways than a text can say, there is no text.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, Final

import numpy as np

from arraytyping.runtime.np_dtypes import np_dtype

__all__ = ["CallText", "Leaf", "NoText"]

_MOST_LEAVES: Final = 256
_MOST_NUMBERS: Final = 64
_EXACT: Final = frozenset({int, str, bytes})
"""The classes of values that are the same where they are equal."""
_CONSTANT: Final = _EXACT | {float, complex, bool, type(None)}
_FLOATS: Final = {np.dtype(np.float32): (-3.4e38, 3.4e38), np.dtype(np.float64): (-1.79e308, 1.79e308)}
_INTS: Final = {np.dtype(np.int32): (-(1 << 31), (1 << 31) - 1), np.dtype(np.int64): (-(1 << 63), (1 << 63) - 1)}
_NUMPY: Final = {"ndarray": np.ndarray, "errstate": np.errstate, "asarray": np.asarray}
_FILE: Final = str(Path(__file__).with_name("<a call of a compiled function>"))
"""Its frames are this package's, where the line of the program is looked for."""
_ELSE: Final = "return slow(args, kwargs)"


class NoText(Exception):
    """There is no text for this kind of call."""


class Leaf:
    """Where, in a tree, a leaf stands: its number."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number: int = number


def _is_constant(value: Any) -> bool:
    """Whether a value, as long as it is the same object, is equal to itself for ever."""
    kind = type(value)
    if kind is tuple:
        return all(map(_is_constant, value))
    by_identity: Any = kind.__hash__, kind.__eq__
    return (
        by_identity == (object.__hash__, object.__eq__) or kind in _CONSTANT or isinstance(value, np.dtype | enum.Enum)
    )


class CallText:
    """The text while it is written: what it looks at first, what prepares the buffers, the names that it is given."""

    def __init__(
        self, given: Mapping[str, Any], array_class: type, memory_of: Callable[[Any, bool], Callable[[], Any]],
        kept: Sequence[int],
    ) -> None:  # fmt: skip
        self.names: dict[str, Any] = dict(given)
        self.memory_of: Callable[[Any, bool], Callable[[], Any]] = memory_of
        self.array_class: type = array_class
        self.kept: frozenset[int] = frozenset(kept)
        self.looks: list[str] = []
        self.prepares: list[str] = []
        self.memories: list[str] = []
        self.returns: list[str] = []
        self.buffers: dict[int, str] = {}
        self.of_memory: set[int] = set()

    def name(self, letter: str, value: Any) -> str:
        """A name in the text for an object."""
        name = f"{letter}{len(self.names)}"
        self.names[name] = value
        return name

    def key(self, value: Any) -> str:
        """A key of a dict, in the text."""
        return repr(value) if type(value) is str else self.name("key", value)

    def look(self, wrong: str) -> None:
        """One more look: what is the case if the call is of another kind."""
        self.looks.append(f"if {wrong}: {_ELSE}")

    def take_arguments(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], static: Mapping[Any, Any], places: Sequence[Any],
        names: Mapping[str, Any], avals: Sequence[Any],
    ) -> None:  # fmt: skip
        """Take the arguments of a call apart; `static` are its static ones by number or name."""
        locals_ = [f"a{i}" for i in range(len(args))]
        if locals_:
            self.looks.append(f"{', '.join(locals_)}, = args")
        else:
            self.look("args")
        self.look(f"len(kwargs) != {len(kwargs)}" if kwargs else "kwargs")
        for i, value in enumerate(args):
            if i in static:
                self.take_static(value, locals_[i])
            else:
                self.take(value, places[i], locals_[i], avals)
        for n, (name, value) in enumerate(kwargs.items()):
            self.looks.append(f"k{n} = kwargs[{name!r}]")
            if name in static:
                self.take_static(value, f"k{n}")
            else:
                self.take(value, names[name], f"k{n}", avals)

    def take_static(self, value: Any, text: str) -> None:
        """Look whether a static argument is the same."""
        kind = type(value)
        if kind in _EXACT:
            self.look(f"type({text}) is not {kind.__name__} or {text} != {self.name('s', value)}")
        elif _is_constant(value):
            self.look(f"{text} is not {self.name('s', value)}")
        else:  # as a dict knows its keys
            self.look(f"{text} is not {self.name('s', value)} or hash({text}) != {hash(value)}")

    def take(self, value: Any, place: Any, text: str, avals: Sequence[Any]) -> None:
        """Take an argument apart as its tree says."""
        kind = type(place)
        if kind is Leaf:
            self.take_leaf(value, place.number, text, avals[place.number])
        elif place is None:
            self.look(f"{text} is not None")
        elif kind is tuple or kind is list:
            self.look(f"type({text}) is not {kind.__name__}")
            locals_ = [f"{text}_{i}" for i in range(len(place))]
            if locals_:
                self.looks.append(f"{', '.join(locals_)}, = {text}")
            else:
                self.look(text)
            for local, item, at in zip(locals_, value, place):
                self.take(item, at, local, avals)
        elif kind is dict:
            self.look(f"type({text}) is not dict or len({text}) != {len(place)}")
            for i, key in enumerate(place):
                self.looks.append(f"{text}_{i} = {text}[{self.key(key)}]")
                self.take(value[key], place[key], f"{text}_{i}", avals)
        else:
            raise NoText

    def take_leaf(self, value: Any, number: int, text: str, aval: Any) -> None:
        """Look at an array or a number, and prepare its buffer if the program takes it."""
        if len(self.buffers) >= _MOST_LEAVES:
            raise NoText
        kind = type(value)
        if kind is self.array_class:
            self.look(f"{text}.aval is not {self.name('v', aval)}")
            if number in self.kept:
                self.buffers[number] = f"{text}._buffer"
            return
        dtype = np_dtype(aval.dtype)
        is_numpy = kind is np.ndarray or issubclass(kind, np.generic)
        if is_numpy:
            given = value.dtype
            if given.isbuiltin != 1 or not given.isnative:
                raise NoText
            if kind is np.ndarray:
                self.look(f"type({text}) is not ndarray or {text}.dtype is not {self.name('d', given)}")
                self.look(f"{text}.shape != {self.name('shape', value.shape)}")
            else:
                self.look(f"type({text}) is not {self.name('d', kind)}")
            store = "{0}[0][...] = {1}" if given == dtype else "with errstate(all='ignore'): {0}[0][...] = {1}"
        elif kind is bool:
            self.look(f"type({text}) is not bool")
            store = "{0}[0][()] = {1}"
        elif (kind is int and dtype in _INTS) or (kind is float and dtype in _FLOATS):
            low, high = (_INTS if kind is int else _FLOATS)[dtype]  # outside of it, the slow way says what is wrong
            self.look(f"type({text}) is not {kind.__name__} or not {low!r} <= {text} <= {high!r}")
            store = "{0}[0][()] = {1}"
        else:
            raise NoText
        if number not in self.kept:
            return
        pool: list[Any] = []
        memory, free = f"m{number}", self.name("pool", pool)
        make = self.name("make", self.memory_of(aval, not is_numpy))
        take = [f"try: {memory} = {free}.pop()", f"except IndexError: {memory} = {make}()", f"if {memory} is None:"]
        write = ["else:", f"  {store.format(memory, text)}", f"  b{number} = {memory}[1]"]
        if is_numpy:
            self.prepares += [*take, f"  b{number} = buffer_from(asarray({text}), promotion)", *write]
        else:  # a program that takes long gives no memory back: the buffers of the last numbers are kept
            known = self.name("known", {})
            different = f"if {text}: " if kind is float else ""  # 0.0 and -0.0 are equal, and differ
            make_buffer = [
                f"  b{number} = buffer_of(scalar_from({text}, promotion))",
                f"  if len({known}) >= {_MOST_NUMBERS}: {known}.clear()",
                f"  {different}{known}[{text}] = b{number}",
            ]
            self.prepares += [f"b{number} = {known}.get({text}); {memory} = None", f"if b{number} is None:"]
            self.prepares += [f"  {line}" for line in [*take, *make_buffer, *write]]
        self.memories.append(memory)
        self.returns.append(f"if {memory} is not None: {free}.append({memory})")
        self.buffers[number] = f"b{number}"
        self.of_memory.add(number)

    def result(self, place: Any) -> str:
        """The text of a result that is such a tree of the arrays `o0`, `o1`..."""
        kind = type(place)
        if kind is Leaf:
            return f"o{place.number}"
        if place is None:
            return "None"
        if kind is tuple:
            return f"({''.join(f'{self.result(p)}, ' for p in place)})"
        if kind is list:
            return f"[{', '.join(map(self.result, place))}]"
        if kind is dict:
            return f"{{{', '.join(f'{self.key(k)}: {self.result(p)}' for k, p in place.items())}}}"
        raise NoText

    def function(self, constants: Sequence[Any], out_avals: Sequence[Any], result: str) -> Callable[..., Any]:
        """The function, whose result has this text; its names are those that were given, and more."""
        count = len(out_avals)
        if count > _MOST_LEAVES or (self.returns and not count):
            raise NoText
        listed = [self.name("c", c) for c in constants] + [self.buffers[i] for i in sorted(self.buffers)]
        made = [f"r{i}" for i in range(count)]
        lines = [
            "def call(*args, **kwargs):",
            f"  if inside or process[0] is not promotion or not living: {_ELSE}",
            "  try:",
            *[f"    {line}" for line in self.looks],
            *([] if self.prepares else [f"    buffers = [{', '.join(listed)}]"]),
            f"  except (AttributeError, KeyError, TypeError, ValueError): {_ELSE}",
            *[f"  {line}" for line in self.prepares],
            *([f"  buffers = [{', '.join(listed)}]"] if self.prepares else []),
            "  if next(turns): collect_garbage()",
            "  try:",
            f"    [{', '.join(made)}] = execute(buffers).consume_with_handlers(handlers)",
            "  except Exception as error:",
            "    explain(error, buffers)",
            "    raise",
        ]
        if self.returns:
            given = " or ".join(f"{memory} is not None" for memory in self.memories)
            lines.append(f"  if ({given}) and {' and '.join(f'is_done({r})' for r in made)}:")
            lines += [f"    {line}" for line in self.returns]
        for i, (r, aval) in enumerate(zip(made, out_avals)):
            lines.append(f"  o{i} = new(array_class); o{i}._buffer = {r}; o{i}.aval = {self.name('w', aval)}")
        lines.append(f"  return {result}")
        scope = {
            **self.names,
            "ndarray": np.ndarray,
            "errstate": np.errstate,
            "asarray": np.asarray,
            "array_class": self.array_class,
        }
        exec(compile("\n".join(lines), _FILE, "exec"), scope)
        call: FunctionType = scope.pop("call")  # a cycle otherwise
        return call
