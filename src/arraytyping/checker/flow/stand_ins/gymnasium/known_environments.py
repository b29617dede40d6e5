"""The spaces of the environments that come with gymnasium, as its pages say them.

Source: https://gymnasium.farama.org/environments/classic_control/ and its neighbours.
"""

from gymnasium.spaces import Box, Discrete

from arraytyping import facts

_OBSERVED = {
    "CartPole-v0": ((4,), "float32"),
    "CartPole-v1": ((4,), "float32"),
    "MountainCar-v0": ((2,), "float32"),
    "MountainCarContinuous-v0": ((2,), "float32"),
    "Pendulum-v1": ((3,), "float32"),
    "Acrobot-v1": ((6,), "float32"),
    "LunarLander-v2": ((8,), "float32"),
    "LunarLander-v3": ((8,), "float32"),
    "LunarLanderContinuous-v2": ((8,), "float32"),
    "LunarLanderContinuous-v3": ((8,), "float32"),
    "BipedalWalker-v3": ((24,), "float32"),
    "CarRacing-v2": ((96, 96, 3), "uint8"),
    "CarRacing-v3": ((96, 96, 3), "uint8"),
    "HalfCheetah-v4": ((17,), "float64"),
    "HalfCheetah-v5": ((17,), "float64"),
    "Hopper-v4": ((11,), "float64"),
    "Hopper-v5": ((11,), "float64"),
    "Walker2d-v4": ((17,), "float64"),
    "Walker2d-v5": ((17,), "float64"),
    "Ant-v4": ((27,), "float64"),
    "Ant-v5": ((105,), "float64"),
    "Swimmer-v4": ((8,), "float64"),
    "Swimmer-v5": ((8,), "float64"),
    "InvertedPendulum-v4": ((4,), "float64"),
    "InvertedPendulum-v5": ((4,), "float64"),
}
_CHOICES = {
    "CartPole-v0": 2, "CartPole-v1": 2, "MountainCar-v0": 3, "Acrobot-v1": 3, "LunarLander-v2": 4, "LunarLander-v3": 4,
}  # fmt: skip
_CONTROLS = {
    "MountainCarContinuous-v0": 1, "Pendulum-v1": 1, "LunarLanderContinuous-v2": 2, "LunarLanderContinuous-v3": 2,
    "BipedalWalker-v3": 4, "CarRacing-v2": 3, "CarRacing-v3": 3, "HalfCheetah-v4": 6, "HalfCheetah-v5": 6,
    "Hopper-v4": 3, "Hopper-v5": 3, "Walker2d-v4": 6, "Walker2d-v5": 6, "Ant-v4": 8, "Ant-v5": 8, "Swimmer-v4": 2,
    "Swimmer-v5": 2, "InvertedPendulum-v4": 1, "InvertedPendulum-v5": 1,
}  # fmt: skip
_TABLES = {"FrozenLake-v1": (16, 4), "FrozenLake8x8-v1": (64, 4), "Taxi-v3": (500, 6), "CliffWalking-v0": (48, 4)}
_OPTIONS = ("render_mode", "max_episode_steps", "disable_env_checker")


def spaces_of(name, options):
    """The spaces of observations and actions of an environment; None if an option may change them."""
    if not isinstance(name, str) or [key for key in options if key not in _OPTIONS]:
        return None
    if name in _TABLES:
        states, actions = _TABLES[name]
        return Discrete(states), Discrete(actions)
    if name not in _OBSERVED:
        return None
    shape, dtype = _OBSERVED[name]
    actions = Discrete(_CHOICES[name]) if name in _CHOICES else Box(-1.0, 1.0, (_CONTROLS[name],))
    return Box(facts.number(), facts.number(), shape, dtype), actions


def one_of(space):
    """An observation of a space, as an environment gives it."""
    return facts.numpy_array(space.dtype, space.shape) if isinstance(space, Box) else facts.unknown("a state")
