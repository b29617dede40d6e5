"""`gym.envs.registration`: the program's own environments; what `make` gives of them depends on the release."""

from gymnasium.envs.registration import register, registry

from arraytyping import facts


def __getattr__(name):
    return facts.unknown("gym.envs.registration." + name)
