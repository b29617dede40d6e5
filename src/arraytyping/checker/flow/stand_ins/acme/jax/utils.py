"""`acme.jax.utils`: trees of arrays with and without axes for batches and devices, and what is fetched ahead.

Source: https://github.com/google-deepmind/acme/blob/master/acme/jax/utils.py.
"""

import jax
import jax.numpy as jnp
import numpy as np

from arraytyping import facts


def add_batch_dim(values):
    return jax.tree.map(lambda x: jnp.expand_dims(x, 0), values)


def squeeze_batch_dim(nest):
    return jax.tree.map(lambda x: jnp.squeeze(x, 0), nest)


def _flat(x, num_batch_dims):
    return x if x.ndim < num_batch_dims else jnp.reshape(x, (*x.shape[:num_batch_dims], -1))


def batch_concat(values, num_batch_dims=1):
    return jnp.concatenate([_flat(x, num_batch_dims) for x in jax.tree.leaves(values)], axis=-1)


def zeros_like(nest, dtype=None):
    return jax.tree.map(lambda x: jnp.zeros(x.shape, dtype or x.dtype), nest)


def ones_like(nest, dtype=None):
    return jax.tree.map(lambda x: jnp.ones(x.shape, dtype or x.dtype), nest)


def to_numpy(values):
    return jax.tree.map(np.asarray, values)


def to_numpy_squeeze(values):
    return jax.tree.map(lambda x: np.squeeze(np.asarray(x), 0), values)


def fetch_devicearray(values):
    return jax.tree.map(lambda x: np.asarray(x) if isinstance(x, jax.Array) else x, values)


def batch_to_sequence(values):
    return jax.tree.map(lambda x: jnp.swapaxes(x, 0, 1), values)


def tile_array(array, multiple):
    return jnp.broadcast_to(array, (multiple, *jnp.shape(array)))


def tile_nested(inputs, multiple):
    return jax.tree.map(lambda x: tile_array(x, multiple), inputs)


def prefetch(iterable, buffer_size=5, device=None, num_threads=1):
    return iter(iterable) if device is None else device_put(iterable, device)


def device_put(iterable, device, split_fn=None):
    if split_fn is not None:
        return facts.unknown("what a program puts on a device in parts")
    return iter(facts.many(jax.device_put(next(iter(iterable)))))


def sharded_prefetch(iterable, buffer_size=5, num_threads=1, split_fn=None, devices=None):
    if split_fn is not None or devices is not None:
        return facts.unknown("what a program puts on devices of its own choice")
    return iter(facts.many(replicate_in_all_devices(next(iter(iterable)))))


def multi_device_put(iterable, devices, split_fn=None):
    return facts.unknown("what a program puts on devices of its own choice")


def replicate_in_all_devices(nest, devices=None):
    return tile_nested(nest, jax.local_device_count() if devices is None else len(devices))


def get_from_first_device(nest, as_numpy=True):
    first = jax.tree.map(lambda x: x[0] if jnp.ndim(x) else x, nest)
    return jax.device_get(first) if as_numpy else first


def __getattr__(name):
    return facts.unknown("acme.jax.utils." + name)
