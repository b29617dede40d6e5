"""`gymnasium.vector`: as many environments at once.

Source: https://gymnasium.farama.org/api/vector/.
"""

from gymnasium.batched_spaces import batch_space, observed

from arraytyping import facts

_SAYS = "what an environment says besides"


class VectorEnv:
    pass


class SyncVectorEnv(VectorEnv):
    def __init__(self, env_fns, **options):
        env = env_fns[0]()
        self.num_envs = len(env_fns)
        self.single_observation_space = env.observation_space
        self.single_action_space = env.action_space
        self.action_space = batch_space(env.action_space, self.num_envs)
        is_known = "observation_mode" not in options and "dummy_env_fn" not in options
        self.observation_space = (
            batch_space(env.observation_space, self.num_envs) if is_known else facts.unknown("the space of environments")
        )
        self._reward_dtype = "float64"

    def reset(self, **options):
        return observed(self.observation_space), facts.unknown(_SAYS)

    def step(self, actions):
        flags = facts.numpy_array("bool", (self.num_envs,))
        rewards = facts.numpy_array(self._reward_dtype, (self.num_envs,))
        return observed(self.observation_space), rewards, flags, flags, facts.unknown(_SAYS)

    def call(self, name, *args, **kwargs):
        return facts.unknown("what environments give")

    @property
    def unwrapped(self):
        return self

    def close(self, **options):
        return None


class AsyncVectorEnv(SyncVectorEnv):
    pass


class VectorWrapper(VectorEnv):
    def __init__(self, env):
        self.env = env
        self.num_envs = env.num_envs
        self.single_observation_space, self.observation_space = env.single_observation_space, env.observation_space
        self.single_action_space, self.action_space = env.single_action_space, env.action_space

    @property
    def unwrapped(self):
        return self.env.unwrapped

    def reset(self, **options):
        return self.env.reset(**options)

    def step(self, actions):
        return self.env.step(actions)

    def close(self, **options):
        return self.env.close(**options)


def __getattr__(name):
    return facts.unknown("gymnasium.vector." + name)
