"""Mistakes in functions that nothing calls: what is one for each caller is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.settings import Settings

_HEAD = "import jax\nimport jax.numpy as jnp\n"
_WRONG = "jnp.ones((4, 8)) @ jnp.ones((7, 2))"
TOLD = {
    "a function": f"def f(x):\n    return {_WRONG}\n",
    "behind a call of something unknown": f"def f(x, g):\n    y = g(x)\n    return y + {_WRONG}\n",
    "a method": f"class A:\n    def f(self, x):\n        return {_WRONG}\n",
    "a jitted function": f"@jax.jit\ndef f(x):\n    return {_WRONG}\n",
    "in a loop": f"def f(xs):\n    for x in xs:\n        y = {_WRONG}\n",
    "an axis": "def f(x, y):\n    return jnp.sum(jnp.ones((2, 3)), axis=2) + y\n",
    "a removed name": "def f(x):\n    return jax.tree_map(jnp.sum, x)\n",
}
HANDED_ON = {
    "a decorator": f"@missing.wrap\ndef f(x):\n    return {_WRONG}\n",
    "a decorator with options": f"@missing.wrap(2)\ndef f(x):\n    return {_WRONG}\n",
    "a decorated method": f"class A:\n    @missing.wrap\n    def f(self, x):\n        return {_WRONG}\n",
    "a decorated class": f"@missing.wrap\nclass A:\n    def f(self, x):\n        return {_WRONG}\n",
    "a jitted function": f"f = missing.wrap(jax.jit(lambda x: {_WRONG}))\n",
    "an argument": f"def main():\n    def f(x):\n        return {_WRONG}\n    missing.run(f)\nmain()\n",
    "in a dict": f"def main():\n    def f(x):\n        return {_WRONG}\n    missing.run({{'loss': f}})\nmain()\n",
    "a keyword": f"def main():\n    missing.run(loss=lambda x: {_WRONG})\nmain()\n",
    "what is bound later": "@missing.wrap\ndef f(x):\n    return w @ jnp.ones((7, 2))\nw = jnp.ones((4, 8))\n",
    "what it closes over": "def main():\n    w = jnp.ones(7)\n    missing.run(lambda x: w + jnp.ones(4))\nmain()\n",
}
QUIET = {
    "where an argument decides": f"def f(x):\n    if x:\n        return {_WRONG}\n",
    "where it is caught": f"def f(x):\n    try:\n        return {_WRONG}\n    except TypeError:\n        return None\n",
    "where it is meant": f"import pytest\ndef f(x):\n    with pytest.raises(TypeError):\n        {_WRONG}\n",
    "an exception of its own": "def f(x):\n    raise NotImplementedError\n",
    "what annotations say of dtypes": "def f(x: jax.Array):\n    return x['a']\n",
    "what depends on arguments": "def f(x, y):\n    return jnp.ones((x, 3)) @ jnp.ones((y, 2))\n",
    "handed on with an exception": f"import missing\ndef f():\n    def g(z):\n        return {_WRONG}\n"
    "    missing.expect(TypeError, g)\nf()\n",
    "what an exception derives from": f"import missing\nclass Odd(Exception): ...\ndef f():\n"
    f"    missing.expect(lambda z: {_WRONG}, (Odd, None))\nf()\n",
    "handed on where that is tried": f"import missing\ntry:\n    missing.run(lambda z: {_WRONG})\n"
    "except TypeError:\n    pass\n",
    "what it closes over is bound again": "import missing\ndef f():\n    w = jnp.ones(7)\n"
    "    missing.run(lambda z: w + jnp.ones(4))\n    w = jnp.ones(4)\nf()\n",
    "what it closes over is a parameter of several calls": "import missing\ndef f(n):\n"
    "    missing.run(lambda z: jnp.ones(n) + jnp.ones(4))\nf(4)\nf(z := missing.n)\n",
    "a parameter that stands for jax.numpy": "def f(x, xnp):\n    y = xnp.stack((x, x), -1)\n"
    "    return xnp.transpose(y, (0, 2, 1))\n",
    "a parameter that is given an array and a shape": "def f(x, xnp):\n    return xnp.reshape(x, (2, 3))\n",
    "a parameter that is a module": "import types\ndef f(x, xnp: types.ModuleType):\n    return xnp.transpose('x')\n",
    "behind a return": f"def f(x):\n    return 3\n    {_WRONG}\n",
    "a name that may be there": "def f(x):\n    return jax.tree_map(jnp.sum, x) if hasattr(jax, 'tree_map') else x\n",
}


def told(tmp_path: Path, program: str) -> list[str]:
    """The codes of what is certainly wrong."""
    (tmp_path / "program.py").write_text(_HEAD + program)
    report = analyze([tmp_path / "program.py"], Settings())
    return [d.code for d in report.diagnostics if d.is_certain]


@pytest.mark.parametrize("name", [*TOLD])
def test_what_is_wrong_for_whoever_calls_is_told(name: str, tmp_path: Path) -> None:
    assert len(told(tmp_path, TOLD[name])) == 1


@pytest.mark.parametrize("name", [*HANDED_ON])
def test_what_is_wrong_for_whoever_calls_is_told_of_what_is_handed_on(name: str, tmp_path: Path) -> None:
    assert len(told(tmp_path, f"import missing\n{HANDED_ON[name]}")) == 1


@pytest.mark.parametrize("name", [*QUIET])
def test_what_hangs_on_the_caller_is_not_told(name: str, tmp_path: Path) -> None:
    assert not told(tmp_path, QUIET[name])


def test_the_size_of_an_axis_that_is_not_known_is_no_tracer_of_the_program(tmp_path: Path) -> None:
    program = """
n = jax.device_count()
def f(x):
    return jax.lax.all_to_all(x * 2.0, axis_name="i", split_axis=0, concat_axis=1)
y = jax.pmap(f, axis_name="i")(jnp.ones((n, n, 2)))
"""
    assert not told(tmp_path, program)
