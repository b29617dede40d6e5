"""mypy's types to abstract values, and back.

`Array[D, S]`: D is a scalar class, or `int`, `float`, `complex` for a weak type, a union of these for "one of
these", anything else unknown; S is a tuple of literals and ints, anything else unknown.  A weak array's dtype is
given here by its Python type's name, since its width hangs on x64; `calls` puts in the width.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from mypy.nodes import TypeInfo
from mypy.types import (
    AnyType,
    FunctionLike,
    Instance,
    LiteralType,
    NoneType,
    ProperType,
    TupleType,
    Type,
    TypeAliasType,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from arraytyping.scalars import NAMES, SCALARS
from arraytyping.semantics.avals import (
    UNKNOWN,
    Alternatives,
    Dim,
    NumPyArray,
    Scalar,
    Shape,
    ShapedArray,
    SymbolicDim,
    join_shapes,
)
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.frameworks import DTYPE_NAMES
from arraytyping_mypy.named_sizes import dim_of, has_symbols, literal, owners_of
from arraytyping_mypy.names import ARRAYS, SCALAR_META, SCALARS_MODULE, STUB_SCALARS_MODULE
from arraytyping_mypy.session import Session

__all__ = ["KEY", "array_type", "arrays_of", "unknown_array", "value_of"]

KEY: Final = "key<"
"""How the dtypes of typed keys begin."""

MOST_SHAPES: Final = 3
"""The most shapes that a union keeps apart; past it what they have in common, so that loops come to an end."""

# What an annotation admits: PEP 484 lets a float be an int, an int be a bool, a complex be any.
_ADMITTED: Final[dict[str, Any]] = {
    "builtins.bool": Scalar("bool"),
    "builtins.int": Alternatives((Scalar("int"), Scalar("bool"))),
    "builtins.float": Alternatives((Scalar("float"), Scalar("int"), Scalar("bool"))),
    "builtins.complex": Alternatives((Scalar("complex"), Scalar("float"), Scalar("int"), Scalar("bool"))),
}
_DTYPES: Final = (SCALAR_META, "numpy.dtype")
"""The classes of what has the name of a dtype as its value (`displays`)."""
_PYTHON_NAMES: Final = {"builtins.int": "int", "builtins.float": "float", "builtins.complex": "complex"}
_BITS: Final = {"_8Bit": 8, "_16Bit": 16, "_32Bit": 32, "_64Bit": 64, "_NBitIntP": 64}
_NUMPY_FAMILIES: Final = {
    "numpy.signedinteger": "int", "numpy.unsignedinteger": "uint", "numpy.floating": "float",
    "numpy.complexfloating": "complex",
}  # fmt: skip
_NUMPY_CLASSES: Final = {
    "numpy.bool": "bool", "numpy.bool_": "bool", "numpy.float64": "float64", "numpy.complex128": "complex128",
    "ml_dtypes.bfloat16": "bfloat16",
}  # fmt: skip


def value_of(t: Type, session: Session) -> Any:
    """The abstract value of anything that has this type."""
    read = session.read_types.get(id(t))  # mypy hands on one object: to compare types takes longer than all else here
    if read is None:
        if isinstance(t, TypeAliasType) and t.is_recursive:
            return UNKNOWN
        if not isinstance(t, Instance):
            return _value(get_proper_type(t), session)
        memo = session.memo
        try:
            value, has_names = memo.values[t]
        except KeyError:
            value = _value(t, session)
            has_names = _has_names(value)
            memo.values[t] = value, has_names
            memo.keep(value)
        read = session.read_types[id(t)] = (t, value, has_names)
    return _within_scope(read[1], session) if read[2] else read[1]


def _has_names(value: Any) -> bool:
    """Whether an array has sizes that are known by name."""
    values = value.values if isinstance(value, Alternatives) else (value,)
    return any(isinstance(v, ShapedArray) and has_symbols(v.shape) for v in values)


def _within_scope(value: Any, session: Session) -> Any:
    """The value without sizes whose names mean nothing in the function under check."""
    if isinstance(value, ShapedArray):
        if not has_symbols(value.shape) or owners_of(value.shape) <= session.owners:
            return value
        return replace(value, shape=tuple(None if isinstance(d, SymbolicDim) else d for d in value.shape or ()))
    if isinstance(value, Alternatives):
        return Alternatives.of(_within_scope(v, session) for v in value.values)
    return value


def _value(t: ProperType, session: Session) -> Any:
    if isinstance(t, Instance):
        name = t.type.fullname
        if name in ARRAYS:
            return _array(t)
        if t.last_known_value is not None:
            if name in _DTYPES:
                return SCALARS.get(str(t.last_known_value.value), UNKNOWN)
            return _literal(t.last_known_value)
        if name in _ADMITTED:
            return _ADMITTED[name]
        if name.startswith(("numpy.", "ml_dtypes.")):
            return _numpy(t, name)
        return UNKNOWN
    if isinstance(t, LiteralType):
        return _literal(t)
    if isinstance(t, NoneType):
        return None
    if isinstance(t, TupleType):
        is_list = t.partial_fallback.type.fullname == "builtins.list"
        if not is_list and not t.partial_fallback.type.has_base("builtins.tuple"):
            return UNKNOWN  # an instance that is known by its fields
        items = [get_proper_type(i) for i in t.items]
        if any(not isinstance(i, ProperType) or type(i).__name__ == "UnpackType" for i in items):
            return UNKNOWN
        values = [value_of(i, session) for i in t.items]
        return values if is_list else tuple(values)
    if isinstance(t, FunctionLike) and t.is_type_obj():
        name = t.type_object().fullname
        if name.startswith("numpy."):
            return SCALARS.get(_numpy_dtype(get_proper_type(t.items[0].ret_type)) or "", UNKNOWN)
        return DTYPE_NAMES.get(name, UNKNOWN)
    if isinstance(t, UnionType):
        return Alternatives.of(value_of(i, session) for i in t.items)
    return UNKNOWN


def _literal(t: LiteralType) -> Any:
    """What is written; of a float only that it is one, since what it is rounded to says more than any rule asks."""
    if isinstance(t.value, float):
        return Scalar("float")
    return t.value if isinstance(t.value, bool | int | str) and not t.is_enum_literal() else UNKNOWN


def _array(t: Instance) -> Any:
    if len(t.args) != 2:
        return ShapedArray(None, None)
    shape = _shape(t.args[1])
    return Alternatives.of(  # there is no name for a weak bool
        ShapedArray(shape, None) if e is None else ShapedArray(shape, e[0], None if e[0] == "bool" else e[1])
        for e in _elements(t.args[0])
    )


def _elements(t: Type) -> list[tuple[str, bool] | None]:
    """The dtypes that a first parameter means, each with its weak type; None for an unknown one."""
    p = get_finite_type(t)
    if isinstance(p, UnionType):
        found = [e for i in p.items for e in _elements(i)]
        return [None] if None in found else found
    if isinstance(p, LiteralType) and isinstance(p.value, str):
        return [(p.value, False)]  # keys have no class of their own: `Literal['key<fry>']`
    if isinstance(p, Instance):
        name = p.type.fullname
        if name in _PYTHON_NAMES:
            return [(_PYTHON_NAMES[name], True)]
        dtype = DTYPE_NAMES.get(name) if name.startswith((SCALARS_MODULE, STUB_SCALARS_MODULE)) else None
        if dtype in NAMES:
            return [(NAMES[dtype], False)]
    return [None]


def _shape(t: Type) -> Shape | None:
    p = get_proper_type(t)
    if not isinstance(p, TupleType):
        return None
    dims: list[Dim] = []
    for item in p.items:
        i = get_proper_type(item)
        if type(i).__name__ == "UnpackType":
            return None
        if isinstance(i, Instance) and i.last_known_value is not None:
            i = i.last_known_value
        if not isinstance(i, LiteralType):
            dims.append(None)
        else:
            dims.append(i.value if type(i.value) is int else dim_of(i))
    return tuple(dims)


def _numpy(t: Instance, name: str) -> Any:
    if name == "numpy.ndarray":
        if len(t.args) != 2:
            return NumPyArray(None, None)
        dtype = get_proper_type(t.args[1])
        scalar = get_proper_type(dtype.args[0]) if isinstance(dtype, Instance) and dtype.args else None
        # For a shape of which nothing is known, `tuple[Any, ...]`, mypy takes the first that NumPy's stubs admit: `()`.
        return NumPyArray(_shape(t.args[0]) or None, _numpy_dtype(scalar))
    if any(base.fullname == "numpy.generic" for base in t.type.mro):
        return NumPyArray((), _numpy_dtype(t))
    if name == "numpy.dtype" and t.args:
        named = _numpy_dtype(get_proper_type(t.args[0]))
        return next((s for s, n in NAMES.items() if n == named), UNKNOWN)
    return UNKNOWN


def _numpy_dtype(t: ProperType | None) -> str | None:
    if not isinstance(t, Instance):
        return None
    name = t.type.fullname
    if name in _NUMPY_CLASSES:
        return _NUMPY_CLASSES[name]
    family = _NUMPY_FAMILIES.get(name)
    width = get_proper_type(t.args[0]) if family is not None and t.args else None
    bits = _BITS.get(width.type.name) if isinstance(width, Instance) else None
    if family is None or bits is None:
        return None
    return f"{family}{bits * 2 if family == 'complex' else bits}"


def unknown_array(session: Session) -> Type:
    """`Array[Any, Any]`."""
    return array_type([ShapedArray(None, None)], session)


def arrays_of(t: Type, session: Session) -> list[ShapedArray]:
    """The arrays that a type admits: one, several for a union, none if it is not an array's type."""
    value = value_of(t, session)
    values = value.values if isinstance(value, Alternatives) else (value,)
    return [v for v in values if isinstance(v, ShapedArray)]


def array_type(arrays: Iterable[ShapedArray], session: Session) -> Type:
    """The type of an array that is one of these; those of the same shape share one `Array[a | b, shape]`."""
    by_shape: dict[Shape | None, dict[tuple[str, bool | None] | None, None]] = {}
    for a in arrays:
        element = None if a.dtype is None else (a.dtype, a.dtype != "bool" and a.weak_type)  # no weak bool has a name
        by_shape.setdefault(a.shape, {})[element] = None
    if len(by_shape) > MOST_SHAPES or (len(by_shape) > 1 and any(s is None or None in s for s in by_shape)):
        shapes = iter(by_shape)
        shape = next(shapes)
        for other in shapes:
            shape = join_shapes(shape, other)
        merged: dict[tuple[str, bool | None] | None, None] = {}
        for elements in by_shape.values():
            merged.update(elements)
        by_shape = {shape: merged}
    items = [_instance(shape, tuple(elements), session) for shape, elements in by_shape.items()]
    return items[0] if len(items) == 1 else UnionType(items)


def _instance(shape: Shape | None, elements: tuple[tuple[str, bool | None] | None, ...], session: Session) -> Type:
    key = (shape, elements)
    memo = session.memo
    made = memo.types.get(key)
    if made is None:
        assert session.array is not None
        made = Instance(session.array, [_dtype_type(elements, session), _shape_type(shape, session)])
        memo.types[key] = made
    return made


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)


def _dtype_type(elements: tuple[tuple[str, bool | None] | None, ...], session: Session) -> Type:
    items: list[Type] = []
    for element in elements:
        if element is None:
            return _any()
        name, weak = element
        if name in ("int", "float", "complex"):
            items.append(session.api.named_generic_type(f"builtins.{name}", []))
            continue
        if name.startswith(KEY):
            items.append(LiteralType(name, session.api.named_generic_type("builtins.str", [])))
            continue
        info: TypeInfo | None = session.scalar(name)
        if info is None or (weak and name != "bool"):
            # A weak type of another width than the default one has no name of its own.
            return _any()
        items.append(Instance(info, []))
    return items[0] if len(items) == 1 else UnionType(items)


def _shape_type(shape: Shape | None, session: Session) -> Type:
    if shape is None:
        return _any()
    integer = session.api.named_generic_type("builtins.int", [])
    items: list[Type] = [
        integer if d is None else literal(d, integer) if isinstance(d, SymbolicDim) else LiteralType(d, integer)
        for d in shape
    ]
    return TupleType(items, session.api.named_generic_type("builtins.tuple", [integer]))
