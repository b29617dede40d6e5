"""What jax says when it refuses, as a code and one sentence."""

from __future__ import annotations

import dis
import re
import types
from typing import Final

from arraytyping.checker.flow.engines.control_flow_sentences import control_flow_sentence
from arraytyping.checker.flow.engines.derivative_rules import RuleMisfit
from arraytyping.checker.flow.engines.jax import Refused
from arraytyping.checker.flow.engines.sharding_sentences import is_of_spec, sharding_sentence
from arraytyping.checker.flow.state.wording import presentable

__all__ = ["code_of", "first_line", "is_of_places", "is_trusted", "own_sentence", "speaks_of_symbols"]

_TREE: Final = re.compile(r"pytree|tree structure|structure of|treedef|PyTree", re.I)
_INDEX: Final = re.compile(
    r"^(differentiating with respect to argnums=|Positional argument indices, e\.g\. for `static_argnums`"
    r"|vmap was requested to map its argument along axis)"
)
"""What is beyond the arguments, or beyond the axes of one."""
_DTYPE: Final = re.compile(
    r"dtype|does not accept|real-valued|float0|integer-valued|implicit.*promotion|type promotion", re.I
)
_DIM: Final = re.compile(r"\baxis\b|\baxes\b|\brank\b|out of bounds|\bndim|dimension number|too many indices", re.I)
_SHAPE: Final = re.compile(r"shape|broadcast|dimension|size|contracting|length", re.I)

_PLACEMENT_ERRORS: Final = frozenset({"ShardingTypeError", "IndivisibleError", "DuplicateSpecError"})
_PLACEMENT: Final = re.compile(
    r"PartitionSpec|shardings?\b|\bmesh|\bMesh|in_specs|out_specs|AxisType|\bExplicit\b|devices?\b|_sharding"
    r"|varying manual axes|pvary|pcast",
    re.I,
)


_STAND_IN: Final = re.compile(r"arraytyping\.flow|'(Node|CallableNode|Callback|Held|_Placeholder|_Mark)'")
_NOT_FOLLOWED: Final = re.compile(r"lowered and compiled|ShapeDtypeStruct'(?: object|>)|__jax_array__\(\) during")
"""Messages about what a program has other objects for than flow: compiled functions, and arrays of shapes alone."""
_SYMBOLS: Final = re.compile(
    r"_DimExpr|shape_poly|symbolic|polymorphi|inconclusive|dimension variable|floordiv\(|\bmod\(", re.I
)
"""What jax's messages say of sizes that are not known: nothing that a program has."""
_CHECKING: Final = frozenset({"jax", "jaxlib", "numpy", "ml_dtypes", "arraytyping", "einops", "optax", "chex"})
"""Packages that hand whatever they are given on to checks, so that what Python itself refuses in them is meant."""
_STRUCTURE: Final = re.compile(r"PyTreeDef\(")
_MISFIT: Final = re.compile(r"__init__\(\) (missing \d|got an unexpected|got multiple values|takes )")
"""How Python says that a class does not take the arguments that the program gives."""
_RAISES: Final = frozenset({dis.opmap["RAISE_VARARGS"], dis.opmap["RERAISE"]})


_OF_METADATA: Final = "equality of metadata fields of pytree"
"""Of what nodes hold besides their children, which stands for the program's here."""


def is_trusted(error: BaseException, are_places_known: bool = False) -> bool:
    """Whether what a library refuses is a mistake of the program.

    It is not where the message is about what stands for the program's functions here, nor where it is about where
    arrays lie and that is not known of all of them.  Nor is it where Python refuses what a library's code does with an
    object that is another one in the program, or where two trees differ only in what their nodes hold besides their
    children, which may be equal in the program.
    """
    text = str(error)
    if isinstance(error, OSError):  # of the outside, which is another one when the program runs
        return False
    if _STAND_IN.search(text) or _NOT_FOLLOWED.search(text) or speaks_of_symbols(text):
        return False
    if is_of_places(error) and not are_places_known and not is_of_spec(error):
        return False
    if _names_one_structure(text) or _OF_METADATA in text:
        return False
    return not _is_incidental(error)


def speaks_of_symbols(message: str) -> bool:
    """Whether a message is about a symbol that stands for a size, in the program a number."""
    return _SYMBOLS.search(message) is not None


def is_of_places(error: BaseException) -> bool:
    """Whether what is refused is where arrays lie."""
    if type(error).__name__ in _PLACEMENT_ERRORS or _PLACEMENT.search(str(error)) is not None:
        return True
    return sharding_sentence(error) is not None


def _names_one_structure(text: str) -> bool:
    """Whether two structures of trees are said to differ that are printed alike."""
    found = [text[m.start() : _end_of(text, m.end())] for m in _STRUCTURE.finditer(text)]
    return len(found) > 1 and len(set(found)) == 1


def _end_of(text: str, start: int) -> int:
    """Where the parenthesis closes that was opened before `start`."""
    depth = 1
    for i in range(start, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    return len(text)


def _is_incidental(error: BaseException) -> bool:
    """Whether Python itself raised an exception inside of a library, in place of a check of the library."""
    if not isinstance(error, TypeError | AttributeError | LookupError) or error.__traceback__ is None:
        return False
    if _MISFIT.search(str(error)):
        return False
    innermost: types.TracebackType = error.__traceback__
    while innermost.tb_next is not None:
        innermost = innermost.tb_next
    frame = innermost.tb_frame
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return package not in _CHECKING and frame.f_code.co_code[innermost.tb_lasti] not in _RAISES


def code_of(refused: Refused) -> str:
    """The code of a mistake that jax reports."""
    text = str(refused.error)
    if isinstance(refused.error, RuleMisfit):
        return refused.error.code
    if refused.is_concreteness:
        return "array-traced"
    if type(refused.error).__name__ in ("UnexpectedTracerError", "TracerBoolConversionError"):
        return "array-traced"
    if is_of_places(refused.error):
        return "array-sharding"
    if type(refused.error).__name__ == "EinopsError":  # a pattern that does not fit the shape
        return "array-shape"
    if isinstance(refused.error, TypeError | ValueError | IndexError):
        for pattern, code in (
            (_INDEX, "array-index"),
            (_TREE, "array-tree"),
            (_DTYPE, "array-dtype"),
            (_SHAPE, "array-shape"),
            (_DIM, "array-dim"),
        ):
            if pattern.search(text):
                return code
    return "array-call"


def own_sentence(error: BaseException) -> str | None:
    """Our sentence in place of what jax says, where there is one: it does not hang on how jax shows its tracers."""
    if isinstance(error, RuleMisfit):
        return str(error)
    return sharding_sentence(error) or control_flow_sentence(error)


def first_line(error: Exception) -> str:
    """The first lines of jax's message, as one sentence of bearable length; ours where there is one."""
    if (ours := own_sentence(error)) is not None:
        return ours
    text = re.sub(r"\s+", " ", str(error).split("\n\n")[0]).strip()
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    text = presentable(text)
    shown = text if len(text) <= 400 else text[:400] + " ..."
    return f"{type(error).__name__}: {shown}"
