"""`tfd.kullback_leibler`: what is entered for two classes of distributions, by the library, by others, by the program.

Source: https://www.tensorflow.org/probability/api_docs/python/tfp/distributions/RegisterKL.
"""

from arraytyping import facts

_DIVERGENCES = {}


class RegisterKL:
    def __init__(self, dist_cls_a, dist_cls_b):
        self._classes = (dist_cls_a, dist_cls_b)

    def __call__(self, kl_fn):
        _DIVERGENCES[self._classes] = kl_fn
        return kl_fn


def kl_divergence(distribution_a, distribution_b, allow_nan_stats=True, name=None):
    """What the function says that is entered for the two classes; bases are not looked for."""
    classes = (type(distribution_a), type(distribution_b))
    if classes not in _DIVERGENCES:
        return facts.unknown("kl_divergence of distributions of tfp")
    return _DIVERGENCES[classes](distribution_a, distribution_b, name=name)


def __getattr__(name):
    return facts.unknown("tfd.kullback_leibler." + name)
