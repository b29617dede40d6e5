"""Einstein summation.

Source: https://numpy.org/doc/stable/reference/generated/numpy.einsum.html for the subscripts;
https://github.com/dgasmith/opt_einsum, `parser.py`, for how JAX reads them; `jax/_src/numpy/einsum.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Dim, Shape, ShapedArray, dim_str
from arraytyping.semantics.promotion.jax import Element, PromotionError
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dot_general import (
    accumulation,
    check_accumulation,
    check_out_sharding,
    check_precision,
)
from arraytyping.semantics.rules.errors import DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.operands import ANY_ARRAY, as_array, is_python_scalar
from arraytyping.semantics.rules.shapes.einsum import (
    Label,
    Labels,
    check_ranks,
    check_sizes,
    parse_subscripts,
    summed_shape,
)
from arraytyping.semantics.rules.table import rule


@rule("numpy.einsum")
def einsum(
    cx: Context,
    subscripts: Any,
    /,
    *operands: Any,
    out: Any = None,
    optimize: Any = "auto",
    precision: Any = None,
    preferred_element_type: Any = None,
    _dot_general: Any = None,
    out_sharding: Any = None,
) -> ShapedArray:
    """`jax.numpy.einsum`; `_dot_general` is None where JAX's own is meant."""
    if out is not None and out is not UNKNOWN:
        raise RuleError("einsum: JAX has no `out`, since its arrays do not change; use the result", NotImplementedError)
    if not isinstance(subscripts, str):
        interleaved = subscripts_of_lists((subscripts, *operands))
        if interleaved is None:
            # Only as long as nothing else can be a list of labels are all the operands arrays.
            certain = subscripts is UNKNOWN and all(isinstance(x, ShapedArray) or is_python_scalar(x) for x in operands)
            arrays = [as_array(cx, x, "einsum", i) for i, x in enumerate(operands)] if certain else [ANY_ARRAY]
            return ShapedArray(None, *accumulation(cx, "einsum", arrays, preferred_element_type))
        subscripts, operands = interleaved
    shapes = [_shape_of(cx, x) for x in operands]
    parsed = parse_subscripts(subscripts, shapes)
    check_ranks(parsed, shapes, subscripts)
    check_sizes(parsed, shapes, subscripts)
    if parsed.output is not None and "," in parsed.output:
        raise RuleError(f"einsum: the output of {subscripts!r} contains a comma", KeyError)
    check_out_sharding("einsum", out_sharding)
    arrays = [as_array(cx, x, "einsum", i) for i, x in enumerate(operands)]
    dtype, weak = accumulation(cx, "einsum", arrays, preferred_element_type)
    ours = _dot_general is None and (isinstance(optimize, str | bool) or optimize is None)  # else: any path may be
    if ours and len(arrays) > 1:
        check_precision("einsum", precision)
    terms = [_Term(labels, s, _element(a)) for labels, s, a in zip(parsed.inputs, shapes, arrays)]
    shape = summed_shape(parsed, shapes)
    if not ours:
        return ShapedArray(None if len(arrays) == 1 else shape, dtype, weak)
    if all(t.exact for t in terms) and len(terms) <= 2 and parsed.output is not None:
        contraction = _Contraction(cx, parsed.output, dtype, precision)
        shape = contraction.single(terms[0]) if len(terms) == 1 else contraction.pair(terms[1], terms[0])
    elif len(terms) > 1 and dtype is not None and parsed.output is not None:
        _check_dtypes(terms, parsed.output, dtype, precision)
    return ShapedArray(shape, dtype, weak)


def _shape_of(cx: Context, operand: Any) -> Shape | None:
    """The shape of an operand, or None; what is no array-like is refused later, as JAX does."""
    if operand is None:
        raise RuleError("einsum: an operand is None; give an array", ValueError)
    if isinstance(operand, tuple | list | str):
        shape: Shape = ()
        while isinstance(operand, tuple | list):
            shape = (*shape, len(operand))
            operand = operand[0] if operand else None
        return shape
    return as_array(cx, operand, "einsum").shape


def _element(x: ShapedArray) -> Element | None:
    return None if x.dtype is None or x.weak_type is None else Element(x.dtype, x.weak_type)


# --- parsing


_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def subscripts_of_lists(arguments: Sequence[Any]) -> tuple[str, tuple[Any, ...]] | None:
    """The other form of a call, `einsum(x, [0, 1], y, [1, 2], [0, 2])`, as subscripts and operands.

    None if a list of labels is not known.

    Raises:
        RuleError: for labels that JAX does not take.
    """
    n = len(arguments) // 2
    lists = [arguments[2 * i + 1] for i in range(n)]
    output = arguments[-1] if len(arguments) % 2 else None
    if n == 0 or arguments[0] is UNKNOWN:
        return None
    for labels in (*lists, *(() if output is None else (output,))):
        if not isinstance(labels, tuple | list | str) or not all(
            isinstance(s, int | str) or s is Ellipsis for s in labels
        ):
            return None
    try:
        symbols = sorted(set(chain.from_iterable(lists)) - {Ellipsis})
    except TypeError:
        raise RuleError("einsum: the labels of the lists must be all integers or all strings", TypeError) from None
    names = {s: _LETTERS[i] if i < len(_LETTERS) else chr(i + 140) for i, s in enumerate(symbols)}
    names[Ellipsis] = "..."
    try:
        text = ",".join("".join(names[s] for s in labels) for labels in lists)
        if output is not None:
            text += "->" + "".join(names[s] for s in output)
    except KeyError as error:
        raise RuleError(f"einsum: the output has the label {error.args[0]!r}, which no operand has", KeyError) from None
    return text, tuple(arguments[2 * i] for i in range(n))


# --- what JAX does step by step, for one and two operands


@dataclass(frozen=True)
class _Term:
    """An operand: the labels and sizes of its dimensions, its dtype and weak type; each None if unknown."""

    labels: Labels | None
    shape: Shape | None
    element: Element | None

    @property
    def exact(self) -> bool:
        return self.labels is not None and self.shape is not None and all(isinstance(d, int) for d in self.shape)

    @property
    def known_labels(self) -> Labels:
        return self.labels or ()


@dataclass(frozen=True)
class _Contraction:
    """The last step of a summation: from one or two operands of known shape to the output."""

    cx: Context
    output: Labels
    dtype: str | None
    precision: Any

    def single(self, term: _Term) -> Shape:
        counts = Counter(term.known_labels)
        sums = any(n > 1 or label not in self.output for label, n in counts.items())
        if sums:
            _summed(self.cx, term.element, self.dtype)
        sizes = dict(zip(term.known_labels, term.shape or ()))  # of a repeated label, the last
        return tuple(sizes[label] for label in self.output)

    def pair(self, lhs: _Term, rhs: _Term) -> Shape:
        lhs = _without_singletons(lhs, rhs)
        rhs = _without_singletons(rhs, lhs)
        left, right = self._reduced(lhs, rhs), self._reduced(rhs, lhs)
        a = dict(zip(left.known_labels, left.shape or ()))
        b = dict(zip(right.known_labels, right.shape or ()))
        for label in sorted(a, key=self.output.__contains__):  # the contracted ones first, as JAX does
            if label in b and a[label] != b[label]:
                raise ShapeError(
                    f"einsum: label {label!r} has size {dim_str(a[label])} in one operand and {dim_str(b[label])} in "
                    "the other; they must be equal",
                    TypeError if label in self.output else AssertionError,
                )
        if left.element is not None and right.element is not None and self.dtype is not None:
            check_accumulation("einsum", left.element, right.element, self.dtype, self.precision)
        return tuple((a | b)[label] for label in self.output)

    def _reduced(self, term: _Term, other: _Term) -> _Term:
        """The operand once its own sums and diagonals are taken."""
        counts = Counter(term.known_labels)
        kept = set(self.output) | set(other.known_labels)
        sizes = dict(zip(term.known_labels, term.shape or ()))
        element = term.element
        if any(n > 1 or label not in kept for label, n in counts.items()):
            element = _summed(self.cx, element, self.dtype)
        labels = tuple(label for label in sizes if label in kept)
        return _Term(labels, tuple(sizes[label] for label in labels), element)


def _without_singletons(term: _Term, other: _Term) -> _Term:
    """Without the dimensions of size 1 that broadcast against the other operand's."""
    sizes: dict[Label, Dim] = {}
    for label, dim in zip(other.known_labels, other.shape or ()):
        sizes.setdefault(label, dim)
    kept = [(label, d) for label, d in zip(term.known_labels, term.shape or ()) if d != 1 or sizes.get(label, 1) == 1]
    return _Term(tuple(label for label, _ in kept), tuple(d for _, d in kept), term.element)


def _summed(cx: Context, element: Element | None, dtype: str | None) -> Element | None:
    """The dtype of an operand after a sum over some of its dimensions, on the way to a result of `dtype`."""
    if element is None or dtype is None:
        return None
    try:
        joined = cx.promotion.join((element, Element(dtype, False)))
    except PromotionError as error:
        raise DtypeError(f"einsum: {error}", ValueError) from None
    return Element(element.dtype if joined.dtype == element.dtype else dtype, False)


def _check_dtypes(terms: Sequence[_Term], output: Labels, dtype: str, precision: Any) -> None:
    """Refuse an operand that cannot be contracted in whatever order the others come.

    Raises:
        DtypeError: if so.
    """
    elements = [t.element for t in terms if t.element is not None]
    # A dimension of size 1 is dropped where it meets another size, which leaves that one to be summed first.
    if len(elements) < len(terms) or not all(t.exact and 1 not in (t.shape or ()) for t in terms):
        return
    everywhere = Counter(label for t in terms for label in set(t.known_labels))
    for k, term in enumerate(terms):
        counts = Counter(term.known_labels)
        private = {label for label in counts if everywhere[label] == 1 and label not in output}
        if private or max(counts.values(), default=0) > 1:
            continue  # it is summed first, and so converted
        errors: list[DtypeError] = []
        partners = [*elements[:k], *elements[k + 1 :], Element(dtype, False)]  # the last for what is contracted already
        for partner in partners:
            try:
                check_accumulation("einsum", elements[k], partner, dtype, precision)
            except DtypeError as error:
                errors.append(error)
        if len(errors) == len(partners):
            raise errors[0]
