"""The parameters of rules: what a call has to give, and options that are kept at their defaults."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from arraytyping.checker.stubgen.surface import Parameter, Signature
from arraytyping.semantics.rules.table import RULES

__all__ = ["at_defaults", "options", "required"]


def required(rule: str) -> list[str]:
    """The positional parameters of a rule that a call has to give."""
    if rule not in RULES:
        return []
    kinds = (1, 0)
    parameters = RULES[rule].signature.parameters.values()
    return [p.name for p in parameters if p.default is p.empty and p.kind.value in kinds]


def options(rule: str) -> list[str]:
    """The parameters of a rule that have defaults."""
    parameters = RULES[rule].signature.parameters.values()
    return [p.name for p in parameters if p.default is not p.empty]


def at_defaults(signature: Signature, names: Sequence[str]) -> Signature:
    """With these parameters annotated as their defaults; where those have no type (a float), they cannot be given."""
    kept: list[Parameter] = []
    ends = False
    for p in signature.parameters:
        is_fixed = p.name in names and p.default is not None
        if is_fixed and (p.default == "..." or _is_float(p)):
            ends = True
        elif not (ends and p.kind in ("positional", "either")):  # which would take the place of what is left out
            kept.append(replace(p, annotation=_literal(p)) if is_fixed else p)
    return replace(signature, parameters=tuple(kept))


def _is_float(parameter: Parameter) -> bool:
    return re.fullmatch(r"-?(\d+\.\d*|\d*\.?\d+e-?\d+)", parameter.default or "") is not None


def _literal(parameter: Parameter) -> str:
    return "None" if parameter.default == "None" else f"Literal[{parameter.default}]"
