"""Samples of NumPyro's MCMC: those of each site that is continuous and not observed, and of what is deterministic.

A sampler without a model is given the first parameters, each of which a sample is like.
Source: https://num.pyro.ai/en/stable/mcmc.html.
"""

import jax
import jax.numpy as jnp
from numpyro import handlers

from arraytyping import facts


class MCMCKernel:
    @property
    def model(self):
        return self._model


class MCMC:
    def __init__(
        self, sampler, *, num_warmup, num_samples, num_chains=1, thinning=1, postprocess_fn=None,
        chain_method="parallel", progress_bar=True, progress_rate=None, jit_model_args=False,
    ):
        self.sampler = sampler
        self.num_warmup = num_warmup
        self.num_samples = num_samples
        self.num_chains = num_chains
        self.thinning = thinning
        self._postprocess = postprocess_fn

    def run(self, rng_key, *args, extra_fields=(), init_params=None, **kwargs):
        model = self.sampler._model
        if model is None:
            last = init_params if self.num_chains == 1 else jax.tree.map(lambda x: x[0], init_params)
            self._one = jax.tree.map(jnp.asarray, last)
            if self._postprocess is not None:
                self._one = self._postprocess(self._one)
            return
        key = rng_key if self.num_chains == 1 or rng_key.ndim == 1 else rng_key[0]
        trace = handlers.trace(handlers.seed(model, key)).get_trace(*args, **kwargs)
        self._one = {name: site["value"] for name, site in trace.items() if _is_kept(site)}

    def warmup(self, rng_key, *args, extra_fields=(), collect_warmup=False, init_params=None, **kwargs):
        self.run(rng_key, *args, init_params=init_params, **kwargs)

    def get_samples(self, group_by_chain=False):
        count = self.num_samples // self.thinning
        sizes = (self.num_chains, count) if group_by_chain else (self.num_chains * count,)
        return jax.tree.map(lambda one: jnp.zeros((*sizes, *one.shape), one.dtype), self._one)

    def get_extra_fields(self, group_by_chain=False):
        return facts.unknown("what a sampler says of its steps")

    def print_summary(self, prob=0.9, exclude_deterministic=True):
        pass

    def __getattr__(self, name):
        return facts.unknown("what a sampler keeps")


def _is_kept(site):
    if site["type"] == "deterministic":
        return True
    is_drawn = site["type"] == "sample" and not site["is_observed"]
    return is_drawn and jnp.issubdtype(site["value"].dtype, jnp.floating)
