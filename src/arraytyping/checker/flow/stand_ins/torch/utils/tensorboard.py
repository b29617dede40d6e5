"""`torch.utils.tensorboard`: what is written leaves the program, as with `tensorboardX`.

Source: https://docs.pytorch.org/docs/stable/tensorboard.html.
"""

import tensorboardX

from arraytyping import facts


class SummaryWriter(tensorboardX.SummaryWriter):
    def __init__(self, log_dir=None, *args, **options):
        self.log_dir = log_dir


def __getattr__(name):
    return facts.reads_only("torch.utils.tensorboard." + name)
