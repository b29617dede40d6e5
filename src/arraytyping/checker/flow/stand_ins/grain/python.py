"""`grain.python`: the names by which `grain` was imported until its release 0.2."""

from grain.datasets import DatasetIterator, IterDataset, MapDataset
from grain.loaders import DataLoader, DataLoaderIterator, load
from grain.options import MultiprocessingOptions, NoSharding, ReadOptions, ShardByJaxProcess, ShardOptions
from grain.samplers import IndexSampler, Sampler, SequentialSampler
from grain.sources import ArrayRecordDataSource, RandomAccessDataSource, RangeDataSource
from grain.sources import SharedMemoryDataSource as InMemoryDataSource
from grain.transforms import (
    Batch,
    BatchOperation,
    FilterOperation,
    MapOperation,
    RandomMapOperation,
    Record,
    RecordMetadata,
)
from grain.transforms import Filter as FilterTransform
from grain.transforms import FlatMap as FlatMapTransform
from grain.transforms import Map as MapTransform
from grain.transforms import MapWithIndex as MapWithIndexTransform
from grain.transforms import RandomMap as RandomMapTransform

from arraytyping import facts

PyGrainDatasetIterator = DataLoaderIterator


def __getattr__(name):
    return facts.reads_only("grain.python." + name)
