"""Meshes: which axes the devices are arranged along, and which mesh is in force.

They are objects of jax, made of as many of its devices as their sizes ask for.  The order of the devices in a mesh is
not followed: nothing that is said of shapes and shardings hangs on it.

Source: https://docs.jax.dev/en/latest/sharded-computation.html and
https://docs.jax.dev/en/latest/notebooks/explicit-sharding.html.
"""

from __future__ import annotations

import ast
import contextlib
import math
from typing import Any

from arraytyping.checker.flow.libraries.jax_devices import first_devices, known_count
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.with_blocks import ContextValue
from arraytyping.checker.flow.values import MISSING, ListValue, NumPyValue, Value, is_concrete
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

Node = ast.AST | None


def _sizes(given: Value) -> tuple[int, ...] | None:
    """The sizes of a mesh as the program gives them; None if they are not known."""
    items = given.items if isinstance(given, ListValue) else given
    if not isinstance(items, tuple | list) or not all(type(s) is int and s > 0 for s in items):
        return None
    return tuple(items)


def _names(given: Value) -> tuple[Value, ...] | None:
    """The names of a mesh's axes; None if they are not known."""
    items = given.items if isinstance(given, ListValue) else (given,) if isinstance(given, str) else given
    return tuple(items) if isinstance(items, tuple | list) and all(map(is_concrete, items)) else None


def _kinds(given: Value) -> Value:
    """The kinds of a mesh's axes; MISSING if they are not known."""
    items = tuple(given.items) if isinstance(given, ListValue) and given.items is not None else given
    if items is None or (isinstance(items, tuple) and all(map(is_concrete, items))):
        return items
    return MISSING if not is_concrete(items) else items


def _too_few(it: Interpreter, node: Node, what: str, sizes: tuple[int, ...], there: int) -> Value:
    """Report a mesh of more devices than there are."""
    wanted = math.prod(sizes)
    message = (
        f"ValueError: {what}: a mesh of shape {sizes} needs {wanted} devices, and there are {there}: "
        f"choose sizes whose product is {there}"
    )
    return it.fail(node, "array-sharding", message)


def _made(it: Interpreter, make: Any, what: str, node: Node) -> Value:
    """What jax makes; its refusal is a mistake."""
    try:
        return make()
    except (ValueError, TypeError) as error:
        return it.fail(node, "array-sharding", f"{type(error).__name__}: {what}: {' '.join(str(error).split())}")


@handles("jax.make_mesh", "jax.sharding.make_mesh")
def _make_mesh(it: Interpreter, call: Call) -> Value:
    given = call.named("axis_shapes", "axis_names", "axis_types")
    sizes, names = _sizes(given.get("axis_shapes")), _names(given.get("axis_names"))
    kinds = _kinds(given.get("axis_types"))
    if sizes is None or names is None or kinds is MISSING:
        return it.unknown("a mesh whose shape is not known")
    chosen = first_devices(it, math.prod(sizes))
    if chosen is None:
        if (there := known_count(it)) and given.get("devices") is None:
            return _too_few(it, call.node, "make_mesh", sizes, there)
        return it.unknown("a mesh of devices of which the number is not known")
    jax = it.engines.jax.jax
    options = {} if kinds is None else {"axis_types": kinds}
    return _made(it, lambda: jax.make_mesh(sizes, names, devices=chosen, **options), "make_mesh", call.node)


@handles("jax.sharding.Mesh", "jax.experimental.maps.Mesh")
def _mesh(it: Interpreter, call: Call) -> Value:
    given = call.named("devices", "axis_names", "axis_types")
    shape, names, kinds = _shape_of(given.get("devices")), _names(given.get("axis_names")), given.get("axis_types")
    kinds = _kinds(kinds)
    if shape is None or names is None or kinds is MISSING:
        return it.unknown("a mesh whose shape is not known")
    if len(shape) != len(names):
        message = (
            f"ValueError: Mesh: the devices have shape {shape}, which is {len(shape)} axes, and {len(names)} names "
            f"are given, {names}: reshape the devices, or name each axis"
        )
        return it.fail(call.node, "array-sharding", message)
    chosen = first_devices(it, math.prod(shape))
    if chosen is None:
        return it.unknown("a mesh of devices of which the number is not known")
    jax, numpy = it.engines.jax.jax, it.engines.jax.numpy
    placed = numpy.array(chosen, dtype=object).reshape(shape)
    options = {} if kinds is None else {"axis_types": kinds}
    return _made(it, lambda: jax.sharding.Mesh(placed, names, **options), "Mesh", call.node)


def _shape_of(devices: Value) -> tuple[int, ...] | None:
    """The shape of devices in an array or a list; None if it is not known."""
    if isinstance(devices, NumPyValue):
        shape = devices.shape
        return shape if shape is not None and all(type(d) is int and d > 0 for d in shape) else None
    items = devices.items if isinstance(devices, ListValue) else devices
    if not isinstance(items, tuple | list) or not items:
        return None
    inner = {_shape_of(item) if isinstance(item, ListValue | NumPyValue | tuple) else () for item in items}
    rest = inner.pop()
    return None if inner or rest is None else (len(items), *rest)


@handles("jax.experimental.mesh_utils.create_device_mesh")
def _device_mesh(it: Interpreter, call: Call) -> Value:
    given = call.named("mesh_shape", "devices")
    sizes = _sizes(given.get("mesh_shape"))
    if sizes is None:
        return it.unknown("a mesh whose shape is not known")
    if given.get("devices") is not None:
        shape = _shape_of(given["devices"])
        there = None if shape is None else math.prod(shape)
    else:
        first_devices(it, math.prod(sizes))
        there = known_count(it) or None
    if there is not None and there != math.prod(sizes):
        return _too_few(it, call.node, "create_device_mesh", sizes, there)
    return NumPyValue(sizes, "object")


@handles("jax.experimental.mesh_utils.create_hybrid_device_mesh")
def _hybrid_mesh(it: Interpreter, call: Call) -> Value:
    given = call.named("mesh_shape", "dcn_mesh_shape")
    inner, outer = _sizes(given.get("mesh_shape")), _sizes(given.get("dcn_mesh_shape"))
    if inner is None or outer is None or len(inner) != len(outer):
        return it.unknown("a mesh whose shape is not known")
    return NumPyValue(tuple(a * b for a, b in zip(inner, outer)), "object")


@handles("jax.set_mesh", "jax.sharding.set_mesh", "jax.sharding.use_mesh", "jax.sharding.use_abstract_mesh")
def _set_mesh(it: Interpreter, call: Call) -> Value:
    """The mesh is in force from here on, or while the block of `with` lasts."""
    mesh = call.args[0] if call.args else next(iter(call.kwargs.values()), None)
    engine = it.engines.jax
    before = engine.mesh
    engine.put_mesh(mesh)

    @contextlib.contextmanager
    def manager() -> Any:
        engine.put_mesh(mesh)
        try:
            yield
        finally:
            engine.put_mesh(before)

    return ContextValue("set_mesh", mesh, manager)


@handles("jax.sharding.get_mesh")
def _get_mesh(it: Interpreter, call: Call) -> Value:
    mesh = it.engines.jax.mesh
    return it.unknown("the mesh in force") if mesh is None or not is_concrete(mesh) else mesh


@handles("jax.sharding.get_abstract_mesh")
def _get_abstract_mesh(it: Interpreter, call: Call) -> Value:
    mesh = it.engines.jax.private.mesh_in_force()
    return it.unknown("the mesh in force") if mesh is None else mesh
