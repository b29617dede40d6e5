"""`jaxline.platform`: the program is followed as it trains.

Source: https://github.com/google-deepmind/jaxline/blob/main/jaxline/platform.py.
"""

import jax
from absl import flags
from ml_collections import config_flags

from arraytyping import facts

_CONFIG = config_flags.DEFINE_config_file("config")
_MODE = flags.DEFINE_string("jaxline_mode", "train", "")


class _State:
    pass


def create_checkpointer(config, mode):
    return facts.unknown("a checkpointer of jaxline")


def main(experiment_class, argv, checkpointer_factory=create_checkpointer):
    config = _CONFIG.value
    key = jax.random.PRNGKey(config.random_seed)
    if _MODE.value != "train":
        facts.call_with_anything(experiment_class)
        return
    init_key, step_key = (key, key) if config.legacy_random_seed_behavior else jax.random.split(key)
    experiment = experiment_class("train", init_rng=init_key, **config.experiment_kwargs)
    state = _State()
    state.global_step = 0
    state.experiment_module = experiment
    state.train_step_rng = experiment.initialize_train_step_rng(step_key)
    experiment.train_loop(config, state, (), facts.unknown("a writer of jaxline"))
