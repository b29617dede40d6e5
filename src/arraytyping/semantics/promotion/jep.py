"""The graphs of JEP 9407, one for each step of its way from Python's scalars to JAX's lattice, edge by edge.

The scalars `i*`, `f*`, `c*` are `int`, `float`, `complex` here, and `u*`, which only one of the steps has, `uint`.

Source: https://docs.jax.dev/en/latest/jep/9407-type-promotion.html.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from arraytyping.semantics.lattice import Lattice
from arraytyping.semantics.promotion.system import GraphSystem

__all__ = ["GRAPHS", "graph_system"]

_JEP: Final = "https://docs.jax.dev/en/latest/jep/9407-type-promotion.html"

_Covers = Mapping[str, tuple[str, ...]]

_PYTHON: Final[_Covers] = {"int": ("float",), "float": ("complex",), "complex": ()}
_UNSIGNED: Final[_Covers] = {"uint8": ("uint16",), "uint16": ("uint32",), "uint32": ("uint64",), "uint64": ()}
_SIGNED: Final[_Covers] = {"int8": ("int16",), "int16": ("int32",), "int32": ("int64",), "int64": ()}
_FLOATS: Final[_Covers] = {"float16": ("float32",), "float32": ("float64",), "float64": ()}
_COMPLEXES: Final[_Covers] = {"complex64": ("complex128",), "complex128": ()}
_CATEGORIES: Final[_Covers] = {**_UNSIGNED, **_SIGNED, **_FLOATS, **_COMPLEXES}


def _with(covers: _Covers, more: _Covers, without: tuple[tuple[str, str], ...] = ()) -> _Covers:
    """The covers with further ones, and without some."""
    nodes = (*covers, *(n for n in more if n not in covers))
    return {
        a: (*(b for b in covers.get(a, ()) if (a, b) not in without), *more.get(a, ()))
        for a in nodes
    }  # fmt: skip


_SIGNED_SCALARS: Final[_Covers] = {
    "int8*": ("int16*",),
    "int16*": ("int32*",),
    "int32*": ("int64*",),
    "int64*": ("int8",),
    **_SIGNED,
}
_SCALAR_CHAINS: Final = _with(
    {"uint": ("uint8",), "int": ("int8",), "float": ("float16",), "complex": ("complex64",)}, _CATEGORIES
)
_COMBINED: Final = _with(
    {"int": ("float", "uint8", "int8"), "float": ("complex", "float16"), "complex": ("complex64",)}, _CATEGORIES
)
_FLOAT_COMPLEX: Final = _with(_COMBINED, {"float32": ("complex64",), "float64": ("complex128",)})
_SIGNED_UNSIGNED: Final = _with(_FLOAT_COMPLEX, {"uint8": ("int16",), "uint16": ("int32",), "uint32": ("int64",)})
_OPTION_1: Final = _with(_SIGNED_UNSIGNED, {"int8": ("float16",), "int16": ("float32",), "int32": ("float64",)})
_NUMPY: Final = _with(_OPTION_1, {"uint8": ("float16",), "uint16": ("float32",), "uint32": ("float64",)})
_OPTION_2: Final = _with(_SIGNED_UNSIGNED, {"int16": ("float16",), "int32": ("float32",), "int64": ("float64",)})
_OPTION_3: Final = _with(_SIGNED_UNSIGNED, {"int64": ("float",)}, without=(("int", "float"),))
_BFLOAT16: Final = _with(_OPTION_3, {"float": ("bfloat16",), "bfloat16": ("float32",)})
_FINAL: Final = _with(_BFLOAT16, {"uint64": ("float",)})

GRAPHS: Final[Mapping[str, tuple[str, str, _Covers]]] = {
    "python": ("Python's scalars", "stepping-back-tables-and-lattices", _PYTHON),
    "jep-no-upper-bound": (
        "a graph that is no lattice: nothing lies above B and C",
        "stepping-back-tables-and-lattices",
        {"A": ("B", "C"), "B": (), "C": ()},
    ),
    "jep-two-upper-bounds": (
        "a graph that is no lattice: C and D both lie above A and B",
        "stepping-back-tables-and-lattices",
        {"A": ("C", "D"), "B": ("C", "D"), "C": (), "D": ()},
    ),
    "jep-categories": (
        "promotion within each category: unsigned and signed integers, floats, complex",
        "type-promotion-within-categories",
        _CATEGORIES,
    ),
    "jep-signed-scalars": (
        "NumPy 1's signed integers with a scalar type of each width, values left aside",
        "enter-python-scalars",
        _SIGNED_SCALARS,
    ),
    "jep-scalar-chains": ("each category headed by one scalar type", "enter-python-scalars", _SCALAR_CHAINS),
    "jep-combined": ("Python's scalars below the categories, in one graph", "combining-lattices", _COMBINED),
    "jep-float-complex": ("floats promote to complex", "mixed-promotion-float-and-complex", _FLOAT_COMPLEX),
    "jep-signed-unsigned": (
        "unsigned integers promote to signed ones of twice the width",
        "mixed-promotion-signed-unsigned-integers",
        _SIGNED_UNSIGNED,
    ),
    "jep-numpy": (
        "NumPy's promotion of integers to floats as a graph, which is no lattice",
        "mixed-promotion-integer-and-floating",
        _NUMPY,
    ),
    "jep-option-0": (
        "option 0: integers and floats do not mix",
        "option-0-leave-integer-floating-mixed-precision-undefined",
        _SIGNED_UNSIGNED,
    ),
    "jep-option-1": ("option 1: avoid all precision loss", "option-1-avoiding-all-precision-loss", _OPTION_1),
    "jep-option-2": (
        "option 2: avoid most wider-than-necessary promotions",
        "option-2-avoid-most-wider-than-necessary-promotions",
        _OPTION_2,
    ),
    "jep-option-3": (
        "option 3: avoid all wider-than-necessary promotions",
        "option-3-avoid-all-wider-than-necessary-promotions",
        _OPTION_3,
    ),
    "jep-option-3-bfloat16": (
        "option 3 with bfloat16",
        "option-3-avoid-all-wider-than-necessary-promotions",
        _BFLOAT16,
    ),
    "jep-jax": ("JAX's lattice: option 3 with bfloat16, closed by u64 -> f*", "type-promotion-in-jax", _FINAL),
}
"""For each graph its title, the section that it is from, and its covers."""


def graph_system(name: str) -> GraphSystem:
    """The system of one of the graphs.

    Raises:
        KeyError: for a name that is none of them.
    """
    title, section, covers = GRAPHS[name]
    scalars = ("uint", "int", "float", "complex", "int8*", "int16*", "int32*", "int64*")
    return GraphSystem(name, Lattice(covers), title=title, source=f"{_JEP}#{section}", scalars=scalars)
