"""Modules that are made under a condition or in a loop of which flow does not know: their numbers are not known."""

from __future__ import annotations

import os

import pytest
from flow_values import interpreted, run, wrong_claims

from arraytyping.checker.flow.values import ArrayValue, DictValue, Unknown

FLAX = """\
import os
import jax, jax.numpy as jnp
import flax.linen as nn

n = int(os.environ["SIZE"])
z = jnp.ones((4, 8))
key = jax.random.PRNGKey(0)

class Net(nn.Module):
    n: int
    @nn.compact
    def __call__(self, z):
{body}
        return nn.Dense(8, dtype=jnp.bfloat16)(z)

def result():
    net = Net(n)
    params = {init}(key, z)
    return params, net.apply(params, z)

params, x = result()
"""
HAIKU = """\
import os
import jax, jax.numpy as jnp
import haiku as hk

n = int(os.environ["SIZE"])
z = jnp.ones((4, 8))
key = jax.random.PRNGKey(0)

def net(z):
{body}
    return hk.Linear(8)(z)

def result():
    made = hk.without_apply_rng(hk.transform(net))
    params = made.init(key, z)
    return params, made.apply(params, z)

params, x = result()
"""
BODIES = {
    "if": "if {n} > 1:\n    z = {L}(8)(z)\n",
    "else": "if {n} > 1:\n    z = {L}(8)(z)\nelse:\n    z = {L}(8)({L}(16)(z))\n",
    "expression": "z = {L}(8)(z) if {n} > 1 else z\n",
    "for": "for _ in range({n}):\n    z = {L}(8)(z)\n",
    "while": "i = 0\nwhile i < {n}:\n    z = {L}(8)(z)\n    i += 1\n",
    "try": "try:\n    os.stat('/nowhere')\n    z = {L}(8)(z)\nexcept OSError:\n    pass\n",
    "raise": "try:\n    if {n} > 1:\n        z = {L}(8)(z)\n        raise ValueError\nexcept ValueError:\n    pass\n",
    "return": "if {n} > 1:\n    return {L}(8)(z)\n",
    "break": "for i in range(3):\n    if {n} > i:\n        break\n    z = {L}(8)(z)\n",
    "list": "layers = [{L}(8) for _ in range({n})]\nfor layer in layers:\n    z = layer(z)\n",
}


def body(way: str, layer: str, n: str, indent: int) -> str:
    lines = BODIES[way].format(L=layer, n=n).splitlines()
    return "\n".join(" " * indent + line for line in lines)


@pytest.mark.parametrize(("way", "init"), [*((way, "net.init") for way in BODIES), ("if", "jax.jit(net.init)")])
def test_flax(way: str, init: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check(FLAX.format(body=body(way, "nn.Dense", "self.n", 8), init=init), monkeypatch)


@pytest.mark.parametrize("way", BODIES)
def test_haiku(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check(HAIKU.format(body=body(way, "hk.Linear", "n", 4)), monkeypatch)


def check(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "SIZE" not in os.environ
    variables, _ = interpreted(source)
    assert isinstance(variables["params"], Unknown)
    for size in ("0", "2"):
        monkeypatch.setenv("SIZE", size)
        assert not wrong_claims(source, variables, run(source))


@pytest.mark.parametrize(
    "lines",
    [
        "if self.n > 1:\n    z = z * 2",
        "if self.n > 5:\n    raise ValueError\nz = nn.Dense(8)(z)",
        "z = nn.Dense(8)(z)\nif self.n > 1:\n    z = nn.Dropout(0.5, deterministic=True)(z)",
        "for _ in range(self.n):\n    z = z + 1",
        "for _ in range(3):\n    z = nn.Dense(8)(z)",
    ],
)
def test_what_has_no_number_may_hang_on_conditions(lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    indented = "\n".join(" " * 8 + line for line in lines.splitlines())
    source = FLAX.format(body=indented, init="net.init")
    variables, _ = interpreted(source)
    assert isinstance(variables["params"], DictValue)
    assert isinstance(variables["x"], ArrayValue)
    assert variables["x"].aval.dtype == "bfloat16"
    for size in ("0", "3"):
        monkeypatch.setenv("SIZE", size)
        assert not wrong_claims(source, variables, run(source))
