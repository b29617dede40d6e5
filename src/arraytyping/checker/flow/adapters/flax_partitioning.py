"""Logical axes of Flax: the rules that are in force say which axis of the mesh each of them is.

Source: https://flax-linen.readthedocs.io/en/latest/guides/parallel_training/flax_on_pjit.html#logical-axis-annotation.
"""

from __future__ import annotations

import importlib

from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.with_blocks import ContextValue
from arraytyping.checker.flow.values import Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []


@handles("flax.linen.logical_axis_rules")
def _rules(it: Interpreter, call: Call) -> Value:
    """The block of `with` under these rules, which Flax itself keeps while it is interpreted."""
    given = call.argument(0, "rules")
    try:
        rules = it.engines.objects.real(it, given, call.node)
    except Abort as abort:
        return it.unknown(abort.why)
    manager = importlib.import_module("flax.linen").logical_axis_rules
    return ContextValue("logical_axis_rules", None, lambda: manager(rules))
