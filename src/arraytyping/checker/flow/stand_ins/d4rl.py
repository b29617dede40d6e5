"""`d4rl`: its environments by their spaces, and what it makes of their datasets.

Source: https://github.com/Farama-Foundation/D4RL/blob/master/d4rl/__init__.py.
"""

from arraytyping import facts


def qlearning_dataset(env, dataset=None, terminate_on_end=False, **options):
    rows = facts.size("n")
    own = env.unwrapped if dataset is None else None
    seen = getattr(own, "observation_space", None)
    done = getattr(own, "action_space", None)
    return {
        "observations": _rows(rows, getattr(seen, "shape", None)),
        "actions": _rows(rows, getattr(done, "shape", None)),
        "next_observations": _rows(rows, getattr(seen, "shape", None)),
        "rewards": facts.numpy_array("float32", (rows,)),
        "terminals": facts.numpy_array("bool", (rows,)),
    }


def _rows(rows, shape):
    """Float32 whatever the file has; the environment says that the axes of a row are those of its space."""
    return facts.numpy_array("float32", (rows, *shape) if isinstance(shape, tuple) else None)


def get_normalized_score(env_name, score):
    return facts.unknown("a score")


def __getattr__(name):
    return facts.unknown("d4rl." + name)
