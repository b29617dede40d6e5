"""`h5py`: a part of a dataset is an array of NumPy, of axes and a dtype that the file has.

Source: https://docs.h5py.org/en/stable/high/dataset.html.
"""

from arraytyping import facts


class _Node:
    """A group or a dataset: a name goes into the one, anything else takes a part of the other."""

    def __init__(self, *args, **options):
        pass

    def __getitem__(self, key):
        if isinstance(key, str):
            return _Node()
        return facts.numpy_array(None, None)

    def __setitem__(self, key, value):
        pass

    def __array__(self):
        return facts.numpy_array(None, None)

    @property
    def shape(self):
        return facts.numpy_array(None, None).shape

    @property
    def ndim(self):
        return facts.integer()

    def __len__(self):
        return facts.size("n")

    def __iter__(self):
        return iter(facts.many(facts.unknown("an item of a file of h5py")))

    def __contains__(self, name):
        return facts.boolean()

    def keys(self):
        return facts.many(facts.text())


class Group(_Node):
    pass


class Dataset(_Node):
    pass


class File(_Node):
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def close(self):
        return None

    def flush(self):
        return None


def __getattr__(name):
    return facts.unknown("h5py." + name)
