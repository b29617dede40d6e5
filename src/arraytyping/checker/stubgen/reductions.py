"""The overloads that say the shape of a result by that of one array: reductions, transpositions, what keeps it.

Where an argument is of type `Any` it fits every overload.  Pyright and pyrefly take the first one then, so before
those that say a shape there is one for `Nobody`, which nothing but `Any` is.  An unknown shape fits every shape, so it
is asked for before, too.  What is rejected by the names of its arguments alone costs a checker next to nothing: hence
the axis has to be given, or cannot be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from arraytyping.checker.stubgen.answers import Rules
from arraytyping.checker.stubgen.surface import Parameter, Signature

__all__ = ["permuted_forms", "reduction_forms"]

RANKS: Final = (2, 1, 3)
"""The ranks of which something is said, the usual one first."""
USUAL: Final = frozenset(
    {"sum", "prod", "mean", "max", "min", "std", "var", "any", "all", "argmax", "argmin", "logsumexp"}
)
"""The reductions of which something is said along an axis: each overload takes time to read, too."""
REDUCED: Final = (
    ("Literal[0]", "ab*", "b*"),
    ("Literal[-1]", "*ab", "*a"),
    ("Literal[1]", "ab*", "a*"),
    ("Literal[0, -1]", "a", ""),
)
"""Axes, the shapes that have them, with `*` for any further sizes, and what is left.

Pyright would take `tuple[int, ...]` for `a*`, as one size.
"""
KEPT: Final = (("Literal[-1]", "*ab", "*a1"), ("Literal[1]", "ab*", "a1*"))
"""The same where the axis stays, as one item."""

Text = Callable[[str], str]
Forms = Iterator[tuple[Signature, str]]


def reduction_forms(rules: Rules, rule: str, signature: Signature, whole: Signature, array: Text, said: Text) -> Forms:
    """The overloads of a reduction that come before the one of any axis.

    `whole` is the signature with all at its default that says how far the array is reduced; `array` gives the
    annotation of the first parameter for a shape, and `said` the result.
    """
    first = signature.parameters[0].name
    options = [p.name for p, q in zip(signature.parameters, whole.parameters) if p != q]
    if "axis" in options:
        yield required(signature, {"axis": "Any"}).annotated({first: array("NoShape")}), said("SomeShape")
    for option in ["axis"] if "axis" in options else options:
        yield required(signature, {option: "Nobody"}).annotated({first: array("Any")}), said("SomeShape")
    yield without(whole, options).annotated({first: array("Any")}), said("tuple[()]")
    if "axis" not in options or rule.rpartition(".")[2] not in USUAL:
        return
    along = without(whole, [o for o in options if o != "axis"])
    for axes, before, after in REDUCED:
        if _is_so(rules, rule, axes, before, after, {}):
            yield required(along, {"axis": axes}).annotated({first: array(lettered(before))}), said(lettered(after))
    if "keepdims" in options:
        asked = required(signature, {"axis": "Any", "keepdims": "Nobody"})
        yield asked.annotated({first: array("Any")}), said("SomeShape")
        along = without(whole, [o for o in options if o not in ("axis", "keepdims")])
        for axes, before, after in KEPT:
            if _is_so(rules, rule, axes, before, after, {"keepdims": True}):
                asked = required(along, {"axis": axes, "keepdims": "Literal[True]"})
                yield asked.annotated({first: array(lettered(before))}), said(lettered(after))


def permuted_forms(rules: Rules, rule: str, signature: Signature, plain: Signature, array: Text, said: Text) -> Forms:
    """The overloads of what gives the array's sizes in another order; none, if it does something else.

    `plain` is the signature with all at its default.
    """
    first = signature.parameters[0].name
    if any(p.default == "..." for p in plain.parameters):
        return
    shapes = {rank: rules.sizes_kept(rule, rank, {}) for rank in RANKS}
    permuted = {
        rank: sizes for rank, sizes in shapes.items() if sizes and sorted(map(str, sizes)) == [*map(str, range(rank))]
    }
    if len(permuted) < 2 or shapes[2] != (1, 0):
        return
    # Where the axes are given, of type `Any` among others, what follows these overloads alone is left.
    plain = without(plain, [p.name for p in plain.parameters[1:]])
    yield plain.annotated({first: array("NoShape")}), said("SomeShape")
    for rank, sizes in permuted.items():
        yield plain.annotated({first: array(named_sizes(range(rank)))}), said(named_sizes(sizes))


def _is_so(rules: Rules, rule: str, axes: str, before: str, after: str, rest: Mapping[str, Any]) -> bool:
    """Whether a reduction along these axes leaves what is said, of up to three dimensions."""
    for rank in (2, 3) if "*" in before else (len(before),):
        shape = before.replace("*", "cd"[: rank - 2])
        expected = tuple(None if c == "1" else shape.index(c) for c in after.replace("*", "cd"[: rank - 2]))
        if any(
            rules.sizes_kept(rule, rank, {**rest, "axis": int(axis)}) != expected for axis in re.findall(r"-?\d", axes)
        ):
            return False
    return True


def lettered(letters: str) -> str:
    """A shape as a stub writes it: `a` and `b` are sizes, `*` any further ones, `1` one item."""
    names = {"a": "_N1", "b": "_N2", "*": "Unpack[_Ns]", "1": "Literal[1]"}
    return f"tuple[{', '.join(names[c] for c in letters) or '()'}]"


def named_sizes(sizes: Sequence[int | None]) -> str:
    """A shape, by the index of each of the array's sizes; None for one item."""
    return f"tuple[{', '.join('Literal[1]' if i is None else f'_N{i + 1}' for i in sizes) or '()'}]"


def required(signature: Signature, annotations: Mapping[str, str]) -> Signature:
    """With these parameters to be given; by keyword, where one before them may be left out."""
    parameters: list[Parameter] = []
    for p in signature.parameters:
        kind = p.kind
        if kind == "either" and any(b.kind == "keyword" or (b.default is not None) for b in parameters):
            is_late = p.name in annotations or any(b.kind == "keyword" for b in parameters)
            kind = "keyword" if is_late else kind
        asked = annotations.get(p.name)
        parameters.append(replace(p, kind=kind) if asked is None else Parameter(p.name, kind, asked))
    return replace(signature, parameters=tuple(parameters))


def without(signature: Signature, names: Collection[str]) -> Signature:
    """Without some parameters: what comes after them is given by keyword."""
    kept: list[Parameter] = []
    is_gone = False
    for p in signature.parameters:
        if p.name in names:
            is_gone = True
        else:
            kept.append(replace(p, kind="keyword") if is_gone and p.kind == "either" else p)
    return replace(signature, parameters=tuple(kept))
