"""Patterns of einops."""

import jax
import jax.numpy as jnp
from einops import rearrange, reduce, repeat

x = jnp.ones((2, 12, 3), jnp.int8)
f = jnp.ones((4, 6, 8))
w = jnp.full((2, 3), 2)
keys = jax.random.split(jax.random.key(0), 6)
r = 3
long1 = rearrange(x, "b (h d) c -> b h d c", h=4)
reveal_type(long1)  # R: Array[int8, tuple[Literal[2], Literal[4], Literal[3], Literal[3]]]
long2 = rearrange(f, "a (b r) c -> r a b c", r=r)
reveal_type(long2)  # R: Array[float32, tuple[Literal[3], Literal[4], Literal[2], Literal[8]]]
reveal_type(rearrange(x, "b ... -> b (...)"))  # R: Array[int8, tuple[Literal[2], Literal[36]]]
reveal_type(rearrange(x, "b ... -> ... 1 b"))  # R: Array[int8, tuple[Literal[12], Literal[3], Literal[1], Literal[2]]]
reveal_type(rearrange([f, f], "n a b c -> (n a) b c"))  # R: Array[float32, tuple[Literal[8], Literal[6], Literal[8]]]
reveal_type(rearrange(w, "a b -> b a"))  # R: Array[int, tuple[Literal[3], Literal[2]]]
reveal_type(rearrange(keys, "(a b) -> a b", a=2))  # R: Array[Literal['key<fry>'], tuple[Literal[2], Literal[3]]]
reveal_type(rearrange(jnp.asarray(2.0), "-> 1"))  # R: Array[float, tuple[Literal[1]]]
reveal_type(repeat(x, "b t c -> b (t r) c", r=3))  # R: Array[int8, tuple[Literal[2], Literal[36], Literal[3]]]
reveal_type(repeat(w, "a b -> 2 b a"))  # R: Array[int, tuple[Literal[2], Literal[3], Literal[2]]]
reveal_type(reduce(x, "b t c -> b c", "sum"))  # R: Array[int32, tuple[Literal[2], Literal[3]]]
reveal_type(reduce(x, "b t c -> c t b", "sum"))  # R: Array[int8, tuple[Literal[3], Literal[12], Literal[2]]]
reveal_type(reduce(x, "b t c -> b", "any"))  # R: Array[bool_, tuple[Literal[2]]]
long3 = reduce(f, "b (t 3) (c k) -> b t c", "max", k=4)
reveal_type(long3)  # R: Array[float32, tuple[Literal[4], Literal[2], Literal[2]]]
reveal_type(reduce(f, "b ... -> b ()", "mean"))  # R: Array[float32, tuple[Literal[4], Literal[1]]]
reveal_type(reduce(x, "b t c -> b c", jnp.sum))  # R: Array[Any, Any]
long4 = jax.vmap(lambda y: rearrange(y, "b c -> c b"))(f)
reveal_type(long4)  # R: Array[float32, tuple[Literal[4], Literal[8], Literal[6]]]


def heads(y, n):
    q, k, v = rearrange(y, "t (three h d) -> three h t d", three=3, h=n)
    return rearrange(jnp.einsum("htd,hsd->hts", q, k) @ v, "h t d -> t (h d)")


reveal_type(heads(jnp.ones((5, 24)), 2))  # R: Array[float32, tuple[Literal[5], Literal[8]]]
