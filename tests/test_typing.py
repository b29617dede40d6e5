"""`arraytyping.typing`: what checkers, `isinstance`, `check`, beartype and typeguard make of the same annotations."""

from __future__ import annotations

import copy
import json
import pickle
import re
import runpy
import shutil
import subprocess
import sys
import timeit
import typing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Literal, Optional, TypeVar

import numpy as np
import pytest
import typeguard
from beartype import beartype
from beartype.door import is_bearable
from beartype.roar import BeartypeCallHintViolation
from checkers import CHECKERS, ROOT, STUBS, Run, _kept_twins, run, shared_environment
from warm_caches import usual_copy

import arraytyping as at
import arraytyping.numpy as anp
import arraytyping.typing as att
from arraytyping import Array, bool_, float32, floating, generic, int8, integer
from arraytyping.basearray import Array as BaseArray
from arraytyping.runtime.core import Tracer
from arraytyping.typing import ArrayLike, DTypeLike, KeyArray, NamedShape, Shape, ShapeLike, check, ensure, prng_key

CASES = ROOT / "typecheck_cases" / "typing"
FENCED = re.compile(r"```python\n(.*?)```", re.DOTALL)
GUIDE = FENCED.findall(att.__doc__ or "")
PAGES = {
    name[1]: program
    for page in ("annotating", "migrating")
    for program in FENCED.findall((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"))
    if (name := re.match(r"# (\w+)\.py\n", program))
}
WRONG = {"strict": {21, 22, 23}}
"""The programs of the pages with mistakes, and the lines on which these are."""
T = TypeVar("T")

x = anp.zeros((3, 4), float32)
bytes_ = anp.ones((3,), int8)
weak_float, weak_int = anp.asarray(1.0), anp.asarray(1)
Rows = tuple[Literal[3], int]


def loaded_by(statement: str) -> set[str]:
    """Which packages of arrays a fresh interpreter has loaded after this."""
    program = f"{statement}\nimport json, sys; print(json.dumps(sorted({{n.partition('.')[0] for n in sys.modules}})))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout)) & {"numpy", "jax", "jaxlib", "ml_dtypes"}


def test_importing_it_loads_no_array_library() -> None:
    uses = "from arraytyping.typing import *; assert check(1.0, ArrayLike[Array]) if False else check(1.0, ArrayLike)"
    assert loaded_by("import arraytyping.typing") == set()
    assert loaded_by(uses) == {"numpy", "ml_dtypes"} & loaded_by("from arraytyping.typing import DType")
    assert loaded_by("from arraytyping import Array, float32; Array[float32]") == set()
    # the control: what must be absent would be seen
    assert loaded_by("import arraytyping.typing, arraytyping.numpy") >= {"numpy", "jaxlib"}
    assert "jax" in loaded_by("import arraytyping.typing, jax")


# A value, an annotation, and whether the value is one of it.
ARRAYS: list[tuple[Any, Any, bool]] = [
    (x, Array, True),
    (x, Array[float32], True),
    (x, Array[float32, Rows], True),
    (x, Array[float32, tuple[Literal[4], int]], False),
    (x, Array[float32, tuple[int]], False),
    (x, Array[float32, tuple[Literal[3, 5], int]], True),
    (x, Array[float32, tuple[Literal[4, 5], int]], False),
    (x, Array[Any, tuple[int, ...]], True),
    (x, Array[Any, tuple[Literal[3], ...]], False),
    (x, Array[Any, tuple[Literal[3], *tuple[int, ...]]], True),
    (x, Array[Any, tuple[*tuple[int, ...], Literal[4]]], True),
    (x, Array[Any, tuple[*tuple[int, ...], Literal[3]]], False),
    (x, Array[Any, tuple[int, int, int, *tuple[int, ...]]], False),
    (x, Array[Any, tuple[()]], False),
    (x.sum(), Array[Any, tuple[()]], True),
    (x, Array[Any, tuple[int] | Rows], True),
    (x, Array[Any, tuple[int] | tuple[int, int, int]], False),
    (x, Array[floating], True),
    (x, Array[generic], True),
    (x, Array[integer], False),
    (x, Array[int8 | float32], True),
    (x, Array[float], False),
    (x, Array[float | float32], True),
    (x > 0, Array[bool_], True),
    (weak_int < 2, Array[bool_], True),  # weak, and shown as bool_ all the same
    (weak_float, Array[float], True),
    (weak_float, Array[float32], False),
    (weak_float, Array[floating], False),
    (weak_float, Array[int], False),
    (weak_int, Array[int], True),
    (weak_int, Array[float], False),  # strict: PEP 484 lets an int pass for a float, JAX does not
    (weak_int + 1.5, Array[float, tuple[()]], True),
    (1.0, Array, False),
    (np.zeros(3), Array, False),
    ([x], Array, False),
    (x, KeyArray, False),
]
OTHERS: list[tuple[Any, Any, bool]] = [
    *((v, ArrayLike, True) for v in (x, 1, 1.5, 2j, True, np.zeros(3), np.float32(1), np.bool_(True), weak_int)),
    *((v, ArrayLike, False) for v in ([1], (1,), "x", None, {"x": x}, np.array(["a"]), np.array([None]), float32)),
    *((v, ArrayLike[float32], True) for v in (x, 1, 1.5, True, weak_float, weak_int, np.zeros(3), np.float32(1))),
    *((v, ArrayLike[float32], False) for v in (2j, bytes_, x > 0, np.zeros(3, int), np.zeros(3, np.float16), [1.0])),
    *((v, ArrayLike[int8], True) for v in (1, True, weak_int, bytes_, np.int8(1))),
    *((v, ArrayLike[int8], False) for v in (1.5, weak_float, x, np.arange(3))),
    *((v, ArrayLike[float], True) for v in (1, 1.5, True, weak_float, weak_int)),
    *((v, ArrayLike[float], False) for v in (2j, x)),
    *((v, ArrayLike[Any, tuple[()]], True) for v in (1.5, weak_int, np.float32(1), x.sum())),
    *((v, ArrayLike[Any, tuple[()]], False) for v in (x, np.zeros(1))),
    *((v, ArrayLike[float32, Rows], True) for v in (x, np.zeros((3, 1)))),
    *((v, ArrayLike[float32, Rows], False) for v in (x.T, 1.0, np.zeros((4, 1)))),
    *((v, DTypeLike, True) for v in ("float32", "f4", "bfloat16", float32, int, bool, np.float32, np.dtype("i1"), x)),
    *((v, DTypeLike, False) for v in ("x", floating, np.floating, object, str, np.dtype("O"), None, 3, [float32])),
    *((v, ShapeLike, True) for v in (3, (3, 4), [3, 4], (), np.int64(3), (np.int32(2), 1), weak_int, range(3))),
    *((v, ShapeLike, False) for v in ("ab", 2.5, (2.5,), None, -1, (-1, 2), x, weak_float, np.zeros(3), {3})),
    *((v, att.DType, True) for v in (x.dtype, np.dtype("int8"))),
    *((v, att.DType, False) for v in ("int8", int8)),
    ((3, 4), Shape, True),
    ([3, 4], Shape, False),
    ((3, "a"), Shape, False),
    ({"batch": 3}, NamedShape, True),
    ({"batch": "x"}, NamedShape, False),
    (x, att.SupportsDType, True),
    (None, Array | None, True),
    (x, Array[int8] | None, False),
    ([x, x], list[Array[float32]], True),
    ([x, bytes_], list[Array[float32]], False),
    ((x, 1), tuple[Array, int], True),
    ((x,), tuple[Array, int], False),
    ({"w": x}, dict[str, Array[float32]], True),
    ({"w": x}, dict[str, Array[int8]], False),
    ({"w": [(x, bytes_)]}, dict[str, list[tuple[Array[float32], Array[int8]]]], True),
    ((x, x), Sequence[Array[float32]], True),
    (x, typing.Annotated[Array[float32], "rows"], True),
    (x, Optional[ArrayLike[int8]], False),  # noqa: UP045
]  # fmt: skip


@pytest.mark.parametrize("case", [*ARRAYS, *OTHERS], ids=lambda c: "")
def test_check_says_what_beartype_and_typeguard_say(case: tuple[Any, Any, bool]) -> None:
    value, annotation, expected = case
    assert check(value, annotation) is expected, (value, annotation)
    if not isinstance(value, tuple | list) or len(value) < 2 or expected:  # of several items beartype looks at one
        assert is_bearable(value, annotation) is expected, (value, annotation)
    strategy = typeguard.CollectionCheckStrategy.ALL_ITEMS
    try:
        typeguard.check_type(value, annotation, collection_check_strategy=strategy)
        said = True
    except typeguard.TypeCheckError:
        said = False
    assert said is expected, (value, annotation)


@pytest.mark.parametrize("case", [c for c in [*ARRAYS, *OTHERS] if isinstance(c[1], type)], ids=lambda c: "")
def test_isinstance_says_it_too(case: tuple[Any, Any, bool]) -> None:
    value, annotation, expected = case
    assert isinstance(value, annotation) is expected


def seen_inside(value: Any) -> dict[str, tuple[bool, ...]]:
    """What is said of an argument outside of all transformations, and inside of each."""
    found: dict[str, tuple[bool, ...]] = {}
    any_array: Any = ArrayLike
    row: Any = Array[float32, tuple[Literal[4]]]

    def looks(name: str) -> Callable[[Any], Any]:
        def function(v: Any) -> Any:
            assert isinstance(v, Tracer) is (name != "outside")
            found[name] = (
                *(check(v, a) for a in (Array[float32, Rows], Array[float], Array[int8], ArrayLike[float32])),
                isinstance(v, any_array),
                is_bearable(v, row),
            )
            return (v * 1.0).sum()

        return function

    looks("outside")(value)
    at.jit(looks("jit"))(value)
    at.grad(looks("grad"))(value)
    at.jit(at.grad(looks("jit of grad")))(value)
    if value.ndim:
        at.vmap(looks("vmap"))(value)
    return found


def test_tracers_are_looked_at_as_arrays_are() -> None:
    whole, row = (True, False, False, True, True, False), (False, False, False, True, True, True)
    found = seen_inside(x)
    assert found.pop("vmap") == row
    assert found == dict.fromkeys(("outside", "jit", "grad", "jit of grad"), whole)


def test_weak_types_are_looked_at_inside_too() -> None:
    weak = (False, True, False, True, True, False)
    assert seen_inside(weak_float) == dict.fromkeys(("outside", "jit", "grad", "jit of grad"), weak)
    found: list[bool] = []
    at.jit(lambda v: found.append(check(v, Array[float])))(1.5)
    assert found == [True]


def test_x64_decides_what_a_numpy_array_becomes() -> None:
    double = np.zeros(3)
    assert check(double, ArrayLike[float32])
    assert not check(double, ArrayLike[at.float64])
    with at.enable_x64(True):
        assert check(double, ArrayLike[at.float64])
        assert not check(double, ArrayLike[float32])


def total(v: Any, n: Any = 1) -> Any:
    return (v * n).sum()


def test_functions_are_checked_at_run_time() -> None:
    @beartype
    def bear(v: Array[float32, Rows], n: ArrayLike = 1) -> Array[float32, tuple[()]]:
        result: Array[float32, tuple[()]] = total(v, n)
        return result

    @typeguard.typechecked
    def guarded(v: Array[float32, Rows]) -> Array[float32, tuple[()]]:
        result: Array[float32, tuple[()]] = total(v)
        return result

    functions: list[Any] = [bear, at.jit(bear), guarded, at.jit(guarded)]
    for function in functions:
        assert float(function(x)) == 0
        with pytest.raises((BeartypeCallHintViolation, typeguard.TypeCheckError), match=r"Array\[float32"):
            function(bytes_)
    with pytest.raises(BeartypeCallHintViolation, match="ArrayLike"):
        bear(x, [1.0])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "annotation", "sentence"),
    [
        (x, Array[float32, tuple[Literal[4], int]],
         "v: Array[float32, tuple[Literal[4], int]] is expected, got float32[3, 4]: dimension 0 has size 3, not 4"),
        (x, Array[Any, tuple[int]],
         "v: Array[Any, tuple[int]] is expected, got float32[3, 4]: it has 2 dimensions, not 1"),
        (x, Array[float], "v: Array[float] is expected, got float32[3, 4]: its dtype is float32, not weak float"),
        (weak_float, Array[int8],
         "v: Array[int8] is expected, got float32[] (weak): its dtype is weak float32, not int8"),
        (x, Array[Any, tuple[int] | tuple[Literal[4], int]],
         "v: Array[Any, tuple[int] | tuple[Literal[4], int]] is expected, got float32[3, 4]: its shape is (3, 4), none "
         "of tuple[int] | tuple[Literal[4], int]"),
        ([x, 1], list[Array[float32]],
         "v: list[Array[float32]] is expected, got a list: item 1 is int 1, no Array[float32]"),
        ({"a": x}, dict[str, Array[int8]],
         "v: dict[str, Array[int8]] is expected, got a dict: item 'a' is float32[3, 4], and its dtype is float32, not "
         "int8"),
        ([1], ArrayLike, "v: ArrayLike is expected, got a list: it is no array; make one of it with asarray"),
        (np.zeros(3), ArrayLike[int8],
         "v: ArrayLike[int8] is expected, got numpy float64[3]: as an array, its dtype is float32, not int8"),
        (None, Array, "v: Array is expected, got None"),
        (floating, DTypeLike,
         "v: DTypeLike is expected, got the class floating: floating stands for several dtypes; give one of them"),
        ((1, "a"), ShapeLike, "v: ShapeLike is expected, got a tuple: item 1 is 'a', which is no size"),
        (x, "Array", "'Array' is an annotation as text; typing.get_type_hints makes the class of it"),
        (x, 3, "3 is no annotation that can be checked; give a class, a type of arraytyping.typing, or a union, tuple, "
               "list or dict of these"),
    ],
)  # fmt: skip
def test_ensure_says_why(value: Any, annotation: Any, sentence: str) -> None:
    with pytest.raises(TypeError) as raised:
        ensure(value, annotation, "v")
    assert str(raised.value) == sentence
    assert ensure(x, Array) is x


DTYPE_EXPECTED = (
    "the first parameter is a dtype: a scalar type such as arraytyping.float32, int, float or complex for a weak type, "
    "a union of these, or Any; got "
)
SHAPE_EXPECTED = "the second parameter is a shape: a tuple type such as tuple[Literal[3], int], or Any; got "


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ("x", f"Array['x']: {DTYPE_EXPECTED}'x'"),
        ("float32", f"Array['float32']: {DTYPE_EXPECTED}'float32'; write arraytyping.float32"),
        (np.float32, f"Array[numpy.float32]: {DTYPE_EXPECTED}numpy.float32; write arraytyping.float32"),
        (bool, f"Array[bool]: {DTYPE_EXPECTED}bool; write arraytyping.bool_"),
        (None, f"Array[None]: {DTYPE_EXPECTED}None"),
        ([float32], f"Array[[float32]]: {DTYPE_EXPECTED}[float32]"),
        ((float32, 3), f"Array[float32, 3]: {SHAPE_EXPECTED}3; write tuple[Literal[3]]"),
        ((float32, "batch 3"), f"Array[float32, 'batch 3']: {SHAPE_EXPECTED}'batch 3'"),
        ((float32, tuple[3]),  # type: ignore[valid-type]
         "Array[float32, tuple[3]]: a size in a shape is Literal[3], int, or Any; got 3; write Literal[3]"),
        ((float32, Any, Any),
         "Array[float32, Any, Any]: Array takes a dtype and a shape, got 3 parameters; a shape is one tuple type, such "
         "as tuple[Literal[3], int]"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", [Array, ArrayLike], ids=["Array", "ArrayLike"])
def test_a_bad_annotation_gets_one_sentence(form: Any, parameters: Any, sentence: str) -> None:
    with pytest.raises(TypeError) as raised:
        form[parameters]
    assert str(raised.value) == sentence


def test_the_types_are_classes_with_names() -> None:
    assert Array is BaseArray
    assert repr(Array[float32, Rows]) == "arraytyping.Array[float32, tuple[Literal[3], int]]"
    assert repr(ArrayLike | None) == "arraytyping.typing.ArrayLike | None"
    assert repr(ArrayLike[float32]) == "arraytyping.typing.ArrayLike[float32]"
    assert all(isinstance(form, type) for form in (Array[float32, Rows], ArrayLike[float32], DTypeLike, ShapeLike))
    assert Array[float32, Rows] is Array[float32, Rows]
    assert ArrayLike[float32] is ArrayLike[float32]
    any_array: Any = ArrayLike
    assert len({Array[float32], Array[int8], Array[float32, Any]}) == 2
    same: Any = Array[float32, Rows]
    assert pickle.loads(pickle.dumps(same)) is same
    assert copy.deepcopy(same) is same
    assert issubclass(same, Array)
    with pytest.raises(TypeError, match="Array is not made by calling it"):
        same()
    with pytest.raises(TypeError, match="ArrayLike is not called"):
        any_array(x)


def test_type_variables_make_generic_aliases() -> None:
    alias: Any = Array[T, Any]  # type: ignore[valid-type]
    assert typing.get_origin(alias) is Array
    assert check(x, alias)
    assert not check(1.0, alias)

    class Wrapped(Array[T, Any], Generic[T]):
        __slots__ = ()

    assert issubclass(Wrapped, Array)


def test_keys_are_arrays_of_keys() -> None:
    key = at.random.key(0)
    assert check(key, KeyArray)
    assert check(key, Array[prng_key])
    assert check(key, KeyArray[tuple[()]])
    assert not check(key, KeyArray[tuple[int]])
    assert not check(key, Array[at.uint32])
    assert not check(key, ArrayLike)
    assert not check(key, ArrayLike[float32])
    assert [check(k, KeyArray[tuple[Literal[2]]]) for k in (key, at.random.split(key))] == [False, True]
    seen: list[bool] = []
    at.jit(lambda k: seen.append(check(k, KeyArray) and not check(k, Array[float32])))(key)
    assert seen == [True]
    assert not check(anp.zeros(2, at.uint32), KeyArray)


def test_subscription_costs_no_more_than_pythons_own() -> None:
    class Plain(Generic[T]):
        pass

    names = {"Array": Array, "Plain": Plain, "float32": float32}
    plain, ours = (
        min(timeit.repeat(f"{name}[float32]", globals=names, number=10_000, repeat=7)) for name in ("Plain", "Array")
    )
    assert ours < 1.5 * plain


@pytest.mark.parametrize("program", GUIDE, ids=range(len(GUIDE)))
def test_the_programs_of_the_guide_run(program: str) -> None:
    namespace: dict[str, Any] = {"__name__": "guide"}
    exec(compile(program, "guide", "exec"), namespace)
    functions = [v for v in namespace.values() if getattr(v, "__module__", "") == "guide" and hasattr(v, "__wrapped__")]
    assert all(typing.get_type_hints(f) for f in functions)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """One run of each checker over the cases and the programs of the guide."""
    stubs = [p.name for p in STUBS.iterdir() if p.name == "arraytyping-stubs"]
    # beside the stubs, as pip installs them
    sources = ("src/arraytyping", "mypy_plugin/arraytyping_mypy")
    env = shared_environment(tmp_path_factory.mktemp("env"), stubs, sources)
    usual_copy(_kept_twins.get(env, env) / "mypy-True")  # where mypy with the plugin has its cache
    folder = tmp_path_factory.mktemp("cases")
    for case in CASES.glob("*.py"):
        shutil.copy(case, folder)
    for n, program in enumerate(GUIDE):
        if "anp" in program and not stubs:
            continue  # without stubs the functions of arrays say nothing to a checker, and are much to read
        (folder / f"guide_{n}.py{'i' if ': ...' in program else ''}").write_text(program)
    for name, program in PAGES.items():
        (folder / f"page_{name}.py").write_text(program)
    (folder / "names.py").write_text("from arraytyping.typing import ArrayLike\nx: ArrayLike = [1]\n")
    files = sorted(f.name for f in folder.glob("*.py*"))
    return _Runs(lambda checker: run(checker, env, folder, files))


class _Runs(dict[str, Run]):
    """The runs, each made when it is first asked for."""

    def __init__(self, make: Callable[[str], Run]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, checker: str) -> Run:
        self[checker] = self._make(checker)
        return self[checker]


EACH = [pytest.param(c, marks=pytest.mark.thorough) if c in ("basedpyright", "mypy") else c for c in CHECKERS]
"""The twin of basedpyright is pyright, and that of mypy alone mypy with the plugin; zuban is without it."""


@pytest.mark.parametrize("checker", EACH)
@pytest.mark.parametrize("case", sorted(CASES.glob("*.py")), ids=lambda c: c.stem)
def test_checkers_find_the_mistakes_and_no_others(case: Path, checker: str, runs: Mapping[str, Run]) -> None:
    lines = case.read_text().splitlines()
    marked = {n for n, line in enumerate(lines, 1) if line.endswith("# mistake")}
    assert bool(marked) is case.name.startswith("fail_")
    if checker == "ty" and any((STUBS / "arraytyping-stubs").glob("*.pyi")):
        marked |= {n for n, line in enumerate(lines, 1) if line.endswith("# refused by ty")}
    assert set(runs[checker].reports.get(case.name, {})) == marked


@pytest.mark.parametrize("checker", EACH)
def test_checkers_find_the_guide_right(checker: str, runs: Mapping[str, Run]) -> None:
    assert {f: lines for f, lines in runs[checker].reports.items() if f.startswith("guide_")} == {}


@pytest.mark.parametrize("name", PAGES)
def test_the_programs_of_the_pages_run(name: str) -> None:
    namespace = {"__name__": name, "reveal_type": lambda value: value}
    exec(compile(PAGES[name], f"{name}.py", "exec"), namespace)


@pytest.mark.parametrize("checker", EACH)
def test_checkers_find_in_the_pages_what_these_say(checker: str, runs: Mapping[str, Run]) -> None:
    found = {f: set(lines) for f, lines in runs[checker].reports.items() if f.startswith("page_")}
    assert found == {f"page_{name}.py": lines for name, lines in WRONG.items()}


@pytest.mark.parametrize("checker", ["pyright", pytest.param("basedpyright", marks=pytest.mark.thorough), "ty"])
def test_a_message_names_the_alias(checker: str, runs: Mapping[str, Run]) -> None:
    said = runs[checker].reports["names.py"]
    assert set(said) == {2}
    assert re.search(r"\"ArrayLike|`ArrayLike", runs[checker].output.replace('\\"', '"'))


@pytest.mark.parametrize("case", sorted(CASES.glob("pass_*.py")), ids=lambda c: c.stem)
def test_the_cases_that_pass_run(case: Path) -> None:
    runpy.run_path(str(case))
