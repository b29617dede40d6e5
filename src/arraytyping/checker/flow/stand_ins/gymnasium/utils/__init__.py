"""`gymnasium.utils`.

Source: https://gymnasium.farama.org/api/utils/.
"""

from arraytyping import facts


def __getattr__(name):
    return facts.unknown("gymnasium.utils." + name)
