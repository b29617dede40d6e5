"""The instrumenter: every expression that may make an array is wrapped in a call, which gets its value and returns it.

`x + y` becomes `seen(seen(x, 1) + seen(y, 2), 3)`.  `seen` is a name that no program can write, found among the
builtins, so that nothing is added to a module.  The numbers stand for positions.  Everything keeps its place in the
source, so that tracebacks read as before.

Left alone are what is no value (targets, annotations, patterns, names of keywords), what never is an array (constants,
strings, lambdas, dicts, generators, `is` and `in`), and what is called: `f` in `f(x)`.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from types import CodeType
from typing import Any, Final

from arraytyping.checker.boundary.sites import bound_targets
from arraytyping.checker.claims import Position, position_of

__all__ = ["Numbering", "compile_instrumented", "instrument"]

Numbering = Callable[[Position], int]
"""Gives a position its number, which is at least 1; what is observed under 0 is forgotten."""

_VALUES: Final = (
    ast.Attribute, ast.Await, ast.BinOp, ast.BoolOp, ast.Call, ast.Compare, ast.IfExp, ast.List, ast.ListComp, ast.Name,
    ast.NamedExpr, ast.Subscript, ast.Tuple, ast.UnaryOp, ast.Yield, ast.YieldFrom,
)  # fmt: skip
_NO_VALUES: Final = {
    "annotation", "returns", "type_params",  # types, which may not be evaluated at all
    "pattern", "patterns",
}  # fmt: skip
_NO_ARRAYS: Final = frozenset({"super", "__class__", "__debug__"})
_IDENTITIES: Final = (ast.Is, ast.IsNot, ast.In, ast.NotIn)
_DEEP: Final = 20_000
"""The recursion limit while a module is compiled: nesting becomes twice as deep."""


def compile_instrumented(
    source: bytes | str, path: str, seen: str, numbering: Numbering, *, bound: bool = False
) -> CodeType:
    """Compile a module with its expressions wrapped in calls of `seen`; one that is nested too deep, as it stands.

    With `bound`, `seen` also gets what loops bind in each round, and the parameters of functions.

    Raises:
        SyntaxError: as without the instrumentation.
    """
    # Python's own warnings about the source come here, once.
    plain = compile(source, path, "exec", dont_inherit=True)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _DEEP))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = instrument(ast.parse(source, path), seen, numbering, bound=bound)
            return compile(tree, path, "exec", dont_inherit=True)
    except (RecursionError, MemoryError):
        return plain
    finally:
        sys.setrecursionlimit(limit)


def instrument(tree: ast.Module, seen: str, numbering: Numbering, *, bound: bool = False) -> ast.Module:
    """Wrap the expressions of a tree, which is changed, in calls of `seen`."""
    transformer = _Instrumenter(seen, bound)
    transformer.visit(tree)
    # In f-strings Python 3.11 gives some expressions the position of others: what comes there could be either's.
    counts = Counter(position for position, _ in transformer.wrapped)
    for position, number in transformer.wrapped:
        if counts[position] == 1:
            number.value = numbering(position)
    return tree


class _Instrumenter(ast.NodeTransformer):
    def __init__(self, seen: str, bound: bool) -> None:
        self._seen = seen
        self._bound = bound
        self.wrapped: list[tuple[Position, ast.Constant]] = []

    def visit(self, node: ast.AST) -> Any:
        """Instrument what a node contains, and wrap it if it is a value."""
        self._visit_children(node)
        if self._bound:
            self._show_bound(node)
        return self._wrap(node) if isinstance(node, _VALUES) and _may_be_array(node) else node

    def _visit_children(self, node: ast.AST) -> None:
        if isinstance(node, ast.pattern) or type(node).__name__ == "TypeAlias":
            return
        for name, value in ast.iter_fields(node):
            if name in _NO_VALUES:
                continue
            if isinstance(value, list):
                value[:] = [self.visit(v) if isinstance(v, ast.AST) else v for v in value]
            elif isinstance(value, ast.AST):
                if (name == "func" and isinstance(node, ast.Call)) or (name == "slice" and _has_slices(value)):
                    self._visit_children(value)
                else:
                    setattr(node, name, self.visit(value))

    def _show_bound(self, node: ast.AST) -> None:
        """Let `seen` get what a loop has bound, or a function was given, before anything else is done with it."""
        for target in bound_targets(node):
            shown = self._wrap(_as_read(target), target)
            if isinstance(node, ast.comprehension):
                is_true = ast.copy_location(ast.Constant(True), target)
                pair = ast.copy_location(ast.Tuple([shown, is_true], ast.Load()), target)
                last = ast.copy_location(ast.Constant(1), target)
                node.ifs.insert(0, ast.copy_location(ast.Subscript(pair, last, ast.Load()), target))
            else:
                assert isinstance(node, ast.For | ast.AsyncFor)
                node.body.insert(0, ast.copy_location(ast.Expr(shown), target))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = node.args
            given = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
            names = [self._wrap(ast.copy_location(ast.Name(p.arg, ast.Load()), p), p) for p in given]
            at = 0 if ast.get_docstring(node, clean=False) is None else 1
            node.body[at:at] = [ast.copy_location(ast.Expr(name), name) for name in names]

    def _wrap(self, node: ast.expr, at: ast.expr | ast.arg | None = None) -> ast.Call:
        """An expression in a call of `seen`, with the number of its place, or of another one."""
        number = ast.copy_location(ast.Constant(0), node)
        name = ast.copy_location(ast.Name(self._seen, ast.Load()), node)
        position = position_of(node if at is None else at)
        self.wrapped.append((position, number))
        return ast.copy_location(ast.Call(name, [node, number], []), node)


def _as_read(target: ast.expr) -> ast.expr:
    """What is bound, as an expression that reads it again."""
    if isinstance(target, ast.Tuple | ast.List):
        return ast.copy_location(ast.Tuple([_as_read(e) for e in target.elts], ast.Load()), target)
    assert isinstance(target, ast.Name)
    return ast.copy_location(ast.Name(target.id, ast.Load()), target)


def _has_slices(index: ast.AST) -> bool:
    """Whether an index is a slice or a tuple with one, which only stands in brackets."""
    return isinstance(index, ast.Slice) or (
        isinstance(index, ast.Tuple) and any(isinstance(e, ast.Slice) for e in index.elts)
    )


def _may_be_array(node: ast.expr) -> bool:
    if not isinstance(getattr(node, "ctx", None), ast.Load | None):
        return False
    match node:
        case ast.Name(id=name):
            return name not in _NO_ARRAYS
        case ast.Compare(ops=ops):
            return not all(isinstance(op, _IDENTITIES) for op in ops)
        case ast.UnaryOp(op=op):
            return not isinstance(op, ast.Not)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return not all(isinstance(e, ast.Constant) for e in elements)
    return True
