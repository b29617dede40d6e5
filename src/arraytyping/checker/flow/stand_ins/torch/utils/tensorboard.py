"""`torch.utils.tensorboard`: what is written leaves the program.

Source: https://docs.pytorch.org/docs/stable/tensorboard.html.
"""

from arraytyping import facts


class SummaryWriter:
    def __init__(self, log_dir=None, *args, **options):
        self.log_dir = log_dir

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def add_scalar(self, *args, **options):
        return None

    add_scalars = add_text = add_histogram = add_image = add_images = add_figure = add_video = add_scalar
    add_hparams = add_graph = add_embedding = flush = close = add_scalar


def __getattr__(name):
    return facts.reads_only("torch.utils.tensorboard." + name)
