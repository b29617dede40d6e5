"""`gymnasium.spaces`: what an observation or an action is.

Source: https://gymnasium.farama.org/api/spaces/.
"""

import numpy as np

from arraytyping import facts


class Space:
    def seed(self, seed=None):
        return facts.unknown("the seeds of a space")

    def contains(self, x):
        return facts.boolean()


class Box(Space):
    def __init__(self, low, high, shape=None, dtype=np.float32, seed=None):
        if shape is None:
            shape = low.shape if isinstance(low, np.ndarray) else high.shape if isinstance(high, np.ndarray) else ()
        self.shape = tuple(shape)
        self.dtype = np.dtype(dtype)
        self.low = facts.numpy_array(dtype, self.shape)
        self.high = facts.numpy_array(dtype, self.shape)

    def sample(self, *args, **options):
        return facts.numpy_array(self.dtype, self.shape)


class Discrete(Space):
    def __init__(self, n, seed=None, start=0, **options):
        self.n = n
        self.start = start
        self.shape = ()

    def sample(self, *args, **options):
        return facts.numpy_array(None, ())


class MultiBinary(Space):
    def __init__(self, n, seed=None):
        self.n = n
        self.shape = (n,) if isinstance(n, int) else tuple(n)

    def sample(self, *args, **options):
        return facts.numpy_array("int8", self.shape)


class MultiDiscrete(Space):
    def __init__(self, nvec, dtype=np.int64, seed=None, **options):
        self.nvec = np.asarray(nvec, dtype=dtype)
        self.dtype = np.dtype(dtype)
        self.shape = self.nvec.shape

    def sample(self, *args, **options):
        return facts.numpy_array(self.dtype, self.shape)


class Dict(Space):
    def __init__(self, spaces=None, seed=None, **kwargs):
        self.spaces = {**(spaces or {}), **kwargs}
        self.shape = None

    def __getitem__(self, key):
        return self.spaces[key]

    def __len__(self):
        return len(self.spaces)

    def keys(self):
        return self.spaces.keys()

    def items(self):
        return self.spaces.items()

    def values(self):
        return self.spaces.values()

    def sample(self, *args, **options):
        return {key: space.sample() for key, space in self.spaces.items()}


class Tuple(Space):
    def __init__(self, spaces, seed=None):
        self.spaces = tuple(spaces)
        self.shape = None

    def __getitem__(self, index):
        return self.spaces[index]

    def __len__(self):
        return len(self.spaces)

    def sample(self, *args, **options):
        return tuple([space.sample() for space in self.spaces])


def __getattr__(name):
    return facts.unknown("gymnasium.spaces." + name)
