"""`gymnasium.utils.seeding`: a generator of random numbers.

Source: https://gymnasium.farama.org/api/utils/.
"""

import numpy as np

from arraytyping import facts


def np_random(seed=None):
    return np.random.default_rng(), facts.unknown("the seed of a generator")


def __getattr__(name):
    return facts.unknown("gymnasium.utils.seeding." + name)
