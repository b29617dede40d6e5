"""What ends the interpretation of an expression passes every handler of exceptions; those caught are counted."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from arraytyping_mypy.guard import guarded
from flow_values import interpreted

from arraytyping.checker.flow.state.interpreter import Signal
from arraytyping.checker.swallowed import SWALLOWED, swallow, swallowing

_ROOT = Path(__file__).parents[1]
_COUNTED = {"swallow", "crash", "_abandon"}  # the latter two count by the first


def _broad(tree: ast.AST) -> list[ast.ExceptHandler]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException")))
    ]


def test_every_broad_handler_counts() -> None:
    files = [*(_ROOT / "src/arraytyping/checker/flow").rglob("*.py"), *(_ROOT / "mypy_plugin").rglob("*.py")]
    wrong = []
    found = 0
    for file in files:
        tree = ast.parse(file.read_text())
        for handler in _broad(tree):
            found += 1
            called = {
                node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
                for node in ast.walk(handler)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name)
            }
            hands_over = "box.append(error)" in ast.unparse(handler)  # from one thread to another
            last = handler.body[-1]
            raises_again = isinstance(last, ast.Raise) and last.exc is None
            if not called & _COUNTED and not hands_over and not raises_again:
                wrong.append(f"{file.name}:{handler.lineno}")
        wrong += [
            f"{file.name}:{node.lineno}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and ast.unparse(node) in ("suppress(Exception)", "contextlib.suppress(Exception)")
        ]
    assert wrong == []
    assert found > 40


def test_is_counted_where_it_is_caught() -> None:
    before = SWALLOWED.copy()
    try:
        raise ValueError("odd\nmore")
    except ValueError as error:
        swallow(error)
    with swallowing():
        raise KeyError("k")
    lines = sorted(SWALLOWED - before)
    assert [line.partition(": ")[2].partition(" (")[0] for line in lines] == ["ValueError: odd", "KeyError: 'k'"]
    assert all(line.startswith(f"{Path(__file__).name}:") for line in lines)


def test_the_guard_of_the_plugin_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARRAYTYPING_DEBUG", raising=False)
    before = SWALLOWED.total()

    class Context:
        default_return_type = "mypy's"

    hook = guarded(lambda ctx: ctx.absent, "default_return_type")
    assert hook is not None
    assert hook(Context()) == "mypy's"
    assert SWALLOWED.total() == before + 1


def test_no_handler_for_exceptions_catches_a_signal() -> None:
    assert not issubclass(Signal, Exception)


CLASS = """
import jax, jax.numpy as jnp, numpy as np
@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, x): self.x = x
    def tree_flatten(self):
        raise ValueError("not this one")
    @classmethod
    def tree_unflatten(cls, rest, children): return cls(*children)
p = Pair(jnp.ones(3))
"""

USES = [
    "jax.tree.map(lambda v: v, p)",
    "jax.tree.leaves(p)",
    "jax.tree.leaves([p, {'a': p}])",
    "jax.vmap(lambda q: q.x)(p)",
    "jax.jit(lambda q: q.x + 1)(p)",
    "jax.grad(lambda q: q.x.sum())(p)",
    "jax.lax.scan(lambda c, v: (c, v), p, jnp.ones(3))",
    "jax.lax.cond(jnp.ones(()) > 0, lambda q: q, lambda q: q, p)",
    "jax.jit(lambda v: Pair(v))(jnp.ones(3))",
    "jax.eval_shape(lambda q: q, p)",
    "jax.tree.structure(p)",
]


@pytest.mark.parametrize("use", USES)
def test_a_flattening_that_raises_is_found(use: str) -> None:
    _, result = interpreted(f"{CLASS}{use}\nn = 1")
    assert not result.crashes
    assert [(m.line, m.is_certain) for m in result.diagnostics] == [(7, True)]


INSIDE = [
    "jax.jit(f)(x)",
    "jax.vmap(f)(x)",
    "jax.grad(lambda v: f(v).sum())(x)",
    "jax.jacfwd(f)(x)",
    "jax.hessian(lambda v: f(v).sum())(x)",
    "jax.lax.scan(lambda c, v: (f(c), v), x, x)",
    "jax.lax.while_loop(lambda c: True, f, x)",
    "jax.lax.fori_loop(0, 3, lambda i, c: f(c), x)",
    "jax.lax.cond(x[0] > 0, f, f, x)",
    "jax.lax.switch(1, [f, f], x)",
    "jax.checkpoint(f)(x)",
    "jax.vjp(f, x)",
    "jax.jvp(f, (x,), (x,))",
    "jax.linearize(f, x)",
    "jax.vmap(jax.jit(jax.grad(lambda v: f(v).sum())))(x[None])",
    "jax.lax.map(f, x)",
    "jax.eval_shape(f, x)",
    "jax.make_jaxpr(f)(x)",
    "jax.lax.associative_scan(lambda a, b: f(a), x)",
    "jax.tree.map(f, {'a': x})",
]


@pytest.mark.parametrize("use", INSIDE)
def test_jax_is_left_clean(use: str) -> None:
    """What a function raises that jax calls goes through jax, and what is asked next is answered as ever."""
    body = "import jax, jax.numpy as jnp\nx = jnp.ones(3)\ndef f(v):\n    raise ValueError('no')\n"
    after = "w = jax.vmap(lambda v: v * 2)(jnp.ones((2, 3)))\n"
    variables, result = interpreted(f"{body}try:\n    {use}\nexcept ValueError:\n    pass\n{after}")
    assert not result.crashes
    assert not result.diagnostics
    assert variables["w"].aval.shape == (2, 3)
    assert not variables["w"].traced
    _, result = interpreted(f"{body}{use}\n")
    assert [m.line for m in result.diagnostics] == [4]
