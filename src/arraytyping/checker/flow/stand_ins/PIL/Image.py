"""`PIL.Image`: images of a mode that the program asks for are arrays of known axes.

Source: https://pillow.readthedocs.io/en/stable/handbook/concepts.html#modes, and `Image.__array_interface__`.
"""

from arraytyping import facts

_CHANNELS = {"RGB": 3, "RGBA": 4, "RGBX": 4, "CMYK": 4, "YCbCr": 3, "LAB": 3, "HSV": 3, "LA": 2}
_ONE_CHANNEL = {"1": "bool", "L": "uint8", "P": "uint8", "I": "int32", "F": "float32"}


class Image:
    def __init__(self, mode=None, width=None, height=None):
        self._mode = mode
        self._width = facts.size("width") if width is None else width
        self._height = facts.size("height") if height is None else height

    @property
    def mode(self):
        return facts.text() if self._mode is None else self._mode

    @property
    def size(self):
        return (self._width, self._height)

    @property
    def width(self):
        return self._width

    @property
    def height(self):
        return self._height

    def __array__(self):
        if self._mode in _CHANNELS:
            return facts.numpy_array("uint8", (self._height, self._width, _CHANNELS[self._mode]))
        if self._mode in _ONE_CHANNEL:
            return facts.numpy_array(_ONE_CHANNEL[self._mode], (self._height, self._width))
        return facts.numpy_array(None, None)

    def convert(self, mode=None, *args, **options):
        return Image(mode, self._width, self._height)

    def copy(self):
        return Image(self._mode, self._width, self._height)

    def resize(self, size, *args, **options):
        width, height = size
        return Image(self._mode, width, height)

    def crop(self, box=None):
        return Image(self._mode)

    def transpose(self, method):
        return Image(self._mode)

    def rotate(self, *args, **options):
        return Image(self._mode)

    def filter(self, *args, **options):
        return Image(self._mode, self._width, self._height)

    def thumbnail(self, *args, **options):
        self._width = facts.size("width")
        self._height = facts.size("height")

    def save(self, *args, **options):
        return None

    def show(self, *args, **options):
        return None

    def close(self):
        return None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


def open(fp, mode="r", formats=None):
    return Image()


def new(mode, size, color=0):
    width, height = size
    return Image(mode, width, height)


def fromarray(obj, mode=None):
    return Image(mode)


def __getattr__(name):
    return facts.reads_only("PIL.Image." + name)
