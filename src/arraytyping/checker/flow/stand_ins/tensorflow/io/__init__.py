"""`tensorflow.io`: features of examples, images that are decoded, files.

Source: https://www.tensorflow.org/api_docs/python/tf/io.
"""

from tensorflow.io import gfile
from tensorflow.sparse import SparseTensor
from tensorflow.tensors import made, name_of
from tensorflow.texts import Text, texts

from arraytyping import facts


def _image(channels, dtype):
    channels = facts.size("channels", 1) if channels == 0 else channels
    return made(name_of(dtype), (facts.size("height", 1), facts.size("width", 1), channels))


def decode_jpeg(contents, channels=0, *args, **options):
    return _image(channels, "uint8")


def decode_and_crop_jpeg(contents, crop_window, channels=0, **options):
    return _image(channels, "uint8")


def extract_jpeg_shape(contents, output_type="int32", name=None):
    return made(name_of(output_type), (3,))


decode_bmp = decode_jpeg


def decode_png(contents, channels=0, dtype="uint8", name=None):
    return _image(channels, dtype)


def decode_image(contents, channels=None, dtype="uint8", name=None, expand_animations=True):
    if expand_animations is not False:  # of which one axis more is given
        found = made(name_of(dtype), None)
        if channels:
            found.channels = channels
        return found
    return _image(0 if channels is None else channels, dtype)


def decode_raw(input_bytes, out_type, *args, **options):
    return made(name_of(out_type), (facts.size("n"),) if isinstance(input_bytes, (Text, str, bytes)) else None)


class FixedLenFeature:
    def __init__(self, shape, dtype, default_value=None):
        self.shape, self.dtype, self.default_value = shape, dtype, default_value


class VarLenFeature:
    def __init__(self, dtype):
        self.dtype = dtype


class FixedLenSequenceFeature(FixedLenFeature):
    def __init__(self, shape, dtype, allow_missing=False, default_value=None):
        super().__init__(shape, dtype, default_value)


def _feature(feature, axes):
    name = name_of(feature.dtype) if isinstance(feature, (FixedLenFeature, VarLenFeature)) else None
    if isinstance(feature, FixedLenFeature):
        shape = (feature.shape,) if isinstance(feature.shape, int) else tuple(feature.shape)
        if isinstance(feature, FixedLenSequenceFeature):
            shape = (facts.size("n"), *shape)
        return texts((*axes, *shape)) if name == "string" else made(name, (*axes, *shape))
    if isinstance(feature, VarLenFeature):
        return SparseTensor(name, (*axes, facts.size("n")))
    return facts.reads_only("a feature of an example")


def parse_single_example(serialized, features, *args, **options):
    return {name: _feature(feature, ()) for name, feature in features.items()}


def parse_example(serialized, features, *args, **options):
    batch = facts.size("batch", 1)
    return {name: _feature(feature, (batch,)) for name, feature in features.items()}


def parse_single_sequence_example(serialized, context_features=None, sequence_features=None, *args, **options):
    context = {} if context_features is None else context_features
    sequences = {} if sequence_features is None else sequence_features
    return (
        {name: _feature(feature, ()) for name, feature in context.items()},
        {name: _in_sequence(feature) for name, feature in sequences.items()},
    )


def _in_sequence(feature):
    """A feature of each step, of which there are as many as there are: those of fixed size are lists of them."""
    if isinstance(feature, VarLenFeature):
        return _feature(feature, (facts.size("n"),))
    return _feature(feature, ())


def read_file(filename, name=None):
    return Text()


def __getattr__(name):
    return facts.reads_only("tensorflow.io." + name)
