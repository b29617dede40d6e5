"""Monte-Carlo option pricing with Greeks by autodiff, calibrated to prices cleaned by a NumPy pipeline."""

import abc
import collections
from typing import Dict

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.stats import norm


# ---------------------------------------------------------------- market data
def synthetic_history(days=120, assets=("AAA", "BBB", "CCC"), seed=7):
    """Rows of (day, ticker, close) with gaps and a few bad ticks, as a feed would deliver them."""
    rng = np.random.default_rng(seed)
    corr = np.array([[1.0, 0.6, 0.2], [0.6, 1.0, 0.4], [0.2, 0.4, 1.0]])
    shocks = rng.multivariate_normal(np.zeros(3), corr, size=days) * np.array([0.01, 0.02, 0.015])
    prices = 100 * np.exp(np.cumsum(shocks, axis=0))
    for day in range(days):
        for i, ticker in enumerate(assets):
            u = rng.random()
            if u < 0.02:
                continue
            yield day, ticker, -1.0 if u > 0.99 else float(prices[day, i])


def to_table(rows):
    by_ticker = collections.defaultdict(dict)
    for day, ticker, close in rows:
        if close > 0:
            by_ticker[ticker][day] = close
    tickers = sorted(by_ticker)
    last = 1 + max(max(d) for d in by_ticker.values())
    table = np.full((last, len(tickers)), np.nan)
    for j, t in enumerate(tickers):
        days, closes = zip(*sorted(by_ticker[t].items()))
        table[:, j] = np.interp(np.arange(last), days, closes)
    return tickers, table


def estimate(table, trading_days=252):
    returns = np.diff(np.log(table), axis=0)
    cov = np.cov(returns, rowvar=False) * trading_days
    vol = np.sqrt(np.diag(cov))
    return {
        "spot": jnp.asarray(table[-1], jnp.float32),
        "vol": jnp.asarray(vol, jnp.float32),
        "corr": jnp.asarray(cov / np.outer(vol, vol), jnp.float32),
        "rate": 0.03,
    }


# -------------------------------------------------------------------- payoffs
class Payoff(abc.ABC):
    maturity = 1.0

    def __init__(self, strike, kind="call"):
        self.strike = strike
        self.sign = {"call": 1.0, "put": -1.0}[kind]

    @abc.abstractmethod
    def index(self, paths):
        """Reduce paths (steps, assets) to the underlying of the option."""

    def __call__(self, paths):
        return jnp.maximum(self.sign * (self.index(paths) - self.strike), 0.0)


class European(Payoff):
    def index(self, paths):
        return paths[-1, 0]


class AsianBasket(Payoff):
    def __init__(self, weights, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.weights = jnp.array(weights)

    def index(self, paths):
        return jnp.mean(paths @ self.weights)


class DownAndOut(European):
    def __init__(self, strike, barrier, **kwargs):
        super().__init__(strike, **kwargs)
        self.barrier = barrier

    def __call__(self, paths):
        alive = jnp.all(paths[:, 0] > self.barrier)
        return alive * super().__call__(paths)


# --------------------------------------------------------------------- engine
def simulate_paths(params, normals, maturity):
    """Correlated geometric Brownian motions from standard normals (steps, assets)."""
    steps = normals.shape[0]
    dt = maturity / steps
    L = jnp.linalg.cholesky(params["corr"])
    drift = (params["rate"] - 0.5 * params["vol"] ** 2) * dt
    increments = drift + jnp.sqrt(dt) * params["vol"] * (normals @ L.T)
    return params["spot"] * jnp.exp(jnp.cumsum(increments, axis=0))


class MonteCarlo:
    def __init__(self, num_paths=512, steps=16, antithetic=True):
        self.num_paths, self.steps, self.antithetic = num_paths, steps, antithetic

    def draws(self, key, assets):
        z = jax.random.normal(key, (self.num_paths, self.steps, assets))
        return jnp.concatenate([z, -z]) if self.antithetic else z

    def price(self, params, payoff, normals):
        value = jax.vmap(lambda z: payoff(simulate_paths(params, z, payoff.maturity)))(normals)
        discounted = jnp.exp(-params["rate"] * payoff.maturity) * value
        if self.antithetic:
            discounted = discounted.reshape(2, -1).mean(axis=0)
        return discounted.mean(), discounted.std() / jnp.sqrt(discounted.size)

    def price_and_greeks(self, params, payoff, normals):
        f = jax.jit(jax.value_and_grad(lambda p, z: self.price(p, payoff, z), has_aux=True))
        (price, stderr), grads = f(params, normals)
        return dict(price=price, stderr=stderr, delta=grads["spot"], vega=grads["vol"], rho=grads["rate"])


def black_scholes(spot, strike, vol, rate, maturity=1.0):
    d1 = (jnp.log(spot / strike) + (rate + 0.5 * vol**2) * maturity) / (vol * jnp.sqrt(maturity))
    d2 = d1 - vol * jnp.sqrt(maturity)
    return spot * norm.cdf(d1) - strike * jnp.exp(-rate * maturity) * norm.cdf(d2)


@jax.jit
@jnp.vectorize
def implied_vol(price, spot, strike, rate):
    def newton(_, vol):
        value, vega = jax.value_and_grad(black_scholes, argnums=2)(spot, strike, vol, rate)
        return jnp.clip(vol - (value - price) / vega, 0.01, 2.0)

    return jax.lax.fori_loop(0, 8, newton, jnp.full_like(price, 0.2))


def report(name: str, result: Dict[str, jax.Array]) -> None:
    deltas = ", ".join(f"{d:.3f}" for d in result["delta"])
    print(f"{name:<12} {result['price']:7.3f} ± {result['stderr']:.3f}   delta [{deltas}]   rho {result['rho']:.1f}")


if __name__ == "__main__":
    tickers, table = to_table(synthetic_history())
    params = estimate(table)
    print("history", table.shape, {t: f"{v:.1%}" for t, v in zip(tickers, params["vol"])})

    spot = float(params["spot"][0])
    engine = MonteCarlo()
    book = {
        "european": European(spot),
        "asian put": AsianBasket([0.5, 0.3, 0.2], strike=130.0, kind="put"),
        "down-and-out": DownAndOut(spot, barrier=0.9 * spot),
    }
    normals = engine.draws(jax.random.key(2024), len(tickers))
    results = {name: engine.price_and_greeks(params, option, normals) for name, option in book.items()}
    for name, result in results.items():
        report(name, result)

    strikes = spot * np.linspace(0.9, 1.1, 5, dtype=np.float32)
    closed_form = jax.jit(jax.vmap(black_scholes, in_axes=(None, 0, None, None)))
    exact = closed_form(spot, strikes, params["vol"][0], params["rate"])
    print(f"{'closed form':<12} {exact[2]:7.3f}")
    vols = implied_vol(exact, spot, strikes, params["rate"])
    print("implied vols", np.asarray(vols).round(3))
