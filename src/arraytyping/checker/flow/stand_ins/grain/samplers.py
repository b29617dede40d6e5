"""`grain.samplers`: in which order elements are read."""

from arraytyping import facts


class Sampler:
    def __init__(self, *args, **options):
        pass

    def __getattr__(self, name):
        return facts.reads_only("an attribute of a sampler")


class IndexSampler(Sampler):
    pass


class SequentialSampler(Sampler):
    pass
