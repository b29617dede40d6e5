"""`gym`, of which gymnasium is the successor: environments by their spaces.

What `reset` and `step` give depends on its release: before 0.26 an observation alone, and four things for a step.  A
program that takes four, and nowhere five, of a step runs with such a release only.

Source: https://gymnasium.farama.org/introduction/migration_guide/.
"""

from gym import spaces
from gymnasium import Env, Known, Wrapper
from gymnasium.known_environments import environment, one_of

from arraytyping import facts

_UNKNOWN_RELEASE = "what an environment of gym gives, which depends on its release"
_SAYS = "what an environment says besides"


class _Known(Known):
    def reset(self, **options):
        taken = facts.unpacked("step")
        if 4 in taken and 5 not in taken:
            return one_of(self.observation_space)
        if 5 in taken and 4 not in taken:
            return one_of(self.observation_space), facts.unknown(_SAYS)
        return facts.unknown(_UNKNOWN_RELEASE)

    def step(self, action):
        taken = facts.unpacked("step")
        seen, reward, says = one_of(self.observation_space), facts.unknown("a reward"), facts.unknown(_SAYS)
        if 4 in taken and 5 not in taken:
            return seen, reward, facts.boolean(), says
        if 5 in taken and 4 not in taken:
            return seen, reward, facts.boolean(), facts.boolean(), says
        return facts.unknown(_UNKNOWN_RELEASE)

    def seed(self, seed=None):
        return facts.unknown("the seeds of an environment")


def make(id, **options):
    return environment(_Known, id, options)


def __getattr__(name):
    return facts.unknown("gym." + name)
