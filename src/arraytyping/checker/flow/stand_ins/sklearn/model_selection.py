"""`sklearn.model_selection`: rows in two parts, once or several times.

Source: https://scikit-learn.org/stable/api/sklearn.model_selection.html.
"""

from arraytyping import facts


def train_test_split(*arrays, **options):
    train, test = facts.size("train", 1), facts.size("test", 1)
    parts = []
    for array in arrays:
        parts.append(facts.rows(array, train))
        parts.append(facts.rows(array, test))
    return parts


class _Splitter:
    def __init__(self, n_splits=5, **options):
        self.n_splits = n_splits

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.n_splits

    def split(self, X, y=None, groups=None):
        for sizes in self._sizes(X):
            train, test = sizes
            yield facts.numpy_array("int64", (train,)), facts.numpy_array("int64", (test,))

    def _sizes(self, X):
        """How many rows there are in the parts, each time."""
        for i in range(self.n_splits):
            yield facts.size("train", 1), facts.size("test", 1)


class KFold(_Splitter):
    def _sizes(self, X):
        n = len(X)
        for i in range(self.n_splits):
            if facts.is_known(n):
                test = n // self.n_splits + (1 if i < n % self.n_splits else 0)
                yield n - test, test
            else:
                yield facts.size("train", 1), facts.size("test", 1)


class StratifiedKFold(_Splitter):
    pass


class RepeatedKFold:
    def __init__(self, *, n_splits=5, n_repeats=10, random_state=None):
        self.n_splits, self.n_repeats = n_splits, n_repeats

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.n_splits * self.n_repeats

    def split(self, X, y=None, groups=None):
        for i in range(self.n_repeats):
            yield from KFold(self.n_splits).split(X)


class ShuffleSplit(_Splitter):
    def __init__(self, n_splits=10, **options):
        self.n_splits = n_splits


class StratifiedShuffleSplit(ShuffleSplit):
    pass


def __getattr__(name):
    return facts.reads_only("sklearn.model_selection." + name)
