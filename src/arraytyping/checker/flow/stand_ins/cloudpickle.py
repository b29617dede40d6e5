"""`cloudpickle`: `pickle` for more kinds of objects.

Source: https://github.com/cloudpipe/cloudpickle.
"""

import pickle

from arraytyping import facts


def dump(obj, file, protocol=None, buffer_callback=None):
    pickle.dump(obj, file)


def dumps(obj, protocol=None, buffer_callback=None):
    return pickle.dumps(obj)


def load(file, **options):
    return pickle.load(file)


def loads(data, **options):
    return pickle.loads(data)


def __getattr__(name):
    return facts.unknown("cloudpickle." + name)
