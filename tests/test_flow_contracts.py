"""Annotations as contracts: jaxtyping's own `isinstance` is the truth for what is wholly known."""

from __future__ import annotations

import ast
import collections.abc
import random
import textwrap
import typing
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Union

import jax
import jaxtyping
import ml_dtypes
import numpy as np
import pytest
from jaxtyping import AnnotationError, Float, Float32, PyTree, Shaped
from jaxtyping._storage import pop_shape_memo, push_shape_memo

import arraytyping
from arraytyping.checker.flow.contracts import symbolic_arguments
from arraytyping.checker.flow.contracts.bindings import Bindings
from arraytyping.checker.flow.contracts.checking import TRUST
from arraytyping.checker.flow.contracts.dimensions import FITS, Mismatch, Place
from arraytyping.checker.flow.contracts.expectations import Expectation, TreeOf
from arraytyping.checker.flow.contracts.grammar import parse_dims
from arraytyping.checker.flow.contracts.jaxtyping_classes import array_of
from arraytyping.checker.flow.contracts.matching import Matcher
from arraytyping.checker.flow.contracts.reading import read
from arraytyping.checker.flow.libraries.registry import Registry
from arraytyping.checker.flow.start.program import interpret
from arraytyping.checker.flow.start.python_interpreter import PythonInterpreter
from arraytyping.checker.flow.state.diagnostics import together
from arraytyping.checker.flow.syntax.imports import Importer
from arraytyping.checker.flow.values import (
    ArrayValue,
    DictValue,
    HandlerValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    UnionValue,
    Unknown,
)
from arraytyping.checker.flow.values.frames import Module
from arraytyping.semantics.avals import ShapedArray, SymbolicDim
from arraytyping.semantics.sizes.dims import as_dim, differ
from arraytyping.semantics.sizes.polynomials import symbol

PLACE = Place("argument 'x' of f (line 1)", "by argument 'x'")


@contextmanager
def memo() -> Iterator[None]:
    """One call under `jaxtyped`."""
    push_shape_memo({})
    try:
        yield
    finally:
        pop_shape_memo()


def numpy_value(array: np.ndarray) -> NumPyValue:
    return NumPyValue(array.shape, array.dtype.name)


def of_shape(shape: tuple[int, ...], dtype: Any = np.float32) -> np.ndarray:
    return np.broadcast_to(np.zeros((), dtype), shape)


# ---------------------------------------------------------------------- against jaxtyping


def words(text: str) -> list[str]:
    return text.split()


ELEMENTS = words(
    "n m #n #m _ _n 3 1 #3 rows=2 #rows=3 n+1 2*n m-n n*m n//2 #n+1 (n) min(n,m) n%2 n/2 -1+n abs(n) max(n,3) 2**n"
)
VARIADICS = ("...", "*batch", "*#batch", "#*batch", "*_", "*_batch", "*other", "*#other")
SIZES = (0, 1, 2, 3, 4)


def random_dims(rng: random.Random) -> str:
    elements = [rng.choice(ELEMENTS if rng.random() < 0.6 else ELEMENTS[:4]) for _ in range(rng.randrange(4))]
    if rng.random() < 0.45:
        elements.insert(rng.randrange(len(elements) + 1), rng.choice(VARIADICS))
    return (" " * rng.randrange(1, 3)).join(elements)


def random_shape(rng: random.Random, dims: str, seen: list[tuple[int, ...]]) -> tuple[int, ...]:
    """Any shape, or more likely one that fits the number of dimensions."""
    rank = len(dims.split()) + (rng.randrange(-1, 3) if "*" in dims or "..." in dims else rng.random() < 0.05)
    sizes = [s for shape in seen for s in shape] * 2 + list(SIZES)
    return tuple(rng.choice(sizes) for _ in range(max(rank, 0)))


def sequences(seed: int, count: int) -> Iterator[list[tuple[str, tuple[int, ...]]]]:
    rng = random.Random(seed)
    for _ in range(count):
        seen: list[tuple[int, ...]] = []
        pairs = []
        for _ in range(rng.randrange(1, 5)):
            dims = random_dims(rng)
            seen.append(random_shape(rng, dims, seen))
            pairs.append((dims, seen[-1]))
        yield pairs


def test_every_shape_as_jaxtyping_says() -> None:
    compared = {True: 0, False: 0}
    for pairs in sequences(1, 2500):
        bindings = Bindings()
        with memo():
            for dims, shape in pairs:
                annotation = Shaped[np.ndarray, dims]
                try:
                    truth = isinstance(of_shape(shape), annotation)
                except (AnnotationError, ArithmeticError, SyntaxError):  # an expression of names that have no size yet
                    break
                verdict = Matcher(bindings, PLACE).match(array_of(annotation), NumPyValue(shape, "float32"))
                assert isinstance(verdict, Mismatch) == (not truth), (pairs, dims, shape, verdict)
                assert not truth or verdict is FITS, (pairs, dims, shape)
                compared[truth] += 1
    assert min(compared.values()) > 1000, compared


def test_partial_knowledge_never_makes_an_error() -> None:
    rng = random.Random(2)
    found = compared = 0
    for pairs in sequences(3, 2500):
        bindings = Bindings()
        with memo():
            for dims, shape in pairs:
                annotation = Shaped[np.ndarray, dims]
                try:
                    truth = isinstance(of_shape(shape), annotation)
                except (AnnotationError, ArithmeticError, SyntaxError):
                    break
                known = None if rng.random() < 0.15 else tuple(None if rng.random() < 0.3 else s for s in shape)
                verdict = Matcher(bindings, PLACE).match(array_of(annotation), NumPyValue(known, "float32"))
                assert not (truth and isinstance(verdict, Mismatch)), (pairs, dims, shape, known)
                assert truth or verdict is not FITS, (pairs, dims, shape, known)
                compared += 1
                if not truth:
                    found += isinstance(verdict, Mismatch)
                    break
    assert compared > 2000
    assert found > 300


def test_symbols_never_make_an_error() -> None:
    """A size that is a polynomial of symbols stands for each number that it may be."""
    rng = random.Random(4)
    sizes = {
        1: symbol("p", 1),
        2: symbol("q", 1, 4),
        3: symbol("p", 1) + symbol("q", 1, 4),
        4: symbol("q", 1, 4) * symbol("q", 1, 4),
        0: symbol("p", 1) - symbol("p", 1),
    }
    compared = 0
    for pairs in sequences(5, 2000):
        bindings = Bindings()
        with memo():
            for dims, shape in pairs:
                annotation = Shaped[np.ndarray, dims]
                try:
                    truth = isinstance(of_shape(shape), annotation)
                except (AnnotationError, ArithmeticError, SyntaxError):
                    break
                known = tuple(as_dim(sizes[s]) if rng.random() < 0.5 else s for s in shape)
                verdict = Matcher(bindings, PLACE).match(array_of(annotation), NumPyValue(known, "float32"))
                assert not (truth and isinstance(verdict, Mismatch)), (pairs, dims, shape, known)
                compared += 1
                if not truth:
                    break
    assert compared > 1500


FAMILIES = words(
    "Float Int UInt Bool Num Real Complex Inexact Integer Shaped Key Float32 Float64 BFloat16 Int8 Int2 UInt64"
)
NARROW = (ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.int4, ml_dtypes.float4_e2m1fn)
NUMPY_DTYPES = words("bool int8 int32 int64 uint8 uint64 float16 float32 float64 complex64 object M8[s] U3")
DTYPES = [np.dtype(t) for t in (*NUMPY_DTYPES, *NARROW)]


def test_every_dtype_as_jaxtyping_says() -> None:
    for family in FAMILIES:
        annotation = getattr(jaxtyping, family)[np.ndarray, "..."]
        for dtype in DTYPES:
            truth = isinstance(of_shape((2,), dtype), annotation)
            verdict = Matcher(Bindings(), PLACE).match(array_of(annotation), numpy_value(of_shape((2,), dtype)))
            if dtype.kind in "MU":
                assert not (truth and isinstance(verdict, Mismatch))
            else:
                assert isinstance(verdict, Mismatch) == (not truth), (family, dtype)


def to_value(tree: Any) -> Any:
    if isinstance(tree, np.ndarray):
        return numpy_value(tree)
    if isinstance(tree, dict):
        return DictValue({k: to_value(v) for k, v in tree.items()})
    if isinstance(tree, list):
        return ListValue([to_value(v) for v in tree])
    return tuple(map(to_value, tree)) if isinstance(tree, tuple) else tree


def test_trees_as_jaxtyping_says() -> None:
    rng = random.Random(6)
    compared = {True: 0, False: 0}

    def tree(depth: int) -> Any:
        if depth == 0 or rng.random() < 0.4:
            return (
                of_shape((rng.randrange(1, 3),))
                if rng.random() < 0.93
                else rng.choice([None, 1.5, of_shape(()), of_shape((2,), int)])
            )
        children = [tree(depth - 1) for _ in range(rng.randrange(3))]
        return rng.choice([children, tuple(children), dict(zip("ba", children))])

    for _ in range(500):
        dims = rng.choice(["n", "?n", "_", "2", "...", "?n", "*?n"])
        structure = rng.choice([None, "T"]) if "?" not in dims else "T"
        leaf: Any = Float32[np.ndarray, dims]
        is_union = "?" not in dims and rng.random() < 0.2
        if is_union:
            leaf = leaf | float
        with memo():
            bindings = Bindings()
            first = tree(2)
            for one in (first, first if rng.random() < 0.8 else tree(2)):
                truth = isinstance(one, PyTree[leaf] if structure is None else PyTree[leaf, structure])
                expected = read_real(PyTree[leaf] if structure is None else PyTree[leaf, structure])
                assert isinstance(expected, TreeOf)
                verdict = Matcher(bindings, PLACE).match(expected, to_value(one))
                if not isinstance(verdict, Mismatch):
                    # Names of structures are not checked, and a 0-d array may be a scalar, which may be a float.
                    assert truth or structure is not None or is_union, (dims, one)
                assert not (truth and isinstance(verdict, Mismatch)), (dims, structure, one, verdict)
                compared[truth] += 1
                if not truth:
                    break
    assert min(compared.values()) > 100, compared


def test_partly_known_unions_never_make_an_error() -> None:
    """Which member of a union an array fits decides which names get a size."""
    rng = random.Random(7)
    compared = found = 0
    for _ in range(2500):
        bindings = Bindings()
        with memo():
            seen: list[tuple[int, ...]] = []
            for _ in range(rng.randrange(2, 6)):
                dims = [
                    rng.choice(["n", "m", "n m", "m n", "*b", "*#b", "*b n", "n 3", "#n", "2 n"])
                    for _ in range(rng.randrange(1, 3))
                ]
                members = [
                    getattr(jaxtyping, rng.choice(["Float", "Float32", "Num", "Int"]))[np.ndarray, d] for d in dims
                ]
                shape = random_shape(rng, dims[-1], seen)
                dtype = rng.choice(["float32", "float32", "int32"])
                seen.append(shape)
                truth = any(isinstance(of_shape(shape, dtype), m) for m in members)
                known = None if rng.random() < 0.1 else tuple(None if rng.random() < 0.2 else s for s in shape)
                value: Any = NumPyValue(known, dtype if rng.random() < 0.8 else None)
                if rng.random() < 0.2:
                    other = NumPyValue(random_shape(rng, dims[0], seen), "float32")
                    value = UnionValue((value, other) if rng.random() < 0.5 else (other, value))
                verdict = Matcher(bindings, PLACE).match(read_real(Union[tuple(members)]), value)  # noqa: UP007
                assert not (truth and isinstance(verdict, Mismatch)), (dims, shape, value)
                compared += 1
                if not truth:
                    found += isinstance(verdict, Mismatch)
                    break
    assert compared > 3000
    assert found > 300


def test_grammar() -> None:
    n, batch, size = parse_dims("  #n  *?batch  rows=4")
    assert (n.kind, n.text, n.broadcastable, n.variadic) == ("named", "n", True, False)
    assert (batch.kind, batch.text, batch.by_leaf, batch.variadic) == ("named", "batch", True, True)
    assert (size.kind, size.size) == ("fixed", 4)
    assert [d.kind for d in parse_dims("_ ... n-1")] == ["any", "any", "symbolic"]
    assert parse_dims("") == ()


# ---------------------------------------------------------------------- programs

VECTOR = typing.TypeVar("VECTOR", bound=Float[jax.Array, "3"])
NAMES: dict[str, Any] = {
    name: getattr(jaxtyping, name)
    for name in words(
        "Array ArrayLike Bool Float Float32 Int Int32 Key Num PRNGKeyArray PyTree Scalar ScalarLike Shaped"
    )
}


def array(*shape: Any, dtype: str | None = "float32") -> ArrayValue:
    dims = tuple(as_dim(symbol(s, 0)) if isinstance(s, str) else s for s in shape)
    return ArrayValue(ShapedArray(dims, dtype, None if dtype is None else False))


def machine() -> PythonInterpreter:
    engines = SimpleNamespace(
        from_python=lambda value: value,
        library_attribute=lambda it, value, name: getattr(value, name),
        escape=lambda it, values: None,
        truth=lambda it, value, node: None,
    )
    it = PythonInterpreter(Importer((Path("/nowhere"),)), Registry(), engines)
    it.frame = Module("", Path("outside.py"), "", ast.parse(""), False, False).frame
    return it


def run(source: str, it: PythonInterpreter | None = None, **values: Any) -> PythonInterpreter:
    """Interpret a program in which these names are bound."""
    it = it or machine()
    source = textwrap.dedent(source)
    module = Module("program", Path("program.py"), source, ast.parse(source), True, False)
    module.frame.variables.update(
        NAMES, T=VECTOR, jax=jax, np=np, arraytyping=arraytyping, typing=typing, collections=collections
    )
    module.frame.variables.update(values)
    with it.in_frame(module.frame):
        it.execute(module.tree.body, module.frame)
    assert not it.crashes
    return it


def messages(source: str, **values: Any) -> list[str]:
    return [f"{m.line}: {m.message}" for m in run(source, **values).diagnostics.values()]


def read_real(annotation: Any) -> Expectation:
    module = Module("program", Path("program.py"), "", ast.parse(""), True, False)
    module.frame.variables["it_is"] = annotation
    return read(machine(), ast.parse("it_is", mode="eval").body, module.frame)


def is_refused(annotation: str, value: Any, preamble: str = "") -> bool:
    """Whether an argument of this annotation may not have this value."""
    diagnostics = run(f"{preamble}\ndef f(x: {annotation}): pass\nf(given)", given=value).diagnostics.values()
    assert all(m.code == "array-annotation" for m in diagnostics)
    return bool(diagnostics)


KEY = ArrayValue(ShapedArray((), "key<fry>", False))
UNKNOWN = Unknown("a test")
HALF = ArrayValue(ShapedArray((None, 3), None, None))
NUMPY = NumPyValue((3,), "float32")
HALF_KNOWN = ArrayValue(ShapedArray((None,), None, None))


@pytest.mark.parametrize(
    ("annotation", "good", "bad"),
    [
        (
            'Float[Array, "n 3"]',
            [array(2, 3), array("b", 3), UNKNOWN, HALF],
            [array(3), array(3, 2), array(2, 3, dtype="int32"), None, 1.0],
        ),
        ("\"Float[Array, 'n 3']\"", [array(2, 3)], [array(3, 2), None]),
        ("typing.Optional[\"Float[Array, '3']\"]", [array(3), None], [array(2), 1.5, "3"]),
        (
            'Float[Array, "3"] | None',
            [array(3), None, UnionValue((None, array(2)))],
            [array(2), UnionValue((array(4), array(2)))],
        ),
        (
            'typing.Union[Float[Array, "3"], Int[Array, "n n"]]',
            [array(3), array(2, 2, dtype="int8")],
            [array(3, dtype="int8"), array(2)],
        ),
        ('Float[Array, "3"] | float', [array(3), 1.5, 1, ScalarValue(float)], [array(2), None, "s", ListValue([])]),
        ('Float[Array, "3"] | P', [array(3), array(2), None], []),
        ('Float[Array, "3"] | Missing', [array(3), array(2), None], []),
        (
            "Array",
            [array(3), 1.5, True, ScalarValue(int), UNKNOWN, KEY],
            [None, "s", ListValue([]), DictValue({}), (array(3),), NUMPY],
        ),
        ("jax.Array", [array(3)], [None]),
        ("jax.numpy.ndarray", [array(3)], [None]),
        ("Array | None", [array(3), None, 1], ["s"]),
        ("ArrayLike", [array(3), NUMPY, 1.5], []),
        ('Float[np.ndarray, "3"]', [NUMPY], [array(3), NumPyValue((2,), "float32"), NumPyValue((), "float32", True)]),
        ('Float[Array, "3"]', [], [NUMPY, 3, NumPyValue((), "float32", True), ScalarValue(float), ListValue([])]),
        ('Shaped[Array, "..."]', [array(3), array(dtype="bool"), KEY], [NUMPY, True]),
        ("Scalar", [array(), array(dtype="int32")], [array(3)]),
        ("ScalarLike", [array(), 1.5, NumPyValue((), "float32")], [array(3), NumPyValue((3,), "float32")]),
        (
            "PRNGKeyArray",
            [KEY, array(2, dtype="uint32"), array(4, dtype="uint32")],
            [array(2), array(3, dtype="uint32"), array()],
        ),
        ('Key[Array, " n"]', [ArrayValue(ShapedArray((3,), "key<fry>", False))], [KEY, array(2, dtype="uint32")]),
        ('Bool[Array, ""]', [array(dtype="bool")], [array(), array(1, dtype="bool")]),
        (
            'tuple[Float[Array, "n"], Float[Array, "n"]]',
            [(array(3), array(3)), UNKNOWN, ListValue([])],
            [(array(3), array(4)), (array(3),), (array(3), None), array(3)],
        ),
        ('tuple[Float[Array, "n"], ...]', [(array(3), array(3)), ()], [(array(3), array(3), array(4)), array(3)]),
        (
            'list[Float[Array, "n"]]',
            [ListValue([array(3), array(3)]), ListValue(None, array(3, 3)), (array(3),)],
            [ListValue([array(3), array(4)]), array(3)],
        ),
        ('typing.Sequence[Float[Array, "n"]]', [ListValue([array(3), array(3)]), array(3, 3)], [(array(3), array(4))]),
        ('collections.abc.Iterable[Float[Array, "n"]]', [ListValue([array(3)])], [(array(3), array(4))]),
        (
            'dict[str, Float[Array, "n"]]',
            [DictValue({"a": array(3)}), DictValue(None, "a", array())],
            [DictValue({"a": array(3, 3)}), array(3)],
        ),
        ('typing.Mapping[str, Int[Array, "n"]]', [DictValue({})], [DictValue({"a": array(3)})]),
        ('typing.Annotated[Float[Array, "3"], "in metres"]', [array(3)], [array(2)]),
        ('typing.Final[Float[Array, "3"]]', [array(3)], [array(2)]),
        ("Vector", [array(3)], [array(2)]),
        ("Pair", [(array(3), array(4))], [(array(3), array(3, 3))]),
        ("T", [array(3)], [array(2)]),
        ("typing.Literal['a']", ["b", 3, array(3)], []),
        ("typing.Callable[[Array], Array]", [None, array(3)], []),
        ("int", [array(3), None, "s"], []),
        ("int | None", [array(3), "s"], []),
        ("P", [array(3), None], []),
        ("Missing", [array(3), None], []),
        ("typing.Any", [None], []),
        ('"not python ["', [array(3)], []),
        (
            'PyTree[Float[Array, "n"]]',
            [array(3), (array(3), ListValue([array(3)])), None, (), DictValue({"a": array(3), "b": None}), UNKNOWN],
            [(array(3), array(4)), DictValue({"a": (array(3), array(3, 3))}), (array(3), 1.0)],
        ),
        ("PyTree", [array(3), None, "s"], []),
        ('PyTree[Float[Array, "?n"], "S"]', [(array(3), array(4))], [(array(3), array(4, 4))]),
        ("PyTree[P]", [(array(3), 1.0)], []),
        ("arraytyping.Array", [array(3), 1], [None]),
        ("arraytyping.Array[arraytyping.float32]", [array(3)], [array(3, dtype="int32"), None, 1.0]),
        (
            "arraytyping.Array[arraytyping.float32 | arraytyping.int32]",
            [array(3), array(3, dtype="int32")],
            [array(3, dtype="int8")],
        ),
        (
            "arraytyping.Array[arraytyping.floating, tuple[typing.Literal[3], int]]",
            [array(3, 9)],
            [array(3), array(4, 9), array(3, 9, dtype="int8")],
        ),
        ("arraytyping.Array[float]", [array(3)], [array(3, dtype="int32")]),
        ("arraytyping.Array[typing.Any, tuple[int, ...]]", [array(3), array(dtype="int8")], [None]),
    ],
)
def test_annotations(annotation: str, good: list[Any], bad: list[Any]) -> None:
    preamble = """
class P:
    pass
Vector = Float[Array, "3"]
Pair = tuple[Float[Array, "n"], "Float[Array, 'm']"]
"""
    for value in good:
        assert not is_refused(annotation, value, preamble), value
    for value in bad:
        assert is_refused(annotation, value, preamble), value


def test_messages() -> None:
    source = """
    def loss(x: Float[Array, "b d"], y: Float[Array, "b"]) -> Float[Array, ""]:
        z: Int32[Array, "d"] = given
        return y

    loss(x, y)
    """
    found = messages(source, x=array(32, 8), y=array(16), given=array(8))
    assert found == [
        "6: argument 'y' of loss is float32[16], but Float[Array, \"b\"] is expected: 'b' is 32 by argument 'x' of "
        "loss (line 2), and 16 by argument 'y'; give both the same size",
        '3: the assigned value is float32[8], but Int32[Array, "d"] is expected: its dtype is float32, not int32; '
        "convert it with .astype('int32')",
        '4: the value that loss returns is float32[16], but Float[Array, ""] is expected: it has 1 dimension, not 0; '
        "change the value or the annotation",
    ]


@pytest.mark.parametrize(
    ("annotation", "value", "message"),
    [
        ('Float[Array, "3"]', array(2), "its dimension 0 is 2, not 3; change the value or the annotation"),
        ('Float[Array, "n n+1"]', array(2, 2), "its dimension 1 is 2, not n+1 = 3; change the value or the annotation"),
        (
            'Float[Array, "a b ..."]',
            array(2),
            "it has 1 dimension, and at least 2 are needed; change the value or the annotation",
        ),
        ('Float[Array, "3"]', NUMPY, "a NumPy array is no jax.Array; convert it with jnp.asarray"),
        (
            'Float[Array, ""]',
            0.5,
            "a Python number is no array; make it one with jnp.asarray, or let the annotation take numbers",
        ),
        ('Float[Array, ""]', None, "None is no array; write `| None` in the annotation if None is meant"),
        ('Float[Array, ""] | Int[Array, "n"]', array(2), "it fits none of them; change the value or the annotation"),
        (
            'tuple[Array, Float[Array, "n"]]',
            (array(), array()),
            "argument 'x' of f at [1] is float32[], but Float[Array, \"n\"] is expected: it has 0 dimensions, not 1; "
            "change the value or the annotation",
        ),
        (
            "Key[Array, '']",
            array(2, dtype="uint32"),
            "its dtype is uint32, not a typed key; change the value or the annotation",
        ),
        (
            "Float[Array, '']",
            array(dtype="int32"),
            "its dtype is int32, not one of Float; change the value or the annotation",
        ),
    ],
)
def test_reasons(annotation: str, value: Any, message: str) -> None:
    (found,) = messages(f"def f(x: {annotation}): pass\nf(given)", given=value)
    assert found.endswith(message)


def test_of_an_array_of_either_library_the_size_is_told() -> None:
    source = 'def f(x: Float[Array | np.ndarray, "m"], y: Float[Array | np.ndarray, "m+1"]): pass\nf(x, y)'
    (found,) = messages(source, x=array(3), y=NUMPY)
    assert found.endswith("its dimension 0 is 3, not m+1 = 4; change the value or the annotation"), found


def test_variadic_dimensions_name_both_places() -> None:
    (found,) = messages(
        'def f(x: Float[Array, "*b n"], y: Float[Array, "*b n"]): pass\nf(x, y)', x=array(2, 3, 4), y=array(2, 5, 4)
    )
    assert found.endswith(
        "'*b' is (2, 3) by argument 'x' of f (line 1), and (2, 5) by argument 'y'; give both shapes that are the same"
    )


def test_each_call_has_its_own_sizes() -> None:
    source = """
    def g(x: Float[Array, "n"]) -> Float[Array, "n"]:
        return x
    def f(x: Float[Array, "n"], y: Float[Array, "m"]) -> Float[Array, "n"]:
        g(y)
        return g(x)
    f(x, y)
    f(y, x)
    """
    assert messages(source, x=array(3), y=array(4)) == []


def test_branches_do_not_share_sizes() -> None:
    source = """
    def f(x: Float[Array, "n"], flag) -> Float[Array, "m"]:
        if flag:
            y: Float[Array, "m"] = a
        else:
            y: Float[Array, "m"] = b
        z: Float[Array, "m"] = b
        w: Float[Array, "n"] = b
        return y
    f(c, flag)
    """
    values = {"a": array(3), "b": array(4), "c": array(4), "flag": ScalarValue(bool)}
    assert messages(source, **values) == []
    values["c"] = array(5)
    (found,) = messages(source, **values)
    assert "'n' is 5" in found


def test_a_size_of_both_branches_stays() -> None:
    source = """
    def f(flag):
        if flag:
            y: Float[Array, "m"] = a
        else:
            y: Float[Array, "m"] = a
        z: Float[Array, "m"] = b
    f(flag)
    """
    # Where it got its size differs between the paths, so that nothing is said of it.
    assert messages(source, a=array(3), b=array(4), flag=ScalarValue(bool)) == []


def test_modules_and_classes_have_no_sizes() -> None:
    source = """
    x: Float[Array, "n"] = a
    y: Float[Array, "n"] = b
    class C:
        z: Float[Array, "n"] = a
    """
    assert messages(source, a=array(3), b=array(4)) == []


def test_fields_are_checked_for_dtypes_only() -> None:
    source = """
    class P(typing.NamedTuple):
        w: Float[Array, "n"]
        b: Array
        i: Int[Array, ""]
    P(a, None, c)
    P(0, 0, None)
    P(a, a, a)
    """
    (found,) = messages(source, a=array(3, 4), c=array(7, dtype="int8"))
    assert found.startswith(
        "8: field 'i' of P is float32[3, 4], but Int[Array, \"\"] is expected: its dtype is float32"
    )


def test_defaults_are_not_held_against_annotations() -> None:
    source = """
    def f(x: Float[Array, "n"], *, key: PRNGKeyArray = None, scale: Float[Array, ""] = 1.5): pass
    f(x)
    f(x, key=None)
    f(x, scale=2.5)
    """
    assert [m[:2] for m in messages(source, x=array(3))] == ["5:"]


def test_an_annotation_may_mean_something_else_in_each_call() -> None:
    source = """
    def make(n, given):
        V = Float[Array, n]
        def f(x: V): pass
        f(given)
    make("3", a)
    make("4", b)
    make("3", b)
    """
    (found,) = messages(source, a=array(3), b=array(4))
    assert found.startswith("5:")


def test_sizes_in_braces() -> None:
    source = """
    class M:
        def __init__(self, n):
            self.n = n
        def f(self, x: Float[Array, "{self.n}"], k) -> Float[Array, "{self.n}+1 {k}"]:
            return result
    M(3).f(a, 2)
    """
    assert messages(source, a=array(3), result=array(4, 2)) == []
    assert [m.partition(":")[0] for m in messages(source, a=array(4), result=array(4, 3))] == ["7", "6"]


def test_symbolic_sizes() -> None:
    source = 'def f(x: Float[Array, "n"], y: Float[Array, "n+1"]) -> Float[Array, "2*n"]: return z\nf(x, y)'
    n = symbol("k", 0)
    one = n + symbol("one", 1, 1)
    assert messages(source, x=array("k"), y=array("k"), z=array(8))[0].startswith("2: argument 'y' of f is float32[k]")
    assert messages(source, x=array("k"), y=array("j"), z=array(8)) == []
    assert one.bounds() == (1, None)
    assert differ(SymbolicDim("unheard of"), 3) is False
    assert messages(source, x=array(None), y=array(4), z=array(4)) == []
    (odd,) = messages(source, x=array(None), y=array(4), z=array(3))
    assert "its dimension 0 is 3, not 2*n" in odd


def test_a_name_is_held_against_every_size_it_was_seen_with() -> None:
    source = 'def f(x: Float[Array, "n"], y: Float[Array, "n"], z: Float[Array, "n"]): pass\nf(x, y, z)'
    (found,) = messages(source, x=array("k"), y=array(4), z=array(5))
    assert "'n' is 4 by argument 'y' of f (line 1), and 5 by argument 'z'" in found


def test_nothing_is_recorded_at_annotations() -> None:
    it = machine()
    source = 'def f(x: Missing[Array, "n"], y: Float[Array, unknown], z: Missing.Name): pass\nf(given, given, given)'
    run(source, it, given=array(3), unknown=UNKNOWN)
    assert not it.diagnostics
    assert not any("Missing" in why for why in it.unknowns)


def test_what_annotations_add_to_what_is_known() -> None:
    source = 'def f(x: Float32[Array, "n 3"], y: Float32[Array, "n"]):\n    return x, y\nresult = f(given, other)'
    for trusted in (False, True):
        it = machine()
        TRUST.put(it, trusted)
        seen: list[Any] = []
        run(source + "\nnote(result)", it, given=UNKNOWN, other=HALF_KNOWN, note=_noting(seen))
        x, y = seen[0]
        if trusted:
            assert str(x.aval) == "float32[n, 3]"
            assert y.aval.dtype == "float32"
        else:
            assert (str(x.aval), x.aval.weak_type) == ("float32[n1, 3]", None)
            assert (y.aval.dtype, str(y.aval.shape)) == ("float32", str(x.aval.shape[:1]))


def _noting(seen: list[Any]) -> Any:
    return HandlerValue("note", lambda it, call: seen.append(call.args[0]))


# ---------------------------------------------------------------------- arguments from annotations


@pytest.mark.parametrize(
    ("parameters", "shown"),
    [
        ('x: Float32[Array, "n d"], w: Float32[Array, "d 4"]', "x: float32[n, d], w: float32[d, 4]"),
        ('x: Float[Array, "_ n"], y: Int32[Array, "n+1"]', "x: ?[?, n], y: int32[n + 1]"),
        (
            'x: Float32[Array, "... n"], y: Float32[Array, "*b"], z: Bool[Array, "#n"]',
            "x: float32[...], y: float32[...], z: ?[?]",
        ),
        (
            'x: Float32[Array, ""], k: PRNGKeyArray, n: int, flag: bool, *, rate: float, name: str',
            "x: float32[], k: key<fry>[], n: ScalarValue(int = n1), flag: ScalarValue(bool), "
            "rate: ScalarValue(int|float), name: ScalarValue(str)",
        ),
        (
            'x: tuple[Float32[Array, "n"], list[Float32[Array, "n"]]], y: Array',
            "x: (float32[n], ListValue(* ArrayValue(float32[n]))), y: ?[...]",
        ),
        (
            'x: Float32[np.ndarray, "n"], y: Float32[Array, "n"] | None = None',
            "x: NumPyValue(float32(SymbolicDim(name='n'),))",
        ),
        ("x: Float32[Array, ''], y", None),
        ("x, y: Float32[Array, '']", None),
        ("x: int", None),
        ("x: Float32[Array, ''], y: PyTree", None),
        ("x: Float32[Array, ''], y: Missing", None),
    ],
)
def test_symbolic_arguments(parameters: str, shown: str | None) -> None:
    seen: list[Any] = []
    it = run(f"def f({parameters}): pass\nnote(f)", note=_noting(seen))
    arguments = symbolic_arguments(it, seen[0])

    def show(value: Any) -> str:
        if isinstance(value, ArrayValue):
            return str(value.aval)
        return f"({', '.join(map(show, value))})" if isinstance(value, tuple) else repr(value)

    found = None if arguments is None else ", ".join(f"{name}: {show(value)}" for name, value in arguments.items())
    assert found == shown


def test_symbolic_arguments_of_classes() -> None:
    seen: list[Any] = []
    source = """
    class P(typing.NamedTuple):
        w: Float32[Array, "i o"]
        n: int
    def f(p: P, x: Float32[Array, "i"]): pass
    note(f)
    """
    arguments: dict[str, Any] | None = symbolic_arguments(run(source, note=_noting(seen)), seen[0])
    assert arguments is not None
    assert type(arguments["p"]).__name__ == "P"
    assert str(arguments["p"].w.aval) == "float32[P_i, P_o]"
    assert str(arguments["x"].aval) == "float32[i]"


def test_symbolic_arguments_start_a_function() -> None:
    seen: list[Any] = []
    source = """
    def f(x: Float32[Array, "n d"], y: Float32[Array, "d"]) -> Float32[Array, "n"]:
        return y
    note(f)
    """
    it = run(source, note=_noting(seen))
    arguments = symbolic_arguments(it, seen[0])
    assert arguments is not None
    with it.in_frame(seen[0].frame):
        it.call(seen[0], [], arguments, None)
    assert not it.diagnostics  # d may be n


def test_a_value_is_blamed_once() -> None:
    source = """
    def f(x: Float[Array, "n"]) -> Float[Array, "3"]:
        y: Float[Array, "3"] = x
        return y
    z: Float[Array, "3"] = f(a)
    z: Float[Array, "n n"] = a
    w: Float[Array, "3"] = b
    def g(x: Float[Array, "4 4"]): pass
    g(a)
    g(a)
    """
    assert [m.partition(":")[0] for m in messages(source, a=array(4), b=array(4))] == ["3", "6", "7", "9", "10"]


# ---------------------------------------------------------------------- whole programs


def interpreted(source: str, tmp_path: Path) -> list[str]:
    header = "import jax\nimport jax.numpy as jnp\nfrom jaxtyping import Array, Float, Float32, Int, PRNGKeyArray\n"
    path = tmp_path / "program.py"
    path.write_text(header + textwrap.dedent(source))
    return [f"{m.line - 3}: {m.message}" for m in interpret(path).diagnostics]


def test_transformations_see_the_sizes_of_one_item(tmp_path: Path) -> None:
    source = """
    def norm(x: Float[Array, "d"], w: Float[Array, "d d"]) -> Float[Array, ""]:
        return x @ w @ x
    def step(c: Float[Array, "d"], x: Float[Array, "d"]) -> tuple[Float[Array, "d"], Float[Array, ""]]:
        return c + x, (c * x).sum()
    x, w = jnp.ones((5, 3)), jnp.ones((3, 3))
    jax.vmap(norm, (0, None))(x, w)
    jax.grad(norm)(x[0], w)
    jax.jit(jax.vmap(norm, (0, None)))(x, w)
    jax.lax.scan(step, x[0], x)
    norm(x, w)
    jax.vmap(norm)(x, jnp.ones((5, 4, 3)))
    """
    found = interpreted(source, tmp_path)
    assert any(
        f.startswith("11: argument 'x' of norm is float32[5, 3], but Float[Array, \"d\"] is expected") for f in found
    )
    assert not any(f.startswith(("7", "8", "9", "10")) for f in found)
    assert any("'d' is 3 by argument 'x' of norm (line 5), and 4 by argument 'w'" in f for f in found)


def test_a_program_with_contracts(tmp_path: Path) -> None:
    source = """
    from typing import NamedTuple
    class Params(NamedTuple):
        w: Float32[Array, "i o"]
        b: Float32[Array, "o"]
    def init(key: PRNGKeyArray, i: int, o: int) -> Params:
        return Params(jax.random.normal(key, (i, o)), jnp.zeros(o))
    def forward(p: Params, x: Float[Array, "*b i"]) -> Float[Array, "*b o"]:
        out: Float[Array, "*b o"] = x @ p.w + p.b
        return out
    p = init(jax.random.key(0), 3, 4)
    forward(p, jnp.ones((2, 5, 3)))
    forward(p, jnp.ones(3))
    init(jnp.zeros((3,)), 3, 4)
    Params(jnp.arange(3), p.b)
    """
    found = interpreted(source, tmp_path)
    assert [f.partition(":")[0] for f in found if "is expected" in f] == ["14", "15"]


def test_arrays_of_numpy_and_numbers_are_tolerable() -> None:
    source = """
    def f(x: Float[Array, "n"], y: Float[Array, "n"], z: Float[Array, ""]): pass
    f(a, b, 1.5)
    f(c, b, b)
    """
    it = run(source, a=NUMPY, b=array(4), c=array(4))
    assert [(m.line, m.is_warning) for m in it.diagnostics.values()] == [(3, True), (3, False), (3, True), (4, False)]
    (found,) = [m for m in it.diagnostics.values() if m.line == 3 and not m.is_warning]
    assert "'n' is 3 by argument 'x' of f" in found.message


def test_what_is_tolerable_hides_nothing() -> None:
    it = run('def f(x: tuple[Array, Float[Array, "n"], Float[Array, "2"]]): pass\nf((a, a, b))', a=NUMPY, b=array(3))
    (found,) = it.diagnostics.values()
    assert not found.is_warning
    assert "at [2] is float32[3]" in found.message


def test_another_structure_of_arrays_alone_is_minor_as_what_is_no_array_is() -> None:
    source = """
    def f(x: tuple[Array], y: tuple[Array, Array] = (1, 2)): pass
    def g(x: tuple[Float[Array, "2"]]): pass
    f((a, a))
    f((a,), a)
    g((a, a))
    """
    it = run(source, a=array(2))
    assert [(m.line, m.is_warning, m.is_minor) for m in it.diagnostics.values()] == [
        (4, True, True),
        (5, True, True),
        (6, False, False),
    ]


def test_the_key_of_a_dict_that_is_a_function_is_named() -> None:
    (found,) = messages("d = {len: 1}\ndef f(x): pass\ndef g(x: dict[str, Array]): pass\ng({f: None})")
    assert "argument 'x' of g at [the function f] is None" in found


def test_what_differs_in_the_value_alone_is_told_together(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "from jax import Array\ndef f(x: Array) -> None: ...\nfor i in ((1, 2), (3, 4), [5]):\n    f(i)\n    f(x=i)\n"
    )
    found = together(interpret(tmp_path / "program.py").diagnostics)
    assert [(m.line, len(m.others), "(the Python int 1, the Python int 2)" in m.message) for m in found] == [
        (4, 1, True),
        (4, 0, False),
        (5, 1, True),
        (5, 0, False),
    ]
    assert all("is expected: a " in m.message for m in found)
    (tmp_path / "program.py").write_text(
        "import jax.numpy as jnp\nx = jnp.ones(3)\nfor i in range(9):\n    x[i], x.at[i].get(mode='clip')\n"
    )
    (one,) = together(m for m in interpret(tmp_path / "program.py").diagnostics if m.is_shown)
    assert "index 3 is out of bounds for axis 0 of size 3; JAX reads index 2" in one.message
    assert len(one.others) == 5


def test_an_argument_is_wrong_where_it_is_given(tmp_path: Path) -> None:
    """The annotation is in another file than the call."""
    (tmp_path / "annotated.py").write_text(
        'from jaxtyping import Array, Float\ndef f(x: Float[Array, "n"]) -> None: ...\n'
    )
    (tmp_path / "program.py").write_text(
        "import jax.numpy as jnp\nfrom annotated import f\n\n\n\nf(jnp.ones((2, 3)))\n"
    )
    (diagnostic,) = interpret(tmp_path / "program.py").diagnostics
    assert (Path(diagnostic.path).name, diagnostic.line, diagnostic.code) == ("program.py", 6, "array-annotation")
