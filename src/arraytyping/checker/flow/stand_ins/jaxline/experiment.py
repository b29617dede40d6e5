"""`jaxline.experiment`: the class that experiments derive from.

Source: https://github.com/google-deepmind/jaxline/blob/main/jaxline/experiment.py.
"""

import abc

import jax
import jax.numpy as jnp
import numpy as np
from jaxline import utils

from arraytyping import facts


class AbstractExperiment(abc.ABC):
    CHECKPOINT_ATTRS = {}
    NON_BROADCAST_CHECKPOINT_ATTRS = {}

    def __init__(self, mode, init_rng=None):
        pass

    def initialize_train_step_rng(self, rng):
        return utils.bcast_local_devices(rng)

    @abc.abstractmethod
    def step(self, *, global_step, rng, writer):
        pass

    @abc.abstractmethod
    def evaluate(self, *, global_step, rng, writer):
        pass

    def should_run_step(self, global_step, config):
        return global_step < config.training_steps

    def train_loop(self, config, state, periodic_actions, writer=None):
        keys = state.train_step_rng
        while facts.boolean():
            steps = np.broadcast_to(facts.integer(), [jax.local_device_count()])
            keys = jax.vmap(lambda key: jax.random.split(key)[0])(keys)
            self.step(global_step=jnp.asarray(steps), rng=keys, writer=writer)

    def snapshot_state(self):
        kept = {stored: utils.get_first(getattr(self, name)) for name, stored in self.CHECKPOINT_ATTRS.items()}
        kept.update({stored: getattr(self, name) for name, stored in self.NON_BROADCAST_CHECKPOINT_ATTRS.items()})
        return kept

    def restore_from_snapshot(self, snapshot_state):
        for name, stored in self.CHECKPOINT_ATTRS.items():
            setattr(self, name, utils.bcast_local_devices(snapshot_state[stored]))
        for name, stored in self.NON_BROADCAST_CHECKPOINT_ATTRS.items():
            setattr(self, name, snapshot_state[stored])

    def on_new_best_model(self, best_state):
        return None
