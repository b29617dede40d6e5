"""Functions that put arrays on devices: dtypes stay, and shapes but for an axis over the devices."""

from __future__ import annotations

import ast
import functools
from typing import Final

from arraytyping.checker.flow.values import FunctionValue, PartialValue, Value

__all__ = ["keeps_types"]

_KEEPING: Final = frozenset({
    "array", "asarray", "broadcast_to", "copy", "device_put", "device_put_replicated", "device_put_sharded",
    "expand_dims", "len", "list", "local_device_count", "local_devices", "stack", "tuple",
})  # fmt: skip
_PLAIN: Final = (
    ast.FunctionDef, ast.Lambda, ast.arguments, ast.arg, ast.Return, ast.Expr, ast.Assign, ast.Call, ast.Name,
    ast.Attribute, ast.Constant, ast.List, ast.Tuple, ast.ListComp, ast.comprehension, ast.expr_context, ast.Starred,
)  # fmt: skip


def keeps_types(function: Value) -> bool:
    """Whether a function gives what it is given, as an array of JAX or NumPy, once for each device perhaps."""
    while isinstance(function, PartialValue):
        if function.args or "dtype" in function.kwargs:
            return False
        function = function.function
    if isinstance(function, FunctionValue):
        return _keeps(function.node)
    return getattr(function, "__name__", "") in _KEEPING


@functools.lru_cache(maxsize=1024)
def _keeps(node: ast.AST) -> bool:
    body = node.body if isinstance(node, ast.FunctionDef | ast.Lambda) else []
    inner = [n for part in (body if isinstance(body, list) else [body]) for n in ast.walk(part)]
    for one in inner:
        if isinstance(one, ast.Call):
            name = one.func.attr if isinstance(one.func, ast.Attribute) else getattr(one.func, "id", "")
            is_cast = name in ("array", "asarray") and (len(one.args) > 1 or one.keywords)
            if name not in _KEEPING or is_cast:
                return False
        elif isinstance(one, ast.BinOp):  # as many of one as there are devices
            if not any(isinstance(side, ast.List) for side in (one.left, one.right)):
                return False
        elif not isinstance(one, (*_PLAIN, ast.operator)):
            return False
    return True
