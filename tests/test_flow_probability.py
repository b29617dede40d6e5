"""TensorFlow Probability on JAX: what the stand-in says of distributions and bijectors, by results that are known.

The stand-in against the library itself is `test_flow_probability_library.py`.
"""

from __future__ import annotations

from pathlib import Path

from test_flow_stand_ins import follow, shown

_HEAD = """
    import numpy as np
    import tensorflow_probability.substrates.jax as tfp
    tfd = tfp.distributions
    tfb = tfp.bijectors
    keys = jax.random.split(jax.random.key(0), 20)
"""


def test_a_policy_of_normal_distributions(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        _HEAD
        + """
    policy = tfd.Normal(jnp.zeros((8, 2)), 0.5)
    a = policy.sample(seed=keys[0])
    b = policy.log_prob(a)
    c = tfd.Independent(policy, 1).log_prob(a)
    d = policy.sample((4, 5), seed=keys[1])
    e = policy.sample(3, keys[2])
    f = policy.entropy().mean()
    g = policy.batch_shape.as_list() == [8, 2] and policy.event_shape.as_list() == []
    h, i = tfd.Independent(policy).experimental_sample_and_log_prob(seed=keys[3])
    j = policy.kl_divergence(tfd.Normal(0.0, jnp.ones(2)))
    k = tfd.kl_divergence(policy, policy)
    l = jnp.zeros(tuple(policy.batch_shape), policy.dtype)
    m = policy.cdf(0.0) + policy.stddev() + policy.mode() + policy.scale
    """,
    )
    assert found == [
        "float32[8, 2]", "float32[8, 2]", "float32[8]", "float32[4, 5, 8, 2]", "float32[3, 8, 2]", "float32[]",
        "the Python bool True", "float32[8, 2]", "float32[8]", "float32[8, 2]", "float32[8, 2]", "float32[8, 2]",
        "float32[8, 2]",
    ]  # fmt: skip


def test_choices(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        _HEAD
        + """
    from tensorflow_probability.substrates.jax import distributions as tfd2
    import tensorflow_probability.substrates.jax.distributions as tfd3
    one = tfd2.Categorical(logits=jnp.zeros((8, 5)))
    a = one.sample(seed=keys[0])
    b = one.log_prob(a)
    c = one.mode()
    d = one.entropy()
    e = tfd3.Categorical(probs=jnp.ones(5), dtype=jnp.int8).sample(7, seed=keys[1])
    f = tfd.Bernoulli(logits=jnp.zeros(3)).sample(seed=keys[2])
    g = tfd.OneHotCategorical(logits=jnp.zeros((8, 5)), dtype=jnp.float32).sample(seed=keys[3])
    h = one.kl_divergence(one)
    i = one.logits_parameter()
    """,
    )
    assert found == [
        "int32[8]", "float32[8]", "int32[8]", "float32[8]", "int8[7]", "int32[3]", "float32[8, 5]", "float32[8]",
        "float32[8, 5]",
    ]  # fmt: skip


def test_distributions_of_vectors_and_of_other_ones(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        _HEAD
        + """
    vectors = tfd.MultivariateNormalDiag(jnp.zeros((8, 4)), jnp.ones(4))
    a = vectors.sample(seed=keys[0])
    b = vectors.log_prob(a)
    c = vectors.covariance()
    d = tfd.MultivariateNormalTriL(jnp.zeros(4), jnp.eye(4)).sample(3, seed=keys[1])
    mixed = tfd.MixtureSameFamily(
        tfd.Categorical(logits=jnp.zeros((8, 5))), tfd.MultivariateNormalDiag(jnp.zeros((8, 5, 4)), jnp.ones((8, 5, 4)))
    )
    e = mixed.sample(seed=keys[2])
    f = mixed.log_prob(e)
    many = tfd.Sample(tfd.Normal(jnp.zeros(3), 1.0), (6,))
    g = many.sample(2, seed=keys[3])
    h = many.log_prob(g)
    i = tfd.Dirichlet(jnp.ones((3, 4))).sample(seed=keys[4])
    """,
    )
    assert found == [
        "float32[8, 4]", "float32[8]", "float32[8, 4, 4]", "float32[3, 4]", "float32[8, 4]", "float32[8]",
        "float32[2, 3, 6]", "float32[2, 3]", "float32[3, 4]",
    ]  # fmt: skip


def test_bijectors(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        _HEAD
        + """
    squashed = tfd.TransformedDistribution(tfd.Normal(jnp.zeros((8, 2)), 1.0), tfb.Tanh())
    a = squashed.sample(seed=keys[0])
    b = squashed.log_prob(a)
    c = tfd.Independent(squashed, 1).log_prob(a)
    d = tfb.Tanh()(tfd.Normal(0.0, 1.0)).sample(4, seed=keys[1])
    chain = tfb.Chain([tfb.Shift(0.5), tfb.Scale(2.0), tfb.Sigmoid()])
    e = chain.forward(jnp.ones((3, 2)))
    f = chain.inverse(e)
    g = chain.forward_log_det_jacobian(e, event_ndims=1)
    h = tfb.Invert(tfb.Exp()).inverse_log_det_jacobian(e, event_ndims=2)
    i = tfb.Scale(2.0).forward_log_det_jacobian(e, event_ndims=0)
    j = tfb.Tanh()(jnp.ones(5))
    """,
    )
    assert found == [
        "float32[8, 2]", "float32[8, 2]", "float32[8]", "float32[4]", "float32[3, 2]", "float32[3, 2]", "float32[3]",
        "float32[]", "float32[]", "float32[5]",
    ]  # fmt: skip


def test_a_bijector_remembers_what_its_results_come_from(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        _HEAD
        + """
    a = tfb.Shift(jnp.ones(3)).forward(0.5)
    b = tfb.Shift(jnp.ones(3)).inverse(a)
    c = tfb.Tanh().inverse(jnp.zeros(3))
    """,
    )
    assert found == ["float32[3]", "something else", "float32[3]"]


def test_a_distribution_of_the_program(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        _HEAD
        + """
    class Squashed(tfd.TransformedDistribution):
        def __init__(self, distribution, threshold=0.999, validate_args=False):
            super().__init__(distribution=distribution, bijector=tfb.Tanh(), validate_args=validate_args)
            self._threshold = threshold
            self._left = self.distribution.log_cdf(-1.0)
        def log_prob(self, value):
            value = jnp.clip(value, -self._threshold, self._threshold)
            return jnp.where(value <= -self._threshold, self._left, super().log_prob(value))
        def mode(self):
            return self.bijector.forward(self.distribution.mode())
        def entropy(self, seed=None):
            drawn = self.distribution.sample(seed=seed)
            return self.distribution.entropy() + self.bijector.forward_log_det_jacobian(drawn, event_ndims=0)
    class Own(tfd.Distribution):
        def __init__(self, loc):
            super().__init__(dtype=loc.dtype, reparameterization_type=tfd.NOT_REPARAMETERIZED, validate_args=False,
                             allow_nan_stats=False)
            self._loc = loc
        def _sample_n(self, n, seed=None):
            return self._loc + jax.random.normal(seed, (n, *self._loc.shape))
        def _log_prob(self, value):
            return -jnp.sum((value - self._loc) ** 2, -1)
    policy = tfd.Independent(Squashed(tfd.Normal(jnp.zeros((8, 2)), 1.0)), 1)
    a = policy.sample(seed=keys[0])
    b = policy.log_prob(a)
    c = policy.mode()
    d = policy.entropy(seed=keys[1])
    own = Own(jnp.zeros(3))
    e = own.sample((4, 2), seed=keys[2])
    f = own.log_prob(e)
    g = own.prob(e)
    h = own.mean()
    """,
    )
    assert found == [
        "float32[8, 2]", "float32[8]", "float32[8, 2]", "float32[8]", "float32[4, 2, 3]", "float32[4, 2]",
        "float32[4, 2]", "something else",
    ]  # fmt: skip


def test_distributions_are_pytrees(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        _HEAD
        + """
    a = jax.jit(lambda x: tfd.Normal(x, 1.0))(jnp.ones(3)).sample(seed=keys[0])
    b = jax.vmap(lambda x: tfd.Normal(x, jnp.exp(x)))(jnp.ones((4, 2))).log_prob(jnp.ones(2))
    c = jax.tree.map(lambda x: x[None], tfd.Categorical(logits=jnp.ones((3, 5)), dtype=jnp.int8)).mode()
    def step(policy, x):
        return tfd.Normal(policy.loc + x, policy.scale), policy.mean()
    last, d = jax.lax.scan(step, tfd.Normal(jnp.ones(3), 1.0), jnp.ones((5, 3)))
    e = last.loc
    f = jnp.stack(jax.tree.leaves(tfd.Normal(jnp.ones(3), jnp.ones(3))))
    g = jax.jit(lambda: tfb.Tanh()(tfd.Independent(tfd.Normal(jnp.ones((2, 3)), 1.0), 1)))().log_prob(jnp.zeros(3))
    class Own(tfd.Normal):
        def __init__(self, loc):
            super().__init__(loc, 1.0)
    own = jax.jit(lambda x: Own(x))(jnp.ones(3))
    h = own.loc
    """,
    )
    assert found == [
        "float32[3]", "float32[4, 2]", "int8[1, 3]", "float32[5, 3]", "float32[3]", "float32[2, 3]", "float32[2]",
        "something else",
    ]  # fmt: skip


def test_dtypes_of_which_only_the_shape_is_sure(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        _HEAD
        + """
    narrow = jnp.ones(3, jnp.bfloat16)
    a = tfd.Normal(narrow, 1.0).log_prob(narrow)
    b = tfd.Laplace(narrow, 1.0).log_prob(narrow)
    c = tfd.Laplace(narrow, 1.0).sample(seed=keys[0])
    d = tfd.Normal(jnp.ones(3, jnp.int32), 1.0).mean()
    e = tfd.Normal(np.ones(3), 1.0).sample(seed=keys[1])
    """,
    )
    assert found == ["bfloat16[3]", "?[3]", "bfloat16[3]", "?[3]", "float32[3]"]


def test_two_draws_from_one_key(tmp_path: Path) -> None:
    text = (
        _HEAD
        + """
    key = jax.random.key(3)
    a = tfd.Independent(tfd.Normal(jnp.zeros(3), 1.0), 1).sample(seed=key)
    b = tfd.Categorical(logits=jnp.zeros(3)).sample(seed={})
    """
    )
    found, _ = follow(tmp_path, text.format("keys[0]"))
    assert not found.diagnostics
    found, _ = follow(tmp_path, text.format("key"))
    assert [(m.code, m.line) for m in found.diagnostics] == [("array-key", 12)]
    assert "sample draws from a key that sample has used in" in found.diagnostics[0].message


def test_what_the_stand_in_does_not_have_is_not_denied(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        _HEAD
        + """
    one = tfd.Uniform(0.0, 2.0)
    a = jnp.ones(3 if "_quantile" in type(one).__dict__ else 4)
    b = jnp.ones(3 if "_low" in vars(one) else 4)
    c = jnp.ones(3 if "_quantile" in dir(one) else 4)
    """,
    )
    assert found == ["float32[?]"] * 3
