"""`stack`, `concatenate` and `where` of arrays of random keys: the same on jax, eagerly, in `jit` and under `vmap`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from runtime_pairs import OURS, check_same


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


def test_keys_and_numbers_are_not_put_together() -> None:
    with pytest.raises(TypeError, match="key<fry>"):
        OURS[1].stack([OURS[0].random.key(0), OURS[1].zeros(2)])


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    assert check_same(PROGRAMS[name]) is None
