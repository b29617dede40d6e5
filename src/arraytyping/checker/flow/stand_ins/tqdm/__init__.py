"""`tqdm`: loops that show their progress.

Source: https://tqdm.github.io/docs/tqdm/.
"""


class tqdm:
    def __init__(self, iterable=None, *args, **kwargs):
        self.iterable = iterable
        self.total = kwargs.get("total")
        self.n = kwargs.get("initial", 0)

    def __iter__(self):
        return iter(self.iterable)

    def __len__(self):
        return len(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def update(self, n=1):
        self.n = self.n + n

    def close(self):
        return None

    def refresh(self, *args, **kwargs):
        return None

    def reset(self, total=None):
        self.n = 0

    def set_description(self, *args, **kwargs):
        return None

    set_description_str = set_postfix = set_postfix_str = display = clear = set_description

    @classmethod
    def write(cls, *args, **kwargs):
        return None


def trange(*args, **kwargs):
    return tqdm(range(*args), **kwargs)


tqdm_notebook = tqdm
tnrange = trange
