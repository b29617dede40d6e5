"""What is shown of an expression: its claims, where its dtype came from, and how the dtypes of operands joined."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from arraytyping.checker.claims import Claim, ExpressionClaims, Position, position_of
from arraytyping.checker.dtype_trace import DtypeTrace
from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.flow.state.interpreter import MISTAKE
from arraytyping.checker.lsp.hints import shown_claims
from arraytyping.checker.notebooks.cells import line_text, place_text
from arraytyping.checker.program_trees import parsed
from arraytyping.scalars import KINDS
from arraytyping.semantics.promotion.dtype_names import UnknownDtypeError
from arraytyping.semantics.promotion.registry import SYSTEMS
from arraytyping.semantics.promotion.system import PromotionError

__all__ = ["described", "joined", "provenance"]

_SYSTEMS: Final = ("jax-x32", "jax")
_WEAK: Final = {"i": "int", "u": "int", "f": "float", "c": "complex"}
_PYTHON: Final = {bool: "bool", int: "int", float: "float", complex: "complex"}
_MOST_WAYS: Final = 3
"""So many ways by which one expression came to its dtype are shown."""


def described(e: ExpressionClaims, diagnostics: Iterable[Diagnostic] = ()) -> list[str]:
    """All claims, by what they are alternatives of, and why not more is known, or that there is no result."""
    by_item: dict[tuple[int, ...], list[Claim]] = {}
    for claim in e.claims:
        by_item.setdefault(claim.item, []).append(claim)
    lines = []
    for item, claims in by_item.items():
        name = "".join(f"[{n}]" for n in item)
        merged = shown_claims(claims)
        if merged:
            lines.append(f"{name}: {merged}" if name else merged)
            shown = [shown_claims([claim]) or ("" if e.why_unknown == MISTAKE else "unknown") for claim in claims]
            lines += [f"  {text}" for text in shown if text] if len(claims) > 1 else []
    if e.why_unknown == MISTAKE:
        codes = ", ".join(dict.fromkeys(m.code for m in diagnostics if m.position[1:] == e.position))
        why = f"the operation fails ({codes})" if codes else "it depends on an operation that fails"
        lines.append(f"{'otherwise ' if lines else ''}no result: {why}")
    elif e.why_unknown:
        lines.append(f"{'not all is known' if lines else 'unknown'}: {e.why_unknown}")
    return lines


def provenance(traces: Iterable[DtypeTrace], path: str) -> list[str]:
    """By which lines an expression came to its dtype: each way once, whatever the sizes are."""
    ways = [way for way in dict.fromkeys(trace.steps for trace in traces) if way]
    lines: list[str] = []
    for way in ways[:_MOST_WAYS]:
        lines.append("where the dtype comes from:" if not lines else "or:")
        lines += [f"  {line_text(p, line) if p == path else place_text(p, line)}: {text}" for p, line, text in way]
    if len(ways) > _MOST_WAYS:
        lines.append(f"and by {len(ways) - _MOST_WAYS} more")
    return lines


def joined(source: str, e: ExpressionClaims, known: Mapping[Position, ExpressionClaims]) -> list[str]:
    """By which way on the lattice the dtypes of the operands of an operator became that of its result."""
    tree = parsed(source)
    nodes = ast.walk(tree) if tree is not None else ()
    node = next((n for n in nodes if isinstance(n, ast.BinOp) and position_of(n) == e.position), None)
    if node is None:
        return []
    left, right, result = _node(node.left, known), _node(node.right, known), _node(node, known)
    if left is None or right is None or result is None or left == right:
        return []
    for name in _SYSTEMS:
        system = SYSTEMS[name]
        try:
            if system.promote(left, right) != result:
                continue
            ways = [(operand, system.path(operand, result)) for operand in (left, right)]
        except (PromotionError, UnknownDtypeError):
            continue
        if all(way is not None for _, way in ways):
            return ["how the dtypes join:", *_lines(ways)]
    return []


def _lines(ways: list[tuple[str, tuple[str, ...] | None]]) -> Iterator[str]:
    for operand, way in ways:
        above = (way or ())[1:]
        yield f"  {operand}" + ("".join(f" -> {node}" for node in above) or " stays")


def _node(expression: ast.expr, known: Mapping[Position, ExpressionClaims]) -> str | None:
    """The node of the lattice that an operand is on, if it is the same for all calls."""
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.operand, ast.Constant):
        expression = expression.operand
    if isinstance(expression, ast.Constant):
        return _PYTHON.get(type(expression.value))
    e = known.get(position_of(expression))
    if e is None or not e.is_dtype_known:
        return None
    found = {_WEAK.get(KINDS.get(c.dtype or "", ""), c.dtype) if c.weak_type else c.dtype for c in e.claims}
    return found.pop() if len(found) == 1 and all(c.item == () for c in e.claims) else None
