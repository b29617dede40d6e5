"""`tyro.conf`: marks, which change nothing of the values."""

from arraytyping import facts


def __getattr__(name):
    return facts.reads_only("tyro.conf")
