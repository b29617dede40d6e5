"""`tensorflow.io.gfile`: files by their paths.

Source: https://www.tensorflow.org/api_docs/python/tf/io/gfile.
"""

from arraytyping import facts


def GFile(name, mode="r"):
    return open(name, mode)


Open = GFile


def exists(path):
    return facts.boolean()


isdir = exists


def makedirs(path):
    return None


mkdir = remove = rmtree = makedirs


def copy(src, dst, overwrite=False):
    return None


rename = copy


def glob(pattern):
    return facts.many(facts.text())


listdir = glob


def join(path, *paths):
    return facts.text()


def __getattr__(name):
    return facts.reads_only("tensorflow.io.gfile." + name)
