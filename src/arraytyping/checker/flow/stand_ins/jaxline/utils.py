"""`jaxline.utils`: what is put on all local devices has an axis for them.

Source: https://github.com/google-deepmind/jaxline/blob/main/jaxline/utils.py.
"""

import contextlib
import enum
import functools

import jax
import jax.numpy as jnp

from arraytyping import facts


def bcast_local_devices(value):
    return jax.tree.map(lambda v: jnp.broadcast_to(v, (jax.local_device_count(), *jnp.shape(v))), value)


def get_first(xs):
    return jax.tree.map(lambda x: x[0], xs)


def py_prefetch(iterable_function, buffer_size=5, *, thread_name=None):
    return iter(iterable_function())


def double_buffer(ds):
    return iter(facts.many(jax.tree.map(jnp.asarray, next(iter(ds)))))


def double_buffer_on_gpu(ds):
    return double_buffer(ds) if jax.default_backend() == "gpu" else ds


def maybe_device_get(x):
    return jax.device_get(x) if isinstance(x, jnp.ndarray) else x


tree_psum = jax.lax.psum


def debugger_fallback(f):
    return f


disable_pmap_jit = debugger_fallback


def kwargs_only(f):
    @functools.wraps(f)
    def wrapped(**kwargs):
        return f(**kwargs)

    return wrapped


def evaluate_should_return_dict(f):
    @functools.wraps(f)
    def evaluated(*args, **kwargs):
        found = f(*args, **kwargs)
        return {} if found is None else found

    return evaluated


class _Future:
    """What is computed in another thread, and may be asked for."""

    def __init__(self, value):
        self._value = value

    def result(self, timeout=None):
        return self._value

    def done(self):
        return facts.boolean()


def make_async(thread_name_prefix=""):
    def decorator(wrapped):
        @functools.wraps(wrapped)
        def submitted(*args, **kwargs):
            return _Future(wrapped(*args, **kwargs))

        return submitted

    return decorator


@contextlib.contextmanager
def log_activity(activity_name):
    yield


class DistributedRNGMode(enum.Enum):
    UNIQUE_HOST_UNIQUE_DEVICE = "unique_host_unique_device"
    UNIQUE_HOST_SAME_DEVICE = "unique_host_same_device"
    SAME_HOST_UNIQUE_DEVICE = "same_host_unique_device"
    SAME_HOST_SAME_DEVICE = "same_host_same_device"

    @property
    def unique_host(self):
        return self.value.startswith("unique_host")

    @property
    def unique_device(self):
        return self.value.endswith("unique_device")


def host_id_devices_for_rng(mode="unique_host_unique_device"):
    if not DistributedRNGMode(mode).unique_host:
        return None
    return jnp.broadcast_to(jax.process_index(), (jax.local_device_count(),))


def specialize_rng_host_device(rng, host_id, axis_name, mode="unique_host_unique_device"):
    kind = DistributedRNGMode(mode)
    if kind.unique_host:
        if host_id is None:
            raise ValueError(f"host_id must be given in RNG mode: {kind}")
        rng = jax.random.fold_in(rng, host_id)
    return jax.random.fold_in(rng, jax.lax.axis_index(axis_name)) if kind.unique_device else rng


def rendezvous():
    return None


def __getattr__(name):
    return facts.unknown("jaxline.utils." + name)
