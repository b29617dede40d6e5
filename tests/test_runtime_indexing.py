"""Indexing and updates at run time, against jax: `x[...]` and `x.at[...]`, eagerly and in every transformation."""

from __future__ import annotations

import warnings
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from answers import compiled
from runtime_pairs import OURS, THEIRS, check_same, described, outcome, raised_like

import arraytyping
import arraytyping.numpy as anp
from arraytyping.numpy import indexing

VALUES = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
I = np.array([0, 2, -1])
J = np.array([[0], [1]])
ROWS = VALUES[:, 0, 0] > 15
MATRIX = VALUES[..., 0] > 15
ALL = slice(None)

STATIC: list[Any] = [
    0, -1, 7, -9, (0, 1), (0, -1, 2), ..., None, (), (0, None, ..., 1), slice(1, None), slice(None, None, -1),
    slice(None, None, 2), slice(-2, None, -2), slice(5, 1), slice(1, 1), (ALL, 1, slice(0, 3)),
    (ALL, slice(None, None, -2), None, -1), np.int8(1), np.uint8(2), (slice(None, np.int64(2)),),
]  # fmt: skip
ARRAYS: list[Any] = [
    I, (I, I), (I, ALL, I), (ALL, I, 1), (0, ALL, I), (J, I), (slice(1, 3), None, I[:2]), (None, I, None, 1),
    (J, slice(None, None, -1), J), (..., I, slice(None, None, 2)), (I, ..., 0), ROWS, MATRIX,
    (ALL, np.array([True, False, True, False])), (ROWS, 0), (0, np.array([True, False, True, True]), slice(1, 4)),
    True, False, (True, 0), (..., True), (I, True), np.zeros((0, 3), int), ([0, 1],), ([True, False, True],),
    (0, [1, 2]),
    np.array(-1), np.array([9, -9]), I.astype(np.uint8), ([],),
]  # fmt: skip
KEYS = STATIC + ARRAYS
BAD: list[Any] = [
    (0, 0, 0, 0), "a", 1.5, [0, 1], (0, "a"), (..., ...), np.array([1.5]), {}, slice(None, None, 0), slice("a", None),
    slice(1.5), np.array([True, False]), (I, np.array([0, 1])), (0, [1.5]), 1j, object,
]  # fmt: skip


def same(ours: Any, theirs: Any) -> bool:
    if (ours.shape, str(ours.dtype), ours.weak_type) != (theirs.shape, str(theirs.dtype), theirs.weak_type):
        return False
    values = [np.asarray(x).astype(complex) for x in (ours, theirs)]
    return np.array_equal(values[0], values[1], equal_nan=True)


def compare(programs: dict[str, Any], *args: Any, every: int = 1) -> list[str]:
    """Which of these programs give something else than jax does: all jitted as one, and each eagerly, or every nth."""

    def all_of(n: Any) -> Any:
        return lambda *xs: [program(n, *xs) for program in programs.values()]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = compiled(all_of(jnp), *args)
        jitted = arraytyping.jit(all_of(anp))(*map(anp.asarray, args))
        wrong = [f"{name}, jitted" for name, a, b in zip(programs, jitted, theirs) if not same(a, b)]
        for name, program, expected in list(zip(programs, programs.values(), theirs))[::every]:
            found = program(anp, *map(anp.asarray, args))
            if not same(found, expected):
                wrong.append(f"{name}: {found!r:.200} against {expected!r:.200}")
    return wrong


def shown(key: Any) -> str:
    return repr(key).replace("\n", "")


def test_every_kind_of_index_reads_what_jax_reads() -> None:
    assert compare({shown(k): lambda n, x, k=k: x[k] for k in KEYS}, VALUES) == []


def test_index_arrays_may_be_traced() -> None:
    programs = {
        "i": lambda n, x, i, j, s: x[i],
        "i, :, i": lambda n, x, i, j, s: x[i, :, i],
        "j, i": lambda n, x, i, j, s: x[j, i],
        "s": lambda n, x, i, j, s: x[s],
        "s, ..., 1": lambda n, x, i, j, s: x[s, ..., 1],
        "1:, ::-1, s": lambda n, x, i, j, s: x[1:, ::-1, s],
        "s, ::2": lambda n, x, i, j, s: x[s, ::2],
        "s, i": lambda n, x, i, j, s: x[s, i],
        "uint": lambda n, x, i, j, s: x[s.astype("uint8")],
        "set": lambda n, x, i, j, s: x.at[i, s].set(1),
    }
    for s in (-1, 9):
        assert compare(programs, VALUES, I, J, np.int32(s)) == []


def test_modes_say_what_is_read_out_of_bounds() -> None:
    far = np.array([9, -9, 1])
    programs: dict[str, Any] = {}
    for mode in (None, "fill", "clip", "promise_in_bounds"):
        for key in (9, -9, (far, 0), (..., far)):
            if mode != "promise_in_bounds":
                programs[f"{mode} {key}"] = lambda n, x, m=mode, k=key: x.at[k].get(mode=m)
        programs[f"{mode} wrap"] = lambda n, x, m=mode: x.at[-1].get(mode=m, wrap_negative_indices=False)
    programs["value"] = lambda n, x: x.at[far].get(mode="fill", fill_value=3)
    for dtype in ("int8", "uint16", "bool", "complex64", "bfloat16"):
        programs[dtype] = lambda n, x, d=dtype: x.astype(d).at[far].get(mode="fill")
    programs["flags"] = lambda n, x: x.at[I].get(unique_indices=False, indices_are_sorted=False)
    assert compare(programs, VALUES) == []


@pytest.mark.parametrize("method", ["set", "add"])
def test_every_kind_of_index_updates_what_jax_updates(method: str) -> None:
    keys = KEYS[::2] if method == "add" else KEYS
    programs = {shown(k): lambda n, x, k=k: getattr(x.at[k], method)(-5) for k in keys}
    assert compare(programs, VALUES) == []


def test_every_method_updates_as_jax_does_and_keeps_the_dtype() -> None:
    programs: dict[str, Any] = {}
    values: list[Any] = [2.5, np.array([1, 2]), 2, True, np.int16(3), 300]
    for dtype in ("int8", "float32", "complex64", "bfloat16"):
        for method in ("set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max"):
            if dtype == "complex64" and method in ("min", "max"):
                continue
            for value in values if method == "set" else values[:2]:
                programs[f"{method} {dtype} {value}"] = lambda n, x, d=dtype, m=method, v=value: getattr(
                    x.astype(d).at[np.array([0, 1])], m
                )(v)
    programs["repeated add"] = lambda n, x: x.at[np.array([0, 0, 1])].add(1)
    programs["repeated multiply"] = lambda n, x: x.at[np.array([0, 0, 1])].multiply(3)
    programs["min"] = lambda n, x: x.at[np.array([0, 0])].min(np.array([-1.0, -3.0]))
    programs["broadcast"] = lambda n, x: x.at[None, 1:].set(n.arange(3)[None])
    programs["reversed"] = lambda n, x: x.at[::-1].set(n.arange(4))
    programs["list"] = lambda n, x: x.at[:2].set([5, 6])
    programs["dropped"] = lambda n, x: x.at[np.array([9])].set(1)
    programs["clipped"] = lambda n, x: x.at[np.array([9])].set(7, mode="clip")
    programs["not wrapped"] = lambda n, x: x.at[np.array([-1])].set(7, wrap_negative_indices=False)
    programs["applied"] = lambda n, x: x.at[np.array([1, 2])].apply(lambda v: v * v + 1)
    programs["applied twice"] = lambda n, x: x.at[np.array([1, 1, 3])].apply(lambda v: v + v)
    programs["applied to ints"] = lambda n, x: x.astype(int).at[1].apply(lambda v: v - 3)
    assert compare(programs, np.array([1.0, 2, 3, 4], np.float32), every=5) == []


def test_weak_types_stay() -> None:
    for program in (
        lambda f, n: n.asarray(2)[...],
        lambda f, n: n.asarray(2)[None],
        lambda f, n: n.asarray(2).at[()].set(5),
        lambda f, n: n.asarray(2.5).at[...].add(np.float32(1)),
        lambda f, n: n.asarray(2.5).at[True].get(),
    ):
        assert check_same(program) is None


def test_mistakes_raise_what_jax_raises() -> None:
    wrong = []
    for key in BAD:
        for program in (
            lambda f, n, k=key: n.asarray(VALUES)[k],
            lambda f, n, k=key: n.asarray(VALUES).at[k].set(0),
            lambda f, n, k=key: n.asarray(VALUES).at[k].get(mode="fill"),
        ):
            theirs, ours = outcome(program, THEIRS), outcome(program, OURS)
            assert isinstance(theirs, Exception), key
            if not raised_like(ours, theirs) or "\n" in str(ours):
                wrong.append(f"{shown(key)}: {ours!r:.150} against {theirs!r:.150}")
    others = {
        "mode": lambda f, n: n.arange(3).at[0].get(mode="bad"),
        "mode of set": lambda f, n: n.arange(3).at[0].set(1, mode="bad"),
        "shape": lambda f, n: n.arange(3).at[:2].set(n.arange(3)),
        "None": lambda f, n: n.arange(3).at[0].set(None),
        "text": lambda f, n: n.arange(3).at[0].set("a"),
        "bool": lambda f, n: n.asarray([True]).at[0].add(True),
        "no path": lambda f, n: n.zeros(3, "float8_e4m3fn").at[0].set(n.int8(1)),
        "empty axis": lambda f, n: n.zeros((0, 3))[0],
        "fill array": lambda f, n: n.arange(3.0).at[9].get(mode="fill", fill_value=np.ones(2)),
        "traced mask": lambda f, n: f.jit(lambda x: x[x > 1])(n.arange(3.0)),
        "traced mask updated": lambda f, n: f.jit(lambda x: x.at[x > 1].set(0))(n.arange(3.0)),
        "traced bound": lambda f, n: f.jit(lambda x, i: x[i:])(n.arange(3.0), 1),
        "assignment": lambda f, n: n.arange(3).__setitem__(0, 1),
        "apply nothing": lambda f, n: n.arange(3.0).at[0].apply(None),
    }
    wrong += [f"{name}: {text}" for name, program in others.items() if (text := check_same(program))]
    assert wrong == []


def test_a_value_that_the_dtype_does_not_hold_is_warned_of() -> None:
    x = anp.zeros(3, "int8")
    with pytest.warns(FutureWarning, match="values of float32 are put into an array of int8") as found:
        x.at[0].set(2.5)
    assert found[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x.at[0].set(2)
        anp.zeros(3).at[0].set(anp.int32(2))


def test_ints_of_an_index_are_given_to_one_program() -> None:
    x = anp.asarray(VALUES)
    indexing._programs.clear()
    x[0, 1:3], x.at[0].set(1)
    assert len(indexing._programs) == 2
    assert [float(x[i, 1, 2]) for i in range(3)] == [7.0, 27.0, 47.0]
    assert np.array_equal(x[2, 2:4], VALUES[2, 2:4])
    assert np.array_equal(x.at[2].set(1)[2], np.ones((4, 5)))
    assert len(indexing._programs) == 4  # x[i, j, k] and x[i], too


def test_gradients_and_batches_are_those_of_jax() -> None:
    keys = [0, slice(None, None, -2), (ALL, I[:2]), (I, ALL, 1), (..., slice(0, 4, 2)), (J, I), True, 9]
    weights = np.float32(2) + np.arange(5, dtype=np.float32)

    def programs(f: Any, n: Any) -> Any:
        def run(x: Any, w: Any, i: Any) -> Any:
            outs = []
            for key in keys:
                outs.append(f.grad(lambda x, k=key: (x[k] * x[k]).sum())(x))
                outs.append(f.grad(lambda x, w, k=key: (x.at[k].set(w[0]) * x).sum(), argnums=(0, 1))(x, w))
                outs.append(f.grad(lambda x, w, k=key: (x.at[k].add(w[1] * 2) ** 2).sum(), argnums=(0, 1))(x, w))
                outs.append(f.jvp(lambda x, k=key: x[k] * 2, (x,), (x,)))
            outs.append(f.vmap(lambda x, i: x[i])(x, i))
            outs.append(f.vmap(lambda x, i: x[i], in_axes=(None, 0))(x, i))
            outs.append(f.vmap(lambda x: x[1, ::-1])(x))
            outs.append(f.vmap(lambda x, i: x.at[i].set(w))(x, i))
            outs.append(f.vmap(lambda x, i: x.at[i, 0].add(3.0), in_axes=(None, 0))(x, i))
            outs.append(f.vmap(lambda x: x.at[np.array([0, 0])].apply(lambda v: v * 2))(x))
            outs.append(f.grad(lambda x: f.vmap(lambda x, i: x[i])(x, i).sum())(x))
            outs.append(f.grad(lambda x: x[i, 0].sum())(x))
            return outs

        return run

    theirs = jax.jit(programs(jax, jnp))(jnp.asarray(VALUES), jnp.asarray(weights), jnp.asarray(I))
    ours = arraytyping.jit(programs(arraytyping, anp))(anp.asarray(VALUES), anp.asarray(weights), anp.asarray(I))
    flat, other = arraytyping.tree.leaves(ours), jax.tree.leaves(theirs)
    assert len(flat) == len(other)
    wrong = [i for i, (a, b) in enumerate(zip(flat, other)) if not np.allclose(a, b) or a.shape != b.shape]
    assert wrong == []


def test_apply_has_no_derivative() -> None:
    with pytest.raises(NotImplementedError, match="scatter_apply"):
        arraytyping.grad(lambda x: x.at[0].apply(lambda v: v * v).sum())(anp.ones(3))


def test_an_update_shows_itself() -> None:
    x = anp.arange(2)
    assert repr(x.at) == "IndexUpdater(Array([0, 1], dtype=int32))"
    assert repr(x.at[0]) == "IndexUpdate(Array([0, 1], dtype=int32), 0)"
    assert described(x) == described(jnp.arange(2))
