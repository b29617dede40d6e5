"""Pytrees one level at a time, prefixes of trees and what is said where they do not fit, against jax."""

from __future__ import annotations

import collections
import dataclasses
import functools
import operator
import os
import subprocess
import sys
import time
from typing import Any, NamedTuple

import jax
import numpy as np
import pytest
from jax._src import tree_util as jax_tree_util

import arraytyping as at
from arraytyping import tree_util
from arraytyping.runtime.tree import broadcast_prefix, prefix_errors


class Point(NamedTuple):
    x: Any
    y: Any


class Boxed:
    """A container whose children have names."""

    def __init__(self, inside: Any, label: str) -> None:
        self.inside, self.label = inside, label

    def __repr__(self) -> str:  # it names a test, to all workers alike
        return f"Boxed({self.inside!r})"


for library in (jax.tree_util, tree_util):
    library.register_pytree_with_keys(
        Boxed,
        lambda b, library=library: (((library.GetAttrKey("inside"), b.inside),), b.label),
        lambda label, children: Boxed(next(iter(children)), label),
    )

NODES: list[Any] = [
    (), (1, 2), [], [1, [2]], {}, {"b": 1, "a": (2,)}, None, Point(1, 2), Boxed([1], "one"),
    collections.OrderedDict(b=1, a=2), collections.defaultdict(int, {"b": 1, "a": 2}),
]  # fmt: skip


def plain(value: Any) -> Any:
    """Children and what else there is, steps as text."""
    children, data = value
    return [(str(c[0]), repr(c[1])) if isinstance(c, tuple) and len(c) == 2 else repr(c) for c in children], data


@pytest.mark.parametrize("node", NODES, ids=repr)
def test_one_level(node: Any) -> None:
    ours, theirs = tree_util.flatten_one_level(node), jax.tree_util.flatten_one_level(node)
    assert ([*ours[0]], ours[1]) == ([*theirs[0]], theirs[1])
    with_keys = tree_util.flatten_one_level_with_keys(node), jax.tree_util.flatten_one_level_with_keys(node)
    if isinstance(node, Point):  # jax gives each field the name of the first
        assert [str(step) for step, _ in with_keys[0][0]] == [".x", ".y"]
    else:
        assert plain(with_keys[0]) == plain(with_keys[1])
    assert tree_util.is_tree_node(type(node)) is jax.tree_util.is_tree_node(type(node)) is True


@pytest.mark.parametrize("leaf", [1, "text", np.ones(2), object(), {1}], ids=lambda v: type(v).__name__)
def test_leaves_have_no_level(leaf: Any) -> None:
    assert tree_util.is_tree_node(type(leaf)) is jax.tree_util.is_tree_node(type(leaf)) is False
    for library in (tree_util, jax.tree_util):
        with pytest.raises(ValueError, match="can't tree-flatten type"):
            library.flatten_one_level(leaf)


TREE = {"a": [1, (2, None, Boxed([3, 4], "b"))], "c": Point({"d": 5}, [])}


def paths(library: Any, pairs: Any) -> list[tuple[str, str]]:
    return [
        (library.keystr(path), "tree" if isinstance(leaf, Point | list | tuple) else repr(leaf)) for path, leaf in pairs
    ]


@pytest.mark.parametrize("depth", range(5))
def test_leaves_by_their_paths(depth: int) -> None:
    def is_leaf(path: Any, _: Any) -> bool:
        return len(path) >= depth and str(path[-1:]) != str(("x",))

    ours, treedef = tree_util.tree_flatten_with_path(TREE, is_leaf, is_leaf_takes_path=True)
    theirs, _ = jax.tree_util.tree_flatten_with_path(TREE, is_leaf, is_leaf_takes_path=True)
    assert [p for p, _ in paths(tree_util, ours)] == [p for p, _ in paths(jax.tree_util, theirs)]
    assert [type(leaf) for _, leaf in ours] == [type(leaf) for _, leaf in theirs]
    assert treedef.num_leaves == len(ours)
    lengths = tree_util.tree_map_with_path(lambda path, _: len(path), TREE, is_leaf=is_leaf, is_leaf_takes_path=True)
    assert tree_util.tree_leaves(lengths) == [len(path) for path, _ in theirs]


PREFIXES: list[tuple[Any, Any]] = [
    (7, TREE), ((1, 2), (3, [4, 5])), ([1, None], [[2, 3], None]), ({"a": 1}, {"a": (1, 2)}),
    ((1, 2), [1, 2]), ((1, 2), (1, 2, 3)), ([1], []), ({"a": 1}, {"b": 1}), ({"a": 1}, {"a": 1, "b": 2}),
    ([(1, 2), 3], [[1, 2], 3]), (Boxed(1, "a"), Boxed(1, "b")), ({"a": [1, (2, 3)]}, {"a": [1, (2, 3, 4)]}),
    (Point([2], 1), Point((2,), [1])), ({"a": (1,), "b": [1]}, {"a": [1], "b": (1, 2)}), (None, None), (None, 1),
    (Point(1, 2), (1, 2)),
]  # fmt: skip


@pytest.mark.parametrize(("prefix", "full"), PREFIXES, ids=str)
def test_prefixes(prefix: Any, full: Any) -> None:
    theirs = [str(error("axes")) for error in jax_tree_util.prefix_errors(prefix, full)]
    assert [str(error("axes")) for error in prefix_errors(prefix, full)] == theirs
    try:
        expected: Any = jax_tree_util.broadcast_prefix(prefix, full)
    except ValueError as error:
        expected = str(error)
    try:
        found: Any = broadcast_prefix(prefix, full)
    except ValueError as error:
        found = str(error)
    assert found == expected


@pytest.mark.parametrize(
    ("axes", "args"),
    [((0, (0, 0)), (1, (2,))), (({"a": 0},), ({"b": 1},)), ((0, (None, 0)), (1, [2, 3])), (((0, 0),), ((1,),))],
)
def test_axes_that_do_not_fit_are_told_where(axes: Any, args: Any) -> None:
    said = []
    for library in (at, jax):
        given = jax.tree.map(lambda _: np.ones(3, np.float32), args)
        with pytest.raises(ValueError, match="tree prefix") as caught:
            library.vmap(lambda *_: 0, in_axes=axes)(*given)
        said.append(str(caught.value))
    assert said[0] == said[1]


@pytest.mark.parametrize("axes", [False, True, (False,), [True], (np.ones(1),), "a", 1.5], ids=str)
def test_axes_are_ints(axes: Any) -> None:
    for library in (at, jax):
        with pytest.raises(TypeError, match="must be an int, None"):
            library.vmap(lambda x: x, out_axes=axes)(np.ones((2, 3), np.float32))


@pytest.mark.parametrize("axes", [False, (True,)])
def test_in_axes_are_ints(axes: Any) -> None:
    for library in (at, jax):
        with pytest.raises(TypeError, match="must be an int, None"):
            library.vmap(lambda x: x, in_axes=axes)(np.ones((2, 3), np.float32))


def test_associative_reduction() -> None:
    def both(a: Any, b: Any) -> Any:
        return f"({a}{b})"

    for n in range(7):
        tree = list(range(n))
        if n:
            theirs = jax.tree.reduce_associative(both, tree)
            assert at.tree.reduce_associative(both, tree) == tree_util.tree_reduce_associative(both, tree) == theirs
        assert at.tree.reduce_associative(both, tree, identity=0) == jax.tree.reduce_associative(both, tree, identity=0)
    for library in (at, jax):
        with pytest.raises(TypeError, match="identity"):
            library.tree.reduce_associative(operator.add, [])


def test_a_partial_of_a_partial_keeps_its_arguments_apart() -> None:
    inner = functools.partial(lambda how, x, y: x * y if how == "times" else x + y, "times")
    for library in (at, jax):
        outer = library.tree_util.Partial(inner, np.float32(2))
        assert library.tree_util.tree_leaves(outer) == [2]
        assert outer.func == inner
        assert hash(outer.func) == hash(inner)
        assert float(library.jit(lambda f: f(np.float32(3)))(outer)) == 6
        again = library.tree_util.Partial(outer, np.float32(5))
        assert library.tree_util.tree_leaves(again) == [5]
        assert again() == 10


def test_dict_keys_without_an_order() -> None:
    for library in (at, jax):
        for tree in ({"a": 1, 2: 3}, [{"a": {1: 2, (): 3}}]):
            with pytest.raises(ValueError, match=r"order|sorting"):
                library.tree_util.tree_flatten(tree)


def test_fields_of_dataclasses() -> None:
    @dataclasses.dataclass
    class Given:
        x: Any
        y: Any = dataclasses.field(default=0, init=False)

    for library in (at, jax):
        with pytest.raises(ValueError, match="Unexpected fields"):
            library.tree_util.register_dataclass(Given)
        with pytest.raises(ValueError, match="must not overlap"):
            library.tree_util.register_dataclass(Given, data_fields=["x"], meta_fields=["x"])

    @tree_util.register_dataclass
    @dataclasses.dataclass
    class Op:
        x: Any
        name: str = at.tree.static(default="add", metadata={"unit": "m"})

    assert at.tree.leaves(Op(1)) == [1]
    assert dataclasses.fields(Op)[1].metadata == {"static": True, "unit": "m"}


def test_arithmetic_where_only_the_transformations_were_imported() -> None:
    program = "import numpy as np, arraytyping as at; print(at.jit(lambda x: x * x)(np.float32(3)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "9.0\n", done.stderr


def leaves_to_jax(framework: Any) -> dict[str, Any]:
    """Objects that are containers to optree or to the runtime."""
    return {
        "deque": collections.deque([1, 2]),
        "time": time.gmtime(0),
        "terminal": os.terminal_size((1, 2)),
        "key": framework.random.key(0),
        "keys": framework.random.split(framework.random.key(0), 3),
    }


@pytest.mark.parametrize("kind", [*leaves_to_jax(at), "deep"])
def test_what_is_a_leaf_to_jax_is_one(kind: str) -> None:
    told = []
    for fw in (at, jax):
        values = leaves_to_jax(fw)
        value = {"a": [values["deque"], (values["key"], 1)], "b": values["time"]} if kind == "deep" else values[kind]
        util = fw.tree_util
        kinds = [type(leaf).__name__ for leaf in fw.tree.leaves(value)]
        told.append(
            [
                kinds, util.all_leaves([value]), util.is_tree_node(type(value)), fw.tree.structure(value).num_leaves,
                [type(leaf).__name__ for leaf in fw.tree.leaves(value, is_leaf=lambda x: isinstance(x, tuple))],
                [type(leaf).__name__ for _, leaf in fw.tree.leaves_with_path(value)],
                [(fw.tree_util.keystr(p), type(leaf).__name__) for p, leaf in fw.tree.flatten_with_path(
                    value, is_leaf=lambda path, x: len(path) == 2, is_leaf_takes_path=True)[0]],
                fw.tree.map(lambda x: type(x).__name__, value), fw.tree.map(lambda x, y: x is y, value, value),
                fw.tree.map_with_path(lambda p, x, util=util: util.keystr(p), value),
                fw.tree.reduce(lambda n, x: n + 1, value, 0),
                fw.tree.reduce_associative(lambda a, b: a + b, fw.tree.map(lambda x: 1, value)),
                fw.tree.map(lambda x: type(x).__name__, fw.tree.broadcast(7, value)),
                fw.tree.unflatten(fw.tree.structure(value), range(len(kinds))),
            ]
        )  # fmt: skip
    assert told[0] == told[1]
    noise = at.tree.map(lambda key, x: at.random.normal(key, x.shape), {"w": at.random.key(1)}, {"w": np.ones(3)})
    assert noise["w"].shape == (3,)


class Box:
    """A container of its own, whose label is part of the structure."""

    def __init__(self, inside: Any, label: Any) -> None:
        self.inside, self.label = inside, label

    def __repr__(self) -> str:
        return f"Box({self.inside}, {self.label!r})"


Spot = collections.namedtuple("Spot", "y x")

for _fw in (at, jax):
    _fw.tree_util.register_pytree_node(Box, lambda b: ([b.inside], b.label), lambda label, c: Box(c[0], label))

MAPPED: dict[str, Any] = {
    "dict": lambda: {"b": 1, "a": {"d": 2, "c": 3}},
    "other keys": lambda: {2: 1, True: 2, 1.5: 3},
    "keys without an order": lambda: {"a": 1, 2: 3},
    "ordered": lambda: collections.OrderedDict(b=1, a=[2, None]),
    "default": lambda: collections.defaultdict(list, b=1, a=(2,)),
    "named": lambda: Spot(1, Spot([2], 3)),
    "a class": lambda: [Box({"b": 1, "a": 2}, "x"), Box(Box(3, 1), 1.0)],
    "deque": lambda: {"q": collections.deque([1])},
    "empty": lambda: ({}, [], (), None),
    "a leaf": lambda: 7,
    "classes derived": lambda: [type("D", (dict,), {"__repr__": lambda d: "D"})(a=1)],
}


@pytest.mark.parametrize("name", MAPPED)
def test_trees_are_mapped_as_in_jax(name: str) -> None:
    def told(call: Any, *args: Any, **kwargs: Any) -> str:
        try:
            return repr(call(*args, **kwargs))
        except Exception as error:  # whose words are our own
            return type(error).__name__

    def doubled(*leaves: Any) -> Any:
        return leaves

    others = [m() for n, m in MAPPED.items() if n != "keys without an order"]
    others += [Spot(1, 2), {"b": 1, "a": 2}, [Box({"b": 1, "a": 2}, "y"), Box(Box(3, 1), 1.0)], [1], (1, (2, [3]))]
    given = MAPPED[name]()
    for fw in (at, jax):
        results = [told(fw.tree.map, doubled, given, other) for other in [*others, given]]
        results += [told(f, given) for f in (fw.tree.leaves, fw.tree.all)]
        results.append(told(fw.tree.map, doubled, given))
        results.append(told(lambda tree: tree.unflatten(tree.structure(given), tree.leaves(given)), fw.tree))
        results.append(told(fw.tree.map, lambda x: x, given, is_leaf=lambda x: x is None))
        if fw is at:
            mine = results
    assert mine == results


def test_a_function_of_leaves_that_raises_is_called_once() -> None:
    seen = []

    def refuses(leaf: Any) -> Any:
        seen.append(leaf)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        at.tree.map(refuses, {"a": 1, "b": 2})
    assert seen == [1]
