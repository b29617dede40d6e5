"""Programs on Flax, Equinox, Optax and Chex in flow: what is claimed of them against a run, and their mistakes."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from kept_runs import run_or_recall

from arraytyping.checker.audit import compare
from arraytyping.checker.flow.start.program import Result, interpret
from arraytyping.checker.flow.values import Unknown

FLAX_LINEN = """\
import functools
from dataclasses import dataclass
from typing import Any, Callable, Sequence
import flax
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import traverse_util
from flax.core import freeze, unfreeze

ModuleDef = Any


@dataclass(frozen=True)
class Config:
    width: int = 8
    dtype: Any = jnp.float32


class ResNetBlock(nn.Module):
    filters: int
    conv: ModuleDef
    norm: ModuleDef
    act: Callable
    strides: tuple = (1, 1)

    @nn.compact
    def __call__(self, x):
        residual = x
        y = self.conv(self.filters, (3, 3), self.strides)(x)
        y = self.norm()(y)
        y = self.act(y)
        y = self.conv(self.filters, (3, 3))(y)
        y = self.norm(scale_init=nn.initializers.zeros_init())(y)
        if residual.shape != y.shape:
            residual = self.conv(self.filters, (1, 1), self.strides, name="conv_proj")(residual)
            residual = self.norm(name="norm_proj")(residual)
        return self.act(residual + y)


class ResNet(nn.Module):
    stage_sizes: Sequence[int]
    config: Config
    act: Callable = nn.relu

    @nn.compact
    def __call__(self, x, train: bool = True):
        conv = functools.partial(nn.Conv, use_bias=False, dtype=self.config.dtype)
        norm = functools.partial(nn.BatchNorm, use_running_average=not train, momentum=0.9, dtype=self.config.dtype)
        x = conv(self.config.width, (3, 3), name="conv_init")(x)
        x = norm(name="bn_init")(x)
        x = nn.max_pool(x, (2, 2), strides=(2, 2), padding="SAME")
        for i, block_size in enumerate(self.stage_sizes):
            for j in range(block_size):
                strides = (2, 2) if i > 0 and j == 0 else (1, 1)
                x = ResNetBlock(self.config.width * 2**i, conv=conv, norm=norm, act=self.act, strides=strides)(x)
        x = jnp.mean(x, axis=(1, 2))
        return nn.Dense(3, dtype=self.config.dtype)(x)


class AutoEncoder(nn.Module):
    latent: int
    sizes: Sequence[int] = (16, 8)

    def setup(self):
        self.encoder = [nn.Dense(s) for s in self.sizes]
        self.to_latent = nn.Dense(self.latent)
        self.decoder = nn.Sequential([nn.Dense(8), nn.relu, nn.Dense(5)])
        self.scale = self.param("scale", lambda key, shape: jnp.ones(shape), (self.latent,))

    def encode(self, x):
        for layer in self.encoder:
            x = nn.relu(layer(x))
        return self.to_latent(x) * self.scale

    def decode(self, z):
        return self.decoder(z)

    def __call__(self, x):
        z = self.encode(x)
        noise = jax.random.normal(self.make_rng("noise"), z.shape)
        return self.decode(z + noise), z


class Counter(nn.Module):
    @nn.compact
    def __call__(self, x):
        is_initialized = self.has_variable("counts", "n")
        n = self.variable("counts", "n", lambda: jnp.zeros((), jnp.int32))
        mean = self.variable("stats", "mean", jnp.zeros, x.shape[1:])
        if is_initialized:
            n.value = n.value + 1
            mean.value = 0.9 * mean.value + 0.1 * x.mean(0)
        self.sow("intermediates", "centered", x - mean.value)
        return x - mean.value


class Base(nn.Module):
    dim: int

    @property
    def double(self):
        return 2 * self.dim

    def body(self, x):
        raise NotImplementedError

    @nn.compact
    def __call__(self, x):
        x = nn.Dense(self.double)(x)
        return self.body(x)


class Derived(Base):
    power: float = 2.0

    def body(self, x):
        return nn.Dense(self.dim)(x) ** self.power


class Cell(nn.Module):
    features: int

    @nn.compact
    def __call__(self, carry, x):
        carry = nn.tanh(nn.Dense(self.features)(jnp.concatenate([carry, x], -1)))
        return carry, carry * 2


class Rnn(nn.Module):
    features: int

    @nn.compact
    def __call__(self, xs):
        scan = nn.scan(Cell, variable_broadcast="params", split_rngs={"params": False}, in_axes=1, out_axes=1)
        carry = jnp.zeros((xs.shape[0], self.features))
        carry, ys = scan(self.features)(carry, xs)
        return carry, ys


class Lstm(nn.Module):
    @nn.compact
    def __call__(self, xs):
        return nn.RNN(nn.OptimizedLSTMCell(6))(xs)


class Embedder(nn.Module):
    vocab: int = 11

    def setup(self):
        self.embed = nn.Embed(self.vocab, 7)
        self.attention = nn.SelfAttention(num_heads=1)

    def __call__(self, tokens):
        x = self.embed(tokens)
        x = x + self.attention(x, mask=nn.make_causal_mask(tokens))
        return self.embed.attend(x)


key = jax.random.key(0)
model = ResNet((1, 1), Config())
x = jnp.ones((2, 8, 8, 3))
variables = model.init(key, x, train=False)
params, stats = variables["params"], variables["batch_stats"]
flat = traverse_util.flatten_dict(params, sep="/")
print(len(flat), flat["conv_init/kernel"].shape)
out, updates = model.apply(variables, x, mutable=["batch_stats"])
print(out.shape, jax.tree.map(jnp.shape, updates))

auto = AutoEncoder(3)
(y, z), v = auto.init_with_output({"params": key, "noise": key}, jnp.ones((4, 5)))
print(y.shape, z.shape)
code = auto.apply(v, jnp.ones((6, 5)), method=auto.encode)
back = auto.apply(v, code, method="decode")
print(code.shape, back.shape)
bound = auto.bind(v)
print(bound.decode(code).shape, bound.scale.shape)

counter = Counter()
v = counter.init(key, jnp.ones((4, 2)))
y, state = counter.apply(v, np.ones((4, 2), np.float32), mutable=["counts", "stats", "intermediates"])
print(state["counts"]["n"], y, state["intermediates"]["centered"][0])

derived = Derived(4)
v = derived.init(key, jnp.ones((3, 6)))
print(derived.apply(v, jnp.ones((3, 6))), derived.double)

rnn = Rnn(5)
v = rnn.init(key, jnp.ones((2, 7, 3)))
carry, ys = rnn.apply(v, jnp.ones((2, 7, 3)))
print(carry.shape, ys.shape)
lstm = Lstm()
out, v = lstm.init_with_output(key, jnp.ones((2, 7, 3)))
print(out.shape)
embedder = Embedder()
tokens = jnp.array([[1, 2, 3], [4, 5, 6]])
v = jax.jit(embedder.init)(key, tokens)
logits = jax.jit(embedder.apply)(v, tokens)
print(logits.shape)

tx = optax.multi_transform(
    {"adam": optax.adam(1e-3), "zero": optax.set_to_zero()},
    traverse_util.path_aware_map(lambda path, p: "zero" if path[0] == "embed" else "adam", v["params"]),
)
opt_state = tx.init(v["params"])


def loss_fn(params):
    logits = embedder.apply({"params": params}, tokens)
    return optax.softmax_cross_entropy_with_integer_labels(logits[:, :-1], tokens[:, 1:]).mean()


loss, grads = jax.value_and_grad(loss_fn)(v["params"])
updates, opt_state = tx.update(grads, opt_state, v["params"])
params = optax.apply_updates(v["params"], updates)
print(loss, optax.global_norm(grads), params["embed"]["embedding"].shape)
frozen = freeze(params)
print(frozen["embed"]["embedding"].sum())
table = unfreeze(frozen)
print(table["embed"]["embedding"].sum())
state = flax.serialization.to_state_dict(params)
print(nn.tabulate(derived, key)(jnp.ones((3, 6)))[:0])
"""

OPTAX = """\
import functools
import jax
import jax.numpy as jnp
import numpy as np
import optax


def model(params, x):
    return jnp.tanh(x @ params["w1"] + params["b1"]) @ params["w2"]


def loss_fn(params, batch):
    pred = model(params, batch["x"])
    return optax.squared_error(pred, batch["y"]).mean()


key = jax.random.PRNGKey(0)
k1, k2 = jax.random.split(key)
params = {"w1": jax.random.normal(k1, (3, 8)), "b1": jnp.zeros(8), "w2": jax.random.normal(k2, (8, 1)) * 0.1}
batch = {"x": np.ones((16, 3), np.float32), "y": np.zeros((16, 1), np.float32)}
schedule = optax.join_schedules([optax.linear_schedule(0.0, 1e-2, 10), optax.cosine_decay_schedule(1e-2, 90)], [10])
print(schedule(3), schedule(jnp.array(20)))

optimizers = {
    "sgd": optax.sgd(1e-2, momentum=0.9, nesterov=True),
    "adamw": optax.adamw(schedule, mask=lambda p: jax.tree.map(lambda x: x.ndim > 1, p)),
    "lion": optax.lion(1e-3),
    "rmsprop": optax.rmsprop(1e-3),
    "adafactor": optax.adafactor(1e-2),
    "lamb": optax.lamb(1e-3),
    "chain": optax.chain(optax.clip(1.0), optax.scale_by_adam(), optax.scale_by_learning_rate(schedule)),
    "acc": optax.MultiSteps(optax.adam(1e-3), every_k_schedule=2),
    "inject": optax.inject_hyperparams(optax.adam)(learning_rate=1e-3),
    "masked": optax.masked(optax.sgd(0.1), {"w1": True, "b1": False, "w2": True}),
    "lookahead_free": optax.apply_if_finite(optax.adam(1e-3), 5),
}


@functools.partial(jax.jit, static_argnums=0)
def step(name, params, state, batch):
    loss, grads = jax.value_and_grad(loss_fn)(params, batch)
    updates, state = optimizers[name].update(grads, state, params)
    return optax.apply_updates(params, updates), state, loss


for name, tx in optimizers.items():
    p, state = params, tx.init(params)
    for _ in range(3):
        p, state, loss = step(name, p, state, batch)
    print(name, float(loss), p["w1"].shape, len(jax.tree.leaves(state)))

ema = optax.incremental_update(p, params, 0.1)
print(ema["b1"])


def my_init(params):
    return {"count": jnp.zeros([], jnp.int32), "sum": jax.tree.map(jnp.zeros_like, params)}


def my_update(updates, state, params=None):
    total = jax.tree.map(lambda s, g: s + g**2, state["sum"], updates)
    updates = jax.tree.map(lambda g, s: -0.1 * g / jnp.sqrt(s + 1e-8), updates, total)
    return updates, {"count": state["count"] + 1, "sum": total}


adagrad = optax.GradientTransformation(my_init, my_update)
tx = optax.chain(optax.clip_by_global_norm(1.0), adagrad)
state = tx.init(params)
grads = jax.grad(loss_fn)(params, batch)
updates, state = tx.update(grads, state)
print(state[1]["count"], updates["w1"].shape, optax.tree.norm(updates))
print(state[1]["sum"]["w2"])


def body(carry, x):
    params, state = carry
    grads = jax.grad(loss_fn)(params, batch)
    updates, state = tx.update(grads, state, params)
    params = optax.apply_updates(params, updates)
    return (params, state), optax.global_norm(grads)


(params, state), norms = jax.lax.scan(body, (params, state), jnp.arange(4))
print(norms, params["w1"].dtype)
solver = optax.lbfgs()
value_and_grad = optax.value_and_grad_from_state(lambda p: jnp.sum(p**2))
p = jnp.ones(3)
opt_state = solver.init(p)
for _ in range(2):
    value, grad = value_and_grad(p, state=opt_state)
    updates, opt_state = solver.update(grad, opt_state, p, value=value, grad=grad, value_fn=lambda p: jnp.sum(p**2))
    p = optax.apply_updates(p, updates)
print(p, value)
labels = jax.nn.one_hot(jnp.array([0, 1, 2]), 4)
logits = jnp.zeros((3, 4))
print(optax.softmax_cross_entropy(logits, labels), optax.sigmoid_binary_cross_entropy(logits, labels).mean())
print(optax.huber_loss(logits, labels).sum(), optax.l2_loss(logits).sum(), optax.cosine_similarity(logits, labels))
print(optax.smooth_labels(labels, 0.1), optax.log_cosh(logits))
"""

RECORDS = """\
from typing import Any
import flax
import jax
import jax.numpy as jnp
import flax.linen as nn
import optax
import chex
from flax import struct
from flax.training import train_state
from flax.training.train_state import TrainState


@struct.dataclass
class Carry:
    position: jax.Array
    velocity: jax.Array
    mass: float = struct.field(pytree_node=False, default=1.0)

    @property
    def energy(self):
        return 0.5 * self.mass * jnp.sum(self.velocity**2)

    @classmethod
    def create(cls, n):
        return cls(position=jnp.zeros((n, 2)), velocity=jnp.ones((n, 2)))


class Averages(struct.PyTreeNode):
    total: jax.Array
    count: jax.Array

    @staticmethod
    def empty():
        return Averages(total=jnp.zeros(()), count=jnp.zeros((), jnp.int32))

    def update(self, values):
        return self.replace(total=self.total + values.sum(), count=self.count + values.size)

    def compute(self):
        return self.total / self.count


@chex.dataclass
class Stats:
    mean: chex.Array
    var: chex.Array


@chex.dataclass(frozen=True)
class Frozen:
    a: chex.ArrayTree
    n: int = 3


@jax.jit
def step(carry):
    velocity = carry.velocity - 0.1 * carry.position / carry.mass
    return carry.replace(position=carry.position + 0.1 * velocity, velocity=velocity)


carry = Carry.create(5)
for _ in range(3):
    carry = step(carry)
print(carry.energy, carry.position.shape)
carry, energies = jax.lax.scan(lambda c, _: (step(c), c.energy), carry, None, length=7)
print(energies, carry.mass)
grads = jax.grad(lambda c: c.energy)(carry)
print(grads.velocity, jax.tree.leaves(carry))
averages = Averages.empty()
averages = jax.jit(lambda a, x: a.update(x))(averages, jnp.arange(4.0))
print(averages.compute(), averages.count)
stats = Stats(mean=jnp.zeros(3), var=jnp.ones(3))
stats = stats.replace(mean=stats.mean + 1)
print(stats.mean, stats["var"], jax.tree.map(lambda x: x * 2, stats).var)
stats.var = stats.var * 2
frozen = jax.vmap(lambda i: Frozen(a={"x": i * 2.0}, n=i))(jnp.arange(4))
print(frozen.a["x"], frozen.n)
chex.assert_shape(stats.mean, (3,))
chex.assert_rank(frozen.n, 1)
chex.assert_trees_all_close(stats.mean, jnp.ones(3))
chex.assert_equal_shape([stats.mean, stats.var])
chex.assert_tree_all_finite(stats)
chex.assert_type(stats.mean, float)

model = nn.Dense(2)
variables = model.init(jax.random.key(0), jnp.ones((4, 3)))
state = TrainState.create(apply_fn=model.apply, params=variables["params"], tx=optax.adam(1e-2))


@jax.jit
def train(state: TrainState, x, y):
    def loss_fn(params):
        return jnp.mean((state.apply_fn({"params": params}, x) - y) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


for i in range(3):
    state, loss = train(state, jnp.ones((4, 3)), jnp.zeros((4, 2)))
print(state.step, loss, state.params["kernel"], state.opt_state[0].mu["bias"])
print(jax.tree.map(jnp.shape, state.opt_state[0]).nu)


class EmaState(train_state.TrainState):
    ema: Any = None
    decay: float = flax.struct.field(pytree_node=False, default=0.9)

    def with_ema(self):
        ema = jax.tree.map(lambda e, p: self.decay * e + (1 - self.decay) * p, self.ema, self.params)
        return self.replace(ema=ema)

    def apply_gradients(self, *, grads, **kwargs):
        return super().apply_gradients(grads=grads, **kwargs).with_ema()


ema = EmaState.create(apply_fn=model.apply, params=variables["params"], tx=optax.sgd(0.1), ema=variables["params"])
ema, loss = train(ema, jnp.ones((4, 3)), jnp.zeros((4, 2)))
print(ema.ema["kernel"], ema.step, loss)
replicated = jax.tree.map(lambda x: jnp.stack([x] * 2), ema.params)
print(replicated["bias"])
"""

EQUINOX = """\
import functools
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Optional
import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import optax
from jaxtyping import Array, Float, PRNGKeyArray


class Layer(eqx.Module):
    weight: Array
    bias: Optional[Array]
    activation: Callable = eqx.field(static=True)
    name: str = eqx.field(static=True, default="layer")

    def __init__(self, n, m, *, key, activation=jax.nn.relu, use_bias=True):
        self.weight = jr.normal(key, (m, n)) / jnp.sqrt(n)
        self.bias = jnp.zeros(m) if use_bias else None
        self.activation = activation

    def __call__(self, x):
        y = self.weight @ x
        if self.bias is not None:
            y = y + self.bias
        return self.activation(y)


class Abstract(eqx.Module):
    scale: eqx.AbstractVar[Array]

    @abstractmethod
    def features(self, x): ...

    def __call__(self, x):
        return self.scale * self.features(x)


class Fourier(Abstract):
    frequencies: Array
    scale: Array = eqx.field(converter=jnp.asarray, default=2.0)

    def features(self, x):
        return jnp.concatenate([jnp.sin(self.frequencies * x), jnp.cos(self.frequencies * x)])

    @property
    def size(self):
        return 2 * self.frequencies.shape[0]

    @staticmethod
    def make(n):
        return Fourier(jnp.arange(1.0, n + 1))


class CNN(eqx.Module):
    layers: list

    def __init__(self, key):
        k = jr.split(key, 4)
        self.layers = [
            eqx.nn.Conv2d(1, 3, kernel_size=4, key=k[0]),
            eqx.nn.MaxPool2d(kernel_size=2),
            jax.nn.relu,
            jnp.ravel,
            eqx.nn.Linear(1728, 16, key=k[1]),
            jax.nn.sigmoid,
            Layer(16, 10, key=k[2], activation=jax.nn.log_softmax),
        ]

    def __call__(self, x: Float[Array, "1 28 28"]) -> Float[Array, "10"]:
        for layer in self.layers:
            x = layer(x)
        return x


class Block(eqx.Module):
    norm: eqx.nn.LayerNorm
    attention: eqx.nn.MultiheadAttention
    mlp: eqx.nn.Sequential
    dropout: eqx.nn.Dropout

    def __init__(self, d, key):
        k1, k2, k3 = jr.split(key, 3)
        self.norm = eqx.nn.LayerNorm(d)
        self.attention = eqx.nn.MultiheadAttention(2, d, key=k1)
        layers = [eqx.nn.Linear(d, 2 * d, key=k2), eqx.nn.Lambda(jax.nn.gelu), eqx.nn.Linear(2 * d, d, key=k3)]
        self.mlp = eqx.nn.Sequential(layers)
        self.dropout = eqx.nn.Dropout(0.1)

    def __call__(self, x, key=None):
        h = jax.vmap(self.norm)(x)
        mask = jnp.tril(jnp.ones((x.shape[0], x.shape[0]), bool))
        x = x + self.attention(h, h, h, mask=mask)
        h = jax.vmap(self.mlp)(x)
        return x + self.dropout(h, key=key, inference=key is None)


class WithState(eqx.Module):
    linear: eqx.nn.Linear
    norm: eqx.nn.BatchNorm

    def __init__(self, key):
        self.linear = eqx.nn.Linear(3, 5, key=key)
        self.norm = eqx.nn.BatchNorm(5, axis_name="batch", mode="batch")

    def __call__(self, x, state):
        x = self.linear(x)
        x, state = self.norm(x, state)
        return jax.nn.relu(x), state


class Recurrent(eqx.Module):
    cell: eqx.nn.GRUCell
    out: eqx.nn.Linear
    hidden: int = eqx.field(static=True)

    def __init__(self, n, hidden, *, key):
        k1, k2 = jr.split(key)
        self.hidden = hidden
        self.cell = eqx.nn.GRUCell(n, hidden, key=k1)
        self.out = eqx.nn.Linear(hidden, 1, key=k2)

    def __call__(self, xs):
        def step(h, x):
            h = self.cell(x, h)
            return h, None

        h, _ = jax.lax.scan(step, jnp.zeros(self.hidden), xs)
        return jax.nn.sigmoid(self.out(h))


key = jr.PRNGKey(0)
cnn = CNN(key)
print(jax.vmap(cnn)(jnp.ones((2, 1, 28, 28))).shape)
fourier = Fourier.make(3)
print(fourier(jnp.float32(0.5)), fourier.size, fourier.scale)


@eqx.filter_value_and_grad
def loss_fn(model, x, y):
    pred = jax.vmap(model)(x)
    return -jnp.mean(jnp.take_along_axis(pred, y[:, None], axis=1))


@eqx.filter_jit
def step(model, state, x, y):
    loss, grads = loss_fn(model, x, y)
    updates, state = optim.update(grads, state, eqx.filter(model, eqx.is_array))
    return eqx.apply_updates(model, updates), state, loss


optim = optax.adamw(1e-3)
state = optim.init(eqx.filter(cnn, eqx.is_array))
for i in range(3):
    cnn, state, loss = step(cnn, state, np.ones((2, 1, 28, 28), np.float32), np.zeros(2, np.int32))
    print(loss.item())
print(cnn.layers[0].weight.shape, cnn.layers[-1].bias)

block = Block(4, key)
print(block(jnp.ones((6, 4))).shape, eqx.filter_jit(block)(jnp.ones((6, 4)), key).shape)
params, static = eqx.partition(block, eqx.is_inexact_array)


@jax.jit
def apply(params, x):
    model = eqx.combine(params, static)
    return model(x).sum()


grads = jax.grad(apply)(params, jnp.ones((6, 4)))
print(grads.mlp.layers[0].weight.shape, jax.tree.map(jnp.shape, grads.norm).weight)
model, bn_state = eqx.nn.make_with_state(WithState)(key)
batched = jax.vmap(model, axis_name="batch", in_axes=(0, None), out_axes=(0, None))
y, bn_state = batched(jnp.ones((7, 3)), bn_state)
print(y.shape)
inference = eqx.nn.inference_mode(model)
y, _ = jax.vmap(inference, axis_name="batch", in_axes=(0, None), out_axes=(0, None))(jnp.ones((7, 3)), bn_state)
print(y)
rnn = Recurrent(2, 8, key=key)
print(eqx.filter_vmap(rnn)(jnp.ones((5, 10, 2))).shape)
ensemble = eqx.filter_vmap(lambda k: eqx.nn.MLP(2, 1, 8, 2, key=k))(jr.split(key, 3))
print(ensemble.layers[0].weight.shape)
out = eqx.filter_vmap(lambda m, x: m(x), in_axes=(eqx.if_array(0), None))(ensemble, jnp.ones(2))
print(out)
new = eqx.tree_at(lambda m: m.out.weight, rnn, jnp.zeros((1, 8)))
print(new.out.weight.shape)
new = eqx.tree_at(lambda m: (m.out.weight, m.out.bias), rnn, replace_fn=lambda x: x * 2)
print(new.out.bias)
new = eqx.tree_at(lambda m: m.out, rnn, eqx.nn.Linear(8, 3, key=key))
print(new(jnp.ones((4, 2))))
is_linear = lambda x: isinstance(x, eqx.nn.Linear)
get_weights = lambda m: [x.weight for x in jax.tree.leaves(m, is_leaf=is_linear) if is_linear(x)]
print([w.shape for w in get_weights(block)], sum(jnp.sum(w**2) for w in get_weights(block)))
grads = eqx.filter_grad(lambda m: jnp.sum(m(jnp.ones((4, 2)))))(rnn)
print(grads.cell.weight_ih)
print(eqx.is_array(rnn.out.weight), eqx.tree_equal(rnn, rnn))
layer = Layer(3, 4, key=key, use_bias=False)
bound = layer.__call__
print(eqx.filter_jit(layer)(jnp.ones(3)), jax.jacfwd(layer)(jnp.ones(3)).shape)
"""

FLAX_NNX = """\
import functools
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx


class CNN(nnx.Module):
    def __init__(self, rngs: nnx.Rngs):
        self.conv1 = nnx.Conv(1, 4, kernel_size=(3, 3), rngs=rngs)
        self.norm = nnx.BatchNorm(4, rngs=rngs)
        self.conv2 = nnx.Conv(4, 8, kernel_size=(3, 3), rngs=rngs)
        self.avg_pool = functools.partial(nnx.avg_pool, window_shape=(2, 2), strides=(2, 2))
        self.linear1 = nnx.Linear(8 * 2 * 2, 16, rngs=rngs)
        self.dropout = nnx.Dropout(0.2, rngs=rngs)
        self.linear2 = nnx.Linear(16, 3, rngs=rngs)

    def __call__(self, x):
        x = self.avg_pool(nnx.relu(self.norm(self.conv1(x))))
        x = self.avg_pool(nnx.relu(self.conv2(x)))
        x = x.reshape(x.shape[0], -1)
        x = self.dropout(nnx.relu(self.linear1(x)))
        return self.linear2(x)


class MLP(nnx.Module):
    def __init__(self, din, dmid, dout, *, rngs):
        self.w = nnx.Param(rngs.params.uniform((din, dmid)))
        self.b = nnx.Param(jnp.zeros((dmid,)))
        self.out = nnx.Linear(dmid, dout, rngs=rngs)
        self.count = nnx.Variable(jnp.array(0))
        self.dmid = dmid

    def __call__(self, x):
        self.count.value += 1
        return self.out(nnx.gelu(x @ self.w + self.b))


class Transformer(nnx.Module):
    def __init__(self, vocab, d, depth, *, rngs):
        self.embed = nnx.Embed(vocab, d, rngs=rngs)
        self.attention = nnx.MultiHeadAttention(num_heads=2, in_features=d, qkv_features=d, decode=False, rngs=rngs)
        self.norms = nnx.List([nnx.LayerNorm(d, rngs=rngs) for _ in range(depth)])
        self.mlp = nnx.Sequential(nnx.Linear(d, 4 * d, rngs=rngs), nnx.gelu, nnx.Linear(4 * d, d, rngs=rngs))

    def __call__(self, tokens):
        x = self.embed(tokens)
        for norm in self.norms:
            x = x + self.attention(norm(x), mask=nnx.make_causal_mask(tokens))
        return self.embed.attend(x + self.mlp(x))


model = CNN(nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.adamw(1e-3, 0.9), wrt=nnx.Param)
metrics = nnx.MultiMetric(accuracy=nnx.metrics.Accuracy(), loss=nnx.metrics.Average("loss"))


def loss_fn(model: CNN, batch):
    logits = model(batch["image"])
    loss = optax.softmax_cross_entropy_with_integer_labels(logits=logits, labels=batch["label"]).mean()
    return loss, logits


@nnx.jit
def train_step(model: CNN, optimizer: nnx.Optimizer, metrics: nnx.MultiMetric, batch):
    grad_fn = nnx.value_and_grad(loss_fn, has_aux=True)
    (loss, logits), grads = grad_fn(model, batch)
    metrics.update(loss=loss, logits=logits, labels=batch["label"])
    optimizer.update(model, grads)


@nnx.jit
def eval_step(model: CNN, metrics, batch):
    loss, logits = loss_fn(model, batch)
    metrics.update(loss=loss, logits=logits, labels=batch["label"])
    return logits.argmax(axis=1)


batch = {"image": np.ones((4, 8, 8, 1), np.float32), "label": np.array([0, 1, 2, 0], np.int32)}
for _ in range(3):
    model.train()
    train_step(model, optimizer, metrics, batch)
    for name, value in metrics.compute().items():
        print(name, value)
    metrics.reset()
model.eval()
print(eval_step(model, metrics, batch), model.norm.mean[...], optimizer.step.value)

mlp = MLP(3, 8, 2, rngs=nnx.Rngs(params=0, dropout=1))
y = mlp(jnp.ones((5, 3)))
print(y.shape, mlp.count.value, mlp.w.shape, mlp.dmid, mlp.out.kernel.value.dtype)
graphdef, state = nnx.split(mlp)
print(state["w"].shape, jax.tree.map(jnp.shape, state)["b"])


@jax.jit
def forward(graphdef, state, x):
    m = nnx.merge(graphdef, state)
    y = m(x)
    return y, nnx.state(m)


y, state = jax.jit(lambda s, x: forward(graphdef, s, x))(state, jnp.ones((5, 3)))
nnx.update(mlp, state)
print(y, mlp.count.value)
graphdef, params, rest = nnx.split(mlp, nnx.Param, ...)


def pure_loss(params, x):
    return jnp.mean(nnx.merge(graphdef, params, rest, copy=True)(x) ** 2)


grads = jax.grad(pure_loss)(params, jnp.ones((5, 3)))
new = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
nnx.update(mlp, new)
print(mlp.b[...])
grads = nnx.grad(lambda m, x: m(x).sum())(mlp, jnp.ones((5, 3)))
print(grads["w"][...].shape, grads.out.kernel.value)
lm = Transformer(11, 8, 2, rngs=nnx.Rngs(3))
tokens = jnp.ones((2, 6), jnp.int32)
print(lm(tokens).shape, len(jax.tree.leaves(nnx.state(lm, nnx.Param))))


@nnx.vmap(in_axes=(0,), out_axes=0)
def create(key):
    return MLP(3, 8, 2, rngs=nnx.Rngs(key))


stack = create(jax.random.split(jax.random.key(0), 4))
print(stack.w.shape)
ys = nnx.vmap(lambda m, x: m(x), in_axes=(0, None))(stack, jnp.ones((5, 3)))
print(ys.shape)
cell = nnx.GRUCell(3, 6, rngs=nnx.Rngs(0))
rnn = nnx.RNN(cell)
print(rnn(jnp.ones((2, 7, 3))).shape)
lora = nnx.LoRA(3, 2, 5, rngs=nnx.Rngs(0))
print(lora(jnp.ones((1, 3))))
"""

PROGRAMS = {"linen": FLAX_LINEN, "optax": OPTAX, "records": RECORDS, "equinox": EQUINOX, "nnx": FLAX_NNX}


def _interpret(source: str, path: Path) -> Result:
    path.write_text(source)
    return interpret(path)


@pytest.mark.parametrize("name", PROGRAMS)
def test_claims_hold_in_a_run(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}_program.py"
    result = _interpret(PROGRAMS[name], path)
    assert [str(m) for m in result.diagnostics if m.code != "array-key"] == []  # one key for several models
    assert not result.crashes
    run = run_or_recall([path])[path]
    assert run.exception is None, run.traceback
    audit = compare(result.program, run.observations)
    assert not audit.wrong
    coverage = result.program.coverage
    assert coverage.dtypes >= 0.99 * coverage.expressions
    assert coverage.shapes >= 0.99 * coverage.expressions


LINEN_HEAD = """
import flax.linen as nn, jax, jax.numpy as jnp
class Net(nn.Module):
    width: int
    @nn.compact
    def __call__(self, x, train=True):
        x = nn.Dense(self.width)(x)
        return nn.Dropout(0.5, deterministic=not train)(x)
net = Net(3)
v = net.init(jax.random.key(0), jnp.ones((2, 3)), train=False)
"""
EQUINOX_HEAD = """
import equinox as eqx, jax, jax.numpy as jnp
class Net(eqx.Module):
    a: jax.Array
    mlp: eqx.nn.MLP
    def __init__(self, key):
        self.a = jnp.ones(3)
        self.mlp = eqx.nn.MLP(3, 2, 4, 1, key=key)
    def __call__(self, x):
        return self.mlp(x * self.a)
net = Net(jax.random.key(0))
"""
NNX_HEAD = """
import jax, jax.numpy as jnp, optax
from flax import nnx
class Net(nnx.Module):
    def __init__(self, rngs):
        self.first = nnx.Linear(3, 4, rngs=rngs)
    def __call__(self, x):
        return self.first(x)
net = Net(nnx.Rngs(0))
"""
STATE_HEAD = """
import flax.linen as nn, jax, jax.numpy as jnp, optax
from flax.training.train_state import TrainState
model = nn.Dense(3)
params = model.init(jax.random.key(0), jnp.ones((1, 2)))["params"]
state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-3))
"""
CHEX_HEAD = "import chex, jax.numpy as jnp\n"

MISTAKES = [
    (LINEN_HEAD, "net.apply(v, jnp.ones((2, 3)))", 8, "needs PRNG"),
    (LINEN_HEAD, "net.apply(v, jnp.ones((2, 4)), train=False)", 7, "expected to generate shape (4, 3)"),
    (LINEN_HEAD, "net.apply({'params': {}}, jnp.ones((2, 3)), train=False)", 7, "collection is empty"),
    (LINEN_HEAD, "Net(width=3, depth=2)", 0, "unexpected keyword argument 'depth'"),
    (LINEN_HEAD, "net.apply(v, jnp.ones((2, 3)), False, 1)", 0, "takes 3 positional arguments but 4 were given"),
    (LINEN_HEAD, "net.apply(v, jnp.ones((2, 3)), train=False) + jnp.ones(7)", 0, "incompatible shapes"),
    (EQUINOX_HEAD, "net(jnp.ones(4))", 10, "incompatible shapes"),
    (EQUINOX_HEAD, "net.mlp(jnp.ones(5))", 0, "contracting dimensions"),
    (EQUINOX_HEAD, "net.b", 0, "no attribute 'b'"),
    (EQUINOX_HEAD, "eqx.filter_grad(lambda n, x: n(x))(net, jnp.ones(3))", 0, "scalar-output"),
    (EQUINOX_HEAD, "Net(1, 2)", 0, "takes 2 positional arguments but 3 were given"),
    (NNX_HEAD, "nnx.jit(lambda m, x: m(x))(net, jnp.ones((2, 5)))", 8, "contracting dimensions"),
    (NNX_HEAD, "nnx.Linear(3, 4)", 0, "missing 1 required keyword-only argument: 'rngs'"),
    (NNX_HEAD, "net.second", 0, "no attribute 'second'"),
    (STATE_HEAD, "state.apply_fn({'params': state.params}, jnp.ones((1, 5)))", 0, "expected to generate shape (5, 3)"),
    (STATE_HEAD, "state.apply_gradients(grads={'kernel': jnp.ones((2, 3))})", 0, "pytree structure"),
    (STATE_HEAD, "TrainState.create(apply_fn=model.apply, params=params)", 0, "argument: 'tx'"),
    (STATE_HEAD, "state.rate", 0, "no attribute 'rate'"),
    (CHEX_HEAD, "chex.assert_shape(jnp.ones(3), (4,))", 0, "has shape (3,) but expected"),
    (CHEX_HEAD, "chex.assert_rank(jnp.ones(3), 2)", 0, "rank"),
]


@pytest.mark.parametrize(("head", "line", "shows", "message"), MISTAKES, ids=[line for _, line, _, _ in MISTAKES])
def test_mistakes_are_reported_once(head: str, line: str, shows: int, message: str, tmp_path: Path) -> None:
    source = dedent(head) + line + "\n"
    result = _interpret(source, tmp_path / "program.py")
    found = [m for m in result.diagnostics if m.code != "array-unused"]  # what it gives is dropped here
    assert len(found) == 1, [str(m) for m in found]
    (diagnostic,) = found
    assert diagnostic.line == (shows or source.count("\n"))
    assert message in diagnostic.message


def test_methods_are_interpreted_and_never_run(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    witness = tmp_path / "witness"
    source = LINEN_HEAD.replace("        x = nn.Dense", f"        open({str(witness)!r}, 'w')\n        x = nn.Dense")
    source += (
        NNX_HEAD.replace("        return", f"        open({str(witness)!r}, 'w')\n        return")
        + "net(jnp.ones((1, 3)))"
    )
    result = _interpret(source, path)
    assert result.diagnostics == []
    assert not witness.exists()


def test_numpy_arrays_stay_so_in_a_module(tmp_path: Path) -> None:
    source = """
import flax.linen as nn, jax, numpy as np
class Net(nn.Module):
    def __call__(self, x):
        return x.mean()
rng = np.random.default_rng(0)
y = Net().apply({}, rng.normal(size=(2, 3)))
"""
    result = _interpret(source, tmp_path / "program.py")
    assert not [e for c in result.claims.values() for e in c.expressions if e.line == 5 and "float32" in str(e)]


def test_an_object_of_a_library_whose_operators_refuse_much(tmp_path: Path) -> None:
    """Equinox's `ω` raises where it is compared with what it does not know."""
    source = """\
from equinox.internal import ω
import jax
import jax.numpy as jnp
def f(c, y):
    return (c * (y**ω - y**ω)).call(jnp.asarray).ω
x = f(jnp.ones(()), 1.0)
y = jax.jit(f)(1.0, jnp.ones(3))
z = jax.vmap(lambda c: f(c, jnp.ones(3)))(jnp.ones(4))
"""
    result = _interpret(source, tmp_path / "omega.py")
    assert not result.crashes
    assert not [str(m) for m in result.diagnostics]


def test_fields_of_modules_behind_a_marker_are_given_by_name(tmp_path: Path) -> None:
    source = """
from __future__ import annotations
import dataclasses
import jax
import jax.numpy as jnp
from flax import linen as nn

class Scaled(nn.Module):
    size: int
    _: dataclasses.KW_ONLY
    scale: float = 2.0
    model: nn.Module

    def __call__(self, x):
        return self.model(x) * self.scale

params = Scaled(3, model=nn.Dense(3)).init(jax.random.key(0), jnp.ones((1, 4)))
kernel = params["params"]["model"]["kernel"]
"""
    result = interpret(tmp_path / "program.py", source=source)
    assert result.diagnostics == []
    assert str(result.interpreter.importer.modules["__main__"].frame.variables["kernel"].aval) == "float32[4, 3]"


def test_nothing_is_known_of_modules_whose_methods_are_intercepted(tmp_path: Path) -> None:
    source = """
import jax, jax.numpy as jnp
from flax import linen as nn
import outside

def doubled(next_fun, args, kwargs, context):
    return jnp.concatenate([next_fun(*args, **kwargs)] * 2)

class Doubling(outside.ContextManager):
    def __contextmanager__(self):
        with nn.intercept_methods(doubled):
            yield

class M(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(3)(x)

x = jnp.ones((2, 4))
model = M()
variables = model.init(jax.random.key(0), x)
before = model.apply(variables, x)
with nn.intercept_methods(doubled):
    inside = model.apply(variables, x)
with Doubling():
    perhaps = model.apply(variables, x)
after = model.apply(variables, x)
"""
    result = interpret(tmp_path / "program.py", source=source)
    found = result.interpreter.importer.modules["__main__"].frame.variables
    assert (str(found["before"].aval), str(found["after"].aval)) == ("float32[2, 3]", "float32[2, 3]")
    assert isinstance(found["inside"], Unknown)
    assert isinstance(found["perhaps"], Unknown)
