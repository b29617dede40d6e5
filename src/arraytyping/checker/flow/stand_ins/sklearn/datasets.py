"""`sklearn.datasets`: the data sets that come with the package, and those that are made up.

Source: https://scikit-learn.org/stable/api/sklearn.datasets.html.
"""

from arraytyping import facts


class Bunch:
    def __init__(self, **parts):
        self._parts = parts
        for name, part in parts.items():
            setattr(self, name, part)

    def __getitem__(self, name):
        return self._parts.get(name, facts.reads_only("a part of a data set of sklearn"))


def _made(data, target, as_frame, return_X_y, **more):
    if as_frame:
        return facts.reads_only("a data set of sklearn as a frame")
    if return_X_y:
        return data, target
    return Bunch(data=data, target=target, **more)


def _classes(n, features):
    def load(*, return_X_y=False, as_frame=False):
        data, target = facts.numpy_array("float64", (n, features)), facts.numpy_array("int64", (n,))
        return _made(data, target, as_frame, return_X_y)

    return load


load_iris = _classes(150, 4)
load_wine = _classes(178, 13)
load_breast_cancer = _classes(569, 30)


def load_digits(*, n_class=10, return_X_y=False, as_frame=False):
    n = 1797 if n_class == 10 else facts.size("n", 1)
    data, target = facts.numpy_array("float64", (n, 64)), facts.numpy_array("int64", (n,))
    return _made(data, target, as_frame, return_X_y, images=facts.numpy_array("float64", (n, 8, 8)))


def load_diabetes(*, return_X_y=False, as_frame=False, scaled=True):
    data, target = facts.numpy_array("float64", (442, 10)), facts.numpy_array("float64", (442,))
    return _made(data, target, as_frame, return_X_y)


def load_linnerud(*, return_X_y=False, as_frame=False):
    data, target = facts.numpy_array("float64", (20, 3)), facts.numpy_array("float64", (20, 3))
    return _made(data, target, as_frame, return_X_y)


def fetch_california_housing(*, data_home=None, download_if_missing=True, return_X_y=False, as_frame=False, **options):
    data, target = facts.numpy_array("float64", (20640, 8)), facts.numpy_array("float64", (20640,))
    return _made(data, target, as_frame, return_X_y)


def fetch_olivetti_faces(*, return_X_y=False, **options):
    data, target = facts.numpy_array("float32", (400, 4096)), facts.numpy_array("int64", (400,))
    return _made(data, target, False, return_X_y, images=facts.numpy_array("float32", (400, 64, 64)))


def _two_moons(n_samples=100, **options):
    n = n_samples if isinstance(n_samples, int) else facts.size("n", 1)
    return facts.numpy_array("float64", (n, 2)), facts.numpy_array("int64", (n,))


make_moons = make_circles = _two_moons


def make_blobs(n_samples=100, n_features=2, *, centers=None, return_centers=False, **options):
    if return_centers:
        return facts.reads_only("blobs with their centers")
    n = n_samples if isinstance(n_samples, int) else facts.size("n", 1)
    features = n_features if centers is None or isinstance(centers, int) else facts.size("features", 1)
    return facts.numpy_array("float64", (n, features)), facts.numpy_array("int64", (n,))


def make_classification(n_samples=100, n_features=20, *, return_X_y=True, **options):
    if not return_X_y:
        return facts.reads_only("a data set of sklearn with its parameters")
    return facts.numpy_array("float64", (n_samples, n_features)), facts.numpy_array("int64", (n_samples,))


def make_regression(n_samples=100, n_features=100, *, n_targets=1, coef=False, **options):
    data = facts.numpy_array("float64", (n_samples, n_features))
    target = facts.numpy_array("float64", (n_samples,) if n_targets == 1 else (n_samples, n_targets))
    return (data, target, facts.numpy_array("float64", None)) if coef else (data, target)


def _curve(n_samples=100, **options):
    return facts.numpy_array("float64", (n_samples, 3)), facts.numpy_array("float64", (n_samples,))


make_s_curve = make_swiss_roll = _curve


def __getattr__(name):
    return facts.reads_only("sklearn.datasets." + name)
