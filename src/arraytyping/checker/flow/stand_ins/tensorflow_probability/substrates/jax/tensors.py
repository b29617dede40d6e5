"""How distributions and bijectors take what they are given: as arrays of one dtype.

Source: https://www.tensorflow.org/probability/api_docs/python/tfp/distributions.
"""

import jax
import jax.numpy as jnp
import numpy as np

from arraytyping import facts


def common_dtype(parameters, hint="float32"):
    """The dtype that all parameters with a dtype have; the hint if none has one."""
    found = None
    for leaf in jax.tree.leaves(parameters):
        own = getattr(leaf, "dtype", None)
        if own is None:
            continue
        own = np.dtype(own).type
        if found is None:
            found = own
        elif own != found:
            raise TypeError("parameters of a distribution have different dtypes")
    return np.dtype(hint).type if found is None else found


def parameter(value, dtype):
    """A parameter as an array; of one whose dtype is not that of real numbers only the shape is sure."""
    if value is None:
        return None
    found = value if isinstance(value, jax.Array) else jnp.asarray(value, dtype)
    return found if jnp.issubdtype(dtype, jnp.floating) else found + facts.array(None, ())


def argument(value, hint):
    """The argument of a method as an array: an array of JAX is what it is, anything else takes the dtype hinted at."""
    if isinstance(value, jax.Array):
        return value
    if hint is None:
        if isinstance(value, np.ndarray):
            return jnp.asarray(value)
        return jnp.asarray(value, jnp.int32 if isinstance(value, int) else jnp.float32)
    if isinstance(value, float) and jnp.issubdtype(hint, jnp.integer):
        return jnp.asarray(value, jnp.float32)
    if not jnp.issubdtype(hint, jnp.floating) and not isinstance(value, (int, np.ndarray)):
        return facts.unknown("a number that is no integer")
    return jnp.asarray(value, hint)


def joined(*arrays):
    """An array of the shape and dtype that elementwise operations on all of these give."""
    found = None
    for array in arrays:
        if array is not None:
            found = array if found is None else found + array
    return found


def strong(array):
    """The same array, strongly typed."""
    return array.astype(array.dtype)


def settled(found, *given):
    """What a formula makes of arrays, if only the shape and the dtype of elementwise operations is sure.

    The constants in it are numbers of Python in one place and float64 of NumPy in another, as a release has them.  They
    make no difference to float64, and to float32 without 64-bit dtypes; that of a weak type they may make.
    """
    weak, mixed = False, False
    for one in given:
        if one is not None:
            weak = weak or one.weak_type
            mixed = mixed or (jnp.issubdtype(one.dtype, jnp.floating) and one.dtype != found.dtype)
    if mixed or not (found.dtype == jnp.float64 or (found.dtype == jnp.float32 and not jax.config.jax_enable_x64)):
        return found + facts.array(None, ())
    return facts.array(found.dtype, found.shape, None) if weak else strong(found)


def sizes(sample_shape):
    """The shape of samples, from a number or numbers."""
    if isinstance(sample_shape, (int, np.integer)) or getattr(sample_shape, "shape", None) == ():
        return (sample_shape,)
    return tuple(sample_shape.tolist() if isinstance(sample_shape, np.ndarray) else sample_shape)


def key(seed):
    """The key to draw with."""
    if seed is None:
        raise ValueError("a key has to be given to draw a sample")
    return seed() if callable(seed) else seed


def summed(array, axes):
    """The sum over so many of the last axes."""
    return jnp.sum(array, axis=tuple(range(-axes, 0))) if axes else array
