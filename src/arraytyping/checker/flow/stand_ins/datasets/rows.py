"""Rows of data sets."""

from PIL import Image

from arraytyping import facts


def an_image(mode, width, height):
    """A picture of Pillow."""
    return Image.Image(mode, width, height)


def item_of(column):
    """What one row has, where a list has the column of several."""
    if isinstance(column, list):
        return facts.one_item(column)
    return facts.reads_only("an item of a column")


class OpenRow:
    """Some columns of which something is known, and others; several rows have a list for each."""

    def __init__(self, known, number):
        self.known, self._number = known, number

    def _other(self):
        item = facts.reads_only("a column of a data set")
        return item if self._number is None else facts.rows([item], self._number)

    def __getitem__(self, name):
        return self.known[name] if name in self.known else self._other()

    def __setitem__(self, name, value):
        self.known[name] = value

    def __contains__(self, name):
        return True if name in self.known else facts.boolean()

    def get(self, name, default=None):
        return self.known[name] if name in self.known else facts.one_of(default, self._other())

    def pop(self, name, *default):
        return self.known.pop(name) if name in self.known else facts.one_of(*default, self._other())

    def keys(self):
        return facts.many(facts.text())

    __iter__ = keys

    def _any(self):
        return facts.one_of(self._other(), *self.known.values())

    def values(self):
        return facts.many(self._any())

    def items(self):
        return facts.many((facts.text(), self._any()))

    def __len__(self):
        return facts.integer()


def __getattr__(name):
    return facts.reads_only("datasets." + name)
