"""The autodiff cookbook: logistic regression, Jacobians and Hessians, jvp, vjp, Hessian-vector products."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import grad, jit, jvp, value_and_grad, vjp, vmap

key = jax.random.key(0)


def sigmoid(x):
    return 0.5 * (jnp.tanh(x / 2) + 1)


def predict(W, b, inputs):
    return sigmoid(jnp.dot(inputs, W) + b)


inputs = jnp.array([[0.52, 1.12, 0.77], [0.88, -1.08, 0.15], [0.52, 0.06, -1.30], [0.74, -2.49, 1.39]])
targets = jnp.array([True, True, False, True])


def loss(W, b):
    preds = predict(W, b, inputs)
    label_probs = preds * targets + (1 - preds) * (1 - targets)
    return -jnp.sum(jnp.log(label_probs))


key, W_key, b_key = jax.random.split(key, 3)
W = jax.random.normal(W_key, (3,))
b = jax.random.normal(b_key, ())
W_grad, b_grad = grad(loss, (0, 1))(W, b)
print(f"{W_grad=!s} {b_grad=!s}")
print(grad(lambda params: loss(params["W"], params["b"]))({"W": W, "b": b}))
loss_value, Wb_grad = value_and_grad(loss, (0, 1))(W, b)
print("loss value", loss_value)

f = functools.partial(predict, b=b, inputs=inputs)
J = jax.jacfwd(f)(W)
print(J.shape, jnp.abs(J - jax.jacrev(f)(W)).max() < 1e-6)
H = jax.hessian(f)(W)
print(H.shape, H[0])

v = jax.random.normal(key, W.shape)
y, u = jvp(f, (W,), (v,))
y2, vjp_fun = vjp(f, W)
(back,) = vjp_fun(jnp.ones_like(y2))
print(y, u, back)


def hvp(f, x, v):
    return grad(lambda x: jnp.vdot(grad(f)(x), v))(x)


def hvp_forward_over_reverse(f, primals, tangents):
    return jvp(grad(f), primals, tangents)[1]


def cubic(X):
    return jnp.sum(jnp.tanh(X) ** 2)


X = jax.random.normal(key, (5, 4))
V = jax.random.normal(jax.random.fold_in(key, 1), (5, 4))
ans1, ans2 = hvp(cubic, X, V), hvp_forward_over_reverse(cubic, (X,), (V,))
print(np.allclose(ans1, ans2, 1e-4, 1e-4))
per_example = jit(vmap(grad(lambda w, x, t: (sigmoid(x @ w) - t) ** 2), in_axes=(None, 0, 0)))(W, inputs, targets)
print(per_example)
y3, f_jvp = jax.linearize(f, W)
print(f_jvp(v) - u)


def complex_function(z):
    return jnp.sum(jnp.real(z) ** 3 + 1j * jnp.imag(z) * jnp.real(z)).real


print(grad(complex_function)(jnp.array([1.0 + 2j, 0.5j])), grad(jnp.sin, holomorphic=True)(3.0 + 4j))
print(vmap(grad(jnp.tanh))(jnp.linspace(-1, 1, 3)), grad(grad(lambda x: x**3))(2.0))
