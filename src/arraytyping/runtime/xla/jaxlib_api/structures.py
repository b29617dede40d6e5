"""Containers taken apart by registries of jaxlib's, which take a fifth of the time that optree does.

One serves to find the program of a call: whoever uses it compares the leaves with those of `tree.flatten` once.  The
other takes trees apart, and puts them together, as programs see them.

Source: `jaxlib/pytree.cc` of jaxlib 0.10.2.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from typing import Any, Final

from arraytyping.runtime import tree
from arraytyping.runtime.tree import seen
from arraytyping.runtime.xla.jaxlib_api.extension import pytree

__all__ = ["flatten"]

_registry: Final = pytree.PyTreeRegistry()  # our own: jax has others
_seen: Final = pytree.PyTreeRegistry()

flatten: Final = _registry.flatten
"""The leaves of a container, and a structure that has a hash if what its classes hold besides leaves has one.

Raises:
    ValueError: for a dict whose keys have no order.
"""


def _made(aux: Any, children: Any) -> Any:
    raise NotImplementedError("containers are only taken apart here")


def _register(container: tree.Container) -> None:
    registries = [_registry] if seen.is_whole(container.cls) else [_registry, _seen]
    for registry in registries:
        if container.data_fields is not None:
            fields = list(container.data_fields), list(container.meta_fields or ())
            registry.register_dataclass_node(container.cls, *fields)
        else:
            registry.register_node(container.cls, container.flatten, container.unflatten)


def _sorted_items(d: defaultdict[Any, Any]) -> Any:
    keys = tuple(sorted(d))
    return tuple([d[k] for k in keys]), (d.default_factory, keys)


_registry.register_node(OrderedDict, lambda d: (tuple(d.values()), tuple(d)), _made)
_registry.register_node(defaultdict, lambda d: (tuple([d[k] for k in sorted(d)]), tuple(sorted(d))), _made)
_registry.register_node(deque, lambda d: (tuple(d), d.maxlen), _made)
_seen.register_node(
    OrderedDict, lambda d: (tuple(d.values()), tuple(d)), lambda keys, values: OrderedDict(zip(keys, values))
)
_seen.register_node(defaultdict, _sorted_items, lambda aux, values: defaultdict(aux[0], zip(aux[1], values)))
tree.follow(_register)
seen.QUICK.append(_seen.flatten)
