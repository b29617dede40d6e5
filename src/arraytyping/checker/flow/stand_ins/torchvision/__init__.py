"""`torchvision`: its data sets, and those of its transforms that change what is known of an image."""

from arraytyping import facts


def __getattr__(name):
    return facts.unknown("torchvision." + name)
