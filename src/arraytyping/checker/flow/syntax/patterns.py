"""Patterns of `match`: whether a value matches, and what the pattern binds.

Source: https://docs.python.org/3/reference/compound_stmts.html#the-match-statement.
"""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.python.fields import positional_fields
from arraytyping.checker.flow.python.held_containers import contents_of, is_container
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join
from arraytyping.checker.flow.values import (
    ArrayValue,
    ClassValue,
    DictValue,
    InstanceValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    UnionValue,
    Unknown,
    Value,
    is_concrete,
)
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["Bindings", "compares", "match"]

Bindings = dict[str, Any]


def match(it: Interpreter, pattern: ast.pattern, value: Value, frame: Frame, bindings: Bindings) -> bool | None:
    """Whether the value matches, None if that is not known; what is bound goes into `bindings`."""
    if isinstance(value, UnionValue):
        results = set()
        for alternative in value.values:
            bound: Bindings = {}
            result = match(it, pattern, alternative, frame, bound)
            results.add(result)
            if result is not False:
                for name, v in bound.items():
                    bindings[name] = join(bindings[name], v) if name in bindings else v
        return results.pop() if len(results) == 1 else None
    if isinstance(pattern, ast.MatchAs):
        matches = True if pattern.pattern is None else match(it, pattern.pattern, value, frame, bindings)
        if pattern.name is not None:
            bindings[pattern.name] = value
        return matches
    if isinstance(pattern, ast.MatchValue):
        return _equal(it, value, it.evaluate(pattern.value, frame), pattern)
    if isinstance(pattern, ast.MatchSingleton):
        if isinstance(value, Unknown | ScalarValue):
            # `case True` compares by identity, so that no number matches it.
            return None if isinstance(value, Unknown) or (pattern.value is not None and bool in value.kinds) else False
        return value is pattern.value
    if isinstance(pattern, ast.MatchOr):
        return _any(it, pattern, value, frame, bindings)
    if isinstance(pattern, ast.MatchSequence):
        return _sequence(it, pattern, value, frame, bindings)
    if isinstance(pattern, ast.MatchMapping):
        return _mapping(it, pattern, value, frame, bindings)
    if isinstance(pattern, ast.MatchClass):
        return _class(it, pattern, value, frame, bindings)
    _bind_all(pattern, bindings)
    return None


def compares(pattern: ast.pattern) -> bool:
    """Whether a pattern asks for nothing but the subject's value."""
    if isinstance(pattern, ast.MatchAs):
        return pattern.pattern is None or compares(pattern.pattern)
    if isinstance(pattern, ast.MatchOr):
        return all(map(compares, pattern.patterns))
    return isinstance(pattern, ast.MatchValue | ast.MatchSingleton)


def _bind_all(pattern: ast.AST, bindings: Bindings) -> None:
    """Everything below a pattern is bound to something unknown."""
    for node in ast.walk(pattern):
        for name in (getattr(node, "name", None), getattr(node, "rest", None)):
            if isinstance(name, str):
                bindings[name] = Unknown("a part of a pattern's unknown subject")


def _equal(it: Interpreter, value: Value, expected: Value, node: ast.AST) -> bool | None:
    with it.quietly():
        return it.truth(it.binary("eq", value, expected, None), None)


def _any(it: Interpreter, pattern: ast.MatchOr, value: Value, frame: Frame, bindings: Bindings) -> bool | None:
    possible = False
    for alternative in pattern.patterns:
        bound: Bindings = {}
        matches = match(it, alternative, value, frame, bound)
        if matches is not False:
            for name, v in bound.items():
                bindings[name] = join(bindings[name], v) if name in bindings and possible else v
        if matches:
            return None if possible else True
        possible = possible or matches is None
    return None if possible else False


def _all(results: list[bool | None]) -> bool | None:
    return False if False in results else None if None in results else True


def _sequence(
    it: Interpreter, pattern: ast.MatchSequence, value: Value, frame: Frame, bindings: Bindings
) -> bool | None:
    value = _held(value)
    if isinstance(value, tuple):
        items: list[Any] | None = list(value)
    elif isinstance(value, ListValue):
        items = value.items
    elif isinstance(value, Unknown):
        items = None
    else:
        return False
    patterns = pattern.patterns
    star = next((i for i, p in enumerate(patterns) if isinstance(p, ast.MatchStar)), None)
    if items is None:
        _bind_all(pattern, bindings)
        return None
    if star is None:
        if len(items) != len(patterns):
            return False
        return _all([match(it, p, v, frame, bindings) for p, v in zip(patterns, items)])
    after = len(patterns) - star - 1
    if len(items) < len(patterns) - 1:
        return False
    end = len(items) - after
    name = patterns[star].name  # type: ignore[attr-defined]
    if name is not None:
        bindings[name] = ListValue(items[star:end])
    pairs = [*zip(patterns[:star], items[:star]), *zip(patterns[star + 1 :], items[end:])]
    return _all([match(it, p, v, frame, bindings) for p, v in pairs])


def _held(value: Value) -> Value:
    """What an instance of a class that derives from `dict` or `list` is, to a pattern."""
    if not isinstance(value, InstanceValue) or not is_container(value):
        return value
    held = contents_of(value)
    return Unknown("a container of which nothing is known any more") if held is None else held


def _mapping(it: Interpreter, pattern: ast.MatchMapping, value: Value, frame: Frame, bindings: Bindings) -> bool | None:
    value = _held(value)
    if not isinstance(value, DictValue) or value.items is None:
        _bind_all(pattern, bindings)
        return None if isinstance(value, Unknown | DictValue) else False
    results: list[bool | None] = []
    used = []
    for key_node, inner in zip(pattern.keys, pattern.patterns):
        key = it.evaluate(key_node, frame)
        if not is_concrete(key):
            _bind_all(pattern, bindings)
            return None
        if key not in value.items:
            return False
        used.append(key)
        results.append(match(it, inner, value.items[key], frame, bindings))
    if pattern.rest is not None:
        bindings[pattern.rest] = DictValue({k: v for k, v in value.items.items() if k not in used})
    return _all(results)


def _class(it: Interpreter, pattern: ast.MatchClass, value: Value, frame: Frame, bindings: Bindings) -> bool | None:
    cls = it.evaluate(pattern.cls, frame)
    with it.quietly():
        is_one = it.truth(it.call(isinstance, [value, cls], {}, None), None)
    if is_one is False:
        return False
    names: list[Any] = []
    if pattern.patterns:
        if cls in (bool, bytes, dict, float, int, list, set, str, tuple) and len(pattern.patterns) == 1:
            inner = match(it, pattern.patterns[0], value, frame, bindings)
            return inner if is_one else (None if inner is not False else False)
        if isinstance(cls, ClassValue):
            declared = cls.find("__match_args__")
            names = list(declared) if isinstance(declared, tuple) else positional_fields(cls)
        else:
            _bind_all(pattern, bindings)
            return None
    if not isinstance(value, InstanceValue | ArrayValue | NumPyValue | tuple):
        _bind_all(pattern, bindings)
        return is_one if not (pattern.patterns or pattern.kwd_patterns) else None
    results: list[bool | None] = [is_one]
    wanted = [*zip(names, pattern.patterns), *zip(pattern.kwd_attrs, pattern.kwd_patterns)]
    for name, inner_pattern in wanted:
        with it.quietly():
            attribute = it.get_attribute(value, name, None)
        results.append(match(it, inner_pattern, attribute, frame, bindings))
    return _all(results)
