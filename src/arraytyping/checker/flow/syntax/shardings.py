"""Shardings that a program asks for: held against the arrays that they are for.

A sharding is an object of jax, `NamedSharding` or a `PartitionSpec` for the mesh in force; it stands for all leaves of
a tree, or a tree of shardings is a prefix of one of arrays.

Source: https://docs.jax.dev/en/latest/pytrees.html, prefixes of trees; what jax refuses as in its own
`NamedSharding.check_compatible_aval` and `shard_shape`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from arraytyping.checker.flow.engines.conversion import Abort, from_jax
from arraytyping.checker.flow.engines.foreign import expand, rebuild, tree_class
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.stateful import is_stateful_class
from arraytyping.checker.flow.syntax.traced_arguments import map_arrays, to_array
from arraytyping.checker.flow.values import (
    ArrayValue,
    BaseValue,
    DictValue,
    InstanceValue,
    ListValue,
    TreeValue,
    Value,
    is_concrete,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.flow.values.places import NOWHERE
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.shardings import ShardingError, Spec, check_fit, check_names, read_spec, spec_str

__all__ = ["Asked", "TreeError", "asked_of", "check_leaf", "map_with", "put"]


class TreeError(ShardingError):
    """A tree of shardings is no prefix of a tree of arrays; the message says where."""


class Asked:
    """A sharding that is asked for: the sizes of the mesh's axes, what is cut along which, and how it is written."""

    __slots__ = ("real", "shown", "sizes", "spec")

    def __init__(self, real: Any, sizes: dict[str, int], spec: Spec, shown: str) -> None:
        self.real: Any = real
        self.sizes: dict[str, int] = sizes
        self.spec: Spec = spec
        self.shown: str = shown


def asked_of(it: Interpreter, given: Value) -> Asked | None:
    """What a program asks for with an object; None if that is not known, or it is no sharding over a mesh."""
    sharding = it.engines.jax.jax.sharding
    if isinstance(given, sharding.NamedSharding):
        mesh, spec = given.mesh, given.spec
    elif isinstance(given, sharding.PartitionSpec):
        mesh, spec = it.engines.jax.mesh_of_specs, given
        if not isinstance(mesh, sharding.Mesh | sharding.AbstractMesh):
            return None
    else:
        return None
    entries = read_spec(spec)
    return None if entries is None else Asked(given, dict(mesh.shape), entries, spec_str(spec))


def map_with(it: Interpreter, value: Value, given: Value, change: Callable[[Any, Any, str], Any], node: ast.AST | None,
             path: str = "") -> Any:  # fmt: skip
    """The tree with each leaf changed, together with the sharding that is given for it.

    Raises:
        TreeError: if the tree of shardings is no prefix of the tree of arrays.
    """
    given = _as_tree(it, given)
    if is_stateful_class(type(value)):
        return _check_stateful(it, value, given, change, path)
    if isinstance(given, TreeValue):
        return _map_tree(it, value, given, change, node, path)
    if isinstance(given, InstanceValue) and given.cls.pytree is not None:
        return _map_instance(it, value, given, change, node, path)
    items = given.items if isinstance(given, ListValue) else given
    if isinstance(given, tuple) and hasattr(given, "_fields"):
        if type(given) is not type(value):
            return _map_unknown(it, value, change, node, path)
        pairs = zip(value, given, given._fields)
        return type(value)(*(map_with(it, v, g, change, node, f"{path}.{name}") for v, g, name in pairs))
    if isinstance(given, ListValue | tuple):
        return _map_sequence(it, value, items, change, node, path)
    if isinstance(given, DictValue):
        return _map_dict(it, value, given, change, node, path)
    return map_arrays(it, value, lambda leaf: change(leaf, given, path), node)


def _as_tree(it: Interpreter, given: Value) -> Any:
    """A tree of shardings that is a concrete object of a library, such as a training's state, as a tree of leaves."""
    if not is_concrete(given) or given is None or isinstance(given, BaseValue | tuple | list | dict):
        return given
    leaves, treedef = it.engines.jax.tree_util.tree_flatten(given)
    return given if len(leaves) == 1 and leaves[0] is given else TreeValue(treedef, tuple(leaves))


def _check_stateful(
    it: Interpreter, value: Value, given: Value, change: Callable[[Any, Any, str], Any], path: str
) -> Value:
    """An object of a library that holds its arrays itself, which stays as it is: each is held against its sharding."""
    leaves, _ = it.engines.jax.tree_util.tree_flatten_with_path(value)
    shardings = given.leaves if isinstance(given, TreeValue) else [given] * len(leaves)
    if len(shardings) != len(leaves) or (isinstance(given, BaseValue) and not isinstance(given, TreeValue)):
        return value
    for (keys, leaf), sharding in zip(leaves, shardings):
        if it.engines.jax.is_array(leaf):
            array = from_jax(it.engines.jax, leaf, lambda _: False, None)
            change(array, sharding, f"{path}{it.engines.jax.tree_util.keystr(keys)}")
    return value


def _map_unknown(it: Interpreter, value: Value, change: Callable[[Any, Any, str], Any], node: ast.AST | None,
                 path: str) -> Value:  # fmt: skip
    return map_arrays(it, value, lambda leaf: change(leaf, it.unknown("a tree of shardings"), path), node)


def _map_tree(
    it: Interpreter, value: Value, given: TreeValue, change: Callable[[Any, Any, str], Any], node: ast.AST | None,
    path: str,
) -> Value:  # fmt: skip
    """That of an object of a library: of the same structure, or of the same class with trees inside."""
    if isinstance(value, TreeValue) and value.structure == given.structure:
        pairs = zip(value.leaves, given.leaves)
        return TreeValue(value.treedef, tuple(map_with(it, v, g, change, node, path) for v, g in pairs))
    if not isinstance(value, TreeValue) or tree_class(value) is not tree_class(given):
        return _map_unknown(it, value, change, node, path)
    try:
        one_level, parts = expand(it.engines, value)
        _, shardings = expand(it.engines, given)
    except Exception as error:  # of a class that looks at what it holds
        swallow(error)
        return _map_unknown(it, value, change, node, path)
    if len(parts) != len(shardings):
        return _map_unknown(it, value, change, node, path)
    return rebuild(it.engines, one_level, [map_with(it, v, g, change, node, path) for v, g in zip(parts, shardings)])


def _map_instance(
    it: Interpreter, value: Value, given: InstanceValue, change: Callable[[Any, Any, str], Any], node: ast.AST | None,
    path: str,
) -> Value:  # fmt: skip
    """That of an instance of a class of the program."""
    if not isinstance(value, InstanceValue) or value.cls is not given.cls:
        return _map_unknown(it, value, change, node, path)
    try:
        parts, rest = it.engines.pytrees.flatten(it, value, node)
        shardings, _ = it.engines.pytrees.flatten(it, given, node)
    except Abort as abort:
        return it.unknown(abort.why)
    if len(parts) != len(shardings):
        return _map_unknown(it, value, change, node, path)
    changed = tuple(map_with(it, v, g, change, node, path) for v, g in zip(parts, shardings))
    return it.engines.pytrees.unflatten(it, value.cls, changed, rest, node)


def _map_sequence(
    it: Interpreter, value: Any, given: Any, change: Callable[[Any, Any, str], Any], node: ast.AST | None, path: str
) -> Value:
    parts = value.items if isinstance(value, ListValue) else value
    if given is None or parts is None or not isinstance(parts, tuple | list):
        if isinstance(value, ArrayValue | DictValue):
            raise TreeError(f"there are {len(given)} shardings for one {_sort(value)}{_where(path)}")
        return _map_unknown(it, value, change, node, path)
    if len(parts) != len(given):
        raise TreeError(f"there are {len(given)} shardings for {len(parts)} values{_where(path)}")
    changed = [map_with(it, v, g, change, node, f"{path}[{i}]") for i, (v, g) in enumerate(zip(parts, given))]
    return ListValue(changed) if isinstance(value, ListValue) else _remade(value, changed)


def _remade(value: Value, items: list[Value]) -> Value:
    return type(value)(*items) if hasattr(value, "_fields") else tuple(items)


def _map_dict(
    it: Interpreter, value: Value, given: DictValue, change: Callable[[Any, Any, str], Any], node: ast.AST | None,
    path: str,
) -> Value:  # fmt: skip
    if isinstance(value, ArrayValue):
        raise TreeError(f"there is a dict of shardings for one array{_where(path)}")
    if not isinstance(value, DictValue) or value.items is None or given.items is None:
        return _map_unknown(it, value, change, node, path)
    if value.items.keys() != given.items.keys():
        missing = [repr(k) for k in value.items if k not in given.items]
        more = [repr(k) for k in given.items if k not in value.items]
        said = [f"there is no sharding for {', '.join(missing)}"] if missing else []
        said += [f"there is one for {', '.join(more)}, which is not there"] if more else []
        raise TreeError(f"{' and '.join(said)}{_where(path)}")
    changed = {k: map_with(it, v, given.items[k], change, node, f"{path}[{k!r}]") for k, v in value.items.items()}
    return DictValue(changed, kind=value.kind)


def _sort(value: Value) -> str:
    return "array" if isinstance(value, ArrayValue) else "dict"


def _where(path: str) -> str:
    return f", at {path}" if path else ""


def check_leaf(it: Interpreter, leaf: Value, given: Value, what: str, may_pad: bool = False) -> None:
    """Hold an array against what is asked for; with `may_pad` the compiler cuts what is not divisible, too.

    Raises:
        ShardingError: if it cannot lie so.
    """
    asked = asked_of(it, given)
    shape = leaf.aval.shape if isinstance(leaf, ArrayValue) else None
    if asked is None or shape is None:
        return
    check_names(asked.spec, asked.sizes, asked.shown)
    check_fit(asked.spec, {} if may_pad else asked.sizes, shape, asked.shown, what)


def put(it: Interpreter, leaf: Value, given: Value, function: Value, node: ast.AST | None) -> Value:
    """The array where it is asked to lie, by a function of jax that puts it there."""
    array = to_array(it, leaf, node)
    if not isinstance(array, ArrayValue):
        return leaf
    if isinstance(given, BaseValue) or given is None:
        return array.as_traced(array.traced or it.staged > 0).at(array.place if given is None else None)
    if array.place is None and function is not it.engines.jax.jax.lax.with_sharding_constraint:
        array = array.as_traced(array.traced).at(NOWHERE)  # wherever it comes from
    try:
        found = it.engines.asker.ask(it, function, Call([array, given], {}, node))
    except Abort:
        found = array.as_traced(array.traced).at(None)
    if not isinstance(found, ArrayValue):
        return found
    found = found.as_traced(array.traced or it.staged > 0)
    if not found.traced:
        found.sharding = _concrete(it, given)
    return found


def _concrete(it: Interpreter, given: Value) -> Value:
    """The sharding of an array that was put somewhere, as an object of jax; None if that is not known."""
    sharding = it.engines.jax.jax.sharding
    if isinstance(given, sharding.NamedSharding):
        return given
    mesh = it.engines.jax.mesh_of_specs
    if isinstance(given, sharding.PartitionSpec) and isinstance(mesh, sharding.Mesh):
        return sharding.NamedSharding(mesh, given)
    return None
