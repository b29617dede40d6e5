"""`flax.nnx`: modules of the program are real modules, whose variables hold tracers.

Source: https://flax.readthedocs.io/en/latest/nnx_basics.html.
"""

from __future__ import annotations

import ast

from arraytyping.checker.flow.adapters.real_classes import make_real
from arraytyping.checker.flow.libraries.registry import handles, handles_base, handles_family
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ClassValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []


@handles_family("flax.nnx.Module", "flax.nnx.Variable")
@handles_base("flax.nnx.Pytree", "flax.nnx.Object")
def _module(it: Interpreter, cls: ClassValue, base: Value, keywords: dict[str, Value], node: ast.AST | None) -> Value:
    return make_real(it, cls, keywords, node, _module)


@handles("flax.nnx.display", "flax.nnx.tabulate")
def _shown(it: Interpreter, call: Call) -> Value:
    return it.unknown("a model as text")
