"""The class of arrays at run time, and all that an array offers, against jax's."""

from __future__ import annotations

import copy
import functools
import inspect
import operator
import pickle
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Callable, Hashable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax._src.numpy.array_methods import _IndexUpdateRef
from runtime_pairs import OURS, THEIRS, check_same, outcome, raised_like

import arraytyping
import arraytyping.core
import arraytyping.numpy as anp
from arraytyping import Array
from arraytyping.random.key_arrays import PRNGKeyArray
from arraytyping.runtime.array import ArrayImpl
from arraytyping.runtime.core import Tracer
from arraytyping.runtime.sharding import SingleDeviceSharding

THEIR_CLASS = type(jnp.ones(3))

LEFT_OUT = {
    "__del__": "jaxlib's array frees its memory when ours is gone",
    "__dict__": "an array has no attributes but its own",
    "format": "how a GPU or TPU lays out memory, which this package leaves to XLA",
    "traceback": "jaxlib's record of where an array was made, which its profiler reads",
}
if sys.version_info >= (3, 12):  # before, Python shows no name for what C++ offers here
    LEFT_OUT |= dict.fromkeys(("__buffer__", "__release_buffer__"), "`__array__` and `__dlpack__` share the memory")
"""What an array of jax has and one of this package does not, and why."""


def names_of_jax() -> set[str]:
    """The names of everything public that an array of jax has, special methods included."""
    found = {*dir(jax.Array), *dir(jnp.ones(3))} - set(dir(object))
    found.discard("__slotnames__")  # which copyreg puts there once an array has been copied
    return {n for n in found if not n.startswith("_") or (n.startswith("__") and n.endswith("__"))}


def parameters(function: Any) -> list[tuple[str, Any, str]]:
    return [(p.name, p.kind, repr(p.default)) for p in list(inspect.signature(function).parameters.values())[1:]]


def test_an_array_has_all_that_an_array_of_jax_has() -> None:
    names = names_of_jax()
    assert len(names) > 130
    assert {n for n in names if n not in dir(ArrayImpl)} == set(LEFT_OUT)
    wrong = []
    for name in names - set(LEFT_OUT):
        ours, theirs = inspect.getattr_static(ArrayImpl, name), inspect.getattr_static(THEIR_CLASS, name)
        if isinstance(ours, property) != isinstance(theirs, property) and callable(ours) != callable(theirs):
            wrong.append(f"{name} is {type(ours).__name__} and in jax {type(theirs).__name__}")
        if not callable(ours) or name in ("__class_getitem__", "__parameters__"):
            continue
        try:
            expected = parameters(theirs)
        except ValueError:  # C++
            continue
        if parameters(ours) != expected:
            wrong.append(f"{name}{inspect.signature(ours)} and in jax {inspect.signature(theirs)}")
    assert wrong == []


def test_no_kind_of_array_hides_what_arrays_have() -> None:
    kinds: list[type] = [Array]
    for kind in kinds:
        kinds += kind.__subclasses__()
    assert len(kinds) > 5
    for kind in kinds[1:]:
        if kind is PRNGKeyArray:  # no array of numbers, as it says itself
            continue
        hidden = {n for n in vars(kind) if hasattr(Array, n) and not n.startswith("__")}
        assert hidden == set(), kind


def test_updates_have_all_that_those_of_jax_have() -> None:
    ours = type(anp.ones(3).at[0])
    names = [n for n in dir(_IndexUpdateRef) if not n.startswith("_") and callable(getattr(_IndexUpdateRef, n))]
    assert len(names) > 8
    for name in names:
        assert parameters(getattr(ours, name)) == parameters(getattr(_IndexUpdateRef, name)), name


def test_array_is_the_base_of_what_has_values_and_of_what_is_traced() -> None:
    x = anp.asarray([1.0, 2])
    assert anp.ndarray is Array
    assert isinstance(x, Array)
    assert type(x) is ArrayImpl is not Array
    assert issubclass(Tracer, Array)
    assert not isinstance(np.ones(3), Array)
    assert not isinstance(2.0, Array)
    for make in (Array, ArrayImpl.__mro__[1]):
        with pytest.raises(TypeError, match="use a function that makes arrays, such as zeros or asarray"):
            make((3,))

    def is_array(x: Any) -> Any:
        assert isinstance(x, Array)
        assert type(x) is not Array
        return x

    for transformed in (
        is_array, arraytyping.jit(is_array), arraytyping.vmap(is_array),
        lambda x: arraytyping.jvp(is_array, (x,), (x,))[0],
        lambda x: arraytyping.vjp(is_array, x)[0], lambda x: arraytyping.linearize(is_array, x)[0],
        arraytyping.checkpoint(is_array),
    ):  # fmt: skip
        assert isinstance(transformed(x), ArrayImpl)


def test_the_test_of_jep_12049() -> None:
    @arraytyping.jit  # type: ignore[untyped-decorator]
    def f(x: arraytyping.Array) -> arraytyping.Array:
        assert isinstance(x, arraytyping.core.Tracer)
        return x

    assert isinstance(f(anp.zeros(3)), arraytyping.Array)


REPRESENTED: list[Any] = [
    2, 2.5, True, 1j, [], [[], []], [1, 2, 3], [[1.0, -2.5], [1e10, 3]], [1 + 2j], [True, False], [float("nan"), 1e-8],
    np.arange(2000), np.arange(60.0).reshape(3, 4, 5), np.linspace(0, 1, 40), np.zeros((2, 0, 3)), np.arange(28) * 1.5,
    np.arange(3, dtype=np.uint8), np.float16(1.5), np.arange(25) / 7,
]  # fmt: skip


@pytest.mark.parametrize("function", [repr, str, "{}".format], ids=["repr", "str", "format"])
def test_arrays_are_written_as_jax_writes_them(function: Callable[[Any], str]) -> None:
    values: list[tuple[Any, str | None]] = [(v, None) for v in REPRESENTED]
    values += [([0, 1, -1], d) for d in ("int4", "bfloat16", "float8_e4m3fn", "float8_e5m2fnuz", "int2", "float16")]
    values += [(v, "int32") for v in (2, [2])]
    for value, dtype in values:
        assert function(anp.asarray(value, dtype)) == function(jnp.asarray(value, dtype)), (value, dtype)
    with np.printoptions(precision=2, linewidth=40, threshold=5):
        assert function(anp.arange(30) / 7) == function(jnp.arange(30) / 7)


def test_a_weak_array_says_so() -> None:
    assert repr(anp.asarray(2)) == "Array(2, dtype=int32, weak_type=True)"
    assert repr(anp.asarray(2, dtype="int32")) == "Array(2, dtype=int32)"
    assert repr(anp.float32(1)) == "Array(1., dtype=float32)"
    assert repr(arraytyping.jit(lambda x: x)(2.0)) == "Array(2., dtype=float32, weak_type=True)"


ASKED: dict[str, Callable[[Any], Any]] = {
    "float": float, "int": int, "complex": complex, "bool": bool, "index": operator.index, "hex": hex, "oct": oct,
    "len": len, "list": list, "round": round, "round to 1": lambda x: round(x, 1), "hash": hash, "in": lambda x: 1 in x,
    "item": lambda x: x.item(), "item(0)": lambda x: x.item(0), "tolist": lambda x: x.tolist(),
    "tobytes": lambda x: x.tobytes(), "format": lambda x: format(x, ".2f"), "array": lambda x: np.asarray(x),
    "as double": lambda x: np.asarray(x, "f8"), "copied": lambda x: np.array(x),
    "index of list": lambda x: [1, 2, 3][x],
    "iter": lambda x: type(next(iter(x))).__name__, "nbytes": lambda x: x.nbytes, "size": lambda x: x.size,
    "itemsize": lambda x: x.itemsize, "ndim": lambda x: x.ndim, "dtype": lambda x: x.dtype, "as a dtype": np.dtype,
    "pickle": lambda x: pickle.loads(pickle.dumps(x)), "copy": copy.copy, "deepcopy": copy.deepcopy,
    "byteswap": lambda x: x.byteswap(), "view bytes": lambda x: x.view("uint8"), "view wide": lambda x: x.view("int32"),
    "view bool": lambda x: x.view(bool), "view complex": lambda x: x.view("complex64"), "flat": lambda x: x.flat,
    "namespace": lambda x: x.__array_namespace__(api_version="1999"),
    "none such": lambda x: x.none_such, "assigned": lambda x: operator.setitem(x, 0, 1),
    "platform": lambda x: x.platform(),
    "committed": lambda x: x.committed, "addressable": lambda x: x.is_fully_addressable,
    "ready": lambda x: x.is_ready(),
    "replicated": lambda x: x.is_fully_replicated, "data": lambda x: x.addressable_data(0),
    "flatten": lambda x: x.flatten(),
    "bytes on device": lambda x: x.on_device_size_in_bytes(), "clone": lambda x: x.clone(),
    "copy()": lambda x: x.copy(),
    "to device": lambda x: x.to_device(x.device), "ready itself": lambda x: x.block_until_ready() is x,
    "deleted": lambda x: x.is_deleted(), "device buffer": lambda x: x.device_buffer,
    "shards": lambda x: len(x.global_shards),
    "buffers": lambda x: x.device_buffers, "gpu": lambda x: x.__cuda_array_interface__, "dlpack": np.from_dlpack,
    "shard": lambda x: x.addressable_shards[0].index, "elsewhere": lambda x: x.__dlpack__(dl_device=(2, 5)) and None,
    "device of dlpack": lambda x: tuple(map(int, x.__dlpack_device__())), "astype": lambda x: x.astype("float16"),
    "module": lambda x: x.__array_module__((np.ndarray,)) is NotImplemented, "async": lambda x: x.copy_to_host_async(),
    "hashable": lambda x: isinstance(x, Hashable), "weak": lambda x: x.weak_type,
}  # fmt: skip


def test_what_is_asked_of_an_array_is_answered_as_by_jax() -> None:
    wrong = []
    for value in (2, 1.5, True, 1j, [1, 2, 3], [[1.0, 2], [3, 4]], [], [5]):
        for name, ask in ASKED.items():
            if text := check_same(lambda f, n, v=value, a=ask: a(n.asarray(v))):
                wrong.append(f"{name} of {value}: {text}")
    # one GPU more or less: the classes of these errors are not JAX's, the sentences are ours
    assert [w for w in wrong if not w.startswith("elsewhere")] == []


METHODS = """
all any argmax argmin argpartition(0) argsort choose([1,2,3]) clip(0,1) conj conjugate cumprod cumsum diagonal dot(x)
max mean min prod ptp ravel repeat(2) reshape(-1) reshape((1,-1)) reshape(1,-1,1) round searchsorted(1) sort
sort(descending=True) squeeze std sum sum(keepdims=True) swapaxes(0,0) take(0) trace transpose transpose(0)
transpose((0,)) var T mT real imag max(initial=9) min(where=True,initial=0) std(ddof=1) round(1) astype(int)
compress(True,size=2) nonzero(size=2) byteswap view flatten
""".split()  # noqa: SIM905


def test_methods_are_the_functions_of_those_names() -> None:
    wrong = []
    for value in ([1, 2, 0], [[1.5, 2], [3, 4]], True, [1 + 2j]):
        errors: list[dict[str, Exception]] = []
        results = []
        for framework, numpy in (OURS, THEIRS):

            def run(x: Any, raised: dict[str, Exception]) -> Any:
                found = {}
                for call in METHODS:
                    if x.dtype == "complex64" and call.startswith("arg"):
                        continue
                    text = f"x.{call}" if "(" in call or call in ("T", "mT", "real", "imag") else f"x.{call}()"
                    try:
                        found[call] = eval(text, {"x": x})
                    except Exception as error:
                        raised[call] = error
                return found

            errors.append({})
            results.append(framework.jit(functools.partial(run, raised=errors[-1]))(numpy.asarray(value)))
        for call in results[1].keys() | errors[1].keys():
            if call in errors[1]:
                if not raised_like(errors[0].get(call), errors[1][call]):
                    wrong.append(f"{call} of {value}: {errors[0].get(call)!r} against {errors[1][call]!r:.150}")
            elif call in errors[0] or not alike(results[0][call], results[1][call]):
                wrong.append(
                    f"{call} of {value}: {errors[0].get(call, results[0].get(call))!r} for {results[1][call]!r}"
                )
    assert wrong == []
    assert repr(anp.asarray([3, 0, 4]).nonzero()) == repr(jnp.asarray([3, 0, 4]).nonzero())


def alike(ours: Any, theirs: Any) -> bool:
    if isinstance(theirs, tuple):
        return len(ours) == len(theirs) and all(map(alike, ours, theirs))
    same = (ours.shape, str(ours.dtype), ours.weak_type) == (theirs.shape, str(theirs.dtype), theirs.weak_type)
    return same and np.allclose(np.asarray(ours), np.asarray(theirs), rtol=1e-6, equal_nan=True)


OPERATORS = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow, divmod,
    operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift, operator.matmul, operator.eq,
    operator.ne,
    operator.lt, operator.le, operator.gt, operator.ge,
]  # fmt: skip
OTHERS: list[Any] = [
    1, 2.5, True, 1j, np.int16(1), np.float64(1.5), np.float32(2), np.bool_(True), np.arange(3), np.ones(3, np.float32),
    np.array(2), [1], None, "a", (1,), {}, np.array(["a"]), np.complex64(2),
]  # fmt: skip


@pytest.mark.parametrize("function", OPERATORS, ids=lambda f: f.__name__)
def test_operators_take_what_they_take_in_jax_on_either_side(function: Callable[[Any, Any], Any]) -> None:
    wrong = []
    for other in OTHERS:
        for dtype in ("int16", "float32"):
            for turned in (False, True):

                def program(f: Any, n: Any, o: Any = other, d: str = dtype, t: bool = turned) -> Any:
                    # under eval_shape nothing is compiled; scalars stay what they are
                    def both(x: Any) -> Any:
                        result = function(o, x) if t else function(x, o)
                        seen.append(result)
                        return result

                    seen: list[Any] = []
                    f.eval_shape(both, np.ones(3, np.dtype(d)))
                    return [
                        (r.shape, str(r.dtype), bool(r.weak_type)) if hasattr(r, "weak_type") else r
                        for r in (seen[0] if isinstance(seen[0], tuple) else seen)
                    ]

                if text := check_same(program):
                    wrong.append(f"{function.__name__} of {other!r} and {dtype}, turned {turned}: {text}")
    assert wrong == []


def test_numpy_on_the_left_gives_way() -> None:
    def in_place(name: str) -> Any:
        def program(f: Any, n: Any) -> Any:
            a = getattr(operator, name)(np.ones(3, np.float32), n.arange(3.0))
            return type(a) is np.ndarray, np.asarray(a)

        return program

    def assigned(f: Any, n: Any) -> Any:
        a = np.zeros(3)
        a[1:] = n.ones(2)
        a[0] = n.float32(3)
        return a

    def increased(f: Any, n: Any) -> Any:
        x = n.ones(3)
        x += 1
        return x

    programs: list[Any] = [
        lambda f, n: np.int16(1) + 1 + n.int16(1),
        lambda f, n: np.float64(1) + n.ones(2, "bfloat16"),
        lambda f, n: np.ones((2, 3)) * n.arange(3),
        lambda f, n: np.sin(n.asarray(0.0)),
        lambda f, n: np.sum(n.arange(3)),
        lambda f, n: -n.arange(3) @ np.arange(3),
        lambda f, n: abs(n.asarray([-1, 2])),
        lambda f, n: ~n.asarray([True, False]),
        lambda f, n: +n.asarray(2),
        in_place("iadd"),
        in_place("imul"),
        assigned,
        increased,
    ]
    assert [text for program in programs if (text := check_same(program))] == []


class Own:
    """An array-like by JAX's protocol."""

    def __init__(self, numpy: Any) -> None:
        self.numpy = numpy

    def __jax_array__(self) -> Any:
        return self.numpy.arange(3.0)


class Foreign:
    """An array-like by NumPy's protocol."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.arange(3.0, dtype=dtype)


def test_array_likes_of_others_are_taken_where_jax_takes_them() -> None:
    programs: list[Any] = [
        lambda f, n: n.asarray(Own(n)),
        lambda f, n: n.array([Own(n), Own(n)]),
        lambda f, n: n.asarray(Foreign()),
        lambda f, n: n.ones(3) + Own(n),
        lambda f, n: Own(n) * n.ones(3),
        lambda f, n: n.ones(3) + Foreign(),
        lambda f, n: n.zeros_like(Own(n)),
        lambda f, n: n.ones(3).at[0].set(Own(n)[0] if False else 1),
        lambda f, n: n.asarray(object()),
        lambda f, n: n.asarray({1, 2}),
        lambda f, n: n.add(object(), 1),
        lambda f, n: n.add([1], 1),
        lambda f, n: n.asarray(None),
    ]
    assert [text for program in programs if (text := check_same(program))] == []


TRACED: dict[str, Callable[[Any, Any], Any]] = {
    "bool": lambda n, x: bool(x), "if": lambda n, x: 1 if x else 2, "and": lambda n, x: x and 1,
    "not": lambda n, x: not x,
    "while": lambda n, x: [None for _ in iter(lambda: bool(x), False)], "float": lambda n, x: float(x),
    "int": lambda n, x: int(x), "complex": lambda n, x: complex(x), "index": lambda n, x: operator.index(x),
    "range": lambda n, x: range(x), "index of list": lambda n, x: [1, 2][x], "NumPy": lambda n, x: np.asarray(x),
    "ufunc": lambda n, x: np.sin(x), "item": lambda n, x: x.item(), "tolist": lambda n, x: x.tolist(),
    "tobytes": lambda n, x: x.tobytes(), "pickle": lambda n, x: pickle.dumps(x), "hash": lambda n, x: hash(x),
    "in": lambda n, x: 1 in x, "max": lambda n, x: max(x), "iter": lambda n, x: len(list(x)),
    "len": lambda n, x: len(x),
    "assigned": lambda n, x: operator.setitem(x, 0, 1), "format": lambda n, x: f"{x:.2f}",
    "mask": lambda n, x: x[x > 0],
    "arange": lambda n, x: n.arange(x), "zeros": lambda n, x: n.zeros(x), "slice": lambda n, x: n.arange(3)[x:],
    "reshape": lambda n, x: n.zeros(3).reshape(x), "devices": lambda n, x: x.devices(), "device": lambda n, x: x.device,
    "sharding": lambda n, x: x.sharding, "delete": lambda n, x: x.delete(), "is deleted": lambda n, x: x.is_deleted(),
    "ready": lambda n, x: x.block_until_ready(), "is ready": lambda n, x: x.is_ready(), "clone": lambda n, x: x.clone(),
    "shards": lambda n, x: x.addressable_shards, "data": lambda n, x: x.addressable_data(0), "T": lambda n, x: x.T is x,
    "pointer": lambda n, x: x.unsafe_buffer_pointer(), "size": lambda n, x: x.on_device_size_in_bytes(),
    "dlpack": lambda n, x: x.__dlpack__(), "dlpack device": lambda n, x: x.__dlpack_device__(),
    "nbytes": lambda n, x: x.nbytes,
    "platform": lambda n, x: x.platform(), "committed": lambda n, x: x.committed, "weak": lambda n, x: x.weak_type,
    "copy": lambda n, x: copy.copy(x).shape, "deepcopy": lambda n, x: copy.deepcopy(x).shape, "async": lambda n, x:
    x.copy_to_host_async(), "equal to None": lambda n, x: x == None, "shape": lambda n, x: x.shape,  # noqa: E711
}  # fmt: skip


@pytest.mark.parametrize("shape", [(), (1,), (3,)])
def test_what_a_tracer_has_not_is_refused_with_the_class_of_jax(shape: tuple[int, ...]) -> None:
    wrong = []
    for dtype in ("float32", "int32"):
        for name, ask in TRACED.items():
            seen: dict[int, Any] = {}

            def run(framework: Any, seen: dict[int, Any] = seen, ask: Any = ask, dtype: str = dtype) -> None:
                def f(x: Any) -> Any:
                    try:
                        seen[id(framework)] = ask(framework[1], x)
                    except Exception as error:
                        seen[id(framework)] = error
                    return x

                framework[0].eval_shape(f, np.ones(shape, dtype))

            run(OURS)
            run(THEIRS)
            ours, theirs = seen[id(OURS)], seen[id(THEIRS)]
            if isinstance(theirs, Exception):
                clear = raised_like(ours, theirs) and "\n" not in str(ours) and len(str(ours)) > 10
            else:
                clear = not isinstance(ours, Exception) and (hasattr(theirs, "aval") or repr(ours) == repr(theirs))
            if not clear:
                wrong.append(f"{name} of {dtype}: {ours!r:.150} against {theirs!r:.150}")
    assert wrong == []


def test_a_tracer_that_is_only_differentiated_has_a_value() -> None:
    for program in (
        lambda f, n: f.grad(lambda x: x * 2.0 if x > 1 else x)(2.0),
        lambda f, n: f.grad(lambda x: x if x else 2 * x)(3.0),
        lambda f, n: f.grad(lambda x: x * int(x))(3.0),
        lambda f, n: f.grad(lambda x: x * x.item())(3.0),
        lambda f, n: f.grad(lambda x: float(x) * x)(3.0),  # the derivative would be lost
        lambda f, n: f.grad(lambda x: np.asarray(x) * x)(3.0),
        lambda f, n: f.grad(lambda x: x.tolist() * x)(3.0),
        lambda f, n: f.grad(lambda x: x.devices() and x)(3.0),
        lambda f, n: f.grad(lambda x: x[x > 0].sum())(n.ones(3)),
        lambda f, n: f.grad(lambda x: n.arange(x).sum() * x)(3.0),
        lambda f, n: f.vjp(lambda x: x.sum() if bool((x > 0).all()) else -x.sum(), n.ones(2))[1](1.0),
        lambda f, n: f.jvp(lambda x: x * [2, 3][x.astype(int)], (1.0,), (1.0,)),
    ):
        assert check_same(program) is None


def test_an_escaped_tracer_is_refused() -> None:
    kept: list[Any] = []
    arraytyping.jit(lambda x: kept.__iadd__([x]) and x)(1.0)
    for use in (lambda x: x + 1, bool, np.asarray, lambda x: arraytyping.jit(lambda y: y + x)(1.0), lambda x: x[None]):
        with pytest.raises(
            arraytyping.errors.UnexpectedTracerError, match=r"float32\[\] \(weak\) is used after .* it has escaped"
        ):
            use(kept[0])
    assert repr(kept[0]) == "StagedTracer<~f32[]>"


def test_a_deleted_array_is_refused_with_one_sentence() -> None:
    def deleted(f: Any, n: Any) -> Any:
        x = n.ones(3)
        x.delete()
        return x

    uses: list[Callable[[Any, Any, Any], Any]] = [
        lambda f, n, x: x + 1, lambda f, n, x: str(x), lambda f, n, x: np.asarray(x), lambda f, n, x: x[0],
        lambda f, n, x: list(x), lambda f, n, x: f.jit(lambda y: y)(x), lambda f, n, x: pickle.dumps(x),
        lambda f, n, x: x.copy(),
        lambda f, n, x: f.device_get(x), lambda f, n, x: x.block_until_ready(),
    ]  # fmt: skip
    wrong = []
    for i, use in enumerate(uses):
        theirs = outcome(lambda f, n, u=use: u(f, n, deleted(f, n)), THEIRS)
        ours = outcome(lambda f, n, u=use: u(f, n, deleted(f, n)), OURS)
        if (
            not isinstance(theirs, RuntimeError)
            or type(ours) is not RuntimeError
            or "has been deleted" not in str(ours)
        ):
            wrong.append((i, ours, theirs))
    assert wrong == []
    x = deleted(*OURS)
    x.delete()
    for ask in (x.is_ready, x.on_device_size_in_bytes, x.unsafe_buffer_pointer):  # jaxlib ends the process here
        with pytest.raises(RuntimeError, match="has been deleted"):
            ask()
    assert x.is_deleted()
    assert (x.shape, str(x.dtype), x.nbytes) == ((3,), "float32", 12)
    assert repr(x) == "Array(shape=(3,), dtype=float32, deleted)"
    assert anp.ones(3).unsafe_buffer_pointer() > 0


def test_copies_have_memory_of_their_own() -> None:
    x = anp.arange(100.0)
    for made in (copy.copy(x), copy.deepcopy(x), anp.array(x), x.copy(), anp.copy(x), pickle.loads(pickle.dumps(x))):
        assert made.unsafe_buffer_pointer() != x.unsafe_buffer_pointer()
        assert np.array_equal(made, x)
    for same in (anp.asarray(x), anp.array(x, copy=False), x.clone(), x.astype("float32"), anp.from_dlpack(x)):
        assert same.unsafe_buffer_pointer() == x.unsafe_buffer_pointer()
    weak = pickle.loads(pickle.dumps(anp.asarray(2)))
    assert repr(weak) == repr(anp.asarray(2))
    tree = copy.deepcopy({"a": [x, anp.bfloat16(1.5)]})
    assert repr(tree["a"][1]) == "Array(1.5, dtype=bfloat16)"
    for dtype in ("int4", "float8_e4m3fn", "bool", "complex64", "bfloat16"):
        for value in ([0, 1, 1], []):
            made = anp.asarray(value, dtype)
            assert repr(pickle.loads(pickle.dumps(made))) == repr(made)


def test_numpy_sees_the_memory_and_cannot_write_to_it() -> None:
    x = anp.arange(100.0)
    view = np.asarray(x)
    assert not view.flags.writeable
    assert view.__array_interface__["data"][0] == x.unsafe_buffer_pointer()
    assert np.array(x).flags.writeable
    with pytest.raises(ValueError, match="without a copy"):
        np.asarray(x, np.int8, copy=False)
    back = anp.from_dlpack(np.arange(3.0, dtype=np.float32))
    assert repr(back) == repr(jnp.from_dlpack(np.arange(3.0, dtype=np.float32)))
    assert np.array_equal(np.from_dlpack(x), view)


def test_where_an_array_is() -> None:
    x = anp.ones((2, 3))
    device = arraytyping.devices()[0]
    assert x.device == device
    assert x.devices() == {device}
    assert x.sharding == SingleDeviceSharding(device)
    assert x.sharding.shard_shape(x.shape) == (2, 3)
    assert x.sharding.devices_indices_map((2,)) == {device: (slice(None),)}
    assert repr(x.sharding) == repr(jnp.ones(3).sharding)
    assert repr(x.addressable_shards) == repr(jnp.ones((2, 3)).addressable_shards)
    moved = arraytyping.device_put({"a": 1.0, "b": [np.ones(2), x]}, device)
    assert repr(moved["a"]) == "Array(1., dtype=float32, weak_type=True)"
    assert arraytyping.block_until_ready(moved) is moved
    assert type(arraytyping.device_get(moved)["b"][1]) is np.ndarray
    assert arraytyping.default_backend() == x.platform()
    assert arraytyping.device_count() == len(arraytyping.local_devices()) == arraytyping.local_device_count()
    with pytest.raises(ValueError, match="Received invalid value for the device"):
        arraytyping.device_put(x, "gpu 3")
    with pytest.raises(RuntimeError, match="unknown platform"):
        arraytyping.devices("abacus")


PROGRAM = textwrap.dedent("""
    import sys
    import {0} as jax
    import {0}.numpy as jnp

    @jax.jit
    def loss(w: jax.Array, x: jax.Array) -> jax.Array:
        return jnp.mean((x @ w - 1) ** 2)

    w, x = jnp.zeros(3), jnp.arange(6.0).reshape(2, 3)
    for _ in range(3):
        w = w - 0.1 * jax.grad(loss)(w, x)
    print(w, jax.tree.map(lambda v: v.shape, dict(a=w)), jax.jit(jax.vmap(lambda v: v[0]))(x), w.dtype == jnp.float32)
    print(jax.tree_util.tree_leaves([w[0] > 1]), jax.eval_shape(loss, w, x).shape, jax.device_count())
""")


def test_a_program_runs_with_its_imports_exchanged() -> None:
    texts = []
    for framework in ("jax", "arraytyping"):
        run = subprocess.run(
            [sys.executable, "-W", "error", "-c", PROGRAM.format(framework)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        texts.append(run.stdout)
    assert texts[0] == texts[1]
    code = "import sys, arraytyping.numpy as n; n.ones(3).at[0].set(1); print([m for m in sys.modules if m == 'jax'])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_names_are_loaded_when_they_are_used() -> None:
    code = textwrap.dedent("""
        import sys
        import arraytyping
        arraytyping.float32, arraytyping.Array
        print([m for m in ("numpy", "jaxlib", "ml_dtypes") if m in sys.modules])
        arraytyping.tree.map(lambda x: x, [1]), arraytyping.sharding, arraytyping.errors
        print([m for m in ("jaxlib",) if m in sys.modules])
        arraytyping.float32(1), arraytyping.jit
        print([m for m in ("numpy", "jaxlib") if m in sys.modules])
    """)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stdout.splitlines() == ["[]", "[]", "['numpy', 'jaxlib']"], run.stderr
    assert {"jit", "grad", "vmap", "numpy", "float32", "Array"} <= set(dir(arraytyping))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(AttributeError, match="has no attribute 'jitt'"):
            arraytyping.jitt  # noqa: B018


def test_what_is_asked_of_arrays_by_functions() -> None:
    programs: list[Any] = [
        lambda f, n: (n.ndim(3), n.shape(n.ones((2, 3))), n.size(n.ones((2, 3))), n.size(n.ones((2, 3)), 1)),
        lambda f, n: (n.iterable(n.ones(2)), n.iterable(n.asarray(2)), n.iterable([1]), n.iterable(3)),
        lambda f, n: (n.s_[1:], n.index_exp[1], n.newaxis, n.pi, n.e, n.inf, n.nan, n.euler_gamma),
        lambda f, n: n.array_str(n.ones(2)),
        lambda f, n: f.ShapeDtypeStruct((2, 3), n.float32),
        lambda f, n: (f.ShapeDtypeStruct((2, 3), "int8").size, len(f.ShapeDtypeStruct((2, 3), "int8"))),
        lambda f, n: f.ShapeDtypeStruct((2,), None),
        lambda f, n: f.eval_shape(lambda x: x + 1, f.ShapeDtypeStruct((2, 3), n.bfloat16)).shape,
        lambda f, n: f.grad(f.remat(lambda x: n.sin(x)))(1.0),
    ]
    assert [text for program in programs if (text := check_same(program))] == []
    spec = arraytyping.ShapeDtypeStruct((2,), anp.int8)
    assert spec == arraytyping.ShapeDtypeStruct([2], "int8") != arraytyping.ShapeDtypeStruct((2,), "int16")
    assert hash(spec) == hash(arraytyping.ShapeDtypeStruct([2], "int8"))
