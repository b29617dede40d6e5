"""The contractions and products of arrays, against JAX."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from oracle import Call, array, differences, elements

from arraytyping.scalars import bfloat16, bool_, complex64, float8_e4m3fn, float32, float64, int8, int32, uint8
from arraytyping.semantics.avals import NumPyArray, ShapedArray

# One call of each code path, by the shapes of its two operands; every pair of dtypes goes through each.
PATHS: dict[str, tuple[str, tuple[int, ...], tuple[int, ...]]] = {
    "dot": ("numpy.dot", (2,), (2, 3)),
    "dot, 0-d": ("numpy.dot", (2,), ()),
    "Array.dot": ("Array.dot", (2,), (2,)),
    "matmul": ("numpy.matmul", (4, 2), (2, 3)),
    "vdot": ("numpy.vdot", (2,), (2,)),
    "inner": ("numpy.inner", (2,), (2,)),
    "inner, 0-d": ("numpy.inner", (), (2,)),
    "tensordot": ("numpy.tensordot", (2, 3), (2, 3)),
    "vecdot": ("numpy.vecdot", (2,), (2,)),
    "matvec": ("numpy.matvec", (2, 2), (2,)),
    "vecmat": ("numpy.vecmat", (2,), (2, 2)),
    "outer": ("numpy.outer", (2,), (3,)),
    "linalg.outer": ("numpy.linalg.outer", (2,), (3,)),
    "kron": ("numpy.kron", (2,), (3,)),
    "cross of 2": ("numpy.cross", (2,), (2,)),
    "cross of 3": ("numpy.cross", (3,), (3,)),
    "linalg.cross": ("numpy.linalg.cross", (3,), (3,)),
    "einsum": ("ij,jk->ik", (4, 2), (2, 3)),
    "einsum, summed first": ("ij,k->k", (4, 2), (3,)),
}


def calls_of(path: str, pairs: Iterator[tuple[tuple[str, bool], tuple[str, bool]]]) -> Iterator[Call]:
    name, left, right = PATHS[path]
    for (a, a_weak), (b, b_weak) in pairs:
        operands = ShapedArray(left, a, a_weak), ShapedArray(right, b, b_weak)
        if name.startswith("numpy.tensordot"):
            yield Call(name, operands, {"axes": ((0, 1), (0, 1))})
        elif name[0] in "nA":
            yield Call(name, operands)
        else:
            yield Call("numpy.einsum", (name, *operands))


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("path", PATHS)
def test_every_pair_of_dtypes(path: str, x64: bool) -> None:
    every = elements(x64)
    n, lines = differences(calls_of(path, product(every, every)), x64=x64, at_once=True)
    print(f"{path}: {n} calls compared, {len(lines)} differ")
    assert lines == []
    assert n == len(every) ** 2 > 900


@pytest.mark.parametrize("path", ["dot", "inner, 0-d", "kron", "cross of 3", "einsum, summed first"])
def test_strict_promotion(path: str) -> None:
    some = [
        ("bool", False),
        ("int8", False),
        ("float32", False),
        ("int32", True),
        ("float32", True),
        ("complex64", True),
    ]
    n, lines = differences(calls_of(path, product(some, some)), mode="strict", at_once=True)
    assert lines == []
    assert n == 36


SHAPES = [(), (0,), (1,), (2,), (3,), (1, 2), (2, 2), (2, 3), (3, 2), (3, 3), (1, 2, 3), (2, 3, 2), (2, 1, 3, 3),
          (1, 4, 2, 3), (5, 4, 3, 2)]  # fmt: skip
BINARY = ["numpy.dot", "numpy.matmul", "numpy.vdot", "numpy.inner", "numpy.vecdot", "numpy.matvec", "numpy.vecmat",
          "numpy.outer", "numpy.kron", "numpy.cross", "numpy.linalg.matmul", "numpy.linalg.vecdot",
          "numpy.linalg.outer", "numpy.linalg.cross", "numpy.linalg.tensordot"]  # fmt: skip


@pytest.mark.parametrize("name", BINARY)
def test_every_pair_of_shapes(name: str) -> None:
    made = [Call(name, (array("float32", *a), array("int32", *b))) for a, b in product(SHAPES, SHAPES)]
    n, lines = differences(made, at_once=True)
    print(f"{name}: {n} calls compared, {len(lines)} differ")
    assert lines == []
    assert n == len(SHAPES) ** 2


def statics() -> Iterator[Call]:
    """Calls with static arguments, right ones and wrong ones."""
    x, y, z = array("float32", 2, 3, 4), array("int32", 4, 3, 2), array("bfloat16", 3)
    numbers = (0, 1, 2, 3, 4, -1, -2, True, None, 1.0, "1")
    pairs = ((0, 2), (-1, 0), (1, 1), (0, 0), (3, 0), (True, 1), (0, (1,)), ("a", "b"), (), (0,), (0, 1, 2))
    lists = (((0,), (2,)), ((0, 1), (2, 1)), [[0, 1], [2, 1]], ([1, 2, 0], [1, 0, 2]), ((0, 0), (2, 2)), ((), ()),
             ((0, 1), (2,)), ((-1, -2), (0, 1)), ((5,), (0,)), ((0.0,), (1.0,)), ((None,), (0,)))  # fmt: skip
    for axes in (*numbers, *pairs, *lists):
        yield Call("numpy.tensordot", (x, y), {"axes": axes})
        yield Call("numpy.linalg.tensordot", (x, y), {"axes": axes})
        yield Call("numpy.tensordot", (x, y, axes))
    for axis in (0, 1, 2, 3, -1, -3, -4, True, None, 1.5, "0"):
        for a, b in ((x, x), (x, z), (x, array("int8", 3, 4)), (array("int32", 3, 2, 4), array("int32", 3, 1, 4))):
            yield Call("numpy.vecdot", (a, b), {"axis": axis})
            yield Call("numpy.linalg.vecdot", (a, b), {"axis": axis})
            yield Call("numpy.linalg.cross", (a, b), {"axis": axis})
            yield Call("numpy.cross", (a, b), {"axis": axis})
            yield Call("numpy.cross", (a, array("int32", 2, 3)), {"axisa": 1, "axisb": 1, "axisc": axis})
            yield Call("numpy.cross", (array("int32", 5, 2), array("int32", 5, 2)), {"axisb": axis})
    preferred = (None, float32, float64, complex64, int8, int32, uint8, bool_, bfloat16, float8_e4m3fn, float,
                 int, "int16", "float16", "no dtype")  # fmt: skip
    some = ("bool", "int8", "uint32", "float16", "float32", "float8_e4m3fn", "complex64")
    for wanted, left, right in product(preferred, some, some):
        v, w = array(left, 2), array(right, 2)
        yield Call("numpy.dot", (v, w), {"preferred_element_type": wanted})
        yield Call("numpy.inner", (v, array(right)), {"preferred_element_type": wanted})
        yield Call("numpy.einsum", ("i,i->", v, w), {"preferred_element_type": wanted})
        yield Call("numpy.einsum", ("i,j->j", v, w), {"preferred_element_type": wanted})
    for wanted, left in product(preferred, some):
        v = array(left, 2)
        yield Call("numpy.einsum", ("i->", v), {"preferred_element_type": wanted})
        yield Call("numpy.einsum", ("i->i", v), {"preferred_element_type": wanted})
        for name in ("numpy.matmul", "numpy.vdot", "numpy.vecdot", "numpy.linalg.matmul", "Array.dot"):
            yield Call(name, (v, v), {"preferred_element_type": wanted})
        yield Call("numpy.tensordot", (v, v, 1), {"preferred_element_type": wanted})
    precisions = (None, "high", "highest", "float32", "F16_F16_F32", "F16_F16_F16", "nonsense", 1, ("high", "default"),
                  ("high", "nonsense"), ("high",), ("high", "high", "high"))  # fmt: skip
    for precision in precisions:
        for name in ("numpy.dot", "numpy.matmul", "numpy.inner", "numpy.vdot", "numpy.vecdot", "Array.dot"):
            yield Call(name, (z, z), {"precision": precision})
            yield Call(name, (array("int8", 3), array("int32", 3, weak=True)), {"precision": precision})
        yield Call("numpy.tensordot", (z, z, 1), {"precision": precision})
        yield Call("numpy.einsum", ("i,i", z, z), {"precision": precision})
        yield Call("numpy.einsum", ("i", z), {"precision": precision})
        yield Call("numpy.inner", (z, 2), {"precision": precision})
    for sharding in ("x", 1):
        yield Call("numpy.dot", (z, z), {"out_sharding": sharding})
        yield Call("numpy.matmul", (z, z), {"out_sharding": sharding})
        yield Call("numpy.tensordot", (z, z, 1), {"out_sharding": sharding})
        yield Call("numpy.einsum", ("i,i", z, z), {"out_sharding": sharding})
    for out in (None, 1, z, "x"):
        yield Call("numpy.outer", (z, z, out))


def array_likes() -> Iterator[Call]:
    """Operands that are no JAX arrays."""
    others = (2, 2.5, 1j, True, None, [1, 2], "ab", NumPyArray((3,), "float64"), NumPyArray((), "int64"),
              NumPyArray((3, 3), "bool"))  # fmt: skip
    for name, other in product(["numpy.tensordot", *BINARY, "Array.dot"], others):
        yield Call(name, (array("float16", 3), other))
        if name != "Array.dot":
            yield Call(name, (other, array("int8", 3)))
    for other in others:
        yield Call("numpy.einsum", (",->", other, array("int8")))
        yield Call("numpy.einsum", ("i->i", other))


@pytest.mark.parametrize("x64", [False, True])
def test_static_arguments_and_array_likes(x64: bool) -> None:
    n, lines = differences([*(statics() if not x64 else ()), *array_likes()], x64=x64, at_once=True)
    print(f"{n} calls compared, {len(lines)} differ")
    assert lines == []
    assert n > 300


SUBSCRIPTS = [
    "ij", "ji", "ii", "ii->i", "ii->", "ij->", "ij->i", "ij->j", "ij->ji", "i j -> j i", "ij->ijk", "ij->ii",
    "i->i", "ijk",
    "...", "...->...", "i...", "...i", "...i->i...", "...i->...", "i...->...", "ij...", "...ij->...ji", "...->",
    "i...->i",
    "..", "i..j", "....", "......", "i.j", "->", "", "i-j", "i>j", "i->j->k", "ij->,", "ij->.", "i->...", "BA",
    "aB", "0b->b0",
]  # fmt: skip
SUBSCRIPTS_2 = [
    "i,i", "i,j", "i,i->i", "ij,jk", "ij,jk->ki", "ij,kj", "ij,ij", "ij,ji", "ij,ij->ij", "ij,ij->i", "ij,j",
    "ij,j->ji",
    "i,ij->j", "ij,k", "ij,k->k", "ij,kl->", ",", ",->", "i,", ",ij->j", "ii,i", "ii,i->i", "i,ii->i", "ii,ii->i",
    "ii,jj",
    "ii,ij->j", "...,...", "...i,...i", "...i,...i->...", "...ij,...jk", "...ij,...jk->...ik", "i...,j...->ij...",
    "...,i->i...", "...i,i", "i...,i->...", "...ij,jk->...ki", "ij...,ji...", "...,...->", "ij", "ij,jk,kl", "i,j->i,j",
    "ij,jk->im", "ij,jk->ii",
]  # fmt: skip
SUBSCRIPTS_3 = [
    "ij,jk,kl",
    "ij,jk,kl->li",
    "i,i,i",
    "i,ij,j->",
    "i,j,k->kij",
    "...i,...i,...",
    "ij,kj,lj->ikl",
    "ij,ij",
]


def einsums() -> Iterator[Call]:
    shapes = [(), (1,), (2,), (3,), (2, 2), (1, 2), (3, 1), (3, 3), (2, 3, 3), (4, 1, 3)]
    for text, shape in product(SUBSCRIPTS, shapes):
        yield Call("numpy.einsum", (text, array("int32", *shape)))
    for text, a, b in product(SUBSCRIPTS_2, shapes, shapes):
        yield Call("numpy.einsum", (text, array("float32", *a), array("int32", *b)))
    for text, shape in product(SUBSCRIPTS_3, [(2,), (2, 2), (1, 2, 2)]):
        yield Call("numpy.einsum", (text, *[array("int32", *shape)] * 3))
    x, y = array("float32", 2, 3), array("float16", 3, 4)
    yield from (
        Call("numpy.einsum", ("ij,jk,kl->il", x, y, array("int8", 4, 1))),
        Call("numpy.einsum", ("ij,jk,k,lk,l->i", x, y, array("int8", 4), array("int8", 5, 4), array("int8", 5))),
        Call("numpy.einsum", ("ij,jk,k", x, y, 2)),
        Call("numpy.einsum", ("ij,jk,", x, y, 2)),
        Call("numpy.einsum", ("ij,jk", x, y), {"optimize": False}),
        Call("numpy.einsum", ("ij,jk,kl->il", x, y, array("int8", 4, 1)), {"optimize": True}),
        Call("numpy.einsum", ("ij,jk,kl->il", x, y, array("int8", 4, 1)), {"optimize": "greedy"}),
        Call("numpy.einsum", ("ij,jk,kl->il", x, y, array("int8", 4, 1)), {"optimize": [(0, 1), (0, 1)]}),
        Call("numpy.einsum", ("ij,jk,kl->il", *[array("int8", 2, 2)] * 2, array("int32", 2, 2, weak=True))),
        Call("numpy.einsum", ("ij,jk,kl->il", *[array("int8", 2, 2)] * 3)),
        Call("numpy.einsum", ("i,i,->", array("int32", 3, weak=True), array("int8", 1), array("int8"))),
        Call("numpy.einsum", ("ij,jk", x, y), {"out": 1}),
        Call("numpy.einsum", ("ij,jk",)),
        Call("numpy.einsum", ("...",)),
        Call("numpy.einsum", (x, [0, 1], y, [1, 2])),
        Call("numpy.einsum", (x, (0, 1), y, (1, 2), (2, 0))),
        Call("numpy.einsum", (x, [0, 1], y, [1, 2], [])),
        Call("numpy.einsum", (x, [0, 1], y, [1, 2], [3])),
        Call("numpy.einsum", (x, ["a", "b"], y, ["b", "c"])),
        Call("numpy.einsum", (x, ["a", "b"], y, [0, 1])),
        Call("numpy.einsum", (x, [..., 0], y, [0, ...])),
        Call("numpy.einsum", (x, [1, ...], [..., 1])),
        Call("numpy.einsum", (x, [30, 2], y, [2, 1])),
        Call("numpy.einsum", (x, [0])),
        Call("numpy.einsum", (2, [], y, [0, 1])),
        Call("numpy.einsum", (x, "ij", y, "jk", "ki")),
    )


def test_einsum() -> None:
    n, lines = differences(einsums(), at_once=True)
    print(f"{n} calls compared, {len(lines)} differ")
    assert lines == []
    assert n > 4000


@pytest.mark.parametrize("x64", [False, True])
def test_einsum_of_every_dtype(x64: bool) -> None:
    made = [
        Call("numpy.einsum", (text, ShapedArray((2, 2), dtype, weak)))
        for text in ("ij", "ij->", "ii", "ii->i", "ij->i")
        for dtype, weak in elements(x64)
    ]
    n, lines = differences(made, x64=x64, at_once=True)
    print(f"{n} calls compared, {len(lines)} differ")
    assert lines == []
    assert n > 150


def test_matrix_transpose_of_linalg() -> None:
    name = "numpy.linalg.matrix_transpose"
    made = [Call(name, (array("int8", *shape, weak=weak),)) for shape in SHAPES for weak in (False, True)]
    others = (2.5, None, [[1]], NumPyArray((2, 3), "float64"))
    n, lines = differences([*made, *(Call(name, (other,)) for other in others)], at_once=True)
    assert lines == []
    assert n == 34


def calls() -> Iterator[Call]:
    """A few hundred calls that stand for the family."""
    shapes = [(), (2,), (3,), (2, 3), (3, 3), (2, 1, 3), (4, 3, 2)]
    for name in BINARY:
        for k, (a, b) in enumerate(product(shapes, shapes)):
            if k % 2 == len(name) % 2:
                yield Call(name, (array("float32", *a), array("int32", *b, weak=bool(k % 3))))
    for k, call in enumerate(statics()):
        if k < 250 or k % 37 == 0:
            yield call
    for k, call in enumerate(einsums()):
        if k % 29 == 0 or len(call.args) > 3 or call.kwargs:
            yield call
    for k, call in enumerate(array_likes()):
        if k % 5 == 0:
            yield call
