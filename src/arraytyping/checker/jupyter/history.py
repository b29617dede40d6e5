"""What the cells of a session have defined: functions and classes by the statements that made them.

A statement describes an object as long as what it was made of is known, and nothing has changed it since.
"""

from __future__ import annotations

import ast
import copy
import inspect
import types
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from arraytyping.checker.jupyter.unchanged import (
    class_part_holds,
    contents_of,
    defaults_hold,
    is_kept,
    is_of_session,
    is_stable,
    is_unchangeable,
    matches,
)
from arraytyping.checker.notebooks.magics import as_python

__all__ = ["Definition", "History", "names_read", "parsed"]

_MISSING: Final = object()


@dataclass(frozen=True)
class Definition:
    """The statements of one cell that made an object, and what the names in them were."""

    cell: int
    name: str
    """The variable that they bind."""
    statements: tuple[ast.stmt, ...]
    texts: tuple[tuple[int, tuple[str, ...]], ...]
    """Of each the first line in the cell, and its lines."""
    used: Mapping[str, Any]
    made: Any
    contents: Mapping[str, Any] = field(repr=False)

    @property
    def is_unchanged(self) -> bool:
        """Whether nobody has changed the object since."""
        now = contents_of(self.made)
        if now.keys() != self.contents.keys() or any(now[n] is not v for n, v in self.contents.items()):
            return False
        classes = [s for s in self.statements if isinstance(s, ast.ClassDef)]
        if classes:
            return all(class_part_holds(part, self.made) for part in classes[-1].body)
        functions = [s for s in self.statements if isinstance(s, ast.FunctionDef)]
        return all(defaults_hold(inspect.unwrap(self.made), s) for s in functions)


class History:
    """The definitions of a session, by the identity of what they made."""

    def __init__(self) -> None:
        self._by_id: dict[int, Definition] = {}

    def find(self, made: Any) -> Definition | None:
        """The statements that made an object; None if they are not known, or describe it no more."""
        found = self._by_id.get(id(made))
        return found if found is not None and found.made is made and found.is_unchanged else None

    def forget(self) -> None:
        """Forget all."""
        self._by_id.clear()

    def note(self, cell: int, source: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
        """Note what a cell has defined: `before` and `now` are the variables before and after it ran."""
        text = as_python(source)
        tree = parsed(text)
        if tree is None:
            return
        lines = text.split("\n")
        bound = _bindings(tree)
        for name, statements in bound.items():
            made = now.get(name, _MISSING)
            if made is _MISSING or made is before.get(name, _MISSING) or None in statements:
                continue
            found = self._definition(
                cell, name, [s for s in statements if s is not None], bound, before, now, tree, lines
            )
            if found is not None:
                self._by_id[id(made)] = found
        for statement in tree.body:
            if "register" in ast.unparse(statement):
                self._note_registration(statement, bound, before, now, lines)

    def _note_registration(
        self, statement: ast.stmt, bound: Mapping[str, Sequence[ast.stmt | None]], before: Mapping[str, Any],
        now: Mapping[str, Any], lines: Sequence[str],
    ) -> None:  # fmt: skip
        """Note that a class is registered, with jax as a rule; if that is not understood, the class is not known."""
        named = {n: now[n] for n in names_read([statement]) if isinstance(now.get(n), type)}
        for name, cls in named.items():
            known = self._by_id.get(id(cls))
            if known is None or any(s is statement for s in known.statements):
                continue
            values = {n: _value_at(n, statement, bound, before, now) for n in names_read([statement])}
            used = {n: v for n, v in values.items() if v is not _MISSING and n != name}
            is_call = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
            is_clear = is_call and None not in used.values() and all(map(is_stable, used.values()))
            if (
                not is_clear
                or len(named) > 1
                or not used.keys().isdisjoint(known.used.keys() - _same(used, known.used))
            ):
                del self._by_id[id(cls)]
                continue
            self._by_id[id(cls)] = replace(
                known,
                statements=(*known.statements, statement),
                texts=(*known.texts, _text(statement, lines)),
                used={**known.used, **used},
            )

    def _definition(
        self, cell: int, name: str, statements: Sequence[ast.stmt], bound: Mapping[str, Sequence[ast.stmt | None]],
        before: Mapping[str, Any], now: Mapping[str, Any], tree: ast.Module, lines: Sequence[str],
    ) -> Definition | None:  # fmt: skip
        made, used = now[name], {}
        if not is_kept(made) or (isinstance(made, type) and _is_written(name, tree)):
            return None
        for number, statement in enumerate(statements):
            if not isinstance(statement, ast.FunctionDef | ast.ClassDef) and not _is_call(statement):
                return None
            for read in _read_at_once(statement):
                if read == name:
                    if number:
                        continue
                    value = before.get(read, _MISSING)
                else:
                    value = _value_at(read, statement, bound, before, now)
                if value is _MISSING:
                    continue  # a builtin, or one that is not known
                if value is None and bound.get(read):
                    return None
                used[read] = value
            if not all(self._is_known_maker(c, used) for c in _callees(statement)):
                return None
        texts = [_text(statement, lines) for statement in statements]
        if not all(map(is_stable, used.values())) or not matches(made, statements[-1]):
            return None
        return Definition(cell, name, tuple(statements), tuple(texts), used, made, contents_of(made))

    def _is_known_maker(self, callee: ast.expr, used: Mapping[str, Any]) -> bool:
        """Whether what is called is a function of a library, or an unchangeable class of the session."""
        root = callee
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name):
            return False
        value = used.get(root.id, _MISSING)
        if value is _MISSING:
            return root.id in ("property", "staticmethod", "classmethod")
        return isinstance(value, types.ModuleType) or not is_of_session(value) or is_unchangeable(value)


def _same(first: Mapping[str, Any], second: Mapping[str, Any]) -> set[str]:
    return {name for name, value in first.items() if second.get(name) is value}


def parsed(source: str) -> ast.Module | None:
    """The tree of a cell; None if it is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            tree = compile(source, "<cell>", "exec", flags, dont_inherit=True)
            return tree if isinstance(tree, ast.Module) else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def names_read(nodes: Sequence[ast.AST]) -> set[str]:
    """All names in these nodes, read or not: what a cell may ask of the session."""
    found: set[str] = set()
    for node in nodes:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name):
                found.add(inner.id)
            elif isinstance(inner, ast.Global):
                found.update(inner.names)
    return found


def _bindings(tree: ast.Module) -> dict[str, list[ast.stmt | None]]:
    """By name the statements of a cell that bind it; None for one that is not looked at."""
    found: dict[str, list[ast.stmt | None]] = {}
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            found.setdefault(statement.name, []).append(_without_rules(statement))
            known = statement.name
        elif isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):  # fmt: skip  # noqa: E501
            known = statement.targets[0].id
            found.setdefault(known, []).append(statement)
        else:
            known = ""
        for name in _bound_in(statement):
            if name != known:
                found.setdefault(name, []).append(None)
    return found


def _without_rules(statement: ast.FunctionDef | ast.ClassDef) -> ast.stmt:
    """A function without decorators that make it a rule of another one, and leave it as it is: `@f.defjvp`."""
    decorators = statement.decorator_list
    if isinstance(statement, ast.ClassDef) or not decorators:
        return statement
    if not all(isinstance(d, ast.Attribute) and d.attr == "defjvp" for d in decorators):
        return statement
    plain = copy.copy(statement)
    plain.decorator_list = []
    return plain


def _bound_in(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement binds, in its functions only those that are declared global."""
    nodes: list[ast.AST] = [statement]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            if not isinstance(node, ast.Lambda):
                yield node.name
            for inner in ast.walk(node):
                if isinstance(inner, ast.Global):
                    yield from inner.names
            continue
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name
        nodes += ast.iter_child_nodes(node)


def _is_call(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call | ast.Lambda)


def _text(statement: ast.stmt, lines: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    """The lines of a statement, and which the first is."""
    first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", ()))])
    last = statement.end_lineno or first
    if statement.col_offset or lines[last - 1].encode()[statement.end_col_offset or 0 :].lstrip().startswith(b";"):
        return first, tuple(ast.unparse(statement).split("\n"))
    return first, tuple(lines[first - 1 : last])


def _read_at_once(statement: ast.stmt) -> set[str]:
    """The names that are read while a definition is executed, and not when what it makes is called."""
    if isinstance(statement, ast.FunctionDef):
        arguments = statement.args
        parts: list[Any] = [*statement.decorator_list, *arguments.defaults, *arguments.kw_defaults, statement.returns]
        every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
        parts += [argument.annotation for argument in every if argument is not None]
        return names_read([part for part in parts if part is not None])
    if isinstance(statement, ast.ClassDef):
        found = names_read([*statement.decorator_list, *statement.bases, *statement.keywords])
        own: set[str] = set()
        for inner in statement.body:
            found |= (_read_at_once(inner) if isinstance(inner, ast.FunctionDef) else names_read([inner])) - own
            own |= {*_bound_in(inner)}
        return found
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda):
        arguments = statement.value.args
        return names_read([part for part in (*arguments.defaults, *arguments.kw_defaults) if part is not None])
    return names_read([statement.value]) if isinstance(statement, ast.Assign) else names_read([statement])


def _callees(statement: ast.stmt) -> Iterator[ast.expr]:
    """What is called to make an object: decorators, and functions that are called with its parts."""
    nodes: list[ast.AST] = []
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        for decorator in statement.decorator_list:
            if isinstance(decorator, ast.Call):
                nodes.append(decorator)
            else:
                yield decorator
        inner = statement.body if isinstance(statement, ast.ClassDef) else []
        for part in inner:
            if isinstance(part, ast.FunctionDef):
                yield from _callees(part)
            else:
                nodes.append(part)
        if isinstance(statement, ast.ClassDef):
            yield from statement.bases
    elif isinstance(statement, ast.Assign) and not isinstance(statement.value, ast.Lambda):
        nodes.append(statement.value)
    for node in nodes:
        yield from (call.func for call in ast.walk(node) if isinstance(call, ast.Call))


def _value_at(
    name: str, statement: ast.stmt, bound: Mapping[str, Sequence[ast.stmt | None]],
    before: Mapping[str, Any], now: Mapping[str, Any],
) -> Any:  # fmt: skip
    """What a name was when a statement of the cell was executed; None if that cannot be told."""
    here = bound.get(name, ())
    if not here:
        return now.get(name, _MISSING)
    if len(here) > 1 or now.get(name, _MISSING) is _MISSING:
        return None
    first = here[0]
    if first is None:  # an import, a loop, ...: what it is now, if no other cell had it before
        return now[name] if name not in before or now[name] is before[name] else None
    return now[name] if first.lineno < statement.lineno else before.get(name, _MISSING)


def _is_written(name: str, tree: ast.Module) -> bool:
    """Whether a cell writes to the attributes of what is called so."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            if isinstance(node.value, ast.Name) and node.value.id == name:
                return True
        elif isinstance(node, ast.Name) and node.id in ("setattr", "delattr", "exec", "eval"):
            return True
    return False
