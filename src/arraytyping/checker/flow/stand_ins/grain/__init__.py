"""`grain`: data sets whose elements are read by index and changed one after another.

Source: https://google-grain.readthedocs.io.
"""

from grain import samplers, sharding, sources, transforms
from grain.datasets import DatasetIterator, IterDataset, MapDataset
from grain.loaders import DataLoader, DataLoaderIterator, load
from grain.options import MultiprocessingOptions, ReadOptions
from grain.transforms import Record, RecordMetadata

from arraytyping import facts


def __getattr__(name):
    return facts.reads_only("grain." + name)
