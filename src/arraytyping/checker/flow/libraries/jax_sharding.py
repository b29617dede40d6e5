"""Meshes, shardings and `shard_map`: what follows for shapes from where arrays lie.

Shardings change no shape outside of `shard_map`, so they are not followed: every axis is taken to be of the kind
"auto", and `out_sharding` says nothing.  The devices are stand-ins, since those of the program's machine need not be
here.

Source: https://docs.jax.dev/en/latest/notebooks/shard_map.html and
https://docs.jax.dev/en/latest/notebooks/explicit-sharding.html.
"""

from __future__ import annotations

import ast
import contextlib
import math
from typing import Any, Final

from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.libraries.jax_config import CPU_DEVICES, moved
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.syntax.with_blocks import ContextValue
from arraytyping.checker.flow.values import (
    MISSING,
    DictValue,
    HandlerValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    Unknown,
    is_exact,
)
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.sizes.polynomials import symbol

__all__: list[str] = []

_MESH: Final[RunSlot[Any]] = RunSlot("the mesh in force", lambda: None)
_SHARDED: Final[RunSlot[int]] = RunSlot("how many shard_maps are under way", int)


class Device:
    """A device of the machine on which the program will run."""

    platform = "cpu"
    device_kind = "cpu"
    process_index = 0
    host_id = 0

    def __init__(self, number: int) -> None:
        self.id = number


_devices: list[Device] = []


def _stand_ins(count: int) -> list[Device]:
    _devices.extend(Device(n) for n in range(len(_devices), count))
    return _devices[:count]


# ---------------------------------------------------------------------- devices


@handles("jax.devices", "jax.local_devices", "jax.device_count", "jax.local_device_count", "jax.process_index",
         "jax.process_count", "jax.default_backend")  # fmt: skip
def _of_machine(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    """What there is depends on the machine, unless the program itself makes devices of its CPU."""
    name = getattr(node, "func", None)
    text = getattr(name, "attr", getattr(name, "id", ""))
    count = CPU_DEVICES.of(it)
    if type(count) is int and 0 < count <= 1 << 10 and not args and not kwargs:
        if text in ("device_count", "local_device_count"):
            return count
        if text in ("devices", "local_devices"):
            return ListValue(list(_stand_ins(count)))
    if text in ("device_count", "local_device_count", "process_count"):
        return ScalarValue(int, size=symbol(text, 1, None))
    if text == "process_index":
        return ScalarValue(int)
    if text == "default_backend":
        return ScalarValue(str)
    return ListValue(None, it.unknown("a device"))


# ---------------------------------------------------------------------- meshes


def _make(it: Interpreter, shape: Any, names: Any, kinds: Any) -> Any:
    """A mesh of this shape; MISSING if it is not known."""
    import numpy as np

    sizes = shape.items if isinstance(shape, ListValue) else shape
    labels = names.items if isinstance(names, ListValue) else (names,) if isinstance(names, str) else names
    if not isinstance(sizes, tuple | list) or not isinstance(labels, tuple | list):
        return MISSING
    if not all(type(s) is int and s > 0 for s in sizes) or not all(isinstance(n, str) for n in labels):
        return MISSING
    if math.prod(sizes) > 1 << 16 or len(sizes) != len(labels):
        return MISSING
    placed = np.array(_stand_ins(math.prod(sizes)), dtype=object).reshape(tuple(sizes))
    kinds = kinds if isinstance(kinds, tuple) and all(map(is_exact, kinds)) and len(kinds) == len(labels) else None
    try:
        return it.engines.jax.jax.sharding.Mesh(placed, tuple(labels), kinds)
    except Exception as error:
        swallow(error)
        return MISSING


@handles("jax.make_mesh", "jax.sharding.make_mesh")
def _make_mesh(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    given = {**dict(zip(("axis_shapes", "axis_names", "axis_types"), args)), **kwargs}
    kinds = given.get("axis_types")
    if kinds is None:
        explicit = getattr(getattr(it.engines.jax.jax.sharding, "AxisType", None), "Explicit", None)
        names = given.get("axis_names")
        kinds = (explicit,) * len(names) if isinstance(names, tuple) and explicit is not None else None
    found = _make(it, given.get("axis_shapes"), given.get("axis_names"), kinds)
    return it.unknown("a mesh whose shape is not known") if found is MISSING else found


@handles("jax.sharding.Mesh", "jax.experimental.maps.Mesh")
def _mesh(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    given = {**dict(zip(("devices", "axis_names", "axis_types"), args)), **kwargs}
    devices = given.get("devices")
    shape: Any = None
    if isinstance(devices, NumPyValue):
        shape = devices.shape
    elif isinstance(devices, ListValue) and devices.items is not None:
        shape = (len(devices.items),) if not any(isinstance(d, ListValue) for d in devices.items) else None
    found = _make(it, shape, given.get("axis_names"), given.get("axis_types"))
    return it.unknown("a mesh whose shape is not known") if found is MISSING else found


@handles("jax.experimental.mesh_utils.create_device_mesh")
def _device_mesh(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    shape = args[0] if args else kwargs.get("mesh_shape")
    sizes = shape.items if isinstance(shape, ListValue) else shape
    if not isinstance(sizes, tuple | list) or not all(type(s) is int for s in sizes):
        return it.unknown("a mesh whose shape is not known")
    return NumPyValue(tuple(sizes), "object")


@handles("jax.set_mesh", "jax.sharding.set_mesh", "jax.sharding.use_mesh", "jax.sharding.use_abstract_mesh")
def _set_mesh(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    """The mesh is in force from here on, or while the block of `with` lasts."""
    before = _MESH.of(it)
    mesh = args[0] if args else next(iter(kwargs.values()), None)
    _MESH.put(it, mesh)

    @contextlib.contextmanager
    def manager() -> Any:
        _MESH.put(it, mesh)
        try:
            yield
        finally:
            _MESH.put(it, before)

    return ContextValue("set_mesh", mesh, manager)


@handles("jax.sharding.get_mesh", "jax.sharding.get_abstract_mesh")
def _get_mesh(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    return it.unknown("the mesh in force")


# ---------------------------------------------------------------------- shardings that change no shape


handles("jax.reshard", "jax.sharding.reshard", "jax.lax.pcast", "jax.lax.pvary")(moved)


@handles("jax.sharding.auto_axes", "jax.sharding.explicit_axes")
def _kinds(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    """The function itself, which is called without the shardings."""
    function = args[0] if args else kwargs.get("f", kwargs.get("fun", MISSING))
    if function is MISSING:
        return HandlerValue("auto_axes", lambda i, a, k, n: _kinds(i, a, {**kwargs, **k}, n))

    def call(it: Interpreter, a: list[Any], k: dict[str, Any], n: ast.AST | None) -> Any:
        return it.call(function, a, {x: y for x, y in k.items() if x not in ("in_sharding", "out_sharding")}, n)

    return HandlerValue("auto_axes", call, (function,))


# ---------------------------------------------------------------------- shard_map


@handles("jax.shard_map", "jax.experimental.shard_map.shard_map", "jax.smap")
def _shard_map(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    """The function sees one block of each argument, and what it gives are blocks of the result."""
    options = {**dict(zip(("f", "mesh", "in_specs", "out_specs"), args)), **kwargs}
    function = options.pop("f", MISSING)
    if function is MISSING:
        return HandlerValue("shard_map", lambda i, a, k, n: _shard_map(i, a, {**options, **k}, n))
    if isinstance(function, Unknown):
        return function
    # That a result does not vary along an axis cannot be told from what stands for it.
    taken = {key: options[key] for key in ("in_specs", "out_specs", "axis_names") if key in options}

    def call(it: Interpreter, a: list[Any], k: dict[str, Any], n: ast.AST | None) -> Any:
        mesh = options.get("mesh")
        mesh = _MESH.of(it) if mesh is None else mesh
        sharding = it.engines.jax.jax.sharding
        if not isinstance(mesh, sharding.Mesh | sharding.AbstractMesh):
            it.engines.havoc(it, [function])
            return it.unknown("shard_map over a mesh that is not known")
        depth = _SHARDED.of(it)

        def transformed(function: Any, chosen: Any, /, *arguments: Any) -> Any:
            own = None if depth else _automatic(sharding, mesh)
            kept = {key: _plain(it, value) if key.endswith("specs") else value for key, value in chosen.items()}
            return it.engines.jax.jax.shard_map(function, mesh=own, check_vma=False, **kept)(*arguments)

        transformed.__name__ = "shard_map"
        _SHARDED.put(it, depth + 1)
        try:
            return it.engines.asker.ask(it, transformed, [function, DictValue(dict(taken)), *a], k, n)
        except Abort as abort:
            it.engines.havoc(it, [function])
            return it.unknown(abort.why)
        finally:
            _SHARDED.put(it, depth)

    return HandlerValue("shard_map", call, (function,))


def _plain(it: Interpreter, specs: Any) -> Any:
    """The specifications without what only explicit shardings may say."""
    kind = it.engines.jax.jax.sharding.PartitionSpec
    return it.engines.jax.jax.tree.map(
        lambda spec: kind(*spec) if isinstance(spec, kind) else spec, specs, is_leaf=lambda v: isinstance(v, kind)
    )


def _automatic(sharding: Any, mesh: Any) -> Any:
    """The mesh with all of its axes of the kind "auto"."""
    kinds = (sharding.AxisType.Auto,) * len(mesh.axis_names)
    return sharding.AbstractMesh(tuple(mesh.shape.values()), tuple(mesh.axis_names), axis_types=kinds)
