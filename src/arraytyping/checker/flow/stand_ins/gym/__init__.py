"""`gym`, of which gymnasium is the successor: environments by their spaces.

What `reset` and `step` give depends on its release: an observation alone, or a tuple with it.

Source: https://gymnasium.farama.org/introduction/migration_guide/.
"""

from gym import spaces
from gymnasium import Env, Wrapper
from gymnasium.known_environments import spaces_of

from arraytyping import facts


class _Known(Env):
    def __init__(self, observed, acted):
        self.observation_space, self.action_space = observed, acted

    def reset(self, **options):
        return facts.unknown("what an environment of gym gives, which depends on its release")

    def step(self, action):
        return facts.unknown("what an environment of gym gives, which depends on its release")

    def seed(self, seed=None):
        return facts.unknown("the seeds of an environment")

    def close(self):
        return None


def make(id, **options):
    known = spaces_of(id, options)
    if known is None:
        return facts.unknown("an environment whose spaces are not listed")
    observed, acted = known
    return _Known(observed, acted)


def __getattr__(name):
    return facts.unknown("gym." + name)
