"""`shard_map` in types: what comes of each call against jax, on a mesh without devices; mistakes in its functions."""

from __future__ import annotations

import re

import jax
import pytest
from mypy_runs import Mypy, shared_caches
from raising_programs import program, raising_line, told

HEAD = """\
from functools import partial
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((2, 4), ("i", "j"))
unknown = jax.make_mesh(tuple([2, 4]), ("i", "j"))
x, w, n = jnp.ones((8, 16)), jnp.ones((16, 3), jnp.bfloat16), jnp.arange(8)
rows = P("i")

def first(v):
    return v[:1]

@partial(jax.shard_map, mesh=mesh, in_specs=P("i"), out_specs=P("i"))
def cut(v):
    return v[:1]

@jax.shard_map(mesh=mesh, in_specs=P("i"), out_specs=P("i"))
def declared(v: jax.Array) -> jax.Array:
    return v[:1]

def follow(a, b):
    def inner(p, q):
        return {"y": p @ q["w"], "m": (p * 2).max(0)}
    step = jax.shard_map(inner, mesh=mesh, in_specs=(P("i"), {"w": P()}), out_specs={"y": P("i"), "m": P("j")})
    return jax.jit(step)(a, {"w": b})
"""
TRUE = (
    "jax.shard_map(first, mesh=mesh, in_specs=P('i'), out_specs=P('i'))(x)",
    "jax.shard_map(first, mesh=mesh, in_specs=rows, out_specs=P('i', 'j'))(x)",
    "jax.shard_map(lambda v: v * 2, mesh=mesh, in_specs=P('i', 'j'), out_specs=P('i', 'j'))(x)",
    "jax.shard_map(lambda v: v[0], mesh=mesh, in_specs=(P(('i', 'j')),), out_specs=P(('j', 'i')))(x)",
    "jax.shard_map(lambda v: v.sum(), mesh=mesh, in_specs=P(None, None), out_specs=P())(n * jnp.ones((3, 1)))",
    "jax.shard_map(lambda v, u: v @ u, mesh=mesh, in_specs=(P('i', None), P(None, None)), out_specs=P('i'))(x, w)",
    "jax.shard_map(lambda v, u: lax.psum(v @ u, 'j'), mesh=mesh, in_specs=(P('i', 'j'), P('j')), out_specs=rows)(x, w)",
    "jax.shard_map(lambda v: (v, v * 1.5), mesh=mesh, in_specs=P('i'), out_specs=(P('j'), P('i')))(n)",
    "jax.shard_map(lambda v: v, mesh=mesh, in_specs=P(), out_specs=P())(2.0)",
    "jax.shard_map(first, mesh=unknown, in_specs=P('i'), out_specs=P('i'))(x)",
    "jax.shard_map(first, mesh=mesh, in_specs=P(*['i']), out_specs=P(*['i']))(x)",
    "jax.shard_map(mesh=mesh, in_specs=P('i'), out_specs=P('i'))(first)(x)",
    "jax.jit(jax.shard_map(lambda v: (), mesh=mesh, in_specs=P('i'), out_specs=()))(x)",
    "cut(x)",
    "declared(x)",
    "follow(x, w)",
)
KNOWN = frozenset({0, 1, 2, 3, 4, 5, 6, 7, 8, 15})
"""Of which all is known."""

WRONG = {
    "parts_that_do_not_fit": """
        from jax.sharding import PartitionSpec as P
        mesh = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
        def wrong(a, b):
            def inner(p, q):
                return p @ q
            return jax.shard_map(inner, mesh=mesh, in_specs=(P("i"), P()), out_specs=P("i"))(a, b)
        wrong(jnp.ones((4, 6)), jnp.ones((5, 2)))
        """,
    "what_comes_of_parts": """
        from jax.sharding import PartitionSpec as P
        mesh = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
        def wrong(a):
            return jax.shard_map(lambda p: p[:, :2], mesh=mesh, in_specs=P("i"), out_specs=P("i"))(a) + jnp.ones(6)
        wrong(jnp.ones((4, 6)))
        """,
}
_ARRAY = re.compile(r"Array\[([^,\[\]]+), (?:tuple\[((?:[^\[\]]|\[\d*\]|\[\(\)\])*)\]|Any)\]")


def test_what_comes_of_a_call_is_what_jax_gives(tmp_path_factory: pytest.TempPathFactory) -> None:
    mypy = Mypy(tmp_path_factory.mktemp("sharded"), shared_caches(tmp_path_factory))
    types = mypy.run({"sharded.py": HEAD + "".join(f"reveal_type({e})\n" for e in TRUE)}).revealed()
    assert len(types) == len(TRUE)
    space: dict[str, object] = {}
    head = HEAD.replace("out_specs=", "check_vma=False, out_specs=")
    abstract = re.sub(r"jax\.make_mesh\(.*?(?=, \(\"i\")", "jax.sharding.AbstractMesh((2, 4)", head)
    exec(abstract, space)
    for number, (expression, text) in enumerate(zip(TRUE, types)):
        unchecked = expression.replace("out_specs=", "check_vma=False, out_specs=")
        given = jax.eval_shape(lambda e=unchecked: eval(e, space))
        found = _ARRAY.findall(text)
        if number not in KNOWN:
            found = found or [("Any", "")] * len(jax.tree.leaves(given))
        leaves = [given[k] for k in ("y", "m")] if isinstance(given, dict) else jax.tree.leaves(given)
        assert len(found) == len(leaves), (expression, text)
        for (dtype, shape), leaf in zip(found, leaves):
            sizes = [] if shape in ("", "()") else [re.sub(r"Literal\[(\d+)\]", r"\1", s) for s in shape.split(", ")]
            weak = {"float32": "float", "int32": "int"}.get(str(leaf.dtype)) if leaf.weak_type else str(leaf.dtype)
            assert number not in KNOWN or (dtype == weak and sizes == [str(d) for d in leaf.shape]), (expression, text)
            assert dtype in (weak, "Any"), (expression, text)
            assert not sizes or len(sizes) == leaf.ndim
            assert all(s in ("int", str(d)) for s, d in zip(sizes, leaf.shape)), (expression, text)


def test_a_mistake_is_told_where_it_raises(tmp_path_factory: pytest.TempPathFactory) -> None:
    mypy = Mypy(tmp_path_factory.mktemp("wrong"), shared_caches(tmp_path_factory))
    run = mypy.run({f"{name}.py": program(text) for name, text in WRONG.items()})
    for name, text in WRONG.items():
        line = raising_line(program(text))
        assert line is not None
        assert told(run, name) == [line], name
