"""The subscripts of Einstein summation, and the shape that they make of operands.

Source: https://numpy.org/doc/stable/reference/generated/numpy.einsum.html for the subscripts;
https://github.com/dgasmith/opt_einsum, `parser.py`, for how JAX reads them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from arraytyping.semantics.avals import Dim, Shape, shape_tuple_str
from arraytyping.semantics.rules.errors import RuleError, ShapeError
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_dims
from arraytyping.semantics.sizes.dims import differ

__all__ = ["Label", "Labels", "Subscripts", "check_ranks", "check_sizes", "parse_subscripts", "summed_shape"]

Label = str | int
"""A dimension's name: a character of the subscripts, or, inside an ellipsis, its number from the right (-1 last)."""

Labels = tuple[Label, ...]


@dataclass(frozen=True)
class Subscripts:
    """Parsed subscripts: the labels of each operand and of the result; None where a rank would have to be known."""

    inputs: tuple[Labels | None, ...]
    output: Labels | None


def _wrong(subscripts: str, why: str) -> ShapeError:
    return ShapeError(f"einsum: {subscripts!r}: {why}", ValueError)


def parse_subscripts(subscripts: str, shapes: Sequence[Shape | None]) -> Subscripts:
    """Subscripts for operands of these shapes.

    Raises:
        ShapeError: if they are malformed, or do not fit the number of operands and their ranks.
    """
    text = subscripts.replace(" ", "")
    if (text.count("-") > 1 or text.count(">") > 1 or "->" not in text) and ("-" in text or ">" in text):
        raise _wrong(subscripts, "there may be one '->', and no other '-' or '>'")
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    inputs: list[Labels | None] = []
    longest: int | None = 0  # the most dimensions that an ellipsis stands for
    if "." in text and not shapes:
        raise _wrong(subscripts, "there is no operand")
    for number, term in enumerate(terms):
        if "." not in term:
            inputs.append(tuple(term))
            continue
        if term.count(".") != 3 or "..." not in term:
            raise _wrong(subscripts, "dots must come as one '...' in the part of an operand")
        if number >= len(shapes):
            raise RuleError(f"einsum: {subscripts!r}: operand {number} is missing", IndexError)
        before, _, after = term.partition("...")
        shape = shapes[number]
        if shape is None:
            inputs.append(None)
            longest = None
            continue
        covered = len(shape) - len(before + after) if shape else 0
        if covered < 0:
            raise _wrong(
                subscripts, f"operand {number} has shape {shape_tuple_str(shape)}, fewer dimensions than are named"
            )
        inputs.append((*before, *range(-covered, 0), *after))
        if longest is not None:
            longest = max(longest, covered)
    letters = [c for term in terms for c in term if c != "."]
    if len(terms) != len(shapes) and longest is None:
        raise _wrong(subscripts, _miscounted(len(terms), len(shapes)))
    output: Labels | None
    if longest is None and ("..." in right or not arrow):
        output = None
    elif arrow:
        before, *rest = right.split("...")
        ellipsis: Labels = tuple(range(-(longest or 0), 0))
        output = tuple(before) + tuple(label for part in rest for label in (*ellipsis, *part))
    else:
        single = sorted(c for c, n in Counter(letters).items() if n == 1)
        output = (*range(-(longest or 0), 0), *single)
    for label in output or ():
        name = label if isinstance(label, str) else "..."
        if (output or ()).count(label) > 1:
            raise _wrong(subscripts, f"{name!r} appears more than once in the output")
        if isinstance(label, str) and label not in letters and not (label == "," and len(terms) > 1):
            raise _wrong(subscripts, f"{name!r} appears in the output, but in no operand")
    if len(terms) != len(shapes):
        raise _wrong(subscripts, _miscounted(len(terms), len(shapes)))
    return Subscripts(tuple(inputs), output)


def _miscounted(terms: int, operands: int) -> str:
    return f"there are {terms} parts before the '->' for {operands} operand{'s' * (operands != 1)}"


def check_ranks(parsed: Subscripts, shapes: Sequence[Shape | None], subscripts: str) -> None:
    """Refuse operands of another rank than their part of the subscripts names.

    Raises:
        ShapeError: (ValueError) naming the operand.
    """
    for number, (labels, operand_shape) in enumerate(zip(parsed.inputs, shapes)):
        if labels is not None and operand_shape is not None and len(labels) != len(operand_shape):
            raise _wrong(
                subscripts,
                f"operand {number} has shape {shape_tuple_str(operand_shape)}, and its part of the subscripts names "
                f"{len(labels)} dimension{'s' * (len(labels) != 1)}",
            )


def check_sizes(parsed: Subscripts, shapes: Sequence[Shape | None], subscripts: str) -> None:
    """Refuse two sizes under one label, unless one of them is 1.

    Raises:
        ShapeError: (ValueError) naming them.
    """
    sizes: dict[Label, Dim] = {}
    for number, (labels, shape) in enumerate(zip(parsed.inputs, shapes)):
        for label, dim in zip(labels or (), shape or ()):
            if differ(dim, 1) and differ(sizes.setdefault(label, dim), dim):
                name = f"label {label!r}" if isinstance(label, str) else f"dimension {label} of the ellipsis"
                raise _wrong(
                    subscripts, f"{name} has size {dim} in operand {number}, and {sizes[label]} before; they must be "
                    "equal, or one of them 1"
                )  # fmt: skip


def summed_shape(parsed: Subscripts, shapes: Sequence[Shape | None]) -> Shape | None:
    """The sizes of the output's labels, as far as they are known."""
    if parsed.output is None:
        return None
    return tuple(_size(label, parsed.inputs, shapes) for label in parsed.output)


def _size(label: Label, inputs: Sequence[Labels | None], shapes: Sequence[Shape | None]) -> Dim:
    size: Dim = 1
    for labels, shape in zip(inputs, shapes):
        if labels is None or (shape is None and label in labels):
            return None
        dims = [d for name, d in zip(labels, shape or ()) if name == label]
        if len(set(dims)) > 1 or (len(dims) > 1 and dims[0] is None):
            return None  # a diagonal: sizes that differ are read in an order of JAX's own
        for dim in dims[:1]:
            try:
                size = broadcast_dims(size, dim)
            except ValueError:
                return None
    return size
