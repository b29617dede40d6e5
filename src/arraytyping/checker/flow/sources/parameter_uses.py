"""What the uses of parameters say of them: `jnp.zeros((n, 3))` that n is a size, `x.ndim` that x is an array.

Of a parameter of which the function asks what it is (`n is None`, `isinstance(x, list)`) nothing is said, nor of one
that has functions which no array has (`xnp.stack`): it may be a module.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, Literal

from arraytyping.checker.flow.sources.jax_calls import full_name, names_of_jax

__all__ = ["Use", "uses_of_parameters"]

Use = Literal["array", "int", "size"]
"""An array, an int, and one that is not negative, since it is the size of an array."""

_SHAPES: Final = {
    "jax.numpy.zeros": 0, "jax.numpy.ones": 0, "jax.numpy.empty": 0, "jax.numpy.full": 0, "jax.numpy.broadcast_to": 1,
    "jax.random.normal": 1, "jax.random.uniform": 1, "jax.random.bernoulli": 2, "jax.random.randint": 1,
    "jax.random.truncated_normal": 3, "jax.random.gumbel": 1, "jax.random.exponential": 1, "jax.lax.full": 0,
    "jax.lax.broadcasted_iota": 1,
}  # fmt: skip
"""Functions that take a shape, and where; `reshape` takes -1 too."""
_SIZES: Final = {
    "jax.numpy.eye": (0, 1), "jax.numpy.identity": (0,), "jax.numpy.tri": (0, 1), "jax.random.split": (1,),
    "jax.nn.one_hot": (1,), "jax.numpy.linspace": (2,), "jax.lax.iota": (1,),
}  # fmt: skip
"""Functions that take sizes, and where."""
_NAMED: Final = frozenset({"num_classes", "length"})
_TAKING_ARRAYS: Final = frozenset({
    "all", "any", "argmax", "argmin", "argsort", "average", "count_nonzero", "cumprod", "cumsum", "diag", "diagonal",
    "diff", "dot", "dynamic_slice", "dynamic_update_slice", "expand_dims", "flip", "inner", "log_softmax", "logsumexp",
    "matmul", "max", "mean", "median", "min", "moveaxis", "norm", "pad", "prod", "ravel", "repeat", "reshape", "roll",
    "softmax", "sort", "split", "squeeze", "std", "sum", "swapaxes", "take", "take_along_axis", "tensordot", "tile",
    "top_k", "trace", "transpose", "tril", "triu", "var", "vdot",
})  # fmt: skip
"""Functions of jax whose first argument is hardly ever a number."""
_LAYERS: Final = frozenset({
    "BatchNorm", "Conv", "Conv1D", "Conv2D", "Conv3D", "ConvLocal", "ConvTranspose", "Dense", "DenseGeneral", "Dropout",
    "Embed", "GroupNorm", "InstanceNorm", "LayerNorm", "Linear", "MultiHeadDotProductAttention", "RMSNorm",
    "SelfAttention", "WeightNorm",
})  # fmt: skip
_OF_ARRAYS: Final = frozenset({"shape", "ndim", "astype", "at", "T", "flatten"})
_OF_MODULES_TOO: Final = frozenset({"reshape", "transpose"})
"""Methods of arrays that are functions of an array's module as well, which take the array first."""
_ALL_OF_ARRAYS: Final = frozenset({
    "T", "addressable_data", "addressable_shards", "all", "any", "argmax", "argmin", "argpartition", "argsort",
    "astype", "at", "aval", "base", "block_until_ready", "byteswap", "choose", "clip", "clone", "committed",
    "compress", "conj", "conjugate", "copy", "copy_to_host_async", "ctypes", "cumprod", "cumsum", "data", "delete",
    "device", "device_buffer", "device_buffers", "devices", "diagonal", "dot", "dtype", "dump", "dumps", "fill",
    "flags", "flat", "flatten", "format", "getfield", "global_shards", "imag", "is_deleted", "is_fully_addressable",
    "is_fully_replicated", "is_ready", "item", "itemsize", "mT", "max", "mean", "min", "nbytes", "ndim",
    "newbyteorder", "nonzero", "on_device_size_in_bytes", "partition", "platform", "prod", "ptp", "put", "ravel",
    "real", "repeat", "reshape", "resize", "round", "searchsorted", "setfield", "setflags", "shape", "sharding",
    "size", "sort", "squeeze", "std", "strides", "sum", "swapaxes", "take", "to_device", "tobytes", "tofile",
    "tolist", "trace", "traceback", "transpose", "unsafe_buffer_pointer", "var", "view", "weak_type",
})  # fmt: skip
"""Public attributes of arrays of JAX and NumPy."""
_JOINING: Final = frozenset({f"jax.numpy.{name}" for name in ("concatenate", "stack", "hstack", "vstack")})
_ARITHMETIC: Final = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv)
_ASKING: Final = frozenset({"isinstance", "hasattr", "callable", "type", "getattr"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@functools.lru_cache(maxsize=4096)
def uses_of_parameters(function: _Function, module: ast.Module) -> Mapping[str, Use]:
    """What each parameter of a function is, as far as its uses say so."""
    names = _names(module)
    spec = function.args
    own = {p.arg for p in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs) if not _is_module(p)}
    body: list[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else [*function.body]
    nodes = [n for part in body for n in ast.walk(part)]
    found: dict[str, Use] = {}
    for name, use in _uses(nodes, names):
        if name in own and found.get(name) not in ("array", "size"):
            found[name] = use
    if not found:
        return MappingProxyType({})
    asked = {*_asked(nodes), *_no_arrays(nodes)}
    bound = {n.id for n in nodes if isinstance(n, ast.Name) and type(n.ctx) is not ast.Load}
    bound |= {n.arg for n in nodes if isinstance(n, ast.arg)}  # parameters of functions in it
    return MappingProxyType(
        {n: use for n, use in found.items() if n not in asked and (use == "array" or n not in bound)}
    )


@functools.lru_cache(maxsize=512)
def _names(module: ast.Module) -> dict[str, str]:
    return names_of_jax(module)


def _uses(nodes: list[ast.AST], names: dict[str, str]) -> Iterator[tuple[str, Use]]:
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in _OF_ARRAYS:
            yield from _arrays([node.value])
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            yield from _arrays([node.left, node.right])
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
            if any(_is_of_axes(index) for index in node.slice.elts):
                yield from _arrays([node.value])
        elif isinstance(node, ast.Call):
            called = full_name(node.func, names)
            if isinstance(node.func, ast.Attribute) and _is_method(node):
                yield from _arrays([node.func.value])
            if (called and called.rpartition(".")[2] in _TAKING_ARRAYS) or _is_of_layer(node.func):
                yield from _arrays(node.args[:1])
            elif called == "jax.numpy.einsum":
                yield from _arrays(node.args[1:])
            elif called in _JOINING and node.args and isinstance(node.args[0], ast.List | ast.Tuple):
                yield from _arrays(node.args[0].elts)
            yield from _sizes(node, called)


def _is_of_layer(called: ast.expr) -> bool:
    """Whether a layer is called where it is made: `nn.Dense(64)(x)`."""
    return isinstance(called, ast.Call) and isinstance(called.func, ast.Attribute) and called.func.attr in _LAYERS


def _arrays(given: list[ast.expr]) -> Iterator[tuple[str, Use]]:
    yield from ((node.id, "array") for node in given if isinstance(node, ast.Name))


def _is_of_axes(index: ast.expr) -> bool:
    """Whether an index is one that only arrays have, in a tuple of indices."""
    return isinstance(index, ast.Slice) or (isinstance(index, ast.Constant) and index.value in (None, Ellipsis))


def _sizes(node: ast.Call, called: str) -> Iterator[tuple[str, Use]]:
    """The names of ints among the arguments of a call."""
    if called in _SHAPES:
        at = _SHAPES[called]
        given = [*node.args[at : at + 1], *(k.value for k in node.keywords if k.arg == "shape")]
        yield from (n for s in given if isinstance(s, ast.Tuple | ast.List) for n in _ints(s.elts, "size"))
    elif called in _SIZES:
        yield from _ints([a for at in _SIZES[called] for a in node.args[at : at + 1]], "size")
    elif _is_range(node.func) or (len(node.args) > 1 and not called and _is_method(node, "reshape")):
        yield from _ints(node.args, "int")
    if called.startswith("jax."):
        yield from _ints([k.value for k in node.keywords if k.arg in _NAMED], "size")


def _is_range(called: ast.expr) -> bool:
    return isinstance(called, ast.Name) and called.id == "range"


def _is_method(call: ast.Call, name: str = "") -> bool:
    """Whether `reshape` or `transpose` is called as a method; `xnp.reshape(x, shape)` may be a module's function."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ({name} if name else _OF_MODULES_TOO):
        return False
    if any(isinstance(argument, ast.Tuple | ast.List) for argument in call.args[1:]):
        return False
    if len(call.args) > 2 or any(_is_number(argument) for argument in call.args):
        return True
    return not any(isinstance(argument, ast.Name | ast.Starred) for argument in call.args[:1]) and not call.keywords


def _is_number(node: ast.expr) -> bool:
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def _is_module(parameter: ast.arg) -> bool:
    return parameter.annotation is not None and ast.unparse(parameter.annotation).strip("'\"").endswith("ModuleType")


def _no_arrays(nodes: list[ast.AST]) -> Iterator[str]:
    """The names of what has an attribute that no array has."""
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            is_special = node.attr.startswith("__")
            yield from [] if is_special or node.attr in _ALL_OF_ARRAYS else [node.value.id]


def _ints(given: list[ast.expr], use: Use) -> Iterator[tuple[str, Use]]:
    """The names in sizes, and in what is computed, which is an int only where all of them are."""
    for node in given:
        if isinstance(node, ast.Name):
            yield node.id, use
        elif isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC):
            yield from _ints([node.left, node.right], "int")


def _asked(nodes: list[ast.AST]) -> Iterator[str]:
    """The names of which the function asks what they are."""
    for node in nodes:
        parts: list[ast.expr] = []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _ASKING:
            parts = node.args[:1]
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            is_of_none = any(isinstance(s, ast.Constant) and (s.value is None or type(s.value) is str) for s in sides)
            parts = sides if is_of_none or any(isinstance(op, ast.Is | ast.IsNot) for op in node.ops) else []
        elif isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert):
            parts = [node.test]
        elif isinstance(node, ast.BoolOp):
            parts = node.values
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            parts = [node.operand]
        elif isinstance(node, ast.Match):
            parts = [node.subject]
        yield from (part.id for part in parts if isinstance(part, ast.Name))
