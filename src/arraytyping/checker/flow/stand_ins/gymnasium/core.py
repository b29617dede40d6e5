"""`gymnasium.core`: an environment, and what is put around one.

Source: https://gymnasium.farama.org/api/wrappers/.
"""


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
