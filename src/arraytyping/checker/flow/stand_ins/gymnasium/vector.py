"""`gymnasium.vector`: as many environments at once.

Source: https://gymnasium.farama.org/api/vector/.
"""

from gymnasium.spaces import Box

from arraytyping import facts


class VectorEnv:
    pass


class SyncVectorEnv(VectorEnv):
    def __init__(self, env_fns, **options):
        env = env_fns[0]()
        self.num_envs = len(env_fns)
        self.single_observation_space = env.observation_space
        self.single_action_space = env.action_space
        self._is_plain = not options

    def _observed(self):
        space = self.single_observation_space
        if isinstance(space, Box) and self._is_plain:
            return facts.numpy_array(space.dtype, (self.num_envs, *space.shape))
        return facts.unknown("the observations of environments")

    def reset(self, **options):
        return self._observed(), facts.unknown("what an environment says besides")

    def step(self, actions):
        flags = facts.numpy_array("bool", (self.num_envs,))
        rewards = facts.numpy_array("float64", (self.num_envs,))
        return self._observed(), rewards, flags, flags, facts.unknown("what an environment says besides")

    def close(self, **options):
        return None


class AsyncVectorEnv(SyncVectorEnv):
    pass


def __getattr__(name):
    return facts.unknown("gymnasium.vector." + name)
