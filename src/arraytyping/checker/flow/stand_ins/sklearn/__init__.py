"""`sklearn`: data sets and their parts are known, estimators are not."""

from arraytyping import facts


def __getattr__(name):
    return facts.reads_only("sklearn." + name)
