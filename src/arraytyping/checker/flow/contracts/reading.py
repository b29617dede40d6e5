"""From an annotation to what it asks for.

`X | Y` and `X[Y]` are read part by part, since a class of the program is no real class that `typing` could take; names
are looked up, and anything else is evaluated.  Names that are not bound, as under `TYPE_CHECKING`, ask for nothing.
"""

from __future__ import annotations

import ast
import builtins
import collections.abc
import functools
import re
import types
import typing
from typing import Any, Final

from arraytyping.basearray import Array
from arraytyping.checker.flow.contracts import jaxtyping_classes as theirs, own_classes as ours
from arraytyping.checker.flow.contracts.expectations import (
    ANYTHING,
    NONE,
    AnyArray,
    DictOf,
    Expectation,
    ListOf,
    ProgramClass,
    PythonClass,
    TreeOf,
    TupleOf,
    UnionOf,
)
from arraytyping.checker.flow.real_calls.own_names import own_scalar
from arraytyping.checker.flow.real_calls.own_programs import is_on_own_runtime
from arraytyping.checker.flow.state.interpreter import Interpreter, ProgramEnds, Raised, Recursion
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import MISSING, ClassValue, Unknown, Value, is_concrete
from arraytyping.checker.flow.values.frames import Frame
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.array_types import ArrayType

__all__ = ["evaluate_aside", "read"]

_EXPECTATIONS: Final[RunSlot[dict[int, Any]]] = RunSlot("what annotations ask for", dict)

_DEPTH: Final = 24
_SCALARS: Final = (bool, int, float, complex, str, bytes)
_WRAPPERS: Final = frozenset({"Annotated", "Final", "Required", "NotRequired", "ReadOnly", "InitVar"})
_SEQUENCES: Final = (
    collections.abc.Sequence, collections.abc.MutableSequence, collections.abc.Iterable, collections.abc.Collection,
)  # fmt: skip
_MAPPINGS: Final = (collections.abc.Mapping, collections.abc.MutableMapping)


def read(it: Interpreter, annotation: ast.expr, env: Frame) -> Expectation:
    """What an annotation asks for, evaluated in `env`; kept for as long as its names have the same values."""
    kept = _EXPECTATIONS.of(it)
    found = kept.get(id(annotation))
    if found is not None and all(env.find(name) is value for name, value in found[1]):
        return found[2]  # type: ignore[no-any-return]
    reader = _Reader(it, env)
    expectation = reader.read(annotation, 0)
    if reader.is_settled:
        kept[id(annotation)] = (annotation, [(name, env.find(name)) for name in _names(annotation)], expectation)
    return expectation


def evaluate_aside(it: Interpreter, expression: ast.expr, frame: Frame) -> Value:
    """The value of an expression that is no part of the running program: nothing is reported, nothing recorded."""
    seen = frame.module.seen
    nodes = [n for n in ast.walk(expression) if n not in seen]
    try:
        with it.quietly(), it.in_frame(frame):
            return it.evaluate(expression, frame)
    except (Raised, Recursion, ProgramEnds):
        return Unknown("an annotation that cannot be evaluated")
    finally:
        for n in nodes:
            seen.pop(n, None)


@functools.cache
def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None


@functools.cache
def _names(node: ast.expr) -> frozenset[str]:
    names: set[str] = set()
    for n in ast.walk(node):
        if isinstance(n, ast.Name):
            names.add(n.id)
        elif isinstance(n, ast.Constant) and isinstance(n.value, str):
            names.update(re.findall(r"[^\W\d]\w*", n.value))
    return frozenset(names)


class _Reader:
    """Reads one annotation; `is_settled` until something is met that may become known later."""

    def __init__(self, it: Interpreter, env: Frame) -> None:
        self.it = it
        self.env = env
        self.is_settled = True

    def read(self, node: ast.expr, depth: int) -> Expectation:
        """What an annotation asks for, by its syntax."""
        if depth > _DEPTH:
            return ANYTHING
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                inner = _parsed(node.value)
                return ANYTHING if inner is None else self.read(inner, depth + 1)
            return NONE if node.value is None else ANYTHING
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return _union([self.read(node.left, depth + 1), self.read(node.right, depth + 1)])
        if isinstance(node, ast.Subscript):
            return self._subscript(node, depth + 1)
        return self._object(self._value(node), depth)

    def _value(self, node: ast.expr) -> Any:
        """The value of a name, an attribute or another expression; unknown ones leave no trace."""
        it = self.it
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            value = self.env.find(node.id)
            if value is MISSING:
                value = vars(builtins).get(node.id, MISSING)
            elif type(value) in it.importer.lazy_types:
                value = it.importer.resolve(it, value)
        elif isinstance(node, ast.Attribute):
            owner = self._value(node.value)
            if owner is MISSING or isinstance(owner, Unknown):
                return MISSING
            try:
                with it.quietly(), it.in_frame(self.env):
                    value = it.get_attribute(owner, node.attr, None)
            except (Raised, Recursion, ProgramEnds):
                value = MISSING
        else:
            value = evaluate_aside(it, node, self.env)
        if value is MISSING or isinstance(value, Unknown):
            self.is_settled = False
        return value

    def _subscript(self, node: ast.Subscript, depth: int) -> Expectation:
        owner = self._value(node.value)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        origin = typing.get_origin(owner) or owner
        name = getattr(owner, "__name__", None) or getattr(owner, "_name", None)
        if not is_concrete(owner) or owner is MISSING or not parts:
            return ANYTHING
        if theirs.is_tree(owner):
            structure = self._value(parts[1]) if len(parts) > 1 else None
            return TreeOf(self.read(parts[0], depth), structure if isinstance(structure, str) else None)
        is_own = origin is Array or (theirs.is_jax_array(origin) and is_on_own_runtime(self.it))
        if theirs.is_family(owner) or is_own:
            values = [self._concrete(p) for p in parts]
            if is_own:
                owner, values = Array, [own_scalar(v) for v in values]
            if MISSING in values:
                return ANYTHING
            try:
                return self._object(owner[tuple(values) if len(values) > 1 else values[0]], depth)
            except Exception as error:  # whatever a library raises on what it refuses
                swallow(error)
                return ANYTHING
        if getattr(origin, "__module__", None) in ("typing", "typing_extensions", "dataclasses"):
            if name == "Optional":
                return _union([self.read(parts[0], depth), NONE])
            if name == "Union":
                return _union([self.read(p, depth) for p in parts])
            if name in _WRAPPERS:
                return self.read(parts[0], depth)
        is_variadic = len(parts) > 1 and isinstance(parts[-1], ast.Constant) and parts[-1].value is ...
        return self._generic(origin, [self.read(p, depth) for p in (parts[:-1] if is_variadic else parts)], is_variadic)

    def _concrete(self, node: ast.expr) -> Any:
        """The concrete object that a part of an array's annotation is, or MISSING."""
        if isinstance(node, ast.Subscript) or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)):
            first, second = (node.value, node.slice) if isinstance(node, ast.Subscript) else (node.left, node.right)
            a, b = self._concrete(first), self._concrete(second)
            if a is MISSING or b is MISSING:
                return MISSING
            try:
                return a[b] if isinstance(node, ast.Subscript) else a | b
            except Exception as error:  # whatever a library raises on what it refuses
                swallow(error)
                return MISSING
        if isinstance(node, ast.Tuple):
            value: Any = tuple(self._concrete(e) for e in node.elts)
            return MISSING if MISSING in value else value
        value = self._value(node)
        if value is MISSING or not is_concrete(value):
            self.is_settled = False
            return MISSING
        return value

    def _generic(self, origin: Any, items: list[Expectation], is_variadic: bool) -> Expectation:
        if origin is tuple or origin is typing.Tuple:  # noqa: UP006
            return TupleOf(tuple(items), is_variadic)
        if origin is list and len(items) == 1:
            return ListOf(items[0], "list")
        if origin in _SEQUENCES and len(items) == 1:
            return ListOf(items[0], "Sequence")
        if (origin is dict or origin in _MAPPINGS) and len(items) == 2:
            return DictOf(items[0], items[1], "dict" if origin is dict else "Mapping")
        return ANYTHING

    def _object(self, value: Value, depth: int) -> Expectation:
        """What a real object asks for, as an annotation or a part of one."""
        if value is None or value is type(None):
            return NONE
        if isinstance(value, ClassValue):
            return ProgramClass(value)
        if depth > _DEPTH or value is MISSING or not is_concrete(value):
            return ANYTHING
        if isinstance(value, str):
            return self.read(ast.Constant(value), depth + 1)
        if isinstance(value, typing.ForwardRef):
            return self.read(ast.Constant(value.__forward_arg__), depth + 1)
        if theirs.is_array_class(value):
            return theirs.array_of(value)
        if theirs.is_tree(value):
            leaf, structure = getattr(value, "leaftype", None), getattr(value, "structure", None)
            return ANYTHING if leaf is None else TreeOf(self._object(leaf, depth + 1), structure)
        if value is Array or theirs.is_jax_array(value):
            return AnyArray()
        if isinstance(value, type) and (value in _SCALARS or theirs.is_numpy_scalar(value)):
            return PythonClass(value)
        origin, args = typing.get_origin(value), typing.get_args(value)
        if isinstance(value, ArrayType) and "parameters" in vars(value):  # Array[...] is a class of its own
            origin, args = Array, value.parameters
        if origin is Array:
            return ours.array_of(args)
        if origin is typing.Union or origin is types.UnionType:
            return _union([self._object(a, depth + 1) for a in args])
        if origin is typing.Annotated:
            return self._object(args[0], depth + 1)
        if origin is not None:
            is_variadic = origin is tuple and len(args) == 2 and args[1] is ...
            items = [self._object(a, depth + 1) for a in (args[:1] if is_variadic else args)]
            return self._generic(origin, items, is_variadic)
        if isinstance(value, typing.TypeVar):
            bound = value.__bound__
            if bound is None and value.__constraints__:
                return _union([self._object(c, depth + 1) for c in value.__constraints__])
            return ANYTHING if bound is None else self._object(bound, depth + 1)
        for attribute in ("__supertype__", "__value__"):  # NewType, and `type X = ...`
            if type(value).__module__ in ("typing", "typing_extensions") and hasattr(value, attribute):
                return self._object(getattr(value, attribute), depth + 1)
        return ANYTHING


def _union(members: list[Expectation]) -> Expectation:
    flat: list[Expectation] = []
    for member in members:
        flat += member.members if isinstance(member, UnionOf) else [member]
    unique = tuple(dict.fromkeys(flat))
    if any(m is ANYTHING or isinstance(m, ProgramClass) for m in unique) and len(unique) > 1:
        return ANYTHING
    return unique[0] if len(unique) == 1 else UnionOf(unique)
