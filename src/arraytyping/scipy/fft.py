"""Cosine transforms, under the names of `jax.scipy.fft`."""

from arraytyping.runtime import whole as whole  # first: what follows computes with it
from arraytyping.scipy.cosine_transforms import dct as dct, dctn as dctn, idct as idct, idctn as idctn
