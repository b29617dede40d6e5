"""The runtime's own time against jax's, as ratios within one run: `python benchmarks/runtime_time.py`.

Dispatch of a jitted function by the kind of its arguments, an eager sum of two small arrays, tracing of 1,000
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


def best(function: Callable[[], object], number: int, repeat: int = 9) -> float:
    """Seconds of one call, of the quickest of several runs."""
    function()
    return min(timeit.repeat(function, number=number, repeat=repeat)) / number


def dispatch(jit: Callable[..., Any], make: Callable[..., Any]) -> float:
    """A jitted sum of two arrays of 3 elements."""
    add = jit(lambda x, y: x + y)
    x, y = make(3.0), make(4.0)
    return best(lambda: add(x, y), 2000)


def dispatches(framework: ModuleType, make: Callable[..., Any]) -> dict[str, float]:
    """Calls of jitted functions with keywords, numbers, static arguments, NumPy arrays and containers."""
    add = framework.jit(lambda x, y: x + y)
    static = framework.jit(lambda x, n: x * n, static_argnums=1)
    of_tree = framework.jit(lambda p: framework.tree.map(lambda v: v + 1, p))
    x, y, given = make(3.0), make(4.0), np.ones(3, "float32")
    small, large = {str(i): make(1.0) for i in range(20)}, [make(1.0) for _ in range(200)]
    return {
        "keywords": best(lambda: add(x=x, y=y), 1000),
        "a Python number": best(lambda: add(x, 2.0), 1000),
        "a static argument": best(lambda: static(x, 3), 1000),
        "a NumPy array": best(lambda: add(given, y), 1000),
        "a dict of 20": best(lambda: of_tree(small), 300),
        "a list of 200": best(lambda: of_tree(large), 50),
    }


def eager(make: Callable[..., Any]) -> float:
    """The same with the operator."""
    x, y = make(3.0), make(4.0)
    return best(lambda: x + y, 2000)


def many(x: Any) -> Any:
    """1,000 equations."""
    for _ in range(250):
        x = (x + x) * x - x
        x = abs(x)
    return x


def tracing(framework: ModuleType, make: Callable[..., Any]) -> float:
    """Staging them."""
    x = make(3.0)
    return best(lambda: framework.make_jaxpr(lambda y: many(y))(x), 1, 7)


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


def mlp(framework: ModuleType, numpy: Any) -> tuple[float, float]:
    """The gradient of a step: traced anew, and run as a compiled program."""
    rng = np.random.default_rng(0)
    sizes = [(64, 128), (128, 128), (128, 10)]
    params = [
        (numpy.asarray(rng.normal(size=s, scale=0.1).astype("float32")), numpy.zeros(s[1], "float32")) for s in sizes
    ]
    x = numpy.asarray(rng.normal(size=(32, 64)).astype("float32"))
    y = numpy.asarray(np.eye(10, dtype="float32")[rng.integers(0, 10, 32)])
    of = loss(numpy)
    traced = best(lambda: framework.make_jaxpr(framework.grad(lambda *a: of(*a)))(params, x, y), 1, 7)
    step = framework.jit(framework.grad(of))

    def run() -> None:
        step(params, x, y)[0][0].block_until_ready()

    return traced, best(run, 100)


def importing(statement: str) -> float:
    """Seconds of an import in a fresh interpreter, start-up subtracted."""

    def seconds(code: str) -> float:
        command = [sys.executable, "-c", code]
        return min(timeit.repeat(lambda: subprocess.run(command, check=True), number=1, repeat=5))

    return seconds(statement) - seconds("pass")


def main() -> None:
    """Print a line for each measure: ours, jax's, the ratio."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.parse_args()

    def ours(value: float) -> Any:
        return anp.full(3, value, "float32")

    def theirs(value: float) -> Any:
        return jnp.full(3, value, "float32")

    rows = [
        ("jit dispatch", dispatch(at.jit, ours), dispatch(jax.jit, theirs)),
        ("eager add", eager(ours), eager(theirs)),
        ("make_jaxpr, 1,000 equations", tracing(at, ours), tracing(jax, theirs)),
    ]
    kinds, of_jax = dispatches(at, ours), dispatches(jax, theirs)
    rows += [(f"dispatch, {kind}", kinds[kind], of_jax[kind]) for kind in kinds]
    (mine, mine_run), (other, other_run) = mlp(at, anp), mlp(jax, jnp)
    rows += [("grad of an MLP, traced", mine, other), ("grad of an MLP, run", mine_run, other_run)]
    jax_import = importing("import jax")
    rows += [
        ("import arraytyping", importing("import arraytyping"), jax_import),
        ("import arraytyping.numpy", importing("import arraytyping.numpy"), jax_import),
    ]
    for name, a, b in rows:
        print(f"{name:30} {a * 1e6:12.1f} us  jax {b * 1e6:12.1f} us  ratio {a / b:5.2f}")


if __name__ == "__main__":
    main()
