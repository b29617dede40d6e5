"""`flax.training.checkpoints`: what is restored into a target is like the target.

Source: https://flax.readthedocs.io/en/latest/api_reference/flax.training.html.
"""

from arraytyping import facts


def restore_checkpoint(ckpt_dir, target, step=None, prefix="checkpoint_", parallel=True, **options):
    return facts.restored(target)


def save_checkpoint(
    ckpt_dir, target, step, prefix="checkpoint_", keep=1, overwrite=False, keep_every_n_steps=None, **options
):
    return facts.text()


save_checkpoint_multiprocess = save_checkpoint


def latest_checkpoint(ckpt_dir, prefix="checkpoint_"):
    return facts.one_of(facts.text(), None)


def available_steps(ckpt_dir, prefix="checkpoint_", step_type=int):
    return facts.many(step_type(facts.text()))


def natural_sort(file_list, signed=True):
    return facts.many(facts.text())


def safe_normpath(path):
    return facts.text()


def convert_pre_linen(params):
    return facts.reads_only("parameters from before Linen")


class AsyncManager:
    def __init__(self, max_workers=1):
        pass

    def wait_previous_save(self):
        return None

    def save_async(self, task):
        task()
