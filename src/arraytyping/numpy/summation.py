"""Einstein summation, contracted pair by pair.

NumPy finds the order of the pairs, from the shapes alone.

Source: https://numpy.org/doc/stable/reference/generated/numpy.einsum.html; `_einsum` of `jax/_src/numpy/einsum.py`.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arraytyping import config
from arraytyping.numpy.axes import several
from arraytyping.numpy.promoting import chosen
from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.calling import answered, dtype_of
from arraytyping.runtime.lax.aggregates import reduce_or_p
from arraytyping.runtime.lax.arithmetic import constant_like
from arraytyping.runtime.lax.comparisons import eq_p
from arraytyping.runtime.lax.contractions import dot_general_p
from arraytyping.runtime.lax.creation import iota_of
from arraytyping.runtime.lax.integers import bitwise_and_p
from arraytyping.runtime.lax.precisions import canonical_precision
from arraytyping.runtime.lax.reductions import reduce_sum
from arraytyping.runtime.lax.structure import reshape, transpose
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.promotion.jax import Element
from arraytyping.semantics.rules.einsum import subscripts_of_lists
from arraytyping.semantics.rules.shapes.einsum import Label, Labels, parse_subscripts

__all__ = ["einsum"]


@dataclass(frozen=True)
class _Term:
    """An operand, or what operands were contracted to, with the labels of its dimensions."""

    x: Any
    labels: Labels

    @property
    def sizes(self) -> dict[Label, int]:
        """The size of each label, the first one of one that is repeated."""
        return dict(zip(self.labels[::-1], self.x.aval.shape[::-1]))


@dataclass(frozen=True)
class _Summation:
    """What all steps of a summation share: the dtype of the result, and the precision."""

    dtype: str
    precision: Any
    dot_general: Callable[..., Any] | None

    def summed(self, x: Any, axes: Sequence[int]) -> Any:
        """The sum over axes, in the result's dtype unless the operand's is wider; of bools, whether one holds."""
        own = x.aval.dtype
        wide, _ = config.promotion().join([Element(own, bool(x.aval.weak_type)), Element(self.dtype, False)])
        if wide != own:
            x = convert_to(x, self.dtype)
        if x.aval.dtype == "bool":
            return reduce_or_p.bind(x, axes=tuple(axes)) if axes else x
        return reduce_sum(x, tuple(axes))

    def reduced(self, term: _Term, kept: set[Label]) -> _Term:
        """The operand after sums over what is needed nowhere else, and along diagonals."""
        x, labels = term.x, term.labels
        counts = Counter(labels)
        private = [i for i, label in enumerate(labels) if counts[label] == 1 and label not in kept]
        if private:
            x, labels = self.summed(x, private), tuple(v for i, v in enumerate(labels) if i not in private)
        for label, count in counts.items():
            if count == 1:
                continue
            axes = [i for i, v in enumerate(labels) if v == label]
            x = chosen(_on_diagonal(x, axes), x, constant_like(x, 0))
            gone = axes if label not in kept else axes[:-1]
            x, labels = self.summed(x, gone), tuple(v for i, v in enumerate(labels) if i not in gone)
        return _Term(x, labels)

    def pair(self, lhs: _Term, rhs: _Term, kept: set[Label]) -> _Term:
        """The contraction of two operands; `kept` are the labels that are needed after it."""
        lhs = _without_singletons(lhs, rhs)
        rhs = _without_singletons(rhs, lhs)
        lhs = self.reduced(lhs, kept | set(rhs.labels))
        rhs = self.reduced(rhs, kept | set(lhs.labels))
        both = [label for label in lhs.labels if label in rhs.labels]
        batch = [label for label in both if label in kept]
        summed = [label for label in both if label not in kept]
        numbers = tuple(
            (tuple(map(lhs.labels.index, labels)), tuple(map(rhs.labels.index, labels))) for labels in (summed, batch)
        )
        if self.dot_general is not None:
            product = self.dot_general(lhs.x, rhs.x, numbers, self.precision, preferred_element_type=self.dtype)
        else:
            product = dot_general_p.bind(
                lhs.x, rhs.x, dimension_numbers=numbers, precision=canonical_precision(self.precision),
                preferred_element_type=self.dtype,
            )  # fmt: skip
        left = [label for label in lhs.labels if label not in both]
        right = [label for label in rhs.labels if label not in both]
        return _Term(product, (*batch, *left, *right))


def _on_diagonal(x: Any, axes: Sequence[int]) -> Any:
    """Where the indices along these axes are the same."""
    shape = x.aval.shape
    first, *others = (iota_of("int32", shape, axis) for axis in axes)
    mask = eq_p.bind(first, others[0])
    for other in others[1:]:
        mask = bitwise_and_p.bind(mask, eq_p.bind(first, other))
    return mask


def _without_singletons(term: _Term, other: _Term) -> _Term:
    """Without the dimensions of size 1 that broadcast against those of the other operand."""
    sizes = other.sizes
    shape = term.x.aval.shape
    kept = [i for i, label in enumerate(term.labels) if shape[i] != 1 or sizes.get(label, 1) == 1]
    return _Term(reshape(term.x, tuple(shape[i] for i in kept)), tuple(term.labels[i] for i in kept))


def _path(terms: Sequence[_Term], output: Labels, optimize: Any) -> list[tuple[int, ...]]:
    """Which operands are contracted in which order: their numbers, the result coming last."""
    if several(optimize):
        return [tuple(step) for step in optimize if not isinstance(step, str)]
    count = len(terms)
    labels = list(dict.fromkeys(label for t in terms for label in t.labels))
    if count <= 2 or len(labels) > len(string.ascii_letters) or optimize is False:
        return [(0, 1)] * (count - 1) if optimize is not False else [(0, 1), *((0, i) for i in range(count - 2, 0, -1))]
    names = dict(zip(labels, string.ascii_letters))
    text = ",".join("".join(names[v] for v in t.labels) for t in terms) + "->" + "".join(names[v] for v in output)
    shapes = [np.broadcast_to(np.float32(0), t.x.aval.shape) for t in terms]
    how = "greedy" if count > 5 or optimize == "greedy" else "optimal"
    path, _ = np.einsum_path(text, *shapes, optimize=(how, 1 << 62))
    return path[1:]


@answered("numpy.einsum", "operands")
def _einsum(
    answer: ShapedArray, subscripts: Any, /, *operands: Any, out: None = None, optimize: Any = "auto",
    precision: Any = None, preferred_element_type: Any = None, _dot_general: Any = None, out_sharding: Any = None,
) -> Any:  # fmt: skip
    parsed = parse_subscripts(subscripts, [x.aval.shape for x in operands])
    output = parsed.output
    assert output is not None
    terms = [_Term(x, labels or ()) for x, labels in zip(operands, parsed.inputs)]
    summation = _Summation(dtype_of(answer), precision, _dot_general)
    for step in _path(terms, output, optimize) if len(terms) > 1 else ():
        taken = [terms.pop(i) for i in sorted(step, reverse=True)]
        if len(taken) > 2 and several(optimize):
            raise NotImplementedError(
                f"einsum: the path contracts {len(taken)} operands at once; give one of pairs, or leave out optimize"
            )
        while len(taken) > 1:  # NumPy takes more than two at once where the order does not matter
            lhs, rhs = taken.pop(), taken.pop()
            kept = {*output, *(label for t in (*terms, *taken) for label in t.labels)}
            taken.append(summation.pair(lhs, rhs, kept))
        terms += taken
    last = summation.reduced(terms[0], set(output))
    result = transpose(last.x, [last.labels.index(label) for label in output])
    return convert_to(result, dtype_of(answer), bool(answer.weak_type))


def einsum(
    subscripts: Any, /, *operands: Any, out: None = None, optimize: Any = "auto", precision: Any = None,
    preferred_element_type: Any = None, _dot_general: Any = None, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """The sum of products over the labels that the result has not: `jax.numpy.einsum`.

    The labels are given as a text, `"ij,jk->ik"`, or as a list behind each operand and one for the result.
    """
    if not isinstance(subscripts, str):
        subscripts, operands = _interleaved((subscripts, *operands))
    return _einsum(
        subscripts, *operands, out=out, optimize=optimize, precision=precision,
        preferred_element_type=preferred_element_type, _dot_general=_dot_general, out_sharding=out_sharding,
    )  # fmt: skip


def _interleaved(arguments: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """The other form of a call as a text and operands; as it is, for the rule to refuse, if it is no such."""
    from arraytyping.runtime.core import raised
    from arraytyping.semantics.rules.errors import RuleError

    try:
        found = subscripts_of_lists(arguments)
    except RuleError as error:
        raise raised(error) from None
    if found is None:
        raise TypeError(
            "einsum: subscripts are a text such as 'ij,jk->ik', or lists of labels behind the operands, got "
            f"{type(arguments[0]).__name__} first"
        )
    return found
