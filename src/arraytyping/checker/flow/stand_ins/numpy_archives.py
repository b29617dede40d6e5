"""An archive of arrays (`.npz`) that `np.load` opens.

Source: https://numpy.org/doc/stable/reference/generated/numpy.lib.npyio.NpzFile.html.
"""

from collections.abc import Mapping

from arraytyping import facts


class NpzFile(Mapping):
    def __getitem__(self, key):
        return facts.numpy_array(None, None)

    def get(self, key, default=None):
        return facts.one_of(facts.numpy_array(None, None), default)

    def __contains__(self, key):
        return facts.boolean()

    def __len__(self):
        return facts.integer()

    def __iter__(self):
        return iter(facts.many(facts.text()))

    def keys(self):
        return facts.many(facts.text())

    def values(self):
        return facts.many(facts.numpy_array(None, None))

    def items(self):
        return facts.many((facts.text(), facts.numpy_array(None, None)))

    def __array__(self, *args, **options):
        return facts.unknown("an archive as an array")

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
