"""An archive of arrays (`.npz`) that `np.load` opens.

Source: https://numpy.org/doc/stable/reference/generated/numpy.lib.npyio.NpzFile.html.
"""

from unknown_keys import OfUnknownKeys

from arraytyping import facts


class NpzFile(OfUnknownKeys):
    def an_item(self):
        return facts.numpy_array(None, None)

    def __getitem__(self, key):
        return facts.numpy_array(None, None)

    def get(self, key, default=None):
        return facts.one_of(facts.numpy_array(None, None), default)

    def __contains__(self, key):
        return facts.boolean()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def close(self):
        return None

    @property
    def files(self):
        return facts.many(facts.text())

    @property
    def f(self):
        return facts.unknown("the arrays of an archive as attributes")

    def __getattr__(self, name):
        raise AttributeError(name)
