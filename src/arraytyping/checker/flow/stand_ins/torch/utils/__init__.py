"""`torch.utils`: see `torch.utils.data`."""

from arraytyping import facts


def __getattr__(name):
    return facts.unknown("torch.utils." + name)
