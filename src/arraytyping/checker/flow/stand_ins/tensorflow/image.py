"""`tensorflow.image`: sizes and dtypes of images.

Source: https://www.tensorflow.org/api_docs/python/tf/image.
"""

from tensorflow.io import decode_and_crop_jpeg, decode_image, decode_jpeg, decode_png, extract_jpeg_shape
from tensorflow.tensors import Tensor, made, name_of, tensor

from arraytyping import facts


class ResizeMethod:
    BILINEAR, NEAREST_NEIGHBOR, BICUBIC, AREA = "bilinear", "nearest", "bicubic", "area"
    LANCZOS3, LANCZOS5, GAUSSIAN, MITCHELLCUBIC = "lanczos3", "lanczos5", "gaussian", "mitchellcubic"


def _unknown(name):
    return facts.reads_only("tensorflow.image." + name)


def _whole(size):
    """A size that may be a tensor."""
    return facts.size("size") if isinstance(size, Tensor) else size


def _sized(image, height, width, dtype):
    if facts.axes(image._array) is None:  # it is taken for one image
        channels = facts.size("channels", 1) if image.channels is None else image.channels
        return made(dtype, (_whole(height), _whole(width), channels))
    before = tuple(image.shape)
    return made(dtype, (*before[:-3], _whole(height), _whole(width), before[-1]))


def resize(images, size, method="bilinear", preserve_aspect_ratio=False, antialias=False, name=None):
    found = tensor(images)
    if found is None or facts.axes(found._array) is None:  # which it refuses
        return _unknown("resize")
    dtype = found._array.dtype if method == "nearest" else "float32"
    if preserve_aspect_ratio:
        return _sized(found, facts.size("height", 1), facts.size("width", 1), dtype)
    if isinstance(size, Tensor):
        return _sized(found, facts.size("height", 1), facts.size("width", 1), dtype)
    return _sized(found, size[0], size[1], dtype)


def resize_with_crop_or_pad(image, target_height, target_width):
    found = tensor(image)
    if found is None:
        return _unknown("resize_with_crop_or_pad")
    return _sized(found, target_height, target_width, found._array.dtype)


def resize_with_pad(image, target_height, target_width, method="bilinear", antialias=False):
    return resize(image, [target_height, target_width], method)


def crop_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    return resize_with_crop_or_pad(image, target_height, target_width)


pad_to_bounding_box = crop_to_bounding_box


def random_crop(value, size, seed=None, name=None):
    found = tensor(value)
    if found is None or isinstance(size, Tensor):
        return _unknown("random_crop")
    return made(found._array.dtype, [_whole(one) for one in size])


stateless_random_crop = random_crop


def sample_distorted_bounding_box(image_size, bounding_boxes, *args, **options):
    return made("int32", (3,)), made("int32", (3,)), made("float32", (1, 1, 4))


stateless_sample_distorted_bounding_box = sample_distorted_bounding_box


def central_crop(image, central_fraction):
    found = tensor(image)
    if found is None or facts.axes(found._array) is None:
        return _unknown("central_crop")
    return _sized(found, facts.size("height", 1), facts.size("width", 1), found._array.dtype)


def convert_image_dtype(image, dtype, saturate=False, name=None):
    found = tensor(image)
    return _unknown("convert_image_dtype") if found is None else made(name_of(dtype), found.shape)


def flip_left_right(image, *args, **options):
    found = tensor(image)
    return _unknown("an operation") if found is None else Tensor(found._array)


flip_up_down = random_flip_left_right = random_flip_up_down = flip_left_right
stateless_random_flip_left_right = stateless_random_flip_up_down = flip_left_right
adjust_brightness = adjust_contrast = adjust_gamma = adjust_hue = adjust_saturation = flip_left_right
random_brightness = random_contrast = random_hue = random_saturation = flip_left_right
stateless_random_brightness = stateless_random_contrast = stateless_random_hue = flip_left_right
stateless_random_saturation = flip_left_right
rgb_to_hsv = hsv_to_rgb = rgb_to_yiq = yiq_to_rgb = rgb_to_yuv = yuv_to_rgb = flip_left_right


def per_image_standardization(image):
    found = tensor(image)
    if found is None:
        return _unknown("per_image_standardization")
    return made("float16" if found._array.dtype == "float16" else "float32", found.shape)


def rgb_to_grayscale(images, name=None):
    found = tensor(images)
    return _unknown("rgb_to_grayscale") if found is None else made(found._array.dtype, (*tuple(found.shape)[:-1], 1))


def grayscale_to_rgb(images, name=None):
    found = tensor(images)
    return _unknown("grayscale_to_rgb") if found is None else made(found._array.dtype, (*tuple(found.shape)[:-1], 3))


def transpose(image, name=None):
    found = tensor(image)
    if found is None or facts.axes(found._array) is None:
        return _unknown("transpose")
    before = tuple(found.shape)
    return _sized(found, before[-2], before[-3], found._array.dtype)


def __getattr__(name):
    return facts.reads_only("tensorflow.image." + name)
