"""`jax.tree` and `jax.tree_util`: pytrees of values are taken apart and put together here, whatever their leaves.

Source: https://docs.jax.dev/en/latest/pytrees.html.
"""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.engines.pytrees import ByFields, ByFunctions
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.libraries.replicating import keeps_types
from arraytyping.checker.flow.python.fields import fields_of
from arraytyping.checker.flow.python.open_calls import gathers_rest, takes_rest
from arraytyping.checker.flow.python.pytree_structure import (
    Structure,
    StructureValue,
    flatten,
    unflatten,
    unflatten_value,
)
from arraytyping.checker.flow.real_calls.own_programs import is_on_own_runtime
from arraytyping.checker.flow.state.branching import of_each
from arraytyping.checker.flow.state.certainty import depends_on_data
from arraytyping.checker.flow.state.forgotten_sizes import without_names
from arraytyping.checker.flow.state.fresh_sizes import fresh_size, names_since, names_so_far
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import open_tree_of
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    BoundMethod,
    ClassValue,
    Descriptor,
    DictValue,
    HandlerValue,
    InstanceValue,
    ListValue,
    OpenTree,
    SavedValue,
    ScalarValue,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
    as_leaf,
)
from arraytyping.checker.flow.values.calls import Call, RestArguments

__all__: list[str] = []


def _flatten(
    it: Interpreter, tree: Any, is_leaf: Value, node: ast.AST | None, unknown_leaves: bool = False
) -> tuple[list[Value], Structure] | None:
    """The leaves and the structure; None if they are not known."""

    def stops(value: Value) -> bool:
        known = it.truth(it.call(is_leaf, [value], {}, node), node)
        if known is None:
            raise Abort("is_leaf gives something unknown")
        return known

    try:
        found = flatten(it, tree, stops if is_leaf is not None else None, node, unknown_leaves)
    except Abort:
        return None
    return None if any(map(_is_own_node, found[0])) and is_on_own_runtime(it) else found


def _is_own_node(leaf: Value) -> bool:
    """Whether a leaf of jax is, or may be, a node to our runtime: keys around their bits, a deque, a `struct_time`."""
    if isinstance(leaf, ArrayValue):
        return (leaf.aval.dtype or "key<").startswith("key<")
    return isinstance(leaf, ListValue) or hasattr(type(leaf), "n_sequence_fields")


@handles("jax.tree.map", "jax.tree_util.tree_map", "jax.tree_map")
@takes_rest
def _map(it: Interpreter, call: Call) -> Value:
    args = call.args
    if len(args) < 2:
        if "tree" not in call.kwargs or not args:
            return it.fail(call.node, "array-call", "TypeError: tree.map takes a function and at least one tree")
        args = [args[0], call.kwargs["tree"]]
    function, trees = args[0], args[1:]
    if isinstance(rest := trees[-1], RestArguments):
        if not gathers_rest(function, len(trees) - 1):
            return _map_unknown(it, function, trees, call.node)
        if len(trees) == 1 and rest.many.length is None:  # of none it is an error
            rest.many.length = fresh_size(it, "n", least=1)
    one = next((t for t in trees if isinstance(t, UnionValue)), None)
    if one is not None:
        return of_each(
            it, one.values, lambda v: _map(it, call.with_args([function, *(v if t is one else t for t in trees)]))
        )
    is_leaf = call.kwargs.get("is_leaf")
    if isinstance(trees[0], OpenTree) and is_leaf is None and not any(isinstance(t, RestArguments) for t in trees):
        return _map_leaf(it, function, tuple(trees), call.node)
    first = _flatten(it, _one_of(trees[0]), is_leaf, call.node, unknown_leaves=True)
    if first is None:
        return _map_unknown(it, function, trees, call.node)
    leaves, structure = first
    columns = [_as_given(trees[0], leaves)]
    for i, other in enumerate(trees[1:], 2):
        try:
            columns.append(_as_given(other, structure.flatten_up_to(it, _one_of(other), call.node)))
        except Abort:
            return _map_unknown(it, function, trees, call.node)
        except ValueError as error:
            return it.fail(
                call.node, "array-tree", f"ValueError: tree.map: tree {i} has another structure than the first: {error}"
            )
    return unflatten(it, structure, [_map_leaf(it, function, row, call.node) for row in zip(*columns)], call.node)


def _one_of(tree: Value) -> Value:
    """A tree, or any of those that a call has behind all others."""
    return tree.element if isinstance(tree, RestArguments) else tree


def _as_given(tree: Value, leaves: list[Value]) -> list[Value]:
    """The leaves of a tree, or of each of those that a call has behind all others."""
    return [tree.each(leaf) for leaf in leaves] if isinstance(tree, RestArguments) else leaves


def _map_leaf(it: Interpreter, function: Value, row: tuple[Value, ...], node: ast.AST | None) -> Value:
    """What a function makes of one leaf; where nothing is known of that, a whole tree may be in its place, or none."""
    first = row[0]
    if not isinstance(first, Unknown):
        return it.call(function, list(row), {}, node)
    below = [Unknown(first.why) if _is_node(v) else as_leaf(v) for v in row]
    it.path_uncertain += 1
    try:
        result = it.call(function, below, {}, node)
    finally:
        it.path_uncertain -= 1
    return first.of(result) if isinstance(first, OpenTree) else it.unknown(first.why)


def _is_node(value: Value) -> bool:
    """Whether a value may have parts, as a tree."""
    return isinstance(value, tuple | ListValue | DictValue | TreeValue | InstanceValue | UnionValue) or value is None


def _any_leaf(it: Interpreter, tree: Value, is_leaf: Value) -> Value:
    """What each leaf of a tree is, of which a part is of unknown structure."""
    leaf = as_leaf(open_tree_of(tree)) if is_leaf is None else None
    is_known = isinstance(leaf, ArrayValue) and not (_is_own_node(leaf) and is_on_own_runtime(it))
    return leaf if is_known else it.unknown("a leaf of a tree of unknown structure")


def _map_each(it: Interpreter, function: Value, item: Value, node: ast.AST | None) -> Value:
    """The map over an item that stands for many: the sizes that are invented meanwhile are those of one."""
    begun = names_so_far(it)
    found = _map(it, Call([function, item], {}, node))
    return without_names(found, names_since(it, begun))


def _map_unknown(it: Interpreter, function: Value, trees: list[Any], node: ast.AST | None) -> Value:
    """The map over a list of unknown length, or over something unknown."""
    if (
        len(trees) == 1
        and isinstance(trees[0], ListValue)
        and trees[0].items is None
        and trees[0].element is not MISSING
    ):
        return ListValue(None, _map_each(it, function, trees[0].element, node))
    if (
        len(trees) == 1
        and isinstance(trees[0], DictValue)
        and trees[0].items is None
        and trees[0].element is not MISSING
    ):
        return DictValue(None, trees[0].key, _map_each(it, function, trees[0].element, node))
    it.engines.havoc(it, [function])
    first = next((t.why for t in trees if isinstance(t, Unknown)), "")
    unknown = it.unknown(first or "tree.map over a tree of unknown structure")
    if len(trees) == 1 and isinstance(trees[0], SavedValue) and keeps_types(function):
        return SavedValue(unknown.why, trees[0].loaded)
    return unknown


@handles("jax.tree.leaves", "jax.tree_util.tree_leaves", "jax.tree_leaves")
def _leaves(it: Interpreter, call: Call) -> Value:
    given = call.named("tree", "is_leaf")
    found = _flatten(it, given.get("tree"), given.get("is_leaf"), call.node)
    if found is not None:
        return ListValue(found[0])
    return ListValue(None, _any_leaf(it, given.get("tree"), given.get("is_leaf")))


@handles("jax.tree.flatten", "jax.tree_util.tree_flatten", "jax.tree_flatten")
def _flatten_handler(it: Interpreter, call: Call) -> Value:
    given = call.named("tree", "is_leaf")
    found = _flatten(it, given.get("tree"), given.get("is_leaf"), call.node)
    if found is None:
        leaf = _any_leaf(it, given.get("tree"), given.get("is_leaf"))
        return (ListValue(None, leaf), it.unknown("a tree of unknown structure"))
    return (ListValue(found[0]), StructureValue(found[1]))


@handles("jax.tree.structure", "jax.tree_util.tree_structure", "jax.tree_structure")
def _structure(it: Interpreter, call: Call) -> Value:
    given = call.named("tree", "is_leaf")
    found = _flatten(it, given.get("tree"), given.get("is_leaf"), call.node)
    return it.unknown("a tree of unknown structure") if found is None else StructureValue(found[1])


@handles("jax.tree.unflatten", "jax.tree_util.tree_unflatten", "jax.tree_unflatten")
def _unflatten_handler(it: Interpreter, call: Call) -> Value:
    given = call.named("treedef", "leaves")
    return unflatten_value(it, given.get("treedef"), given.get("leaves"), call.node)


@handles("jax.tree.reduce", "jax.tree_util.tree_reduce")
def _reduce(it: Interpreter, call: Call) -> Value:
    given = call.named("function", "tree", "initializer", "is_leaf")
    found = _flatten(it, given.get("tree"), given.get("is_leaf"), call.node)
    if found is None:
        it.engines.havoc(it, call.args[:1])
        return it.unknown("the reduction of a tree of unknown structure")
    items = list(found[0])
    if "initializer" in given:
        items.insert(0, given["initializer"])
    if not items:
        return it.fail(call.node, "array-call", "TypeError: tree.reduce of an empty tree without an initializer")
    result = items[0]
    for item in items[1:]:
        result = it.call(given["function"], [result, item], {}, call.node)
    return result


@handles("jax.tree.all", "jax.tree_util.tree_all")
def _all(it: Interpreter, call: Call) -> Value:
    found = _flatten(it, call.args[0], call.kwargs.get("is_leaf"), call.node)
    if found is None:
        return ScalarValue(bool)
    known = [it.truth(leaf, call.node) for leaf in found[0]]
    if None not in known or False in known:
        return False not in known
    return ScalarValue(bool, is_data=all(depends_on_data(v) for v, k in zip(found[0], known) if k is None))


@handles("jax.tree.map_with_path", "jax.tree_util.tree_map_with_path")
def _map_with_path(it: Interpreter, call: Call) -> Value:
    """The paths are not known; the leaves are."""
    function, trees = call.args[0], call.args[1:]
    path = it.unknown("the path to a leaf")
    with_path = HandlerValue("with path", lambda i, call: i.call(function, *call.preceded_by(path)), (function,))
    return _map(it, call.with_args([with_path, *trees]))


@handles("jax.tree.leaves_with_path", "jax.tree_util.tree_leaves_with_path")
def _leaves_with_path(it: Interpreter, call: Call) -> Value:
    found = _flatten(it, call.args[0], call.kwargs.get("is_leaf"), call.node)
    if found is None:
        return ListValue(None, it.unknown("a tree of unknown structure"))
    return ListValue([(it.unknown("the path to a leaf"), leaf) for leaf in found[0]])


@handles("jax.tree.flatten_with_path", "jax.tree_util.tree_flatten_with_path")
def _flatten_with_path(it: Interpreter, call: Call) -> Value:
    found = _flatten(it, call.args[0], call.kwargs.get("is_leaf"), call.node)
    if found is None:
        return it.unknown("a tree of unknown structure")
    return (_leaves_with_path(it, call), StructureValue(found[1]))


@handles("jax.tree.transpose", "jax.tree_util.tree_transpose")
def _transpose(it: Interpreter, call: Call) -> Value:
    given = call.named("outer_treedef", "inner_treedef", "pytree_to_transpose")
    outer, inner = given.get("outer_treedef"), given.get("inner_treedef")
    if not isinstance(outer, StructureValue) or not isinstance(inner, StructureValue):
        return it.unknown("the transposition of a tree of unknown structure")
    found = _flatten(it, given.get("pytree_to_transpose"), None, call.node)
    n, m = outer.structure.count, inner.structure.count
    if found is None or len(found[0]) != n * m:
        return it.unknown("the transposition of a tree of unknown structure")
    columns = [unflatten(it, outer.structure, found[0][j::m], call.node) for j in range(m)]
    return unflatten(it, inner.structure, columns, call.node)


# ---------------------------------------------------------------------- registration


@handles("jax.tree_util.register_pytree_node_class")
def _register_class(it: Interpreter, call: Call) -> Value:
    cls = call.args[0]
    if isinstance(cls, ClassValue):
        cls.pytree = ByFunctions(cls.find("tree_flatten"), _maker(cls))
    return cls


@handles("jax.tree_util.register_pytree_with_keys_class")
def _register_class_with_keys(it: Interpreter, call: Call) -> Value:
    cls = call.args[0]
    if isinstance(cls, ClassValue):
        flatten_ = cls.find("tree_flatten")
        with_keys = flatten_ is MISSING
        cls.pytree = ByFunctions(cls.find("tree_flatten_with_keys") if with_keys else flatten_, _maker(cls), with_keys)
    return cls


def _maker(cls: ClassValue) -> Value:
    method = cls.find("tree_unflatten")
    return BoundMethod(method.function, cls) if isinstance(method, Descriptor) else method


@handles("jax.tree_util.register_pytree_node")
def _register(it: Interpreter, call: Call) -> Value:
    given = call.named("nodetype", "flatten_func", "unflatten_func")
    _set_functions(given, given.get("flatten_func"), with_keys=False)
    return None


@handles("jax.tree_util.register_pytree_with_keys")
def _register_with_keys(it: Interpreter, call: Call) -> Value:
    given = call.named("nodetype", "flatten_with_keys", "unflatten_func", "flatten_func")
    without = given.get("flatten_func")
    _set_functions(given, given.get("flatten_with_keys") if without is None else without, with_keys=without is None)
    return None


def _set_functions(given: dict[str, Value], flatten_: Value, *, with_keys: bool) -> None:
    cls = given.get("nodetype")
    if isinstance(cls, ClassValue):
        cls.pytree = ByFunctions(flatten_, given.get("unflatten_func", MISSING), with_keys)


@handles("jax.tree_util.register_dataclass")
def _register_dataclass(it: Interpreter, call: Call) -> Value:
    given = call.named("nodetype", "data_fields", "meta_fields")
    cls = given.get("nodetype", MISSING)
    if cls is MISSING:
        return HandlerValue(
            "register_dataclass",
            lambda i, later: _register_dataclass(i, later.with_kwargs({**call.kwargs, **later.kwargs})),
        )
    if isinstance(cls, ClassValue):
        data = given.get("data_fields")
        if data is not None:
            items, _ = it.iterate(data, call.node)
            names = tuple(n for n in items or () if isinstance(n, str))
        else:
            names = tuple(name for name in _init_fields(cls) if not _is_static(cls, name))
        cls.pytree = ByFields(names)
    return cls


def _init_fields(cls: ClassValue) -> list[str]:
    return list(fields_of(cls))


def _is_static(cls: ClassValue, name: str) -> bool:
    """Whether a field is declared as metadata: `field(metadata=dict(static=True))`."""
    default = cls.find(name)
    metadata = getattr(default, "options", {}).get("metadata") if default is not MISSING else None
    return isinstance(metadata, DictValue) and metadata.items is not None and metadata.items.get("static") is True


@handles("jax.tree_util.register_static")
def _register_static(it: Interpreter, call: Call) -> Value:
    cls = call.args[0] if call.args else Unknown("register_static")
    if isinstance(cls, ClassValue):
        cls.pytree = ByFields(())
    return cls
