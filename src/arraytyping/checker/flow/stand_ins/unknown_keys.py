"""Mappings of a library of which not all keys are known, and whose items are alike."""

from collections.abc import Mapping

from arraytyping import facts


class OfUnknownKeys(Mapping):
    """A class that derives from it says what an item is, in `an_item`."""

    def __len__(self):
        return facts.integer()

    def __iter__(self):
        return iter(facts.many(facts.text()))

    def keys(self):
        return facts.many(facts.text())

    def values(self):
        return facts.many(self.an_item())

    def items(self):
        return facts.many((facts.text(), self.an_item()))
