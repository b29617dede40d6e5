"""`torchvision.transforms`: from images of PIL to tensors.

Source: https://docs.pytorch.org/vision/stable/transforms.html.
"""

import numpy as np
from PIL.Image import Image
from torch import tensor_of

from arraytyping import facts


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, image):
        for transform in self.transforms:
            image = transform(image)
        return image


class ToTensor:
    """Channels come first, and bytes become numbers between 0 and 1."""

    def __call__(self, image):
        if not isinstance(image, Image):
            return facts.unknown("a tensor of what is no image")
        array = np.asarray(image)
        if image.mode in ("RGB", "RGBA", "YCbCr", "HSV"):
            return tensor_of(facts.numpy_array("float32", (array.shape[2], image.height, image.width)))
        if image.mode == "L":
            return tensor_of(facts.numpy_array("float32", (1, image.height, image.width)))
        return facts.unknown("a tensor of an image of an unknown mode")


class _Same:
    def __init__(self, *args, **options):
        pass

    def __call__(self, image):
        return image


class Normalize(_Same):
    pass


class RandomHorizontalFlip(_Same):
    pass


class RandomVerticalFlip(_Same):
    pass


class Lambda:
    def __init__(self, lambd):
        self.lambd = lambd

    def __call__(self, image):
        return self.lambd(image)


def __getattr__(name):
    return facts.unknown("torchvision.transforms." + name)
