"""Overloads as lines of a stub."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arraytyping.checker.stubgen.surface import Signature

__all__ = ["function"]

WIDTH: Final = 120


def function(name: str, forms: Sequence[tuple[Signature, str]]) -> list[str]:
    """A function or method with these overloads."""
    unique = list(dict.fromkeys((signature.text.replace("self: Self", "self"), said) for signature, said in forms))
    lines: list[str] = []
    for parameters, said in unique:
        if len(unique) > 1:
            lines.append("@overload")
        lines.append(f"def {name}({parameters}) -> {said}: ...")
    return lines
