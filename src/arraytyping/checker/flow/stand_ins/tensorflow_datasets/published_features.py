"""The features of more data sets, as tensorflow_datasets 4.9 says them without downloading anything.

Listed are those that have the same features in each of their configurations: of each its feature, dtype and shape, and
how many classes a label has.

Source: https://www.tensorflow.org/datasets/catalog/overview.
"""

from tensorflow_datasets.features_of_images import FEATURES as OF_IMAGES
from tensorflow_datasets.features_of_records import FEATURES as OF_RECORDS

_PUBLISHED = {**OF_IMAGES, **OF_RECORDS}


def _spec(text):
    """A dtype and a shape, None of a text, and "other" of what has parts of its own."""
    if text in ("text", "other"):
        return None if text == "text" else "other"
    dtype, _, rest = text.partition("[")
    dims = rest.partition("]")[0]
    if dims == "...":
        return dtype, None
    return dtype, tuple([None if dim == "?" else int(dim) for dim in dims.split(",") if dim])


def published(name):
    """The features of a data set, the sizes of its parts and how many classes there are; None if it is not listed."""
    if name not in _PUBLISHED:
        return None
    features, classes = {}, None
    for word in _PUBLISHED[name].split():
        key, _, text = word.partition(":")
        features[key] = _spec(text)
        if "#" in text:
            classes = int(text.partition("#")[2])
    return features, {}, classes
