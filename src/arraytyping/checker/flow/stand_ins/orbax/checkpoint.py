"""`orbax.checkpoint`: what is restored into a target is like the target, and is not known without one.

Source: https://orbax.readthedocs.io/en/latest/api_reference/checkpoint.html.
"""

from arraytyping import facts


class _Arguments:
    """What is said of one item: to save it, or to restore it into something like it."""

    def __init__(self, item=None, *args, **options):
        self.item = item

    def restored(self):
        return facts.restored(self.item)


class _Composite:
    """What is said of several items by their names."""

    def __init__(self, *items, **named):
        self.named = dict(*items, **named)

    def restored(self):
        return _Restored({name: said.restored() for name, said in self.named.items()})


class _Restored:
    """What was restored by name: an attribute or an item for each."""

    def __init__(self, named):
        self._named = named

    def __getitem__(self, name):
        return self._named[name]

    def __getattr__(self, name):
        return self._named[name]

    def keys(self):
        return self._named.keys()

    def items(self):
        return self._named.items()


class args:
    StandardSave = StandardRestore = PyTreeSave = PyTreeRestore = _Arguments
    ArraySave = ArrayRestore = JsonSave = JsonRestore = _Arguments
    Composite = _Composite


class Checkpointer:
    def __init__(self, handler=None, *args, **options):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def save(self, directory, *args, **options):
        return None

    def restore(self, directory, item=None, *arguments, target=None, args=None, restore_args=None, **options):
        if args is not None:
            return args.restored()
        return facts.restored(target if item is None else item)

    def metadata(self, directory):
        return facts.reads_only("the metadata of a checkpoint")

    def wait_until_finished(self):
        return None

    def close(self):
        return None


PyTreeCheckpointer = StandardCheckpointer = AsyncCheckpointer = Checkpointer


class CheckpointManagerOptions:
    def __init__(self, *args, **options):
        for name in options:
            setattr(self, name, options[name])


class CheckpointManager:
    def __init__(self, directory, checkpointers=None, options=None, metadata=None, **others):
        self.directory = directory

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def save(self, step, items=None, **options):
        return facts.boolean()

    def restore(self, step, items=None, restore_kwargs=None, directory=None, args=None):
        if args is not None:
            return args.restored()
        return facts.restored(items)

    def latest_step(self):
        return facts.one_of(facts.integer(), None)

    def best_step(self):
        return facts.one_of(facts.integer(), None)

    def all_steps(self, read=False):
        return facts.many(facts.integer())

    def should_save(self, step):
        return facts.boolean()

    def item_metadata(self, step):
        return facts.reads_only("the metadata of a checkpoint")

    def metrics(self, step):
        return facts.reads_only("the metrics of a checkpoint")

    def reached_preemption(self, step):
        return facts.boolean()

    def delete(self, step):
        return None

    def wait_until_finished(self):
        return None

    def reload(self):
        return None

    def close(self):
        return None


class _Handler:
    def __init__(self, *args, **options):
        pass


PyTreeCheckpointHandler = StandardCheckpointHandler = JsonCheckpointHandler = ArrayCheckpointHandler = _Handler
RestoreArgs = ArrayRestoreArgs = SaveArgs = _Handler


def __getattr__(name):
    return facts.reads_only("orbax.checkpoint")
