"""`keras.datasets`: the data sets as they are published.

Labels have one dtype in some releases and another in others; where they do, it is not known.

Source: https://keras.io/api/datasets/.
"""

from arraytyping import facts


class _Images:
    """Images with labels: of both parts as many as there are."""

    def __init__(self, train, test, image, label, label_dtype):
        self._sizes = train, test
        self._image, self._label, self._label_dtype = image, label, label_dtype

    def load_data(self, *args, **options):
        train, test = self._sizes
        return self._part(train), self._part(test)

    def _part(self, n):
        return (
            facts.numpy_array("uint8", (n, *self._image)),
            facts.numpy_array(self._label_dtype, (n, *self._label)),
        )


class _Table:
    def __init__(self, features):
        self._features = features

    def load_data(self, *args, **options):
        return self._part("train"), self._part("test")

    def _part(self, name):
        n = facts.size(name, 1)
        return facts.numpy_array(None, (n, self._features)), facts.numpy_array(None, (n,))


mnist = fashion_mnist = _Images(60000, 10000, (28, 28), (), "uint8")
cifar10 = cifar100 = _Images(50000, 10000, (32, 32, 3), (1,), None)
boston_housing = _Table(13)


def __getattr__(name):
    return facts.unknown("keras.datasets." + name)
