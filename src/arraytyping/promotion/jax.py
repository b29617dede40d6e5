"""JAX's dtype promotion: three lattices as data, and the rule by which JAX reads them.

Source: JEP 9407, https://docs.jax.dev/en/latest/jep/9407-type-promotion.html, and
https://docs.jax.dev/en/latest/type_promotion.html; the behaviour is that of `jax.numpy.promote_types` and
`jax.dtypes.result_type` of the newest supported release, compared for every pair in every mode by the tests.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, NamedTuple

from arraytyping.lattice import JoinError, Lattice
from arraytyping.scalars import (
    COMPLEXES,
    DTYPES,
    FLOAT4,
    FLOAT6,
    FLOAT8,
    FLOATS,
    KINDS,
    SIGNED,
    SMALL_FLOATS,
    UNSIGNED,
)

__all__ = ["WEAK", "Element", "JaxPromotion", "Mode", "PromotionError", "strict_covers", "standard_covers"]

Mode = Literal["standard", "strict"]
WEAK: Final = ("int", "float", "complex")
"""The weak types, named by the Python type that has them (JEP 9407's `i*`, `f*`, `c*`)."""


class Element(NamedTuple):
    """What promotion looks at: a dtype, and whether it is weak (made from a Python scalar alone)."""

    dtype: str
    weak_type: bool


class PromotionError(ValueError):
    """The dtypes have no implicit promotion; `elements` holds them as nodes of the lattice."""

    def __init__(self, message: str, elements: tuple[str, ...]) -> None:
        super().__init__(message)
        self.elements = elements


def standard_covers(*, x64: bool) -> dict[str, tuple[str, ...]]:
    """The cover relation of `jax_numpy_dtype_promotion="standard"`.

    Without x64 no promotion may form a 64-bit type from narrower ones; the only one that would is uint32 with a
    signed integer, so there uint32 lies below int32 (JEP 9407 leaves this step to the implementation).
    """
    narrow_ints = ("uint1", "uint2", "uint4", "int1", "int2", "int4")
    covers: dict[str, tuple[str, ...]] = {
        "bool": ("int",),
        "int": ("uint8", "int8", *narrow_ints),
        "uint8": ("int16", "uint16"),
        "uint16": ("int32", "uint32"),
        "uint32": ("int64" if x64 else "int32", "uint64"),
        "uint64": ("float",),
        "int8": ("int16",),
        "int16": ("int32",),
        "int32": ("int64",),
        "int64": ("float",),
        "float": (*SMALL_FLOATS, "bfloat16", "float16", "complex"),
        "bfloat16": ("float32",),
        "float16": ("float32",),
        "float32": ("float64", "complex64"),
        "float64": ("complex128",),
        "complex": ("complex64",),
        "complex64": ("complex128",),
        "complex128": (),
    }
    return {**covers, **dict.fromkeys((*narrow_ints, *SMALL_FLOATS), ())}


def strict_covers() -> dict[str, tuple[str, ...]]:
    """The cover relation of `jax_numpy_dtype_promotion="strict"`: only weak types promote."""
    return {
        "int": ("float", *UNSIGNED, *SIGNED),
        "float": ("complex", *FLOATS),
        "complex": COMPLEXES,
        **dict.fromkeys(DTYPES, ()),
    }


_TO_32_BIT: Final = {"int64": "int32", "uint64": "uint32", "float64": "float32", "complex128": "complex64"}
_LONG: Final = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}
_PYTHON_TYPE: Final = {"b": "bool", "u": "int", "i": "int", "f": "float", "c": "complex"}


@dataclass(frozen=True)
class JaxPromotion:
    """JAX's promotion of dtypes with weak types, in one of its modes.

    `mode` is the value of `jax_numpy_dtype_promotion`, `x64` that of `jax_enable_x64`; `lattice`, where given,
    stands in place of JAX's own.
    """

    mode: Mode = "standard"
    x64: bool = False
    lattice: Lattice = field(default=None)  # type: ignore[assignment]  # filled in below

    def __post_init__(self) -> None:
        if self.lattice is None:
            covers = strict_covers() if self.mode == "strict" else standard_covers(x64=self.x64)
            object.__setattr__(self, "lattice", Lattice(covers))

    def __hash__(self) -> int:
        return hash((self.mode, self.x64, id(self.lattice)))

    def canonicalize(self, dtype: str) -> str:
        """The dtype that JAX stores: without x64 the 64-bit types become their 32-bit ones."""
        return dtype if self.x64 else _TO_32_BIT.get(dtype, dtype)

    def default(self, kind: str) -> str:
        """The default dtype of a kind: a weak type's name, or one of NumPy's letters `b`, `i`, `u`, `f`, `c`."""
        return self.canonicalize(_LONG[_PYTHON_TYPE.get(kind, kind)] if kind != "u" else "uint64")

    def node(self, element: Element) -> str:
        """The element of the lattice on which a dtype stands, given its weak type."""
        return _PYTHON_TYPE[KINDS[element.dtype]] if element.weak_type else element.dtype

    def join(self, elements: Iterable[Element]) -> Element:
        """The dtype and weak type that operands are promoted to.

        Raises:
            PromotionError: where JAX raises `TypePromotionError`, in the same words.
        """
        key = tuple(elements)
        try:
            return self._joins[key]
        except KeyError:
            self._joins[key] = result = self._join(key)
            return result

    @cached_property
    def _joins(self) -> dict[tuple[Element, ...], Element]:
        return {}

    def _join(self, elements: tuple[Element, ...]) -> Element:
        if not elements:
            raise ValueError("at least one array or dtype is required")
        first = elements[0]
        weak = all(e.weak_type for e in elements)
        if len(elements) == 1 or (not weak and all(e.dtype == first.dtype for e in elements)):
            dtype = first.dtype
        elif weak and self.mode != "strict":
            # The bound of the strong types: a weak type need not have the default dtype (a weak int16).
            top = self._bound(tuple(dict.fromkeys(e.dtype for e in elements)))
            dtype = self.canonicalize(_LONG.get(top, top))
        else:
            top = self._bound(tuple(dict.fromkeys(self.node(e) for e in elements)))
            weak = top in WEAK
            dtype = self.canonicalize(_LONG.get(top, top))
        return Element(dtype, weak and dtype != "bool")

    def _bound(self, nodes: tuple[str, ...]) -> str:
        try:
            top = self.lattice.join(*nodes)
        except JoinError as error:
            raise PromotionError(self._no_bound(error.elements), error.elements) from None
        return top

    def _no_bound(self, nodes: tuple[str, ...]) -> str:
        names = "(" + ", ".join(repr(_named(n)) for n in nodes) + ")"
        start = f"Input dtypes {names} have no available implicit dtype promotion path"
        if self.mode == "strict":
            return (
                f"{start} when jax_numpy_dtype_promotion=strict. Try explicitly casting inputs to the desired "
                "output type, or set jax_numpy_dtype_promotion=standard."
            )
        explicitly = (
            "If you'd like your inputs to be promoted to another type, you can do so explicitly using e.g. x.astype"
        )
        for family, bits in ((FLOAT8, 8), (FLOAT6, 6), (FLOAT4, 4)):
            if any(n in family for n in nodes):
                return (
                    f"{start}. To avoid unintended promotion, {bits}-bit floats do not support implicit promotion. "
                    f"{explicitly}('float32')"
                )
        if any(n in ("int1", "int2", "int4", "uint1", "uint2", "uint4") for n in nodes):
            return (
                f"{start}. To avoid unintended promotion, 1-bit, 2-bit and 4-bit integers do not support implicit "
                f"promotion. {explicitly}('int32')"
            )
        return f"{start}. Try explicitly casting inputs to the desired output type."

    def promote_types(self, a: str, b: str) -> str:
        """The dtype of `jax.numpy.promote_types(a, b)`; `int`, `float` and `complex` are weak.

        JAX turns a weak result into NumPy's dtype of the Python type, 64 bits wide whatever the mode.

        Raises:
            PromotionError: where JAX raises `TypePromotionError`.
        """
        return _LONG.get(top := self._bound((a, b) if a != b else (a,)), top)


def _named(node: str) -> str:
    return f"<class '{node}'>" if node in WEAK else node
