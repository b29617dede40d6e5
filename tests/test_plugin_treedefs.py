"""Trees taken apart, and made of other leaves: mistakes in what comes of it, and types against jax."""

from __future__ import annotations

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from mypy_runs import Mypy, Run, shared_caches
from raising_programs import one_run, program, raising_line, told

WRONG = {
    "other_leaves": """
        def doubled(tree):
            leaves, treedef = jax.tree.flatten(tree)
            return treedef.unflatten([2 * leaf for leaf in leaves])
        def run(tree):
            return doubled(tree)["w"] @ jnp.ones(5)
        run({"w": jnp.ones((3, 4)), "b": jnp.ones(3)})
        """,
    "leaves_in_the_order_of_sorted_keys": """
        def second(tree):
            leaves, treedef = jax.tree_util.tree_flatten(tree)
            return jax.tree_util.tree_unflatten(treedef, [leaf[None] for leaf in leaves])["a"]
        def run(tree):
            return second(tree) + jnp.ones(4)
        run({"b": jnp.ones(4), "a": jnp.ones(3)})
        """,
    "too_few": """
        def run(tree):
            leaves, treedef = jax.tree.flatten(tree)
            a, b, c = leaves
            return treedef.unflatten((a, b))
        run((jnp.ones(2), {"x": jnp.ones(3), "y": jnp.ones(4)}))
        """,
    "too_many": "jax.tree.unflatten(jax.tree.structure((1.0, 2.0)), (1.0, 2.0, 3.0))",
    "keys_for_leaves": """
        def noise(tree, key):
            leaves, treedef = jax.tree.flatten(tree)
            keys = jax.random.split(key, treedef.num_leaves)
            return treedef.unflatten([l + jax.random.normal(k, (4,)) for l, k in zip(leaves, keys)])
        noise({"w": jnp.ones(4), "b": jnp.ones(3)}, jax.random.key(0))
        """,
}

RIGHT = {
    "lists_that_change": """
        def longer(tree):
            leaves = jax.tree.leaves(tree)
            leaves.append(jnp.ones(5))
            return jnp.concatenate(leaves) + jnp.ones(10)
        def shorter(tree):
            leaves, treedef = jax.tree.flatten(tree)
            del leaves[0]
            return [leaf + jnp.ones(3) for leaf in leaves]
        def turned(tree):
            leaves, treedef = jax.tree.flatten(tree)
            leaves.reverse()
            return treedef.unflatten(leaves)[0] + jnp.ones(3)
        tree = jnp.ones(2), jnp.ones(3)
        longer(tree), shorter(tree), turned(tree)
        """,
    "a_list_of_a_tuple_that_changes": """
        def longer(pair):
            both = list(pair)
            both.append(jnp.ones(5))
            return jnp.concatenate(both) + jnp.ones(10)
        longer((jnp.ones(2), jnp.ones(3)))
        """,
    "a_treedef_that_is_bound_again": """
        treedef = jax.tree.structure((1.0, 2.0))
        def tree(leaves):
            return treedef.unflatten(leaves)
        treedef = jax.tree.structure({"a": 1.0})
        tree((jnp.ones(3),))["a"] + jnp.ones(3)
        """,
    "what_a_treedef_has": """
        def use(treedef: jax.tree_util.PyTreeDef) -> int:
            return int(treedef.num_leaves + treedef.num_nodes)
        leaves, treedef = jax.tree.flatten({"a": jnp.ones(3), "b": None})
        others, other = jax.tree_util.tree_flatten((1, 2))
        use(treedef)
        assert treedef != other and len({treedef, other}) == 2
        print(treedef.children(), treedef.compose(other), treedef.node_data())
        print(treedef.flatten_up_to({"a": 1, "b": None}))
        treedef, other = other, treedef
        jax.tree.transpose(jax.tree.structure((1, 2)), jax.tree.structure([1]), ([1], [2]))
        """,
    "trees_that_are_put_in": """
        def split(tree):
            leaves, treedef = jax.tree.flatten(tree)
            pairs = treedef.unflatten([(leaf, leaf[0]) for leaf in leaves])
            return pairs["w"][0] + jnp.ones(3)
        split({"w": jnp.ones(3), "b": jnp.ones(2)})
        """,
}

TREES = (
    "jnp.ones(3)",
    "(jnp.ones(3), jnp.zeros((2, 2), jnp.int8))",
    '{"b": jnp.ones(3), "a": (jnp.zeros(2, bool), None), "c": {"y": jnp.ones(1), "x": jnp.ones(4)}}',
    "(None, (), (jnp.ones((1, 2)),))",
    '{"w": np.ones((2, 3), np.float32), "n": (jnp.arange(3),)}',
    "Pair(jnp.ones(2), {'z': jnp.ones((3, 1)), 'k': jnp.ones(3, jnp.bfloat16)})",
)


run = one_run(WRONG, RIGHT)


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_told_where_it_raises(name: str, run: Run) -> None:
    line = raising_line(program(WRONG[name]))
    assert line is not None
    assert told(run, name) == [line]


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_told_of_what_runs(name: str, run: Run) -> None:
    assert raising_line(program(RIGHT[name])) is None
    assert told(run, f"r_{name}") == []


def test_each_leaf_is_the_one_of_jax(tmp_path_factory: pytest.TempPathFactory) -> None:
    head = """\
from typing import NamedTuple
import jax
import jax.numpy as jnp
import numpy as np

class Pair(NamedTuple):
    first: jax.Array
    second: dict[str, jax.Array]

def rebuilt(tree):
    leaves, treedef = jax.tree.flatten(tree)
    return treedef.unflatten([jnp.stack([leaf, leaf]) for leaf in leaves])
def counted(tree):
    return jnp.zeros(jax.tree.structure(tree).num_leaves)
"""
    lines = [f"reveal_type({f}({tree}))" for tree in TREES for f in ("rebuilt", "counted")]
    mypy = Mypy(tmp_path_factory.mktemp("leaves"), shared_caches(tmp_path_factory))
    types = mypy.run({"leaves.py": head + "\n".join(lines) + "\n"}).revealed()
    assert len(types) == len(lines)
    space: dict[str, object] = {}
    exec(head, space)
    for line, text in zip(lines, types):
        value = eval(line.removeprefix("reveal_type"), {**space, "np": np, "jnp": jnp})
        # mypy keeps the keys of a dict in the order in which they are written.
        in_order = re.findall(r"Array\[(\w+), tuple\[([^\[\]]*(?:\[\d+\][^\[\]]*)*)\]\]", text)
        expected = [(str(leaf.dtype), leaf.shape) for leaf in _leaves_as_written(value)]
        assert [(d.rstrip("_"), tuple(map(int, re.findall(r"\d+", s)))) for d, s in in_order] == expected, line


def _leaves_as_written(tree: object) -> list[jax.Array]:
    if isinstance(tree, dict):
        # What unflatten makes has its keys sorted; the types keep those of the tree.
        order = {"b": 0, "a": 1, "c": 2, "y": 3, "x": 4, "w": 5, "n": 6, "z": 7, "k": 8}
        return [leaf for key in sorted(tree, key=order.__getitem__) for leaf in _leaves_as_written(tree[key])]
    if isinstance(tree, tuple):
        return [leaf for item in tree for leaf in _leaves_as_written(item)]
    return [] if tree is None else [jnp.asarray(tree)]
