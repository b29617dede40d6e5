"""`tensorflow_datasets`: data sets by their published features.

A line of the table is all that a data set needs.

Source: https://www.tensorflow.org/datasets/catalog/overview.
"""

from tensorflow.data import Dataset
from tensorflow.tensors import Tensor, over
from tensorflow_datasets.published_features import published

from arraytyping import facts

_ANY = None
_LABEL = ("int64", ())
_TEXT = None
_OTHER = "other"
"""What has parts of its own."""


def _images(shape, train, test, classes, **more):
    features = {"image": ("uint8", shape), "label": _LABEL, **more}
    return features, {"train": train, "test": test}, classes


_KNOWN = {
    "mnist": _images((28, 28, 1), 60000, 10000, 10),
    "fashion_mnist": _images((28, 28, 1), 60000, 10000, 10),
    "kmnist": _images((28, 28, 1), 60000, 10000, 10),
    "cifar10": _images((32, 32, 3), 50000, 10000, 10, id=_TEXT),
    "cifar100": _images((32, 32, 3), 50000, 10000, 100, id=_TEXT, coarse_label=_LABEL),
    "svhn_cropped": _images((32, 32, 3), 73257, 26032, 10),
    "imagenet2012": ({"image": ("uint8", (_ANY, _ANY, 3)), "label": _LABEL, "file_name": _TEXT}, {}, 1000),
    "imagenet_resized": ({"image": ("uint8", (_ANY, _ANY, 3)), "label": _LABEL}, {"train": 1281167}, 1000),
    "stl10": _images((96, 96, 3), 5000, 8000, 10),
    "emnist": ({"image": ("uint8", (28, 28, 1)), "label": _LABEL}, {}, None),
    "eurosat": ({"image": ("uint8", (64, 64, _ANY)), "label": _LABEL, "filename": _TEXT}, {"train": 27000}, 10),
    "patch_camelyon": _images((96, 96, 3), 262144, 32768, 2, id=_TEXT),
    "binarized_mnist": ({"image": ("uint8", (28, 28, 1))}, {"train": 50000, "test": 10000}, None),
    "omniglot": (
        {"image": ("uint8", (105, 105, 3)), "alphabet": _LABEL, "alphabet_char_id": _LABEL, "label": _LABEL}, {}, 1623
    ),
    "celeb_a": (
        {"image": ("uint8", (218, 178, 3)), "attributes": _OTHER, "landmarks": _OTHER},
        {"train": 162770, "validation": 19867, "test": 19962}, None,
    ),
    "lsun": ({"image": ("uint8", (_ANY, _ANY, 3))}, {}, None),
    "food101": ({"image": ("uint8", (_ANY, _ANY, 3)), "label": _LABEL}, {"train": 75750, "validation": 25250}, 101),
    "cats_vs_dogs": (
        {"image": ("uint8", (_ANY, _ANY, 3)), "image/filename": _TEXT, "label": _LABEL}, {"train": 23262}, 2
    ),
    "oxford_iiit_pet": (
        {
            "image": ("uint8", (_ANY, _ANY, 3)), "label": _LABEL, "species": _LABEL, "file_name": _TEXT,
            "segmentation_mask": ("uint8", (_ANY, _ANY, 1)),
        },
        {"train": 3680, "test": 3669}, 37,
    ),
    "lm1b": ({"text": _TEXT}, {"train": 30301028, "test": 306688}, None),
    "imdb_reviews": ({"text": _TEXT, "label": _LABEL}, {"train": 25000, "test": 25000, "unsupervised": 50000}, 2),
    "ag_news_subset": (
        {"title": _TEXT, "description": _TEXT, "label": _LABEL}, {"train": 120000, "test": 7600}, 4
    ),
    "tiny_shakespeare": ({"text": _TEXT}, {"train": 1, "validation": 1, "test": 1}, None),
    "oxford_flowers102": ({"image": ("uint8", (_ANY, _ANY, 3)), "label": _LABEL, "file_name": _TEXT}, {}, 102),
}


def _element(features, supervised):
    made = {
        key: Tensor(facts.numpy_array(spec[0], spec[1])) if isinstance(spec, tuple) else facts.unknown("a text of a data set")
        for key, spec in features.items()
    }
    if not supervised:
        return made
    if "image" not in made or "label" not in made:
        return facts.reads_only("a pair of a data set without images")
    return (made["image"], made["label"])


class _Skipped:
    """What leaves a feature as it is stored: an image as the text that holds it."""


class decode:
    SkipDecoding = _Skipped


def _decoded(features, decoders):
    """The features under decoders, None if those are of other sorts."""
    if decoders is None:
        return features
    if not isinstance(decoders, dict) or not all(isinstance(one, _Skipped) for one in decoders.values()):
        return None
    return {key: _TEXT if key in decoders else spec for key, spec in features.items()}


class _Label:
    def __init__(self, classes):
        self.num_classes = classes


class _Split:
    def __init__(self, number):
        self.num_examples = facts.size("examples", 1) if number is None else number


class _Named:
    """Parts by their names, of which there are more."""

    def __init__(self, known, other):
        self._known, self._other = known, other

    def __getitem__(self, name):
        return self._known[name] if name in self._known else self._other(name)


class _Info:
    def __init__(self, known):
        features, sizes, classes = known
        self.features = _Named({"label": _Label(classes)}, lambda name: facts.reads_only("a feature of a data set"))
        self.splits = _Named({}, lambda name: _Split(sizes.get(name)))


class _Builder:
    def __init__(self, known):
        self._known = known
        self.info = _Info(known)

    def download_and_prepare(self, **options):
        return None

    def as_dataset(self, split=None, *, batch_size=None, as_supervised=False, decoders=None, **options):
        features, sizes, _ = self._known
        features = _decoded(features, decoders)
        if features is None:
            return facts.reads_only("a data set of tensorflow_datasets with decoders of its own")
        more = {"batch_size": batch_size, "as_supervised": as_supervised, "decoders": decoders}
        if isinstance(split, (list, tuple)):
            return tuple([self.as_dataset(one, **more) for one in split])
        if split is None:
            return _Named({}, lambda one: self.as_dataset(one, **more))
        made = Dataset(_element(features, as_supervised))
        if batch_size is None:
            return made
        number = sizes.get(split) if isinstance(split, str) else None
        if number is None:
            number = facts.size("examples", 1)
        return made.batch(number, drop_remainder=True).one if batch_size == -1 else made.batch(batch_size)


class _Part:
    """What says which rows of a data set are read."""

    def __init__(self, *args, **options):
        pass

    def __add__(self, other):
        return _Part()

    def __getattr__(self, name):
        return facts.reads_only("a part of a data set")


class Split:
    """The usual names of splits, which are texts."""

    TRAIN, VALIDATION, TEST, ALL = "train", "validation", "test", "all"

    def __new__(cls, name):
        return name


class core:
    DatasetBuilder = _Builder
    ReadInstruction = _Part


def split_for_jax_process(split, **options):
    return _Part()


def even_splits(split, n, **options):
    return [_Part() for _ in range(n)]


def _known(name):
    if not isinstance(name, str):
        return None
    name = name.partition("/")[0].partition(":")[0]
    return _KNOWN[name] if name in _KNOWN else published(name)


def builder(name, **options):
    known = _known(name)
    if known is not None:
        return _Builder(known)
    return facts.reads_only("a data set of tensorflow_datasets whose features are not listed")


def load(
    name, *, split=None, data_dir=None, batch_size=None, shuffle_files=False, download=True, as_supervised=False,
    decoders=None, read_config=None, with_info=False, **options,
):  # fmt: skip
    known = _known(name)
    if known is None:
        return facts.reads_only("a data set of tensorflow_datasets whose features are not listed")
    made = _Builder(known)
    data = made.as_dataset(split, batch_size=batch_size, as_supervised=as_supervised, decoders=decoders)
    return (data, made.info) if with_info else data


class _Source:
    """Examples that are read by their index, as NumPy's arrays."""

    def __init__(self, features, number):
        self._features, self._number = features, number

    def __len__(self):
        return facts.size("examples", 1) if self._number is None else self._number

    def __getitem__(self, record_key):
        made = _element(self._features, False)
        return {key: facts.data() if spec is _TEXT else _numpy(made[key]) for key, spec in self._features.items()}


def data_source(name, *, split=None, decoders=None, **options):
    known = _known(name)
    if known is None or decoders is not None:
        return facts.reads_only("a data set of tensorflow_datasets whose features are not listed")
    features, sizes, _ = known
    if split is None:
        return _Named({}, lambda one: _Source(features, sizes.get(one)))
    if isinstance(split, (list, tuple)):
        return [data_source(name, split=one) for one in split]
    return _Source(features, sizes.get(split) if isinstance(split, str) else None)


def _numpy(structure):
    if isinstance(structure, Tensor):
        return structure.numpy()
    if isinstance(structure, Dataset):
        return facts.many(over(lambda tensor: tensor.numpy(), structure.one))
    if isinstance(structure, _Named):
        return _Named({}, lambda name: _numpy(structure[name]))
    if isinstance(structure, dict):
        return {key: _numpy(value) for key, value in structure.items()}
    if isinstance(structure, (tuple, list)):
        return tuple([_numpy(value) for value in structure])
    return over(lambda tensor: tensor.numpy(), structure)


def as_numpy(dataset):
    return _numpy(dataset)


def __getattr__(name):
    return facts.reads_only("tensorflow_datasets." + name)
