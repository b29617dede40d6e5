"""What a function of Python's own library gives by its declaration, where nothing else is known of it.

Functions that are written in C make numbers anew.  One in Python may hand on a number of NumPy's that it is given, and
what is `float` of it may be an int (PEP 484).  Of what may be None nothing is said.
"""

from __future__ import annotations

import abc
import ast
import functools
import itertools
import sys
import types
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from arraytyping.checker.flow.engines.typeshed import Function, declared_function, is_of_python, named
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MISSING,
    BaseValue,
    DeclaredValue,
    DictValue,
    IteratorValue,
    ListValue,
    OfNumPy,
    ScalarValue,
    SetValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call, RestArguments
from arraytyping.checker.unions import members_of_union

__all__ = ["as_declared", "declared_result", "is_usual", "kind_of", "name_of", "of_annotation", "of_declaration"]

_BUILTINS: Final[Mapping[str, type]] = {
    "str": str, "int": int, "float": float, "bool": bool, "bytes": bytes, "complex": complex, "None": type(None),
}  # fmt: skip
_NUMBERS: Final = (int, float, complex)
_IN_C: Final[Mapping[type, tuple[type, ...]]] = {kind: (kind,) for kind in _NUMBERS}
_IN_PYTHON: Final[Mapping[type, tuple[type, ...]]] = {int: (int,), float: (int, float, bool), complex: ()}
"""The classes of what is declared as a number."""
_C_FUNCTIONS: Final = (
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.MethodWrapperType,
    types.WrapperDescriptorType,
)
_ITERATORS: Final = frozenset({"Iterator", "Generator", "Iterable"})
_TRANSPARENT: Final = frozenset({"Annotated", "ClassVar", "Final"})


def declared_result(function: Any, call: Call) -> Value:
    """What a function or class of Python's own library gives; MISSING if its declaration does not say that."""
    if isinstance(function, type):
        return DeclaredValue(function) if is_usual(function) else MISSING
    declared = declared_function(function) if is_of_python(function) else None
    if declared is None:
        return MISSING
    return of_declaration(declared, call, isinstance(function, _C_FUNCTIONS))


def as_declared(it: Interpreter, function: Any, call: Call, why: str) -> Value:
    """What a function that is not called gives by its declaration; it may raise whatever it likes."""
    it.obscure += 1
    found = declared_result(function, call)
    return it.unknown(f"{name_of(function)} {why}") if found is MISSING else found


def name_of(function: Any) -> str:
    """How a function of a library is called in a reason."""
    name = getattr(function, "__name__", type(function).__name__)
    return f"{getattr(function, '__module__', '') or ''}.{name}"


def of_declaration(function: Function, call: Call, is_of_c: bool) -> Value:
    """What a call gives by the declarations that fit its arguments, if they say the same; MISSING if they do not."""
    found: list[Value] = []
    is_simple = function.owner is None and _are_of_python(call)  # an object may hold a number that it was given
    numbers = _IN_C if is_of_c else _IN_PYTHON if is_simple else {}
    for overload in function.overloads:
        given = _bound(overload, call, function.is_bound and function.owner is not None)
        if given is None:
            continue
        if all(_may_fit(function, annotation, value) for annotation, value in given if annotation is not None):
            found.append(_result(function, overload, given, numbers))
    if not found or any(value is MISSING for value in found):
        return MISSING
    first = repr(found[0])
    return found[0] if all(repr(value) == first for value in found) else MISSING


def of_annotation(module: str, annotation: ast.expr, owner: type | None, is_of_c: bool) -> Value:
    """What is annotated so; MISSING if the annotation does not say what it is."""
    return _Annotations(module, owner, _IN_C if is_of_c else {}, None).value(annotation)


def _result(
    function: Function,
    overload: ast.FunctionDef,
    given: list[tuple[ast.expr | None, Value]],
    numbers: Mapping[type, tuple[type, ...]],
) -> Value:
    if overload.returns is None:
        return MISSING
    texts = {
        kind
        for annotation, value in given
        if annotation is not None and "AnyStr" in ast.unparse(annotation) and (kind := kind_of(value)) is not None
    }
    any_str = texts.pop() if len(texts) == 1 else None
    return _Annotations(function.module, function.owner, numbers, any_str).value(overload.returns)


class _Annotations:
    """The values of annotations in the words of a module."""

    def __init__(
        self, module: str, owner: type | None, numbers: Mapping[type, tuple[type, ...]], any_str: type | None
    ) -> None:
        self.module = module
        self.owner = owner
        self.numbers = numbers
        self.any_str = any_str if any_str in (str, bytes) else None

    def value(self, node: ast.expr) -> Value:
        """An instance of what is annotated."""
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                return self.value(ast.parse(node.value, mode="eval").body)
            return None if node.value is None else MISSING
        if isinstance(node, ast.Subscript):
            return self._of_generic(node)
        if isinstance(node, ast.BinOp):
            return self._of_union(node)
        name = ast.unparse(node)
        if name == "None":
            return None
        if name == "AnyStr":
            return MISSING if self.any_str is None else ScalarValue(self.any_str)
        if name == "Self":
            return MISSING if self.owner is None else _instance(self.owner)
        if (kind := _BUILTINS.get(name)) is not None:
            return self._of_kind(kind)
        if name in ("list", "dict", "set", "tuple"):
            return self._container(name, [])
        return _instance(_real_class(self.module, name))

    def _of_kind(self, kind: type) -> Value:
        kinds = self.numbers.get(kind, ()) if kind in _NUMBERS else (kind,)
        return ScalarValue(*kinds) if kinds else MISSING

    def _of_union(self, node: ast.BinOp) -> Value:
        parts = [self.value(part) for part in members_of_union(node)]
        scalars = [part for part in parts if isinstance(part, ScalarValue)]
        if len(scalars) < len(parts):
            return MISSING
        kinds = dict.fromkeys(itertools.chain.from_iterable(part.kinds for part in scalars))
        return ScalarValue(*kinds) if kinds.keys() <= {int, float, bool} else MISSING

    def _of_generic(self, node: ast.Subscript) -> Value:
        name = ast.unparse(node.value).rpartition(".")[2]
        arguments = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name in ("list", "dict", "set", "tuple", "List", "Dict", "Tuple", "Set"):
            return self._container(name.lower(), arguments)
        if name in _ITERATORS:
            return IteratorValue(None, self._item(arguments[0])) if name != "Iterable" else MISSING
        if name in _TRANSPARENT:
            return self.value(arguments[0])
        if name == "Literal":
            kinds = {type(a.value) for a in arguments if isinstance(a, ast.Constant)}
            return ScalarValue(kinds.pop()) if len(kinds) == 1 and kinds <= {str, int, bool, bytes} else MISSING
        if name in ("Optional", "Union"):
            return MISSING
        return _instance(_real_class(self.module, ast.unparse(node.value)))

    def _container(self, name: str, arguments: list[ast.expr]) -> Value:
        if name == "tuple":
            if not arguments or any(isinstance(a, ast.Constant) and a.value is Ellipsis for a in arguments):
                return MISSING
            return tuple(map(self._item, arguments))
        items = [self._item(a) for a in arguments] or [Unknown("an item of a container that is not known")] * 2
        if name == "dict":
            return DictValue(None, items[0], items[-1])
        return SetValue(None, items[0]) if name == "set" else ListValue(None, items[0])

    def _item(self, node: ast.expr) -> Value:
        found = self.value(node)
        return Unknown(f"{ast.unparse(node)} of Python's library") if found is MISSING else found


def _instance(cls: type | None) -> Value:
    if cls is None:
        return MISSING
    if cls in _BUILTINS.values():
        return ScalarValue(cls)
    return DeclaredValue(cls) if is_usual(cls) and cls.__module__ not in ("abc", "collections.abc") else MISSING


@functools.cache
def is_usual(cls: type) -> bool:
    """Whether it is a class of Python's own library of which a call makes an instance."""
    if type(cls) not in (type, abc.ABCMeta) or cls.__module__ in ("builtins", "typing"):
        return False
    return is_of_python(cls) and not issubclass(cls, BaseException)


def _real_class(module: str, name: str) -> type | None:
    """The class that a name of a stub stands for, if its module is loaded and has it."""
    found = named(module, name) or named("builtins", name)
    if found is None or not isinstance(found[1], ast.ClassDef):
        return None
    real = getattr(sys.modules.get(found[0]), found[1].name, None)
    return real if isinstance(real, type) else None


def _bound(function: ast.FunctionDef, call: Call, skips_first: bool) -> list[tuple[ast.expr | None, Value]] | None:
    """The arguments of a call with the annotations of their parameters; None if the call does not fit."""
    spec = function.args
    if any(isinstance(a, RestArguments) for a in call.args):
        return None
    places = [*spec.posonlyargs, *spec.args][1 if skips_first else 0 :]
    required = len(places) - min(len(spec.defaults), len(places))
    named_only = {p.arg: p for p in spec.kwonlyargs}
    found: list[tuple[ast.expr | None, Value]] = []
    for i, value in enumerate(call.args):
        place = places[i] if i < len(places) else spec.vararg
        if place is None:
            return None
        found.append((place.annotation, value))
    by_name = {p.arg: i for i, p in enumerate(places)}
    for name, value in call.kwargs.items():
        place = named_only.get(name) or (places[by_name[name]] if name in by_name else spec.kwarg)
        if place is None:
            return None
        found.append((place.annotation, value))
    missing = {p.arg for p in places[len(call.args) : required]} - call.kwargs.keys()
    missing |= {p.arg for p, default in zip(spec.kwonlyargs, spec.kw_defaults) if default is None} - call.kwargs.keys()
    return None if missing else found


def kind_of(value: Value) -> type | None:
    """The class of a value of Python's own, if it is known."""
    if isinstance(value, ScalarValue):
        return value.kinds[0] if len(value.kinds) == 1 and value.kinds[0] is not OfNumPy else None
    if isinstance(value, DeclaredValue):
        return value.cls
    if isinstance(value, ListValue | DictValue | SetValue):
        return value.kind
    if isinstance(value, tuple):
        return tuple
    return None if isinstance(value, BaseValue) or not is_of_python(type(value)) else type(value)


def _may_fit(function: Function, annotation: ast.expr, value: Value, depth: int = 0) -> bool:
    """Whether a value may be what a parameter is annotated with; only classes of Python's own are told apart."""
    kind = kind_of(value)
    if kind is None or depth > 8:
        return True
    return any(_may_be(function, part, value, kind, depth) for part in members_of_union(annotation))


def _may_be(function: Function, node: ast.expr, value: Value, kind: type, depth: int) -> bool:
    if isinstance(node, ast.Constant):
        return node.value is not None or kind is type(None)
    if isinstance(node, ast.Subscript):
        if ast.unparse(node.value).rpartition(".")[2] == "Literal":
            choices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            values = [c.value for c in choices if isinstance(c, ast.Constant)]
            return any(type(v) is kind and (isinstance(value, ScalarValue) or v == value) for v in values)
        node = node.value
    name = ast.unparse(node)
    wanted = function.owner if name == "Self" else _BUILTINS.get(name)
    if wanted is None:
        found = named(function.module, name) or named("builtins", name)
        if found is None:
            return True
        if isinstance(found[1], ast.AnnAssign | ast.Assign):  # an alias, or the variable of a type
            alias = found[1].value
            is_alias = alias is not None and not isinstance(alias, ast.Call)
            return not is_alias or _may_fit(replace(function, module=found[0]), alias, value, depth + 1)  # type: ignore[arg-type]
        wanted = _real_class(function.module, name)
        if wanted is None or type(wanted) is not type:  # an abstract class or a protocol, which anything may be
            return True
    is_number = wanted in (float, complex) and kind in (int, float, bool)
    return is_number or issubclass(kind, wanted) or (wanted not in _BUILTINS.values() and issubclass(wanted, kind))


def _are_of_python(call: Call) -> bool:
    """Whether all arguments are numbers and texts of Python, so that nothing of NumPy's is handed on."""
    return all(kind_of(value) in (*_BUILTINS.values(), type(None)) for value in call.values)
