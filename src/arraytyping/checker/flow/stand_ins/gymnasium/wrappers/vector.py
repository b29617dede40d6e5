"""`gymnasium.wrappers.vector`: those that leave the observations of several environments as they are.

Source: https://gymnasium.farama.org/api/vector/wrappers/.
"""

from gymnasium.vector import VectorWrapper

from arraytyping import facts


class RecordEpisodeStatistics(VectorWrapper):
    pass


class RecordVideo(VectorWrapper):
    pass


class HumanRendering(VectorWrapper):
    pass


class DictInfoToList(VectorWrapper):
    pass


class ClipAction(VectorWrapper):
    pass


class RescaleAction(VectorWrapper):
    def __init__(self, env, min_action, max_action):
        super().__init__(env)


def __getattr__(name):
    return facts.unknown("gymnasium.wrappers.vector." + name)
