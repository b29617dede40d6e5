"""Changes that may mend a mistake, to be tried first: what its message says is to be static, and casts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from arraytyping.checker.lsp.sources import Edit, import_edit, imports_of
from arraytyping.checker.messages.message import Message
from arraytyping.checker.messages.operand_places import operand_places
from arraytyping.checker.program_trees import parsed

__all__ = ["Mend", "mends"]

_STATIC: Final = re.compile(r"`jax\.jit\((?P<function>\w+), static_argnames=(?P<names>[^`]+)\)`")
_ARRAY: Final = re.compile(r"(?P<dtype>[a-z]\w*)\[[^]]*\](?: \(weak\))?")


class Mend(NamedTuple):
    """A change and what it is called."""

    title: str
    edits: tuple[Edit, ...]


def mends(source: str, message: Message) -> Iterator[Mend]:
    """What may be done against a mistake in a text."""
    tree = parsed(source)
    if tree is None:
        return
    if (match := _STATIC.search(message.text)) is not None:
        names = ast.literal_eval(match["names"])
        names = (names,) if isinstance(names, str) else tuple(names)
        edits = tuple(_marking(tree, match["function"], names))
        if edits:
            yield Mend(f"Mark {' and '.join(names)} static in {match['function']}", edits)
    if message.code in ("array-dtype", "array-promotion"):
        yield from _casts(tree, message)


def _marking(tree: ast.Module, function: str, names: tuple[str, ...]) -> Iterator[Edit]:
    """Where a function is jitted: its decorators, and the calls that are given it."""
    imports = imports_of(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == function:
            for decorator in node.decorator_list:
                if _is(decorator, "jax.jit", imports):
                    yield from _partial(tree, decorator, names, imports)
                elif isinstance(decorator, ast.Call) and _is_jitting(decorator, imports):
                    yield from _option(decorator, names)
        elif isinstance(node, ast.Call) and _is(node.func, "jax.jit", imports):
            jitted = node.args[0] if node.args else None
            if isinstance(jitted, ast.Name) and jitted.id == function:
                yield from _option(node, names)


def _is(node: ast.expr, name: str, imports: Mapping[str, str]) -> bool:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return isinstance(node, ast.Name) and ".".join([imports.get(node.id, ""), *reversed(parts)]) == name


def _is_jitting(decorator: ast.Call, imports: Mapping[str, str]) -> bool:
    """Whether a decorator is `jax.jit(...)`, or `functools.partial(jax.jit, ...)`."""
    if _is(decorator.func, "jax.jit", imports):
        return True
    is_partial = _is(decorator.func, "functools.partial", imports)
    return is_partial and bool(decorator.args) and _is(decorator.args[0], "jax.jit", imports)


def _partial(
    tree: ast.Module, decorator: ast.expr, names: tuple[str, ...], imports: Mapping[str, str]
) -> Iterator[Edit]:
    """`@jax.jit` with an option."""
    known = {whole: name for name, whole in imports.items()}
    if "functools.partial" in known:
        partial = known["functools.partial"]
    else:
        partial = f"{known.get('functools', 'functools')}.partial"
        if "functools" not in known:
            yield import_edit(tree, "import functools")
    text = f"{partial}({ast.unparse(decorator)}, static_argnames={_tuple(names)})"
    yield Edit(*_place(decorator), text)


def _option(call: ast.Call, names: tuple[str, ...]) -> Iterator[Edit]:
    """A call with further names among its static ones."""
    for keyword in call.keywords:
        if keyword.arg == "static_argnames":
            try:
                known = ast.literal_eval(keyword.value)
            except ValueError:
                return
            known = (known,) if isinstance(known, str) else tuple(known)
            yield Edit(*_place(keyword.value), _tuple((*known, *names)))
            return
    last = [*call.args, *(k.value for k in call.keywords)][-1:]
    if last:
        _, _, line, column = _place(last[0])
        yield Edit(line, column, line, column, f", static_argnames={_tuple(names)}")


def _tuple(names: tuple[str, ...]) -> str:
    return f'"{names[0]}"' if len(names) == 1 else "(" + ", ".join(f'"{name}"' for name in names) + ")"


def _place(node: ast.expr) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def _casts(tree: ast.Module, message: Message) -> Iterator[Mend]:
    """Each of two operands in the dtype of the other."""
    places = operand_places(message)
    if len(places) != 2:
        return
    numpy = next((name for name, whole in imports_of(tree).items() if whole == "jax.numpy"), None)
    first, second = places
    for place, other in ((first, second), (second, first)):
        own, wanted = _dtype(place.operand.type), _dtype(other.operand.type)
        if own is None or wanted is None or own == wanted or other.operand.type.endswith("(weak)"):
            continue
        node = ast.parse(place.operand.text, mode="eval").body
        written = f"{numpy}.{wanted}" if numpy is not None and wanted != "bool" else f'"{wanted}"'
        start, end = (place.line, place.column), (place.end_line, place.end_column)
        if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            edits: tuple[Edit, ...] = (Edit(*end, *end, f".astype({written})"),)
        else:
            edits = (Edit(*start, *start, "("), Edit(*end, *end, f").astype({written})"))
        yield Mend(f"Cast {place.operand.text} to {wanted}", edits)


def _dtype(type_: str) -> str | None:
    match = _ARRAY.fullmatch(type_)
    return None if match is None else match["dtype"]
