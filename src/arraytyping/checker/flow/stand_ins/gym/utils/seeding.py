"""`gym.utils.seeding`: a generator of random numbers, which is one of NumPy's older ones before gym 0.22.

Source: https://gymnasium.farama.org/api/utils/.
"""

import numpy as np

from arraytyping import facts


class _Since:
    """A `Generator`, with the methods of older ones besides."""

    def integers(self, *args, **options):
        return np.random.default_rng().integers(*args, **options)

    def randint(self, *args, **options):
        return np.random.default_rng().integers(*args, **options)

    def __getattr__(self, name):
        return facts.unknown("what a generator of gym has")


class _Before:
    """A `RandomState`."""

    def randint(self, *args, **options):
        return np.random.RandomState().randint(*args, **options)

    def __getattr__(self, name):
        if name == "integers":
            raise AttributeError(name)
        return facts.unknown("what a generator of gym has")


def np_random(seed=None):
    return facts.one_of(_Since(), _Before()), facts.unknown("the seed of a generator")


def __getattr__(name):
    return facts.unknown("gym.utils.seeding." + name)
