"""Aliases, named tuples and typed dicts that are made of themselves: the plugin comes to an end with all of them."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

import arraytyping_mypy
from mypy_runs import Mypy, of_modules

ALIASES = """
from __future__ import annotations
import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict, Union
import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax
from jax.flatten_util import ravel_pytree
from jaxtyping import Float, PyTree as Tree

PyTree = Union[dict[str, "PyTree"], jax.Array]
Nested = Union[list["Nested"], jax.Array]
Pair = Union[tuple["Pair", "Pair"], jax.Array, None]
First = list["Second"]
Second = Union[dict[str, "First"], Float[jax.Array, "n 3"]]
Calls = Callable[["Calls"], jax.Array]
Holds = tuple[Nested, PyTree]

class Chain(NamedTuple):
    value: jax.Array
    rest: Chain | None

class Config(TypedDict, total=False):
    inner: Config
    scale: jax.Array

class Full(TypedDict):
    inner: list[Full]
    scale: jax.Array
"""
DECLARED = """
@dataclass
class Holder:
    tree: PyTree
    nested: Nested

class Module(eqx.Module):
    tree: PyTree
    chain: Chain
    def __call__(self, x: jax.Array) -> Nested:
        return [x * leaf for leaf in jax.tree.leaves(self.tree)] + [self.chain.value]

class Layer(nn.Module):
    sizes: Nested
    @nn.compact
    def __call__(self, x: PyTree) -> Pair:
        return jax.tree.map(lambda v: nn.Dense(3)(v), x)

def total(tree: PyTree) -> jax.Array:
    if isinstance(tree, dict):
        return sum((total(v) for v in tree.values()), jnp.zeros(()))
    return jnp.sum(tree)

def doubled(nested: Nested) -> Nested:
    return [doubled(n) for n in nested] if isinstance(nested, list) else nested * 2

def declared(
    pair: Pair, first: First, second: Second, chain: Chain, config: Config, full: Full, holds: Holds, calls: Calls
) -> Any:
    left, right = pair if isinstance(pair, tuple) else (pair, None)
    swapped = (right, left)
    for f in first:
        if isinstance(f, dict):
            for key, value in f.items():
                swapped = (swapped, None)
        else:
            g = f @ jnp.ones((3, 2))
    again = jax.tree.map(lambda v: v, [second, first, chain, config, full])
    one = jax.tree.map(lambda v, w: v + w, chain, chain)
    two = jax.tree.map(jnp.zeros_like, (pair, config, full, first))
    stacked = jnp.stack([chain.value, chain.value])
    called = jax.jit(calls)(calls)
    rest = chain.rest.rest.value if chain.rest is not None and chain.rest.rest is not None else chain.value
    n, p = holds
    x = config["inner"]["inner"]["scale"] + full["inner"][0]["scale"]
    flat, back = ravel_pytree(holds)
    mapped = jax.vmap(declared, in_axes=(0, None, None, {"a": 0}, None, None, None, None))
    return again, one, two, stacked, jnp.asarray(pair), called, rest, n, p, x, flat, back(flat), mapped

def followed(tree, nested, pair, chain, config):
    tree = jax.tree.map(lambda v: v * 2, tree)
    out = [tree, nested, pair]
    out.append(chain)
    out = out + [config]
    d = {"a": tree, "b": nested}
    d["c"] = pair
    for i, item in enumerate(out):
        d = {**d, str(i): item}
    a, *b = out
    return out, d, a, b, [v for v in nested], chain._replace(value=tree), nested[0], tree["a"], -nested, tree + 1

def step(carry: PyTree, x: jax.Array) -> tuple[PyTree, Nested]:
    return jax.tree.map(lambda c: c + x, carry), [x, [x]]

@jax.custom_vjp
def custom(tree: PyTree, nested: Nested) -> Nested:
    return nested

def custom_fwd(tree: PyTree, nested: Nested) -> tuple[Nested, PyTree]:
    return nested, tree

def custom_bwd(kept: PyTree, given: Nested) -> tuple[PyTree, Nested]:
    return kept, given

custom.defvjp(custom_fwd, custom_bwd)

@functools.partial(jax.jit, static_argnames=("config",))
def jitted(tree: PyTree, config: Config) -> PyTree:
    return tree

def named(tree: Tree[Float[jax.Array, "n"]], x: Float[jax.Array, "n"], nested: Nested, second: Second) -> Second:
    return second
"""
USED = """
def main(
    tree: PyTree, nested: Nested, pair: Pair, chain: Chain, config: Config, full: Full, x: jax.Array, first: First
) -> None:
    grads = jax.grad(total)(tree)
    v, g = jax.value_and_grad(total)(tree)
    h, j = jax.hessian(total)(tree), (jax.jacfwd(doubled)(nested), jax.jacrev(doubled)(nested))
    p, t = jax.jvp(doubled, (nested,), (nested,))
    o, back = jax.vjp(doubled, nested)
    c = back(o)
    l, f = jax.linearize(total, tree)
    s = lax.scan(step, tree, jnp.ones((5, 2)))
    w = lax.while_loop(lambda t: total(t) < 3, lambda t: jax.tree.map(jnp.sin, t), tree)
    fl = lax.fori_loop(0, 3, lambda i, n: doubled(n), nested)
    cd = lax.cond(x.sum() > 0, lambda n, t: n, lambda n, t: [n], nested, tree)
    sw = lax.switch(0, [doubled, lambda n: n], nested)
    mp = lax.map(doubled, nested)
    f1 = followed(tree, nested, pair, chain, config)
    f2 = jax.jit(followed)(tree, nested, pair, chain, config)
    f3 = jax.vmap(followed)(tree, nested, pair, chain, config)
    f4 = jax.checkpoint(followed)(tree, nested, pair, chain, config)
    f5 = functools.partial(followed, tree)(nested, pair, chain, config)
    f6 = jax.eval_shape(followed, tree, nested, pair, chain, config)
    optimizer = optax.adam(1e-3)
    state = optimizer.init(tree)
    updates, state = optimizer.update(grads, state, tree)
    tree = optax.apply_updates(tree, updates)
    layer = Layer([x])
    y = layer.apply(layer.init(jax.random.key(0), tree), tree)
    module = Module(tree, chain)
    out = module(x), eqx.filter_grad(lambda m: total(m.tree))(module), eqx.tree_at(lambda m: m.tree, module, tree)
    holder = Holder(tree, nested)
    holder.tree = {"a": holder.tree}
    leaves, treedef = jax.tree.flatten(nested)
    again = jax.tree.unflatten(treedef, leaves), jax.tree.reduce(lambda a, b: a + b, tree)
    turned = jax.tree.transpose(jax.tree.structure(tree), jax.tree.structure(nested), tree)
    jit = jitted(tree, config), jitted(tree, {"inner": config}), custom(tree, nested)
    nm = named(tree, x, nested, first[0])
    while isinstance(nested, list):
        nested = nested[0]
    for k in range(3):
        pair = (pair, None)
        chain = Chain(x, chain)
        config = {"inner": config, "scale": x}
        full = {"inner": [full], "scale": x}
    r = chain == chain, pair is None, nested + 1, x + nested, nested @ x, x.at[0].set(nested)
    m = jnp.where(x > 0, nested, x)
    d = jax.device_put(tree), jax.device_get(nested), jax.block_until_ready(pair), jax.pmap(doubled)(nested)
    z = jnp.array(nested), jnp.sum(nested), np.sum(nested), jnp.zeros_like(nested), jnp.shape(nested), nested.shape
    b = declared(pair, first, first[0], chain, config, full, (nested, tree), lambda c: x)
"""
EXPRESSIONS: Final = frozenset({
    "arguments._may_be_called_with_arrays", "choices._is_known", "displays._dict", "displays._items",
    "displays._joined_lists", "displays._last", "displays._merged_dicts", "displays.refined",
    "features.chosen_functions.choices", "following.Following.function", "provenance.is_traceable",
    "taken_back.TakenBack._look_at", "tracers.Tracers._is_member",
})  # fmt: skip
"""Functions that go through the parts of an expression, or the names of classes, of which there is an end."""
OWN_ANSWER: Final = frozenset({"convert._value", "convert.value_of"})
"""What asks for such an alias before all else, since most time goes by there."""


MISTAKEN = """
def mistaken(tree: PyTree, nested: Nested) -> tuple[PyTree, Nested, jax.Array]:
    return tree, nested, jnp.ones(3) + jnp.ones(4)
"""


def test_programs_with_types_that_are_made_of_themselves(mypy: Mypy) -> None:
    settings = of_modules(["program.py"], "check_untyped_defs = true\ndisable_error_code = ['import-untyped']")
    run = mypy.run(ALIASES + DECLARED + USED + MISTAKEN, mypy_settings=settings)
    assert run.status == 1
    assert "INTERNAL ERROR" not in run.output
    assert "RecursionError" not in run.output
    assert [m.code for m in run.errors()] == ["array-shape"]


def test_what_goes_through_all_parts_of_a_type_asks_for_finite_ones() -> None:
    root = Path(arraytyping_mypy.__file__).parent
    assert Functions(root).endless() <= EXPRESSIONS | OWN_ANSWER


class Functions:
    """The functions of the plugin, and which of them call which, as far as names say."""

    def __init__(self, root: Path) -> None:
        self.trees: dict[str, ast.FunctionDef] = {}
        imported: dict[str, dict[str, str]] = {}
        for path in root.rglob("*.py"):
            module = ".".join(path.relative_to(root).with_suffix("").parts)
            tree = ast.parse(path.read_text(encoding="utf-8"))
            imported[module] = {
                alias.asname or alias.name: f"{node.module.removeprefix('arraytyping_mypy.')}.{alias.name}"
                for node in ast.walk(tree)
                if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("arraytyping_mypy.")
                for alias in node.names
            }
            self._enter(module, tree.body)
        self.calls = {name: set(self._called(name, imported)) for name in self.trees}

    def _enter(self, where: str, body: list[ast.stmt]) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef):
                self.trees[f"{where}.{node.name}"] = node
            elif isinstance(node, ast.ClassDef):
                self._enter(f"{where}.{node.name}", node.body)

    def _called(self, name: str, imported: dict[str, dict[str, str]]) -> list[str]:
        owner = name.rpartition(".")[0]
        module = owner if owner in imported else owner.rpartition(".")[0]
        found = []
        for node in ast.walk(self.trees[name]):
            if isinstance(node, ast.Name):
                found += [f"{module}.{node.id}", imported[module].get(node.id, "")]
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
                found.append(f"{owner}.{node.attr}")
        return [f for f in found if f in self.trees]

    def endless(self) -> set[str]:
        """Those that may call themselves again, and ask mypy for the proper type of what they are given."""
        return {name for name in self.trees if self._asks(name) and self._comes_back(name)}

    def _asks(self, name: str) -> bool:
        return any(isinstance(n, ast.Name) and n.id == "get_proper_type" for n in ast.walk(self.trees[name]))

    def _comes_back(self, name: str) -> bool:
        reached: set[str] = set()
        waiting = [name]
        while waiting:
            found = self.calls[waiting.pop()] - reached
            reached |= found
            waiting += found
        return name in reached
