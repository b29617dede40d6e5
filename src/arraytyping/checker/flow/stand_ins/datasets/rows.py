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


class LazyRow:
    """What `map` hands to a function: columns of which something is known, and maybe others; several rows have lists."""

    def __init__(self, known, number, is_all):
        self.known, self._number, self._is_all = known, number, is_all

    def _other(self, name=None):
        if self._is_all:
            raise KeyError(name)
        item = facts.reads_only("a column of a data set")
        return item if self._number is None else facts.rows([item], self._number)

    def __getitem__(self, name):
        return self.known[name] if name in self.known else self._other(name)

    def __setitem__(self, name, value):
        self.known[name] = value

    def __contains__(self, name):
        return True if name in self.known else False if self._is_all else facts.boolean()

    def get(self, name, default=None):
        if name in self.known:
            return self.known[name]
        return default if self._is_all else facts.one_of(default, self._other())

    def pop(self, name, *default):
        if name in self.known:
            return self.known.pop(name)
        return default[0] if self._is_all and default else facts.one_of(*default, self._other(name))

    def _names(self):
        return list(self.known) if self._is_all else facts.many(facts.text())

    def keys(self):
        return self._names()

    def __iter__(self):
        return iter(self._names())

    def _any(self):
        return facts.one_of(self._other(), *self.known.values())

    def values(self):
        return list(self.known.values()) if self._is_all else facts.many(self._any())

    def items(self):
        return list(self.known.items()) if self._is_all else facts.many((facts.text(), self._any()))

    def __len__(self):
        return len(self.known) if self._is_all else facts.integer()


def __getattr__(name):
    return facts.reads_only("datasets." + name)
