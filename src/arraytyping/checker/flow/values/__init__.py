"""The abstract values of a program: what a variable may hold.

A value, `Value` in annotations, is either one of the classes here (all derive from `BaseValue`), a tuple of values, or
any other Python object, which then is *concrete*: a constant, or a function, class or module of a library.  A list,
dict or set of Python never is a value: `ListValue`, `DictValue` and `SetValue` stand for them, since their mutations
are undone and joined.

Source: abstract interpretation as in Cousot and Cousot, https://doi.org/10.1145/512950.512973.
"""

from __future__ import annotations

from arraytyping.checker.flow.values.arrays import ArrayValue, AtValue, NumPyValue, RefValue, TreeValue
from arraytyping.checker.flow.values.basic import (
    OWN_METHODS,
    AliasedValue,
    BaseValue,
    DeclaredValue,
    Mutable,
    OfNumPy,
    SavedValue,
    ScalarValue,
    ShapeValue,
    TracerText,
    UnionValue,
    Unknown,
    Value,
    is_concrete,
    own_methods,
    remake_tuple,
    type_name,
)
from arraytyping.checker.flow.values.callables import (
    BoundMethod,
    CaughtValue,
    HandlerValue,
    JitValue,
    MethodOf,
    PartialValue,
)
from arraytyping.checker.flow.values.classes import (
    ANY_ATTRIBUTE,
    ASKS_FOR_EACH,
    MAY_BE_BELOW,
    OPEN,
    REGISTERS,
    SOURCE_OF,
    ClassUnion,
    ClassValue,
    Descriptor,
    FunctionValue,
    InstanceValue,
    LazyName,
    ModuleValue,
    SuperValue,
    class_of_source,
    is_key,
)
from arraytyping.checker.flow.values.containers import (
    CoroutineValue,
    DictValue,
    IteratorValue,
    ListValue,
    SetValue,
    Unordered,
    ViewValue,
    awaited,
)
from arraytyping.checker.flow.values.inert import InertValue
from arraytyping.checker.flow.values.keys import KeyOrigin, KeyUse
from arraytyping.checker.flow.values.lives import SEVERAL_LIVES, Argument, End, Life, Tracing
from arraytyping.checker.flow.values.missing import MISSING
from arraytyping.checker.flow.values.open_trees import OpenTree, TreeContents, as_leaf, of_any_shape
from arraytyping.checker.flow.values.walking import has_objects_as_keys, is_traced, mapped, parts_of, walk

__all__ = [
    "ASKS_FOR_EACH",
    "ANY_ATTRIBUTE",
    "MAY_BE_BELOW",
    "MISSING",
    "OWN_METHODS",
    "OPEN",
    "REGISTERS",
    "SOURCE_OF",
    "SEVERAL_LIVES",
    "Argument",
    "ArrayValue",
    "AtValue",
    "BaseValue",
    "BoundMethod",
    "CaughtValue",
    "ClassUnion",
    "CoroutineValue",
    "ClassValue",
    "Descriptor",
    "DictValue",
    "End",
    "FunctionValue",
    "HandlerValue",
    "InertValue",
    "InstanceValue",
    "IteratorValue",
    "JitValue",
    "KeyOrigin",
    "KeyUse",
    "Life",
    "ListValue",
    "MethodOf",
    "LazyName",
    "ModuleValue",
    "Mutable",
    "NumPyValue",
    "UnionValue",
    "PartialValue",
    "RefValue",
    "OfNumPy",
    "OpenTree",
    "ScalarValue",
    "SavedValue",
    "DeclaredValue",
    "ShapeValue",
    "SetValue",
    "SuperValue",
    "TracerText",
    "Tracing",
    "TreeContents",
    "TreeValue",
    "AliasedValue",
    "Unknown",
    "Unordered",
    "Value",
    "ViewValue",
    "as_leaf",
    "awaited",
    "class_of_source",
    "has_objects_as_keys",
    "is_concrete",
    "mapped",
    "of_any_shape",
    "own_methods",
    "type_name",
    "is_key",
    "is_traced",
    "parts_of",
    "walk",
    "remake_tuple",
]
