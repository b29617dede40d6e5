"""`dill`: `pickle` for more kinds of objects.

Source: https://dill.readthedocs.io/en/latest/dill.html.
"""

import pickle

from arraytyping import facts


def dump(obj, file, protocol=None, byref=None, fmode=None, recurse=None, **kwds):
    pickle.dump(obj, file)


def dumps(obj, protocol=None, byref=None, fmode=None, recurse=None, **kwds):
    return pickle.dumps(obj)


def load(file, ignore=None, **kwds):
    return pickle.load(file)


def loads(str, ignore=None, **kwds):
    return pickle.loads(str)


def __getattr__(name):
    return facts.unknown("dill." + name)
