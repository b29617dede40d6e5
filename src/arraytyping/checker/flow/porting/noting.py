"""An interpreter that notes the dtypes at each expression of the program, and where its arrays come from.

Claims are joined over all calls; here each calling context keeps its own sequence of values, so that what came at an
expression can be put beside what came at the same time in another interpretation of the same program.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final, Literal, NamedTuple
from weakref import WeakKeyDictionary

from typing_extensions import override

from arraytyping.checker.flow.engines.concrete_objects import package_of
from arraytyping.checker.flow.real_calls.library_imports import import_library
from arraytyping.checker.flow.start.python_interpreter import PythonInterpreter
from arraytyping.checker.flow.state.interpreter import MISTAKE
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    BoundMethod,
    DictValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    UnionValue,
    Unknown,
    Value,
    is_concrete,
)
from arraytyping.checker.flow.values.frames import Frame, Module

__all__ = ["Array", "Context", "Key", "NotingInterpreter", "Path", "Seen", "key_of"]

_MOST: Final = 2_000
"""How many values of one expression are kept in one calling context."""
_MOST_ITEMS: Final = 8
_DEPTH: Final = 3

Key = tuple[str, int, int, int, int, str]
"""An expression: its file as it is shown, its position, and the kind of its syntax."""

Context = tuple[tuple[str, int, int], ...]
"""The calls that led to an evaluation."""


Path = tuple[int | str, ...]
"""Where an array lies in tuples, lists and dicts: numbers, and keys as Python shows them."""


class Array(NamedTuple):
    """What was an array, or may have been one: where it lay in a value, and its dtype, None if that is unknown.

    Of Python's scalars (`library` is `python`) the dtype is the name of the type.  `is_scalar` says that a NumPy array
    has no dimensions; `value` is that of such a one, or of a Python scalar, where it is known.
    """

    path: Path
    library: Literal["jax", "numpy", "python", "none", "unknown"]
    dtype: str | None
    weak_type: bool | None = False
    is_scalar: bool = False
    value: bool | int | float | complex | None = None


Seen = tuple[Array, ...]
"""What of one value is an array."""

NOTHING: Final[Seen] = (Array((), "none", None),)
"""The value None of a call."""


def key_of(module: Module, node: Any) -> Key:
    """The key of an expression or statement."""
    end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return module.shown, node.lineno, node.col_offset, end_line, end_column, type(node).__name__


class NotingInterpreter(PythonInterpreter):
    """An interpreter that notes what it sees.

    `seen` holds for each expression and context the values in the order of their coming.  `carried` tells of an
    expression the ones that made the arrays which it only passes on; `callees` the program's functions that it calls,
    and `functions` the name of the one of jax and NumPy.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.seen: dict[Key, dict[Context, list[Seen]]] = {}
        self.cut: set[Key] = set()
        self.carried: defaultdict[Key, set[Key]] = defaultdict(set)
        self.callees: defaultdict[Key, set[Key]] = defaultdict(set)
        self.functions: dict[Key, str] = {}
        self._made: dict[int, tuple[Key, ArrayValue]] = {}
        self._made_by_numpy: WeakKeyDictionary[NumPyValue, Key] = WeakKeyDictionary()

    @override
    def evaluate(self, node: ast.expr, frame: Frame) -> Any:
        value = super().evaluate(node, frame)
        if frame.module.is_program:
            self._note(frame.module, node, value)
        return value

    @override
    def execute(self, body: list[ast.stmt], frame: Frame) -> bool:
        if not frame.module.is_program or not any(isinstance(statement, ast.AugAssign) for statement in body):
            return super().execute(body, frame)
        for statement in body:
            if not super().execute([statement], frame):
                return False
            if isinstance(statement, ast.AugAssign):
                self._note(frame.module, statement, self._value_of(statement.target, frame))
        return True

    def _value_of(self, target: ast.expr, frame: Frame) -> Any:
        """What a name, or an attribute of one, is bound to; an item of an array never changes its dtype."""
        if isinstance(target, ast.Name):
            return frame.find(target.id)
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            owner = frame.find(target.value.id)
            if isinstance(owner, InstanceValue):
                return owner.attributes.get(target.attr, MISSING)
        return MISSING

    @override
    def call(self, function: Value, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Value:
        callee = function.function if isinstance(function, BoundMethod) else function
        if isinstance(function, InstanceValue):
            callee = function.cls.find("__call__")
        if isinstance(node, ast.Call) and self.frame.module.is_program:
            key = key_of(self.frame.module, node)
            if isinstance(callee, FunctionValue):
                self.callees[key].add(key_of(callee.frame.module, callee.node))
            elif is_concrete(callee) and package_of(callee) in ("jax", "numpy"):
                self.functions[key] = getattr(callee, "__name__", "")
        result = super().call(function, args, kwargs, node)
        if (
            isinstance(result, Unknown)
            and result.why == MISTAKE
            and is_concrete(callee)
            and package_of(callee) == "jax"
        ):
            return self._mended(function, args, kwargs, node)
        return result

    def _mended(self, function: Value, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Value:
        """What a call gives that JAX refuses, if lists are made arrays and `out` is left out, as one would mend it."""
        asarray = getattr(import_library("jax.numpy"), "asarray", None)
        call = super().call
        with self.quietly():
            arrays = [call(asarray, [a], {}, None) if isinstance(a, ListValue) else a for a in args]
            return call(function, arrays, {k: v for k, v in kwargs.items() if k != "out"}, node)

    def _note(self, module: Module, node: ast.expr | ast.stmt, value: Value) -> None:
        found = list(_arrays(value, ()))
        if value is None and isinstance(node, ast.Call):
            seen = NOTHING
        elif found:
            seen = tuple(array for array, _ in found)
        else:
            return
        key = key_of(module, node)
        context = tuple(map(_call, self.chain))
        kept = self.seen.setdefault(key, {}).setdefault(context, [])
        if len(kept) < _MOST:
            kept.append(seen)
        else:
            self.cut.add(key)
        for _, array in found:
            self._trace(key, array)

    def _trace(self, key: Key, array: Value) -> None:
        """Note where an array was made, or that it is passed on."""
        if isinstance(array, ArrayValue):
            # It is kept, so that no other one gets its identity.
            maker = self._made.setdefault(id(array), (key, array))[0]
        elif isinstance(array, NumPyValue):
            maker = self._made_by_numpy.setdefault(array, key)
        else:
            return
        if maker != key:
            self.carried[key].add(maker)


def _call(link: tuple[str, Module, Any]) -> tuple[str, int, int]:
    _, module, node = link
    return module.shown, getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _arrays(value: Any, path: Path) -> Iterator[tuple[Array, Any]]:
    """What of a value is an array, or may be one, or a scalar of Python."""
    if isinstance(value, ArrayValue):
        yield Array(path, "jax", value.aval.dtype, value.aval.weak_type), value
    elif isinstance(value, NumPyValue):
        yield Array(path, "numpy", value.dtype, False, value.shape == (), _element(value)), value
    elif isinstance(value, Unknown):
        yield Array(path, "unknown", None, None), value
    elif isinstance(value, ScalarValue) and len(value.kinds) == 1:
        yield Array(path, "python", value.kinds[0].__name__), value
    elif type(value) in (bool, int, float, complex):
        yield Array(path, "python", type(value).__name__, value=value), value
    elif isinstance(value, UnionValue):
        for v in value.values:
            yield from _arrays(v, path)
    elif isinstance(value, tuple | ListValue | DictValue) and len(path) < _DEPTH:
        for place, item in islice(_items(value), _MOST_ITEMS):
            yield from _arrays(item, (*path, place))


def _element(value: NumPyValue) -> Any:
    """The element of an array without dimensions, where it is known and a number."""
    if value.shape != () or value.data is None:
        return None
    element = value.data.item()
    return element if isinstance(element, bool | int | float | complex) else None


def _items(value: Any) -> Iterator[tuple[int | str, Any]]:
    """What is in a container, with its place there: `*` stands for any place."""
    if isinstance(value, tuple):
        yield from enumerate(value)
    elif value.items is None:
        yield from [] if value.element is MISSING else [("*", value.element)]
    elif isinstance(value, DictValue):
        yield from ((repr(key), item) for key, item in value.items.items())
    else:
        yield from enumerate(value.items)
