"""`acme.jax`: of its learners and networks nothing is known.

Source: https://github.com/google-deepmind/acme/tree/master/acme/jax.
"""

from arraytyping import facts


def __getattr__(name):
    return facts.unknown("acme.jax." + name)
