"""Programs that go on from what they have saved: what is said holds for these runs and for those that begin anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from flow_values import interpreted, run, wrong_claims

from arraytyping.checker.flow.values import ArrayValue, SavedValue, UnionValue, Unknown

START = """\
import os
import pickle
import jax, jax.numpy as jnp, optax

path = {path!r}

def adam():
    return optax.adam(1e-3)

def make():
    params = {{"w": jnp.ones((3, 4), jnp.bfloat16)}}
    return {{"opt": adam().init(params), "params": params, "step": 0}}

def read():
    with open(path, "rb") as file:
        return pickle.load(file)

def write(state):
    with open(path, "wb") as file:
        pickle.dump(jax.tree.map(lambda x: x, state), file)

"""
END = """
@jax.jit
def step(params, opt):
    grads = jax.grad(lambda p: jnp.sum(p["w"] ** 2))(params)
    updates, opt = adam().update(grads, opt)
    return optax.apply_updates(params, updates), opt

for i in range(2):
    params, opt = step(state["params"], state["opt"])
    state = {"opt": opt, "params": params, "step": i}
    write(state)
w = state["params"]["w"]
"""
WAYS = {
    "branch": "if os.path.exists(path):\n    state = read()\nelse:\n    state = make()\n",
    "afterwards": "state = make()\nif os.path.exists(path):\n    state = read()\n",
    "expression": "state = read() if os.path.exists(path) else make()\n",
    "attempt": "try:\n    state = read()\nexcept FileNotFoundError:\n    state = make()\n",
    "attempt that returns": """\
def get():
    try:
        return read()
    except OSError:
        return make()
state = get()
""",
    "none": """\
def found():
    if os.path.exists(path):
        held = read()
        return held["step"], jax.tree.map(jnp.asarray, held)
    return None
loaded = found()
if loaded is None:
    state = make()
else:
    state = loaded[1]
""",
    "none in a variable": """\
state = None
if os.path.exists(path):
    state = read()
if state is None:
    state = make()
""",
    "attribute": """\
class Trainer:
    def __init__(self):
        self.state = None
        self.name = "trainer"
    def load(self):
        try:
            self.state = read()
            self.name = "loaded"
        except FileNotFoundError:
            pass
trainer = Trainer()
trainer.load()
if not trainer.state:
    trainer.state = make()
state = trainer.state
""",
    "loop": """\
for name in (path, path + ".old"):
    if os.path.exists(name):
        state = read()
        break
else:
    state = make()
""",
}


@pytest.mark.parametrize("way", WAYS)
def test_what_was_saved_is_as_what_is_made_anew(way: str, tmp_path: Path) -> None:
    source = START.format(path=str(tmp_path / "state.pkl")) + WAYS[way] + END
    variables, result = interpreted(source)
    assert not [m for m in result.diagnostics if m.is_certain]
    assert isinstance(variables["w"], ArrayValue)
    assert str(variables["w"].aval.dtype) == "bfloat16"
    for _ in ("anew", "from what was saved"):
        real = run(source)
        assert not wrong_claims(source, variables, real)
    assert (tmp_path / "state.pkl").exists()


def test_a_program_that_saves_nothing_loads_anything(tmp_path: Path) -> None:
    source = START.format(path=str(tmp_path / "state.pkl")).replace("pickle.dump", "print")
    for way in ("branch", "afterwards", "expression", "attempt", "attempt that returns"):
        variables, _ = interpreted(source + WAYS[way] + "w = state['params']['w']\n")
        assert isinstance(variables["w"], Unknown), way


def test_what_is_always_loaded_is_unknown(tmp_path: Path) -> None:
    source = START.format(path=str(tmp_path / "state.pkl"))
    variables, _ = interpreted(
        source
        + "write(make())\nstate = read()\nif os.path.exists('a'):\n    other = read()\nelse:\n    other = read()\n"
    )
    assert isinstance(variables["state"], Unknown)
    assert isinstance(variables["other"], Unknown)


def test_what_returns_before_anything_is_loaded_stays(tmp_path: Path) -> None:
    source = START.format(path=str(tmp_path / "state.pkl"))
    variables, _ = interpreted(
        source
        + """\
def get():
    try:
        if os.path.exists("other"):
            return jnp.zeros(2, jnp.int8)
        return read()
    except OSError:
        return jnp.zeros(3, jnp.int8)
x = get()
"""
    )
    assert isinstance(variables["x"], ArrayValue)
    assert variables["x"].aval.dtype == "int8"
    assert variables["x"].aval.shape == (None,)


def test_on_a_path_that_has_loaded_what_is_not_known_is_unknown(tmp_path: Path) -> None:
    source = START.format(path=str(tmp_path / "state.pkl"))
    loading = """\
state = read()
if os.environ.get("A"):
    x = jnp.asarray(eval(os.environ["B"]))
else:
    x = jnp.zeros(3, jnp.int8)
"""
    variables, _ = interpreted(source + loading)
    assert not isinstance(variables["x"], ArrayValue) or variables["x"].aval.dtype is None
    inner = "".join(f"    {line}\n" for line in loading.replace("x = ", "x = y = ").splitlines())
    otherwise = "x, y = jnp.zeros(4, jnp.int8), None\n"
    variables, _ = interpreted(f"{source}{otherwise}if os.path.exists(path):\n{inner}    z = y\n")
    assert not isinstance(variables["z"], ArrayValue) or variables["z"].aval.dtype is None


def test_none_may_be_what_was_saved(tmp_path: Path) -> None:
    source = START.format(path=str(tmp_path / "state.pkl"))
    variables, result = interpreted(
        source
        + """\
weights = None
if os.path.exists(path):
    weights = read()
kept = weights
w = weights["w"]
y = w @ jnp.ones(3)
"""
    )
    assert not [m for m in result.diagnostics if m.is_certain]
    assert isinstance(variables["kept"], UnionValue)
    assert any(isinstance(v, SavedValue) for v in variables["kept"].values)


def test_dill_is_as_pickle(tmp_path: Path) -> None:
    pytest.importorskip("dill")
    source = START.replace("pickle", "dill").format(path=str(tmp_path / "state.pkl")) + WAYS["attempt"] + END
    variables, _ = interpreted(source)
    assert isinstance(variables["w"], ArrayValue)
    assert not wrong_claims(source, variables, run(source))
    assert not wrong_claims(source, variables, run(source))
