"""The options of `grain`, which change nothing of an element."""

from arraytyping import facts


class _Options:
    def __init__(self, *args, **options):
        pass

    def __getattr__(self, name):
        return facts.reads_only("an option of grain")


class ReadOptions(_Options):
    pass


class MultiprocessingOptions(_Options):
    pass


class ShardOptions(_Options):
    pass


class ShardByJaxProcess(ShardOptions):
    pass


class NoSharding(ShardOptions):
    pass
