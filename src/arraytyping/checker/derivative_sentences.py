"""The sentences for arguments of derivatives, which flow and the plugin for mypy say alike."""

from __future__ import annotations

__all__ = [
    "argument_cotangent_sentence", "cotangent_sentence", "cotangents_sentence", "forward_mode_sentence",
    "pair_sentence", "tangent_sentence",
]  # fmt: skip


def cotangent_sentence(result: object, given: object) -> str:
    """What is wrong where the pullback of a function that gives `result` is called with something else."""
    return f"ValueError: the cotangent is {given}, and the function's result is {result}; they must be alike"


def pair_sentence(kind: str, rule: str, function: str, given: object) -> str:
    """What is wrong where a rule of a function with derivatives of its own gives no pair."""
    parts = "the result and its tangent" if kind == "custom_jvp" else "the result and the residuals"
    return f"TypeError: {kind}: the rule {rule} of {function} has to give a pair of {parts}, and gives {given}"


def tangent_sentence(rule: str, function: str, result: object, tangent: object) -> str:
    """What is wrong where the rule of a `custom_jvp` gives a result with a tangent of another type."""
    return (
        f"TypeError: custom_jvp: the rule {rule} of {function} gives {result} with the tangent {tangent}; both must "
        "have the same structure, shape and dtype"
    )


def cotangents_sentence(rule: str, function: str, count: int, given: object) -> str:
    """What is wrong where the backward rule of a `custom_vjp` gives something else than one cotangent an argument."""
    each = "one cotangent, in a tuple of 1 item" if count == 1 else f"a tuple of {count} cotangents"
    return (
        f"TypeError: custom_vjp: the backward rule {rule} of {function} has to give {each}, one for each argument that "
        f"is differentiated, and gives {given}"
    )


def argument_cotangent_sentence(rule: str, function: str, name: str, argument: object, given: object) -> str:
    """What is wrong where a backward rule gives a cotangent that is not of its argument's shape."""
    return (
        f"ValueError: custom_vjp: the backward rule {rule} of {function} gives {given} for the argument {name}, which "
        f"is {argument}; both must have the same shape"
    )


def forward_mode_sentence(kind: str, function: str) -> str:
    """What is wrong where a function with a `custom_vjp` is differentiated forwards."""
    return (
        f"TypeError: {kind}: {function} has a custom_vjp, which has no forward mode; differentiate it with vjp, grad "
        "or jacrev, or give it a custom_jvp"
    )
