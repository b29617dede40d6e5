"""JAX's dtype promotion: three lattices as data, and the rule by which JAX reads them.

Source: JEP 9407, https://docs.jax.dev/en/latest/jep/9407-type-promotion.html, and
https://docs.jax.dev/en/latest/type_promotion.html; the behaviour is that of `jax.numpy.promote_types` and
`jax.dtypes.result_type` of the newest supported release, compared for every pair in every mode by the tests.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal, NamedTuple

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
from arraytyping.semantics.lattice import JoinError, Lattice
from arraytyping.semantics.releases import NEWEST, Release

__all__ = [
    "NARROW_INTS",
    "WEAK",
    "Element",
    "JaxPromotion",
    "Mode",
    "PromotionError",
    "jax_lattice",
    "standard_covers",
    "strict_covers",
]

Mode = Literal["standard", "strict"]
"""The values of `jax_numpy_dtype_promotion`."""

WEAK: Final = ("int", "float", "complex")
"""The weak types, named by the Python type that has them (JEP 9407's `i*`, `f*`, `c*`)."""

NARROW_INTS: Final = ("uint1", "uint2", "uint4", "int1", "int2", "int4")
"""The integers that promote with nothing but bool and weak integers."""

_TO_32_BIT: Final = {"int64": "int32", "uint64": "uint32", "float64": "float32", "complex128": "complex64"}
_PYTHON_TYPE: Final = {"b": "bool", "u": "int", "i": "int", "f": "float", "c": "complex"}
_WEAK_TO_DTYPE: Final = {"int": "int64", "float": "float64", "complex": "complex128"}
_DEFAULTS: Final = {
    **_WEAK_TO_DTYPE, "bool": "bool", "b": "bool", "u": "uint64", "i": "int64", "f": "float64", "c": "complex128"
}  # fmt: skip

_WITHOUT_PROMOTION: Final = (
    (FLOAT8, "8-bit floats", "float32"),
    (FLOAT6, "6-bit floats", "float32"),
    (FLOAT4, "4-bit floats", "float32"),
    (NARROW_INTS, "1-bit, 2-bit and 4-bit integers", "int32"),
)
"""The dtypes that JAX leaves out of implicit promotion, in the order in which its message looks for them."""


def standard_covers(*, x64: bool) -> dict[str, tuple[str, ...]]:
    """The cover relation of `jax_numpy_dtype_promotion="standard"`.

    Without x64 no promotion may form a 64-bit type from narrower ones; the only one that would is uint32 with a
    signed integer, so there uint32 lies below int32 (JEP 9407 leaves this step to the implementation).
    """
    covers: dict[str, tuple[str, ...]] = {
        "bool": ("int",),
        "int": ("uint8", "int8", *NARROW_INTS),
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
    return {**covers, **dict.fromkeys((*NARROW_INTS, *SMALL_FLOATS), ())}


def strict_covers() -> dict[str, tuple[str, ...]]:
    """The cover relation of `jax_numpy_dtype_promotion="strict"`: only weak types promote."""
    return {
        "int": ("float", *UNSIGNED, *SIGNED),
        "float": ("complex", *FLOATS),
        "complex": COMPLEXES,
        **dict.fromkeys(DTYPES, ()),
    }


@lru_cache
def jax_lattice(mode: Mode, x64: bool) -> Lattice:
    """JAX's own lattice for a mode, made once."""
    return Lattice(strict_covers() if mode == "strict" else standard_covers(x64=x64))


class Element(NamedTuple):
    """What promotion looks at: a dtype, and whether it is weak (made from a Python scalar alone)."""

    dtype: str
    weak_type: bool


class PromotionError(ValueError):
    """The dtypes have no implicit promotion; `elements` holds them as nodes of the lattice."""

    def __init__(self, message: str, elements: tuple[str, ...]) -> None:
        super().__init__(message)
        self.elements = elements


class JaxPromotion:
    """JAX's promotion of dtypes with weak types, in one of its modes.

    `mode` is the value of `jax_numpy_dtype_promotion`, `x64` that of `jax_enable_x64`; `lattice`, where given,
    stands in place of JAX's own; `release` is that of JAX.  A value: equal ones promote equally.

    A lattice of one's own is read as it is written, also without x64: the result is then stored in 32 bits, as JAX
    stores whatever is 64 bits wide.  Operands that are all weak stand on their weak nodes like any other.
    """

    def __init__(
        self,
        mode: Mode = "standard",
        x64: bool = False,
        lattice: Lattice | None = None,
        release: Release = NEWEST,
    ) -> None:
        self.mode: Final[Mode] = mode
        self.x64: Final = x64
        self.release: Final[Release] = release
        self.lattice: Final = jax_lattice(mode, x64) if lattice is None else lattice
        self._is_own = lattice is not None and lattice != jax_lattice(mode, x64)
        self._joins: dict[tuple[Element, ...], Element] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JaxPromotion) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[Mode, bool, Lattice, Release]:
        return self.mode, self.x64, self.lattice, self.release

    def __repr__(self) -> str:
        own = f", lattice={self.lattice!r}" if self._is_own else ""
        older = "" if self.release == NEWEST else f", release={self.release}"
        return f"JaxPromotion({self.mode!r}, x64={self.x64}{own}{older})"

    def canonicalize(self, dtype: str) -> str:
        """The dtype that JAX stores: without x64 the 64-bit types become their 32-bit ones."""
        return dtype if self.x64 else _TO_32_BIT.get(dtype, dtype)

    def default(self, kind: str) -> str:
        """The default dtype of a kind: a Python type's name, or one of NumPy's letters `b`, `i`, `u`, `f`, `c`."""
        return self.canonicalize(_DEFAULTS[kind])

    def node(self, element: Element) -> str:
        """The element of the lattice on which a dtype stands, given its weak type."""
        return _PYTHON_TYPE[KINDS[element.dtype]] if element.weak_type else element.dtype

    def join(self, elements: Iterable[Element]) -> Element:
        """The dtype and weak type that operands are promoted to.

        Raises:
            PromotionError: where JAX raises `TypePromotionError`, in the same words.
            ValueError: for no elements at all, as JAX does.
        """
        key = tuple(elements)
        try:
            return self._joins[key]
        except KeyError:
            self._joins[key] = result = self._join(key)
            return result

    def _join(self, elements: tuple[Element, ...]) -> Element:
        if not elements:
            raise ValueError("at least one array or dtype is required")
        dtypes = tuple(dict.fromkeys(e.dtype for e in elements))
        weak = all(e.weak_type for e in elements)
        if len(elements) == 1 or (len(dtypes) == 1 and not weak):
            dtype = dtypes[0]  # not canonicalized: a 64-bit array that exists keeps its dtype
        elif weak and self.mode != "strict" and not self._is_own:
            # The bound of the strong types: a weak type need not have the default dtype (a weak int16).
            dtype = self._stored(self._bound(dtypes))
        else:
            top = self._bound(tuple(dict.fromkeys(map(self.node, elements))))
            dtype = self._weak_dtype(top, elements) if weak and self._is_own else self._stored(top)
            weak = top in WEAK
        return Element(dtype, weak and dtype != "bool")

    def _weak_dtype(self, top: str, elements: tuple[Element, ...]) -> str:
        """The dtype of a result of weak operands: that of those on the same node, which need not have its default."""
        widths = {e.dtype for e in elements if self.node(e) == top}
        return self._stored(jax_lattice("standard", self.x64).join(*widths) if widths else top)

    def _stored(self, node: str) -> str:
        """The dtype of an array that stands on a node."""
        return self.canonicalize(_WEAK_TO_DTYPE.get(node, node))

    def result_type(self, elements: Iterable[Element]) -> Element:
        """The dtype and weak type of `jax.numpy.result_type`: the join, but a weak one has its default width.

        Raises:
            PromotionError: where JAX raises `TypePromotionError`.
        """
        dtype, weak = self.join(elements)
        return Element(self.default(KINDS[dtype]) if weak else dtype, weak)

    def promote_types(self, a: str, b: str) -> str:
        """The dtype of `jax.numpy.promote_types(a, b)`; `int`, `float` and `complex` are weak.

        JAX turns a weak result into NumPy's dtype of the Python type, 64 bits wide whatever the mode.

        Raises:
            PromotionError: where JAX raises `TypePromotionError`.
        """
        top = self._bound((a, b))
        return _WEAK_TO_DTYPE.get(top, top)

    def bound(self, *nodes: str) -> str:
        """The least upper bound of nodes of the lattice.

        Raises:
            PromotionError: if there is none.
        """
        return self._bound(nodes)

    def _bound(self, nodes: tuple[str, ...]) -> str:
        try:
            return self.lattice.join(*nodes)
        except JoinError as error:
            raise PromotionError(self._no_bound(nodes, error.minimal), nodes) from None
        except KeyError as error:
            if not self._is_own:
                raise
            raise PromotionError(_no_node(error.args[0]), nodes) from None

    def _no_bound(self, nodes: tuple[str, ...], minimal: tuple[str, ...]) -> str:
        if self._is_own:
            why = f"{' and '.join(minimal)} lie above them all" if minimal else "nothing lies above them all"
            *first, last = map(_described, nodes)
            return f"{', '.join(first)} and {last} have no implicit promotion on the configured lattice: {why}. {_CAST}"
        names = ", ".join(repr(f"<class '{n}'>" if n in WEAK else n) for n in nodes)
        start = f"Input dtypes ({names}) have no available implicit dtype promotion path"
        if self.mode == "strict":
            return (
                f"{start} when jax_numpy_dtype_promotion=strict. Try explicitly casting inputs to the desired "
                "output type, or set jax_numpy_dtype_promotion=standard."
            )
        for family, plural, target in _WITHOUT_PROMOTION:
            if any(n in family for n in nodes):
                return (
                    f"{start}. To avoid unintended promotion, {plural} do not support implicit promotion. If you'd "
                    "like your inputs to be promoted to another type, you can do so explicitly using e.g. "
                    f"x.astype('{target}')"
                )
        return f"{start}. {_CAST}"


_CAST: Final = "Try explicitly casting inputs to the desired output type."


def _described(node: str) -> str:
    return f"a Python or weakly typed {node}" if node in WEAK else node


def _no_node(node: str) -> str:
    return f"{_described(node)} has no implicit promotion, since it is no node of the configured lattice. {_CAST}"
