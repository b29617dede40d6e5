"""How it runs: jaxprs, abstract evaluation, checkpointing, linear functions transposed, exceptions while tracing."""

import jax
import jax.numpy as jnp
from jax import lax


def f(x, y):
    return jnp.sin(x) * y + 1.0


jaxpr = jax.make_jaxpr(f)(1.0, jnp.ones(3))
print(len(jaxpr.eqns), [str(e.primitive) for e in jaxpr.eqns], [v.aval.shape for v in jaxpr.jaxpr.outvars])
out = jax.eval_shape(f, jax.ShapeDtypeStruct((), jnp.bfloat16), jax.ShapeDtypeStruct((2, 3), jnp.float32))
print(out.shape, out.dtype)
print(jax.eval_shape(lambda tree: jax.tree.map(lambda a: a @ a, tree), {"a": jnp.ones((3, 3)), "b": jnp.ones((2, 2))}))


@jax.checkpoint
def block(x):
    return jnp.sin(jnp.sin(x))


print(jax.grad(lambda x: block(block(x)))(0.7), jax.jvp(block, (0.7,), (1.0,)))


def linear(x):
    return jnp.stack([2 * x[0] + x[1], 3 * x[1], x[0]])


transpose = jax.linear_transpose(linear, jnp.zeros(2))
print(transpose(jnp.array([1.0, 2.0, 3.0])), jax.jacfwd(linear)(jnp.zeros(2)))

seen = []


def leaks(x):
    seen.append(x)
    return x


jax.jit(leaks)(1.0)
try:
    seen[0] + 1
except jax.errors.UnexpectedTracerError as error:
    print(type(error).__name__)


def fails(x):
    jnp.sin(x)
    raise KeyError("from inside")


for wrapped in (jax.jit(fails), jax.grad(fails), jax.vmap(fails), lambda x: lax.scan(lambda c, v: fails(c), x, x)):
    try:
        wrapped(jnp.ones(2))
    except (KeyError, TypeError) as error:
        print(type(error).__name__, error.args[0] == "from inside")
print(jnp.sin(0.0), jax.jit(lambda: jnp.arange(3))())
stopped = jax.grad(lambda x: x * lax.stop_gradient(x**2))(3.0)
print(stopped, jax.grad(lambda x: jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1.0)), 0.0))(-1.0))
result, pull = jax.vjp(lambda x, n: (x * n, n + 1), 2.0, jnp.array(3))
print(result)
value, aux = jax.value_and_grad(lambda x: (x**2, {"twice": 2 * x}), has_aux=True)(3.0)
print(value, aux)
