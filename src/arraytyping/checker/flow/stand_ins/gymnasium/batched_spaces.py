"""Spaces of several environments, and what is observed of a space.

Source: https://gymnasium.farama.org/api/vector/utils/.
"""

from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Tuple

from arraytyping import facts


def box_of(shape, dtype):
    """A box of which nobody knows the bounds."""
    return Box(facts.number(), facts.number(), shape, dtype)


def batch_space(space, n=1):
    if isinstance(space, Box):
        return box_of((n, *space.shape), space.dtype)
    if isinstance(space, Discrete):
        return MultiDiscrete([space.n] * n)
    if isinstance(space, MultiDiscrete):
        return box_of((n, *space.shape), "int64")
    if isinstance(space, MultiBinary):
        return Box(0, 1, (n, *space.shape), "int8")
    if isinstance(space, Dict):
        return Dict({key: batch_space(one, n) for key, one in space.spaces.items()})
    if isinstance(space, Tuple):
        return Tuple([batch_space(one, n) for one in space.spaces])
    return facts.unknown("the space of several environments")


def observed(space):
    """What is seen of a space, in the arrays that gymnasium makes for several observations."""
    if isinstance(space, (Box, MultiDiscrete)):
        return facts.numpy_array(space.dtype, space.shape)
    if isinstance(space, Dict):
        return {key: observed(one) for key, one in space.spaces.items()}
    if isinstance(space, Tuple):
        return tuple([observed(one) for one in space.spaces])
    return facts.unknown("the observations of environments")
