"""Data sets: a row is a dict, and several rows are a dict of lists.

Of a data set that is read the names of columns are not known; those that `map` gives are, and there are no others where
it removes all that were there (`remove_columns=dataset.column_names`).

Source: https://huggingface.co/docs/datasets/package_reference/main_classes, and the cards of the published data sets.
"""

from datasets.parts import in_parts
from datasets.rows import LazyRow, an_image, item_of

from arraytyping import facts


def columns_of(path):
    """The columns of a published data set, each with what one row has; None if they are not known."""
    gray, label = an_image("L", 28, 28), facts.integer()
    if path in ("mnist", "ylecun/mnist", "fashion_mnist", "zalando-datasets/fashion_mnist"):
        return {"image": gray, "label": label}
    if path in ("cifar10", "uoft-cs/cifar10"):
        return {"img": an_image("RGB", 32, 32), "label": label}
    if path in ("cifar100", "uoft-cs/cifar100"):
        return {"img": an_image("RGB", 32, 32), "fine_label": label, "coarse_label": label}
    if path in ("imdb", "stanfordnlp/imdb", "ag_news", "fancyzhx/ag_news", "rotten_tomatoes"):
        return {"text": facts.text(), "label": label}
    return None


class _Names:
    """The names of all columns, of which it is not known which they are."""

    def __iter__(self):
        return iter(facts.many(facts.text()))

    def __getitem__(self, key):
        return facts.text() if isinstance(key, int) else facts.many(facts.text())

    def __contains__(self, name):
        return facts.boolean()

    def __len__(self):
        return facts.integer()


class _Table:
    """Columns by their names, each with what one row has; whether there are others; and how rows are given."""

    def __init__(self, columns=None, is_all=None, format=None):
        self._columns = {} if columns is None else columns
        self._is_all = (columns is not None) if is_all is None else is_all
        self._format = format

    def _with(self, columns, is_all):
        """A table of other columns, with so many rows."""
        return type(self)(columns, is_all, self._format)

    def _another(self):
        """One of the parts that are read together."""
        return self

    def _row(self):
        """A dict; of one whose keys are not all known nothing is said, since it would not be told from one that is."""
        if self._format is not None or not self._is_all:
            return facts.reads_only("rows in a format, or of which not all columns are known")
        return dict(self._columns)

    def _rows(self, number):
        if self._format is not None or not self._is_all:
            return facts.reads_only("rows in a format, or of which not all columns are known")
        return self._lists(number)

    def _lists(self, number):
        """The columns of so many rows."""
        return {name: facts.rows([item], number) for name, item in self._columns.items()}

    @property
    def column_names(self):
        return list(self._columns) if self._is_all else _Names()

    @property
    def features(self):
        return facts.reads_only("the features of a data set")

    def map(
        self, function=None, with_indices=False, with_rank=False, input_columns=None, batched=False, *args,
        remove_columns=None, **options
    ):  # fmt: skip
        if function is None or with_rank is not False or args or batched not in (True, False):
            return self._with({}, False)
        if with_indices not in (True, False):
            return self._with({}, False)
        more = () if not with_indices else (facts.many(facts.integer()) if batched else facts.integer(),)
        number = facts.size("rows", 1) if batched else None
        row = LazyRow(self._lists(number) if batched else dict(self._columns), number, self._is_all)
        if self._format is not None:
            row = facts.reads_only("rows in a format")
        if input_columns is None:
            given = (row,)
        else:
            names = [input_columns] if isinstance(input_columns, str) else input_columns
            given = tuple(row[name] for name in names)
        made = function(*given, *more, **(options.get("fn_kwargs") or {}))
        is_changed_row = isinstance(made, LazyRow)
        if is_changed_row:
            made = made.known
        elif hasattr(made, "data"):
            made = made.data
        if not isinstance(made, dict):
            return self._with({}, False)
        added = {name: item_of(value) if batched else value for name, value in made.items()}
        if isinstance(remove_columns, _Names):
            return self._with(added, True)
        names = [] if remove_columns is None else remove_columns
        left = self.remove_columns(names)
        if is_changed_row and names:  # those stay that the function has bound anew, which is not known
            return self._with({name: item for name, item in added.items() if name not in names}, False)
        return self._with({**left._columns, **added}, left._is_all)

    def remove_columns(self, column_names):
        if isinstance(column_names, _Names):
            return self._with({}, True)
        names = [column_names] if isinstance(column_names, str) else column_names
        return self._with({name: item for name, item in self._columns.items() if name not in names}, self._is_all)

    def select_columns(self, column_names):
        names = [column_names] if isinstance(column_names, str) else column_names
        row = LazyRow(self._columns, None, self._is_all)
        return self._with({name: row[name] for name in names}, True)

    def rename_column(self, original_column_name, new_column_name):
        return self.rename_columns({original_column_name: new_column_name})

    def rename_columns(self, column_mapping):
        return self._with(
            {column_mapping.get(name, name): item for name, item in self._columns.items()}, self._is_all
        )

    def with_format(self, type=None, *args, **options):
        made = self._with(self._columns, self._is_all)
        made._format = type if not args and not options else "unknown"
        return made

    def shuffle(self, *args, **options):
        return self

    def filter(self, function=None, *args, **options):
        if function is not None:
            facts.call_with_anything(function)
        return type(self)(self._columns, self._is_all, self._format)

    def cast(self, *args, **options):
        return self._with({}, False)

    cast_column = cast

    def __getattr__(self, name):
        return facts.reads_only("attribute " + name + " of a data set")


class IterableDataset(_Table):
    def __iter__(self):
        return iter(facts.many(self._row()))

    def take(self, n):
        return self

    skip = repeat = take

    def iter(self, batch_size, drop_last_batch=False):
        return iter(facts.many(self._rows(batch_size if drop_last_batch is True else facts.size("rows", 1))))


class Dataset(_Table):
    def __init__(self, columns=None, is_all=None, format=None, number=None):
        super().__init__(columns, is_all, format)
        self.num_rows = facts.size("rows") if number is None else number

    def _another(self):
        """A data set with the same columns, and some rows."""
        return Dataset(self._columns, self._is_all, self._format, facts.size("rows", 1))

    def _with(self, columns, is_all):
        return type(self)(columns, is_all, self._format, self.num_rows)

    @classmethod
    def from_dict(cls, mapping, *args, **options):
        if not isinstance(mapping, dict):
            return cls()
        return cls({name: item_of(value) for name, value in mapping.items()}, True)

    @classmethod
    def from_list(cls, mapping, *args, **options):
        return cls()

    from_pandas = from_generator = from_csv = from_json = from_parquet = from_list

    def __len__(self):
        return self.num_rows

    def __iter__(self):
        return iter(facts.many(self._row()))

    def __getitem__(self, key):
        if isinstance(key, str) and self._format is not None:
            return facts.reads_only("a column in a format")
        if isinstance(key, str):
            return facts.rows([LazyRow(self._columns, None, self._is_all)[key]], self.num_rows)
        if isinstance(key, int):
            return self._row()
        return self._rows(facts.size("rows") if isinstance(key, slice) else len(key))

    def set_format(self, type=None, *args, **options):
        self._format = type if not args and not options else "unknown"

    def reset_format(self):
        self._format = None

    def sort(self, *args, **options):
        return self

    def flatten_indices(self, *args, **options):
        return self

    def select(self, indices, *args, **options):
        number = len(indices) if isinstance(indices, (range, list)) else None
        return type(self)(self._columns, self._is_all, self._format, number)

    def shard(self, *args, **options):
        return type(self)(self._columns, self._is_all, self._format)

    def train_test_split(self, *args, **options):
        return in_parts(self._another())

    def iter(self, batch_size, drop_last_batch=False):
        return iter(facts.many(self._rows(batch_size if drop_last_batch is True else facts.size("rows", 1))))

    def add_column(self, name, column, *args, **options):
        return self._with({**self._columns, name: item_of(column)}, self._is_all)


def __getattr__(name):
    return facts.reads_only("datasets." + name)
