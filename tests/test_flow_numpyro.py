"""NumPyro, which is followed from its source, and the stand-ins for its MCMC and its guides, against runs."""

from __future__ import annotations

import pytest
from flow_values import interpreted, run, wrong_claims

from arraytyping.checker.flow.values import ArrayValue, Unknown, walk
from arraytyping.semantics.avals import ShapedArray

pytest.importorskip("numpyro")

_HEAD = """
import jax, jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro import handlers
from numpyro.infer import HMC, MCMC, NUTS, SVI, Predictive, Trace_ELBO
key = jax.random.key(0)
def model(X, y=None):
    n, d = X.shape
    w = numpyro.sample("w", dist.Normal(jnp.zeros(d), 1.0).to_event(1))
    s = numpyro.sample("s", dist.HalfNormal(1.0))
    numpyro.deterministic("tau", 1 / s)
    with numpyro.plate("data", n):
        z = numpyro.sample("z", dist.Normal(0, 1))
        return numpyro.sample("y", dist.Normal(X @ w + z, s), obs=y)
X, y = jnp.ones((6, 3)), jnp.zeros(6)
"""
_DISTRIBUTIONS = """
normal = dist.Normal(jnp.zeros(3), jnp.ones(3))
a = normal.sample(key, (5,)), normal.log_prob(jnp.zeros(3)), normal.to_event(1).log_prob(jnp.zeros(3)), normal.mean
b = dist.Categorical(logits=jnp.zeros((2, 4))).sample(key), dist.Bernoulli(0.5).log_prob(1)
c = dist.MultivariateNormal(jnp.zeros(3), jnp.eye(3)).sample(key, (2,)), dist.Dirichlet(jnp.ones(4)).sample(key)
mixed = dist.MixtureSameFamily(dist.Categorical(jnp.ones(2) / 2), dist.Normal(jnp.zeros(2), 1))
d = mixed.sample(key, (6,)), dist.Uniform(0, 1).expand([3]).sample(key), dist.LKJCholesky(3).sample(key)
moved = dist.TransformedDistribution(dist.Normal(0, 1), dist.transforms.ExpTransform())
e = moved.sample(key, (6,)), dist.Binomial(10, 0.5).sample(key, (2,)), dist.biject_to(dist.constraints.positive).inv(X)
"""
_EFFECTS = """
trace = handlers.trace(handlers.seed(model, key)).get_trace(X, y)
a = trace["w"]["value"], trace["z"]["value"], trace["y"]["is_observed"], trace["tau"]["value"]
b = Predictive(model, num_samples=7)(key, X)
with handlers.seed(rng_seed=1):
    c = model(X)
d = handlers.substitute(handlers.seed(model, key), {"w": jnp.zeros(3)})(X)
"""
_MCMC = """
mcmc = MCMC(NUTS(model, max_tree_depth=2), num_warmup=1, num_samples=4, thinning=2, progress_bar=False)
mcmc.run(key, X, y)
a, b = mcmc.get_samples(), mcmc.get_samples(group_by_chain=True)
potential = MCMC(HMC(potential_fn=lambda p: (p["a"] ** 2).sum()), num_warmup=1, num_samples=3, progress_bar=False)
potential.run(key, init_params={"a": jnp.ones(2)})
c = potential.get_samples()
d = Predictive(model, a)(key, X)
"""
_SVI = """
def guide(X, y=None):
    m = numpyro.param("m", jnp.zeros(3))
    scale = numpyro.param("scale", jnp.array(1.0), constraint=dist.constraints.positive)
    numpyro.sample("w", dist.Normal(m, 1.0).to_event(1))
    numpyro.sample("s", dist.LogNormal(scale, 1.0))
    with numpyro.plate("data", X.shape[0]):
        numpyro.sample("z", dist.Normal(0, 1))
svi = SVI(model, guide, numpyro.optim.Adam(1e-2), Trace_ELBO())
found = svi.run(key, 3, X, y, progress_bar=False)
a, b = found.params, found.losses
state = svi.init(key, X, y)
state, c = svi.update(state, X, y)
d = svi.get_params(state)
"""
_GUIDES = """
from numpyro.infer.autoguide import AutoDelta, AutoDiagonalNormal, AutoNormal
def fitted(guide):
    svi = SVI(model, guide, numpyro.optim.Adam(1e-2), Trace_ELBO())
    state, loss = svi.update(svi.init(key, X, y), X, y)
    params = svi.get_params(state)
    drawn = guide.sample_posterior(key, params, X, y, sample_shape=(4, 2))
    return jax.tree.leaves((params, loss, drawn, guide.median(params)))
normal = AutoNormal(model)
svi = SVI(model, normal, numpyro.optim.Adam(1e-2), Trace_ELBO())
found = svi.run(key, 3, X, y, progress_bar=False)
a = found.params, found.losses, normal.quantiles(found.params, [0.1, 0.5])
b = Predictive(normal, params=found.params, num_samples=5)(key, X)
c = fitted(AutoDelta(model))
diagonal = AutoDiagonalNormal(model)
of_diagonal = found.params | {"auto_loc": jnp.ones(10), "auto_scale": jnp.ones(10)}
d = fitted(diagonal), jax.tree.leaves(diagonal.quantiles(of_diagonal, 0.5))
"""


@pytest.mark.parametrize(
    ("source", "names"),
    [
        (_DISTRIBUTIONS, "abcde"),
        (_EFFECTS, "abcd"),
        (_MCMC, "abcd"),
        (_SVI, "abcd"),
        pytest.param(_GUIDES, "abcd", marks=pytest.mark.thorough),
    ],
    ids=["distributions", "effects", "mcmc", "svi", "guides"],
)
def test_numpyro_is_known(source: str, names: str) -> None:
    """Each dtype, weak type and shape."""
    import jax

    source = _HEAD + source
    told, result = interpreted(source)
    assert {m.code for m in result.diagnostics} <= {"array-key"}  # one key serves for all
    assert not result.crashes
    real = run(source)
    assert wrong_claims(source, {n: told[n] for n in names}, {n: real[n] for n in names}) == []
    for name in names:
        found = [v for v in walk(told[name]) if isinstance(v, ArrayValue | Unknown)]
        leaves = [v for v in jax.tree.leaves(real[name]) if isinstance(v, jax.Array)]
        said = [str(ShapedArray(a.shape, str(a.dtype), a.weak_type)) for a in leaves]
        assert [str(v.aval) if isinstance(v, ArrayValue) else v.why for v in found] == said, name


def test_guides_are_known() -> None:
    """As the thorough test finds in a run, nearly all of which XLA spends on compiling."""
    told, _ = interpreted(_HEAD + _GUIDES)
    arrays = {name: [str(v.aval) for v in walk(told[name]) if isinstance(v, ArrayValue)] for name in "abcd"}
    scalar, vector, data = "float32[]", "float32[3]", "float32[6]"
    assert arrays["a"][:7] == [scalar, scalar, vector, vector, data, data, vector]
    assert arrays["a"][7:] == ["float32[2]", "float32[2]", "float32[2, 3]", "float32[2, 6]"]
    assert arrays["b"] == ["float32[5]", "float32[5, 3]", "float32[5, 6]"]
    drawn = ["float32[4, 2]", "float32[4, 2]", "float32[4, 2, 3]", "float32[4, 2, 6]"]
    assert arrays["c"] == [scalar, vector, data, scalar, *drawn, scalar, vector, data]
    assert arrays["d"][:7] == ["float32[10]", "float32[10]", scalar, *drawn]


def test_of_what_an_unknown_model_does_nothing_is_known() -> None:
    """Its sites are unknown, not none."""
    source = """
import nowhere
trace = handlers.trace(handlers.seed(nowhere.model, key)).get_trace(X)
svi = SVI(nowhere.model, nowhere.guide, numpyro.optim.Adam(1e-2), Trace_ELBO())
state = svi.init(key, X)
width = svi.get_params(state)["width"]
"""
    told, result = interpreted(_HEAD + source)
    assert result.diagnostics == []
    assert isinstance(told["width"], Unknown)
    assert getattr(told["trace"], "items", None) is None
