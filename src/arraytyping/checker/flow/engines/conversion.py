"""Between values of flow and objects of jax: arguments go out, results and tracers come back."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from arraytyping.checker.flow.engines.jax import JaxEngine
from arraytyping.checker.flow.engines.signatures import signature_of
from arraytyping.checker.flow.engines.tuple_classes import is_plain_tuple
from arraytyping.checker.flow.real_calls.permissions import note_given
from arraytyping.checker.flow.state.identity import identity
from arraytyping.checker.flow.state.interpreter import Signal
from arraytyping.checker.flow.state.stateful import is_stateful
from arraytyping.checker.flow.values import (
    ArrayValue,
    BoundMethod,
    ClassValue,
    DictValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    JitValue,
    KeyOrigin,
    ListValue,
    MethodOf,
    NumPyValue,
    PartialValue,
    RefValue,
    ScalarValue,
    SetValue,
    TreeValue,
    Unknown,
    Value,
    remake_tuple,
)
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.avals import ShapedArray, SymbolicDim
from arraytyping.semantics.sizes.dims import as_dim, of_dim
from arraytyping.semantics.sizes.operations import maximum
from arraytyping.semantics.sizes.polynomials import Size, constant

__all__ = [
    "Abort", "CallableNode", "Callback", "GIVES_A_PART", "Given", "Held", "Leaf", "Node", "PROGRAM", "PYTHON_DTYPES",
    "PartialClass", "dim_from_jax", "dim_to_jax", "from_jax", "is_callable_value", "unseen",
]  # fmt: skip


PYTHON_DTYPES: Final[dict[type, str]] = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}
"""The dtypes that Python's scalars have by themselves, before jax makes them narrower."""

GIVES_A_PART: Final = "a function gives an array of which a part is unknown"
PROGRAM: Final = "arraytyping.checker.flow.start.program"
"""The module that functions and classes made here say they are of."""
_CALLABLE = (FunctionValue, BoundMethod, PartialValue, JitValue, HandlerValue, MethodOf)


class Abort(Signal):
    """A part of the arguments is not known well enough to ask jax."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Given(NamedTuple):
    """In place of the sharding of an array that is an argument of a call: that of the argument of this number."""

    number: int


class Leaf:
    """The place of an abstract argument, by its number."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number: int = number


_OF_EACH_CLASS: Final = frozenset({"__annotations__", "__dict__", "__slots__", "__weakref__"})
"""What says nothing of an instance, and is not asked for in order to use it."""


class Node:
    """An instance of a class of the program that is a pytree: its children, and the rest."""

    __slots__ = ("children", "cls", "rest")

    def __init__(self, cls: ClassValue, children: tuple[Value, ...], rest: Value) -> None:
        self.cls: ClassValue = cls
        self.children: tuple[Value, ...] = children
        self.rest: Any = rest

    def __getattr__(self, name: str) -> Any:
        """What a library finds under a name that a node does not have: what the instance of the program has there.

        Raises:
            AttributeError: if that is nothing.
            Abort: if only the program knows it.
        """
        if name in Node.__slots__ or name in _OF_EACH_CLASS:
            raise AttributeError(name)
        return self.rest.find(self, name)

    def __repr__(self) -> str:
        return f"an instance of {self.cls.name}"


class CallableNode(Node):
    """An instance of a class whose instances can be called; the rest knows how."""

    __slots__ = ("__weakref__",)

    @property
    def __signature__(self) -> inspect.Signature:
        """The parameters of `__call__`, by which libraries choose what they give.

        Raises:
            AttributeError: if they are not known.
        """
        signature = signature_of(BoundMethod(self.cls.find("__call__"), self))
        if signature is None:
            raise AttributeError("__signature__")
        return signature

    def __call__(self, *args: Value, **kwargs: Value) -> Value:
        """Call the instance, as libraries do."""
        return self.rest.call(self, args, kwargs)


class Held:
    """A value of the program that only passes through a library, such as a configuration in a module's field."""

    __slots__ = ("key", "value")

    def __init__(self, value: Value) -> None:
        self.value: Any = value
        self.key: Value = identity(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Held) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __deepcopy__(self, memo: object) -> Held:
        """The same: what could be changed in it is not copied.

        Raises:
            Abort: if something could.
        """
        if isinstance(self.value, InstanceValue | ListValue | DictValue | SetValue):
            raise Abort("a copy of a library's object that holds one of the program")
        return self


_unseen: list[Any] = []


def unseen(engine: JaxEngine, shape: tuple[int, ...], dtype: Any) -> Any:
    """A NumPy array for a library whose elements are not known: `from_jax` does not look at them."""
    if not _unseen:
        _unseen.append(type("Unseen", (engine.numpy.ndarray,), {}))
    return engine.numpy.zeros(shape, dtype).view(_unseen[0])


class Callback:
    """A function of the program as jax sees it; `call` interprets it."""

    def __init__(self, function: Value, call: Callable[..., Any]) -> None:
        self.function = function
        self._call = call
        name = getattr(function, "name", None)
        self.__name__: str = name if isinstance(name, str) else "function"
        self.__qualname__: str = self.__name__
        self.__module__ = PROGRAM
        self.__doc__ = None
        signature = signature_of(function)
        if signature is not None:
            self.__signature__ = signature

    def __deepcopy__(self, memo: object) -> Callback:
        """The same, as of functions."""
        return self

    def again(self) -> Callback:
        """The same function for jax to trace anew: it remembers what it has traced."""
        return Callback(self.function, self._call)

    def __call__(self, *args: Value, **kwargs: Value) -> Value:
        """Interpret the function for the tracers that jax gives."""
        return self._call(self.function, args, kwargs)


class PartialClass(functools.partial[Any]):
    """A class with its first arguments, as a library sees it that asks which class it is; `given` is the program's."""

    given: PartialValue


def is_callable_value(value: Value) -> bool:
    """Whether a value is a callable of the program."""
    return isinstance(value, _CALLABLE) or (
        isinstance(value, InstanceValue)
        and isinstance(value.cls.find("__call__"), FunctionValue | JitValue | HandlerValue)
    )


def dim_to_jax(engine: JaxEngine, dim: Any) -> Any:
    """A size as jax takes it.

    Raises:
        Abort: if it is unknown.
    """
    if isinstance(dim, int):
        return dim
    if isinstance(dim, SymbolicDim) and (size := of_dim(dim)) is not None:
        engine.sizes_met.add(size)
        if engine.invented is not None:
            return _invented(size, engine.invented)
        try:
            return engine.dim(size)
        except Exception as error:
            swallow(error)
            raise Abort(f"a size that jax cannot express: {dim}") from None
    raise Abort("an array of unknown sizes")


def _invented(size: Size, numbers: Mapping[str, int]) -> int:
    """The number that a size is while jax is asked with invented ones.

    Raises:
        Abort: if there is none.
    """
    if not all(s.name in numbers for s in size.symbols) or (number := int(size.at(numbers))) < 0:
        raise Abort("a size that no number was invented for")
    return number


def dim_from_jax(engine: JaxEngine, dim: Any) -> Any:
    """A size as jax gives it: an int, a polynomial, or unknown."""
    if isinstance(dim, int):
        return dim
    if engine.is_symbolic(dim):
        # jax takes each symbol to be at least 1, where ours may be 0: what it calls n - 1 is no size for all n.
        size = engine.size(dim)
        return None if size is None else as_dim(maximum(size, constant(0)))
    return None


def number_from_jax(engine: JaxEngine, dim: Any) -> ScalarValue:
    """The int that a symbolic dimension of jax is."""
    size = engine.size(dim)
    return ScalarValue(int) if size is None else ScalarValue(int, size=size)


def from_jax(
    engine: JaxEngine, value: Value, is_traced: Callable[[Any], bool], made: Any, build: Any = None,
    live: int = 0, key: Callable[[Any], KeyOrigin | None] | None = None, given: Mapping[int, int] | None = None,
) -> Value:  # fmt: skip
    """The value that an object of jax, or a tracer, stands for; `build` makes instances of `Node`s.

    In a live trace, of this number, arrays keep their tracers.  `key` tells which key a tracer of one is.

    `made` is the place of an array, or a function that gives that of a tracer.  `given` has the numbers of the
    arguments by their tracers: what a function gives back as it is lies where it lay.
    """

    def convert(v: Value) -> Any:
        return from_jax(engine, v, is_traced, made, build, live, key, given)

    if engine.is_array(value):
        if (stands_for := engine.stand_ins.get(id(value))) is not None:
            return stands_for[1]
        return _array_from_jax(engine, value, is_traced, made, live, key, given)
    numpy = engine.numpy
    if isinstance(value, numpy.ndarray | numpy.generic):
        is_scalar = isinstance(value, numpy.generic)
        seen = not _unseen or not isinstance(value, _unseen[0])
        data = numpy.asarray(value) if seen and value.size <= 200_000 and value.dtype != object else None
        place = None if callable(made) else made
        return NumPyValue(tuple(value.shape), engine.dtype_name(value.dtype), is_scalar, data, place)
    if isinstance(value, tuple):
        if not is_plain_tuple(type(value)):
            return _tree_or_object(engine, value, convert)
        return remake_tuple(value, [convert(v) for v in value])
    if isinstance(value, list):
        return ListValue([convert(v) for v in value])
    if type(value).__name__ in ("dict", "OrderedDict", "defaultdict") and isinstance(value, dict):
        return DictValue({k: convert(v) for k, v in value.items()}, kind=type(value))
    if isinstance(value, Callback):
        return value.function
    if isinstance(value, Held):
        return value.value
    if isinstance(value, PartialClass):
        return value.given
    if is_stateful(value):
        return value
    if isinstance(value, Node):
        children = tuple(convert(c) for c in value.children)
        return build(value.cls, children, value.rest) if build is not None else Unknown("an instance")
    if isinstance(value, set | frozenset):
        return SetValue(dict.fromkeys(value), kind=type(value))
    if engine.is_symbolic(value):
        return number_from_jax(engine, value)
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        return value
    if isinstance(value, type) or not hasattr(type(value), "__module__"):
        return value
    if hasattr(value, "aval") and "Tracer" in type(value).__name__:
        inner: Any = getattr(value.aval, "inner_aval", None)
        if type(value.aval).__name__ != "AbstractRef" or not isinstance(getattr(inner, "shape", None), tuple):
            return Unknown("a reference")
        array = convert(engine.zeros(inner.shape, engine.dtype_name(inner.dtype), False))
        return RefValue(ShapedArray(array.aval.shape, array.aval.dtype, None if inner.weak_type else False))
    return _tree_or_object(engine, value, convert)


def _array_from_jax(
    engine: JaxEngine, value: Value, is_traced: Callable[[Any], bool], made: Any,
    live: int, key: Callable[[Any], KeyOrigin | None] | None, given: Mapping[int, int] | None,
) -> Value:  # fmt: skip
    """An array, or a tracer of one; the arguments are those of `from_jax`."""
    try:
        aval = engine.aval(value)
        shape = tuple(dim_from_jax(engine, d) for d in aval.shape)
        dtype = engine.dtype_name(aval.dtype)
    except Exception as error:
        swallow(error)
        return Unknown("an array that jax does not describe")
    weak = bool(getattr(aval, "weak_type", False))
    array = ArrayValue(ShapedArray(shape, dtype, weak), is_traced(value), made(value) if callable(made) else made)
    array.place = engine.place(aval)
    if given is not None and (number := given.get(id(value))) is not None:
        array.sharding = Given(number)
    if live:
        array.real = (live, value)
    if key is not None and array.keys_shape is not None:
        array.key = key(value)
    return array


def _holds_tracer(value: Value, depth: int) -> bool:
    """Whether an object has a tracer inside, which can be used only in its trace."""
    if depth > 4 or isinstance(value, type | types.ModuleType | str | bytes | int | float | None):
        return False
    if "Tracer" in type(value).__name__:
        return True
    parts: list[Any] = list(value)[:32] if isinstance(value, tuple | list) else []
    if isinstance(value, dict):
        parts = list(value.values())[:32]
    elif isinstance(attributes := getattr(value, "__dict__", None), dict):
        parts += list(attributes.values())[:32]
    return any(_holds_tracer(part, depth + 1) for part in parts)


def _tree_or_object(engine: JaxEngine, value: Value, convert: Callable[[Any], Any]) -> Value:
    """An object of a library: a pytree with leaves, or a concrete object."""
    try:
        leaves, treedef = engine.tree_util.tree_flatten(value)
    except Exception as error:
        swallow(error)
        return value
    if len(leaves) == 1 and leaves[0] is value:
        note_given(value)
        return Unknown("a library's object that holds arrays") if _holds_tracer(value, 0) else value
    return TreeValue(treedef, tuple(convert(leaf) for leaf in leaves))
