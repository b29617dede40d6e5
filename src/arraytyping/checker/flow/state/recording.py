"""What is seen at each expression of the program: the claims of flow.

A position holds a set of variants, one for each different value that reached it, since one function may be called
with several shapes.  Typed keys and arrays inside of tuples count as arrays.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from arraytyping.checker.claims import Claim, ExpressionClaims, FileClaims, Position, position_of
from arraytyping.checker.flow.state.countable import may_be_array
from arraytyping.checker.flow.values import ArrayValue, DeclaredValue, ListValue, UnionValue, Unknown, Value
from arraytyping.checker.flow.values.frames import Module

__all__ = ["Seen", "claims_of", "known_between", "merge_claims", "put_seen", "record"]

_MOST_VARIANTS: Final = 64
_MOST_ITEMS: Final = 8
_DEPTH: Final = 3
_LEAVES: Final = (ArrayValue, Unknown)
_PARTED: Final = (tuple, UnionValue, ListValue)
_SHOWN: Final = (*_LEAVES, *_PARTED)


Seen = tuple[tuple[tuple[int, ...], ArrayValue | Unknown], ...]
"""The arrays in a value, and what may be one, each with its path of indices."""
Put = Callable[[Module, ast.expr, Value, Seen], None]


def record(module: Module, node: ast.expr, value: Value, put: Put | None = None) -> None:
    """Note that a value reached an expression; `put` takes it where it may turn out that it did not."""
    if type(value) is ArrayValue:
        aval = value.aval
        key: Value = (aval.shape, aval.dtype, aval.weak_type, value.cut)
        seen: Seen = (((), value),)
    elif isinstance(value, DeclaredValue):
        return
    elif isinstance(value, Unknown):
        key, seen = None, (((), value),)
    elif isinstance(value, _PARTED) and (seen := tuple(_arrays(value, ()))):
        key = tuple([(path, *_key(array)) for path, array in seen])
    else:
        return
    (put or put_seen)(module, node, key, seen)


def put_seen(module: Module, node: ast.expr, key: Value, seen: Seen) -> None:
    """Take in what `record` has found in a value."""
    variants = module.seen.get(node)
    if variants is None:
        module.seen[node] = {key: seen}
    elif key not in variants:
        if len(variants) < _MOST_VARIANTS:
            variants[key] = seen
        else:
            variants.setdefault(None, (((), Unknown("too many different values reach this expression")),))


def _key(value: ArrayValue | Unknown) -> tuple[Value, ...]:
    return (
        (value.aval.shape, value.aval.dtype, value.aval.weak_type, value.cut) if isinstance(value, ArrayValue) else ()
    )


def _arrays(value: Value, path: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ArrayValue | Unknown]]:
    """What of a value is an array, or may be one; the contents of a list change, so this is not put off."""
    if isinstance(value, _LEAVES):
        if not isinstance(value, DeclaredValue):
            yield path, value
    elif isinstance(value, UnionValue):
        for v in value.values:
            yield from _arrays(v, path)
    elif isinstance(value, ListValue) and value.items is None:
        yield path, Unknown(_LIST)
    elif isinstance(value, (tuple, ListValue)) and len(path) < _DEPTH:
        items = value if isinstance(value, tuple) else value.items or ()
        for i, item in enumerate(items[:_MOST_ITEMS]):
            if isinstance(item, _SHOWN):
                yield from _arrays(item, (*path, i))


def claims_of(module: Module) -> FileClaims:
    """The claims for every expression of a module at which an array was seen, or something that may be one."""
    counts = may_be_array(module)
    return FileClaims.of(
        e
        for node, variants in module.seen.items()
        if not (all(key is None for key in variants) and not counts(node))
        and (e := _expression(node, list(variants.values()))) is not None
    )


def known_between(module: Module, first: int, last: int) -> FileClaims:
    """The claims for the expressions in some lines at which an array was seen, whatever is not read yet."""
    return FileClaims.of(
        e
        for node, variants in module.seen.items()
        if isinstance(node, ast.expr)
        and first <= node.lineno <= last
        and any(key is not None for key in variants)
        and (e := _expression(node, list(variants.values()))) is not None
    )


def _expression(node: Any, variants: list[Seen]) -> ExpressionClaims | None:
    claims: dict[Claim, None] = {}
    why: str | None = None
    is_container = not any(path == () and not _is_list(array) for seen in variants for path, array in seen)
    if is_container and not any(isinstance(array, ArrayValue) for seen in variants for _, array in seen):
        return None
    for seen in variants:
        for path, array in seen:
            if isinstance(array, Unknown):
                claims[Claim(item=path)] = None
                why = why or array.why
                continue
            claim = Claim.of(array.aval, path, array.cut)
            claims[claim] = None
            if not (claim.is_dtype_known and claim.is_shape_known):
                why = why or "only a part is known of what the operation gives"
    if not claims:
        return None
    return ExpressionClaims(*position_of(node), tuple(claims), "flow", why)


def _is_list(value: ArrayValue | Unknown) -> bool:
    return isinstance(value, Unknown) and value.why == _LIST


_LIST: Final = "a list of unknown length"


def merge_claims(several: Iterable[FileClaims]) -> FileClaims:
    """The claims about one file from several runs: at each position the union."""
    by_position: dict[Position, list[ExpressionClaims]] = {}
    for file in several:
        for e in file.expressions:
            by_position.setdefault(e.position, []).append(e)
    return FileClaims.of(_merged(position, found) for position, found in by_position.items())


def _merged(position: Position, found: list[ExpressionClaims]) -> ExpressionClaims:
    if len(found) == 1:
        return found[0]
    claims = dict.fromkeys(claim for e in found for claim in e.claims)
    why = next((e.why_unknown for e in found if e.why_unknown), None)
    return ExpressionClaims(*position, tuple(claims), "flow", why)
