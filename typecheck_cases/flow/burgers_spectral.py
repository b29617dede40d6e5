"""Pseudo-spectral solvers for the Burgers and Korteweg-de Vries equations (integrating factor and RK4)."""
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)


class SpectralPDE:
    """u_t = L u + N(u) on a periodic interval; subclasses give the symbol of L and N."""

    def __init__(self, n, length):
        self.n = n
        self.x = np.linspace(0, length, n, endpoint=False)
        self.k = 2 * np.pi * np.fft.rfftfreq(n, d=length / n)
        self.dealias = self.k < 2 / 3 * self.k.max()

    def symbol(self):
        raise NotImplementedError

    def nonlinear(self, v):
        u = jnp.fft.irfft(v, n=self.n)
        return -0.5j * self.k * self.dealias * jnp.fft.rfft(u**2)

    def step(self, v, dt):
        E = jnp.exp(self.symbol() * dt / 2)
        E2 = E**2
        a = dt * self.nonlinear(v)
        b = dt * self.nonlinear(E * (v + a / 2))
        c = dt * self.nonlinear(E * v + b / 2)
        d = dt * self.nonlinear(E2 * v + E * c)
        return E2 * v + (E2 * a + 2 * E * (b + c) + d) / 6

    def solve(self, u0, dt, steps, every):
        @jax.jit
        def run(v):
            def body(v, _):
                v = jax.lax.fori_loop(0, every, lambda i, w: self.step(w, dt), v)
                return v, jnp.fft.irfft(v, n=self.n)
            return jax.lax.scan(body, v, xs=None, length=steps // every)

        v, snapshots = run(jnp.fft.rfft(u0))
        return snapshots


class Burgers(SpectralPDE):
    def __init__(self, n, viscosity, length=2 * np.pi):
        super().__init__(n, length)
        self.viscosity = viscosity

    def symbol(self):
        return -self.viscosity * self.k**2


class KdV(SpectralPDE):
    """u_t + 6 u u_x + u_xxx = 0."""

    def symbol(self):
        return 1j * self.k**3

    def nonlinear(self, v):
        return 6 * super().nonlinear(v)

    def soliton(self, speed, position):
        return 0.5 * speed / np.cosh(0.5 * np.sqrt(speed) * (self.x - position)) ** 2


def invariants(u, dx):
    return {"mass": u.sum(-1) * dx, "energy": 0.5 * (u**2).sum(-1) * dx}


def spectrum(u):
    power = jnp.abs(jnp.fft.rfft(u, norm="forward")) ** 2
    return power.at[1:-1].multiply(2)


burgers = Burgers(64, viscosity=0.05)
frames = burgers.solve(np.sin(burgers.x), dt=0.01, steps=200, every=50)
steepest = jnp.abs(jnp.gradient(frames, burgers.x[1], axis=1)).max(axis=1)
print("burgers", frames.shape, frames.dtype, "steepest slopes", np.round(steepest, 2))
p = spectrum(frames[-1])
print(f"  Parseval error {abs(float(p.sum() - jnp.mean(frames[-1] ** 2))):.1e}, modes above 1e-6: {int((p > 1e-6).sum())}")

kdv = KdV(96, length=30.0)
u0 = kdv.soliton(4.0, 7.0) + kdv.soliton(1.0, 15.0)
frames = kdv.solve(u0, dt=2e-3, steps=400, every=100)
dx = kdv.x[1] - kdv.x[0]
before = invariants(u0, dx)
after = invariants(frames, dx)
for name in before:
    drift = jnp.max(jnp.abs(after[name] / before[name] - 1))
    print(f"kdv {name}: {before[name]:.4f}, drift < 1e-3: {bool(drift < 1e-3)}")
crest = kdv.x[np.argmax(frames, axis=1)]
speed = np.diff(crest).mean() / (100 * 2e-3)
print("  crest at", crest, f"speed {speed:.1f}")
