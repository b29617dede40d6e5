"""Layers of linen that are made of others, attention, and transposed convolutions."""

import flax.linen as nn
import jax
import jax.numpy as jnp

key = jax.random.key(0)


class Block(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x):
        return nn.Dense(self.features, dtype=jnp.float16)(x)


class Sequences(nn.Module):
    @nn.compact
    def __call__(self, x):
        half = nn.Sequential([nn.Dense(6), nn.relu, nn.LayerNorm(), nn.Dense(3, dtype=jnp.bfloat16)])(x)
        deep = nn.Sequential([nn.Sequential([nn.Dense(6), nn.tanh]), Block(5), lambda x: x.mean(-1)])
        pairs = nn.Sequential([lambda x: (x, x), lambda x, y: x + y])
        return half, deep(x), pairs(x)


class Attending(nn.Module):
    @nn.compact
    def __call__(self, x, y):
        one = nn.MultiHeadDotProductAttention(num_heads=2, qkv_features=8, dtype=jnp.float16)(x, y)
        other = nn.MultiHeadAttention(2, out_features=7, dtype=jnp.float32)(x, y, mask=jnp.ones((1, 1, 4, 3)))
        own = nn.SelfAttention(2, jnp.bfloat16)(x)
        return one, other, own, nn.SelfAttention(num_heads=2)(x)


class Upwards(nn.Module):
    def setup(self):
        self.same = nn.ConvTranspose(7, (3, 3), strides=(2, 1), dtype=jnp.float32)
        self.valid = nn.ConvTranspose(7, (4,), (3,), "VALID", kernel_dilation=(2,), dtype=jnp.float16)
        self.around = nn.ConvTranspose(7, (3, 3), (2, 2), padding="CIRCULAR")
        self.pairs = nn.ConvTranspose(7, (3, 3), padding=((2, 1), (0, 2)))

    def __call__(self, x):
        return self.same(x), self.valid(x), self.around(x), self.pairs(x)


class General(nn.Module):
    @nn.compact
    def __call__(self, x):
        heads = nn.DenseGeneral((2, 4), dtype=jnp.float32)(x)
        return heads, nn.DenseGeneral(5, axis=(-2, -1), dtype=jnp.bfloat16)(heads), nn.DenseGeneral([2], 0)(x)


class Tied(nn.Module):
    width: int

    def setup(self):
        self.embed = nn.Embed(10, self.width)
        self.head = nn.WeightNorm(nn.Dense(3, dtype=jnp.bfloat16))
        self.parts = nn.Einsum((self.width, 2, 3), "...c,cde->...de", use_bias=False, dtype=jnp.float32)

    def __call__(self, tokens):
        x = self.embed(tokens)
        return self.embed.attend(x), self.head(x), self.parts(x)


class Declared(nn.Module):
    @nn.compact
    def __call__(self, x: jax.Array):
        x = jnp.ones((4, 8))
        embed = nn.Embed(10, 8, dtype=jnp.bfloat16)
        reveal_type(embed.attend(x))  # R: Array[bfloat16, tuple[Literal[4], Literal[10]]]
        reveal_type(nn.Einsum((8, 2, 3), "bc,cde->bde")(x))  # R: Array[Any, tuple[Literal[4], Literal[2], Literal[3]]]
        return nn.Einsum((8, 2))(x, "bc,cd->db")


def alone(x):
    layer, sequence = nn.Dense(4, dtype=jnp.float16), nn.Sequential([nn.Dense(4), nn.relu])
    variables = layer.init(key, x)
    return layer.apply(variables, x), sequence.apply(sequence.init(key, x), x), layer.init_with_output(key, x)[0]


x, y, image = jnp.ones((2, 4, 6)), jnp.ones((2, 3, 6)), jnp.ones((2, 8, 9, 3))
half, deep, pairs = Sequences().apply(Sequences().init(key, x), x)
reveal_type(half)  # R: Array[bfloat16, tuple[Literal[2], Literal[4], Literal[3]]]
reveal_type(deep)  # R: Array[float16, tuple[Literal[2], Literal[4]]]
a, b, c, d = Attending().apply(Attending().init(key, x, y), x, y)
reveal_type(a)  # R: Array[float16, tuple[Literal[2], Literal[4], Literal[6]]]
reveal_type(b)  # R: Array[float32, tuple[Literal[2], Literal[4], Literal[7]]]
reveal_type(c)  # R: Array[bfloat16, tuple[Literal[2], Literal[4], Literal[6]]]
reveal_type(d)  # R: Array[Any, tuple[Literal[2], Literal[4], Literal[6]]]
a, b, c, d = Upwards().apply(Upwards().init(key, image), image)
reveal_type(a)  # R: Array[float32, tuple[Literal[2], Literal[16], Literal[9], Literal[7]]]
reveal_type(b)  # R: Array[float16, tuple[Literal[2], Literal[8], Literal[31], Literal[7]]]
reveal_type(c)  # R: Array[Any, tuple[Literal[2], Literal[16], Literal[18], Literal[7]]]
reveal_type(d)  # R: Array[Any, tuple[Literal[2], Literal[9], Literal[9], Literal[7]]]
a, b, c = General().apply(General().init(key, x), x)
reveal_type(a)  # R: Array[float32, tuple[Literal[2], Literal[4], Literal[2], Literal[4]]]
reveal_type(b)  # R: Array[bfloat16, tuple[Literal[2], Literal[4], Literal[5]]]
reveal_type(c)  # R: Array[Any, tuple[Literal[4], Literal[6], Literal[2]]]
a, b, c = alone(x)
reveal_type(a)  # R: Array[float16, tuple[Literal[2], Literal[4], Literal[4]]]
reveal_type(b)  # R: Array[Any, tuple[Literal[2], Literal[4], Literal[4]]]
reveal_type(c)  # R: Array[float16, tuple[Literal[2], Literal[4], Literal[4]]]
a, b, c = Tied(8).apply(Tied(8).init(key, jnp.arange(5)), jnp.arange(5))
reveal_type(a)  # R: Array[Any, tuple[Literal[5], Literal[10]]]
reveal_type(b)  # R: Array[bfloat16, tuple[Literal[5], Literal[3]]]
reveal_type(c)  # R: Array[float32, tuple[Literal[5], Literal[2], Literal[3]]]
Declared().init(key, x)
