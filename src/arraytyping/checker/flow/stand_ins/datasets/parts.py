"""Data sets in several parts.

Source: https://huggingface.co/docs/datasets/package_reference/main_classes#datasets.DatasetDict.
"""

from unknown_keys import OfUnknownKeys

from arraytyping import facts


class _NamesOfEach:
    """The names of the columns of each part."""

    def __init__(self, parts):
        self._parts = parts

    def __getitem__(self, name):
        return self._parts[name].column_names

    def __getattr__(self, name):
        return facts.reads_only("the names of the columns of each part of a data set")


_DICT = facts.reads_only("a dict")


def in_parts(part):
    """Parts that are like this one; it is a dict, too."""
    made = object.__new__(type("DatasetDict", (DatasetDict, _DICT), {}))
    made._part = part
    made._parts = {}
    return made


class DatasetDict(OfUnknownKeys):
    """Parts with the same columns, each with a number of rows of its own."""

    def __new__(cls, *args, **options):
        return facts.reads_only("parts of a data set that a program puts together")

    def __getitem__(self, name):
        if name not in self._parts:
            part = self._part
            self._parts[name] = self.an_item() if part is None else part._another()
        return self._parts[name]

    def __setitem__(self, name, part):
        self._parts[name] = part

    def __contains__(self, name):
        return facts.boolean()

    def an_item(self):
        return facts.reads_only("a part of a data set")

    @property
    def column_names(self):
        return _NamesOfEach(self)

    def _each(self, change):
        made = in_parts(None if self._part is None else change(self._part))
        for name, part in self._parts.items():
            made._parts[name] = change(part)
        return made

    def map(self, *args, **options):
        return self._each(lambda part: part.map(*args, **options))

    def filter(self, *args, **options):
        return self._each(lambda part: part.filter(*args, **options))

    def shuffle(self, *args, **options):
        return self

    def remove_columns(self, column_names):
        return self._each(lambda part: part.remove_columns(column_names))

    def rename_column(self, original_column_name, new_column_name):
        return self._each(lambda part: part.rename_column(original_column_name, new_column_name))

    def with_format(self, *args, **options):
        return self._each(lambda part: part.with_format(*args, **options))

    def set_format(self, *args, **options):
        self._part = None if self._part is None else self._part.with_format(*args, **options)
        for name in self._parts:
            self._parts[name].set_format(*args, **options)

    def __getattr__(self, name):
        return facts.reads_only("attribute " + name + " of a data set")


def __getattr__(name):
    return facts.reads_only("datasets." + name)
