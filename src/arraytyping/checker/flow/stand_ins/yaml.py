"""`yaml`: what configurations of the project hold.

Source: https://pyyaml.org/wiki/PyYAMLDocumentation.
"""

from arraytyping import facts


class Loader:
    pass


class SafeLoader(Loader):
    pass


class FullLoader(Loader):
    pass


UnsafeLoader = CLoader = CSafeLoader = CFullLoader = BaseLoader = SafeLoader


class YAMLError(Exception):
    pass


def safe_load(stream):
    return facts.parsed("yaml", stream)


def full_load(stream):
    return facts.parsed("yaml", stream)


def load(stream, Loader=None):
    known = (SafeLoader, FullLoader, UnsafeLoader)
    return facts.parsed("yaml", stream) if Loader is None or Loader in known else facts.unknown("a loader of its own")


unsafe_load = full_load


def dump(data, stream=None, Dumper=None, **options):
    return facts.text() if stream is None else None


safe_dump = dump
