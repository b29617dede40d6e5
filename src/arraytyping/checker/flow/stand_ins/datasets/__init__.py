"""`datasets`: tables with a number of rows; columns are known of published ones, and of what `map` is given.

Source: https://huggingface.co/docs/datasets/package_reference/main_classes.
"""

from datasets.parts import DatasetDict, in_parts
from datasets.tables import Dataset, IterableDataset, columns_of

from arraytyping import facts


def load_dataset(path, name=None, *args, split=None, streaming=False, **options):
    columns = columns_of(path) if name is None and not args else None
    if streaming is True:
        made = IterableDataset(columns)
        return made if isinstance(split, str) else in_parts(made)
    if streaming is not False:
        return facts.reads_only("a data set that may be streamed")
    if isinstance(split, (list, tuple)):
        return [Dataset(columns)._another() for _ in split]
    if split is None:
        return in_parts(Dataset(columns))
    return Dataset(columns)._another() if isinstance(split, str) else facts.reads_only("a data set, or its parts")


def concatenate_datasets(dsets, *args, **options):
    return Dataset()


def load_from_disk(*args, **options):
    return facts.reads_only("a data set that is read")


def disable_progress_bars(*args, **options):
    return None


disable_caching = enable_caching = set_progress_bar_enabled = disable_progress_bar = disable_progress_bars


def __getattr__(name):
    return facts.reads_only("datasets." + name)
