"""`pandas`: tables have two axes, columns one; how long they are changes in place, and dtypes are those of the file.

Source: https://pandas.pydata.org/docs/reference/index.html.
"""

import numpy as np

from arraytyping import facts


_DTYPES = {
    "float32": "float32", "float64": "float64", "float": "float64", "int8": "int8", "int16": "int16", "int32": "int32",
    "int64": "int64", "int": "int64", "uint8": "uint8", "bool": "bool", float: "float64", int: "int64", bool: "bool",
    np.float32: "float32", np.float64: "float64", np.int8: "int8", np.int16: "int16", np.int32: "int32",
    np.int64: "int64", np.uint8: "uint8",
}  # fmt: skip


class Series:
    def __init__(self, *args, dtype=None, **options):
        self._dtype = _DTYPES.get(dtype)

    @property
    def shape(self):
        return (facts.size("n"),)

    @property
    def values(self):
        return facts.numpy_array(self._dtype, "n")

    def to_numpy(self, dtype=None, copy=False, **options):
        return facts.numpy_array(self._dtype if dtype is None else dtype, "n")

    def __array__(self):
        return facts.numpy_array(self._dtype, "n")

    def __len__(self):
        return facts.size("n")

    def astype(self, dtype, copy=None, errors="raise"):
        return Series(dtype=dtype)

    def dropna(self, **options):
        return None if options.get("inplace") else Series(dtype=self._dtype)

    def head(self, n=5):
        return Series(dtype=self._dtype)

    tail = copy = head


class _Places:
    """`iloc` and `loc` of a table whose columns have simple names."""

    def __getitem__(self, key):
        if isinstance(key, slice):
            return _Table()
        if not isinstance(key, tuple) or len(key) != 2 or not isinstance(key[0], (slice, list)):
            return facts.reads_only("a part of a table")
        if isinstance(key[1], (int, str)):
            return Series()
        return _Table() if isinstance(key[1], (slice, list)) else facts.reads_only("a part of a table")


class DataFrame:
    def __init__(self, *args, **options):
        pass

    @property
    def shape(self):
        return (facts.size("n"), facts.size("columns"))

    @property
    def values(self):
        return facts.numpy_array(None, "n columns")

    def to_numpy(self, dtype=None, copy=False, **options):
        return facts.numpy_array(dtype, "n columns")

    def __array__(self):
        return facts.numpy_array(None, "n columns")

    def __len__(self):
        return facts.size("n")


class _Table(DataFrame):
    """A table that is read from a file, so that no two columns have one name, nor does a name have several levels."""

    def __getitem__(self, key):
        if isinstance(key, str):
            return Series()
        if isinstance(key, (list, slice, Series, np.ndarray)):
            return _Table()
        return facts.reads_only("a part of a table")

    iloc = loc = property(lambda self: _Places())

    def _same(self, *args, **options):
        return None if options.get("inplace") else _Table()

    drop = dropna = fillna = drop_duplicates = sort_values = sort_index = rename = _same
    head = tail = sample = copy = reset_index = _same


def _read(*args, **options):
    if [key for key in ("chunksize", "iterator", "squeeze") if options.get(key)]:
        return facts.reads_only("a file that is read in pieces")
    return DataFrame() if isinstance(options.get("header"), list) else _Table()


read_csv = read_table = read_fwf = _read


def __getattr__(name):
    return facts.reads_only("pandas." + name)
