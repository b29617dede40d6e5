"""`gymnasium.envs.registration`: the program's own environments, by the names that it gives them.

Source: https://gymnasium.farama.org/api/registry/.
"""

import importlib

from arraytyping import facts
from gymnasium.core import Wrapper

_REGISTERED = {}
registry = facts.unknown("the environments that are registered")
_OF_MAKE = ("max_episode_steps", "disable_env_checker")


def register(id, entry_point=None, *args, kwargs=None, **options):
    if isinstance(id, str):
        _REGISTERED[id] = entry_point, {} if kwargs is None else kwargs


def register_envs(env_module):
    return None


class _Registered(Wrapper):
    """An environment as `make` gives it: within what counts its steps and looks at what it is given."""

    def __init__(self, env):
        self.env = env

    @property
    def observation_space(self):
        return self.env.observation_space

    @property
    def action_space(self):
        return self.env.action_space

    def __getattr__(self, name):
        if facts.boolean():  # releases before 1.0 look into the environment
            raise AttributeError(name)
        return getattr(self.env, name)

    def step(self, action):
        found = self.env.step(action)
        if not isinstance(found, tuple) or len(found) != 5:
            return facts.unknown("what a step of an environment gives")
        seen, reward, is_over, is_late, says = found
        late = facts.boolean() if isinstance(is_late, bool) else facts.unknown("whether the steps are used up")
        return seen, reward, is_over, late, says


def made_of_registered(name, options):
    """The environment that the program has registered by this name; None if it has not."""
    if not isinstance(name, str):
        return None
    module, _, name = name.rpartition(":")
    if module:
        importlib.import_module(module)
    entry_point, fixed = _REGISTERED.get(name, (None, {}))
    if isinstance(entry_point, str):
        module, _, attribute = entry_point.partition(":")
        if module.split(".")[0] in ("gymnasium", "gym"):
            return None
        try:
            entry_point = getattr(importlib.import_module(module), attribute)
        except (ImportError, AttributeError):
            return facts.unknown("an environment that is not found")
    if entry_point is None:
        return None
    given = {key: option for key, option in options.items() if key not in _OF_MAKE}
    return _Registered(entry_point(**{**fixed, **given}))


def __getattr__(name):
    return facts.unknown("gymnasium.envs.registration." + name)
