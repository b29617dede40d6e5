"""Schedulers of Flax: noise that is added to samples has the dtype of the scheduler and of both.

Held against diffusers 0.35.

Source: https://huggingface.co/docs/diffusers/v0.35.0/api/schedulers/ddpm.
"""

import flax.struct
import jax.numpy as jnp

from arraytyping import facts


class _Config:
    def __init__(self, num_train_timesteps, prediction_type):
        self.num_train_timesteps = num_train_timesteps
        self.prediction_type = prediction_type

    def __getitem__(self, name):
        return getattr(self, name)

    def __getattr__(self, name):
        return facts.reads_only("attribute " + name + " of the configuration of a scheduler")


@flax.struct.dataclass
class CommonSchedulerState:
    alphas: object
    betas: object
    alphas_cumprod: object


@flax.struct.dataclass
class DDPMSchedulerState:
    common: CommonSchedulerState
    init_noise_sigma: object
    timesteps: object
    num_inference_steps: object = None


class _Scheduler:
    has_state = True

    def __init__(self, num_train_timesteps=1000, *args, prediction_type="epsilon", dtype=jnp.float32, **options):
        self.dtype = None if args else dtype
        self.config = _Config(num_train_timesteps, facts.text() if args else prediction_type)

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path=None, *args, dtype=jnp.float32, **options):
        made = cls(facts.size("num_train_timesteps", 1), prediction_type=facts.text(), dtype=dtype)
        return made, made.create_state()

    def create_state(self, common=None):
        return facts.reads_only("the state of a scheduler")

    def add_noise(self, state, original_samples, noise, timesteps):
        factor = facts.array(self.dtype, ())
        return factor * original_samples + factor * noise

    def get_velocity(self, state, sample, noise, timesteps):
        factor = facts.array(self.dtype, ())
        return factor * noise - factor * sample

    def scale_model_input(self, state, sample, timestep=None):
        return sample

    def __getattr__(self, name):
        return facts.reads_only("attribute " + name + " of a scheduler")


class FlaxDDIMScheduler(_Scheduler):
    pass


class FlaxDDPMScheduler(_Scheduler):
    def create_state(self, common=None):
        number = self.config.num_train_timesteps
        if common is None:
            each = [facts.array(self.dtype, (number,)) for _ in range(3)]
            common = CommonSchedulerState(*each)
        return DDPMSchedulerState(common, facts.array(self.dtype, ()), jnp.arange(0, number).round()[::-1])


class FlaxDPMSolverMultistepScheduler(_Scheduler):
    pass


class FlaxPNDMScheduler(_Scheduler):
    pass


def __getattr__(name):
    return facts.unknown("diffusers.flax_schedulers." + name)
