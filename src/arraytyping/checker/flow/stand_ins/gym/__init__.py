"""`gym`, of which gymnasium is the successor: environments by their spaces.

What `reset` and `step` give depends on its release: an observation alone, or a tuple with it.

Source: https://gymnasium.farama.org/introduction/migration_guide/.
"""

from gym import spaces
from gymnasium import Env, Known, Wrapper
from gymnasium.known_environments import environment

from arraytyping import facts


class _Known(Known):
    def reset(self, **options):
        return facts.unknown("what an environment of gym gives, which depends on its release")

    def step(self, action):
        return facts.unknown("what an environment of gym gives, which depends on its release")

    def seed(self, seed=None):
        return facts.unknown("the seeds of an environment")


def make(id, **options):
    return environment(_Known, id, options)


def __getattr__(name):
    return facts.unknown("gym." + name)
