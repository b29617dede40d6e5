"""Where changes begin: an expression follows another one if a changed array reaches it, or is passed on by it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from arraytyping.checker.flow.porting.noting import Key, key_of
from arraytyping.checker.flow.porting.running import Reading
from arraytyping.checker.flow.values.frames import Module

__all__ = ["Inputs"]

_PASSING: Final = (ast.Name, ast.Starred, ast.Await, ast.IfExp, ast.BoolOp, ast.NamedExpr, ast.Tuple, ast.List)
"""What only passes on the arrays that it is made of."""

Scope = tuple[str, int]
"""A file, and the line of the function around, or 0."""


class Inputs:
    """What reaches the expressions of a program, as one interpretation has seen it."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._bound: defaultdict[tuple[Scope, str], set[Key]] = defaultdict(set)
        self._attributes: defaultdict[str, set[Key]] = defaultdict(set)
        self._scopes: dict[Key, Scope] = {}
        self._returned: defaultdict[Key, set[Key]] = defaultdict(set)
        for module in reading.modules:
            self._enter(module, module.tree, (module.shown, 0), None)

    def of(self, key: Key) -> set[Key]:
        """The expressions whose arrays reach this one: those that made what it passes on, else its parts."""
        node = self._reading.nodes.get(key)
        if node is None:
            return set()
        found = set(self._reading.carried.get(key, ()))
        for callee in self._reading.callees.get(key, ()):
            found |= self._returned.get(callee, set())
        parts = {key_of(module, part) for module, part in self._parts(key, node)}
        if isinstance(node, ast.Name) and not found:
            return self._find(self._scopes.get(key, (key[0], 0)), node.id) - {key}
        attribute = node.target if isinstance(node, ast.AugAssign) else node
        if isinstance(attribute, ast.Attribute) and not found:
            parts |= self._attributes.get(attribute.attr, set())
        # What a call of the program's own function gives was made in it.
        return (found if found and isinstance(node, ast.Call) and key in self._reading.callees else found | parts) - {
            key
        }

    def passes_on(self, key: Key) -> bool:
        """Whether the expression computes nothing itself, so that no change can begin there."""
        node = self._reading.nodes.get(key)
        if isinstance(node, ast.Call):
            return key in self._reading.callees
        if isinstance(node, ast.Attribute | ast.Subscript):
            (owner,) = (self._key_of_part(key, node.value),)
            seen = self._reading.seen.get(owner, {})
            return key in self._reading.carried and not any(
                a.path == () and a.library != "python" for c in seen.values() for s in c for a in s
            )
        return isinstance(node, _PASSING)

    def _key_of_part(self, key: Key, part: ast.AST) -> Key:
        return key_of(self._module(key), part)

    def _module(self, key: Key) -> Module:
        return next(module for module in self._reading.modules if module.shown == key[0])

    def _parts(self, key: Key, node: ast.AST) -> Iterator[tuple[Module, ast.AST]]:
        module = self._module(key)
        if isinstance(node, ast.Subscript | ast.IfExp | ast.NamedExpr):  # no index, no condition
            chosen = [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node.value]
            yield from ((module, part) for part in chosen)
            return
        for child in ast.iter_child_nodes(node):
            if isinstance(node, ast.Call) and child is node.func and isinstance(child, ast.Attribute):
                yield module, child.value  # the array of a method
            elif isinstance(child, ast.expr):
                yield module, child
            elif isinstance(child, ast.keyword | ast.comprehension):
                yield module, child.value if isinstance(child, ast.keyword) else child.iter

    def _find(self, scope: Scope, name: str) -> set[Key]:
        return self._bound.get((scope, name)) or self._bound.get(((scope[0], 0), name)) or set()

    def _enter(self, module: Module, node: ast.AST, scope: Scope, function: Key | None) -> None:
        for child in ast.iter_child_nodes(node):
            inner, callee = scope, function
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                inner, callee = (module.shown, child.lineno), key_of(module, child)
                if isinstance(child, ast.Lambda):
                    self._returned[callee].add(key_of(module, child.body))
            elif isinstance(child, ast.Return) and child.value is not None and function is not None:
                self._returned[function].add(key_of(module, child.value))
            elif isinstance(child, ast.Assign):
                for target in child.targets:
                    self._bind(module, target, child.value, scope)
            elif isinstance(child, ast.AnnAssign | ast.NamedExpr) and child.value is not None:
                self._bind(module, child.target, child.value, scope)
            elif isinstance(child, ast.AugAssign):
                self._bind(module, child.target, child, scope)
            elif isinstance(child, ast.For | ast.AsyncFor | ast.comprehension):
                for source in _iterated(child.iter):
                    self._bind(module, child.target, source, scope)
            if isinstance(child, ast.Name):
                self._scopes[key_of(module, child)] = scope
            self._enter(module, child, inner, callee)

    def _bind(self, module: Module, target: ast.expr, value: ast.AST, scope: Scope) -> None:
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self._bound[scope, node.id].add(key_of(module, value))
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                self._attributes[node.attr].add(key_of(module, value))


def _iterated(iterable: ast.expr) -> list[ast.expr]:
    """What an iterable takes its items from: `x`, and `a` and `b` of `zip(a, b)`, and `d` of `d.values()`."""
    if not isinstance(iterable, ast.Call):
        return [iterable]
    inner = [iterable.func.value] if isinstance(iterable.func, ast.Attribute) else iterable.args
    return [iterable, *(source for argument in inner for source in _iterated(argument))]
