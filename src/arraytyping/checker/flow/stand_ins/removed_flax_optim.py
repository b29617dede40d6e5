"""`flax.optim`, which flax had until its release 0.6: what it gave of the types of parameters and states.

Source: https://flax-linen.readthedocs.io/en/latest/guides/converting_and_upgrading/optax_update_guide.html.
"""

# ruff: noqa: F401 (what moved to `flax.training` is here by its old name)

from typing import Any

import jax
import jax.numpy as jnp
from flax import struct
from flax.training import dynamic_scale
from flax.training.dynamic_scale import DynamicScale, DynamicScaleResult

from arraytyping import facts


@struct.dataclass
class OptimizerState:
    step: Any
    param_states: Any


@struct.dataclass
class Optimizer:
    optimizer_def: Any = struct.field(pytree_node=False)
    state: Any = None
    target: Any = None

    def apply_gradient(self, grads, **hyper_param_overrides):
        rate = hyper_param_overrides.get("learning_rate", self.optimizer_def.learning_rate)
        made = jax.tree.map(lambda leaf, grad: leaf - rate * grad, self.target, grads)
        return Optimizer(self.optimizer_def, self.optimizer_def.next_state(self.state, grads), made)

    def compute_gradient(self, loss_fn, *args, **kwargs):
        return jax.value_and_grad(loss_fn)(self.target, *args, **kwargs)


class OptimizerDef:
    moments = None

    def __init__(self, learning_rate=None, *args, **hyper_params):
        self.learning_rate = learning_rate

    def init_state(self, params):
        return OptimizerState(jnp.asarray(0, dtype=jnp.int32), self.states_of(params))

    def next_state(self, state, grads):
        if self.moments is None:
            return OptimizerState(state.step + 1, facts.unknown("the state of an optimizer"))
        made = jax.tree.map(lambda grad, held: tuple([leaf + grad for leaf in held]), grads, state.param_states)
        return OptimizerState(state.step + 1, made)

    def states_of(self, params):
        if self.moments is None:
            return facts.unknown("the state of an optimizer")
        return jax.tree.map(lambda leaf: tuple(jnp.zeros_like(leaf) for _ in range(self.moments)), params)

    def create(self, target, focus=None):
        if focus is not None:
            return facts.unknown("an optimizer of a part of the parameters")
        return Optimizer(self, self.init_state(target), target)


class GradientDescent(OptimizerDef):
    moments = 0


class Momentum(OptimizerDef):
    moments = 1


class Adam(OptimizerDef):
    moments = 2


class AdaBelief(OptimizerDef):
    moments = 2


class LAMB(OptimizerDef):
    moments = 2


class Adafactor(OptimizerDef):
    pass


class Adagrad(OptimizerDef):
    moments = 1


class LARS(OptimizerDef):
    moments = 1


class RMSProp(OptimizerDef):
    pass


class ModelParamTraversal:
    """The parameters of which a function says that they are meant."""

    def __init__(self, filter_fn):
        facts.call_with_anything(filter_fn)

    def __getattr__(self, name):
        return facts.reads_only("some of the parameters")


class MultiOptimizer(OptimizerDef):
    """Several, each of a part of the parameters."""

    def __init__(self, *traversals_and_optimizers):
        super().__init__(facts.unknown("the rate of one of several optimizers"))

    def init_state(self, params):
        return facts.unknown("the states of several optimizers")

    def next_state(self, state, grads):
        return facts.unknown("the states of several optimizers")
