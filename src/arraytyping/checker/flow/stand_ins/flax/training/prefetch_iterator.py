"""`flax.training.prefetch_iterator`: the items of the iterator that is read ahead.

Source: https://flax.readthedocs.io/en/v0.10.0/api_reference/flax.training.html.
"""


class PrefetchIterator:
    def __init__(self, data_iter, buffer_size=1):
        self._data_iter = data_iter
        self.buffer_size = buffer_size

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._data_iter)

    def close(self):
        pass
