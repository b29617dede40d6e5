"""Aliases of jaxtyping's annotations, `Image = Float32[Array, "height width 3"]`, read off their module.

mypy takes the first part of `Annotated[...]` where an alias is made and forgets the rest, which is all that jaxtyping
says.  So an alias of an array is looked up in the text of its module.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from mypy.nodes import MypyFile, SymbolTableNode, TypeAlias
from mypy.types import Instance, get_proper_type

from arraytyping_mypy.names import ARRAYS, LIBRARIES

__all__ = ["find_alias"]


def find_alias(
    fullname: str, symbol: SymbolTableNode | None, modules: Mapping[str, MypyFile] | None
) -> tuple[str, str] | None:
    """Jaxtyping's name and the dimension string of which something is an alias; None if it is none."""
    alias = None if symbol is None else symbol.node
    if not isinstance(alias, TypeAlias) or alias.alias_tvars or fullname.partition(".")[0] in LIBRARIES:
        return None
    target = get_proper_type(alias.target)
    module, _, name = fullname.rpartition(".")
    tree = None if modules is None else modules.get(module)
    if not isinstance(target, Instance) or target.type.fullname not in ARRAYS or tree is None:
        return None
    path = Path(tree.path)
    try:
        return _aliases(path, path.stat().st_mtime_ns).get(name)
    except OSError:
        return None


@lru_cache(maxsize=256)
def _aliases(path: Path, _written: int) -> dict[str, tuple[str, str]]:
    """The aliases of annotations that a file binds once, at its top level."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return {}
    names = {a.asname or a.name: a.name for n in _imports(tree) for a in n.names}
    found: dict[str, tuple[str, str]] = {}
    bound: set[str] = set()
    for target, value in _assigned(tree):
        if target in bound:
            found.pop(target, None)
        elif (what := _annotation(value, names)) is not None:
            found[target] = what
        bound.add(target)
    return found


def _imports(tree: ast.Module) -> Iterator[ast.ImportFrom]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "jaxtyping":
            yield node


def _assigned(tree: ast.Module) -> Iterator[tuple[str, ast.expr | None]]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=value):
                yield name, value
            case _ if type(node).__name__ == "TypeAlias":  # from Python 3.12 on
                yield node.name.id, node.value  # type: ignore[attr-defined]


def _annotation(value: ast.expr | None, names: dict[str, str]) -> tuple[str, str] | None:
    match value:
        case ast.Subscript(value=base, slice=ast.Tuple(elts=[_, ast.Constant(value=str() as text)])):
            if isinstance(base, ast.Name) and base.id in names:
                return names[base.id], text
            if isinstance(base, ast.Attribute):
                return base.attr, text
    return None
