"""Parameters that modules of Flax's linen make for themselves: their shapes are known, `apply` takes any dtype."""

import flax.linen as nn
import jax
import jax.numpy as jnp

x = jnp.ones((2, 3))


class Affine(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        w = self.param("w", nn.initializers.lecun_normal(), (x.shape[-1], self.width))
        b = self.param("b", nn.initializers.zeros, (self.width,))
        s = self.param("s", lambda key, n: jnp.ones((n, 1), jnp.int8), 2)
        m = self.param("m", self.make, 3)
        return x @ w + b, s, m

    def make(self, key, n):
        return jax.random.normal(key, (n, n))


class SetUp(nn.Module):
    def setup(self):
        self.w = self.param("w", nn.initializers.lecun_normal(), (3, 5))

    def __call__(self, x):
        return jnp.asarray(x @ self.w, jnp.bfloat16)


y, s, m = Affine(7).apply(Affine(7).init(jax.random.key(0), x), x)
reveal_type(y)  # R: Array[Any, tuple[Literal[2], Literal[7]]]
reveal_type(s)  # R: Array[Any, tuple[Literal[2], Literal[1]]]
reveal_type(m)  # R: Array[Any, tuple[Literal[3], Literal[3]]]
made = SetUp().apply(SetUp().init(jax.random.key(0), x), x)
reveal_type(made)  # R: Array[bfloat16, tuple[Literal[2], Literal[5]]]
