"""`state, params = variables.pop("params")`, as programs say it that were written for Flax before its release 0.7.

A `FrozenDict` gave what was left of it as well; the variables of a module are plain dicts now, whose `pop` gives the
item alone, so that its keys are unpacked.  After the mistake is told the program is followed on as it was meant.

Source: https://flax.readthedocs.io/en/latest/api_reference/flax.core.frozen_dict.html.
"""

from __future__ import annotations

import ast

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import DictValue, Value
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["popped"]

_ADVICE = "the variables of Flax are plain dicts since its release 0.7: write flax.core.pop(variables, key)"


def popped(it: Interpreter, node: ast.Assign, frame: Frame) -> Value | None:
    """What is left and what was taken out, where a dict is unpacked that `pop` has given; None anywhere else."""
    call, target = node.value, node.targets[0]
    if not isinstance(target, ast.Tuple | ast.List) or len(target.elts) != 2 or not isinstance(call, ast.Call):
        return None
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr != "pop" or len(call.args) != 1 or call.keywords:
        return None
    made = function.value
    is_made = isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and made.func.attr == "init"
    if not is_made and not isinstance(made, ast.Name):
        return None
    if not isinstance(call.args[0], ast.Constant):
        return None
    mark = it.journal.mark
    owner, key = it.evaluate(made, frame), call.args[0].value
    items = owner.items if isinstance(owner, DictValue) and owner.kind is dict else None
    item = None if items is None else items.get(key)
    if items is None or not isinstance(item, DictValue) or item.items is None or len(item.items) == 2:
        if is_made:
            it.journal.undo(mark)  # it is evaluated again
        return None
    it.fail(target, "array-call", f"ValueError: cannot unpack the {len(item.items)} keys of a dict into 2; {_ADVICE}")
    return DictValue({k: v for k, v in items.items() if k != key}), item
