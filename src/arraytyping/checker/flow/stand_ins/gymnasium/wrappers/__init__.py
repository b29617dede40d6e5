"""`gymnasium.wrappers`: what they make of the spaces, observations and rewards of an environment.

Source: https://gymnasium.farama.org/api/wrappers/table/.
"""

import numpy as np
from gymnasium import Wrapper
from gymnasium.batched_spaces import batch_space, box_of, observed
from gymnasium.spaces import Box, Discrete
from gymnasium.wrappers import vector

from arraytyping import facts


class RecordEpisodeStatistics(Wrapper):
    pass


class RecordVideo(Wrapper):
    pass


class TimeLimit(Wrapper):
    pass


class OrderEnforcing(Wrapper):
    pass


class Autoreset(Wrapper):
    pass


class PassiveEnvChecker(Wrapper):
    pass


class HumanRendering(Wrapper):
    pass


class RenderCollection(Wrapper):
    pass


class StickyAction(Wrapper):
    pass


class RepeatAction(Wrapper):
    pass


class MaxAndSkipObservation(Wrapper):
    pass


class TransformReward(Wrapper):
    def __init__(self, env, func):
        super().__init__(env)
        self.func = func

    def step(self, action):
        observation, reward, *rest = self.env.step(action)
        return observation, self.func(reward), *rest


class NormalizeReward(TransformReward):
    def __init__(self, env, gamma=0.99, epsilon=1e-8):
        super().__init__(env, lambda reward: reward / np.float64(facts.number()))


class ClipReward(TransformReward):
    def __init__(self, env, min_reward=None, max_reward=None):
        super().__init__(env, lambda reward: np.clip(reward, min_reward, max_reward))


class TransformObservation(Wrapper):
    def __init__(self, env, func, observation_space=None):
        super().__init__(env)
        self.func = func
        if observation_space is not None:
            self.observation_space = observation_space

    def reset(self, **options):
        observation, info = self.env.reset(**options)
        return self.func(observation), info

    def step(self, action):
        observation, *rest = self.env.step(action)
        return self.func(observation), *rest


class _Observing(TransformObservation):
    """Observations that are what their new space says."""

    def __init__(self, env, space):
        super().__init__(env, lambda observation: observed(space), space)


def _unknown(name):
    return facts.unknown("the observations under gymnasium.wrappers." + name)


class NormalizeObservation(_Observing):
    def __init__(self, env, epsilon=1e-8):
        super().__init__(env, box_of(env.observation_space.shape, np.float32))


class DtypeObservation(_Observing):
    def __init__(self, env, dtype):
        is_box = isinstance(env.observation_space, Box)
        super().__init__(env, box_of(env.observation_space.shape, dtype) if is_box else _unknown("DtypeObservation"))


class FlattenObservation(_Observing):
    def __init__(self, env):
        space = env.observation_space
        if isinstance(space, Box):
            flat = box_of((int(np.prod(space.shape)),), space.dtype)
        elif isinstance(space, Discrete):
            flat = box_of((space.n,), np.int64)
        else:
            flat = _unknown("FlattenObservation")
        super().__init__(env, flat)


class ReshapeObservation(_Observing):
    def __init__(self, env, shape):
        super().__init__(env, box_of((shape,) if isinstance(shape, int) else shape, env.observation_space.dtype))


class FrameStackObservation(_Observing):
    def __init__(self, env, stack_size, *, padding_type="reset"):
        super().__init__(env, batch_space(env.observation_space, stack_size))


class GrayscaleObservation(_Observing):
    def __init__(self, env, keep_dim=False):
        height, width = env.observation_space.shape[:2]
        super().__init__(env, box_of((height, width, 1) if keep_dim else (height, width), np.uint8))


class ResizeObservation(_Observing):
    def __init__(self, env, shape):
        space = env.observation_space
        is_image = isinstance(space, Box) and space.dtype == np.uint8 and space.shape[2:] != (1,)
        super().__init__(
            env, box_of((*shape, *space.shape[2:]), np.uint8) if is_image else _unknown("ResizeObservation")
        )


class AtariPreprocessing(_Observing):
    def __init__(
        self, env, noop_max=30, frame_skip=4, screen_size=84, terminal_on_life_loss=False, grayscale_obs=True,
        grayscale_newaxis=False, scale_obs=False,
    ):  # fmt: skip
        height, width = (screen_size, screen_size) if isinstance(screen_size, int) else (screen_size[1], screen_size[0])
        last = (() if not grayscale_newaxis else (1,)) if grayscale_obs else (3,)
        super().__init__(env, box_of((height, width, *last), np.float32 if scale_obs else np.uint8))


class TransformAction(Wrapper):
    def __init__(self, env, func, action_space=None):
        super().__init__(env)
        self.func = func
        if action_space is not None:
            self.action_space = action_space

    def step(self, action):
        return self.env.step(self.func(action))


class ClipAction(Wrapper):
    pass


class RescaleAction(Wrapper):
    def __init__(self, env, min_action, max_action):
        super().__init__(env)


def __getattr__(name):
    return facts.unknown("gymnasium.wrappers." + name)
