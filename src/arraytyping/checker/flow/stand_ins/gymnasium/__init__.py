"""`gymnasium`: environments by the spaces that their pages say, and the program's own.

Source: https://gymnasium.farama.org/api/env/.
"""

from gymnasium import spaces, vector, wrappers
from gymnasium.core import ActionWrapper, Env, ObservationWrapper, RewardWrapper, Wrapper
from gymnasium.envs.registration import made_of_registered, register, register_envs, registry
from gymnasium.known_environments import environment, one_of

from arraytyping import facts


class Known(Env):
    def __init__(self, observed, acted):
        self.observation_space, self.action_space = observed, acted
        self.a_reward = facts.unknown("a reward")

    def reset(self, **options):
        return one_of(self.observation_space), facts.unknown("what an environment says besides")

    def step(self, action):
        rest = self.a_reward, facts.boolean(), facts.boolean(), facts.unknown("what it says besides")
        return one_of(self.observation_space), *rest

    def close(self):
        return None


def make(id, **options):
    registered = made_of_registered(id, options)
    return environment(Known, id, options) if registered is None else registered


def make_vec(id, num_envs=1, vectorization_mode=None, vector_kwargs=None, wrappers=None, **options):
    wrapped = wrappers or ()

    def one():
        env = make(id, **options)
        for wrapper in wrapped:
            env = wrapper(env)
        return env

    found = vector.SyncVectorEnv([one] * num_envs, **(vector_kwargs or {}))
    if vectorization_mode not in ("sync", "async"):
        found._reward_dtype = None  # an environment may have a class for several of it
    return found


def __getattr__(name):
    return facts.unknown("gymnasium." + name)
