"""Training loops that keep what they compute: the step returns it, instead of putting it somewhere while it is traced."""

import jax
import jax.numpy as jnp

losses = []
statistics = {}


def loss(params, x, y):
    predictions = x @ params
    return jnp.mean((predictions - y) ** 2), predictions


@jax.jit
def step(params, x, y):
    (value, predictions), gradient = jax.value_and_grad(loss, has_aux=True)(params, x, y)
    norm = jnp.linalg.norm(gradient)
    params = params - 0.1 * gradient
    return params, value, norm  # mistake a: losses.append(norm); return params, value, norm [array-leak]


x = jnp.ones((8, 3))
y = jnp.ones(8)
params = jnp.zeros(3)
for _ in range(3):
    params, value, norm = step(params, x, y)
    losses.append(value)
print(losses[-1] < losses[0])  # shows a


@jax.jit
def evaluate(params, x, y):
    value, predictions = loss(params, x, y)
    return value, predictions.max()  # mistake b: statistics["max"] = predictions.max(); return value, 0.0 [array-leak]


value, largest = evaluate(params, x, y)
statistics.setdefault("max", largest)
print(statistics["max"] + 1)  # shows b


class Trainer:
    def __init__(self, params):
        self.params = params
        self.gradient_norm = None
        self.update = jax.jit(self._update)

    def _update(self, params, x, y):
        gradient = jax.grad(lambda p: loss(p, x, y)[0])(params)
        return params - 0.1 * gradient, jnp.linalg.norm(gradient)  # mistake c: self.gradient_norm = jnp.linalg.norm(gradient); return params - 0.1 * gradient, 0.0 [array-leak]

    def fit(self, x, y):
        self.params, norm = self.update(self.params, x, y)
        if self.gradient_norm is None:
            self.gradient_norm = norm
        return self.gradient_norm / jnp.sqrt(3.0)  # shows c


print(Trainer(jnp.zeros(3)).fit(x, y))


class Normaliser:
    def __init__(self, size):
        self.mean = jnp.zeros(size)

    def __call__(self, x):
        mean = 0.9 * self.mean + 0.1 * x.mean(axis=0)  # shows d
        return x - mean, mean  # mistake d: self.mean = mean; return x - mean, mean [array-leak]


normaliser = Normaliser(3)
apply = jax.jit(normaliser.__call__)
out, mean = apply(x)
print(out.shape, normaliser.mean.shape)
out, mean = normaliser(x)
print(mean)
