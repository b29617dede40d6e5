"""What flow says in its own words where jax's are cut off, muddled or about its own insides; mistakes of all sorts.

Each message has a program that jax refuses when it runs, and a twin that runs and of which nothing is said.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from told_messages import malformed

from arraytyping.checker.flow.start.program import interpret

ROOT = Path(__file__).parent.parent
HEAD = """import functools
import jax
import jax.numpy as jnp
from jax import lax
x = jnp.ones(3)
"""


class Said(NamedTuple):
    """A wrong program, what is said of it, and the right one."""

    wrong: str
    message: str
    right: str


MODEL = """import dataclasses
@functools.partial(jax.tree_util.register_dataclass, data_fields=["w"], meta_fields=["scale"])
@dataclasses.dataclass
class Model:
    w: jax.Array
    scale: jax.Array
@jax.jit
def apply(model):
    return model.w * jnp.sum(model.scale)
"""
CARRY = "the body must give the carry back with the types that it got"
TREE = "the body must give the carry back with the structure that it got"
SAID = (
    Said(
        "lax.scan(lambda carry, v: ((carry[0], carry[1] + v), None), (0.0, jnp.float32(0)), jnp.ones((3, 10)))",
        f"TypeError: scan: carry[1]: float32[] comes in, float32[10] goes out; {CARRY}",
        "lax.scan(lambda carry, v: ((carry[0], carry[1] + v), None), (0.0, jnp.zeros(10)), jnp.ones((3, 10)))",
    ),
    Said(
        "lax.scan(lambda c, v: ({'a': c['a'] @ jnp.ones((3, 2)), 'b': c['b'] + 1.5}, None), "
        "{'a': jnp.ones((3, 3)), 'b': jnp.int32(0)}, None, length=3)",
        "TypeError: scan: c['a']: float32[3,3] comes in, float32[3,2] goes out; c['b']: int32[] comes in, float32[] "
        f"goes out; {CARRY}",
        "lax.scan(lambda c, v: ({'a': c['a'] @ jnp.ones((3, 3)), 'b': c['b'] + 1}, None), "
        "{'a': jnp.ones((3, 3)), 'b': jnp.int32(0)}, None, length=3)",
    ),
    Said(
        "lax.scan(lambda c, v: ((c, c), v), 0.0, x)",
        f"TypeError: scan: c: an array comes in, a tuple goes out; {TREE}",
        "lax.scan(lambda c, v: (c, (c, v)), 0.0, x)",
    ),
    Said(
        "lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, jnp.append(c[1], 0.0)), (0, x))",
        f"TypeError: while_loop: c[1]: float32[3] comes in, float32[4] goes out; {CARRY}",
        "lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] + 0.0), (0, x))",
    ),
    Said(
        "lax.while_loop(lambda c: c < 3, lambda c: c + 1, x)",
        "TypeError: while_loop: the condition must give one bool, bool[], and gives bool[3]; compare, or use .any() or "
        ".all()",
        "lax.while_loop(lambda c: (c < 3).all(), lambda c: c + 1, x)",
    ),
    Said(
        "lax.fori_loop(0, 3, lambda i, c: (c[0], c[1] * 2.0), (x, jnp.arange(3)))",
        f"TypeError: fori_loop: carry[1]: int32[3] comes in, float32[3] goes out; {CARRY}",
        "lax.fori_loop(0, 3, lambda i, c: (c[0], c[1] * 2), (x, jnp.arange(3)))",
    ),
    Said(
        "lax.cond(x.all(), lambda v: v, lambda v: v.astype(jnp.int32), jnp.float32(1))",
        "TypeError: cond: the true branch gives float32[], the false branch int32[]; all branches must give the same "
        "types",
        "lax.cond(x.all(), lambda v: v, lambda v: jnp.round(v), jnp.float32(1))",
    ),
    Said(
        "lax.cond(x.all(), lambda v: {'a': v, 'b': v[0]}, lambda v: {'a': v, 'b': v[:1]}, x)",
        "TypeError: cond: at ['b'], the true branch gives float32[], the false branch float32[1]; all branches must "
        "give the same types",
        "lax.cond(x.all(), lambda v: {'a': v, 'b': v[0]}, lambda v: {'a': v, 'b': v[1]}, x)",
    ),
    Said(
        "lax.cond(x > 0, lambda v: v, lambda v: -v, x)",
        "TypeError: cond: the predicate must be a bool or a number, got an array of shape (3,); use .any() or .all(), "
        "or jnp.where for each element",
        "lax.cond((x > 0).all(), lambda v: v, lambda v: -v, x)",
    ),
    Said(
        "def is_positive(v):\n    return v.sum() > 0\nlax.cond(is_positive, lambda v: v, lambda v: -v, x)",
        "TypeError: cond: the predicate must be a bool or a number, got a function; call it",
        "def is_positive(v):\n    return v.sum() > 0\nlax.cond(is_positive(x), lambda v: v, lambda v: -v, x)",
    ),
    Said(
        "lax.switch(jnp.int32(1), [lambda v: v, lambda v: v * 2, lambda v: v[None]], x)",
        "TypeError: switch: branch 0 gives float32[3], branch 2 float32[1,3]; all branches must give the same types",
        "lax.switch(jnp.int32(1), [lambda v: v, lambda v: v * 2, lambda v: -v], x)",
    ),
    Said(
        "lax.switch(x[0], [lambda v: v, lambda v: v * 2], x)",
        "TypeError: switch: the index must be an integer, got float32; cast it with .astype(jnp.int32)",
        "lax.switch(x[0].astype(jnp.int32), [lambda v: v, lambda v: v * 2], x)",
    ),
    Said(
        "def pad(v, n):\n    return jnp.pad(v, n)\njax.jit(pad)(x, 2)",
        "pad: the value of `n` is not known while `jit` traces `pad` (line 6): mark `n` static: "
        '`jax.jit(pad, static_argnames="n")`',
        'def pad(v, n):\n    return jnp.pad(v, n)\njax.jit(pad, static_argnames="n")(x, 2)',
    ),
    Said(
        "def inner(v, size):\n    return v + jnp.zeros(size)\n@jax.jit\ndef outer(v, n):\n    return inner(v, n)\n"
        "outer(x, 3)",
        "zeros: the value of `n` is not known while `jit` traces `outer` (line 9): mark `n` static: "
        '`jax.jit(outer, static_argnames="n")`',
        "def inner(v, size):\n    return v + jnp.zeros(size)\n@jax.jit\ndef outer(v):\n    return inner(v, len(v))\n"
        "outer(x)",
    ),
    Said(
        "@functools.partial(jax.jit, static_argnames='kind')\ndef rows(v, n, kind):\n    return v.reshape(n, -1)\n"
        "rows(x, 3, 'rows')",
        "reshape: the value of `n` is not known while `jit` traces `rows` (line 7): mark `n` static as well: "
        '`jax.jit(rows, static_argnames="n")`',
        "@functools.partial(jax.jit, static_argnames=('kind', 'n'))\ndef rows(v, n, kind):\n"
        "    return v.reshape(n, -1)\nrows(x, 3, 'rows')",
    ),
    Said(
        "@jax.jit\ndef total(v):\n    return jnp.zeros(v.sum().astype(int))\ntotal(x)",
        "zeros: a value of type int32[] is not known while `jit` traces `total` (line 7): use a shape or a Python "
        "number in its place",
        "@jax.jit\ndef total(v):\n    return jnp.zeros(v.shape)\ntotal(x)",
    ),
    Said(
        "lax.fori_loop(0, 3, lambda i, c: c + jnp.ones(i).sum(), 0.0)",
        "ones: a value of type int32[] is not known while `fori_loop` traces `<lambda>` (line 6): use a shape or a "
        "Python number in its place",
        "lax.fori_loop(0, 3, lambda i, c: c + jnp.ones(3).sum(), 0.0)",
    ),
    Said(
        "@jax.jit\ndef positive(v):\n    return v[v > 0]\npositive(x)",
        "how many elements a mask takes depends on values: a value of type bool[3] is not known while `jit` traces "
        "`positive` (line 7): use jnp.where(mask, x, y), or give the mask as a NumPy array",
        "@jax.jit\ndef positive(v):\n    return jnp.where(v > 0, v, 0)\npositive(x)",
    ),
    Said(
        "@jax.jit\ndef steps(v, n):\n    for _ in range(n):\n        v = v + 1\n    return v\nsteps(x, 3)",
        "range: the value of `n` is not known while `jit` traces `steps` (line 7): mark `n` static: "
        '`jax.jit(steps, static_argnames="n")`',
        "@jax.jit\ndef steps(v, n):\n    return lax.fori_loop(0, n, lambda i, c: c + 1, v)\nsteps(x, 3)",
    ),
    Said(
        "@jax.jit\ndef layer(v, train):\n    return v * 2 if train else v\nlayer(x, True)",
        "the truth of a tracer bool[] is asked for, which has no value yet; use jnp.where or jax.lax.cond, or mark "
        '`train` static: `jax.jit(layer, static_argnames="train")`',
        "@jax.jit\ndef layer(v, train):\n    return jnp.where(train, v * 2, v)\nlayer(x, True)",
    ),
    Said(
        "jax.random.normal(0, (3,))",
        "random.normal: the first argument must be a key, got the int 0; write jax.random.key(0)",
        "jax.random.normal(jax.random.key(0), (3,))",
    ),
    Said(
        "jax.random.uniform(jax.random.split(jax.random.key(0)), (3,))",
        "random.uniform: the first argument must be a single key, got an array of keys of shape (2,); use jax.vmap",
        "jax.random.uniform(jax.random.split(jax.random.key(0))[0], (3,))",
    ),
    Said(
        "import numpy as np\ndef loss(w, v):\n    return jnp.sum(np.power(w * v, 2))\njax.grad(loss)(x, x)",
        "numpy.power needs a value, but float32[3] is a tracer, which has none yet; use jax.numpy",
        "import numpy as np\ndef loss(w, v):\n    return jnp.sum(jnp.power(w * np.power(v, 2), 2))\n"
        "jax.grad(loss)(x, x)",
    ),
    Said(
        "import numpy as np\njax.value_and_grad(lambda w: jnp.mean(w @ np.asarray(w)))(x)",
        "numpy.asarray needs a value, but float32[3] is a tracer, which has none yet; use jax.numpy",
        "import numpy as np\njax.value_and_grad(lambda w: jnp.mean(w @ np.asarray(lax.stop_gradient(w))))(x)",
    ),
    Said(
        "jax.grad(lambda w: w * float(w))(2.0)",
        "float() of a tracer float32[] (weak), which has no value yet; use .astype, or do this outside of the traced "
        "function",
        "jax.grad(lambda w: w * int(w))(2.0)",
    ),
    Said(
        "@jax.jit\ndef apply(f, v):\n    return f(v)\napply(jnp.sin, x)",
        "TypeError: argument 0 of apply is a function, which is no array and no pytree; mark it as static, or register "
        "its class",
        "@jax.jit\ndef apply(f, v):\n    return f(v)\napply(jax.tree_util.Partial(jnp.sin), x)",
    ),
    Said(
        "@jax.jit\ndef cast(v, dtype):\n    return v.astype(dtype)\ncast(x, jnp.bfloat16)",
        "TypeError: argument 1 of cast is a class, which is no array and no pytree; mark it as static, or register its "
        "class",
        "@functools.partial(jax.jit, static_argnums=1)\ndef cast(v, dtype):\n    return v.astype(dtype)\n"
        "cast(x, jnp.bfloat16)",
    ),
    Said(
        f"{MODEL}apply(Model(x, jnp.ones(3)))\napply(Model(x, jnp.zeros(3)))",
        "ValueError: apply: the field 'scale' of Model is metadata of a pytree and holds an array, which jit compares "
        "with that of an earlier call, and its truth is ambiguous: make it a data field, or a tuple of numbers",
        f"{MODEL}scale = jnp.ones(3)\napply(Model(x, scale))\napply(Model(2 * x, scale))",
    ),
    Said(
        "jax.vmap(lambda v: lax.ppermute(v, 'i', [(0, 1), (1, 2)]), axis_name='i')(x)",
        "AssertionError: ppermute: the axis 'i' has 3 items under vmap, and the permutation sends 2 of them: it must "
        "say of each item where it goes",
        "jax.vmap(lambda v: lax.ppermute(v, 'i', [(0, 1), (1, 2), (2, 0)]), axis_name='i')(x)",
    ),
    Said(
        "jax.scipy.sparse.linalg.cg(lambda v: jnp.ones((3, 3)) @ v, jnp.ones(4))",
        "matmul: contracted dimensions differ: dimension 1 of (3, 3) is 3, dimension 0 of (4,) is 4; they must be "
        "equal",
        "jax.scipy.sparse.linalg.cg(lambda v: jnp.eye(3) @ v, jnp.ones(3))",
    ),
    Said(
        "import numpy as np\nnp.array([[1, 2, 3], [4, 5]])",
        "ValueError: setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 "
        "dimensions. The detected shape was (2,) + inhomogeneous part.",
        "import numpy as np\nnp.array([[1, 2, 3], [4, 5, 6]])",
    ),
    Said(
        "def mean(v):\n    return jnp.sum(v) / v.shape[-1]\nmean(jnp.float32(2))",
        "IndexError: tuple index -1 is out of range: it has 0 items",
        "def mean(v):\n    return jnp.sum(v) / v.shape[-1]\nmean(jnp.ones(2))",
    ),
    Said("jax.random(3)", "TypeError: module 'jax.random' is not callable", "jax.random.key(3)"),
    Said(
        "jnp + 1",
        "TypeError: unsupported operands of +: module 'jax.numpy' and an int",
        "jnp.pi + 1",
    ),
)


@pytest.mark.parametrize("said", SAID, ids=[re.sub(r"\W+", "-", said.message[:60]) for said in SAID])
def test_messages_are_ours(said: Said, tmp_path: Path) -> None:
    """Jax refuses the one program, of which is said just this, and runs the other, of which nothing is said."""
    path = tmp_path / "program.py"
    wrong = [d.message for d in interpret(path, source=HEAD + said.wrong + "\n").diagnostics if d.is_shown]
    assert wrong == [said.message]
    assert [d.message for d in interpret(path, source=HEAD + said.right + "\n").diagnostics if d.is_shown] == []
    with pytest.raises(Exception, match=r"."):
        exec(HEAD + said.wrong, {})
    exec(HEAD + said.right, {})


def test_recorded_messages_are_ours() -> None:
    """Neither the cases of the type checker nor the documentation show a message that has what must not be shown."""
    recorded = [
        *(path for folder in ("typecheck_cases", "docs") for path in (ROOT / folder).rglob("*")),
        ROOT / "README.md",
    ]
    texts = set()
    for path in recorded:
        if path.suffix in (".py", ".md", ".txt", ".json"):
            texts.update(re.findall(r"(?:error|warning|note): (.+?)(?:  \[[a-z0-9-]+\])?$", path.read_text(), re.M))
    assert len(texts) > 50
    assert malformed(texts) == []


@pytest.mark.parametrize(
    "text",
    [
        "TypeError: scan body function carry input and carry output must have equal types, but they differ:",
        "ValueError: the error occurred at /usr/lib/python3/site-packages/jax/_src/api.py:3",
        "TypeError: got <arraytyping.checker.flow.engines.conversion.Callback object>",
        "the function run at asking.py:400",
        "This value depends on the value of the argument tracers[0]",
        "shapes (_DimExpr(n), 3)",
        "TypeError: got JitTracer(~int32[])",
        "TypeError: 'module' object is not callable",
    ],
)
def test_what_must_not_be_shown_is_seen(text: str) -> None:
    """The pattern finds each sort."""
    assert malformed({text, "a message: with a colon in it"}) == [text]


def test_a_kept_answer_of_jax_was_made_where_it_is_used(tmp_path: Path) -> None:
    """Not where jax was asked first, in this run or in another one of the same process."""
    for before in ("", "\n\n"):
        file = tmp_path / "program.py"
        file.write_text(
            f"{before}import jax\nimport jax.numpy as jnp\nx = jnp.ones((24, 3))\na = jax.scipy.linalg.expm(x.T @ x)\n"
            "b = jax.scipy.linalg.expm(x.T @ x)\nprint(a + jnp.ones(24))\nprint(b + jnp.ones(24))\n"
        )
        found = interpret(file).diagnostics
        lines = [m.operands[0].line - m.line for m in found]
        assert lines == [-2, -2], [m.operands for m in found]
