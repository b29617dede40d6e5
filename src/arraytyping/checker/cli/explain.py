"""`arraytyping explain`: what dtypes promote to, by which way, what is lost on it, and how other systems answer."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from itertools import permutations
from typing import Final

import rich_click as click

from arraytyping.checker.cli.refusing import refuse
from arraytyping.checker.cli.systems import nodes_named, open_system, system_option
from arraytyping.checker.messages.error_pages import ERROR_CODES, show_page
from arraytyping.scalars import KINDS
from arraytyping.semantics.promotion.dtype_names import UnknownDtypeError
from arraytyping.semantics.promotion.jax import WEAK
from arraytyping.semantics.promotion.losses import conversion_loss, values_of
from arraytyping.semantics.promotion.registry import SYSTEMS
from arraytyping.semantics.promotion.system import PromotionError, System

__all__ = ["explain"]

_MOST_ORDERS: Final = 5
"""Above so many operands their orders are not tried."""

_WIDEST: Final = {"int": "int64", "float": "float64", "complex": "complex128"}
"""In what a weak result is stored at best."""

_PARTS: Final = {"c": " in each of its parts"}
_JEP: Final = "jep-"
_CODES: Final = "array-"
_ABSENT: Final = "no such dtype"


@click.command()
@click.argument("dtypes", nargs=-1, metavar="DTYPE DTYPE [DTYPE...] | CODE")
@system_option
@click.option("--bytes", "in_bytes", is_flag=True, help="Short names count bytes, as in JAX's first documents.")
@click.pass_context
def explain(ctx: click.Context, dtypes: tuple[str, ...], system_name: str, in_bytes: bool) -> None:
    """Say what DTYPE and DTYPE promote to, by which way on the lattice, and what is lost in the conversions.

    With the name of an error code alone (array-shape) say what it means, with examples.

    Dtypes have their full names (int16, bfloat16) or those that jaxprs print (i16, bf16); int, float and complex are
    Python scalars or weakly typed arrays, bool is both.  Three and more are the operands of an expression, which is
    evaluated from left to right.

    The exit code is 0, 1 if the system leaves the promotion undefined, or 2 if something is asked that does not exist.
    """
    if len(dtypes) == 1 and _is_meant_as_code(dtypes[0]):
        _explain_code(ctx, dtypes[0])
        return
    system = open_system(ctx, system_name)
    if len(dtypes) < 2:
        refuse(ctx, f"explain takes two dtypes and more, and {len(dtypes)} was given: arraytyping explain int16 uint32")
    nodes = nodes_named(ctx, system, dtypes, bytes=in_bytes)
    result = None
    try:
        result = system.promote(*nodes)
    except PromotionError as error:
        lines = [f"{_listed(nodes)} have no promotion ({system.name})", *_section("why", [str(error)])]
    if result is not None:
        lines = [f"{_listed(nodes)} promote to {_described(system, result)} ({system.name})"]
        if system.name == "jax" and (narrow := _outcome(SYSTEMS["jax-x32"], nodes)) not in (result, None):
            lines.append(f"without x64, which is JAX's default: {narrow}")
        lines += _section("the way", _ways(system, nodes, result))
        lines += _section("what is lost", _lost(system, nodes, result) or ["nothing"])
    lines += _section("the order of the operands matters", _orders(system, nodes))
    if all(node in KINDS or node in WEAK for node in nodes):
        graphs = [name for name in SYSTEMS if name.startswith(_JEP)]
        lines += _section("other systems", _answers(system, nodes, [n for n in SYSTEMS if n not in graphs]))
        lines += _section("the graphs of JEP 9407", _answers(system, nodes, graphs))
    click.echo("\n".join(lines))
    ctx.exit(0 if result is not None else 1)


def _is_meant_as_code(word: str) -> bool:
    """Whether a word alone is an error code, or part of one, or cannot be a dtype, of which none has a hyphen."""
    return word in ERROR_CODES or "-" in word or f"{_CODES}{word}" in ERROR_CODES


def _explain_code(ctx: click.Context, code: str) -> None:
    if code in ERROR_CODES:
        show_page(code)
        return
    near = [c for c in ERROR_CODES if c == f"{_CODES}{code}"] or get_close_matches(code, ERROR_CODES, 1)
    hint = f"did you mean {near[0]}?" if near else f"the codes are {', '.join(sorted(ERROR_CODES))}"
    refuse(ctx, f"{code} is no error code of arraytyping: {hint}")


def _section(title: str, lines: list[str]) -> list[str]:
    return ["", f"{title}:", *(f"  {line}" for line in lines)] if lines else []


def _listed(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _described(system: System, node: str) -> str:
    return f"{node}, which is weak" if node in system.scalars and system.lattice is not None else node


def _ways(system: System, nodes: tuple[str, ...], result: str) -> list[str]:
    """For each operand the nodes from it to the result."""
    ways = {node: system.path(node, result) for node in nodes}
    width = max(map(len, nodes))
    return [
        f"{node:<{width}}" + ("".join(f" -> {n}" for n in way[1:]) or " stays" if way else f" => {result}, by decree")
        for node, way in ways.items()
    ]


def _lost(system: System, nodes: tuple[str, ...], result: str) -> list[str]:
    """What each conversion loses, or may lose, as the expression is evaluated."""
    lines = []
    for source, target in dict.fromkeys(_conversions(system, nodes, result)):
        held = _WIDEST.get(target, target.removesuffix("*"))
        if source in KINDS and held in KINDS:
            loss = conversion_loss(source, held)
            stored = "" if held == target else f" (stored as {held})"
            lines += [f"{source} -> {target}{stored}: {detail}" for detail in loss.details()]
        elif source in system.scalars and target in KINDS:
            lines.append(f"{source} -> {target}: what {target} does not hold of the value; {_range(target)}")
    return lines


def _conversions(system: System, nodes: tuple[str, ...], result: str) -> Iterator[tuple[str, str]]:
    """From which dtype to which operands and what comes in between are converted."""
    before, *others = nodes
    for node in others:
        after = _outcome(system, (before, node)) or result
        yield from ((source, after) for source in (before, node) if source != after)
        before = after
    if before != result:
        yield before, result


def _range(dtype: str) -> str:
    """What a dtype holds, in words."""
    values, kind = values_of(dtype), KINDS[dtype]
    if kind in "bui":
        return f"it holds {values.least} to {values.greatest}"
    return f"it keeps {values.precision} significant bits{_PARTS.get(kind, '')}, up to {float(values.greatest):.3g}"


def _outcome(system: System, nodes: tuple[str, ...]) -> str | None:
    try:
        return system.promote(*nodes)
    except (PromotionError, UnknownDtypeError):
        return None


def _by_result(system: System, nodes: tuple[str, ...]) -> dict[str | None, tuple[str, ...]]:
    """The results in all orders of the operands, each with the first order that gives it; the given order first."""
    orders = permutations(nodes) if len(nodes) <= _MOST_ORDERS else iter((nodes,))
    found: dict[str | None, tuple[str, ...]] = {}
    for order in orders:
        found.setdefault(_outcome(system, order), order)
    return found


def _orders(system: System, nodes: tuple[str, ...]) -> list[str]:
    found = _by_result(system, nodes)
    return [f"{' + '.join(order)} is {r or 'undefined'}" for r, order in found.items()] if len(found) > 1 else []


def _answers(system: System, nodes: tuple[str, ...], names: list[str]) -> list[str]:
    """A line for each result, with those systems that give it."""
    groups: dict[str, list[str]] = {}
    for name in names:
        if name == system.name:
            continue
        other = SYSTEMS[name]
        if all(node in other.nodes for node in nodes):
            result, *others = (r or "undefined" for r in _by_result(other, nodes))
            note = f" (in another order {' or '.join(others)})" if others else ""
            groups.setdefault(result, []).append(name + note)
        else:
            groups.setdefault(_ABSENT, []).append(name)
    width = max(map(len, groups), default=0)
    last = ("undefined", _ABSENT)
    order = sorted(groups, key=lambda r: (last.index(r) + 1 if r in last else 0, -len(groups[r])))
    return [f"{result:<{width}}  {', '.join(groups[result])}" for result in order]
