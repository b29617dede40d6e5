"""Parameters that stand for `numpy` or `jax.numpy`: `xnp.stack(...)`, which is no method of an array.

Source: https://data-apis.org/array-api/latest/purpose_and_scope.html#how-to-adopt-this-api.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from arraytyping.checker.flow.sources.node_texts import text_of

__all__ = ["namespaces"]

_METHOD_NAMES: Final = """
    addressable_data all any argmax argmin argpartition argsort astype block_until_ready byteswap choose clip clone
    compress conj conjugate copy copy_to_host_async cumprod cumsum delete device_buffer devices diagonal dot dump dumps
    fill flatten format get getfield is_deleted is_ready item itemset max mean min newbyteorder nonzero
    on_device_size_in_bytes partition prod ptp put ravel repeat reshape resize round searchsorted setfield setflags
    sort squeeze std sum swapaxes take to_device tobytes tofile tolist tostring trace transpose unsafe_buffer_pointer
    var view
"""
_METHODS: Final = frozenset(_METHOD_NAMES.split())
"""What can be called of arrays, of NumPy's or JAX's; `device_buffer` and some others of earlier releases."""
_TAKE_A_SHAPE: Final = ("reshape", "transpose")


def namespaces(nodes: Iterable[ast.AST], parameters: Iterable[ast.arg]) -> Iterator[str]:
    """The names of which functions are called that are no methods of arrays, and of what is annotated as a module."""
    for parameter in parameters:
        if parameter.annotation is not None and text_of(parameter.annotation).strip("'\"").endswith("ModuleType"):
            yield parameter.arg
    for node in nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        of, name = node.func.value, node.func.attr
        if isinstance(of, ast.Name) and (name not in _METHODS or _is_of_other(name, node)):
            yield of.id


def _is_of_other(name: str, call: ast.Call) -> bool:
    """Whether a function that arrays have too is given an array: `xnp.reshape(x, (2, 3))`."""
    return name in _TAKE_A_SHAPE and any(isinstance(arg, ast.Tuple | ast.List) for arg in call.args[1:])
