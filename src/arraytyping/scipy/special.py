"""Special functions, under `jax.scipy.special`'s names.

Source: https://docs.jax.dev/en/latest/jax.scipy.html.
"""

from arraytyping.runtime import whole as whole  # first: what follows computes with it
from arraytyping.scipy.error_functions import (
    dawsn as dawsn,
    erf as erf,
    erfc as erfc,
    erfcx as erfcx,
    erfinv as erfinv,
    log_ndtr as log_ndtr,
    ndtr as ndtr,
    ndtri as ndtri,
    wofz as wofz,
)
from arraytyping.scipy.fresnel_integrals import fresnel as fresnel, owens_t as owens_t
from arraytyping.scipy.gamma_functions import (
    bernoulli as bernoulli,
    beta as beta,
    betainc as betainc,
    betaln as betaln,
    comb as comb,
    digamma as digamma,
    factorial as factorial,
    gamma as gamma,
    gammainc as gammainc,
    gammaincc as gammaincc,
    gammaln as gammaln,
    gammasgn as gammasgn,
    loggamma as loggamma,
    multigammaln as multigammaln,
    poch as poch,
    polygamma as polygamma,
    zeta as zeta,
)
from arraytyping.scipy.harmonics import bessel_jn as bessel_jn, sph_harm_y as sph_harm_y
from arraytyping.scipy.hypergeometric import hyp1f1 as hyp1f1, hyp2f1 as hyp2f1
from arraytyping.scipy.integrals import exp1 as exp1, expi as expi, expn as expn, sici as sici, spence as spence
from arraytyping.scipy.logarithms import (
    boxcox as boxcox,
    boxcox1p as boxcox1p,
    entr as entr,
    expit as expit,
    i0 as i0,
    i0e as i0e,
    i1 as i1,
    i1e as i1e,
    kl_div as kl_div,
    log_softmax as log_softmax,
    logit as logit,
    logsumexp as logsumexp,
    rel_entr as rel_entr,
    softmax as softmax,
    xlog1py as xlog1py,
    xlogy as xlogy,
)
