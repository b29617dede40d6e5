"""Functions of a list of arrays: where all of them are known to have one dtype, the result has it.

A checker joins the types of a list's items before it asks for an overload: `float32` and an unknown dtype come out as
`float32` in some, `float32` and `bfloat16` as a union in others.  So an item is asked what is known of its dtype:

- An array of unknown dtype answers `UnknownDType`, which is no `KnownDType`, so that the list is refused.
- `KnownDType` is invariant, so two dtypes have no common one, and its type variable is constrained, since ty would make
  a union of the two.
- An item of type `Any` fits everything, and pyright keeps what the other items are.  What tells such a list from others
  is that it takes anything as a further item: `MixedList` and `MixedTuple` ask for this, and are asked for first.
"""

from __future__ import annotations

from typing import Final

from arraytyping.checker.stubgen.answers import ERROR, Answer, Rules
from arraytyping.checker.stubgen.surface import Signature
from arraytyping.semantics.avals import UNKNOWN
from arraytyping.semantics.rules.evaluation import evaluate

__all__ = ["DTYPE_ANSWERS", "DTYPE_METHOD", "LISTED", "kept_of_lists", "list_forms"]

DTYPE_ANSWERS: Final = '''\
class KnownDType(Generic[_T2]):
    """What an array answers whose dtype is known."""
    def _is(self, dtype: _T2) -> _T2: ...

class UnknownDType:
    """What an array answers whose dtype is not known."""

class HasKnownDType(Protocol[_K]):
    """What can be asked whether its dtype is known."""
    def _known_dtype(self) -> _K: ...

class MixedList(Protocol):
    """A list of arrays, or of what is of type `Any`, with an item of type `Any`: it takes anything as an item."""
    def append(self, object: Nobody, /) -> None: ...
    def pop(self, index: int = ..., /) -> Array[Any, Any]: ...

class MixedTuple(Protocol):
    """A tuple with an item of type `Any`: it can be compared with any other."""
    def __lt__(self, other: tuple[Nobody, ...], /) -> builtins.bool: ...
'''

DTYPE_METHOD: Final = """\
@overload
def _known_dtype(self: Array[NoDType, Any]) -> UnknownDType: ...
@overload
def _known_dtype(self) -> KnownDType[D]: ...
"""

LISTED: Final = (
    "float32", "int32", "bool", "bfloat16", "float16", "uint8", "int8", "uint32", "complex64", "float", "int",
    "complex", "int64", "float64",
)  # fmt: skip
"""What most arrays of a list are: a checker compares with one after the other."""

SHAPES: Final = (None, (2, 2), (4,), ())
LENGTHS: Final = (1, 2, 3)


def kept_of_lists(rules: Rules, rule: str, others: int) -> list[str]:
    """The elements that the result has if all arrays of a list have them."""
    return [n for n in rules.nodes.names if _answers(rules, rule, n, others) == {n}]


def _answers(rules: Rules, rule: str, node: str, others: int) -> set[Answer]:
    """What the rule says of lists of some lengths, of arrays of some shapes; those that it refuses do not count."""
    promotion = rules.promotion([node])
    found: set[Answer] = set()
    for length in LENGTHS:
        for shape in SHAPES:
            arrays = [rules.nodes.array(node, promotion, shape)] * length
            outcome = evaluate(rule, [promotion], [arrays, *[UNKNOWN] * others], {})
            found.add(ERROR if outcome.error is not None else rules.nodes.node(outcome.value, promotion))
    return found - {ERROR}


def list_forms(signature: Signature, variable: str) -> list[tuple[Signature, str]]:
    """The overloads of lists of one dtype, that of the type variable; before it one for those with what is unknown."""
    first = signature.parameters[0].name
    rows = [
        ("MixedList | MixedTuple", "Any"),
        (f"Sequence[HasKnownDType[KnownDType[{variable}]]]", variable),
    ]
    return [(signature.annotated({first: asked}), f"Array[{dtype}, SomeShape]") for asked, dtype in rows]
