"""Jaxprs: programs of primitives, as data.

Reading order: `syntax` (what they are made of), `evaluate`, `typecheck`, `printer` and `parser`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

__all__ = [
    "ClosedJaxpr",
    "Jaxpr",
    "JaxprEqn",
    "JaxprSyntaxError",
    "JaxprType",
    "JaxprTypeError",
    "Literal",
    "Var",
    "dce_jaxpr",
    "eval_jaxpr",
    "jaxpr_as_fun",
    "parse_jaxpr",
    "typecheck_jaxpr",
]

_WHERE: Final = {
    **dict.fromkeys(("ClosedJaxpr", "Jaxpr", "JaxprEqn", "Literal", "Var"), "runtime.jaxpr.syntax"),
    **dict.fromkeys(("eval_jaxpr", "jaxpr_as_fun"), "runtime.jaxpr.evaluate"),
    **dict.fromkeys(("JaxprType", "typecheck_jaxpr"), "runtime.jaxpr.typecheck"),
    **dict.fromkeys(("JaxprSyntaxError", "parse_jaxpr"), "runtime.jaxpr.parser"),
    "JaxprTypeError": "errors",
    "dce_jaxpr": "runtime.jaxpr.dce",
}


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        return getattr(import_module(f"arraytyping.{_WHERE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
