"""Arguments made from annotations: a function of a library is followed with arrays whose sizes are symbols.

A dimension's name is a symbol of at least 0.  The arrays are strongly typed: a call with weakly typed ones is another
call, and what contradicts for strong ones does so for certain.  Of a family of dtypes (`Float`) none is assumed.
"""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.basearray import Array
from arraytyping.checker.flow.contracts.bindings import Bindings
from arraytyping.checker.flow.contracts.expectations import (
    NONE,
    AnyArray,
    ArrayOf,
    DictOf,
    Expectation,
    ListOf,
    ProgramClass,
    PythonClass,
    TupleOf,
    UnionOf,
)
from arraytyping.checker.flow.contracts.grammar import DimSpec
from arraytyping.checker.flow.contracts.jaxtyping_classes import is_jax_array
from arraytyping.checker.flow.contracts.reading import read
from arraytyping.checker.flow.contracts.symbolic import evaluate
from arraytyping.checker.flow.engines.any_subclass import is_changed_below
from arraytyping.checker.flow.python.fields import fields_of
from arraytyping.checker.flow.python.functions import parameters
from arraytyping.checker.flow.state.fresh_sizes import fresh_size, some_int
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    ClassValue,
    DictValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    Unknown,
    Value,
    remake_tuple,
)
from arraytyping.semantics.avals import Dim, Shape, ShapedArray
from arraytyping.semantics.sizes.dims import as_dim
from arraytyping.semantics.sizes.polynomials import Size, symbol

__all__ = ["refine", "symbolic_arguments", "told_by_annotation", "told_number"]

_SCALARS: Final = (bool, int, float, complex, str, bytes)
_KINDS: Final[dict[type, tuple[type, ...]]] = {float: (int, float), complex: (int, float, complex)}
_DEPTH: Final = 4
_MOST_NAMES: Final = 6
"""How many ints get names by one annotation."""
_NAMED: Final[RunSlot[dict[ast.expr, int]]] = RunSlot("how many ints an annotation has given names", dict)


def symbolic_arguments(it: Interpreter, function: FunctionValue) -> dict[str, Value] | None:
    """A value for each parameter without a default, by name; None if the annotations do not determine one for each.

    At least one array of a known dtype or shape must be among them.
    """
    spec = function.node.args
    names = parameters(function.node)
    positional = [*spec.posonlyargs, *spec.args][: len(names) - len(function.defaults)]
    keywords = [p for p, default in zip(spec.kwonlyargs, function.kw_defaults) if default is MISSING]
    maker = _Maker(it, Bindings())
    values: dict[str, Value] = {}
    for parameter in (*positional, *keywords):
        if parameter.annotation is None:
            return None
        value = _named(it, parameter.arg, maker.make(read(it, parameter.annotation, function.frame)))
        if value is MISSING:
            return None
        values[parameter.arg] = value
    return values if maker.has_arrays else None


def _named(it: Interpreter, name: str, value: Value) -> Value:
    """An int that may be anything as one that has a name, so that it is the same wherever it goes."""
    if isinstance(value, ScalarValue) and value.kinds == (int,) and value.size is None:
        return some_int(it, name)
    return value


class _Maker:
    """Makes values that stand for whatever an annotation admits; MISSING where that is not determined.

    The names of dimensions in a class are its own, so that their symbols begin with `prefix`.
    """

    def __init__(self, it: Interpreter, bindings: Bindings, prefix: str = "", depth: int = 0) -> None:
        self.it = it
        self.bindings = bindings
        self.prefix = prefix
        self.depth = depth
        self.has_arrays = False

    def make(self, expected: Expectation) -> Value:
        """A value of an expectation."""
        if isinstance(expected, ArrayOf):
            return self._array(expected)
        if isinstance(expected, AnyArray):
            return ArrayValue(ShapedArray(None, None, None))
        if expected is NONE:
            return None
        if isinstance(expected, PythonClass):
            return ScalarValue(*_KINDS.get(expected.cls, (expected.cls,))) if expected.cls in _SCALARS else MISSING
        if isinstance(expected, ProgramClass):
            return self._instance(expected.cls)
        if isinstance(expected, UnionOf):
            keys = [m for m in expected.members if isinstance(m, ArrayOf) and m.dtypes == ("prng_key",)]
            values = [self.make(m) for m in (keys[:1] or expected.members)]
            return MISSING if MISSING in values else join_all(values)
        if isinstance(expected, TupleOf) and not expected.is_variadic:
            items = tuple(self.make(e) for e in expected.items)
            return MISSING if MISSING in items else items
        if isinstance(expected, ListOf | DictOf):
            item = self.make(expected.item)
            if item is MISSING or expected.name not in ("list", "dict"):
                return MISSING
            if isinstance(expected, ListOf):
                return ListValue(None, item)
            key = self.make(expected.key)
            return MISSING if key is MISSING else DictValue(None, key, item)
        return MISSING

    def _instance(self, cls: ClassValue) -> Value:
        """A NamedTuple, or a dataclass that only its fields make."""
        if cls.kind not in ("namedtuple", "dataclass") or self.depth > _DEPTH or cls.options.get("instantiate"):
            return MISSING
        if is_changed_below(self.it, cls):
            return MISSING
        if cls.kind == "dataclass" and any(
            cls.find(n) is not MISSING for n in ("__init__", "__post_init__", "__new__")
        ):
            return MISSING
        maker = _Maker(self.it, Bindings(), f"{self.prefix}{cls.name}_", self.depth + 1)
        made = {
            name: _named(self.it, name, maker.make(read(self.it, a, frame)))
            for name, (_, a, frame) in fields_of(cls).items()
        }
        self.has_arrays |= maker.has_arrays
        if MISSING in made.values():
            return MISSING
        if cls.tuple_type is None:
            return InstanceValue(cls, made)
        return tuple.__new__(cls.tuple_type, made.values())

    def _array(self, expected: ArrayOf) -> Value:
        self.has_arrays = True
        shape = _shape(expected.dims, self.bindings, self.prefix)
        dtype = expected.single_dtype
        if dtype == "prng_key":
            dtype = "key<fry>"
        name = getattr(expected.array_type, "__name__", None)
        if name == "ndarray" and getattr(expected.array_type, "__module__", None) == "numpy":
            return NumPyValue(shape, dtype)
        known = expected.array_type is Any or expected.array_type is Array or is_jax_array(expected.array_type)
        return ArrayValue(ShapedArray(shape, dtype, None if dtype is None else False)) if known else MISSING


def _shape(dims: tuple[DimSpec, ...] | None, bindings: Bindings, prefix: str = "") -> Shape | None:
    """The sizes that an annotation names; None if there may be any number of them."""
    if dims is None:
        return None
    sizes = tuple(_size(d, bindings, prefix) for d in dims)
    return None if any(d.variadic for d in dims) else sizes


def _size(spec: DimSpec, bindings: Bindings, prefix: str) -> Dim:
    if spec.kind == "any" or spec.variadic or spec.broadcastable or spec.by_leaf:
        return None
    if spec.kind == "fixed":
        return spec.size
    if spec.kind == "symbolic":
        number = evaluate(spec.text, bindings, None)
        return as_dim(number) if isinstance(number, Size) else number if isinstance(number, int) else None
    if bindings.size(spec.text) is None:
        bindings.single[spec.text] = ((as_dim(symbol(prefix + spec.text, 0)), ""),)
    return bindings.size(spec.text)


def told_by_annotation(it: Interpreter, expected: Expectation, value: Any, bindings: Bindings, is_field: bool) -> Value:
    """A value with what its annotation says where nothing else is known; whether it is weakly typed is not said.

    Names of dimensions that are not bound yet are bound to sizes of their own.  What a field holds may be batched, so
    that its shape is not taken from there.  Tuples are looked into, unions are not.
    """
    if isinstance(expected, TupleOf) and not expected.is_variadic:
        known = type(value) is tuple and len(value) == len(expected.items)
        if known or isinstance(value, Unknown):
            items = value if known else [value] * len(expected.items)
            return tuple(told_by_annotation(it, e, v, bindings, is_field) for e, v in zip(expected.items, items))
    is_open = type(value) is ArrayValue and not value.traced and not is_field and _is_open(value.aval)
    if not isinstance(expected, ArrayOf) or not (is_open or isinstance(value, Unknown)):
        return value
    for spec in expected.dims or ():
        if spec.kind == "named" and not spec.variadic and not spec.by_leaf and not is_field:
            seen = bindings.single.get(spec.text, ())
            if all(dim is None for dim, _ in seen):
                bindings.single[spec.text] = ((as_dim(fresh_size(it, spec.text)), ""),)
    made = _Maker(it, bindings).make(expected)
    if is_open:
        return _refine_array(expected, value, bindings) if isinstance(made, ArrayValue) else value
    if isinstance(made, ArrayValue):
        return ArrayValue(ShapedArray(None if is_field else made.aval.shape, made.aval.dtype, None))
    if isinstance(made, NumPyValue):
        return NumPyValue(None if is_field else made.shape, made.dtype)
    return value


def told_number(
    it: Interpreter, expected: Expectation, value: Value, name: str, is_field: bool, annotation: ast.expr
) -> Value:
    """Where nothing else is known, the number that an annotation says.

    A parameter that is annotated as a float may well be given an array, which promotes otherwise: it stays unknown.
    """
    if not isinstance(expected, PythonClass) or not isinstance(value, Unknown):
        return value
    if expected.cls is int:
        named = _NAMED.of(it)
        named[annotation] = named.get(annotation, 0) + 1
        # What is called in a loop is followed anew for each name.
        return some_int(it, name) if named[annotation] <= _MOST_NAMES else ScalarValue(int)
    return ScalarValue(*_KINDS[float]) if expected.cls is float and is_field else value


def _is_open(aval: ShapedArray) -> bool:
    """Whether something is not known of an array."""
    return aval.dtype is None or aval.shape is None or None in aval.shape


def refine(it: Interpreter, expected: Expectation, value: Value, bindings: Bindings) -> Value:
    """A value with what its annotation adds, where that is taken at its word."""
    if isinstance(value, Unknown):
        made = _Maker(it, bindings.copy()).make(expected)
        return value if made is MISSING else made
    if isinstance(expected, ArrayOf) and isinstance(value, ArrayValue):
        return _refine_array(expected, value, bindings)
    if isinstance(expected, TupleOf) and type(value) is tuple and len(value) == len(expected.items):
        return remake_tuple(value, [refine(it, e, v, bindings) for e, v in zip(expected.items, value)])
    return value


def _refine_array(expected: ArrayOf, value: ArrayValue, bindings: Bindings) -> ArrayValue:
    aval = value.aval
    said = _shape(expected.dims, bindings.copy())
    shape = aval.shape
    if shape is None:
        shape = said
    elif said is not None and len(said) == len(shape):
        shape = tuple(known if known is not None else told for known, told in zip(shape, said))
    dtype, weak_type = aval.dtype, aval.weak_type
    if dtype is None and expected.single_dtype not in (None, "prng_key"):
        dtype = expected.single_dtype
    if shape == aval.shape and dtype == aval.dtype:
        return value
    return ArrayValue(ShapedArray(shape, dtype, weak_type, aval.value), value.traced, value.origin).at(value.place)
