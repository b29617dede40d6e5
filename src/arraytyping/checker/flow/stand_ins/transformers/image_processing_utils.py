"""Processors of images: `pixel_values` is float32, by image, channel, row and column.

Source: https://huggingface.co/docs/transformers/main_classes/image_processor.
"""

import jax.numpy as jnp
from transformers.named_classes import read
from transformers.tokenization_utils_base import BatchEncoding

from arraytyping import facts


class BatchFeature(BatchEncoding):
    pass


def _pixels(images, kind):
    if kind not in ("np", "jax"):
        return facts.reads_only("what a processor of images gives")
    number = len(images) if isinstance(images, (list, tuple)) else facts.size("images", 1)
    made = facts.numpy_array("float32", (number, *(facts.size(name, 1) for name in ("channels", "height", "width"))))
    return made if kind == "np" else jnp.array(made)


class ImageProcessor:
    def __init__(self, *args, **options):
        pass

    @classmethod
    def from_pretrained(cls, *args, **options):
        return read(cls)

    def __call__(self, images=None, *args, **options):
        pixels = _pixels(images, options.get("return_tensors"))
        return BatchFeature({"pixel_values": pixels})

    preprocess = __call__

    def save_pretrained(self, *args, **options):
        return facts.reads_only("the files of a processor")

    def __getattr__(self, name):
        return facts.reads_only("attribute " + name + " of a processor of images")


def __getattr__(name):
    return facts.unknown("transformers.image_processing_utils." + name)
