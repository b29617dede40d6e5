"""`gym.spaces`: those of gymnasium.

Source: https://gymnasium.farama.org/api/spaces/.
"""

from gymnasium.spaces import *
