"""The runtime's own time against jax's, as ratios within one run: `python benchmarks/runtime_time.py`.

Dispatch of a jitted function by the kind of its arguments, eager calls on small arrays, tracing of 1,000
equations, the gradient of a step of an MLP (traced, and run), and imports.  Aims: dispatch and eager 1.0, tracing 0.5,
`import arraytyping` 0.2.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import timeit
from collections.abc import Callable
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import arraytyping as at
import arraytyping.numpy as anp


def both(mine: Callable[[], object], other: Callable[[], object], number: int) -> tuple[float, float]:
    """Seconds of one call of each, of the quickest of many short runs; these alternate, as the machine has others."""
    for _ in range(5):
        mine(), other()
    repeat, number = (200, max(1, number // 10)) if number > 1 else (15, 1)
    runs = [(timeit.timeit(mine, number=number), timeit.timeit(other, number=number)) for _ in range(repeat)]
    return min(a for a, _ in runs) / number, min(b for _, b in runs) / number


Calls = dict[str, tuple[Callable[[], object], int]]
"""Calls by name, each with how often it is made in a run."""


def dispatches(framework: ModuleType, numpy: Any) -> Calls:
    """Calls of jitted functions with arrays, keywords, numbers, static arguments, NumPy arrays and containers."""

    def add() -> Any:
        return framework.jit(lambda x, y: x + y)

    def of_tree() -> Any:
        return framework.jit(lambda p: framework.tree.map(lambda v: v + 1, p))

    x, y, given = numpy.full(3, 3.0, "float32"), numpy.full(3, 4.0, "float32"), np.ones(3, "float32")
    small, large = {str(i): numpy.ones(3, "float32") for i in range(20)}, [numpy.ones(3, "float32") for _ in range(200)]
    plain, keywords, number, array, static = (
        add(),
        add(),
        add(),
        add(),
        framework.jit(lambda x, n: x * n, static_argnums=1),
    )
    of_small, of_large = of_tree(), of_tree()
    return {
        "jit dispatch": (lambda: plain(x, y), 2000),
        "dispatch, keywords": (lambda: keywords(x=x, y=y), 1000),
        "dispatch, a Python number": (lambda: number(x, 2.0), 1000),
        "dispatch, a static argument": (lambda: static(x, 3), 1000),
        "dispatch, a NumPy array": (lambda: array(given, y), 1000),
        "dispatch, a dict of 20": (lambda: of_small(small), 300),
        "dispatch, a list of 200": (lambda: of_large(large), 50),
    }


def eager(numpy: Any) -> Calls:
    """Operators and functions on small arrays, one by one, some with keywords."""
    x, y = numpy.full(3, 3.0, "float32"), numpy.full(3, 4.0, "float32")
    return {
        "eager add": (lambda: x + y, 2000),
        "eager -x": (lambda: -x, 2000),
        "eager exp(x)": (lambda: numpy.exp(x), 2000),
        "eager dot(x, y)": (lambda: numpy.dot(x, y), 2000),
        "eager sum(x, axis=0)": (lambda: numpy.sum(x, axis=0), 1000),
        "eager mean(x, axis=-1, keepdims=True)": (lambda: numpy.mean(x, axis=-1, keepdims=True), 1000),
        "eager clip(x, min=0.0, max=1.0)": (lambda: numpy.clip(x, min=0.0, max=1.0), 1000),
        "eager concatenate([x, y], axis=0)": (lambda: numpy.concatenate([x, y], axis=0), 1000),
        "eager x.sum(axis=0)": (lambda: x.sum(axis=0), 1000),
    }


def making(framework: ModuleType, numpy: Any) -> Calls:
    """Arrays of numbers and of NumPy's arrays, and the leaves of a pytree."""
    small, large = np.ones(3, "float32"), np.ones((1000, 1000), "float32")
    double = framework.jit(lambda x: x[0] + 1)
    tree = {"layers": [(small, small) for _ in range(3)], "step": 1}
    return {
        "asarray(1.0)": (lambda: numpy.asarray(1.0), 1000),
        "asarray, a NumPy array": (lambda: numpy.asarray(small), 1000),
        "asarray, a list of 3": (lambda: numpy.asarray([1.0, 2.0, 3.0]), 1000),
        "dispatch, a NumPy array of 4 MB": (lambda: framework.block_until_ready(double(large)), 20),
        "tree.flatten": (lambda: framework.tree.flatten(tree), 1000),
        "tree.leaves": (lambda: framework.tree.leaves(tree), 1000),
        "tree.map": (lambda: framework.tree.map(lambda v: v, tree), 1000),
    }


def sgd_step(framework: ModuleType, numpy: Any) -> Callable[[], object]:
    """A jitted step on three layers of small matrices, with its rate a Python number."""
    sizes = [(8, 16), (16, 16), (16, 2)]
    params = [(numpy.full(s, 0.1, "float32"), numpy.zeros(s[1], "float32")) for s in sizes]
    x, y = numpy.ones((4, 8), "float32"), numpy.ones((4, 2), "float32")
    gradient = framework.grad(loss(numpy))
    step = framework.jit(lambda p, x, y, rate: framework.tree.map(lambda a, g: a - rate * g, p, gradient(p, x, y)))
    return lambda: framework.block_until_ready(step(params, x, y, 0.1))


def many(x: Any) -> Any:
    """1,000 equations."""
    for _ in range(250):
        x = (x + x) * x - x
        x = abs(x)
    return x


def tracing(framework: ModuleType, numpy: Any) -> Callable[[], object]:
    """Staging them."""
    x = numpy.full(3, 3.0, "float32")
    return lambda: framework.make_jaxpr(lambda y: many(y))(x)


def loss(numpy: Any) -> Callable[..., Any]:
    """The loss of an MLP of two hidden layers."""

    def of(params: Any, x: Any, y: Any) -> Any:
        for w, b in params[:-1]:
            x = numpy.tanh(x @ w + b)
        w, b = params[-1]
        logits = x @ w + b
        logits = logits - numpy.max(logits, axis=1, keepdims=True)
        logs = logits - numpy.log(numpy.sum(numpy.exp(logits), axis=1, keepdims=True))
        return -numpy.mean(numpy.sum(logs * y, axis=1))

    return of


def mlp(framework: ModuleType, numpy: Any) -> Calls:
    """The gradient of a step: traced anew, and run as a compiled program."""
    rng = np.random.default_rng(0)
    sizes = [(64, 128), (128, 128), (128, 10)]
    params = [
        (numpy.asarray(rng.normal(size=s, scale=0.1).astype("float32")), numpy.zeros(s[1], "float32")) for s in sizes
    ]
    x = numpy.asarray(rng.normal(size=(32, 64)).astype("float32"))
    y = numpy.asarray(np.eye(10, dtype="float32")[rng.integers(0, 10, 32)])
    of = loss(numpy)
    step = framework.jit(framework.grad(of))
    return {
        "grad of an MLP, traced": (lambda: framework.make_jaxpr(framework.grad(lambda *a: of(*a)))(params, x, y), 1),
        "grad of an MLP, run": (lambda: framework.block_until_ready(step(params, x, y)), 100),
    }


def calls(framework: ModuleType, numpy: Any) -> Calls:
    """All that is timed within one process."""
    return {
        **dispatches(framework, numpy),
        "jitted SGD step": (sgd_step(framework, numpy), 100),
        **eager(numpy),
        **making(framework, numpy),
        "make_jaxpr, 1,000 equations": (tracing(framework, numpy), 1),
        **mlp(framework, numpy),
    }


def importing(statement: str) -> float:
    """Seconds of an import in a fresh interpreter, start-up subtracted."""

    def seconds(code: str) -> float:
        command = [sys.executable, "-c", code]
        return min(timeit.repeat(lambda: subprocess.run(command, check=True), number=1, repeat=5))

    return seconds(statement) - seconds("pass")


def main() -> None:
    """Print a line for each measure: ours, jax's, the ratio."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--only", default="", help="the measures whose names hold this")
    only = parser.parse_args().only

    mine, other = calls(at, anp), calls(jax, jnp)
    rows = [(name, *both(call, other[name][0], number)) for name, (call, number) in mine.items() if only in name]
    imports = [name for name in ("import arraytyping", "import arraytyping.numpy") if only in name]
    if imports:
        jax_import = importing("import jax")
        rows += [(name, importing(name), jax_import) for name in imports]
    for name, a, b in rows:
        print(f"{name:38} {a * 1e6:12.1f} us  jax {b * 1e6:12.1f} us  ratio {a / b:5.2f}")


if __name__ == "__main__":
    main()
