"""NumPyro's guides that are made from a model: their parameters, and samples like those that the model draws.

What they draw has the shape of a sample of the model; which number it is means nothing.
Source: https://num.pyro.ai/en/stable/autoguide.html.
"""

import math

import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro import handlers
from numpyro.distributions import biject_to, constraints

from arraytyping import facts


class AutoGuide:
    def __init__(self, model, *, prefix="auto", init_loc_fn=None, create_plates=None, **options):
        self.model = model
        self.prefix = prefix
        self.init_loc_fn = init_loc_fn
        self.create_plates = create_plates
        self._options = options
        self.prototype_trace = None

    def _look_at_model(self, args, kwargs):
        if self.prototype_trace is None:
            traced = handlers.trace(handlers.seed(self.model, numpyro.prng_key()))
            self.prototype_trace = handlers.block(traced.get_trace)(*args, **kwargs)

    def _drawn(self):
        return {n: s for n, s in self.prototype_trace.items() if s["type"] == "sample" and not s["is_observed"]}

    def _draw(self):
        found = {}
        for name, site in self._drawn().items():
            found[name] = numpyro.sample(name, dist.Delta(site["value"], event_dim=site["fn"].event_dim))
        return found

    def _like_model(self, sizes):
        kept = [n for n, s in self.prototype_trace.items() if n in self._drawn() or s["type"] == "deterministic"]
        return self._like_sites(sorted(kept) if sizes else kept, sizes)  # several are mapped over, which sorts names

    def _like_sites(self, names, sizes):
        values = {name: self.prototype_trace[name]["value"] for name in names}
        return {name: jnp.zeros((*sizes, *jnp.shape(value)), value.dtype) for name, value in values.items()}

    def sample_posterior(self, rng_key, params, *args, sample_shape=(), **kwargs):
        jax.random.split(rng_key)
        return self._like_model(sample_shape)

    def median(self, params):
        return self._like_model(())

    def quantiles(self, params, quantiles):
        return self._like_model(jnp.shape(jnp.asarray(quantiles)))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return facts.unknown("what a guide keeps")


class AutoNormal(AutoGuide):
    scale_constraint = constraints.softplus_positive

    def __call__(self, *args, **kwargs):
        self._look_at_model(args, kwargs)
        for name, site in self._drawn().items():
            start = _full(self.prototype_trace, site, biject_to(site["fn"].support).inv(site["value"]))
            numpyro.param(f"{name}_{self.prefix}_loc", start)
            scale = jnp.full(jnp.shape(start), self._options.get("init_scale", 0.1))
            numpyro.param(f"{name}_{self.prefix}_scale", scale, constraint=self.scale_constraint)
        return self._draw()

    def quantiles(self, params, quantiles):
        return self._like_model((jnp.size(jnp.asarray(quantiles)),))


class AutoDelta(AutoGuide):
    def __call__(self, *args, **kwargs):
        self._look_at_model(args, kwargs)
        for name, site in self._drawn().items():
            start = _full(self.prototype_trace, site, site["value"])
            numpyro.param(f"{name}_{self.prefix}_loc", start, constraint=site["fn"].support)
        return self._draw()

    def sample_posterior(self, rng_key, params, *args, sample_shape=(), **kwargs):
        computed = sorted(name for name, site in self.prototype_trace.items() if site["type"] == "deterministic")
        return self._like_sites([*self._drawn(), *computed], sample_shape)

    def median(self, params):
        return self._like_sites(self._drawn(), ())

    def quantiles(self, params, quantiles):
        raise NotImplementedError


class AutoContinuous(AutoGuide):
    def __call__(self, *args, **kwargs):
        self._look_at_model(args, kwargs)
        starts = [biject_to(site["fn"].support).inv(site["value"]) for site in self._drawn().values()]
        self.latent_dim = sum(math.prod(jnp.shape(start)) for start in starts)
        self._add_parameters(jnp.zeros(self.latent_dim, jnp.result_type(*starts)))
        return self._draw()

    def _add_parameters(self, start):
        numpyro.param(f"{self.prefix}_loc", start)

    def _scale(self):
        return jnp.full(self.latent_dim, self._options.get("init_scale", 0.1))

    def get_posterior(self, params):
        return facts.unknown("the posterior of a guide")

    def get_transform(self, params):
        return facts.unknown("the transformation of a guide")

    def get_base_dist(self):
        return dist.Normal(jnp.zeros(self.latent_dim), 1).to_event(1)


class AutoDiagonalNormal(AutoContinuous):
    scale_constraint = constraints.softplus_positive

    def _add_parameters(self, start):
        super()._add_parameters(start)
        numpyro.param(f"{self.prefix}_scale", self._scale(), constraint=self.scale_constraint)

    def get_posterior(self, params):
        return dist.Normal(params[f"{self.prefix}_loc"], params[f"{self.prefix}_scale"])


class AutoMultivariateNormal(AutoContinuous):
    scale_tril_constraint = constraints.scaled_unit_lower_cholesky

    def _add_parameters(self, start):
        super()._add_parameters(start)
        scale = jnp.identity(self.latent_dim) * self._options.get("init_scale", 0.1)
        numpyro.param(f"{self.prefix}_scale_tril", scale, constraint=self.scale_tril_constraint)

    def get_posterior(self, params):
        scale = params[f"{self.prefix}_scale_tril"]
        return dist.MultivariateNormal(params[f"{self.prefix}_loc"], scale_tril=scale)


class AutoLowRankMultivariateNormal(AutoContinuous):
    scale_constraint = constraints.softplus_positive

    def _add_parameters(self, start):
        super()._add_parameters(start)
        rank = self._options.get("rank")
        rank = int(round(self.latent_dim**0.5)) if rank is None else rank
        numpyro.param(f"{self.prefix}_cov_factor", jnp.zeros((self.latent_dim, rank)))
        numpyro.param(f"{self.prefix}_scale", self._scale(), constraint=self.scale_constraint)


class AutoLaplaceApproximation(AutoContinuous):
    pass


def _full(trace, site, start):
    for frame in site["cond_indep_stack"]:
        if trace[frame.name]["args"][0] != frame.size:
            return facts.unknown("the parameters of a plate of which a part is drawn")
    return start


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return facts.unknown("a guide of another kind")
