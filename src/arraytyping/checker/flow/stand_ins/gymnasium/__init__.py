"""`gymnasium`: environments by the spaces that their pages say, and the program's own.

Source: https://gymnasium.farama.org/api/env/.
"""

from gymnasium import spaces, vector, wrappers
from gymnasium.known_environments import environment, one_of

from arraytyping import facts


class Env:
    @property
    def unwrapped(self):
        return self


class Wrapper(Env):
    def __init__(self, env, *args, **options):
        self.env = env
        self.observation_space = env.observation_space
        self.action_space = env.action_space

    @property
    def unwrapped(self):
        return self.env.unwrapped

    def reset(self, **options):
        return self.env.reset(**options)

    def step(self, action):
        return self.env.step(action)

    def render(self, *how, **options):
        return self.env.render(*how, **options)

    def close(self):
        return self.env.close()


class ObservationWrapper(Wrapper):
    def reset(self, **options):
        found = self.env.reset(**options)
        if isinstance(found, tuple):
            return self.observation(found[0]), *found[1:]
        return self.observation(found)

    def step(self, action):
        observation, *rest = self.env.step(action)
        return self.observation(observation), *rest


class ActionWrapper(Wrapper):
    def step(self, action):
        return self.env.step(self.action(action))


class RewardWrapper(Wrapper):
    def step(self, action):
        observation, reward, *rest = self.env.step(action)
        return observation, self.reward(reward), *rest


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
    return environment(Known, id, options)


def __getattr__(name):
    return facts.unknown("gymnasium." + name)
