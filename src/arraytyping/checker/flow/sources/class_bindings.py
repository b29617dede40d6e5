"""What the classes of a file have of their own: names in their bodies, bases, and the attributes that functions bind.

Classes are known by their names here, across files, so that one of the same name counts as well.
"""

from __future__ import annotations

import ast
import builtins
import functools
import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from arraytyping.checker.flow.sources.statements import inner_statements, nodes_of

__all__ = ["ANY_NAME", "ClassBody", "ClassesBeside", "FileClasses", "ProjectClasses", "Store", "classes_in"]

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_LEAVES: Final = (ast.Name, ast.Constant, ast.expr_context, ast.operator, ast.cmpop)
"""Nodes in which nothing is bound."""
ANY_NAME: Final = "*"
"""An attribute, or a base, whose name is not known."""


@dataclass(frozen=True)
class Store:
    """An attribute that a function binds; `owner` is the name of the class of whose `self` it does, "" for others."""

    name: str
    function: ast.AST | None
    owner: str


@dataclass(frozen=True)
class ClassBody:
    """A class: the names of its bases, `*` for one that is no name of a class, and the names that its body binds."""

    name: str
    node: ast.ClassDef | None
    bases: frozenset[str]
    bound: frozenset[str]


@dataclass(frozen=True)
class FileClasses:
    """What one file says."""

    stores: tuple[Store, ...]
    classes: tuple[ClassBody, ...]


@dataclass(frozen=True)
class ClassesBeside:
    """What files that a run may not load say; two are equal where all of it is the same."""

    digest: int = 0
    files: tuple[tuple[str, FileClasses], ...] = field(default=(), compare=False)
    """The files of the project, by their paths."""
    own: frozenset[str] = field(default=frozenset(), compare=False)
    """Those of them that are the run's, and not beside it."""
    is_closed: bool = True
    """Whether there are no other files."""


class ProjectClasses:
    """What the files of a project say: put together once, however many runs ask for what is beside them."""

    def __init__(self, trees: Iterable[tuple[str, ast.Module]]) -> None:
        """Where in a file something is said is forgotten, so that edits that bind nothing new change nothing."""
        self._files = tuple((path, _without_places(classes_in(tree))) for path, tree in trees)
        self._digests = {path: _digest(path, found) for path, found in self._files}
        self._total = sum(self._digests.values())

    def beside(self, own: Iterable[str], *, is_closed: bool) -> ClassesBeside:
        """What all files but these say."""
        left_out = frozenset(own)
        # Of a sum the files of one run are taken away without a look at the others.
        digest = self._total - sum(self._digests.get(path, 0) for path in left_out)
        return ClassesBeside(digest, self._files, left_out, is_closed)


def _digest(path: str, found: FileClasses) -> int:
    said = path, found.stores, sorted((c.name, sorted(c.bases), sorted(c.bound)) for c in found.classes)
    return int.from_bytes(hashlib.sha256(repr(said).encode()).digest())


def _without_places(found: FileClasses) -> FileClasses:
    stores = sorted({(s.name, s.owner) for s in found.stores})
    return FileClasses(
        tuple(Store(name, None, owner) for name, owner in stores),
        tuple(replace(c, node=None) for c in found.classes),
    )


@functools.lru_cache(maxsize=4096)
def classes_in(tree: ast.Module) -> FileClasses:
    """The attributes that are bound in a file, and its classes."""
    imported = _imported(tree)
    nodes = [node for node in nodes_of(tree) if isinstance(node, ast.ClassDef)]
    names = {node.name for node in nodes}
    classes = [
        ClassBody(
            node.name,
            node,
            frozenset(_base(base, imported, names) for base in node.bases),
            frozenset(_bound_in_body(node)),
        )
        for node in nodes
    ]
    stores: list[Store] = []
    _add_stores(stores, tree, None, "", "")
    return FileClasses(tuple(stores), tuple(classes))


def _bound_in_body(node: ast.AST) -> Iterator[str]:
    """The names that the body of a class binds, fields that have no value among them."""
    for child in inner_statements(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield child.name
            continue
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in child.names)
        inner = set(inner_statements(child))
        for part in ast.iter_child_nodes(child):
            if part not in inner:
                yield from (n.id for n in ast.walk(part) if isinstance(n, ast.Name) and type(n.ctx) is ast.Store)
        yield from _bound_in_body(child)


def _imported(tree: ast.Module) -> dict[str, str]:
    """The names that a module imports, with those that they have where they come from."""
    return {
        alias.asname or alias.name.partition(".")[0]: alias.name.rpartition(".")[2]
        for node in nodes_of(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }


def _base(base: ast.expr, imported: Mapping[str, str], classes: Collection[str]) -> str:
    """The name of a class that another one derives from; `*` if it is not known."""
    if isinstance(base, ast.Subscript):
        base = base.value
    if isinstance(base, ast.Call) and ast.unparse(base.func).rpartition(".")[2] in ("namedtuple", "NamedTuple"):
        return "tuple"
    if isinstance(base, ast.Attribute):
        return base.attr
    if not isinstance(base, ast.Name):
        return ANY_NAME
    if base.id in imported:
        return imported[base.id]
    return base.id if base.id in classes or base.id in _BUILTINS else ANY_NAME


_BUILTINS: Final = frozenset(name for name, value in vars(builtins).items() if isinstance(value, type))


def _add_stores(found: list[Store], node: ast.AST, function: _Function | None, owner: str, self_name: str) -> None:
    """Add what is bound below a node; `self_name` is the first parameter of the method of `owner` that it is in."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Function):
            arguments = [*child.args.posonlyargs, *child.args.args]
            is_method = isinstance(node, ast.ClassDef) and bool(arguments) and not _is_static(child)
            inner = (node.name, arguments[0].arg) if is_method and isinstance(node, ast.ClassDef) else ("", "")
            _add_stores(found, child, child, *inner)
            continue
        if isinstance(child, ast.Attribute) and not isinstance(child.ctx, ast.Load):
            is_own = bool(owner) and isinstance(child.value, ast.Name) and child.value.id == self_name
            found.append(Store(child.attr, function, owner if is_own else ""))
        elif isinstance(child, ast.Attribute) and child.attr in ("__dict__", "__setattr__", "__setstate__"):
            found.append(Store(ANY_NAME, function, ""))
        elif isinstance(child, ast.Call) and isinstance(child.func, ast.Name) and child.func.id in ("setattr", "vars"):
            name = child.args[1] if child.func.id == "setattr" and len(child.args) > 1 else None
            known = name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ANY_NAME
            found.append(Store(known, function, ""))
        if not isinstance(child, _LEAVES):
            _add_stores(found, child, function, owner, self_name)


def _is_static(function: _Function) -> bool:
    """Whether the first parameter of a function in a class may be anything."""
    decorators = () if isinstance(function, ast.Lambda) else function.decorator_list
    return isinstance(function, ast.Lambda) or any(ast.unparse(d) == "staticmethod" for d in decorators)
