"""What an annotation with named sizes asks for: arrays, and tuples, lists, dicts, unions and trees of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeGuard

from mypy.types import AnyType, Instance, NoneType, TupleType, Type, UnionType, get_proper_type

from arraytyping_mypy.finite_types import get_finite_type, is_endless
from arraytyping_mypy.named_sizes import text_of_any, token_of
from arraytyping_mypy.named_trees import tree_of
from arraytyping_mypy.names import ARRAYS

if TYPE_CHECKING:
    from arraytyping.checker.flow.contracts.bindings import Bindings
    from arraytyping.checker.flow.contracts.grammar import DimSpec

__all__ = [
    "Several", "blur", "dims_of", "dims_of_all", "has_named_sizes", "is_checked_here", "is_plain_tuple", "may_be",
    "named_array", "several", "tokens_of",
]  # fmt: skip

_SEQUENCES: Final = {
    "builtins.list": ("list",),
    "builtins.tuple": ("tuple",),
    "collections.deque": (),
    "typing.MutableSequence": ("list",),
    **{f"typing.{name}": ("list", "tuple") for name in ("Sequence", "Collection", "Iterable", "Reversible")},
}
"""The classes of several items of one type, and which displays are such."""
_MAPPINGS: Final = frozenset({
    "builtins.dict", "typing.Mapping", "typing.MutableMapping", "collections.OrderedDict", "collections.defaultdict",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Several:
    """A container of any number of items of one type, which displays of these kinds are: list, tuple, dict."""

    item: Type
    kinds: tuple[str, ...]


def several(t: Type) -> Several | None:
    """The container of any number of items that an annotation names; None for anything else."""
    p = get_proper_type(t)
    if not isinstance(p, Instance) or not p.args:
        return None
    name = p.type.fullname
    if name in _SEQUENCES and len(p.args) == 1:
        return Several(p.args[0], _SEQUENCES[name])
    return Several(p.args[1], ("dict",)) if name in _MAPPINGS and len(p.args) == 2 else None


def named_array(t: Type) -> Instance | None:
    """The array with named sizes that a type is; None for any other type."""
    p = get_proper_type(t)
    is_array = isinstance(p, Instance) and p.type.fullname in ARRAYS
    return p if is_array and isinstance(p, Instance) and len(p.args) == 2 and tokens_of(p.args[1]) is not None else None


def is_plain_tuple(t: Type) -> TypeGuard[TupleType]:
    """Whether it is a tuple, and no named one, whose names are those of its class."""
    return isinstance(t, TupleType) and t.partial_fallback.type.fullname == "builtins.tuple"


def tokens_of(shape: Type) -> str | None:
    """The dimension string of an annotation with names; what mypy compares by itself stands for anything in it."""
    text = text_of_any(shape)
    if text is not None:
        return text
    p = get_proper_type(shape)
    if not isinstance(p, TupleType):
        return None
    tokens = [token_of(i) for i in p.items]
    return None if all(t is None for t in tokens) else " ".join(t or "_" for t in tokens)


def dims_of(array: Instance) -> tuple[DimSpec, ...]:
    """The dimensions that the annotation of an array names."""
    from arraytyping.checker.flow.contracts.grammar import parse_dims

    return parse_dims(tokens_of(array.args[1]) or "...")


def dims_of_all(t: Type) -> Iterator[tuple[DimSpec, ...]]:
    """The dimensions of all arrays with named sizes that stand in an annotation, in the order of its parts.

    None of a tree without end, such as `Nested = list["Nested"] | Float[Array, "n"]`.
    """
    if is_endless(t):
        return
    p = get_finite_type(t)
    array = named_array(p)
    tree = tree_of(p)
    if array is not None:
        yield dims_of(array)
    elif tree is not None:
        yield tree.dims
    elif isinstance(p, UnionType) or is_plain_tuple(p):
        for item in p.items:
            yield from dims_of_all(item)
    elif (container := several(p)) is not None:
        yield from dims_of_all(container.item)


def has_named_sizes(t: Type) -> bool:
    """Whether named sizes stand in an annotation."""
    return any(True for _ in dims_of_all(t))


def is_checked_here(t: Type, loose: bool = False) -> bool:
    """Whether an annotation has named sizes in it, or arrays in a list, whose items mypy does not hold against it."""
    if isinstance(t, Instance) and not t.args:
        return False  # as most parameters are declared, and this is asked of each at each call
    if isinstance(t, AnyType):
        return tree_of(t) is not None
    if is_endless(t):
        return False
    p = get_finite_type(t)
    if named_array(p) is not None or tree_of(p) is not None:
        return True
    if isinstance(p, Instance) and p.type.fullname in ARRAYS and len(p.args) == 2:
        return loose and not all(isinstance(get_finite_type(a), AnyType) for a in p.args)
    if isinstance(p, UnionType) or is_plain_tuple(p):
        return any(is_checked_here(item, loose) for item in p.items)
    container = several(p)
    return container is not None and is_checked_here(container.item, loose=True)


def blur(t: Type, bindings: Bindings) -> None:
    """The names of an annotation may have been bound, where it is not known to what."""
    for dims in dims_of_all(t):
        for spec in dims:
            if spec.kind == "named" and not spec.by_leaf:
                bindings.blur(spec.text, spec.variadic)


def may_be(member: Type, given: Type) -> bool:
    """Whether a member of a union may be meant by a value of this type."""
    m, g = get_proper_type(member), get_proper_type(given)
    if not isinstance(m, Instance | TupleType | NoneType) or tree_of(m) is not None:
        return True
    if isinstance(m, NoneType) or isinstance(g, NoneType):
        return isinstance(m, NoneType) and isinstance(g, NoneType)
    if not isinstance(g, Instance | TupleType):
        return True
    kind = _kind(g)
    if kind is None:
        return True
    container = several(m)
    if container is not None:
        return kind in container.kinds
    if isinstance(m, TupleType):
        return kind == "tuple"
    known = _kind(m)
    return known is None or known == kind


def _kind(t: Instance | TupleType) -> str | None:
    """What a value of this type is, if it can be nothing else."""
    name = t.partial_fallback.type.fullname if isinstance(t, TupleType) else t.type.fullname
    if name in ARRAYS:
        return "array"
    if name == "numpy.ndarray":
        return "ndarray"
    kind = name.removeprefix("builtins.")
    return kind if name != kind and kind in ("list", "tuple", "dict", "int", "float", "str", "bool") else None
