"""Programs that go on from what they have saved: what is said holds for these runs and for those that begin anew."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
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


CHANGED = {
    "a data set": (
        "def data():\n    try:\n        with open(path + '.data', 'rb') as file:\n"
        "            return pickle.load(file)\n"
        "    except OSError:\n        return np.zeros((9, 4), np.float32)\nx = jnp.asarray(data())\n"
        "write({'w': jnp.zeros(3)})\n"
        "with open(path + '.data', 'wb') as file:\n    file.write(DATA)\n"
    ),
    "a list that grows": (
        "losses = read() if os.path.exists(path) else [0.0]\nx = jnp.array(losses)\nlosses.append(1.0)\nwrite(losses)\n"
    ),
    "an array that grows": (
        "held = read() if os.path.exists(path) else jnp.zeros((0, 3))\nx = held * 2\n"
        "write(jnp.concatenate([held, jnp.ones((2, 3))]))\n"
    ),
    "an int that becomes a float": (
        "best = read() if os.path.exists(path) else 0\nx = jnp.asarray(best)\nwrite(max(best, 0.5))\n"
    ),
    "a number that becomes an array": (
        "loss = read() if os.path.exists(path) else 0.0\nx = jnp.ones(3, jnp.bfloat16) * loss\n"
        "write(jnp.sum(jnp.ones(3)))\n"
    ),
    "another dtype": ("w = read() if os.path.exists(path) else jnp.zeros(3, jnp.int32)\nx = w + 1\nwrite(x * 1.5)\n"),
    "arrays of NumPy": (
        "held = read() if os.path.exists(path) else {'n': jnp.arange(3)}\nx = held['n'] / 2\n"
        "write(jax.device_get(held))\n"
    ),
    "what is cast when it is loaded": (
        "held = read() if os.path.exists(path) else None\n"
        "w = jnp.zeros(3) if held is None else held['w'].astype(jnp.float16)\nx = w * 2\nwrite({'w': w})\n"
    ),
    "what is cast in a map": (
        "held = read() if os.path.exists(path) else None\n"
        "if held is None:\n    held = {'w': jnp.zeros(3)}\n"
        "else:\n    held = jax.tree.map(lambda leaf: leaf.astype(jnp.float16), held)\nx = held['w'] * 2\nwrite(held)\n"
    ),
    "one of two dtypes": (
        "w, m = read() if os.path.exists(path) else (jnp.zeros(3), None)\nm = jnp.zeros(3) if m is None else m\n"
        "x = w + 1\nwrite((w.astype(jnp.bfloat16), m))\n"
    ),
    "more keys": (
        "held = read() if os.path.exists(path) else {'a': 1}\nx = jnp.zeros(len(held))\nwrite({**held, 'b': 2})\n"
    ),
    "items that are taken": (
        "items = iter([jnp.zeros(2), jnp.zeros(2), jnp.zeros(3)])\n"
        "held = read() if os.path.exists(path) else next(items)\nx = next(items)\nx = next(items, x)\nwrite(held)\n"
    ),
    "something else": (
        "held = {}\nif os.path.exists(path):\n    held['saved'] = read()\nheld['new'] = jnp.zeros(3)\n"
        "x = list(held.values())[0]\nwrite(jnp.ones((2, 2), jnp.int8))\n"
    ),
}


@pytest.mark.parametrize("what", CHANGED)
def test_what_is_saved_is_another_thing(what: str, tmp_path: Path) -> None:
    source = START.format(path=str(tmp_path / "state.pkl")) + "import numpy as np\n"
    source += CHANGED[what].replace("DATA", repr(pickle.dumps(np.zeros((5, 2), np.uint8))))
    variables, result = interpreted(source)
    known = {"x": variables["x"]}
    for _ in ("anew", "from what was saved"):
        assert not wrong_claims(source, known, {"x": run(source)["x"]})
    assert not [m for m in result.diagnostics if m.is_certain]


def test_what_is_always_loaded_is_unknown(tmp_path: Path) -> None:
    source = START.format(path=str(tmp_path / "state.pkl"))
    variables, _ = interpreted(
        source
        + "write(make())\nstate = read()\nif os.path.exists('a'):\n    other = read()\nelse:\n    other = read()\n"
    )
    assert isinstance(variables["state"], Unknown)
    assert isinstance(variables["other"], Unknown)


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
