"""The annotation of a parameter that says what is known of it, in the words of jaxtyping."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from arraytyping.checker.claims import Claim, ExpressionClaims, Position
from arraytyping.checker.lsp.hints import parameters_of
from arraytyping.checker.lsp.sources import Edit, import_edit, imports_of
from arraytyping.checker.program_trees import parsed
from arraytyping.semantics.avals import dim_str

__all__ = ["annotation_edits"]

_NAMES: Final = "nmkpqrstuvw"
_SPECIAL: Final = {"bool": "Bool", "bfloat16": "BFloat16", "key<fry>": "Key"}
_KINDS: Final = {"uint": "UInt", "int": "Int", "float": "Float", "complex": "Complex"}


def annotation_edits(
    source: str, line: int, column: int, known: Mapping[Position, ExpressionClaims]
) -> tuple[str, list[Edit]] | None:
    """The name of the parameter at a place with the edits that annotate it; None if not all of it is known."""
    tree = parsed(source)
    if tree is None:
        return None
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for argument, claims in parameters_of(function, known):
            if argument.lineno != line or not argument.col_offset <= column <= (argument.end_col_offset or 0):
                continue
            written = _annotation(claims, _used(function))
            return None if written is None else _edits(tree, argument, *written)
    return None


def _edits(tree: ast.Module, argument: ast.arg, cls: str, shape: str) -> tuple[str, list[Edit]] | None:
    imports = imports_of(tree)
    bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    bound |= {n.name for n in ast.walk(tree) if isinstance(n, ast.ClassDef | ast.FunctionDef)}
    missing = []
    for name, sources in (("Array", ("jaxtyping.Array", "jax.Array")), (cls, (f"jaxtyping.{cls}",))):
        if name in bound or imports.get(name, sources[0]) not in sources:
            return None
        if name not in imports:
            missing.append(name)
    end = (argument.end_lineno or argument.lineno, argument.end_col_offset or 0)
    edits = [Edit(*end, *end, f': {cls}[Array, "{shape}"]')]
    if missing:
        edits.append(import_edit(tree, f"from jaxtyping import {', '.join(missing)}"))
    return argument.arg, edits


def _annotation(claims: Sequence[Claim], used: frozenset[str]) -> tuple[str, str] | None:
    """The class and the text of the shape, with names for sizes that vary; equal ones where sizes vary together."""
    dtypes, ranks = {c.dtype for c in claims}, {None if c.shape is None else len(c.shape) for c in claims}
    if len(dtypes) != 1 or len(ranks) != 1 or not all(c.is_dtype_known and c.is_shape_known for c in claims):
        return None
    cls = _class(dtypes.pop() or "")
    if cls is None:
        return None
    free = _free(used)
    names: dict[tuple[str, ...], str] = {}
    texts = []
    for sizes in zip(*(c.shape or () for c in claims)):
        column = tuple(map(dim_str, sizes))
        if len({*column}) > 1 and column not in names:
            names[column] = next(free)
        texts.append(names.get(column, column[0]))
    return cls, " ".join(texts)


def _class(dtype: str) -> str | None:
    if dtype in _SPECIAL:
        return _SPECIAL[dtype]
    kind = dtype.rstrip("0123456789")
    return f"{_KINDS[kind]}{dtype.removeprefix(kind)}" if kind in _KINDS else None


def _used(function: ast.AST) -> frozenset[str]:
    """The words in texts of a function, among which the names of sizes are."""
    texts = [n.value for n in ast.walk(function) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return frozenset(word for text in texts for word in text.split())


def _free(used: frozenset[str]) -> Iterator[str]:
    names = itertools.chain(_NAMES, (f"n{number}" for number in itertools.count()))
    return (name for name in names if name not in used)
