"""`clu.deterministic_data`: a data set that is mapped and batched.

Source: https://github.com/google/CommonLoopUtils/blob/main/clu/deterministic_data.py.
"""

from tensorflow.tensors import Tensor
from tensorflow_datasets import core

from arraytyping import facts


class RemainderOptions:
    DROP, BALANCE_ON_PROCESSES, ON_FIRST_PROCESS = 0, 1, 2


def get_read_instruction_for_host(split, num_examples=None, **options):
    return core.ReadInstruction(split)


def _with_seed(preprocess_fn):
    """A function of an element with a seed of its own."""

    def mapped(features):
        features["rng"] = Tensor(facts.numpy_array("int64", (2,)))
        made = preprocess_fn(features)
        if isinstance(made, dict) and "rng" in made:
            del made["rng"]
        return made

    return mapped


def pad_dataset(dataset, *, batch_dims, pad_up_to_batches=None, cardinality=None):
    return dataset.map(lambda features: dict(mask=Tensor(facts.numpy_array("bool", ())), **features))


def create_dataset(
    dataset_builder, *, split, batch_dims=(), rng=None, filter_fn=None, preprocess_fn=None, decoders=None, cache=False,
    num_epochs=None, shuffle=True, shuffle_buffer_size=10_000, prefetch_size=4, pad_up_to_batches=None,
    cardinality=None, drop_remainder=True,
):  # fmt: skip
    data = dataset_builder.as_dataset(split=split, decoders=decoders)
    if filter_fn is not None:
        data = data.filter(filter_fn)
    if preprocess_fn is not None:
        data = data.map(preprocess_fn if rng is None else _with_seed(preprocess_fn))
    if pad_up_to_batches is not None:
        data = pad_dataset(data, batch_dims=batch_dims)
    for batch_size in reversed(batch_dims):
        data = data.batch(batch_size, drop_remainder=drop_remainder)
    return data


def __getattr__(name):
    return facts.reads_only("clu.deterministic_data." + name)
