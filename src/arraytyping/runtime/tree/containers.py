"""The classes whose objects are containers of a pytree, and how one is made such a class.

Source: https://docs.jax.dev/en/latest/custom_pytrees.html; https://optree.readthedocs.io.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import optree

from arraytyping.runtime.tree.paths import GetAttrKey

__all__ = [
    "Container",
    "NAMESPACE",
    "Partial",
    "follow",
    "register_dataclass",
    "register_pytree_node",
    "register_pytree_node_class",
    "register_pytree_with_keys",
    "register_pytree_with_keys_class",
    "register_static",
    "static",
]

NAMESPACE: Final = "arraytyping"
"""Where optree has our classes."""


class Container(NamedTuple):
    """A class that was made a container: how its objects are taken apart and made, the fields with its children."""

    cls: type
    flatten: Callable[[Any], Any]
    unflatten: Callable[[Any, Any], Any]
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
    _tell(Container(nodetype, flatten_func, unflatten_func))


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
        raise TypeError(
            "register_dataclass: data_fields and meta_fields must both be specified when either is specified. Got "
            f"{data_fields=} {meta_fields=}."
        )
    if data_fields is None or meta_fields is None:
        if not dataclasses.is_dataclass(nodetype):
            raise TypeError(
                "register_dataclass: data_fields and meta_fields are required when nodetype is not a dataclass. "
                f"Got {nodetype=}."
            )
        fields = [f for f in dataclasses.fields(nodetype) if f.name not in drop_fields]
        data_fields = [f.name for f in fields if not f.metadata.get("static", False)]
        meta_fields = [f.name for f in fields if f.metadata.get("static", False)]
    if dataclasses.is_dataclass(nodetype):
        wanted = {f.name for f in dataclasses.fields(nodetype) if f.init} - {*drop_fields}
        if wanted != {*data_fields, *meta_fields}:
            missing, unknown = wanted - {*data_fields, *meta_fields}, {*data_fields, *meta_fields} - wanted
            raise ValueError(
                "data_fields and meta_fields must include all dataclass fields with ``init=True`` and only them. "
                + (f"Missing fields: {missing}. Add them to drop_fields to suppress this error. " if missing else "")
                + (f"Unexpected fields: {unknown}." if unknown else "")
            )
    if overlap := {*data_fields} & {*meta_fields}:
        raise ValueError(f"data_fields and meta_fields must not overlap. Overlapping fields: {overlap}.")
    data, meta = tuple(data_fields), tuple(meta_fields)
    keys = tuple([GetAttrKey(name) for name in data])

    def flattened(x: Any) -> Any:
        return tuple([getattr(x, name) for name in data]), tuple([getattr(x, name) for name in meta]), keys

    def made(aux: Any, children: Any) -> Any:
        return nodetype(**dict(zip(meta, aux)), **dict(zip(data, children)))

    optree.register_pytree_node(nodetype, flattened, made, namespace=NAMESPACE)
    _tell(Container(nodetype, flattened, made, data, meta))
    return nodetype


def register_static(cls: type) -> type:
    """Make a class a container without children: its objects, which have a hash, belong to the structure."""
    register_pytree_node(cls, lambda x: ((), x), lambda x, _: x)
    return cls


def static(**kwargs: Any) -> Any:
    """A field of a dataclass that is no child of its objects, for `register_dataclass`; takes what `field` takes."""
    return dataclasses.field(metadata={"static": True, **(kwargs.pop("metadata", None) or {})}, **kwargs)


class _Whole:
    """A `functools.partial` whose arguments Python does not merge with those of one made of it."""

    __slots__ = ("args", "fun", "func", "keywords")
    args: tuple[Any, ...]
    func: Callable[..., Any]
    keywords: dict[str, Any]

    def __init__(self, fun: functools.partial[Any]) -> None:
        self.fun: functools.partial[Any] = fun

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.fun(*args, **kwargs)

    def __hash__(self) -> int:
        return hash(self.fun)

    def __eq__(self, other: object) -> bool:
        return bool(self.fun == (other.fun if isinstance(other, _Whole) else other))

    def __repr__(self) -> str:
        return repr(self.fun)


class Partial(functools.partial[Any]):
    """A `functools.partial` that is a container of its arguments, and not of those of a partial that it is made of."""

    def __new__(cls, func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Partial:
        """The function with these arguments."""
        if not isinstance(func, functools.partial):
            return super().__new__(cls, func, *args, **kwargs)
        whole = _Whole(func)
        made = super().__new__(cls, whole, *args, **kwargs)
        whole.func, whole.args, whole.keywords = func.func, func.args, func.keywords  # after Python has looked for them
        return made


register_pytree_node(
    Partial,
    lambda p: ((p.args, p.keywords), p.func),
    lambda func, children: Partial(func, *children[0], **children[1]),
)
