"""Functions that move, choose, compare or make random keys: the same on jax, eagerly, in `jit` and under `vmap`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from runtime_pairs import OURS, THEIRS, check_same
from shares import spread


def bits(fw: Any, keys: Any) -> Any:
    """What keys are made of, and their shape."""
    return [fw.random.key_data(keys), keys.shape, str(keys.dtype)]


def keys(fw: Any, n: int = 3) -> Any:
    """Some keys."""
    return fw.random.split(fw.random.key(7), n)


PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {
    "stack": lambda fw, jnp: [bits(fw, jnp.stack([keys(fw), keys(fw)], axis=a)) for a in (0, 1, -1, -2)],
    "stack of single ones": lambda fw, jnp: bits(fw, jnp.stack([fw.random.key(0), fw.random.key(1)])),
    "stack along no axis": lambda fw, jnp: bits(fw, jnp.stack([keys(fw)], axis=2)),
    "stack of other shapes": lambda fw, jnp: bits(fw, jnp.stack([keys(fw), keys(fw, 2)])),
    "concatenate": lambda fw, jnp: [bits(fw, jnp.concatenate([keys(fw), keys(fw, 2)], axis=a)) for a in (0, -1, None)],
    "concatenate along no axis": lambda fw, jnp: bits(fw, jnp.concatenate([keys(fw)], axis=1)),
    "where": lambda fw, jnp: [bits(fw, jnp.where(c, keys(fw), fw.random.key(1)))
                              for c in (True, jnp.array([True, False, True]), jnp.ones((2, 1), bool))],
    "in jit": lambda fw, jnp: bits(fw, fw.jit(lambda c, k: jnp.where(c, jnp.stack([k, k]), k))(False, keys(fw))),
    "mapped": lambda fw, jnp: bits(fw, fw.vmap(lambda k: jnp.stack([k, fw.random.fold_in(k, 1)]))(keys(fw))),
    "chosen in a loop": lambda fw, jnp: bits(fw, fw.lax.fori_loop(
        0, 3, lambda i, k: jnp.where(i % 2 == 0, fw.random.fold_in(k, i), k), fw.random.key(0)
    )),
}  # fmt: skip


def matrix(fw: Any) -> Any:
    """Keys in two dimensions."""
    return fw.random.split(fw.random.key(0), (2, 3))


INDEX, MASK = np.array([0, 2, 1]), np.array([True, False, True])

MOVED: dict[str, Callable[[Any, Any, Any, Any, Any], Any]] = {
    "append": lambda fw, jnp, k, v, s: [jnp.append(v, k), jnp.append(k, k, axis=1)],
    "array": lambda fw, jnp, k, v, s: [jnp.array(k), jnp.asarray(v, dtype=v.dtype), jnp.array([[s, s], [s, s]])],
    "atleast": lambda fw, jnp, k, v, s: [jnp.atleast_1d(s), jnp.atleast_2d(v), jnp.atleast_3d(v)],
    "broadcast_to": lambda fw, jnp, k, v, s: [jnp.broadcast_to(v, (2, 3)), *jnp.broadcast_arrays(k, s)],
    "joined": lambda fw, jnp, k, v, s: [
        jnp.hstack([v, v]), jnp.vstack([v, v]), jnp.dstack([v, v]), jnp.column_stack([v, v]), jnp.block([v, v]),
    ],
    "expand_dims": lambda fw, jnp, k, v, s: [jnp.expand_dims(k, 1), jnp.expand_dims(k, (0, -1))],
    "flip": lambda fw, jnp, k, v, s: [jnp.flip(k), jnp.flip(k, 1), jnp.fliplr(k), jnp.flipud(k), jnp.rot90(k)],
    "roll": lambda fw, jnp, k, v, s: [jnp.roll(k, 1), jnp.roll(k, 1, axis=1)],
    "transpose": lambda fw, jnp, k, v, s: [
        jnp.transpose(k), jnp.moveaxis(k, 0, 1), jnp.swapaxes(k, 0, -1), jnp.rollaxis(k, 1), jnp.permute_dims(k, (1,
        0)),
        jnp.matrix_transpose(k),
    ],
    "reshape": lambda fw, jnp, k, v, s: [
        jnp.reshape(k, (3, -1)), jnp.ravel(k), jnp.squeeze(k[:1]), jnp.resize(v, (2, 2)),
    ],
    "repeat": lambda fw, jnp, k, v, s: [
        jnp.repeat(k, 2), jnp.repeat(k, 2, axis=0), jnp.repeat(v, np.array([1, 2, 0])), jnp.tile(k, (2, 2)),
        jnp.tile(s, 2),
    ],
    "split": lambda fw, jnp, k, v, s: [
        *jnp.split(k, 3, axis=1), *jnp.array_split(v, 2), *jnp.hsplit(k, 3), *jnp.vsplit(k, 2), *jnp.unstack(k),
    ],
    "take": lambda fw, jnp, k, v, s: [
        jnp.take(v, INDEX), jnp.take(k, INDEX, axis=1), jnp.take_along_axis(v, INDEX, 0), jnp.take(v, 5, mode="clip"),
        jnp.take(v, 5), jnp.choose(np.array([0, 1, 0]), [v, v[::-1]], mode="clip"), v.take(INDEX),
    ],
    "delete and insert": lambda fw, jnp, k, v, s: [jnp.delete(v, 1), jnp.insert(v, 1, s), jnp.insert(k, 1, v, axis=0)],
    "put": lambda fw, jnp, k, v, s: [
        jnp.put(v, 0, s, inplace=False), jnp.place(v, MASK, s[None], inplace=False), jnp.fill_diagonal(k, s,
        inplace=False),
        jnp.put_along_axis(v, np.array([1]), s, 0, inplace=False),
    ],
    "parts": lambda fw, jnp, k, v, s: [jnp.diagonal(k), jnp.tril(k), jnp.triu(k), *jnp.meshgrid(v, v)],
    "pad": lambda fw, jnp, k, v, s: [jnp.pad(v, 1, mode=mode) for mode in ("edge", "wrap", "reflect")],
    "slices": lambda fw, jnp, k, v, s: [
        fw.lax.slice(k, (0, 1), (2, 3)), fw.lax.slice_in_dim(k, 0, 1), fw.lax.dynamic_slice(k, (0, 1), (2, 2)),
        fw.lax.dynamic_slice_in_dim(k, 1, 2, 1), fw.lax.dynamic_index_in_dim(k, 1, keepdims=False),
        fw.lax.index_in_dim(k, 1), *fw.lax.split(v, (1, 2)),
    ],
    "updates": lambda fw, jnp, k, v, s: [
        fw.lax.dynamic_update_slice(k, k[:1, :1], (1, 2)), fw.lax.dynamic_update_slice_in_dim(k, k[:1], 1, 0),
        fw.lax.dynamic_update_index_in_dim(k, v, 1, 0),
    ],
    "select": lambda fw, jnp, k, v, s: [
        fw.lax.select(MASK, v, v[::-1]), fw.lax.select(True, v, v[::-1]), fw.lax.select_n(INDEX, v, v[::-1], v),
        jnp.where(MASK, k, s), jnp.select([MASK, ~MASK], [v, v[::-1]], s), jnp.select([MASK], [k], s),
    ],
    "chosen": lambda fw, jnp, k, v, s: [
        jnp.compress(MASK, v), jnp.compress(MASK, k, axis=1), jnp.compress(MASK, v, size=3, fill_value=s),
        jnp.extract(MASK, v), jnp.extract(MASK, v, size=3, fill_value=s), fw.random.choice(s, v, (4,)),
        fw.random.choice(s, k, (2, 2), axis=1), fw.random.choice(s, v, (3,), p=np.array([0.5, 0.5, 0.0])),
    ],
    "vectorized": lambda fw, jnp, k, v, s: [
        jnp.vectorize(lambda q: fw.random.fold_in(q, 1))(k),
        jnp.vectorize(lambda q, n: fw.random.fold_in(q, n))(v[:, None], INDEX),
        jnp.vectorize(fw.random.split, signature="()->(n)")(k),
    ],
    "shapes of lax": lambda fw, jnp, k, v, s: [
        fw.lax.broadcast(v, (2,)), fw.lax.broadcast_in_dim(v, (2, 3), (1,)), fw.lax.concatenate([v, v], 0),
        fw.lax.expand_dims(k, (0,)), fw.lax.squeeze(k[:1], (0,)), fw.lax.reshape(k, (6,)), fw.lax.collapse(k, 0),
        fw.lax.rev(k, (0,)), fw.lax.transpose(k, (1, 0)),
    ],
    "full": lambda fw, jnp, k, v, s: [
        jnp.full((2, 3), s), jnp.full((3,), v), jnp.full_like(k, s), jnp.full_like(k, v), jnp.full_like(v, s,
        shape=(4,)),
        fw.lax.full((2,), s), fw.lax.full_like(k, s), jnp.full(3, s, dtype=s.dtype),
    ],
    "numbers": lambda fw, jnp, k, v, s: [
        jnp.zeros(2, s.dtype), jnp.ones((2, 3), dtype=s.dtype), jnp.empty(2, s.dtype), jnp.zeros_like(k),
        jnp.ones_like(k),
        jnp.full(2, 7, s.dtype), jnp.full_like(v, -1), fw.lax.full((2,), 7, s.dtype), jnp.full_like(v, 1.5),
    ],
    "copies": lambda fw, jnp, k, v, s: [jnp.copy(k), jnp.astype(k, k.dtype)],
}  # fmt: skip
ANSWERS: dict[str, Callable[[Any, Any, Any, Any, Any], Any]] = {
    "compared": lambda fw, jnp, k, v, s: [
        jnp.equal(k, v), jnp.not_equal(k, s), fw.lax.eq(k, k), fw.lax.ne(k, k), jnp.array_equal(k, k),
        jnp.array_equal(k, v), jnp.array_equal(v, 1), jnp.array_equiv(k, v), jnp.allclose(v, v), jnp.isclose(v, v[0]),
    ],
    "among others": lambda fw, jnp, k, v, s: [
        jnp.isin(k, v), jnp.isin(v, v[:2]), jnp.isin(v, v[1], invert=True), jnp.isnan(k),
        jnp.vectorize(lambda q: fw.random.normal(q, (2,)), signature="()->(n)")(k),
    ],
    "shapes": lambda fw, jnp, k, v, s: [
        jnp.shape(k), jnp.ndim(k), jnp.size(k), jnp.isscalar(s), str(jnp.result_type(k, s)),
    ],
    "numbers like keys": lambda fw, jnp, k, v, s: [
        jnp.full_like(v, 2, dtype="float32"), jnp.zeros_like(k, dtype="int32"),
    ],
    "mapped from the end": lambda fw, jnp, k, v, s: [
        bits(fw, fw.vmap(lambda q: q, in_axes=-1)(k)), bits(fw, fw.vmap(lambda q: q, out_axes=-1)(k)),
        bits(fw, fw.vmap(lambda q: jnp.where(True, q, s), in_axes=-1)(k)),
    ],
    "mapped": lambda fw, jnp, k, v, s: [
        bits(fw, fw.vmap(lambda m, a, b: fw.lax.select(m, a, b))(MASK, v, v[::-1])),
        bits(fw, fw.vmap(lambda a, b, n: fw.lax.dynamic_update_slice(a, b[None], (n,)))(k, k[:, 0], INDEX[:2])),
        bits(fw, fw.vmap(lambda a, n: jnp.take(a, n))(k, INDEX[:2])), bits(fw, fw.vmap(lambda a: jnp.full((2,), a))(v)),
        bits(fw, fw.vmap(lambda m, a, b: fw.lax.cond(m, lambda a, b: a, lambda a, b: b, a, b))(MASK, v, v[::-1])),
    ],
    "described": lambda fw, jnp, k, v, s: [
        str(fw.eval_shape(lambda q: q, k).dtype), fw.eval_shape(lambda q: q, k).shape,
        fw.eval_shape(lambda q: fw.random.normal(q, (2,)), fw.ShapeDtypeStruct((), s.dtype)).shape,
        bits(fw, fw.jit(lambda q: q[1]).lower(fw.ShapeDtypeStruct((3,), s.dtype)).compile()(v)),
    ],
}  # fmt: skip


JITTED = ("vectorized", "transpose", "take", "updates", "select", "full", "numbers")


@pytest.mark.parametrize(("name", "is_jitted"), spread([*((n, False) for n in MOVED), *((n, True) for n in JITTED)], 2))
def test_moved_and_made(name: str, is_jitted: bool) -> None:
    def program(fw: Any, jnp: Any) -> Any:
        def call(k: Any, v: Any, s: Any) -> Any:
            return [bits(fw, found)[0] for found in MOVED[name](fw, jnp, k, v, s)]

        k = matrix(fw)
        return (fw.jit(call) if is_jitted else call)(k, keys(fw), fw.random.key(1))

    assert check_same(program) is None


@pytest.mark.parametrize("name", ANSWERS)
def test_answers(name: str) -> None:
    assert check_same(lambda fw, jnp: ANSWERS[name](fw, jnp, matrix(fw), keys(fw), fw.random.key(1))) is None


@pytest.mark.parametrize("impl", ["threefry2x32", "rbg", "unsafe_rbg"])
def test_implementations(impl: str) -> None:
    def program(fw: Any, jnp: Any) -> Any:
        one = fw.random.key(3, impl=impl)
        many = jnp.stack([one, fw.random.key(4, impl=impl), one])
        return [
            bits(fw, x)
            for x in (
                jnp.tile(many, 2),
                jnp.zeros(2, one.dtype),
                jnp.full(2, 7, one.dtype),
                jnp.take(many, 9),
                many[:0],
            )
        ]

    assert check_same(program) is None


REFUSED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "a number among keys": lambda fw, jnp, v: jnp.where(MASK, v, 0),
    "a number behind keys": lambda fw, jnp, v: jnp.append(v, 0),
    "other keys": lambda fw, jnp, v: jnp.append(v, fw.random.key(0, impl="rbg")),
    "keys as indices": lambda fw, jnp, v: jnp.take(jnp.arange(3), v),
    "keys to numbers": lambda fw, jnp, v: jnp.stack([v, v], dtype="float32"),
    "sorted": lambda fw, jnp, v: jnp.sort(v),
    "numbers where keys are wanting": lambda fw, jnp, v: jnp.compress(MASK, v, size=3),
    "a number where no condition holds": lambda fw, jnp, v: jnp.select([MASK], [v]),
    "padded by numbers": lambda fw, jnp, v: jnp.pad(v, 1),
    "added": lambda fw, jnp, v: jnp.add(v, 1),
    "an array for each": lambda fw, jnp, v: jnp.full(3, jnp.arange(3), v.dtype),
    "converted": lambda fw, jnp, v: jnp.array(v, dtype="uint32"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    for fw, jnp in (OURS, THEIRS):
        with pytest.raises((TypeError, ValueError)):
            REFUSED[name](fw, jnp, keys(fw))


def test_keys_and_numbers_are_not_put_together() -> None:
    with pytest.raises(TypeError, match="key<fry>"):
        OURS[1].stack([OURS[0].random.key(0), OURS[1].zeros(2)])


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    assert check_same(PROGRAMS[name]) is None
