"""What JAX computes, but warns of."""

from __future__ import annotations

from typing import NamedTuple

from arraytyping.semantics.rules.errors import Code

__all__ = ["RuleWarning"]


class RuleWarning(NamedTuple):
    """Something that JAX warns of: the code, and the sentence."""

    code: Code
    message: str
