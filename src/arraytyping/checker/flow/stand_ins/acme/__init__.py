"""`acme`: of its agents and environments nothing is known; its functions for arrays are.

Source: https://github.com/google-deepmind/acme.
"""

from arraytyping import facts


def __getattr__(name):
    return facts.unknown("acme." + name)
