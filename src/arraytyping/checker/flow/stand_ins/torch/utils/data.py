"""`torch.utils.data`: what one batch of a loader is.

Source: https://docs.pytorch.org/docs/stable/data.html.
"""

import numpy as np
from torch import Tensor, tensor_of

from arraytyping import facts


class Dataset:
    pass


class IterableDataset(Dataset):
    pass


class TensorDataset(Dataset):
    def __init__(self, *tensors):
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple([_one(tensor) for tensor in self.tensors])

    def __len__(self):
        return len(self.tensors[0])


def _one(tensor):
    if isinstance(tensor, Tensor):
        return tensor_of(facts.numpy_array(tensor.numpy().dtype, tensor.shape[1:]))
    return facts.unknown("an item of a data set")


def default_collate(batch):
    """Of a list of items: arrays, numbers, and tuples and dicts of them, with one more axis."""
    size = facts.size("batch", 1)
    for item in batch:
        return _stacked(item, size)
    return facts.unknown("a batch of a loader")


def _stacked(item, size):
    if isinstance(item, Tensor):
        return tensor_of(facts.numpy_array(item.numpy().dtype, (size, *item.shape)))
    if isinstance(item, np.ndarray):
        return tensor_of(facts.numpy_array(item.dtype, (size, *item.shape)))
    if isinstance(item, bool):
        return tensor_of(facts.numpy_array("bool", (size,)))
    if isinstance(item, int):
        return tensor_of(facts.numpy_array("int64", (size,)))
    if isinstance(item, float):
        return tensor_of(facts.numpy_array("float64", (size,)))
    if isinstance(item, tuple):
        return [_stacked(part, size) for part in item]
    if isinstance(item, dict):
        return {key: _stacked(part, size) for key, part in item.items()}
    return facts.unknown("an item of a batch")


class DataLoader:
    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, **options):
        self.dataset = dataset
        self.batch_size = batch_size
        self._size = batch_size if options.get("drop_last") is True and batch_sampler is None else None
        self._collate = options.get("collate_fn")

    def __iter__(self):
        if self.batch_size is None:
            return iter(facts.many(facts.unknown("a batch of a loader")))
        item = self.dataset[facts.integer()]
        if self._collate is not None:
            return iter(facts.many(self._collate(facts.many(item) if self._size is None else [item] * self._size)))
        return iter(facts.many(_stacked(item, facts.size("batch", 1) if self._size is None else self._size)))

    def __len__(self):
        return facts.size("batches")


def __getattr__(name):
    return facts.unknown("torch.utils.data." + name)
