"""Random-walk Metropolis with several chains in parallel, and R-hat and ESS diagnostics."""
import jax
import jax.numpy as jnp
from jax import jit, lax, random, vmap

NUM_CHAINS = 4
NUM_STEPS = 200
BURN = 50
DIM = 2


def banana(x, b=0.1):
    """Rosenbrock-like density."""
    x0, x1 = x
    return -0.5 * (x0 ** 2 / 4.0 + (x1 + b * (x0 ** 2 - 4.0)) ** 2)


def mixture(x, centers=((-2., 0.), (2., 1.)), weights=(0.3, 0.7)):
    c = jnp.array(centers)
    sq = ((x[None, :] - c) ** 2).sum(-1)
    return jax.nn.logsumexp(jnp.log(jnp.array(weights)) - 0.5 * sq)


class MetropolisHastings:
    def __init__(self, log_prob, step_size):
        self.log_prob = log_prob
        self.step_size = step_size

    def propose(self, key, x):
        return x + self.step_size * random.normal(key, x.shape)

    def log_ratio(self, x, x_new):
        return 0.

    def step(self, carry, key):
        x, lp, n_acc = carry
        k1, k2 = random.split(key)
        x_new = self.propose(k1, x)
        lp_new = self.log_prob(x_new)
        log_alpha = lp_new - lp + self.log_ratio(x, x_new)
        accept = jnp.log(random.uniform(k2)) < log_alpha
        x = jnp.where(accept, x_new, x)
        lp = jnp.where(accept, lp_new, lp)
        return (x, lp, n_acc + accept), x

    def run(self, key, x0, n):
        carry = (x0, self.log_prob(x0), 0)
        (_, _, n_acc), xs = lax.scan(self.step, carry, random.split(key, n))
        return xs, n_acc / n


class MALA(MetropolisHastings):
    """Langevin proposals: drifts along the gradient, so the proposal ratio does not cancel."""

    def __init__(self, log_prob, step_size):
        super().__init__(log_prob, step_size)
        self.grad = jax.grad(log_prob)

    def drift(self, x):
        return x + 0.5 * self.step_size ** 2 * self.grad(x)

    def propose(self, key, x):
        return super().propose(key, self.drift(x))

    def log_ratio(self, x, x_new):
        def logq(to, frm):
            return -jnp.sum((to - self.drift(frm)) ** 2) / (2 * self.step_size ** 2)
        return logq(x, x_new) - logq(x_new, x)


@jit
def rhat(chains):
    """Split R-hat; chains is (chain, draw, dim)."""
    m, n, d = chains.shape
    half = n // 2
    x = chains[:, : 2 * half].reshape(2 * m, half, d)
    within = x.var(axis=1, ddof=1).mean(axis=0)
    between = half * x.mean(axis=1).var(axis=0, ddof=1)
    return jnp.sqrt(((half - 1) / half * within + between / half) / within)


def autocov(x):
    n = x.shape[0]
    f = jnp.fft.rfft(x - x.mean(), n=2 * n)
    return jnp.fft.irfft(f * jnp.conj(f), n=2 * n)[:n] / n


@jit
def ess(chains):
    acov = vmap(vmap(autocov, in_axes=1, out_axes=1))(chains)    # chain, lag, dim
    rho = acov.mean(0) / acov[:, 0].mean(0)
    # stop at the first negative autocorrelation
    positive = jnp.cumprod(rho > 0, axis=0)
    tau = 1 + 2 * jnp.sum(rho[1:] * positive[1:], axis=0)
    return chains.shape[0] * chains.shape[1] / tau


key = random.PRNGKey(42)
samplers = [
    ("banana/rwm", MetropolisHastings(banana, 1.5)),
    ("mixture/mala", MALA(mixture, 1.2)),
]
for name, sampler in samplers:
    key, k_init, k_run = random.split(key, 3)
    x0 = 2 * random.normal(k_init, (NUM_CHAINS, DIM))
    run_chains = jit(vmap(lambda k, x: sampler.run(k, x, NUM_STEPS)))
    xs, rate = run_chains(random.split(k_run, NUM_CHAINS), x0)
    xs = xs[:, BURN:]
    print('%-14s accept %s' % (name, ' '.join(f'{r:.2f}' for r in rate)))
    print('    mean', xs.mean((0, 1)), 'rhat', rhat(xs), 'ess', ess(xs).astype(int))
