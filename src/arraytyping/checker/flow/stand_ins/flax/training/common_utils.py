"""`flax.training.common_utils`: what depends on the number of devices, which is not known, and on lists of trees.

Source: https://flax.readthedocs.io/en/latest/api_reference/flax.training.html.
"""

import jax
import jax.numpy as jnp


def shard(xs):
    devices = jax.local_device_count()
    return jax.tree.map(lambda x: x.reshape((devices, -1) + x.shape[1:]), xs)


def shard_prng_key(prng_key):
    return jax.random.split(prng_key, num=jax.local_device_count())


def stack_forest(forest):
    leaves = [jax.tree.leaves(tree) for tree in forest]
    stacked = [jnp.stack([one[at] for one in leaves]) for at in range(len(leaves[0]))]
    return jax.tree.unflatten(jax.tree.structure(forest[0]), stacked)


def get_metrics(device_metrics):
    return stack_forest([jax.device_get(jax.tree.map(lambda x: x[0], one)) for one in device_metrics])


def onehot(labels, num_classes, on_value=1.0, off_value=0.0):
    is_on = labels[..., None] == jnp.arange(num_classes)
    return jnp.where(is_on, on_value, off_value).astype(jnp.float32)
