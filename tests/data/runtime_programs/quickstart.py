"""The quickstart: arrays, jit, grad, vmap, and what each prints."""

import jax
import jax.numpy as jnp
from jax import grad, jacfwd, jacrev, jit, random, vmap


def selu(x, alpha=1.67, lmbda=1.05):
    return lmbda * jnp.where(x > 0, x, alpha * jnp.exp(x) - alpha)


x = jnp.arange(5.0)
print(selu(x))

key = random.key(1701)
many = random.normal(key, (1_000,))
compiled = jit(selu)
print(jnp.allclose(compiled(many), selu(many), atol=1e-6), compiled(many).dtype)


def sum_logistic(x):
    return jnp.sum(1.0 / (1.0 + jnp.exp(-x)))


x_small = jnp.arange(3.0)
derivative = grad(sum_logistic)(x_small)
print(derivative)


def first_finite_differences(f, x, eps=1e-3):
    return jnp.array([(f(x + eps * v) - f(x - eps * v)) / (2 * eps) for v in jnp.eye(len(x))])


print(jnp.allclose(derivative, first_finite_differences(sum_logistic, x_small), atol=1e-3))
print(grad(jit(grad(jit(grad(sum_logistic)))))(1.0))


def hessian(fun):
    return jit(jacfwd(jacrev(fun)))


print(hessian(sum_logistic)(x_small))
print(jacfwd(jnp.cumsum)(x_small))

key1, key2 = random.split(key)
mat = random.normal(key1, (150, 100))
batched_x = random.normal(key2, (10, 100))


def apply_matrix(x):
    return jnp.dot(mat, x)


naive = jnp.stack([apply_matrix(v) for v in batched_x])
with_jit = jit(lambda b: jnp.dot(b, mat.T))(batched_x)
with_vmap = jit(vmap(apply_matrix))(batched_x)
print(naive.shape, bool(jnp.allclose(naive, with_jit, atol=1e-4)), bool(jnp.allclose(naive, with_vmap, atol=1e-4)))
updated = jnp.zeros((3, 3)).at[1, :].set(1.0).at[:, 2].add(7)
print(updated, x[-1], x[10], repr(x[1:3]), type(x).__name__ == "ArrayImpl")
print(jnp.add(1, 1.0), jnp.int32(3) / 2, isinstance(x, jax.Array), x.sum().item())
