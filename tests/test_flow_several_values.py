"""One of several values in what a library is given, and in what functions give to it: each is asked for."""

from __future__ import annotations

from typing import Any

import pytest
from flow_values import interpreted, run, wrong_claims

from arraytyping.checker.flow.values import ArrayValue, UnionValue

BEGINNING = "import jax, jax.numpy as jnp, numpy as np\nflag = {flag}\n"
UNKNOWN = "jax.device_count() > 1"


def wrong(source: str, variables: dict[str, Any]) -> list[str]:
    """What flow says wrongly of the arrays among the variables of a program."""
    arrays = {name: value for name, value in variables.items() if isinstance(value, ArrayValue | UnionValue)}
    real = run(source)
    return wrong_claims(source, arrays, {name: real[name] for name in arrays})


def known(program: str, **expected: str) -> dict[str, Any]:
    """The variables of a program whose flag is not known: claims hold for both values, and no mistake is told."""
    source = BEGINNING + program
    variables, result = interpreted(source.format(flag=UNKNOWN))
    assert not result.crashes, result.crashes
    assert not [m for m in result.diagnostics if m.is_certain], result.diagnostics
    for flag in (True, False):
        assert not wrong(source.format(flag=flag), variables)
    for name, claim in expected.items():
        assert str(getattr(variables[name], "aval", variables[name])) == claim, variables[name]
    return variables


def test_an_array_of_either_library_is_one_tracer() -> None:
    known(
        """
a = np.ones((2, 4), "float32")
x = a if flag else jnp.asarray(a)
d = {{"x": a}} if flag else {{"x": jnp.asarray(a)}}
i = np.arange(4) if flag else jnp.arange(4)
k = jax.vmap(lambda x: x + 1)(x)
m = jax.vmap(lambda d: d["x"] + 1)(d)
p = jax.pmap(lambda d: d["x"][0] * 2)({{"x": d["x"][:1]}})
g = jax.grad(lambda d: d["x"].sum())(d)["x"]
n = jax.vmap(lambda i: i + 1)(i)
t = jax.tree.map(jnp.sum, d)["x"]
kept = jax.vmap(lambda x, i: x * i, (0, None))(jnp.ones(3), i)
""",
        k="float32[2, 4]", m="float32[2, 4]", p="float32[1]", g="float32[2, 4]", n="int32[4]", t="float32[]",
    )  # fmt: skip


def test_several_arguments_of_a_transformed_function() -> None:
    known(
        """
x = jnp.ones((2, 4)) if flag else jnp.ones((2, 4), "int8")
y = jax.vmap(lambda x: x.sum())(x)
p = {{"w": jnp.ones(3)}} if flag else None
g = jax.grad(lambda p: (p["w"] ** 2).sum())({{"w": jnp.ones(3)}} if p is None else p)["w"]
z = jax.vmap(lambda x, p: x if p is None else x * p["w"], (0, None))(jnp.ones((5, 3)), p)
""",
        y="?[2]", g="float32[3]", z="float32[5, 3]",
    )  # fmt: skip


FUNCTIONS = """
def f(x):
    return (x, None) if flag else (x, x.sum())
a, aux = jax.vmap(f)(jnp.ones((4, 3)))
def loss(w):
    return (w ** 2).sum(), (w if flag else {{"w": w}})
g, kept = jax.grad(loss, has_aux=True)(jnp.ones(3))
c, rest = jax.lax.scan(lambda c, x: (c + x, None if flag else x), jnp.zeros(()), jnp.ones(6))
def same(c, x):
    return c, (x if flag else x.astype("int8"))
d, xs = jax.lax.scan(same, jnp.zeros(()), jnp.ones(6))
"""


def test_functions_that_give_one_of_several_to_jax() -> None:
    known(FUNCTIONS, a="float32[4, 3]", g="float32[3]", c="float32[]", d="float32[]", xs="?[6]")


MODULE = """
import flax.linen as nn
class M(nn.Module):
    @nn.compact
    def __call__(self, x):
        h = nn.Dense(4)(x)
        return (h, None) if flag else (h, h.sum(-1))
m = M()
x = jnp.ones((2, 3))
v = m.init(jax.random.PRNGKey(0), x)
a, b = m.apply(v, x)
w = v["params"]["Dense_0"]["kernel"]
def loss(p, x):
    a, b = m.apply(p, x)
    return (a ** 2).sum(), b
g, aux = jax.grad(loss, has_aux=True)(v, x)
k = g["params"]["Dense_0"]["kernel"]
params = None
while jax.device_count():
    if params is None:
        params = m.init(jax.random.PRNGKey(1), x)
    out, _ = m.apply(params, x)
    break
"""


def test_a_module_that_gives_one_of_several() -> None:
    pytest.importorskip("flax")
    known(MODULE, a="float32[2, 4]", w="float32[3, 4]", k="float32[3, 4]", out="float32[2, 4]")


def test_a_value_that_no_run_has_leaves_no_trace_behind() -> None:
    """A path that makes a mistake ends there: what would follow it is not claimed, nor is its mistake told."""
    known(
        """
state = None
total = jnp.zeros(())
for _ in range(jax.device_count()):
    if state is None:
        state = {{"w": jnp.ones((4, 3))}}
    y = jnp.ones((2, 4)) @ state["w"]
    total = total + y.sum()
""",
        y="float32[2, 3]", total="float32[]",
    )  # fmt: skip


def test_every_alternative_makes_a_mistake() -> None:
    source = BEGINNING + 'x = jnp.ones((2, 4)) if flag else jnp.ones((3, 4))\ny = jax.vmap(lambda x: x["a"])(x)\n'
    _, result = interpreted(source.format(flag=UNKNOWN))
    assert [m.code for m in result.diagnostics if m.is_certain] != []


def test_too_many_ways_to_choose() -> None:
    program = "def f(x):\n    return (" + ", ".join("(x, x.sum())[flag]" for _ in range(9)) + ")\n"
    _, result = interpreted((BEGINNING + program + "y = jax.vmap(f)(jnp.ones((2, 3)))\n").format(flag=UNKNOWN))
    assert not result.crashes
    assert not result.diagnostics


LENGTHS = """
import jax, jax.numpy as jnp
n = int(jnp.ones(()).sum()) + 3
m = len(str(n)) + 3
x, y = jnp.ones((n, 3)), jnp.ones((m, 3))
def f(a, b): return a * b
r = jax.vmap(f)(x, y)
s = jax.vmap(f)(jnp.ones((4, 3)), y)
t = jax.vmap(f, (0, 1))(jnp.ones((4, 3)), jnp.ones((3, m)))
u = jax.vmap(lambda d, *, k: d["a"].sum() + k.sum())({"a": jnp.ones((4, 2))}, k=y)
v = jax.vmap(f, (0, None))(jnp.ones((5, 3)), jnp.ones((m, 3)))
"""


def test_mapped_arguments_have_one_length() -> None:
    variables, result = interpreted(LENGTHS)
    assert not result.diagnostics
    assert not wrong(LENGTHS, variables)
    shapes = {name: str(variables[name].aval) for name in "stu"}
    assert shapes == {"s": "float32[4, 3]", "t": "float32[4, 3]", "u": "float32[4]"}
    differing = "import jax, jax.numpy as jnp\njax.vmap(lambda a, b: a)(jnp.ones((4, 3)), jnp.ones((5, 3)))\n"
    assert "inconsistent sizes" in str(interpreted(differing)[1].diagnostics[0])


UNKNOWN_SIZES = """
import jax, jax.numpy as jnp, optax
import flax.linen as nn
class M(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(3)(nn.relu(nn.Dense(4)(x)))
m = M()
v = m.init(jax.random.PRNGKey(0), jnp.ones((1, 8)))
tx = optax.adam(1e-3)
opt = tx.init(v)
@jax.jit
def step(v, opt, x):
    def loss(v):
        out = m.apply(v, x)
        return (out ** 2).mean(), out
    (l, out), g = jax.value_and_grad(loss, has_aux=True)(v)
    up, opt = tx.update(g, opt)
    return optax.apply_updates(v, up), opt, l, out
xs = jnp.ones((2, 8))
for n in range(jax.device_count()):
    xs = jnp.concatenate([xs, xs]) if n % 3 else jnp.concatenate([xs, jnp.ones((5, 8))])
    v, opt, l, out = step(v, opt, xs)
    w = v["params"]["Dense_0"]["kernel"]
    y = jax.vmap(lambda r: r.sum())(xs)
    s, t = jax.lax.scan(lambda c, r: (c + r.sum(), r * 2), 0.0, xs)
    u = jax.jit(lambda x: x.reshape(-1))(xs)
    k = jax.jit(lambda x: x.shape[0] * jnp.ones(()))(xs)
"""


def test_sizes_that_are_not_known_have_names_where_a_function_is_traced() -> None:
    pytest.importorskip("flax")
    variables, result = interpreted(UNKNOWN_SIZES)
    assert not [m for m in result.diagnostics if m.code != "array-recompile"]
    assert not wrong(UNKNOWN_SIZES, variables)
    shown = {name: str(variables[name].aval) for name in ("l", "out", "w", "y", "s", "t", "u", "k")}
    assert shown == {
        "l": "float32[]", "out": "float32[?, 3]", "w": "float32[4, 3]", "y": "float32[?]", "s": "float32[]",
        "t": "float32[?, 8]", "u": "float32[?]", "k": "float32[]",
    }  # fmt: skip


def test_a_name_for_an_unknown_size_stays_where_it_was_given() -> None:
    """Two calls with arrays of unknown sizes give arrays whose sizes are not the same."""
    source = """
import jax, jax.numpy as jnp
a = jnp.ones((2, 8))
b = jnp.ones((3, 8))
for n in range(jax.device_count()):
    a = jnp.concatenate([a, a]); b = jnp.concatenate([b, b])
f = jax.jit(lambda x: x * 2)
c, d = f(a), f(b)
e = jax.vmap(lambda x: x * 2)(a)
h = jax.vmap(lambda x: x * 2)(b)
sizes = [x.shape[0] == y.shape[0] for x, y in ((c, d), (e, h), (a, e))]
"""
    variables, result = interpreted(source)
    assert not result.diagnostics
    assert not wrong_claims(source, variables, run(source))
    assert True not in variables["sizes"].items
    assert False not in variables["sizes"].items
