"""The data sets of `grain`: what one element is, and what becomes of it.

Source: https://google-grain.readthedocs.io/en/latest/grain.dataset.html.
"""

from grain.transforms import applied, batched, filtered, mapped, mapped_at_random, mapped_with_index

from arraytyping import facts


class _Dataset:
    """With elements of one kind; which class it has, its subclasses say."""

    def __init__(self, parents=()):
        self.one = parents.one if isinstance(parents, _Dataset) else facts.reads_only("an element of a data set")

    def _with(self, element):
        made = type(self)()
        made.one = element
        return made

    def map(self, transform):
        return self._with(mapped(transform, self.one))

    def random_map(self, transform, *, seed=None):
        return self._with(mapped_at_random(transform, self.one))

    def map_with_index(self, transform):
        return self._with(mapped_with_index(transform, self.one))

    def filter(self, transform):
        return self._with(filtered(transform, self.one))

    def batch(self, batch_size, *, drop_remainder=False, batch_fn=None):
        return self._with(batched(self.one, batch_size, drop_remainder, batch_fn))

    def apply(self, transformations):
        element = self.one
        several = transformations if isinstance(transformations, (list, tuple)) else [transformations]
        for transform in several:
            element = applied(transform, element)
        return self._with(element)

    def seed(self, seed):
        return self

    def pipe(self, func, /, *args, **kwargs):
        return func(self, *args, **kwargs)

    def __iter__(self):
        return iter(facts.many(self.one))


class MapDataset(_Dataset):
    @classmethod
    def source(cls, source):
        made = MapDataset()
        made.one = source[facts.integer()]
        return made

    @classmethod
    def range(cls, start, stop=None, step=1):
        made = MapDataset()
        made.one = facts.integer()
        return made

    @classmethod
    def mix(cls, datasets, weights=None):
        parts = datasets.values() if isinstance(datasets, dict) else datasets
        return MapDataset()._with(facts.one_of(*[part.one for part in parts]))

    concatenate = mix

    @classmethod
    def select_from_datasets(cls, datasets, selection_map):
        return cls.mix(datasets)

    def shuffle(self, seed=None):
        return self

    def slice(self, sl):
        return self

    def repeat(self, num_epochs=None, reseed_each_epoch=True):
        return self

    def to_iter_dataset(self, *args, **options):
        made = IterDataset()
        made.one = self.one
        return made

    def filter(self, transform):
        """Where an element does not pass, None stands at its index; who iterates meets none of these."""
        made = _Filtered()
        made.one = filtered(transform, self.one)
        return made

    def __len__(self):
        return facts.size("elements")

    def __getitem__(self, index):
        return self if isinstance(index, slice) else self.one


class _Filtered(MapDataset):
    def __getitem__(self, index):
        return self if isinstance(index, slice) else facts.one_of(self.one, None)


class IterDataset(_Dataset):
    @classmethod
    def mix(cls, datasets, weights=None):
        parts = datasets.values() if isinstance(datasets, dict) else datasets
        return IterDataset()._with(facts.one_of(*[part.one for part in parts]))

    def prefetch(self, multiprocessing_options=None):
        return self

    def mp_prefetch(self, options=None, **more):
        return self

    def __getattr__(self, name):
        return facts.reads_only("IterDataset." + name)


class DatasetIterator:
    pass
