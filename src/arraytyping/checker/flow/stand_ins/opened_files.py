"""A file that is opened, by whatever function.

Source: https://docs.python.org/3/library/io.html.
"""

from arraytyping import facts


class _File:
    def __init__(self, path=None):
        self._path = path

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def close(self):
        return None

    def flush(self):
        return None

    def write(self, text):
        return facts.integer()

    def writelines(self, lines):
        return None

    def seek(self, offset, whence=0):
        return facts.integer()

    def tell(self):
        return facts.integer()


class TextFile(_File):
    def read(self, size=-1):
        return facts.file_text(self._path) if size == -1 else facts.text()

    def readline(self, size=-1):
        return facts.text()

    def readlines(self, hint=-1):
        return facts.many(facts.text())

    def __iter__(self):
        return iter(facts.many(facts.text()))


class BinaryFile(_File):
    def read(self, size=-1):
        return facts.data()

    readline = read

    def readlines(self, hint=-1):
        return facts.many(facts.data())

    def __iter__(self):
        return iter(facts.many(facts.data()))
