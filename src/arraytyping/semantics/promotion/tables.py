"""The promotion of libraries that is no lattice: as a table, and as a rule where a rule says it shorter.

Each answers for addition of arrays, as the tables of JEP 9407 do.

Sources: https://docs.jax.dev/en/latest/jep/9407-type-promotion.html, "Appendix: Example Type Promotion Tables";
https://numpy.org/neps/nep-0050-scalar-promotion.html; https://data-apis.org/array-api/latest/API_specification/
type_promotion.html.
"""

from __future__ import annotations

from typing import Final

from arraytyping.scalars import KINDS
from arraytyping.semantics.lattice import JoinError, Lattice
from arraytyping.semantics.promotion.dtype_names import parse_dtype
from arraytyping.semantics.promotion.jax import WEAK
from arraytyping.semantics.promotion.system import PUBLISHED
from arraytyping.semantics.promotion.table_system import TableSystem

__all__ = [
    "NUMPY",
    "array_api",
    "literal",
    "ml_dtypes",
    "numpy",
    "torch",
]

_APPENDIX: Final = "https://docs.jax.dev/en/latest/jep/9407-type-promotion.html#appendix-example-type-promotion-tables"

NUMPY: Final = """
       bool u8   u16  u32  u64  i8   i16  i32  i64  f16  f32  f64  c64  c128 i*   f*   c*
bool   bool u8   u16  u32  u64  i8   i16  i32  i64  f16  f32  f64  c64  c128 i64  f64  c128
u8     u8   u8   u16  u32  u64  i16  i16  i32  i64  f16  f32  f64  c64  c128 u8   f64  c128
u16    u16  u16  u16  u32  u64  i32  i32  i32  i64  f32  f32  f64  c64  c128 u16  f64  c128
u32    u32  u32  u32  u32  u64  i64  i64  i64  i64  f64  f64  f64  c128 c128 u32  f64  c128
u64    u64  u64  u64  u64  u64  f64  f64  f64  f64  f64  f64  f64  c128 c128 u64  f64  c128
i8     i8   i16  i32  i64  f64  i8   i16  i32  i64  f16  f32  f64  c64  c128 i8   f64  c128
i16    i16  i16  i32  i64  f64  i16  i16  i32  i64  f32  f32  f64  c64  c128 i16  f64  c128
i32    i32  i32  i32  i64  f64  i32  i32  i32  i64  f64  f64  f64  c128 c128 i32  f64  c128
i64    i64  i64  i64  i64  f64  i64  i64  i64  i64  f64  f64  f64  c128 c128 i64  f64  c128
f16    f16  f16  f32  f64  f64  f16  f32  f64  f64  f16  f32  f64  c64  c128 f16  f16  c64
f32    f32  f32  f32  f64  f64  f32  f32  f64  f64  f32  f32  f64  c64  c128 f32  f32  c64
f64    f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  c128 c128 f64  f64  c128
c64    c64  c64  c64  c128 c128 c64  c64  c128 c128 c64  c64  c128 c64  c128 c64  c64  c64
c128   c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128
i*     i64  u8   u16  u32  u64  i8   i16  i32  i64  f16  f32  f64  c64  c128 i64  f64  c128
f*     f64  f64  f64  f64  f64  f64  f64  f64  f64  f16  f32  f64  c64  c128 f64  f64  c128
c*     c128 c128 c128 c128 c128 c128 c128 c128 c128 c64  c64  c128 c64  c128 c128 c128 c128
"""
"""NumPy 2, which promotes no value (NEP 50), and NumPy 1 for values that are small; they agree in this."""

BFLOAT16: Final = {
    "bool": "bfloat16",
    "uint8": "bfloat16",
    "int8": "bfloat16",
    "bfloat16": "bfloat16",
    "int": "bfloat16",
    "float32": "float32",
    "float64": "float64",
    "complex64": "complex64",
    "complex128": "complex128",
    "float": "float64",
    "complex": "complex64",
}
"""What NumPy promotes bfloat16 with, once ml_dtypes has defined it: where one of the two holds the other, no more."""

TORCH: Final = """
       bool u8   i8   i16  i32  i64  bf16 f16  f32  f64  c64  c128 i*   f*   c*
bool   bool u8   i8   i16  i32  i64  bf16 f16  f32  f64  c64  c128 i64  f32  c64
u8     u8   u8   i16  i16  i32  i64  bf16 f16  f32  f64  c64  c128 u8   f32  c64
i8     i8   i16  i8   i16  i32  i64  bf16 f16  f32  f64  c64  c128 i8   f32  c64
i16    i16  i16  i16  i16  i32  i64  bf16 f16  f32  f64  c64  c128 i16  f32  c64
i32    i32  i32  i32  i32  i32  i64  bf16 f16  f32  f64  c64  c128 i32  f32  c64
i64    i64  i64  i64  i64  i64  i64  bf16 f16  f32  f64  c64  c128 i64  f32  c64
bf16   bf16 bf16 bf16 bf16 bf16 bf16 bf16 f32  f32  f64  c64  c128 bf16 bf16 c64
f16    f16  f16  f16  f16  f16  f16  f32  f16  f32  f64  c64  c128 f16  f16  c64
f32    f32  f32  f32  f32  f32  f32  f32  f32  f32  f64  c64  c128 f32  f32  c64
f64    f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  c128 c128 f64  f64  c128
c64    c64  c64  c64  c64  c64  c64  c64  c64  c64  c128 c64  c128 c64  c64  c64
c128   c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128
i*     i64  u8   i8   i16  i32  i64  bf16 f16  f32  f64  c64  c128 i64  f32  c64
f*     f32  f32  f32  f32  f32  f32  bf16 f16  f32  f64  c64  c128 f32  f64  c64
c*     c64  c64  c64  c64  c64  c64  c64  c64  c64  c128 c64  c128 c64  c64  c128
"""
"""PyTorch as JEP 9407 has it: the 16- to 64-bit unsigned integers came later, and hardly promote."""


def literal(text: str) -> dict[tuple[str, str], str]:
    """The cells of a table that is written out, rows and columns headed by short names."""
    header, *rows = (line.split() for line in text.strip().splitlines())
    names = [parse_dtype(name) for name in header]
    return {
        (parse_dtype(row), column): parse_dtype(cell)
        for row, *cells in rows
        for column, cell in zip(names, cells, strict=True)
    }


def _table(name: str, cells: dict[tuple[str, str], str], *, title: str, source: str) -> TableSystem:
    nodes = dict.fromkeys(a for a, _ in cells)
    return TableSystem(
        name,
        (n for n in PUBLISHED if n in nodes),
        lambda a, b: cells.get((a, b)),
        title=title,
        source=source,
        scalars=WEAK,
        columns=PUBLISHED,
    )


def numpy() -> TableSystem:
    """NumPy 2: values do not count, and Python scalars are weak (NEP 50)."""
    return _table(
        "numpy",
        literal(NUMPY),
        title="NumPy 2 (NEP 50)",
        source="https://numpy.org/neps/nep-0050-scalar-promotion.html",
    )


def ml_dtypes() -> TableSystem:
    """NumPy 2 with the bfloat16 of ml_dtypes."""
    own = {(a, b): result for node, result in BFLOAT16.items() for a, b in ((node, "bfloat16"), ("bfloat16", node))}
    return _table(
        "ml-dtypes",
        {**literal(NUMPY), **own},
        title="NumPy 2 with the bfloat16 of ml_dtypes",
        source="https://github.com/jax-ml/ml_dtypes",
    )


def torch() -> TableSystem:
    """PyTorch, as JEP 9407 has it."""
    return _table("torch", literal(TORCH), title="PyTorch", source=_APPENDIX)


def array_api() -> TableSystem:
    """The array API standard, undefined where it leaves the result to the library.

    Kinds do not mix, except real and complex floats; Python scalars take the dtype of an array that can hold them.
    Two Python scalars are none of its business.
    """
    dtypes = Lattice(
        {
            "bool": (),
            "uint8": ("uint16", "int16"),
            "uint16": ("uint32", "int32"),
            "uint32": ("uint64", "int64"),
            "uint64": (),
            "int8": ("int16",),
            "int16": ("int32",),
            "int32": ("int64",),
            "int64": (),
            "float32": ("float64", "complex64"),
            "float64": ("complex128",),
            "complex64": ("complex128",),
            "complex128": (),
        }
    )
    complexes = {"float32": "complex64", "float64": "complex128", "complex64": "complex64", "complex128": "complex128"}

    def scalar(scalar: str, dtype: str) -> str | None:
        if scalar == "complex":
            return complexes.get(dtype)
        return dtype if KINDS[dtype] in ("uifc" if scalar == "int" else "fc") else None

    def results(a: str, b: str) -> str | None:
        if a in WEAK or b in WEAK:
            return None if a in WEAK and b in WEAK else scalar(a, b) if a in WEAK else scalar(b, a)
        try:
            return dtypes.join(a, b)
        except JoinError:
            return None

    return TableSystem(
        "array-api",
        (*dtypes.elements, *WEAK),
        results,
        title="the Python array API standard",
        source="https://data-apis.org/array-api/latest/API_specification/type_promotion.html",
        scalars=WEAK,
        columns=PUBLISHED,
    )
