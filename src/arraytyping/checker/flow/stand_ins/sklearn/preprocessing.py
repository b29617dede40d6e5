"""`sklearn.preprocessing`: columns that are scaled, and labels as numbers.

Source: https://scikit-learn.org/stable/api/sklearn.preprocessing.html.
"""

import numpy as np

from arraytyping import facts

_FLOATS = ("float16", "float32", "float64")


def _shape(X):
    """The shape of what `numpy.asarray` makes of it."""
    return np.asarray(X).shape


def scaled(X):
    """An array of as many rows and columns: floats keep their dtype, and all else becomes float64."""
    if facts.axes(np.asarray(X)) is None:  # it may be a sparse one
        return facts.reads_only("what is scaled by sklearn")
    dtype = np.asarray(X).dtype
    for name in _FLOATS:
        is_it = dtype == name
        if not facts.is_known(is_it):
            return facts.numpy_array(None, _shape(X))
        if is_it:
            return facts.numpy_array(name, _shape(X))
    return facts.numpy_array("float64", _shape(X))


class _Scaler:
    def __init__(self, *args, **options):
        self._gives_frames = False

    def set_output(self, *, transform=None):
        self._gives_frames = True
        return self

    def fit(self, X, y=None, **options):
        return self

    def partial_fit(self, X, y=None, **options):
        return self

    def transform(self, X, copy=None):
        return facts.reads_only("a frame of sklearn") if self._gives_frames else scaled(X)

    def fit_transform(self, X, y=None, **options):
        return self.transform(X)

    def inverse_transform(self, X, copy=None):
        return scaled(X)


class StandardScaler(_Scaler):
    pass


class MinMaxScaler(_Scaler):
    pass


class MaxAbsScaler(_Scaler):
    pass


class RobustScaler(_Scaler):
    pass


class QuantileTransformer(_Scaler):
    pass


class LabelEncoder:
    """Numbers in the place of labels."""

    def fit(self, y):
        return self

    def transform(self, y):
        return facts.numpy_array("int64", _shape(y)[:1])

    fit_transform = transform


def scale(X, **options):
    return scaled(X)


def minmax_scale(X, feature_range=(0, 1), **options):
    return scaled(X)


def __getattr__(name):
    return facts.reads_only("sklearn.preprocessing." + name)
