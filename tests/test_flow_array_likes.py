"""Instances of pytrees that stand for arrays: by `__jax_array__`, by a dtype and a shape, by Python's methods."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kept_runs import run_or_recall

from arraytyping.checker.audit import compare
from arraytyping.checker.flow.start.program import interpret
from arraytyping.checker.flow.state.identity import identity
from arraytyping.checker.flow.values import ClassValue, InstanceValue

pytest.importorskip("jax")

BEGIN = """\
import contextlib
import warnings
from dataclasses import dataclass
import jax, jax.numpy as jnp, numpy as np

warnings.simplefilter("ignore")
a = jnp.ones(3)
"""
CLASS = """\

@jax.tree_util.register_dataclass
@dataclass
class Box:
    a: jax.Array

"""
KINDS = {
    "nothing": "    def double(self): return Box(2 * self.a)\n",
    "looks": """\
    @property
    def dtype(self): return self.a.dtype
    @property
    def shape(self): return self.a.shape
    @property
    def ndim(self): return self.a.ndim
    @property
    def size(self): return self.a.size
""",
    "any attribute": "    def __getattr__(self, name): return getattr(object.__getattribute__(self, 'a'), name)\n",
    "for jax": "    def __jax_array__(self): return self.a\n",
    "for numpy": "    def __array__(self, *args, **kwargs): return np.asarray(self.a)\n",
    "a sequence": """\
    def __len__(self): return 3
    def __getitem__(self, i):
        if i >= 3:
            raise IndexError(i)
        return self.a[i]
""",
    "a number": "    def __index__(self): return 3\n    def __float__(self): return 1.0\n",
    "an iterable": "    def __iter__(self): return iter(self.a)\n",
}
CALLS = """\
jnp.sin(x)
jnp.asarray(x)
jnp.zeros_like(x)
jnp.concatenate([x, a])
jnp.where(True, x, 1.0)
jnp.array_equal(x, x)
jnp.ones(x)
jnp.ones(3, dtype=x)
jnp.ones(jnp.shape(x))
jnp.ones(np.shape(x))
jnp.ones(jnp.ndim(x) + 1)
jnp.ones(np.size(x) + 1)
jnp.ones(2 if jnp.iscomplexobj(x) else 3)
jnp.ones(3, dtype=jnp.result_type(x, jnp.int8))
jnp.linalg.norm(x)
jax.lax.full_like(x, 0)
jax.jit(lambda q: q.a)(x)
jax.tree.map(jnp.sin, x).a
jax.vmap(lambda q: q.a + 1)(x)
"""


@pytest.mark.parametrize("kind", KINDS)
def test_calls(kind: str, tmp_path: Path) -> None:
    """No claim is wrong, and no call that runs is a mistake; of what is a tree alone mistakes are told."""
    jax = pytest.importorskip("jax")
    jax.clear_caches()  # which take a class for another one that was at its address
    calls = CALLS.splitlines()
    text = f"{BEGIN}{CLASS}{KINDS[kind]}\nx = Box(a)\n"
    path = tmp_path / "calls.py"
    path.write_text(text + "".join(f"with contextlib.suppress(Exception):\n    y = {call}\n" for call in calls))
    run = run_or_recall([path])[path]
    assert run.exception is None, run.traceback
    assert not compare(interpret(path).program, run.observations).wrong

    names: dict[str, Any] = {"__name__": "calls"}
    exec(text, names)
    for call in calls:
        told = [str(m) for m in interpret(path, source=f"{text}y = {call}\n").diagnostics]
        try:
            eval(call, names)
        except TypeError:
            assert told or kind != "nothing", call
        else:
            assert told == [], call


def test_a_class_at_the_address_of_another_one_is_none_of_the_same() -> None:
    """What jax answered for instances is kept for as long as the process lives, classes are not."""
    keys = set()
    for _ in range(100):
        keys.add(identity(InstanceValue(ClassValue("Box", (), {}, None), {})))
    assert len(keys) == 100
