"""`tensorflow.io`: features of examples, images that are decoded, files.

Source: https://www.tensorflow.org/api_docs/python/tf/io.
"""

from tensorflow.io import gfile
from tensorflow.tensors import Tensor, made, name_of, tensor

from arraytyping import facts

_TEXT = "a text of tensorflow"


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
        return made(name_of(dtype), None)
    return _image(0 if channels is None else channels, dtype)


def decode_raw(input_bytes, out_type, *args, **options):
    return made(name_of(out_type), (facts.size("n"),))


class FixedLenFeature:
    def __init__(self, shape, dtype, default_value=None):
        self.shape, self.dtype, self.default_value = shape, dtype, default_value


class VarLenFeature:
    def __init__(self, dtype):
        self.dtype = dtype


def _feature(feature, axes):
    if isinstance(feature, FixedLenFeature) and name_of(feature.dtype) != "string":
        shape = (feature.shape,) if isinstance(feature.shape, int) else tuple(feature.shape)
        return made(name_of(feature.dtype), (*axes, *shape))
    return facts.reads_only(_TEXT)


def parse_single_example(serialized, features, *args, **options):
    return {name: _feature(feature, ()) for name, feature in features.items()}


def parse_example(serialized, features, *args, **options):
    batch = facts.size("batch", 1)
    return {name: _feature(feature, (batch,)) for name, feature in features.items()}


def read_file(filename, name=None):
    return facts.reads_only(_TEXT)


def __getattr__(name):
    return facts.reads_only("tensorflow.io." + name)
