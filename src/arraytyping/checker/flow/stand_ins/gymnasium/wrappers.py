"""`gymnasium.wrappers`: those that leave observations and actions as they are.

Source: https://gymnasium.farama.org/api/wrappers/table/.
"""

from gymnasium import Wrapper

from arraytyping import facts


class RecordEpisodeStatistics(Wrapper):
    pass


class RecordVideo(Wrapper):
    pass


class TimeLimit(Wrapper):
    pass


class OrderEnforcing(Wrapper):
    pass


class NormalizeReward(Wrapper):
    pass


class TransformReward(Wrapper):
    pass


def __getattr__(name):
    return facts.unknown("gymnasium.wrappers." + name)
