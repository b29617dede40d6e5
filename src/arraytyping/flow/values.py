"""The abstract values of a program: what a variable may hold.

A value is either one of the classes here (all derive from `Value`), a tuple of values, or any other Python object,
which then is *exact*: a constant, or a function, class or module of a library.  A list, dict or set of Python never
is a value: `ListValue`, `DictValue` and `SetValue` stand for them, since their mutations are undone and joined.

Source: abstract interpretation as in Cousot and Cousot, https://doi.org/10.1145/512950.512973.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator
from typing import Any

from typing_extensions import override

from arraytyping.avals import ShapedArray
from arraytyping.flow.frames import Frame, Module
from arraytyping.flow.missing import MISSING
from arraytyping.flow.sizes import Size

__all__ = [
    "MISSING",
    "ArrayValue",
    "AtValue",
    "RefValue",
    "BoundMethod",
    "ClassValue",
    "Descriptor",
    "DictValue",
    "FunctionValue",
    "HandlerValue",
    "InstanceValue",
    "IteratorValue",
    "JitValue",
    "ListValue",
    "MethodOf",
    "ModuleValue",
    "Mutable",
    "NumPyValue",
    "OneOf",
    "PartialValue",
    "ScalarValue",
    "SetValue",
    "SuperValue",
    "TreeValue",
    "Unknown",
    "Value",
    "is_exact",
    "remake_tuple",
]


_births: Iterator[int] = itertools.count()


class Value:
    """What is no exact Python object."""

    __slots__ = ()


class Unknown(Value):
    """It may be anything; `why` is shown to the user."""

    __slots__ = ("why",)

    def __init__(self, why: str) -> None:
        self.why = why

    def __repr__(self) -> str:
        return f"Unknown({self.why!r})"


class ArrayValue(Value):
    """A JAX array; `traced` says that it is a tracer, so its value cannot be looked at.

    `made` is the place (path, line) where it was computed.  A typed key array has a dtype such as `key<fry>`.
    `real` is the tracer of JAX that it stands for, with the number of the trace, while a function is followed live
    (see `engines.asking`).
    """

    __slots__ = ("aval", "made", "real", "traced")

    def __init__(self, aval: ShapedArray, traced: bool = False, made: tuple[str, int] | None = None) -> None:
        self.aval = aval
        self.traced = traced
        self.made = made
        self.real: tuple[int, Any] | None = None

    def as_traced(self, traced: bool) -> ArrayValue:
        """The same array as a tracer, or as none; of its value nothing is known then."""
        aval = self.aval
        if aval.value is not None:
            aval = ShapedArray(aval.shape, aval.dtype, aval.weak_type)
        array = ArrayValue(aval, traced, self.made)
        array.real = self.real
        return array

    @property
    def is_key(self) -> bool:
        """Whether it is a typed array of random keys."""
        return self.aval.dtype is not None and self.aval.dtype.startswith("key<")

    @property
    def is_full(self) -> bool:
        """Whether dtype, weak type, rank and all sizes are known (also by a name)."""
        aval = self.aval
        return aval.shape is not None and None not in aval.shape and aval.weak_type is not None

    def __repr__(self) -> str:
        return f"ArrayValue({self.aval}{', traced' if self.traced else ''})"


class NumPyValue(Value):
    """A NumPy array, or a NumPy scalar if `is_scalar`; `data` holds its elements where they are known."""

    __slots__ = ("__weakref__", "alias", "born", "data", "dtype", "is_scalar", "made", "shape")

    def __init__(
        self,
        shape: tuple[Any, ...] | None,
        dtype: str | None,
        is_scalar: bool = False,
        data: Any = None,
        made: tuple[str, int] | None = None,
    ) -> None:
        self.shape = shape
        self.dtype = dtype
        self.is_scalar = is_scalar
        self.data = data
        self.made = made
        self.born = next(_births)
        self.alias: Any = None

    def snapshot(self) -> Any:
        """What may change: the elements and the shape."""
        return self.data, self.shape

    def restore(self, snapshot: Any) -> None:
        """Go back to a snapshot."""
        self.data, self.shape = snapshot

    def __repr__(self) -> str:
        return f"NumPyValue({self.dtype}{self.shape}{', scalar' if self.is_scalar else ''})"


class ScalarValue(Value):
    """A Python scalar or string whose value is not known; `kinds` are the types that it may have.

    `size` is what is known of an int: an expression in symbols, see `sizes`.
    """

    __slots__ = ("kinds", "size")

    def __init__(self, *kinds: type, size: Size | None = None) -> None:
        self.kinds = kinds
        self.size = size

    def __repr__(self) -> str:
        of = f" = {self.size}" if self.size is not None else ""
        return f"ScalarValue({'|'.join(k.__name__ for k in self.kinds)}{of})"


class OneOf(Value):
    """One of several values of different sorts, such as None or an array."""

    __slots__ = ("values",)

    def __init__(self, values: tuple[Any, ...]) -> None:
        self.values = values

    def __repr__(self) -> str:
        return f"OneOf{self.values}"


class Mutable(Value):
    """A value with an identity, whose contents may change.

    `born` orders them by age; `alias` says which others may be the same object (see `aliases`).
    """

    __slots__ = ("__weakref__", "alias", "born")

    def __init__(self) -> None:
        self.born = next(_births)
        self.alias: Any = None

    def snapshot(self) -> Any:
        """The contents as they are now."""
        raise NotImplementedError

    def restore(self, snapshot: Any) -> None:
        """Go back to a snapshot."""
        raise NotImplementedError


class ListValue(Mutable):
    """A list or deque: its items, or, if their number is unknown, one value that describes each of them.

    An empty list of unknown length has `element` MISSING.
    """

    __slots__ = ("element", "items", "kind")

    def __init__(self, items: list[Any] | None, element: Any = MISSING, kind: type = list) -> None:
        super().__init__()
        self.items = items
        self.element = element
        self.kind = kind

    @override
    def snapshot(self) -> Any:
        return None if self.items is None else list(self.items), self.element

    @override
    def restore(self, snapshot: Any) -> None:
        items, self.element = snapshot
        self.items = None if items is None else list(items)

    def __repr__(self) -> str:
        return f"ListValue({self.items if self.items is not None else f'* {self.element}'})"


class DictValue(Mutable):
    """A dict: its items by exact key, or, if the keys are not known, one value for all keys and one for all items.

    `factory` makes what is missing, in a defaultdict.
    """

    __slots__ = ("element", "factory", "items", "key", "kind")

    def __init__(
        self,
        items: dict[Any, Any] | None,
        key: Any = MISSING,
        element: Any = MISSING,
        kind: type = dict,
        factory: Any = None,
    ) -> None:
        super().__init__()
        self.items = items
        self.key = key
        self.element = element
        self.kind = kind
        self.factory = factory

    @override
    def snapshot(self) -> Any:
        return None if self.items is None else dict(self.items), self.key, self.element

    @override
    def restore(self, snapshot: Any) -> None:
        items, self.key, self.element = snapshot
        self.items = None if items is None else dict(items)

    def __repr__(self) -> str:
        return f"DictValue({self.items if self.items is not None else f'* {self.key}: {self.element}'})"


class SetValue(Mutable):
    """A set or frozenset: its exact items, or one value for all of them."""

    __slots__ = ("element", "items", "kind")

    def __init__(self, items: dict[Any, None] | None, element: Any = MISSING, kind: type = set) -> None:
        super().__init__()
        self.items = items
        self.element = element
        self.kind = kind

    @override
    def snapshot(self) -> Any:
        return None if self.items is None else dict(self.items), self.element

    @override
    def restore(self, snapshot: Any) -> None:
        items, self.element = snapshot
        self.items = None if items is None else dict(items)

    def __repr__(self) -> str:
        return f"SetValue({list(self.items) if self.items is not None else f'* {self.element}'})"


class IteratorValue(Mutable):
    """An iterator or generator: the items that are still to come, or one value for each; `infinite` ones never end.

    What is to be evaluated when the first item is asked for is `pending`: it gives the three, and is called once.
    """

    __slots__ = ("_element", "_infinite", "_is_running", "_items", "pending")

    def __init__(
        self,
        items: list[Any] | None = None,
        element: Any = MISSING,
        infinite: bool = False,
        pending: Callable[[], tuple[list[Any] | None, Any, bool]] | None = None,
    ) -> None:
        super().__init__()
        self._items = items
        self._element = element
        self._infinite = infinite
        self.pending = pending
        self._is_running = False

    def _force(self) -> None:
        if self.pending is None or self._is_running:
            return
        self._is_running = True
        try:  # the journal looks at it as it was before
            found = self.pending()
        finally:
            self._is_running = False
        self.pending = None
        self._items, self._element, self._infinite = found

    @property
    def items(self) -> list[Any] | None:
        """The items, None if their number is not known."""
        self._force()
        return self._items

    @items.setter
    def items(self, items: list[Any] | None) -> None:
        self._force()
        self._items = items

    @property
    def element(self) -> Any:
        """What describes each item, where their number is not known."""
        self._force()
        return self._element

    @element.setter
    def element(self, element: Any) -> None:
        self._force()
        self._element = element

    @property
    def infinite(self) -> bool:
        """Whether the items never end."""
        self._force()
        return self._infinite

    @override
    def snapshot(self) -> Any:
        return None if self._items is None else list(self._items), self._element, self._infinite, self.pending

    @override
    def restore(self, snapshot: Any) -> None:
        items, self._element, *rest = snapshot
        self._items = None if items is None else list(items)
        self._infinite, self.pending = rest if rest else (self._infinite, None)

    def __repr__(self) -> str:
        if self.pending is not None:
            return "IteratorValue(pending)"
        return f"IteratorValue({self._items if self._items is not None else f'* {self._element}'})"


class ClassValue(Mutable):
    """A class of the program.

    `kind` is "plain", "dataclass", "namedtuple", "enum" or "unknown" (a base or the metaclass is not understood);
    `tuple_type` is the real type of a NamedTuple's values; `pytree` says how JAX sees instances (see `pytrees`);
    `fields` are the annotated names in order, with the annotation and where it is evaluated.
    """

    __slots__ = (
        "bases",
        "fields",
        "kind",
        "module",
        "mro",
        "name",
        "namespace",
        "node",
        "options",
        "pytree",
        "tuple_type",
    )

    def __init__(self, name: str, bases: tuple[Any, ...], namespace: dict[str, Any], module: Module | None) -> None:
        super().__init__()
        self.name = name
        self.bases = bases
        self.namespace = namespace
        self.module = module
        self.kind = "plain"
        self.mro: list[Any] = [self]
        self.tuple_type: type[tuple[Any, ...]] | None = None
        self.pytree: Any = None
        self.fields: dict[str, tuple[ast.expr, Frame]] = {}
        self.options: dict[str, Any] = {}
        self.node: ast.ClassDef | None = None

    def find(self, name: str) -> Any:
        """The attribute along the method resolution order, or MISSING."""
        for cls in self.mro:
            if isinstance(cls, ClassValue) and name in cls.namespace:
                return cls.namespace[name]
        return MISSING

    def is_subclass(self, other: Any) -> bool:
        """Whether the other class is in the method resolution order."""
        return any(cls is other for cls in self.mro)

    @override
    def snapshot(self) -> Any:
        return dict(self.namespace)

    @override
    def restore(self, snapshot: Any) -> None:
        self.namespace = dict(snapshot)

    def __repr__(self) -> str:
        return f"ClassValue({self.name})"


class InstanceValue(Mutable):
    """An instance of a class of the program, with its attributes."""

    __slots__ = ("attributes", "cls")

    def __init__(self, cls: ClassValue, attributes: dict[str, Any]) -> None:
        super().__init__()
        self.cls = cls
        self.attributes = attributes

    @override
    def snapshot(self) -> Any:
        return dict(self.attributes)

    @override
    def restore(self, snapshot: Any) -> None:
        self.attributes = dict(snapshot)

    def __repr__(self) -> str:
        return f"InstanceValue({self.cls.name}, {self.attributes})"


class FunctionValue(Mutable):
    """A function or lambda of the program, with the frame that it closes over."""

    __slots__ = ("attributes", "defaults", "frame", "kw_defaults", "name", "node", "owner")

    def __init__(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        frame: Frame,
        name: str,
        defaults: list[Any],
        kw_defaults: list[Any],
    ) -> None:
        super().__init__()
        self.node = node
        self.frame = frame
        self.name = name
        self.defaults = defaults
        self.kw_defaults = kw_defaults
        self.owner: ClassValue | None = None
        self.attributes: dict[str, Any] = {}

    @override
    def snapshot(self) -> Any:
        return dict(self.attributes)

    @override
    def restore(self, snapshot: Any) -> None:
        self.attributes = dict(snapshot)

    def __repr__(self) -> str:
        return f"FunctionValue({self.name})"


class BoundMethod(Value):
    """A function bound to its first argument."""

    __slots__ = ("function", "receiver")

    def __init__(self, function: Any, receiver: Any) -> None:
        self.function = function
        self.receiver = receiver

    def __repr__(self) -> str:
        return f"BoundMethod({self.function}, {self.receiver})"


class MethodOf(Value):
    """A method of an abstract value, by name: `x.sum`, `names.append`."""

    __slots__ = ("name", "receiver")

    def __init__(self, receiver: Any, name: str) -> None:
        self.receiver = receiver
        self.name = name

    def __repr__(self) -> str:
        return f"MethodOf({self.receiver}, {self.name})"


class PartialValue(Value):
    """`functools.partial`: a callable with its first arguments; also a library's decorator that waits for more."""

    __slots__ = ("args", "function", "kwargs")

    def __init__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs

    def __repr__(self) -> str:
        return f"PartialValue({self.function}, {self.args}, {self.kwargs})"


class JitValue(Value):
    """A function under `jax.jit`, with its options; `answers` are kept by the abstract arguments, as JAX does."""

    __slots__ = ("answers", "function", "options")

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        self.function = function
        self.options = options
        self.answers: dict[Any, Any] = {}

    def __repr__(self) -> str:
        return f"JitValue({self.function})"


class HandlerValue(Value):
    """A callable whose behaviour is written here: `handle(interpreter, args, kwargs, node)` gives its result.

    `wraps` are the functions of the program that it may call, and `identity` tells equal ones apart from others.
    """

    __slots__ = ("handle", "identity", "name", "wraps")

    def __init__(
        self, name: str, handle: Callable[..., Any], wraps: tuple[Any, ...] = (), identity: Any = None
    ) -> None:
        self.name = name
        self.handle = handle
        self.wraps = wraps
        self.identity = identity

    def __repr__(self) -> str:
        return f"HandlerValue({self.name})"


class Descriptor(Value):
    """A `property`, `cached_property`, `staticmethod` or `classmethod`, by `kind`."""

    __slots__ = ("function", "kind", "setter")

    def __init__(self, kind: str, function: Any, setter: Any = None) -> None:
        self.kind = kind
        self.function = function
        self.setter = setter

    def __repr__(self) -> str:
        return f"Descriptor({self.kind}, {self.function})"


class SuperValue(Value):
    """`super()`: the attributes of a receiver after one class of the method resolution order."""

    __slots__ = ("after", "receiver")

    def __init__(self, after: ClassValue, receiver: Any) -> None:
        self.after = after
        self.receiver = receiver


class AtValue(Value):
    """`x.at`, and with an index `x.at[index]`."""

    __slots__ = ("array", "index")

    def __init__(self, array: Any, index: Any = MISSING) -> None:
        self.array = array
        self.index = index

    def __repr__(self) -> str:
        return f"AtValue({self.array}, {self.index})"


class RefValue(Value):
    """A reference of JAX to an array that can be written (`jax.new_ref`), which keeps its shape and dtype."""

    __slots__ = ("aval", "made")

    def __init__(self, aval: ShapedArray, made: tuple[str, int] | None = None) -> None:
        self.aval = aval
        self.made = made

    def __repr__(self) -> str:
        return f"RefValue({self.aval})"


class TreeValue(Value):
    """An object of a library that is a pytree, such as the state of an optimizer: its structure and its leaves.

    `treedef` is JAX's `PyTreeDef`; the leaves are values.
    """

    __slots__ = ("leaves", "treedef")

    def __init__(self, treedef: Any, leaves: tuple[Any, ...]) -> None:
        self.treedef = treedef
        self.leaves = leaves

    def __repr__(self) -> str:
        return f"TreeValue({self.treedef}, {self.leaves})"


class ModuleValue(Value):
    """A module of the program, or one of a library that is interpreted."""

    __slots__ = ("module",)

    def __init__(self, module: Module) -> None:
        self.module = module

    def __repr__(self) -> str:
        return f"ModuleValue({self.module.name})"


def is_exact(value: Any) -> bool:
    """Whether a value is an exact Python object, through and through."""
    if isinstance(value, Value):
        return False
    if isinstance(value, tuple):
        return all(map(is_exact, value))
    if type(value) is slice:
        return is_exact(value.start) and is_exact(value.stop) and is_exact(value.step)
    return True


def remake_tuple(original: tuple[Any, ...], items: list[Any]) -> tuple[Any, ...]:
    """A tuple of the same type, also a NamedTuple, with other items."""
    if type(original) is tuple:
        return tuple(items)
    return tuple.__new__(type(original), items)
