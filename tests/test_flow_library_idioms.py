"""What libraries and published programs are written with: older names of typing, mappings of one's own, dm-tree."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arraytyping.checker.flow.start.program import interpret
from arraytyping.checker.flow.values.basic import births

MAPPING = """
class Settings:
    def __init__(self, content): self.content = content
    def keys(self): return self.content.keys()
    def __getitem__(self, key): return self.content[key]
settings = Settings({"n": 4})
"""
PROGRAMS = {
    "a NamedTuple of typing_extensions": (
        "from typing_extensions import NamedTuple\n"
        "class Point(NamedTuple):\n    a: int\n    b: int = 4\n"
        "size = Point(1).b"
    ),
    "a decorator that is marked": (
        "import typing, typing_extensions\n"
        "@typing_extensions.dataclass_transform(frozen_default=True)\n"
        "def outer(cls): return cls\n"
        "@typing.dataclass_transform()\n"
        "def inner(cls): return cls\n"
        "@outer\n@inner\nclass Sizes:\n    n = 4\n"
        "size = Sizes.n"
    ),
    "a function that is deprecated": (
        "from typing_extensions import deprecated\n@deprecated('use another')\ndef old(n): return n + 1\nsize = old(3)"
    ),
    "dict of a mapping": f"{MAPPING}size = dict(settings)['n']",
    "a mapping in a display": f"{MAPPING}size = {{'m': 1, **settings}}['n']",
    "a class of one of JAX's scalar types": (
        "class Step(jnp.int8):\n    FIRST = jnp.ones((4,), jnp.int8)\nsize = Step.FIRST.shape[0]"
    ),
    "a context manager of contextlib": (
        "from contextlib import AbstractContextManager\nclass Held(AbstractContextManager):\n"
        "    def __init__(self, n): self.n = n\n    def __exit__(self, *error): return None\n"
        "with Held(4) as held:\n    size = held.n\nassert isinstance(held, AbstractContextManager)"
    ),
    "a context manager as a decorator": (
        "from contextlib import ContextDecorator\nclass Timed(ContextDecorator):\n"
        "    def __enter__(self): return self\n    def __exit__(self, *error): return False\n"
        "@Timed()\ndef double(n): return 2 * n\nsize = double(2)"
    ),
    "a module that is imported by its name": (
        "import importlib\nwhere, what = 'jax.numpy:ones'.split(':')\n"
        "size = getattr(importlib.import_module(where), what)(4).shape[0]"
    ),
    "a module of a package": "import importlib\nsize = importlib.import_module('.numpy', 'jax').ones(4).shape[0]",
    "paths as nested dicts": (
        "def nested(flat):\n    tree = {}\n    for path, value in flat.items():\n        node = tree\n"
        "        *parts, last = path.split('/')\n        for part in parts:\n"
        "            node = node.setdefault(part, {})\n        node[last] = value\n    return tree\n"
        "size = nested({'a/b': 3, 'a/c/d': 4})['a']['c']['d']"
    ),
    "an update by a mapping": f"{MAPPING}found = {{}}\nfound.update(settings)\nsize = found['n']",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_a_size_is(name: str, tmp_path: Path) -> None:
    source = f"import jax.numpy as jnp\n{PROGRAMS[name]}\njnp.ones(size) @ jnp.ones(4)\njnp.ones(size) @ jnp.ones(5)\n"
    exec(compile(source.rpartition("jnp.ones(size)")[0], "<program>", "exec"), {"__name__": "program"})
    found = interpret(tmp_path / "program.py", source=source)
    lines = source.count("\n")
    assert [(m.line, m.code) for m in found.diagnostics] == [(lines, "array-shape")]


def test_nested_dicts_of_paths_that_are_not_known_come_to_an_end(tmp_path: Path) -> None:
    source = """
import sys
import jax.numpy as jnp

tree = {}
for path in sys.argv:
    node = tree
    for part in path.split("/")[:-1]:
        node = node.setdefault(part, {})
    node[path] = jnp.ones(3)

def post(tree):
    return {k: post(v) for k, v in tree.items()} if isinstance(tree, dict) else tree

done = post(tree)
jnp.ones(3) @ jnp.ones(4)
"""
    before = next(births)
    found = interpret(tmp_path / "program.py", source=source)
    assert next(births) - before < 200_000  # without an end there were millions of joined dicts
    assert [(m.line, m.code) for m in found.diagnostics] == [(16, "array-shape")]


def test_structures_of_dm_tree(tmp_path: Path) -> None:
    source = """
import jax.numpy as jnp
import tree
from typing import NamedTuple

class Pair(NamedTuple):
    a: object
    b: object

nested = {"x": jnp.ones(3), "w": (jnp.ones((2, 4)), [Pair(jnp.ones(5), None)])}
rows = tree.map_structure(lambda leaf: 0 if leaf is None else leaf[None], nested)
jnp.ones(len(tree.flatten(nested))) @ jnp.ones(4)
jnp.ones(len(tree.flatten_with_path(nested)[1][0])) @ jnp.ones(4)
rows["w"][1][0].a @ jnp.ones(5)
tree.unflatten_as(nested, [jnp.ones(7), 2, 3, 4])["w"][0] @ jnp.ones(7)
rows["x"] @ jnp.ones(4)
"""
    found = interpret(tmp_path / "program.py", source=source)
    assert [(m.line, m.code) for m in found.diagnostics] == [(16, "array-shape")]


def test_a_configuration_of_a_module_keeps_what_is_not_known(tmp_path: Path) -> None:
    pytest.importorskip("flax")
    source = """
import os
import flax.linen as nn
import jax
import jax.numpy as jnp

class Model(nn.Module):
    config: dict

    @nn.compact
    def __call__(self, x):
        return nn.Dense(self.config["features"])(x)

model = Model({"entity": os.environ["USER_OF_THIS"], "rate": float(os.environ["RATE"]), "features": 3})
x = jnp.ones((2, 5))
model.init_with_output(jax.random.key(0), x)[0] @ jnp.ones(4)
"""
    found = interpret(tmp_path / "program.py", source=source)
    assert [(m.line, m.code) for m in found.diagnostics] == [(16, "array-shape")]


def test_modules_that_may_be_none_in_a_dict_of_a_module(tmp_path: Path) -> None:
    pytest.importorskip("flax")
    source = """
import flax.linen as nn
import jax
import jax.numpy as jnp

def encoded(encoder, x):
    if encoder is None:
        return x
    return encoder(x)

class Model(nn.Module):
    encoders: dict

    def __call__(self, x):
        return encoded(self.encoders["before"], x), encoded(self.encoders["after"], x)

x = jnp.ones((2, 5))
found, _ = Model({"before": None, "after": nn.Dense(3)}).init_with_output(jax.random.key(0), x)
found[0] @ jnp.ones(5)
found[1] @ jnp.ones(4)
"""
    found = interpret(tmp_path / "program.py", source=source)
    assert [(m.line, m.code) for m in found.diagnostics] == [(20, "array-shape")]


def test_modules_with_one_of_several_values_in_a_field(tmp_path: Path) -> None:
    pytest.importorskip("flax")
    source = """
import os
from typing import Any
import flax.linen as nn
import jax
import jax.numpy as jnp

class Policy(nn.Module):
    width: int
    low: Any = None

    @nn.compact
    def __call__(self, x):
        x = nn.Dense(self.width)(x)
        return x if self.low is None else x + self.low

low = None if "BOUNDED" in os.environ else jnp.zeros(3)
policy = Policy(3, low=low)
x = jnp.ones((2, 5))
params = policy.init(jax.random.key(0), x)
params["params"]["Dense_0"]["kernel"] @ jnp.ones(4)
policy.apply(params, x) @ jnp.ones(4)
"""
    found = interpret(tmp_path / "program.py", source=source)
    assert [(m.line, m.code) for m in found.diagnostics] == [(21, "array-shape"), (22, "array-shape")]


def test_dicts_of_which_a_part_is_not_known_are_frozen(tmp_path: Path) -> None:
    pytest.importorskip("flax")
    source = """
import jax
import jax.numpy as jnp
import numpy as np
from flax.core import freeze, unfreeze
from flax.core.frozen_dict import FrozenDict

given = {"a": np.ones((3, 4)), "b": {"c": np.load("c.npy"), "d": None}, "e": jnp.ones(3)}
frozen = freeze(given)
jnp.ones((2, 7)) @ frozen["a"]
back = unfreeze(frozen)
back["b"]["d"].shape
assert isinstance(frozen["b"], FrozenDict) and type(back["b"]) is dict
doubled = jax.tree.map(lambda x: 2 * x, frozen)
doubled["e"] @ jnp.ones(4)
doubled["b"]["c"] @ jnp.ones(4)
"""
    found = interpret(tmp_path / "program.py", source=source)
    assert [m.line for m in found.diagnostics] == [10, 12, 15]


def test_copies_of_modules_are_modules_of_their_own(tmp_path: Path) -> None:
    pytest.importorskip("flax")
    source = """
import copy
import flax.linen as nn
import jax
import jax.numpy as jnp
from flax import nnx

class Both(nn.Module):
    networks: dict

    def __call__(self, x):
        return self.networks["value"](x), self.networks["target"](x)

value = nn.Dense(3)
params = Both({"value": value, "target": copy.deepcopy(value)}).init(jax.random.key(0), jnp.ones((1, 5)))["params"]
params["networks_value"]["kernel"] @ jnp.ones(3)
params["networks_target"]["kernel"] @ jnp.ones(4)
layer = nnx.Linear(2, 3, rngs=nnx.Rngs(0))
other = copy.deepcopy(layer)
other.kernel.value = jnp.zeros((7, 7))
layer.kernel.value @ jnp.ones(7)
other.kernel.value @ jnp.ones(7)
"""
    found = interpret(tmp_path / "program.py", source=source)
    assert [(m.line, m.code) for m in found.diagnostics if m.code != "array-deprecated"] == [
        (17, "array-shape"), (21, "array-shape"),
    ]  # fmt: skip


def test_the_exercise_leaves_a_process_that_can_be_forked() -> None:
    code = (
        "from arraytyping.checker.flow.report.exercise import exercise\n"
        "from arraytyping.checker.flow.report.workers import Workers, can_fork\n"
        "from arraytyping.checker.settings import Settings\n"
        "Workers({}, Settings(), None, 1, ()).warm_up(is_for_many=True)\n"
        "found = exercise()\n"
        "print(found.diagnostics, dict(found.unknowns), found.is_complete, can_fork())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[]", "{}", "True", str(sys.platform == "linux")]
