"""What of a file runs in a program that loads it, as far as names tell: its body, its main part, its functions.

This is for questions that are asked before anything is followed, such as what switches x64.  A function is taken to
run if its name is used in code that runs.  Whatever stands under a condition, in a loop or in a handler runs only
sometimes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from arraytyping.checker.flow.sources.statements import statements

__all__ = ["ALWAYS", "SOMETIMES", "FileCode", "Part", "code_written", "read_code", "written"]

SOMETIMES: Final = 1
ALWAYS: Final = 2

_MARKS = ast.Name | ast.Attribute | ast.Compare
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class Part:
    """A part of a file that runs as a whole; what it uses, with whether it does so always or sometimes."""

    name: str
    """The name by which a function is called (that of its class, for `__init__` and its kin); empty for others."""
    lines: list[tuple[int, int]] = field(default_factory=list)
    is_decorated: bool = False
    imports: dict[tuple[str, tuple[str, ...], int], int] = field(default_factory=dict)
    """(module, names, level), as `from module import names` has them; without names for `import module`."""
    own: dict[str, int] = field(default_factory=dict)
    """Names that may be functions of this file."""
    others: dict[str, int] = field(default_factory=dict)
    """Names that may be functions of other files."""


@dataclass
class FileCode:
    """The parts of a file."""

    body: Part
    main: Part
    functions: list[Part]

    @cached_property
    def by_name(self) -> dict[str, list[Part]]:
        """The functions by the names by which they are called."""
        found: dict[str, list[Part]] = {}
        for part in self.functions:
            found.setdefault(part.name, []).append(part)
        return found

    @cached_property
    def decorated(self) -> list[Part]:
        """The functions that have decorators."""
        return [part for part in self.functions if part.is_decorated]

    @property
    def parts(self) -> list[Part]:
        """All of them."""
        return [self.body, self.main, *self.functions]

    def part_of(self, line: int) -> Part:
        """The part in which a line stands."""
        for part in (*self.functions, self.main):
            if any(start <= line <= end for start, end in part.lines):
                return part
        return self.body


def written(code: FileCode) -> list[Any]:
    """The parts of a file as JSON has them."""
    return [
        [part.name, part.lines, part.is_decorated, [[*what, how] for what, how in part.imports.items()], part.own,
         part.others]
        for part in code.parts
    ]  # fmt: skip


def code_written(parts: list[Any]) -> FileCode:
    """The parts of a file that were written."""
    body, main, *functions = [
        Part(
            name, [(start, end) for start, end in lines], is_decorated,
            {(module, tuple(names), level): how for module, names, level, how in imports}, dict(own), dict(others),
        )
        for name, lines, is_decorated, imports, own, others in parts
    ]  # fmt: skip
    return FileCode(body, main, functions)


def read_code(tree: ast.Module) -> FileCode:
    """The parts of a file."""
    return _Reader(tree).code


class _Reader(ast.NodeVisitor):
    def __init__(self, tree: ast.Module) -> None:
        self.code = FileCode(Part(""), Part(""), [])
        self._part = self.code.body
        self._sometimes = 0
        self._class = ""
        self._in_function = False
        nodes = list(statements(tree))
        self._defined = {n.name for n in nodes if isinstance(n, _Function | ast.ClassDef)}
        self._aliases = {
            a.asname or a.name.partition(".")[0]: a.name.rpartition(".")[2]
            for n in nodes
            if isinstance(n, ast.Import | ast.ImportFrom)
            for a in n.names
        }
        self._has_star = "*" in self._aliases
        self.visit(tree)

    def _use(self, held: dict[str, int], name: str, level: int = ALWAYS) -> None:
        held[name] = max(held.get(name, 0), SOMETIMES if self._sometimes else level)

    def _all(self, nodes: Iterable[ast.AST], *, sometimes: bool = False) -> None:
        self._sometimes += sometimes
        for node in nodes:
            self.visit(node)
        self._sometimes -= sometimes

    def generic_visit(self, node: ast.AST) -> None:
        """Visit what is in a node, but for operators and the like, which have no names in them."""
        for name in node._fields:
            held = getattr(node, name, None)
            for inner in held if isinstance(held, list) else (held,):
                if isinstance(inner, ast.AST) and inner._fields:
                    self.visit(inner)

    def visit_Constant(self, node: ast.Constant) -> None:
        pass

    # ------------------------------------------------------------------ parts

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._function(node)

    def _function(self, node: _Function) -> None:
        self._all([*node.decorator_list, node.args])
        if self._in_function:
            self._all(node.body)  # a function inside of one counts as part of it
            return
        is_special = node.name.startswith("__") and node.name.endswith("__")
        name = self._class if is_special and self._class else node.name
        part = Part(name, [(node.lineno, node.end_lineno or node.lineno)], is_decorated=bool(node.decorator_list))
        self.code.functions.append(part)
        held = self._part, self._sometimes
        self._part, self._sometimes, self._in_function = part, 0, True
        self._all(node.body)
        self._part, self._sometimes = held
        self._in_function = False

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._all([*node.decorator_list, *node.bases, *node.keywords])
        held, self._class = self._class, node.name
        self._all(node.body)
        self._class = held

    def visit_If(self, node: ast.If) -> None:
        # Most conditions are neither a name nor a comparison of one, and their text takes long to make.
        test = ast.unparse(node.test) if isinstance(node.test, _MARKS) else ""
        if test in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            self._all(node.orelse)
        elif self._part is self.code.body and test in ("__name__ == '__main__'", "'__main__' == __name__"):
            self._part = self.code.main
            self._part.lines.append((node.lineno, node.body[-1].end_lineno or node.lineno))
            self._all(node.body)
            self._part = self.code.body
            self._all(node.orelse, sometimes=True)
        else:
            self.visit(node.test)
            self._all([*node.body, *node.orelse], sometimes=True)

    # ------------------------------------------------------------------ what runs only sometimes

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        self._all([*node.body, *node.orelse], sometimes=True)

    def visit_While(self, node: ast.While) -> None:
        self._all([node.test, *node.body, *node.orelse], sometimes=True)

    def visit_Match(self, node: ast.Match) -> None:
        self.visit(node.subject)
        self._all(node.cases, sometimes=True)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self._all(node.body, sometimes=True)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.visit(node.test)
        self._all([node.body, node.orelse], sometimes=True)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.visit(node.values[0])
        self._all(node.values[1:], sometimes=True)

    # ------------------------------------------------------------------ what is used

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._import((alias.name, (), 0))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self._import((node.module or "", tuple(a.name for a in node.names), node.level))

    def _import(self, what: tuple[str, tuple[str, ...], int]) -> None:
        held = self._part.imports
        held[what] = max(held.get(what, 0), SOMETIMES if self._sometimes else ALWAYS)

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in self._defined:
            self._use(self._part.own, node.id)
        elif node.id in self._aliases:
            self._use(self._part.others, self._aliases[node.id])
        elif self._has_star:
            self._use(self._part.others, node.id)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        owner = node.value
        if isinstance(owner, ast.Name) and owner.id in ("self", "cls"):
            self._use(self._part.own, node.attr)
            self._use(self._part.others, node.attr, SOMETIMES)
        else:
            root = owner
            while isinstance(root, ast.Attribute):
                root = root.value
            is_module = isinstance(root, ast.Name) and root.id in self._aliases
            self._use(self._part.others, node.attr, ALWAYS if is_module else SOMETIMES)
            self._use(self._part.own, node.attr, SOMETIMES)
        self.visit(owner)
