"""What jax says when it refuses, as a code and one sentence."""

from __future__ import annotations

import re
from typing import Final

from arraytyping.flow.engines.jax import Refused

__all__ = ["code_of", "first_line", "is_trusted"]

_TREE: Final = re.compile(r"pytree|tree structure|structure of|treedef|PyTree", re.I)
_DTYPE: Final = re.compile(
    r"dtype|does not accept|real-valued|float0|integer-valued|implicit.*promotion|type promotion", re.I
)
_DIM: Final = re.compile(r"\baxis\b|\baxes\b|\brank\b|out of bounds|\bndim|dimension number|too many indices", re.I)
_SHAPE: Final = re.compile(r"shape|broadcast|dimension|size|contracting|length", re.I)

_PLACEMENT: Final = re.compile(
    r"PartitionSpec|shardings?\b|\bmesh|\bMesh|in_specs|out_specs|AxisType|\bExplicit\b|devices?\b|_sharding", re.I
)


def is_trusted(error: BaseException) -> bool:
    """Whether what jax refuses is a mistake of the program.

    It is not where the message is about what stands for the program's functions here, nor where it is about where
    arrays lie: shardings are not followed, and the devices of this machine are not those of the program.
    """
    text = str(error)
    return "arraytyping.flow" not in text and _PLACEMENT.search(text) is None


def code_of(refused: Refused) -> str:
    """The code of a mistake that jax reports."""
    text = str(refused.error)
    if refused.is_concreteness:
        return "array-traced"
    if type(refused.error).__name__ in ("UnexpectedTracerError", "TracerBoolConversionError"):
        return "array-traced"
    if isinstance(refused.error, TypeError | ValueError | IndexError):
        for pattern, code in (
            (_TREE, "array-tree"),
            (_DTYPE, "array-dtype"),
            (_SHAPE, "array-shape"),
            (_DIM, "array-dim"),
        ):
            if pattern.search(text):
                return code
    return "array-call"


def first_line(error: Exception) -> str:
    """The first lines of jax's message, as one sentence of bearable length."""
    text = re.sub(r"\s+", " ", str(error).split("\n\n")[0]).strip()
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    text = re.sub(r" at 0x[0-9a-f]+", "", text)
    shown = text if len(text) <= 400 else text[:400] + " ..."
    return f"{type(error).__name__}: {shown}"
