"""Classes of the program: their definition, and what calling one makes.

Instances of NamedTuples are real tuples of a type made here, and members of enumerations are members of a real one,
so that Python and JAX treat them as what they are.
"""

from __future__ import annotations

import abc
import ast
import collections
import enum
import typing
from typing import Any, Final

import typing_extensions

from arraytyping.checker.flow.python.fields import bind_fields, check_field, initialize_dataclass
from arraytyping.checker.flow.python.operator_names import SPECIAL_OF_TUPLES
from arraytyping.checker.flow.real_calls.permissions import may_enter_standard
from arraytyping.checker.flow.state.certainty import doubting
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import (
    MISSING,
    OWN_METHODS,
    REGISTERS,
    ClassValue,
    Descriptor,
    DictValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    Unknown,
    Value,
    class_of_source,
    is_concrete,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.flow.values.frames import Frame
from arraytyping.checker.swallowed import swallow

__all__ = [
    "ABSTRACT",
    "abstract_names",
    "class_of_enum",
    "class_of_tuple",
    "define",
    "enum_class",
    "initializer",
    "is_named_tuple",
    "make_class",
    "instantiate",
    "make_namedtuple",
]

_TUPLE_CLASSES: Final[RunSlot[dict[type, ClassValue]]] = RunSlot("NamedTuples of the program", dict)
_ENUM_CLASSES: Final[RunSlot[dict[type, ClassValue]]] = RunSlot("enumerations of the program", dict)

ABSTRACT: Final = "__isabstractmethod__"
"""The attribute of functions that are abstract."""
_PLAIN_BASES = ("typing", "typing_extensions", "abc", "builtins", "collections.abc")


def define(it: Interpreter, node: ast.ClassDef, frame: Frame) -> Value:
    """The value of a `class` statement, its decorators applied."""
    bases = []
    for base in node.bases:
        bases.append(it.evaluate(base.value if isinstance(base, ast.Starred) else base, frame))
    keywords = _keywords(it, node, frame)
    body = Frame(frame, "class", frame.module)
    body.mark = it.journal.mark
    with it.in_frame(body), doubting(it, body):
        it.execute(node.body, body)
    cls = ClassValue(node.name, tuple(bases), body.variables, frame.module)
    cls.node = node
    if it.definitions is not None:
        it.definitions.add(node, cls)
    for value in body.variables.values():
        _own(value, cls)
    _inherit(cls, bases)
    _hide_by_slots(cls)
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            cls.fields[statement.target.id] = (statement.annotation, body)
    for name in ("__init_subclass__", "__class_getitem__"):
        if isinstance(function := cls.namespace.get(name), FunctionValue):
            cls.namespace[name] = Descriptor("classmethod", function)
    value = _special(it, cls, bases, keywords, node)
    for name, held in list(cls.namespace.items()):
        if isinstance(held, InstanceValue) and (method := held.cls.find("__set_name__")) is not MISSING:
            it.call(method, [held, value, name], {}, node)
    _tell_bases(it, cls, keywords, node)
    decorators = [it.evaluate(d, frame) for d in node.decorator_list]
    for decorator, at in zip(reversed(decorators), reversed(node.decorator_list)):
        value = it.call(decorator, [value], {}, at)
    return value


def make_class(
    it: Interpreter,
    name: str,
    bases: tuple[Value, ...],
    namespace: dict[str, Value],
    frame: Frame,
    node: ast.AST | None,
) -> Value:
    """The class that `type(name, bases, namespace)` makes; of its fields no types are known."""
    cls = ClassValue(name, bases, dict(namespace), frame.module)
    annotations = cls.namespace.pop("__annotations__", None)
    if isinstance(annotations, DictValue) and annotations.items is not None:
        anything = Frame(None, "module", frame.module)
        anything.variables["Any"] = typing.Any
        cls.fields.update((str(name), (ast.Name("Any", ast.Load()), anything)) for name in annotations.items)
    elif annotations is not None:
        return it.unknown("a class of unknown fields")
    _inherit(cls, list(bases))
    statement = ast.ClassDef(name, [], [], [], [])
    made = _special(it, cls, list(bases), {}, ast.copy_location(statement, node) if node is not None else statement)
    _tell_bases(it, cls, {}, statement)
    return made


def _keywords(it: Interpreter, node: ast.ClassDef, frame: Frame) -> dict[str, Value]:
    """The keywords of a `class` statement; where some are not known there may be a metaclass among them."""
    keywords: dict[str, Any] = {}
    for keyword in node.keywords:
        value = it.evaluate(keyword.value, frame)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
        elif isinstance(value, DictValue) and value.items is not None and all(isinstance(k, str) for k in value.items):
            keywords.update(value.items)
        else:
            keywords["metaclass"] = it.unknown("the keywords of a class")
    return keywords


def _hide_by_slots(cls: ClassValue) -> None:
    """A slot hides a property of the same name that a base has."""
    slots = cls.namespace.get("__slots__")
    names: Any = slots.items if isinstance(slots, ListValue) else slots if isinstance(slots, tuple) else (slots,)
    for name in names or ():
        found = cls.find(name) if isinstance(name, str) else MISSING
        if isinstance(found, Descriptor) and found.kind == "property":
            cls.namespace[name] = Descriptor("slot", None)


def _own(value: Value, cls: ClassValue) -> None:
    """Methods know their class, for `super()`; also those below decorators."""
    for _ in range(6):
        if isinstance(value, FunctionValue):
            if value.owner is None and value.frame.kind == "class":
                value.owner = cls
            return
        wrapped = getattr(value, "wraps", None)
        value = wrapped[0] if wrapped else getattr(value, "function", None)


def _inherit(cls: ClassValue, bases: list[Value]) -> None:
    ours = [b for b in bases if isinstance(b, ClassValue)]
    others = [b for b in bases if not isinstance(b, ClassValue)]
    cls.mro = [cls, *_merge([*(list(b.mro) for b in ours), list(ours)]), *others]
    kinds = {base.kind for base in ours}
    cls.kind = next((kind for kind in ("unknown", "dataclass") if kind in kinds), "plain")
    for base in reversed(ours):
        cls.pytree = (
            base.pytree if base.pytree is not None and getattr(base.pytree, "is_inherited", False) else cls.pytree
        )
        cls.options.update(base.options)


def _merge(sequences: list[list[Value]]) -> list[Value]:
    """The C3 linearization, as https://www.python.org/download/releases/2.3/mro/ describes it."""
    merged: list[Value] = []
    sequences = [s for s in sequences if s]
    while sequences:
        for sequence in sequences:
            head = sequence[0]
            if not any(any(head is c for c in s[1:]) for s in sequences):
                break
        else:
            head = sequences[0][0]
        merged.append(head)
        sequences = [r for s in sequences if (r := [c for c in s if c is not head])]
    return merged


def _special(it: Interpreter, cls: ClassValue, bases: list[Any], keywords: dict[str, Any], node: ast.ClassDef) -> Value:
    """What the bases that are no classes of the program make of a class."""
    if (metaclass := keywords.get("metaclass", type)) is not type and metaclass is not abc.ABCMeta:
        cls.options["metaclass"] = metaclass
    if "metaclass" in cls.options:
        cls.kind = "unknown"
        return cls
    if metaclass is abc.ABCMeta:
        cls.options.setdefault(REGISTERS, False)
    for base in bases:
        if isinstance(base, ClassValue):
            if (adapter := base.options.get("adapter")) is not None:
                return adapter(it, cls, base, keywords, node)
            if base.kind == "namedtuple" and base.tuple_type is not None:
                return _derive_namedtuple(it, cls, base.tuple_type)
            continue
        if is_named_tuple(base):
            return make_namedtuple(it, cls, list(cls.fields))
        if isinstance(base, type) and issubclass(base, enum.Enum):
            return _make_enum(it, cls, base, [b for b in bases if isinstance(b, type) and b is not base])
        if isinstance(base, Unknown):
            cls.kind = "unknown"
            cls.options["metaclass"] = base
            continue
        origin = typing.get_origin(base) or base
        is_standard = getattr(origin, "__module__", "") in (
            "builtins",
            "collections",
            "collections.abc",
        )  # `dict[str, int]`
        adapter = it.registry.find_base(origin if is_standard else base)
        if adapter is not None:
            return adapter(it, cls, base, keywords, node)
        module = getattr(origin, "__module__", "") or ""
        if module in _PLAIN_BASES or origin is object:
            own = isinstance(origin, type) and origin.__module__ == "builtins" and origin is not object
            if own and not issubclass(origin, BaseException):
                cls.kind = "unknown"
            continue
        cls.kind = "unknown"
        if isinstance(origin, type) and type(origin) is not type and type(origin) is not abc.ABCMeta:
            cls.options["metaclass"] = type(origin)
    return cls


def is_named_tuple(base: Value) -> bool:
    """Whether a base makes a NamedTuple of a class; the one for older Pythons is an object of its own."""
    return base is typing.NamedTuple or base is typing_extensions.NamedTuple


def _tell_bases(it: Interpreter, cls: ClassValue, keywords: dict[str, Value], node: ast.ClassDef) -> None:
    """The first `__init_subclass__` of the bases learns of a new class."""
    for base in cls.mro[1:]:
        if isinstance(base, ClassValue) and "__init_subclass__" in base.namespace:
            init = base.namespace["__init_subclass__"]
            function = init.function if isinstance(init, Descriptor) else init
            if isinstance(function, FunctionValue):
                it.call(function, [cls], {k: v for k, v in keywords.items() if k != "metaclass"}, node)
            return


# ---------------------------------------------------------------------- NamedTuple and Enum


def make_namedtuple(it: Interpreter, cls: ClassValue, names: list[str]) -> ClassValue:
    """Make a class one whose instances are real tuples of these fields."""
    cls.kind = "namedtuple"
    try:
        cls.tuple_type = collections.namedtuple(cls.name, names)  # type: ignore[misc]
    except ValueError:
        cls.kind = "unknown"
        return cls
    return _register_namedtuple(it, cls)


def _derive_namedtuple(it: Interpreter, cls: ClassValue, base: type[tuple[Any, ...]]) -> ClassValue:
    """Make a class one of the fields of a base; annotations of its own add none."""
    cls.kind = "namedtuple"
    cls.fields.clear()
    cls.tuple_type = type(cls.name, (base,), {"__slots__": ()})
    return _register_namedtuple(it, cls)


def _register_namedtuple(it: Interpreter, cls: ClassValue) -> ClassValue:
    assert cls.tuple_type is not None
    own = {n: cls.find(n) for c in cls.mro if isinstance(c, ClassValue) for n in c.namespace}
    methods = {n: v for n, v in own.items() if n.startswith("__") and isinstance(v, FunctionValue | Descriptor)}
    if "__hash__" in own or "__eq__" in own:  # by which it is no key that is known
        cls.tuple_type.__hash__ = object.__hash__  # type: ignore[method-assign]
    if methods.keys() - SPECIAL_OF_TUPLES - {"__hash__", "__class_getitem__", "__init_subclass__"}:
        # What indexes, iterates, or asks for the length or the truth takes it for the tuple that it is.
        cls.kind, cls.tuple_type = "unknown", None
        return cls
    setattr(cls.tuple_type, OWN_METHODS, methods)
    _TUPLE_CLASSES.of(it)[cls.tuple_type] = cls
    return cls


def class_of_tuple(it: Interpreter, value: tuple[Value, ...]) -> ClassValue | None:
    """The NamedTuple of the program of which a tuple is an instance."""
    return _TUPLE_CLASSES.of(it).get(type(value))


def _make_enum(it: Interpreter, cls: ClassValue, base: Any, mixed_in: list[type]) -> Value:
    members = {
        name: value
        for name, value in cls.namespace.items()
        if not name.startswith("_") and not isinstance(value, FunctionValue) and not hasattr(value, "kind")
    }
    known = all(is_concrete(v) for v in members.values()) and may_enter_standard((members, mixed_in))
    if not members or not known or _has_protocol_methods(cls):
        return _unknown_enum(it, cls, members)
    try:
        made = base(cls.name, members, type=mixed_in[0]) if mixed_in else base(cls.name, members)
    except Exception as error:
        swallow(error)
        return _unknown_enum(it, cls, members)
    _ENUM_CLASSES.of(it)[made] = cls
    return made


def _unknown_enum(it: Interpreter, cls: ClassValue, members: dict[str, Value]) -> ClassValue:
    """An enumeration of whose members nothing is known."""
    cls.kind = "unknown"
    cls.namespace.update((name, it.unknown("a member of an enumeration")) for name in members)
    return cls


def _has_protocol_methods(cls: ClassValue) -> bool:
    """Whether an enumeration says itself how its members are made, shown or compared."""
    names = {n for base in cls.mro if isinstance(base, ClassValue) for n in base.namespace if n.startswith("_")}
    plain = {"__doc__", "__module__", "__qualname__", "__annotations__", "__slots__"}
    return bool(names - plain)


def enum_class(it: Interpreter, value: Value) -> ClassValue | None:
    """The enumeration of the program of which a value is a member."""
    return class_of_enum(it, type(value))


def class_of_enum(it: Interpreter, made: type) -> ClassValue | None:
    """The class of the program of which an enumeration was made."""
    return _ENUM_CLASSES.of(it).get(made)


def instantiate(it: Interpreter, cls: ClassValue, call: Call) -> Value:
    """What calling a class gives."""
    make = cls.options.get("instantiate")
    if make is not None and "metaclass" not in cls.options:
        return make(it, cls, call)
    if cls.kind == "unknown":
        it.engines.havoc(it, [cls, *call.values])
        return it.unknown(f"an instance of {cls.name}, whose class is not understood")
    new = cls.find("__new__")
    is_abstract = abc.ABC in cls.mro or REGISTERS in cls.options or any(map(class_of_source, cls.mro))
    if is_abstract and (names := abstract_names(cls)):
        message = f"TypeError: Can't instantiate abstract class {cls.name} without an implementation for "
        return it.fail(call.node, "array-call", message + ", ".join(names))
    if isinstance(new, FunctionValue):
        return _made_by_new(it, new, cls, call)
    if cls.kind == "namedtuple":
        return _namedtuple(it, cls, call)
    return _initialized(it, InstanceValue(cls, {}), call)


def abstract_names(cls: ClassValue) -> list[str]:
    """The abstract methods of a class that nothing implements."""
    names = {name for base in cls.mro if isinstance(base, ClassValue) for name in base.namespace}
    return sorted(name for name in names if _is_abstract(cls.find(name)))


def _is_abstract(value: Value) -> bool:
    function = value.function if isinstance(value, Descriptor) else value
    return isinstance(function, FunctionValue) and function.attributes.get(ABSTRACT) is True


def _made_by_new(it: Interpreter, new: FunctionValue, cls: ClassValue, call: Call) -> Value:
    """What the class's own `__new__` makes; an instance of the class is initialized then."""
    made = it.call(new, *call.preceded_by(cls))
    if isinstance(made, InstanceValue) and any(base is cls for base in made.cls.mro):
        return _initialized(it, made, call, cls.find("__init__") is not MISSING)
    return made


def _initialized(it: Interpreter, instance: InstanceValue, call: Call, checks: bool = True) -> Value:
    cls = instance.cls
    init = initializer(cls)
    if isinstance(init, ClassValue):
        initialize_dataclass(it, instance, call)
    elif init is not MISSING:
        it.call(init, *call.preceded_by(instance))
    elif checks and not call.is_empty and not any(isinstance(b, type) and _takes_arguments(b) for b in cls.mro[1:]):
        return it.fail(call.node, "array-call", f"TypeError: {cls.name}() takes no arguments")
    return instance


def initializer(cls: ClassValue) -> Value:
    """The `__init__` of a class, or the dataclass for whose fields one was made; MISSING if it has neither."""
    for base in cls.mro:
        if not isinstance(base, ClassValue):
            continue
        if "__init__" in base.namespace:
            return base.namespace["__init__"]
        if base.is_record and base.options.get("init") is not False:
            return base
    return MISSING


def _takes_arguments(cls: type) -> bool:
    """Whether a real class has more than what every object has to make an instance."""
    return any("__init__" in vars(base) or "__new__" in vars(base) for base in cls.__mro__ if base is not object)


def _namedtuple(it: Interpreter, cls: ClassValue, call: Call) -> Value:
    assert cls.tuple_type is not None
    names: tuple[str, ...] = cls.tuple_type._fields  # type: ignore[attr-defined]
    bound = bind_fields(it, cls, names, call)
    if bound is None:
        return it.unknown(f"an instance of {cls.name} from wrong arguments")
    for name in names:
        bound[name] = check_field(it, cls, name, bound[name], call.node)
    return tuple.__new__(cls.tuple_type, [bound[name] for name in names])
