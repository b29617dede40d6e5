"""Classes that derive from a layer, solver or path of a library: what is claimed of their instances, against runs.

They are real classes to the library, and their methods are followed.
"""

from __future__ import annotations

from typing import Any

import pytest
from flow_values import interpreted, is_known, run, wrong_claims

_DIFFRAX = """
import diffrax, jax, jax.numpy as jnp, equinox as eqx
class QuadraticPath(diffrax.AbstractPath):
    @property
    def t0(self):
        return 0
    @property
    def t1(self):
        return 3
    def evaluate(self, t0, t1=None, left=True):
        del left
        if t1 is not None:
            return self.evaluate(t1) - self.evaluate(t0)
        return t0**2

path = QuadraticPath()
found_1 = path.evaluate(jnp.float32(2.0))
found_2 = path.t1
class Damped(eqx.Module):
    w: jax.Array
    def __call__(self, t, y, args):
        return -self.w * y
class MyEuler(diffrax.Euler):
    def order(self, terms):
        return 1
class MySolver(diffrax.AbstractSolver):
    term_structure = diffrax.AbstractTerm
    interpolation_cls = diffrax.LocalLinearInterpolation
    def order(self, terms):
        return 1
    def init(self, terms, t0, t1, y0, args):
        return None
    def step(self, terms, t0, t1, y0, args, solver_state, made_jump):
        control = terms.contr(t0, t1)
        y1 = jax.tree_util.tree_map(lambda a, b: a + b, y0, terms.prod(terms.vf(t0, y0, args), control))
        dense_info = dict(y0=y0, y1=y1)
        return y1, None, dense_info, None, diffrax.RESULTS.successful
    def func(self, terms, t0, y0, args):
        return terms.vf(t0, y0, args)
term = diffrax.ODETerm(Damped(jnp.ones(3)))
for s in (MyEuler(), MySolver()):
    saveat = diffrax.SaveAt(ts=jnp.linspace(0, 1, 5))
    sol = diffrax.diffeqsolve(term, s, t0=0.0, t1=1.0, dt0=0.1, y0=jnp.ones((3,)), saveat=saveat)
    found_3 = sol.ys
    found_4 = s.order(term)
along = diffrax.ODETerm(lambda t, y, args: path.evaluate(t) * y)
sol = diffrax.diffeqsolve(along, diffrax.Tsit5(), 0.0, 1.0, 0.1, jnp.ones((4, 2)))
found_5 = sol.ys
"""
_LAYERS = """
import flax.linen as nn, optax, jax, jax.numpy as jnp, equinox as eqx, haiku as hk
class D2(nn.Dense):
    def __call__(self, x):
        return super().__call__(x) * 2
x = jnp.ones((5, 7))
v = D2(3).init(jax.random.key(0), x)
found_1 = D2(3).apply(v, x)
class L(eqx.nn.Linear):
    scale: float = 2.0
    def __call__(self, x, key=None):
        return super().__call__(x) * self.scale
l = L(7, 3, key=jax.random.key(0))
found_2 = l(x[0])
found_3 = l.weight
class Lin(hk.Linear):
    def __call__(self, x, precision=None):
        return super().__call__(x) + 1
f = hk.transform(lambda x: Lin(4)(x))
p = f.init(jax.random.PRNGKey(0), x)
found_4 = f.apply(p, None, x)
class MLP(eqx.nn.MLP):
    def __call__(self, x, key=None):
        return jax.nn.relu(super().__call__(x))
m = MLP(7, 2, 8, 1, key=jax.random.key(1))
found_5 = jax.vmap(m)(x)
class Tr(eqx.nn.StatefulLayer):
    w: jax.Array
    def __init__(self): self.w = jnp.ones(2)
    def __call__(self, x): return self.w * x
found_6 = Tr()(jnp.ones(2))
"""
_EQUINOX = """
import equinox as eqx, jax, jax.numpy as jnp, diffrax
class L(eqx.nn.Linear):
    scale: jax.Array
    n: int
    def __init__(self, i, o, *, key):
        super().__init__(i, o, key=key)
        self.scale = jnp.full((o,), 2.0)
        self.n = self.count(i)
    def count(self, i):
        return i + 1
    def __call__(self, x, *, key=None):
        return super().__call__(x) * self.scale
    @property
    def twice(self):
        return self.weight * 2
class M(L):
    extra: jax.Array
    def __init__(self, i, o, key):
        super().__init__(i, o, key=key)
        self.extra = jnp.zeros((o, 2), jnp.int32)
    def __call__(self, x, key=None):
        return super().__call__(x) @ self.extra
l = L(7, 3, key=jax.random.key(0))
x = jnp.ones((5, 7))
found_1 = l(x[0])
found_2 = l.n
found_3 = l.twice
found_4 = l.in_features
m = M(7, 3, jax.random.key(0))
found_5 = jax.vmap(m)(x)
found_6 = m.twice
found_7 = isinstance(m, eqx.nn.Linear)
found_8 = isinstance(m, L)
found_9 = isinstance(l, M)
found_10 = type(l) is L
@eqx.filter_jit
@eqx.filter_value_and_grad
def loss(m, x):
    return jnp.mean(jax.vmap(m)(x) ** 2)
v, g = loss(m, x)
found_11 = v
found_12 = g.scale
m2 = eqx.tree_at(lambda m: m.scale, m, jnp.ones(3, jnp.bfloat16))
found_13 = m2.scale
class Net(eqx.Module):
    layers: list
    def __init__(self, key):
        k1, k2 = jax.random.split(key)
        self.layers = [L(7, 3, key=k1), jax.nn.relu, L(3, 2, key=k2)]
    def __call__(self, x):
        for f in self.layers:
            x = f(x)
        return x
net = Net(jax.random.key(1))
found_14 = net(x[0])
found_15 = net.layers[0].scale
class Drop(eqx.nn.Dropout):
    def __call__(self, x, *, key=None):
        return super().__call__(x, key=key) + 1
found_16 = Drop(0.5)(x, key=jax.random.key(1))
class MHA(eqx.nn.MultiheadAttention):
    pass
a = MHA(2, 8, key=jax.random.key(0))
found_17 = a(jnp.ones((5, 8)), jnp.ones((5, 8)), jnp.ones((5, 8)))
"""
_FLAX_AND_HAIKU = """
import flax.linen as nn, haiku as hk, jax, jax.numpy as jnp
from flax import nnx
x = jnp.ones((5, 7))
class LoRA(nn.Dense):
    rank: int = 2
    @nn.compact
    def __call__(self, x):
        a = self.param("a", nn.initializers.normal(), (x.shape[-1], self.rank))
        return super().__call__(x) + x @ a @ jnp.ones((self.rank, self.features))
m = LoRA(3)
v = m.init(jax.random.key(0), x)
found_1 = v["params"]["a"]
found_2 = v["params"]["kernel"]
found_3 = m.apply(v, x)
found_4 = isinstance(m, nn.Dense)
class Cell(nn.GRUCell):
    @nn.compact
    def __call__(self, carry, x):
        c, y = super().__call__(carry, x)
        return c, y * 2
cell = Cell(4)
c0 = cell.initialize_carry(jax.random.key(0), (5, 7))
v = cell.init(jax.random.key(0), c0, x)
found_5 = cell.apply(v, c0, x)[1]
class Lin(nnx.Linear):
    def __init__(self, i, o, *, rngs):
        super().__init__(i, o, rngs=rngs)
        self.s = nnx.Param(jnp.ones(o, jnp.bfloat16))
    def __call__(self, x):
        return super().__call__(x) * self.s[...].astype(jnp.float32)
l = Lin(7, 3, rngs=nnx.Rngs(0))
found_6 = l(x)
found_7 = l.kernel[...]
class Seq(nnx.Sequential):
    pass
s = Seq(Lin(7, 3, rngs=nnx.Rngs(0)), nnx.relu)
found_8 = s(x)
class BN(nn.BatchNorm):
    momentum: float = 0.9
b = BN(use_running_average=False)
vb = b.init(jax.random.key(0), x)
y, upd = b.apply(vb, x, mutable=["batch_stats"])
found_9 = y
found_10 = upd["batch_stats"]["mean"]
class HL(hk.Linear):
    def __init__(self, n, name=None):
        super().__init__(n, with_bias=False, name=name)
        self.k = n * 2
    def __call__(self, x):
        s = hk.get_parameter("s", [self.k], init=jnp.ones)
        return super().__call__(x) * s.mean()
f = hk.without_apply_rng(hk.transform(lambda x: HL(4)(x)))
p = f.init(jax.random.key(0), x)
found_11 = f.apply(p, x)
class Core(hk.LSTM):
    def __call__(self, x, state):
        out, st = super().__call__(x, state)
        return out + 1, st
g = hk.transform(lambda x: Core(4)(x, Core(4).initial_state(5))[0])
p = g.init(jax.random.key(0), x)
found_12 = g.apply(p, None, x)
"""
_METHODS = """
import equinox as eqx, jax, jax.numpy as jnp, diffrax, lineax as lx
from typing import Callable, ClassVar, Generic, TypeVar
class A(diffrax.AbstractPath, eqx.Module):
    t0: float = 0.0
    t1: float = 1.0
    def evaluate(self, t0, t1=None, left=True):
        return jnp.sin(t0)
found_1 = A().evaluate(jnp.ones(2))
class Lin(eqx.nn.Linear):
    act: Callable = eqx.field(static=True)
    scale: jax.Array = eqx.field(converter=jnp.asarray)
    kind: ClassVar[str] = "lin"
    def __init__(self, i, o, act=jax.nn.relu, *, key, scale=1.5):
        super().__init__(i, o, key=key, use_bias=False)
        self.act = act
        self.scale = scale
    def __check_init__(self):
        if self.scale.ndim != 0:
            raise ValueError("scalar")
    @eqx.filter_jit
    def __call__(self, x, *, key=None):
        return self.act(super().__call__(x)) * self.scale
    @classmethod
    def make(cls, n, key):
        return cls(n, n, key=key)
    @staticmethod
    def double(x):
        return x * 2
    def __add__(self, other):
        return eqx.tree_at(lambda s: s.weight, self, self.weight + other.weight)
    def __getitem__(self, i):
        return self.weight[i]
    def __len__(self):
        return self.weight.shape[0]
l = Lin.make(3, jax.random.key(0))
found_2 = l(jnp.ones(3))
found_3 = l.scale
found_4 = l.kind
found_5 = Lin.double(jnp.ones(2, jnp.int32))
found_6 = (l + l).weight
found_7 = l[0]
def run(m, x):
    if x.shape[0] > 2:
        return m(x)
    return x
found_8 = jax.jit(run)(l, jnp.ones(3))
found_9 = jax.grad(lambda m: m(jnp.ones(3)).sum())(l).weight
params, static = eqx.partition(l, eqx.is_inexact_array)
found_10 = params.scale
found_11 = eqx.combine(params, static)(jnp.ones(3))
found_12 = jax.tree.leaves(l)
T = TypeVar("T")
class Box(eqx.nn.Lambda, Generic[T]):
    item: T
    def __init__(self, item):
        super().__init__(jnp.tanh)
        self.item = item
b = Box(jnp.ones(2))
found_13 = b(b.item)
c, ys = jax.lax.scan(lambda c, x: (c, l(x)), None, jnp.ones((6, 3)))
found_14 = ys
ens = eqx.filter_vmap(lambda k: Lin(3, 2, key=k))(jax.random.split(jax.random.key(0), 4))
found_15 = ens.weight
found_16 = eqx.filter_vmap(lambda m, x: m(x), in_axes=(eqx.if_array(0), None))(ens, jnp.ones(3))
"""


@pytest.mark.parametrize("source", [_DIFFRAX, _LAYERS, _EQUINOX, _FLAX_AND_HAIKU, _METHODS])
def test_what_instances_give_is_known(source: str) -> None:
    """All of it, and equal to what a run gives."""
    told, result = interpreted(source)
    real = run(source)
    names = [name for name in real if name.startswith("found_")]
    assert names
    assert [name for name in names if not is_known(told[name])] == []
    assert wrong_claims(source, {n: told[n] for n in names}, {n: real[n] for n in names}) == []
    assert result.diagnostics == []


_MISTAKES = """
import equinox as eqx, jax, jax.numpy as jnp
class Scaled(eqx.nn.Linear):
    scale: jax.Array = eqx.field(converter=jnp.asarray)
    def __init__(self, size, scale, *, key):
        super().__init__(size, 3, key=key)
        self.scale = scale
    def __check_init__(self):
        if self.scale.ndim != 0:
            raise ValueError("a number is wanted")
    def __call__(self, x):
        return super().__call__(x) * self.scale
class Bare(eqx.nn.Linear):
    bias_scale: jax.Array
    def __init__(self, *, key):
        super().__init__(2, 3, key=key)
key = jax.random.key(0)
"""


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Scaled(2, 1.5, key=key)(jnp.ones(4))", "dot_general"),
        ("Scaled(2, [1.0], key=key)", "a number is wanted"),
        ("Bare(key=key)", "Field 'bias_scale' was not initialized"),
        ("Scaled(2, 1.5, key=key).scaled", "scaled"),
    ],
)
def test_mistakes_are_those_of_a_run(line: str, words: str) -> None:
    """Each is told once, at its line, in the library's words."""
    told: list[Any] = interpreted(_MISTAKES + line)[1].diagnostics
    assert len(told) == 1
    assert words in told[0].message
    with pytest.raises((AttributeError, TypeError, ValueError), match=words):
        run(_MISTAKES + line)
