"""The loaders of `grain`: they iterate over what their operations make of the elements of a source.

Source: https://google-grain.readthedocs.io/en/latest/data_loader/transformations.html.
"""

from grain.transforms import Batch, applied

from arraytyping import facts


class DataLoader:
    def __init__(self, *, data_source, sampler, operations=(), **options):
        element = data_source[facts.integer()]
        for operation in operations:
            element = applied(operation, element)
        self._one = element

    def __iter__(self):
        return DataLoaderIterator(self._one)


class DataLoaderIterator:
    def __init__(self, one):
        self._one = one

    def __iter__(self):
        return self

    def __next__(self):
        return facts.one_item(facts.many(self._one))

    def get_state(self):
        return facts.data()

    def set_state(self, state):
        return None


def load(
    source,
    *,
    num_epochs=None,
    shuffle=False,
    seed=None,
    transformations=(),
    batch_size=None,
    drop_remainder=False,
    **options,
):
    operations = list(transformations)
    if batch_size is not None:
        operations = [*operations, Batch(batch_size, drop_remainder)]
    return DataLoader(data_source=source, sampler=None, operations=operations)
