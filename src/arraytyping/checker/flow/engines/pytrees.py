"""Instances of the program's classes as pytrees: how they are taken apart and put together.

A class is registered with JAX by fields (`register_dataclass`) or by functions (`register_pytree_node`), which are
interpreted.

Source: https://docs.jax.dev/en/latest/custom_pytrees.html.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final, cast

from arraytyping.checker.flow.engines.conversion import Abort, CallableNode, Node
from arraytyping.checker.flow.engines.jax import JaxEngine
from arraytyping.checker.flow.state.identity import identity
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, ClassValue, InstanceValue, Value

__all__ = ["ByFields", "ByFunctions", "Pytrees"]


@dataclass(frozen=True)
class ByFields:
    """A class whose children are fields; all other attributes are metadata.  `data` is None for all attributes."""

    data: tuple[str, ...] | None
    is_inherited: bool = False


@dataclass(frozen=True)
class ByFunctions:
    """A class that functions of the program take apart, into (children, rest), and put together again."""

    flatten: Value
    unflatten: Value
    with_keys: bool = False
    is_inherited: bool = False


class _Rest:
    """What a node holds beside its children: equal if it describes the same."""

    __slots__ = ("attributes", "call", "cls", "key", "value")

    def __init__(self, cls: ClassValue, value: Value, call: Any, attributes: frozenset[str]) -> None:
        self.cls = cls
        self.value = value
        self.call = call
        self.attributes = attributes
        self.key = (cls.born, identity(value))

    def find(self, node: Node, name: str) -> Any:
        """An attribute of the node that has this rest, if it is a field.

        Raises:
            AttributeError: if the instance has none of this name.
            Abort: if it may have one, which only the program knows.
        """
        fields = _fields(node)
        if name in fields:
            return node.children[fields.index(name)]
        others: dict[str, Any] = dict(cast(Any, self.value)[1]) if fields else {}
        if isinstance(others.get(name), bool | int | float | str):
            return others[name]
        # A library's own `__getattribute__` gives what there is, as that of Equinox.
        asks_program = _may_have(self.cls, "__getattr__") or self.cls.find("__getattribute__") is not MISSING
        if name in self.attributes or asks_program or _may_have(self.cls, name):
            raise Abort(f"{name} of an instance of {self.cls.name}")
        raise AttributeError(name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Rest) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return self.cls.name


_ASKED: Final = (
    "__array__", "__bool__", "__complex__", "__contains__", "__float__", "__getitem__", "__index__", "__int__",
    "__iter__", "__len__",
)  # fmt: skip
"""Methods for which Python and NumPy ask the class of what they are given."""
_kinds: Final[dict[tuple[ModuleType, type[Node], tuple[str, ...]], type[Node]]] = {}


def _may_have(cls: ClassValue, name: str) -> bool:
    """Whether a class has an attribute that not every one has."""
    return cls.find(name) is not MISSING or name in _names_of(tuple(c for c in cls.mro if isinstance(c, type)))


@functools.lru_cache(maxsize=256)
def _names_of(real: tuple[type, ...]) -> frozenset[str]:
    """The attributes of real classes that not every class has."""
    return frozenset(name for one in real for base in one.__mro__ if base is not object for name in vars(base))


def _kind(jax: JaxEngine, cls: ClassValue) -> type[Node]:
    """The class of nodes that stand for instances; its methods end the question, since only the program knows them."""
    base = Node if cls.find("__call__") is MISSING else CallableNode
    names = tuple(name for name in _ASKED if _may_have(cls, name))
    if names and "__array__" not in names:
        names += ("__array__",)  # NumPy asks for it first, and takes no notice of what the other methods raise
    place = jax.tree_util, base, names  # jax's, or that of our runtime
    if place not in _kinds:
        own: dict[str, Any] = {"__slots__": (), "__module__": base.__module__}
        kind = type(base.__name__, (base,), own | {name: _ending(name) for name in names})
        jax.tree_util.register_pytree_with_keys(
            kind,
            lambda n: (tuple(zip(_keys(jax, n), n.children)), n.rest),
            lambda rest, children: kind(rest.cls, tuple(children), rest),
            lambda n: (n.children, n.rest),
        )
        _kinds[place] = kind
    return _kinds[place]


def _ending(name: str) -> Callable[..., Any]:
    def method(self: Node, *args: Any, **kwargs: Any) -> Any:
        raise Abort(f"{name} of an instance of {self.cls.name}")

    return method


def _fields(node: Node) -> tuple[str, ...]:
    """The names of the children, where they are fields."""
    held = node.rest.value if isinstance(node.rest, _Rest) else None
    if isinstance(node.cls.pytree, ByFields) and isinstance(held, tuple) and len(held[0]) == len(node.children):
        names: tuple[str, ...] = held[0]
        return names
    return ()


def _keys(jax: JaxEngine, node: Node) -> list[Value]:
    """How paths name the children: by the fields, or by their numbers."""
    if fields := _fields(node):
        return [jax.tree_util.GetAttrKey(name) for name in fields]
    return [jax.tree_util.FlattenedIndexKey(i) for i in range(len(node.children))]


class Pytrees:
    """The pytrees of one run."""

    def __init__(self, jax: JaxEngine) -> None:
        self._jax = jax
        self.call: Any = None
        """How an instance is called by a library: `(node, args, kwargs)`."""

    def is_tree(self, value: InstanceValue) -> bool:
        """Whether the class is registered."""
        return value.cls.pytree is not None

    def node(self, value: InstanceValue, children: tuple[Value, ...], rest: Value) -> Node:
        """The node that stands for an instance, of these children."""
        return _kind(self._jax, value.cls)(
            value.cls, children, _Rest(value.cls, rest, self.call, frozenset(value.attributes))
        )

    def flatten(self, it: Interpreter, value: InstanceValue, node: ast.AST | None) -> tuple[tuple[Value, ...], Value]:
        """The children and the rest.

        Raises:
            Abort: if they are not known.
        """
        how = value.cls.pytree
        if isinstance(how, ByFields):
            names = tuple(value.attributes) if how.data is None else how.data
            missing = [n for n in names if n not in value.attributes]
            if any(value.cls.find(n) is MISSING for n in missing):
                raise Abort(f"an instance of {value.cls.name} without {missing[0]}")
            names = tuple(n for n in names if n not in missing)
            rest = tuple((k, v) for k, v in value.attributes.items() if k not in names)
            return tuple(value.attributes[n] for n in names), (names, rest)
        flat = it.call(how.flatten, [value], {}, node)
        if not isinstance(flat, tuple) or len(flat) != 2:
            raise Abort(f"the flattening of {value.cls.name} is not understood")
        children, rest = flat
        items, _ = it.iterate(children, node)
        if items is None:
            raise Abort(f"the children of {value.cls.name} are not known")
        if how.with_keys:
            items = [child[1] if isinstance(child, tuple) and len(child) == 2 else child for child in items]
        return tuple(items), rest

    def unflatten(
        self, it: Interpreter, cls: ClassValue, children: tuple[Any, ...], rest: Any, node: ast.AST | None
    ) -> Value:
        """An instance of these children."""
        held: Any = rest.value if isinstance(rest, _Rest) else rest
        how = cls.pytree
        if isinstance(how, ByFields):
            names, others = held
            return InstanceValue(cls, {**dict(zip(names, children)), **dict(others)})
        if how.unflatten is MISSING:
            return it.unknown(f"an instance of {cls.name}")
        with it.quietly():
            return it.call(how.unflatten, [held, tuple(children)], {}, node)
