"""Pytrees: nested containers of arrays, taken apart and put together again.

Tuples, lists, dicts (by sorted keys), named tuples, `None` (an empty container) and registered classes are
containers; everything else is a leaf.  The work is done by the library optree; the names are those of `jax.tree`.

Source: https://docs.jax.dev/en/latest/pytrees.html; https://optree.readthedocs.io.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import optree

__all__ = [
    "DictKey",
    "FlattenedIndexKey",
    "GetAttrKey",
    "Partial",
    "PyTreeDef",
    "SequenceKey",
    "all",
    "broadcast",
    "flatten",
    "flatten_with_path",
    "leaves",
    "leaves_with_path",
    "map",
    "map_with_path",
    "reduce",
    "register_dataclass",
    "register_pytree_node",
    "register_pytree_node_class",
    "register_pytree_with_keys",
    "register_pytree_with_keys_class",
    "register_static",
    "structure",
    "transpose",
    "unflatten",
]

NAMESPACE: Final = "arraytyping"
PyTreeDef = optree.PyTreeSpec
_map, _all = map, all
_Leaf = Callable[[Any], bool] | None
_NOTHING: Final = object()
_LEAF: Final = optree.treespec_leaf()


@dataclasses.dataclass(frozen=True)
class SequenceKey:
    """A step of a path, to an element of a tuple or list."""

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"


@dataclasses.dataclass(frozen=True)
class DictKey:
    """A step of a path, to a value of a dict."""

    key: Hashable

    def __str__(self) -> str:
        return f"[{self.key!r}]"


@dataclasses.dataclass(frozen=True)
class GetAttrKey:
    """A step of a path, to an attribute of an object."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"


@dataclasses.dataclass(frozen=True)
class FlattenedIndexKey:
    """A step of a path, to a child of an object whose class does not name its children."""

    key: int

    def __str__(self) -> str:
        return f"[<flat index {self.key}>]"


_MAPPINGS: Final = {optree.PyTreeKind.DICT, optree.PyTreeKind.ORDEREDDICT, optree.PyTreeKind.DEFAULTDICT}
_SEQUENCES: Final = {optree.PyTreeKind.TUPLE, optree.PyTreeKind.LIST, optree.PyTreeKind.DEQUE}


def _step(entry: Any) -> Any:
    if entry.kind in _MAPPINGS:
        return DictKey(entry.entry)
    if entry.kind in _SEQUENCES:
        return SequenceKey(entry.entry)
    if entry.kind is optree.PyTreeKind.CUSTOM:
        return FlattenedIndexKey(entry.entry) if isinstance(entry.entry, int) else entry.entry
    return GetAttrKey(entry.field)  # of a named tuple


_STEPS: Final = (SequenceKey, DictKey, GetAttrKey, FlattenedIndexKey)


class Container(NamedTuple):
    """A class that was made a container: how its objects are taken apart, or the fields that hold its children."""

    cls: type
    flatten: Callable[[Any], Any]
    data_fields: Sequence[str] | None = None
    meta_fields: Sequence[str] | None = None


_containers: Final[list[Container]] = []
_followers: Final[list[Callable[[Container], None]]] = []


def follow(follower: Callable[[Container], None]) -> None:
    """Tell a second registry of every class that was, or will be, made a container."""
    for container in _containers:
        follower(container)
    _followers.append(follower)


def _tell(container: Container) -> None:
    _containers.append(container)
    for follower in _followers:
        follower(container)


def key_paths(treedef: PyTreeDef) -> list[tuple[Any, ...]]:
    """The path to each leaf, in steps."""
    return [tuple([_step(entry) for entry in accessor]) for accessor in treedef.accessors()]


def flatten(tree: Any, is_leaf: _Leaf = None) -> tuple[list[Any], PyTreeDef]:
    """The leaves, and the structure that holds them; its dicts have their keys in order."""
    found, treedef = optree.tree_flatten(tree, is_leaf, namespace=NAMESPACE)
    return found, with_sorted_keys(treedef)


def flatten_as_given(tree: Any) -> tuple[list[Any], PyTreeDef]:
    """The same, faster, with a structure whose dicts have their keys as given: equal, but unflattened otherwise."""
    return optree.tree_flatten(tree, namespace=NAMESPACE)


def with_sorted_keys(treedef: PyTreeDef) -> PyTreeDef:
    """The structure that gives dicts with sorted keys: as in JAX, what comes out does not say what went in."""
    if treedef.num_nodes == treedef.num_leaves + (treedef.kind is not optree.PyTreeKind.DICT):
        return treedef  # a leaf, or leaves in one container
    return optree.treespec_transform(treedef, _sorted)


def _sorted(node: PyTreeDef) -> PyTreeDef:
    if node.kind is optree.PyTreeKind.DICT:
        keys = node.entries()
        return optree.treespec_dict(dict.fromkeys(keys, _LEAF), namespace=NAMESPACE) if len(keys) > 1 else node
    if node.kind is optree.PyTreeKind.DEFAULTDICT:
        factory: Any = optree.tree_unflatten(node, [0] * node.num_children)
        return optree.treespec_defaultdict(
            factory.default_factory, dict.fromkeys(node.entries(), _LEAF), namespace=NAMESPACE
        )
    return node


def unflatten(treedef: PyTreeDef, leaves: Iterable[Any]) -> Any:
    """The tree of this structure with these leaves.

    Raises:
        ValueError: if their number is not that of the structure.
    """
    return optree.tree_unflatten(treedef, leaves)


def leaves(tree: Any, is_leaf: _Leaf = None) -> list[Any]:
    """The leaves of a tree."""
    return optree.tree_leaves(tree, is_leaf, namespace=NAMESPACE)


def structure(tree: Any, is_leaf: _Leaf = None) -> PyTreeDef:
    """The structure of a tree."""
    return with_sorted_keys(optree.tree_structure(tree, is_leaf, namespace=NAMESPACE))


def map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: _Leaf = None) -> Any:
    """The tree in which each leaf is what the function makes of it (and of the same places in the other trees).

    Raises:
        ValueError: if the structures do not go together.
    """
    found, treedef = flatten(tree, is_leaf)
    return unflatten(treedef, _map(f, found, *[treedef.flatten_up_to(other) for other in rest]))


def map_with_path(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: _Leaf = None) -> Any:
    """As `map`, with the path to the leaf as the function's first argument."""
    found, treedef = flatten(tree, is_leaf)
    others = [treedef.flatten_up_to(other) for other in rest]
    return unflatten(treedef, [f(*given) for given in zip(key_paths(treedef), found, *others)])


def reduce(function: Callable[[Any, Any], Any], tree: Any, initializer: Any = _NOTHING, is_leaf: _Leaf = None) -> Any:
    """The leaves put together by a function of two.

    Raises:
        TypeError: if there are neither leaves nor an initializer.
    """
    first = () if initializer is _NOTHING else (initializer,)
    return functools.reduce(function, leaves(tree, is_leaf), *first)


def broadcast(prefix_tree: Any, full_tree: Any, is_leaf: _Leaf = None) -> Any:
    """The full tree in which each leaf is that of the prefix tree under which it stands.

    Raises:
        ValueError: if the prefix is none of the tree.
    """
    return optree.tree_broadcast_prefix(prefix_tree, full_tree, is_leaf, namespace=NAMESPACE)


def all(tree: Any, *, is_leaf: _Leaf = None) -> bool:
    """Whether every leaf is true."""
    return _all(leaves(tree, is_leaf))


def flatten_with_path(tree: Any, is_leaf: _Leaf = None) -> tuple[list[tuple[Any, Any]], PyTreeDef]:
    """Pairs of path and leaf, and the structure."""
    found, treedef = flatten(tree, is_leaf)
    return list(zip(key_paths(treedef), found)), treedef


def leaves_with_path(tree: Any, is_leaf: _Leaf = None) -> list[tuple[Any, Any]]:
    """Pairs of path and leaf."""
    return flatten_with_path(tree, is_leaf)[0]


def transpose(outer_treedef: PyTreeDef, inner_treedef: PyTreeDef | None, pytree_to_transpose: Any) -> Any:
    """The tree of trees with both levels exchanged; the inner structure is that of the first tree where it is None.

    Raises:
        ValueError, TypeError: if the tree has another structure.
    """
    if inner_treedef is None:
        inner_treedef = structure(outer_treedef.flatten_up_to(pytree_to_transpose)[0])
    return optree.tree_transpose(outer_treedef, inner_treedef, pytree_to_transpose)


def register_pytree_node(
    nodetype: type,
    flatten_func: Callable[[Any], tuple[Iterable[Any], Hashable]],
    unflatten_func: Callable[[Any, Any], Any],
    flatten_with_keys_func: Callable[[Any], tuple[Iterable[tuple[Any, Any]], Hashable]] | None = None,
) -> None:
    """Make a class a container: `flatten_func(x)` gives its children and what else it holds.

    `flatten_with_keys_func` gives each child with the step of a path that leads to it.

    Raises:
        ValueError: if the class is one already.
    """
    if flatten_with_keys_func is None:
        flattened: Callable[[Any], Any] = flatten_func
    else:
        flattened = functools.partial(_with_entries, flatten_func, flatten_with_keys_func)
    optree.register_pytree_node(nodetype, flattened, unflatten_func, namespace=NAMESPACE)
    _tell(Container(nodetype, flatten_func))


def _with_entries(flatten_func: Callable[[Any], Any], with_keys: Callable[[Any], Any], x: Any) -> Any:
    children, aux = flatten_func(x)
    return children, aux, tuple(key for key, _ in with_keys(x)[0])


def register_pytree_node_class(cls: type) -> type:
    """Make a class with `tree_flatten` and `tree_unflatten` a container, as a decorator."""
    register_pytree_node(cls, lambda x: x.tree_flatten(), cls.tree_unflatten)  # type: ignore[attr-defined]
    return cls


def register_pytree_with_keys(
    nodetype: type,
    flatten_with_keys: Callable[[Any], tuple[Iterable[tuple[Any, Any]], Hashable]],
    unflatten_func: Callable[[Any, Any], Any],
    flatten_func: Callable[[Any], tuple[Iterable[Any], Hashable]] | None = None,
) -> None:
    """Make a class a container whose children are given with the step of a path that leads to each."""

    def without_keys(x: Any) -> tuple[Iterable[Any], Hashable]:
        pairs, aux = flatten_with_keys(x)
        return tuple([child for _, child in pairs]), aux

    register_pytree_node(nodetype, flatten_func or without_keys, unflatten_func, flatten_with_keys)


def register_pytree_with_keys_class(cls: type) -> type:
    """Make a class with `tree_flatten_with_keys` and `tree_unflatten` a container, as a decorator."""
    flatten_func = (lambda x: x.tree_flatten()) if hasattr(cls, "tree_flatten") else None
    register_pytree_with_keys(
        cls,
        lambda x: x.tree_flatten_with_keys(),
        cls.tree_unflatten,  # type: ignore[attr-defined]
        flatten_func,
    )
    return cls


def register_dataclass(
    nodetype: Any = None,
    data_fields: Sequence[str] | None = None,
    meta_fields: Sequence[str] | None = None,
    drop_fields: Sequence[str] = (),
) -> Any:
    """Make a dataclass a container; the fields that are `static` in their metadata are no children.

    Either both lists of fields are given or none; then `@register_dataclass` suffices.

    Raises:
        TypeError: if only one of the lists is given, or none for a class that is no dataclass.
        ValueError: if the lists are not the fields that the class is made with.
    """
    if nodetype is None:
        return functools.partial(
            register_dataclass, data_fields=data_fields, meta_fields=meta_fields, drop_fields=drop_fields
        )
    if (data_fields is None) != (meta_fields is None):
        raise TypeError("register_dataclass: data_fields and meta_fields must both be specified or both be None.")
    if data_fields is None or meta_fields is None:
        if not dataclasses.is_dataclass(nodetype):
            raise TypeError(
                "register_dataclass: data_fields and meta_fields are required when nodetype is not a dataclass. "
                f"Got {nodetype=}."
            )
        fields = [f for f in dataclasses.fields(nodetype) if f.init and f.name not in drop_fields]
        data_fields = [f.name for f in fields if not f.metadata.get("static", False)]
        meta_fields = [f.name for f in fields if f.metadata.get("static", False)]
    elif dataclasses.is_dataclass(nodetype):
        wanted = {f.name for f in dataclasses.fields(nodetype) if f.init} - {*drop_fields}
        if wanted != {*data_fields, *meta_fields}:
            missing, unknown = wanted - {*data_fields, *meta_fields}, {*data_fields, *meta_fields} - wanted
            raise ValueError(
                "data_fields and meta_fields must include all dataclass fields with ``init=True`` and only them. "
                + (
                    f"Missing fields: {sorted(missing)}. Add them to drop_fields to suppress this error. "
                    if missing
                    else ""
                )
                + (f"Unexpected fields: {sorted(unknown)}." if unknown else "")
            )
    data, meta = tuple(data_fields), tuple(meta_fields)
    keys = tuple([GetAttrKey(name) for name in data])

    def flattened(x: Any) -> Any:
        return tuple([getattr(x, name) for name in data]), tuple([getattr(x, name) for name in meta]), keys

    def made(aux: Any, children: Any) -> Any:
        return nodetype(**dict(zip(meta, aux)), **dict(zip(data, children)))

    optree.register_pytree_node(nodetype, flattened, made, namespace=NAMESPACE)
    _tell(Container(nodetype, flattened, data, meta))
    return nodetype


def register_static(cls: type) -> type:
    """Make a class a container without children: its objects, which have a hash, belong to the structure."""
    register_pytree_node(cls, lambda x: ((), x), lambda x, _: x)
    return cls


class Partial(functools.partial[Any]):
    """A `functools.partial` that is a container of its arguments."""


register_pytree_node(
    Partial,
    lambda p: ((p.args, p.keywords), p.func),
    lambda func, children: Partial(func, *children[0], **children[1]),
)


def path_str(path: Iterable[Any]) -> str:
    """A path as a person writes it: `['w'][0]`."""
    return "".join([str(step) if isinstance(step, _STEPS) else f"[{step!r}]" for step in path])


def keystr(keys: Iterable[Any], *, simple: bool = False, separator: str = "") -> str:
    """A path of steps as text: `.layers[0]['w']`; `simple` and with separator `/`: `layers/0/w`."""
    if not simple:
        return separator.join(_map(str, keys))
    return separator.join(
        [str(next(iter(vars(step).values()))) if isinstance(step, _STEPS) else str(step) for step in keys]
    )


def prefix_leaves(prefix: Any, tree: Any) -> list[Any]:
    """For each leaf of a tree, the leaf of the prefix tree under which it stands; `None` is a leaf of the prefix.

    Raises:
        ValueError: if the prefix is none of the tree.
    """
    found, spec = flatten(prefix, lambda x: x is None)
    return [p for p, sub in zip(found, spec.flatten_up_to(tree)) for _ in leaves(sub)]
