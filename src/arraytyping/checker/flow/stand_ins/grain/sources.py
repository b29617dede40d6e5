"""`grain.sources`: where elements are read from.

Source: https://google-grain.readthedocs.io/en/latest/data_sources.html.
"""

from arraytyping import facts


class ArrayRecordDataSource:
    def __init__(self, *args, **options):
        pass

    def __len__(self):
        return facts.size("records")

    def __getitem__(self, record_key):
        return facts.data()


class RangeDataSource:
    def __init__(self, start, stop, step):
        pass

    def __len__(self):
        return facts.size("elements")

    def __getitem__(self, record_key):
        return facts.integer()


class SharedMemoryDataSource:
    def __init__(self, elements=None, *, name=None):
        self._elements = facts.many(facts.reads_only("an element in shared memory")) if elements is None else elements

    def __len__(self):
        return facts.size("elements")

    def __getitem__(self, record_key):
        return facts.one_item(self._elements)


class RandomAccessDataSource:
    pass
