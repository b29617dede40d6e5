"""Functions of `flax.jax_utils` that go through what they are given item by item, or ask for the number of devices.

Source: https://flax.readthedocs.io/en/latest/api_reference/flax.jax_utils.html.
"""

import jax
import jax.numpy as jnp

from arraytyping import facts


def prefetch_to_device(iterator, size, devices=None, axis_name="_device_put_sharded"):
    for item in iterator:
        yield jax.tree.map(jnp.asarray, item)


def pad_shard_unpad(wrapped, static_argnums=(0,), static_argnames=(), static_return=False):
    def padded_sharded_unpadded(*args, min_device_batch=None, **kwargs):
        devices, per_device = jax.local_device_count(), facts.size("per_device")
        given = [arg for at, arg in enumerate(args) if at not in static_argnums]
        given += [arg for name, arg in kwargs.items() if name not in static_argnames]
        batch = jax.tree.leaves(given)[0].shape[0]

        def pad(x):
            return facts.numpy_array(x.dtype, (devices, per_device, *x.shape[1:]))

        args = [arg if at in static_argnums else jax.tree.map(pad, arg) for at, arg in enumerate(args)]
        kwargs = {name: arg if name in static_argnames else jax.tree.map(pad, arg) for name, arg in kwargs.items()}
        given_back = wrapped(*args, **kwargs)
        if static_return:
            return given_back
        return jax.tree.map(lambda x: facts.numpy_array(x.dtype, (batch, *x.shape[2:])), given_back)

    return padded_sharded_unpadded
