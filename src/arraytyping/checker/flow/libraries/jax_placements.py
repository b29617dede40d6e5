"""Functions that put arrays where they lie: `device_put`, `reshard`, constraints, and arrays made of local parts.

What the program asks for is held against the shape first; then jax says what the type of the result is.

Source: https://docs.jax.dev/en/latest/sharded-computation.html and
https://docs.jax.dev/en/latest/notebooks/explicit-sharding.html.
"""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.engines.structures import displaced
from arraytyping.checker.flow.libraries.jax_devices import is_distributed
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.shardings import (
    asked_of,
    check_leaf,
    map_with,
    put,
)
from arraytyping.checker.flow.syntax.transformations import to_array
from arraytyping.checker.flow.values import MISSING, ArrayValue, HandlerValue, NumPyValue, ScalarValue, is_exact
from arraytyping.checker.flow.values.places import NOWHERE
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.shardings import ShardingError, check_names, read_spec, spec_str

__all__: list[str] = []

Kwargs = dict[str, Any]
Node = ast.AST | None


def _placing(name: str, second: str) -> Any:
    """A handler of a function that takes a tree of arrays and one of shardings."""

    def handle(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
        given = {**dict(zip(("x", second), args)), **kwargs}
        value = given.get("x", given.get("value", MISSING))
        wanted = given.get(second)
        if value is MISSING:
            return it.fail(node, "array-call", f"TypeError: {name}() missing an argument: the array")
        jax = it.engines.jax.jax
        real = {"device_put": jax.device_put, "reshard": jax.sharding.reshard}.get(
            name, jax.lax.with_sharding_constraint
        )
        # Under jit a constraint on what is not divisible is kept by padding.
        may_pad = name != "device_put" and it.staged > 0

        def change(leaf: Any, sharding: Any, path: str) -> Any:
            array = to_array(it, leaf, node)
            if not isinstance(array, ArrayValue):
                return array
            check_leaf(it, array, sharding, f"the array{path and f' at {path}'}", may_pad)
            return put(it, array, sharding, real, node)

        try:
            return map_with(it, value, wanted, change, node)
        except ShardingError as error:
            return it.fail(node, "array-sharding", f"ValueError: {name}: {error}")

    return handle


handles("jax.device_put")(_placing("device_put", "device"))
handles("jax.lax.with_sharding_constraint")(_placing("with_sharding_constraint", "shardings"))
handles("equinox.filter_shard")(_placing("filter_shard", "device_or_shardings"))
handles("jax.reshard", "jax.sharding.reshard")(_placing("reshard", "out_shardings"))


@handles("jax.sharding.NamedSharding")
def _named_sharding(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    """The sharding, if its spec names axes of the mesh, each at most once."""
    sharding = it.engines.jax.jax.sharding
    given = {**dict(zip(("mesh", "spec"), args)), **kwargs}
    mesh, spec = given.get("mesh"), given.get("spec")
    known = isinstance(mesh, sharding.Mesh | sharding.AbstractMesh) and isinstance(spec, sharding.PartitionSpec)
    if not known or not all(is_exact(v) for v in given.values()):
        return it.unknown("a sharding of which a part is not known")
    assert mesh is not None
    assert spec is not None
    entries = read_spec(spec)
    try:
        if entries is not None:
            check_names(entries, dict(mesh.shape), spec_str(spec))
        return sharding.NamedSharding(mesh, spec, memory_kind=given.get("memory_kind"))
    except ShardingError as error:
        return it.fail(node, "array-sharding", f"ValueError: {error}")
    except (ValueError, TypeError) as error:
        said = " ".join(str(error).split())
        return it.fail(node, "array-sharding", f"{type(error).__name__}: NamedSharding: {said}")


@handles("jax.make_array_from_callback")
def _from_callback(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    """An array of a global shape, of which the callback gives parts."""
    given = {**dict(zip(("shape", "sharding", "data_callback"), args)), **kwargs}
    shape, callback, wanted = given.get("shape"), given.get("data_callback"), given.get("sharding")
    if not isinstance(shape, tuple) or not all(type(d) is int for d in shape):
        it.engines.havoc(it, [callback])
        return it.unknown("an array of a shape that is not known, made of parts")
    anywhere = ScalarValue(int)
    part = to_array(it, it.call(callback, [(slice(anywhere, anywhere),) * len(shape)], {}, node), node)
    dtype = part.aval.dtype if isinstance(part, ArrayValue) else None
    array = it.array(ShapedArray(shape, dtype, None if dtype is None else False), False, node).at(NOWHERE)
    try:
        check_leaf(it, array, wanted, "the array")
    except ShardingError as error:
        return it.fail(node, "array-sharding", f"ValueError: make_array_from_callback: {error}")
    array.sharding = wanted if asked_of(it, wanted) is not None else None
    return array


@handles("jax.make_array_from_process_local_data")
def _from_local(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    """An array of which each process gives its part: as there is one process here, its part is all of it.

    A global shape that is given says what it is where there are several.
    """
    given = {**dict(zip(("sharding", "local_data", "global_shape"), args)), **kwargs}
    wanted, local, shape = given.get("sharding"), given.get("local_data"), given.get("global_shape")
    array = to_array(it, local, node)
    if not isinstance(array, ArrayValue) or (shape is not None and not isinstance(shape, tuple)):
        return it.unknown("an array that is made of parts of processes")
    from_all = array.aval.shape if shape is None else tuple(d if type(d) is int else None for d in shape)
    made = it.array(ShapedArray(from_all, array.aval.dtype, array.aval.weak_type), False, node)
    if shape is None and isinstance(local, NumPyValue | ArrayValue) and is_distributed(it):
        sizes = None if from_all is None else (None,) * len(from_all)
        return it.array(ShapedArray(sizes, array.aval.dtype, array.aval.weak_type), False, node)
    try:
        check_leaf(it, made, wanted, "the array")
    except ShardingError as error:
        return it.fail(node, "array-sharding", f"ValueError: make_array_from_process_local_data: {error}")
    return put(it, made, wanted, it.engines.jax.jax.device_put, node)


@handles("jax.sharding.auto_axes", "jax.sharding.explicit_axes")
def _kinds(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    """The function itself, called without the shardings: where its results lie is not known."""
    function = args[0] if args else kwargs.get("f", kwargs.get("fun", MISSING))
    if function is MISSING:
        return HandlerValue("auto_axes", lambda i, a, k, n: _kinds(i, a, {**kwargs, **k}, n))

    def call(it: Interpreter, a: list[Any], k: Kwargs, n: Node) -> Any:
        hidden = [displaced(v) for v in a]
        named = {x: displaced(y) for x, y in k.items() if x not in ("in_sharding", "out_sharding")}
        mesh = it.engines.jax.mesh
        it.engines.jax.put_mesh(None)
        try:
            return displaced(it.call(function, hidden, named, n))
        finally:
            it.engines.jax.put_mesh(mesh)

    return HandlerValue("auto_axes", call, (function,))
