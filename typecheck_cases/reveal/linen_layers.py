"""Layers of linen."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np

x = jnp.ones((4, 8))
im = jnp.ones((2, 16, 12, 3))


class A(nn.Module):
    @nn.compact
    def __call__(self, x: jax.Array, im: jax.Array, t: jax.Array):
        x = jnp.ones((4, 8))
        im = jnp.ones((2, 16, 12, 3))
        t = jnp.ones((5,), int)
        h = jnp.ones((4, 8), jnp.bfloat16)
        reveal_type(nn.Dense(16)(x))  # R: Array[Any, tuple[Literal[4], Literal[16]]]
        long1 = nn.Dense(features=16, use_bias=False)(im)
        reveal_type(long1)  # R: Array[Any, tuple[Literal[2], Literal[16], Literal[12], Literal[16]]]
        reveal_type(nn.Dense(16, dtype=jnp.bfloat16)(x))  # R: Array[bfloat16, tuple[Literal[4], Literal[16]]]
        reveal_type(nn.Dense(16, True, jnp.float16)(x))  # R: Array[float16, tuple[Literal[4], Literal[16]]]
        reveal_type(nn.Dense(16, param_dtype=jnp.bfloat16)(h))  # R: Array[Any, tuple[Literal[4], Literal[16]]]
        d = nn.Dense(3, name="d")
        reveal_type(d(x))  # R: Array[Any, tuple[Literal[4], Literal[3]]]
        reveal_type(nn.Dense(16)(np.ones((4, 8))))  # R: Array[Any, tuple[Literal[4], Literal[16]]]
        reveal_type(nn.LayerNorm()(x))  # R: Array[Any, tuple[Literal[4], Literal[8]]]
        reveal_type(nn.LayerNorm(dtype=jnp.bfloat16)(x))  # R: Array[bfloat16, tuple[Literal[4], Literal[8]]]
        reveal_type(nn.LayerNorm(1e-5, dtype=jnp.float32)(h))  # R: Array[float32, tuple[Literal[4], Literal[8]]]
        reveal_type(nn.LayerNorm(use_scale=False, use_bias=False)(h))  # R: Array[Any, tuple[Literal[4], Literal[8]]]
        reveal_type(nn.RMSNorm()(im))  # R: Array[Any, tuple[Literal[2], Literal[16], Literal[12], Literal[3]]]
        reveal_type(nn.GroupNorm(num_groups=4)(x))  # R: Array[Any, tuple[Literal[4], Literal[8]]]
        long2 = nn.BatchNorm(use_running_average=False)(im)
        reveal_type(long2)  # R: Array[Any, tuple[Literal[2], Literal[16], Literal[12], Literal[3]]]
        reveal_type(nn.BatchNorm(True)(im))  # R: Array[Any, tuple[Literal[2], Literal[16], Literal[12], Literal[3]]]
        long3 = nn.BatchNorm(axis=1, dtype=jnp.float16)(im, use_running_average=True)
        reveal_type(long3)  # R: Array[float16, tuple[Literal[2], Literal[16], Literal[12], Literal[3]]]
        reveal_type(nn.Dropout(0.5, deterministic=True)(x))  # R: Array[float32, tuple[Literal[4], Literal[8]]]
        reveal_type(nn.Dropout(0.5)(h, deterministic=False))  # R: Array[bfloat16, tuple[Literal[4], Literal[8]]]
        reveal_type(nn.Dropout(0.5)(jnp.full((3,), 2.0), deterministic=False))  # R: Array[Any, tuple[Literal[3]]]
        reveal_type(nn.Dropout(0.0)(t, deterministic=False))  # R: Array[Any, tuple[Literal[5]]]
        reveal_type(nn.Embed(10, 6)(t))  # R: Array[Any, tuple[Literal[5], Literal[6]]]
        reveal_type(nn.Embed(1, 6, dtype=jnp.float16)(t))  # R: Array[float16, tuple[Literal[5], Literal[6]]]
        long4 = nn.Embed(num_embeddings=10, features=6)(t[:, None])
        reveal_type(long4)  # R: Array[Any, tuple[Literal[5], Literal[1], Literal[6]]]
        reveal_type(nn.Conv(7, (3, 3))(im))  # R: Array[Any, tuple[Literal[2], Literal[16], Literal[12], Literal[7]]]
        long5 = nn.Conv(7, kernel_size=(3, 3), strides=2)(im)
        reveal_type(long5)  # R: Array[Any, tuple[Literal[2], Literal[8], Literal[6], Literal[7]]]
        long6 = nn.Conv(7, (3, 3), strides=(2, 1), padding="VALID")(im)
        reveal_type(long6)  # R: Array[Any, tuple[Literal[2], Literal[7], Literal[10], Literal[7]]]
        long7 = nn.Conv(6, (3, 3), feature_group_count=3)(im)
        reveal_type(long7)  # R: Array[Any, tuple[Literal[2], Literal[16], Literal[12], Literal[6]]]
        reveal_type(nn.Conv(7, (3,))(im))  # R: Array[Any, tuple[Literal[2], Literal[16], Literal[12], Literal[7]]]
        long8 = nn.Conv(7, (5, 5), kernel_dilation=2, padding="VALID")(im)
        reveal_type(long8)  # R: Array[Any, tuple[Literal[2], Literal[8], Literal[4], Literal[7]]]
        long19 = nn.Conv(7, (3, 3), padding=1)(im)
        reveal_type(long19)  # R: Array[Any, tuple[Literal[2], Literal[16], Literal[12], Literal[7]]]
        long9 = nn.Conv(7, (3, 3), padding=((0, 1), (1, 1)))(im)
        reveal_type(long9)  # R: Array[Any, tuple[Literal[2], Literal[15], Literal[12], Literal[7]]]
        long20 = nn.Conv(7, (3, 4), padding=[2, (0, 3)], strides=(2, 3))(im)
        reveal_type(long20)  # R: Array[Any, tuple[Literal[2], Literal[9], Literal[4], Literal[7]]]
        long10 = nn.Conv(7, (3, 4), padding="CIRCULAR", kernel_dilation=2)(im)
        reveal_type(long10)  # R: Array[Any, tuple[Literal[2], Literal[16], Literal[12], Literal[7]]]
        long21 = nn.Conv(7, (4, 2), padding="REFLECT", strides=(3, 5))(im)
        reveal_type(long21)  # R: Array[Any, tuple[Literal[2], Literal[6], Literal[3], Literal[7]]]
        long22 = nn.Conv(7, (3,), padding="CAUSAL", strides=2)(im)
        reveal_type(long22)  # R: Array[Any, tuple[Literal[2], Literal[16], Literal[6], Literal[7]]]
        long11 = nn.Conv(7, (3, 3), dtype=jnp.bfloat16)(im[0])
        reveal_type(long11)  # R: Array[bfloat16, tuple[Literal[16], Literal[12], Literal[7]]]
        reveal_type(nn.Conv(7, 3)(im[0]))  # R: Array[Any, tuple[Literal[16], Literal[12], Literal[7]]]
        long12 = nn.Conv(7, (3, 3))(im[None])
        reveal_type(long12)  # R: Array[Any, tuple[Literal[1], Literal[2], Literal[16], Literal[12], Literal[7]]]
        reveal_type(nn.Conv(7, (2, 3, 3))(im))  # R: Array[Any, tuple[Literal[2], Literal[16], Literal[12], Literal[7]]]
        long13 = nn.max_pool(im, (2, 2), strides=(2, 2))
        reveal_type(long13)  # R: Array[float32, tuple[Literal[2], Literal[8], Literal[6], Literal[3]]]
        long14 = nn.avg_pool(im, (2, 2))
        reveal_type(long14)  # R: Array[float32, tuple[Literal[2], Literal[15], Literal[11], Literal[3]]]
        long15 = nn.avg_pool(im.astype(jnp.bfloat16), window_shape=(3, 3), strides=(2, 2), padding="SAME")
        reveal_type(long15)  # R: Array[bfloat16, tuple[Literal[2], Literal[8], Literal[6], Literal[3]]]
        long16 = nn.max_pool(im[0], (5, 3), padding="SAME")
        reveal_type(long16)  # R: Array[float32, tuple[Literal[16], Literal[12], Literal[3]]]
        long17 = nn.max_pool(im, (20, 2))
        reveal_type(long17)  # R: Array[float32, tuple[Literal[2], Literal[0], Literal[11], Literal[3]]]
        long23 = nn.max_pool(im, (2, 3), strides=(2, 2), padding=((0, 1), (2, 2)))
        reveal_type(long23)  # R: Array[float32, tuple[Literal[2], Literal[8], Literal[7], Literal[3]]]
        long18 = nn.max_pool(im, (2,), (3,))
        reveal_type(long18)  # R: Array[float32, tuple[Literal[2], Literal[16], Literal[4], Literal[3]]]
        return x


a = A()
v = a.init({"params": jax.random.key(0), "dropout": jax.random.key(1)}, x, im, jnp.ones((5,), int))
params = jax.tree.map(lambda p: p.astype(jnp.float16), v)
a.apply(params, x, im, jnp.ones((5,), int), rngs={"dropout": jax.random.key(1)}, mutable=True)
