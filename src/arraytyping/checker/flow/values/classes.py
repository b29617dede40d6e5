"""Classes, instances, functions and modules of the program."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, Final

from typing_extensions import override

from arraytyping.checker.flow.values.basic import BaseValue, Mutable, Value, is_concrete
from arraytyping.checker.flow.values.frames import Frame, Module
from arraytyping.checker.flow.values.missing import MISSING

__all__ = [
    "ASKS_FOR_EACH",
    "ClassUnion",
    "ANY_ATTRIBUTE",
    "MAY_BE_BELOW",
    "ClassValue",
    "Descriptor",
    "FunctionValue",
    "InstanceValue",
    "class_of_source",
    "LazyName",
    "ModuleValue",
    "OPEN",
    "REGISTERS",
    "SOURCE_OF",
    "SuperValue",
    "is_key",
]


class ClassUnion(BaseValue):
    """`A | B`, where one of the classes is the program's."""

    __slots__ = ("members",)

    def __init__(self, members: tuple[Value, ...]) -> None:
        self.members: tuple[Value, ...] = members


class ClassValue(Mutable):
    """A class of the program.

    `kind` is "plain", "dataclass", "namedtuple", "enum" or "unknown" (a base or the metaclass is not understood);
    `tuple_type` is the real type of a NamedTuple's values; `pytree` says how JAX sees instances (see `pytrees`);
    `fields` are the annotated names in order, with the annotation and where it is evaluated.
    """

    __slots__ = (
        "bases",
        "fields",
        "is_record",
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

    def __init__(self, name: str, bases: tuple[Value, ...], namespace: dict[str, Value], module: Module | None) -> None:
        super().__init__()
        self.name: str = name
        self.bases: tuple[Any, ...] = bases
        self.namespace: dict[str, Any] = namespace
        self.module: Module | None = module
        self.kind: str = "plain"
        self.is_record: bool = False
        """Whether a decorator, or what stands for one, has made it a dataclass; it does not only derive from one."""
        self.mro: list[Any] = [self]
        self.tuple_type: type[tuple[Any, ...]] | None = None
        self.pytree: Any = None
        self.fields: dict[str, tuple[ast.expr, Frame]] = {}
        self.options: dict[str, Any] = {}
        self.node: ast.ClassDef | None = None

    def find(self, name: str) -> Value:
        """The attribute along the method resolution order, or MISSING."""
        for cls in self.mro:
            if isinstance(cls, ClassValue) and name in cls.namespace:
                return cls.namespace[name]
        return MISSING

    def is_subclass(self, other: Value) -> bool:
        """Whether the other class is in the method resolution order."""
        return any(cls is other for cls in self.mro)

    @override
    def snapshot(self) -> Any:
        return dict(self.namespace)

    @override
    def restore(self, snapshot: Any) -> None:
        self.namespace = dict(snapshot)

    @override
    def type_name(self) -> str:
        return "type"

    def __repr__(self) -> str:
        return f"ClassValue({self.name})"


ANY_ATTRIBUTE: Final = "*"
"""In place of a name: something that is not followed may have bound any attribute."""

OPEN: Final = "open"
"""The option of a class of a stand-in, which has more than is said of it."""


MAY_BE_BELOW: Final = "may be below"
"""The option of a class that stands for those that derive from it, too."""


REGISTERS: Final = "registers"
"""The option of a class whose metaclass is ABCMeta: whether other classes were registered, which may be of it then."""

ASKS_FOR_EACH: Final = "asks for each"
"""The option of a class that has a `__getattribute__` of its own, which is asked for every attribute."""

SOURCE_OF: Final = "source of"
"""The option of a class of a library's source that is followed: itself, and the real class, which it stands for."""


def class_of_source(cls: Value) -> type | None:
    """The real class of a library whose source a class comes from, not of one that derives from it."""
    own, real = cls.options.get(SOURCE_OF, (None, None)) if isinstance(cls, ClassValue) else (None, None)
    return real if own is cls else None


class InstanceValue(Mutable):
    """An instance of a class of the program, with its attributes."""

    __slots__ = ("attributes", "cls")

    def __init__(self, cls: ClassValue, attributes: dict[str, Value]) -> None:
        super().__init__()
        self.cls: ClassValue = cls
        self.attributes: dict[str, Any] = attributes

    @override
    def snapshot(self) -> Any:
        return dict(self.attributes)

    @override
    def restore(self, snapshot: Any) -> None:
        self.attributes = dict(snapshot)

    @override
    def parts(self) -> Sequence[Value]:
        return list(self.attributes.values())

    @override
    def type_name(self) -> str:
        return self.cls.name

    def __repr__(self) -> str:
        return f"InstanceValue({self.cls.name}, {self.attributes})"


class FunctionValue(Mutable):
    """A function or lambda of the program, with the frame that it closes over.

    One that `is_checked` holds its arguments against their annotations as the program runs, and raises.
    """

    __slots__ = ("attributes", "defaults", "frame", "is_checked", "kw_defaults", "name", "node", "owner")

    def __init__(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        frame: Frame,
        name: str,
        defaults: list[Value],
        kw_defaults: list[Value],
    ) -> None:
        super().__init__()
        self.node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda = node
        self.frame: Frame = frame
        self.name: str = name
        self.defaults: list[Value] = defaults
        self.kw_defaults: list[Value] = kw_defaults
        self.owner: ClassValue | None = None
        self.attributes: dict[str, Any] = {}
        self.is_checked: bool = False

    @override
    def snapshot(self) -> Any:
        return dict(self.attributes)

    @override
    def restore(self, snapshot: Any) -> None:
        self.attributes = dict(snapshot)

    @override
    def type_name(self) -> str:
        return "function"

    def __repr__(self) -> str:
        return f"FunctionValue({self.name})"


class Descriptor(BaseValue):
    """A `property`, `cached_property`, `staticmethod` or `classmethod`, by `kind`."""

    __slots__ = ("deleter", "function", "kind", "setter")

    def __init__(self, kind: str, function: Value, setter: Value = None, deleter: Value = None) -> None:
        self.kind: str = kind
        self.function: Any = function
        self.setter: Value = setter
        self.deleter: Value = deleter

    def __repr__(self) -> str:
        return f"Descriptor({self.kind}, {self.function})"


class SuperValue(BaseValue):
    """`super()`: the attributes of a receiver after one class of the method resolution order."""

    __slots__ = ("after", "receiver")

    def __init__(self, after: ClassValue, receiver: Value) -> None:
        self.after: ClassValue = after
        self.receiver: Value = receiver


class ModuleValue(BaseValue):
    """A module of the program, or one of a library that is interpreted."""

    __slots__ = ("module",)

    def __init__(self, module: Module) -> None:
        self.module: Module = module

    @override
    def type_name(self) -> str:
        return "module"

    def __repr__(self) -> str:
        return f"ModuleValue({self.module.name})"


class LazyName(BaseValue):
    """What an import of a library binds until it is used: a module, or a name of it."""

    __slots__ = ("module", "name")

    def __init__(self, module: str, name: str | None = None) -> None:
        self.module: str = module
        self.name: str | None = name

    def __repr__(self) -> str:
        return f"LazyName({self.module}{'' if self.name is None else f'.{self.name}'})"


def is_key(value: Value) -> bool:
    """Whether a value is known well enough to be a key of a dict: also a class or function, by its identity."""
    if isinstance(value, ClassValue | FunctionValue):
        return value.alias is None
    if isinstance(value, tuple):
        return type(value).__hash__ is tuple.__hash__ and all(map(is_key, value))
    return is_concrete(value)
