"""`jaxline.platform`: the program is followed as it trains, and as it evaluates what it trained.

Source: https://github.com/google-deepmind/jaxline/blob/main/jaxline/platform.py.
"""

import inspect

import jax
import jax.numpy as jnp
from absl import flags
from jaxline import utils
from ml_collections import config_flags

from arraytyping import facts

_CONFIG = config_flags.DEFINE_config_file("config")
_MODE = flags.DEFINE_string("jaxline_mode", "train", "")


class _State:
    pass


class _Writer:
    """Which writes what it is given, and gives nothing."""

    def write_scalars(self, global_step, scalars):
        pass

    def write_images(self, global_step, images):
        pass

    def __getattr__(self, name):
        return facts.reads_only("a writer of jaxline")


def create_writer(config, mode):
    return _Writer()


def create_checkpointer(config, mode):
    return facts.unknown("a checkpointer of jaxline")


def _made(experiment_class, mode, key, config):
    if "init_rng" in inspect.signature(experiment_class).parameters:
        return experiment_class(mode, init_rng=key, **config.experiment_kwargs)
    return experiment_class(mode, **config.experiment_kwargs)


def _trained(experiment_class, config):
    key = jax.random.PRNGKey(config.random_seed)
    step_key, init_key = (key, key) if config.legacy_random_seed_behavior else jax.random.split(key)
    experiment = _made(experiment_class, "train", init_key, config)
    state = _State()
    state.global_step = 0
    state.experiment_module = experiment
    state.train_step_rng = experiment.initialize_train_step_rng(step_key)
    experiment.train_loop(config, state, (), _Writer())
    return experiment


def _evaluated(experiment_class, mode, config, trained):
    """What is kept of the experiment that was trained is restored into one that evaluates."""
    key = jax.random.PRNGKey(config.random_seed)
    experiment = _made(experiment_class, mode, key, config)
    experiment.restore_from_snapshot(trained.snapshot_state())
    keys = jnp.broadcast_to(key, (jax.local_device_count(), *key.shape))
    step = utils.bcast_local_devices(jnp.asarray(facts.integer()))
    experiment.evaluate(global_step=step, rng=keys, writer=_Writer())


def main(experiment_class, argv, checkpointer_factory=create_checkpointer):
    """A process trains by default; that which evaluates what is trained is another one, with the same configuration."""
    config, mode = _CONFIG.value, _MODE.value
    trained = _trained(experiment_class, config)
    _evaluated(experiment_class, mode if mode.startswith("eval") else "eval", config, trained)
