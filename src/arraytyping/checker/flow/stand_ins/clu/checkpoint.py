"""`clu.checkpoint`: what is restored is like the state that is given.

Source: https://github.com/google/CommonLoopUtils/blob/main/clu/checkpoint.py.
"""

from arraytyping import facts


class Checkpoint:
    def __init__(self, base_directory, *args, **options):
        self.base_directory = base_directory

    @property
    def latest_checkpoint(self):
        return self.get_latest_checkpoint_to_restore_from()

    @property
    def current_checkpoint(self):
        return self.get_latest_checkpoint_to_restore_from()

    def get_latest_checkpoint_to_restore_from(self):
        return facts.one_of(facts.text(), None)

    def save(self, state):
        return facts.text()

    def restore_or_initialize(self, state):
        return facts.restored(state)

    def restore(self, state, checkpoint=None):
        return facts.restored(state)

    def load_state(self, state, checkpoint=None):
        return facts.restored(state)

    def restore_dict(self, checkpoint=None):
        return facts.restored(None)


class MultihostCheckpoint(Checkpoint):
    def __init__(self, multihost_base_directory, *args, **options):
        self.multihost_base_directory = multihost_base_directory


def __getattr__(name):
    return facts.reads_only("clu.checkpoint." + name)
