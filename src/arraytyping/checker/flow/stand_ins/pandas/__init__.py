"""`pandas`: tables have two axes, columns one; how long they are changes in place, and dtypes are those of the file.

Source: https://pandas.pydata.org/docs/reference/index.html.
"""

from arraytyping import facts


class Series:
    def __init__(self, *args, **options):
        pass

    @property
    def shape(self):
        return (facts.size("n"),)

    @property
    def values(self):
        return facts.numpy_array(None, "n")

    def to_numpy(self, dtype=None, copy=False, **options):
        return facts.numpy_array(dtype, "n")

    def __array__(self):
        return facts.numpy_array(None, "n")

    def __len__(self):
        return facts.size("n")


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


def _read(*args, **options):
    if [key for key in ("chunksize", "iterator", "squeeze") if options.get(key)]:
        return facts.reads_only("a file that is read in pieces")
    return DataFrame()


read_csv = read_table = read_fwf = _read


def __getattr__(name):
    return facts.reads_only("pandas." + name)
