"""Attributes of modules of Flax NNX that the program goes on changing, and numbers in them that are not known."""

from __future__ import annotations

from textwrap import dedent

import pytest
from flow_values import interpreted, run

_HEAD = """
import sys
import jax
import jax.numpy as jnp
from flax import nnx
"""

_RUN = [
    """
    class Model(nnx.Module):
        def __init__(self, *, rngs):
            self.n = []
            self.n.append(3)
            self.d = {}
            self.d["a"] = 2
            same = self.n
            same.append(4)
            self.k = (self.n[1], self.d["a"], len(self.n))
    a = nnx.eval_shape(lambda: Model(rngs=nnx.Rngs(0))).k
    model = Model(rngs=nnx.Rngs(0))
    model.n.append(5)
    b = model.n
    c = nnx.merge(*nnx.split(model)).n
    del model, Model
    """,
    """
    class Layer(nnx.Module):
        def __init__(self, width, *, rngs):
            self.width = width
            self.dense = nnx.Linear(self.width, self.width * 2, rngs=rngs)
    def make():
        return nnx.eval_shape(lambda: Layer(len(sys.argv) + 3, rngs=nnx.Rngs(0)))
    make()
    del Layer, make
    """,
]


@pytest.mark.parametrize("program", _RUN)
def test_what_runs(program: str) -> None:
    source = _HEAD + dedent(program)
    names, found = interpreted(source)
    ran = run(source)
    assert not found.crashes
    assert not found.diagnostics
    for name in ("a", "b", "c"):
        if name in ran:
            said = names[name]
            assert getattr(said, "items", said) == ran[name]


def test_data_in_a_list_that_was_empty_is_told_as_flax_does() -> None:
    source = _HEAD + dedent(
        """
        class Model(nnx.Module):
            def __init__(self, *, rngs):
                self.layers = []
                for _ in range(3):
                    self.layers.append(nnx.Linear(2, 2, rngs=rngs))
                self.widths = [self.layers[i].out_features for i in (2, 1, 0)]
        Model(rngs=nnx.Rngs(0))
        """
    )
    with pytest.raises(ValueError, match="in static attribute 'layers'"):
        run(source)
    _, found = interpreted(source)
    (mistake,) = found.diagnostics
    assert mistake.line == len(source.splitlines())
    assert "in static attribute 'layers' of Pytree type '<class 'Model'>'" in mistake.message
