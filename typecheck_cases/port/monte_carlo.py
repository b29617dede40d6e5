"""Random numbers: a random walk, an integral, option prices, a bootstrap."""

import numpy as np

np.random.seed(0)
steps = np.random.choice([-1, 1], size=(50, 20))
walks = np.cumsum(steps, axis=1)
final = walks[:, -1]
mean_square = (final**2).mean()
farthest = np.abs(walks).max(axis=1)

uniform = np.random.rand(1000, 2)
inside = np.sum(np.square(uniform), axis=1) < 1.0
pi = 4 * np.mean(inside)
pi_error = abs(pi - np.pi)

normals = np.random.standard_normal(500).astype(np.float32)
growth = np.exp((0.02 - 0.5 * 0.2**2) + 0.2 * normals)
prices = 100 * growth
payoff = np.maximum(prices - 105, 0)
price = np.exp(-0.02) * payoff.mean()
deviation = payoff.std() / np.sqrt(len(payoff))

sample = np.random.default_rng(2).exponential(size=40)
indices = np.random.default_rng(3).integers(0, 40, size=(30, 40))
resampled = sample[indices]
means = resampled.mean(axis=1)
interval = np.quantile(means, np.array([0.025, 0.975]))
width = interval[1] - interval[0]
as_jax = np.asarray(sample)
centred = as_jax - as_jax.mean()
spread = np.sqrt((centred**2).sum() / (len(centred) - 1))
print(float(mean_square), float(pi_error), float(price), float(deviation), float(width), float(spread), farthest.max())
