"""What stands beside names in an editor: the dtype and shape of what is assigned, and of parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arraytyping.checker.claims import Claim, ExpressionClaims, FileClaims, Position, position_of
from arraytyping.checker.flow.sources.statements import statements
from arraytyping.checker.program_trees import parsed
from arraytyping.semantics.avals import Shape, dim_str

__all__ = ["Hint", "bound_at", "hints_of", "parameters_of", "shown_claims"]

_MOST: Final = 3
"""So many alternatives of one value are shown."""
_UNKNOWN: Final = "?"


@dataclass(frozen=True, slots=True)
class Hint:
    """A text that stands behind a name, at this place."""

    line: int
    column: int
    text: str


def hints_of(source: str, claims: FileClaims) -> list[Hint]:
    """The hints for a file; none for what nothing is known of."""
    tree = parsed(source)
    if tree is None:
        return []
    known = {e.position: e for e in claims.expressions}
    found = [*_hints(tree, known), *(_of_named(tree, known) if ":=" in source else ())]
    return sorted(found, key=lambda hint: (hint.line, hint.column))


def _hints(tree: ast.Module, known: Mapping[Position, ExpressionClaims]) -> Iterator[Hint]:
    for node in statements(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            yield from _of_target(node.targets[0], known.get(position_of(node.value)))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _of_parameters(node, known)


def _of_named(tree: ast.Module, known: Mapping[Position, ExpressionClaims]) -> Iterator[Hint]:
    for node in ast.walk(tree):
        if isinstance(node, ast.NamedExpr):
            yield from _of_target(node.target, known.get(position_of(node.value)))


def _of_target(target: ast.expr, found: ExpressionClaims | None) -> Iterator[Hint]:
    if found is None:
        return
    if isinstance(target, ast.Tuple | ast.List):
        for number, element in enumerate(target.elts):
            claims = [c for c in found.claims if c.item == (number,)]
            if isinstance(element, ast.Name) and (text := shown_claims(claims)):
                yield _behind(element, text)
    elif isinstance(target, ast.Name | ast.Attribute):
        claims = [c for c in found.claims if c.item == ()]
        if len(claims) == len(found.claims) and (text := shown_claims(claims)):
            yield _behind(target, text)


def bound_at(
    source: str, known: Mapping[Position, ExpressionClaims], line: int, column: int
) -> ExpressionClaims | None:
    """What is known of a name that is bound at a place: of what is assigned to it, or of a parameter."""

    def is_here(node: ast.expr | ast.arg) -> bool:
        begin, end = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
        return begin <= (line, column) <= end

    tree = parsed(source)
    for node in () if tree is None else ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(t, ast.Name | ast.Attribute) and is_here(t) for t in _targets(targets)):
                return known.get(position_of(node.value))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for argument, read in _first_reads(node, known):
                if is_here(argument):
                    return known[position_of(read)]
    return None


def _targets(targets: Sequence[ast.expr]) -> Iterator[ast.expr]:
    for target in targets:
        yield from _targets(target.elts) if isinstance(target, ast.Tuple | ast.List) else [target]


def parameters_of(
    function: ast.FunctionDef | ast.AsyncFunctionDef, known: Mapping[Position, ExpressionClaims]
) -> Iterator[tuple[ast.arg, tuple[Claim, ...]]]:
    """Parameters without annotations, with what they hold where they are read first, if nothing binds them before."""
    for argument, read in _first_reads(function, known):
        found = known[position_of(read)]
        if argument.annotation is None and all(c.item == () for c in found.claims):
            yield argument, found.claims


def _first_reads(
    function: ast.FunctionDef | ast.AsyncFunctionDef, known: Mapping[Position, ExpressionClaims]
) -> Iterator[tuple[ast.arg, ast.Name]]:
    """Parameters, with where they are read first, if nothing binds them before."""
    arguments = function.args
    parameters = {id(a): a for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    left = {a.arg for a in parameters.values()}
    own = {*parameters, id(arguments.vararg), id(arguments.kwarg)}
    reads: dict[str, ast.Name] = {}
    for node in ast.walk(function) if left else ():
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                left.discard(node.id)
            elif node.id in left and node.id not in reads and position_of(node) in known:
                reads[node.id] = node
        elif isinstance(node, ast.arg) and id(node) not in own:
            left.discard(node.arg)
    for argument in parameters.values():
        if argument.arg in left and argument.arg in reads:
            yield argument, reads[argument.arg]


def _of_parameters(
    function: ast.FunctionDef | ast.AsyncFunctionDef, known: Mapping[Position, ExpressionClaims]
) -> Iterator[Hint]:
    for argument, claims in parameters_of(function, known):
        if text := shown_claims(claims):
            yield Hint(argument.lineno, argument.col_offset + len(argument.arg.encode()), f": {text}")


def _behind(node: ast.expr, text: str) -> Hint:
    return Hint(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset, f": {text}")


def shown_claims(claims: Sequence[Claim]) -> str:
    """The alternatives of one array: `float32[32|17, 784]` where only sizes differ; empty if nothing is known."""
    if not any(c.dtype is not None or c.shape is not None for c in claims):
        return ""
    groups: dict[tuple[object, ...], list[Claim]] = {}
    for claim in claims:
        rank = None if claim.shape is None else len(claim.shape)
        groups.setdefault((claim.dtype, claim.weak_type, rank), []).append(claim)
    texts = sorted((_merged(group) for group in groups.values()), key=_UNKNOWN.__eq__)
    more = [f"{len(texts) - _MOST} more"] if len(texts) > _MOST else []
    return " | ".join([*texts[:_MOST], *more])


def _merged(group: Sequence[Claim]) -> str:
    first = group[0]
    shapes: list[Shape] = [c.shape for c in group if c.shape is not None]
    if first.dtype is None and first.shape is None:
        return _UNKNOWN
    has_sizes = any(d is not None for shape in shapes for d in shape)
    if first.dtype is None and not has_sizes and first.sharding is None:
        return f"{len(first.shape or ())}-D array" if first.shape else "scalar"  # no dtype and no size
    if len(shapes) < 2:
        return str(first)
    sizes = []
    for dims in zip(*shapes):
        texts = list(dict.fromkeys(map(dim_str, dims)))
        sizes.append("|".join(texts[:_MOST]) + ("|..." if len(texts) > _MOST else ""))
    weak = " (weak)" if first.weak_type and first.dtype not in (None, "bool") else ""
    return f"{first.dtype or '?'}[{', '.join(sizes)}]{weak}"
