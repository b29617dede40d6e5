"""The sentences for arguments of derivatives, which flow and the plugin for mypy say alike."""

from __future__ import annotations

__all__ = ["cotangent_sentence"]


def cotangent_sentence(result: object, given: object) -> str:
    """What is wrong where the pullback of a function that gives `result` is called with something else."""
    return f"ValueError: the cotangent is {given}, and the function's result is {result}; they must be alike"
