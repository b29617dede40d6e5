"""Hamiltonian Monte Carlo of NumPyro: a sampler of a model, which `MCMC` asks for it.

Source: https://num.pyro.ai/en/stable/mcmc.html.
"""

from numpyro.infer.mcmc import MCMCKernel


class HMC(MCMCKernel):
    def __init__(self, model=None, potential_fn=None, **options):
        self._model = model
        self._potential_fn = potential_fn


class NUTS(HMC):
    pass
