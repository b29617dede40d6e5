"""A shape against the dimensions that an annotation names: it fits, it may fit, or it cannot.

Named dimensions get their sizes as jaxtyping binds them: those before a variadic one first, then those behind it, then
the variadic one.

Source: https://docs.kidger.site/jaxtyping/api/array/#shape.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any, Final

from arraytyping.checker.flow.contracts.bindings import Bindings, same
from arraytyping.checker.flow.contracts.grammar import DimSpec
from arraytyping.checker.flow.contracts.symbolic import Braces, evaluate
from arraytyping.checker.flow.values import Value
from arraytyping.semantics.avals import Dim, Shape, shape_tuple_str
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_dims
from arraytyping.semantics.sizes.dims import as_dim, differ
from arraytyping.semantics.sizes.polynomials import Size

__all__ = ["FITS", "MAY_FIT", "Mismatch", "Place", "Verdict", "check_shape", "least"]


class Fit(enum.Enum):
    """How a value that is no mismatch fits."""

    FITS = "fits"
    MAY_FIT = "may fit"


FITS: Final = Fit.FITS
MAY_FIT: Final = Fit.MAY_FIT


@dataclass
class Mismatch:
    """It cannot fit: why, and what to do; `given` and `expected` are the part that differs, at `path` in the value.

    One that is `tolerable` works at run time all the same: a NumPy array or a number where JAX's array is asked for.
    One that is `minor`, too, is shown: what is no array of JAX where nothing is said of it but that it is one.
    """

    reason: str
    advice: str
    given: Value = None
    expected: Any = None
    path: str = ""
    tolerable: bool = False
    minor: bool = False


Verdict = Fit | Mismatch


@dataclass
class Place:
    """Where a value meets an annotation: `where` as others are told, `here` as in the message about it."""

    where: str
    here: str
    leaf: str | None = None
    braces: Braces | None = None


def least(verdicts: list[Verdict]) -> Verdict:
    """The verdict on a whole, from those on its parts."""
    for verdict in verdicts:
        if isinstance(verdict, Mismatch):
            return verdict
    return MAY_FIT if MAY_FIT in verdicts else FITS


def check_shape(dims: tuple[DimSpec, ...], shape: Shape | None, bindings: Bindings, place: Place) -> Verdict:
    """Hold a shape against dimensions, and bind their names."""
    variadic = next((i for i, d in enumerate(dims) if d.variadic), None)
    if shape is None:
        return FITS if variadic is not None and len(dims) == 1 and dims[0].kind == "any" else MAY_FIT
    if variadic is None:
        if len(shape) != len(dims):
            return Mismatch(f"it has {_dimensions(len(shape))}, not {len(dims)}", "")
        return _check_dims(dims, shape, 0, bindings, place)
    if len(shape) < len(dims) - 1:
        return Mismatch(f"it has {_dimensions(len(shape))}, and at least {len(dims) - 1} are needed", "")
    behind = len(shape) - (len(dims) - variadic - 1)
    before = _check_dims(dims[:variadic], shape[:variadic], 0, bindings, place)
    if isinstance(before, Mismatch):
        return before
    after = _check_dims(dims[variadic + 1 :], shape[behind:], behind, bindings, place)
    if isinstance(after, Mismatch):
        return after
    return least([before, after, _check_variadic(dims[variadic], shape[variadic:behind], bindings, place)])


def _dimensions(n: int) -> str:
    return f"{n} dimension{'' if n == 1 else 's'}"


def _name(spec: DimSpec, place: Place) -> str | None:
    """The name under which a size is kept; None if it belongs to a leaf, and there is no tree with a name."""
    if not spec.by_leaf:
        return spec.text
    return None if place.leaf is None else f"{spec.text} {place.leaf}"


def _check_dims(dims: tuple[DimSpec, ...], sizes: Shape, first: int, bindings: Bindings, place: Place) -> Verdict:
    verdicts: list[Verdict] = []
    for i, (spec, size) in enumerate(zip(dims, sizes), first):
        verdict = _check_dim(spec, size, i, bindings, place)
        if isinstance(verdict, Mismatch):
            return verdict
        verdicts.append(verdict)
    return least(verdicts)


def _check_dim(spec: DimSpec, size: Dim, index: int, bindings: Bindings, place: Place) -> Verdict:
    if spec.kind == "any":
        return FITS
    if spec.broadcastable:
        if size == 1:
            return FITS
        if not differ(size, 1):
            return MAY_FIT
    if spec.kind == "fixed":
        wanted: Dim = spec.size
    elif spec.kind == "symbolic":
        number = evaluate(spec.text, bindings, place.braces)
        if isinstance(number, float):
            if isinstance(size, int) and number != size:
                return Mismatch(f"its dimension {index} is {size}, not {spec.text} = {number}", "")
            return FITS if number == size else MAY_FIT
        wanted = as_dim(number) if isinstance(number, Size) else number
    else:
        return _check_named(spec, size, bindings, place)
    if differ(size, wanted):
        plain = spec.kind == "fixed" or str(wanted).replace(" ", "") == spec.text
        said = str(wanted) if plain else f"{spec.text} = {wanted}"
        return Mismatch(f"its dimension {index} is {size}, not {said}", "")
    return FITS if same(size, wanted) else MAY_FIT


def _check_named(spec: DimSpec, size: Dim, bindings: Bindings, place: Place) -> Verdict:
    name = _name(spec, place)
    if size is None or name is None:
        return MAY_FIT
    seen = bindings.single.get(name, ())
    for other, where in seen:
        if differ(size, other):
            return Mismatch(f"{spec.text!r} is {other} by {where}, and {size} {place.here}", "give both the same size")
    if not seen or not any(size == other for other, _ in seen):
        bindings.single[name] = (*seen, (size, place.where))
        return MAY_FIT if seen else FITS
    return FITS


def _check_variadic(spec: DimSpec, sizes: Shape, bindings: Bindings, place: Place) -> Verdict:
    if spec.kind == "any":
        return FITS
    name = _name(spec, place)
    if name is None:
        return MAY_FIT
    if name not in bindings.variadic:
        bindings.variadic[name] = (spec.broadcastable, sizes, place.where)
        return MAY_FIT if None in sizes else FITS
    bound = bindings.variadic[name]
    if bound is None:
        return MAY_FIT
    was_broadcastable, before, where = bound
    both: Shape | None = before
    if was_broadcastable or spec.broadcastable:
        both = _broadcast(sizes, before)
        fits = both is not None
        if both is not None and not spec.broadcastable:
            fits = _may_equal(both, sizes)
        elif both is not None and not was_broadcastable:
            fits = _may_equal(both, before)
        # What is stored is as in jaxtyping's memo: the widest shape so far, or the one that all must broadcast to.
        kept = (spec.broadcastable, both or (), place.where) if was_broadcastable else bound
    else:
        fits = _may_equal(before, sizes)
        kept = (False, tuple(a if a is not None else b for a, b in zip(before, sizes)), where)
    if not fits:
        sides = f"{shape_tuple_str(before)} by {where}, and {shape_tuple_str(sizes)} {place.here}"
        verb = "broadcast" if was_broadcastable or spec.broadcastable else "are the same"
        return Mismatch(f"'*{spec.text}' is {sides}", f"give both shapes that {verb}")
    bindings.variadic[name] = kept
    return FITS if all(isinstance(d, int) for d in (*sizes, *before)) or sizes == before else MAY_FIT


def _may_equal(a: Shape, b: Shape) -> bool:
    return len(a) == len(b) and not any(map(differ, a, b))


def _broadcast(a: Shape, b: Shape) -> Shape | None:
    """The shape that two broadcast to, sizes unknown where they depend on what is unknown; None if they cannot."""
    rank = max(len(a), len(b))
    sizes: list[Dim] = []
    for x, y in zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b):
        try:
            sizes.append(broadcast_dims(x, y))
        except ValueError:
            return None
    return tuple(sizes)
