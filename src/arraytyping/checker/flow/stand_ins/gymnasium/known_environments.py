"""The spaces of the environments that come with gymnasium, as its pages say them.

Source: https://gymnasium.farama.org/environments/classic_control/ and its neighbours.
"""

from gymnasium.spaces import Box, Discrete
from unknown_keys import OfUnknownKeys

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
}
_OF_MUJOCO = {
    "HalfCheetah": (6, {2: 17, 3: 17, 4: 17, 5: 17}),
    "Hopper": (3, {2: 11, 3: 11, 4: 11, 5: 11}),
    "Walker2d": (6, {2: 17, 3: 17, 4: 17, 5: 17}),
    "Swimmer": (2, {2: 8, 3: 8, 4: 8, 5: 8}),
    "Ant": (8, {2: 111, 3: 111, 4: 27, 5: 105}),
    "Humanoid": (17, {2: 376, 3: 376, 4: 376, 5: 348}),
    "Reacher": (2, {2: 11, 4: 11, 5: 10}),
    "Pusher": (7, {2: 23, 4: 23, 5: 23}),
    "InvertedPendulum": (1, {2: 4, 4: 4, 5: 4}),
    "InvertedDoublePendulum": (1, {2: 11, 4: 11, 5: 9}),
}
"""By the name, how many controls there are, and how many numbers are observed in each version."""
_CHOICES = {
    "CartPole-v0": 2, "CartPole-v1": 2, "MountainCar-v0": 3, "Acrobot-v1": 3, "LunarLander-v2": 4, "LunarLander-v3": 4,
}  # fmt: skip
_CONTROLS = {
    "MountainCarContinuous-v0": 1, "Pendulum-v1": 1, "LunarLanderContinuous-v2": 2, "LunarLanderContinuous-v3": 2,
    "BipedalWalker-v3": 4, "CarRacing-v2": 3, "CarRacing-v3": 3,
}  # fmt: skip
_TABLES = {"FrozenLake-v1": (16, 4), "FrozenLake8x8-v1": (64, 4), "Taxi-v3": (500, 6), "CliffWalking-v0": (48, 4)}
_OFFLINE = {"halfcheetah": "HalfCheetah-v2", "hopper": "Hopper-v2", "walker2d": "Walker2d-v2", "ant": "Ant-v2"}
_DATASETS = ("random", "medium", "expert", "medium-expert", "medium-replay", "full-replay")
"""The environments of MuJoCo with a dataset that d4rl registers, as `hopper-medium-replay-v2`."""
_OFFLINE_VECTORS = {
    "antmaze": (29, 8), "maze2d": (4, 2), "kitchen": (60, 9),
    "pen": (45, 24), "hammer": (46, 26), "door": (39, 28), "relocate": (39, 30),
}  # fmt: skip
"""Of d4rl's others, how many numbers are observed, and how many controls there are."""
_REWARDED_BY_FLOATS = (
    "CartPole", "MountainCar", "MountainCarContinuous", "Pendulum", "Acrobot",
    "HalfCheetah", "Hopper", "Walker2d", "Swimmer", "Ant", "Humanoid", "Reacher", "Pusher",
)  # fmt: skip
"""Environments whose rewards are never ints, of Python's floats or NumPy's."""
_OPTIONS = ("render_mode", "max_episode_steps", "disable_env_checker")


def spaces_of(name, options):
    """The spaces of observations and actions of an environment; None if an option may change them."""
    if not isinstance(name, str) or [key for key in options if key not in _OPTIONS]:
        return None
    if name in _TABLES:
        states, actions = _TABLES[name]
        return Discrete(states), Discrete(actions)
    kind, version = name.rsplit("-v", 1) if "-v" in name else (name, "")
    if kind in _OF_MUJOCO and version.isdigit() and int(version) in _OF_MUJOCO[kind][1]:
        controls, observed = _OF_MUJOCO[kind]
        seen = Box(facts.number(), facts.number(), (observed[int(version)],), "float64")
        return seen, Box(-1.0, 1.0, (controls,))
    if name not in _OBSERVED:
        return None
    shape, dtype = _OBSERVED[name]
    actions = Discrete(_CHOICES[name]) if name in _CHOICES else Box(-1.0, 1.0, (_CONTROLS[name],))
    return Box(facts.number(), facts.number(), shape, dtype), actions


class _Vector(Box):
    """So many numbers, of a dtype that is not said."""

    def __init__(self, size):
        super().__init__(facts.number(), facts.number(), (size,))
        self.dtype = facts.unknown("the dtype of what an environment of d4rl observes")
        self.low = self.high = facts.numpy_array(None, self.shape)

    def sample(self, *args, **options):
        return facts.numpy_array(None, self.shape)


def offline_spaces_of(name, options):
    """The spaces of an environment that d4rl registers with its dataset; None if it is none."""
    if not isinstance(name, str) or "-v" not in name or options:
        return None
    kind, _, dataset = name.rsplit("-v", 1)[0].partition("-")
    if kind in _OFFLINE and dataset in _DATASETS:
        return spaces_of(_OFFLINE[kind], {})
    if kind in _OFFLINE_VECTORS and dataset:
        observed, controls = _OFFLINE_VECTORS[kind]
        return _Vector(observed), Box(-1.0, 1.0, (controls,))
    return None


class _Dataset(OfUnknownKeys):
    """What d4rl has stored of an environment: float32 for those of MuJoCo and for mazes of the ant.

    The shapes are those that d4rl holds the file against.  There is more in some of them.
    """

    def __init__(self, name, observed, acted):
        rows = facts.size("n")
        dtype = "float32" if name.partition("-")[0] in (*_OFFLINE, "antmaze") else None
        self._known = {
            "observations": facts.numpy_array(dtype, (rows, *observed.shape)),
            "actions": facts.numpy_array(dtype, (rows, *acted.shape)),
            "rewards": facts.numpy_array(dtype, (rows,)),
            "terminals": facts.numpy_array("bool" if dtype is not None else None, (rows,)),
        }
        self._changed = {}

    def __getitem__(self, key):
        if key in self._changed:
            return self._changed[key]
        if key in self._known:
            return self._known[key]
        return facts.numpy_array(None, None)

    def __setitem__(self, key, value):
        self._changed[key] = value

    def get(self, key, default=None):
        return self[key] if key in self._known or key in self._changed else facts.unknown("a part of a data set of d4rl")

    def __contains__(self, key):
        return True if key in self._known or key in self._changed else facts.boolean()

    def an_item(self):
        return facts.unknown("a part of a data set of d4rl")


def environment(made, name, options):
    """The environment of this name, made of its spaces; unknown if they are not listed."""
    known = spaces_of(name, options)
    offline = offline_spaces_of(name, options) if known is None else None
    if known is None and offline is None:
        return facts.unknown("an environment whose spaces are not listed")
    observed, acted = offline if known is None else known
    env = made(observed, acted)
    if known is not None and name.partition("-")[0] in _REWARDED_BY_FLOATS:
        env.a_reward = facts.number(may_be_numpy=True)
    if offline is not None:
        env.get_dataset = lambda h5path=None: _Dataset(name, observed, acted)
    return env


def one_of(space):
    """An observation of a space, as an environment gives it."""
    return space.sample() if isinstance(space, Box) else facts.unknown("a state")
