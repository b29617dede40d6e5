"""`jaxline.utils`: what is put on all local devices has an axis for them.

Source: https://github.com/google-deepmind/jaxline/blob/main/jaxline/utils.py.
"""

import jax
import jax.numpy as jnp

from arraytyping import facts


def bcast_local_devices(value):
    return jax.tree.map(lambda v: jnp.broadcast_to(v, (jax.local_device_count(), *jnp.shape(v))), value)


def get_first(xs):
    return jax.tree.map(lambda x: x[0], xs)


def py_prefetch(iterable_function, buffer_size=5):
    return iterable_function()


def double_buffer(ds):
    return ds


double_buffer_on_gpu = double_buffer


def maybe_device_get(x):
    return jax.device_get(x)


def kwargs_only(f):
    return f


debugger_fallback = evaluate_should_return_dict = disable_pmap_jit = kwargs_only


def specialize_rng_host_device(rng, host_id, axis_name, mode="unique_host_unique_device"):
    return jax.random.fold_in(rng, jax.lax.axis_index(axis_name))


def rendezvous():
    return None


def __getattr__(name):
    return facts.unknown("jaxline.utils." + name)
