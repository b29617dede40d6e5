"""`gym`, of which gymnasium is the successor: environments by their spaces.

What `reset` and `step` give depends on its release: before 0.26 an observation alone, and four things for a step.  A
program that takes four, and nowhere five, of a step runs with such a release only.

Source: https://gymnasium.farama.org/introduction/migration_guide/.
"""

from gym import spaces
from gymnasium import ActionWrapper, Env, Known, ObservationWrapper, RewardWrapper, Wrapper
from gymnasium.envs.registration import register
from gymnasium.known_environments import environment, one_of

from arraytyping import facts

_UNKNOWN_RELEASE = "what an environment of gym gives, which depends on its release"
_SAYS = "what an environment says besides"


def _by_release(before, since):
    """What the release gives that the program is written for."""
    taken = facts.unpacked("step")
    if 4 in taken and 5 not in taken:
        return before
    if 5 in taken and 4 not in taken:
        return since
    return facts.unknown(_UNKNOWN_RELEASE)


class _Known(Known):
    @property
    def _max_episode_steps(self):
        return facts.size("steps", 1)

    def reset(self, **options):
        seen = one_of(self.observation_space)
        return _by_release(seen, (seen, facts.unknown(_SAYS)))

    def step(self, action):
        seen, reward, says = one_of(self.observation_space), self.a_reward, facts.unknown(_SAYS)
        ended = facts.boolean()
        return _by_release((seen, reward, ended, says), (seen, reward, ended, facts.boolean(), says))

    def seed(self, seed=None):
        return facts.unknown("the seeds of an environment")


def make(id, **options):
    return environment(_Known, id, options)


def __getattr__(name):
    return facts.unknown("gym." + name)
