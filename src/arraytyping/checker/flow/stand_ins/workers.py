"""Threads, queues and pools of workers: what is put is what is got, and what workers are given is called.

When a thread does something is not known, so what its function does may have been done, or not, wherever it is looked at.

Source: https://docs.python.org/3/library/concurrency.html.
"""

from functools import partial

from arraytyping import facts


_started = []


class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        self._called = None if target is None else partial(target, *args, **(kwargs or {}))
        self.name = facts.text() if name is None else name
        self.daemon = facts.boolean() if daemon is None else daemon

    def run(self):
        if self._called is not None:
            self._called()

    def start(self):
        _started.append(self)
        self._go_on()

    def _go_on(self):
        facts.call_meanwhile(self.run if self._called is None else self._called)

    def join(self, timeout=None):
        return None

    def is_alive(self):
        return facts.boolean()

    @property
    def ident(self):
        return facts.one_of(facts.integer(), None)

    native_id = ident

    def getName(self):
        return self.name

    def setName(self, name):
        self.name = name

    def isDaemon(self):
        return self.daemon

    def setDaemon(self, daemonic):
        self.daemon = daemonic

    def __getattr__(self, name):
        raise AttributeError(name)


class Queue:
    def __init__(self, maxsize=0, **options):
        self.maxsize = maxsize
        self._items = facts.queued()

    def put(self, item, block=True, timeout=None):
        self._items.append(item)

    def put_nowait(self, item):
        self._items.append(item)

    def get(self, block=True, timeout=None):
        if facts.is_meanwhile():
            return facts.unknown("what is put into a queue while a thread goes on")
        for thread in _started:
            thread._go_on()
        return facts.one_item(self._items)

    def get_nowait(self):
        return self.get()

    @property
    def queue(self):
        return facts.many(facts.one_item(self._items))

    def qsize(self):
        return facts.integer()

    def empty(self):
        return facts.boolean()

    def full(self):
        return facts.boolean()

    def task_done(self):
        return None

    def join(self):
        return None

    def __getattr__(self, name):
        if name in ("all_tasks_done", "mutex", "not_empty", "not_full", "unfinished_tasks"):
            return facts.reads_only("attribute " + name + " of a queue")
        raise AttributeError(name)


class Future:
    def __init__(self, result):
        self._result = result

    def result(self, timeout=None):
        return self._result

    get = result

    def __getattr__(self, name):
        return facts.reads_only("attribute " + name + " of a future")


class Pool:
    """A pool of threads or processes, of `concurrent.futures` or `multiprocessing`."""

    def __init__(self, *args, **options):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def submit(self, function, /, *args, **options):
        return Future(function(*args, **options))

    def apply(self, function, args=(), kwds=None):
        return function(*args, **(kwds or {}))

    def apply_async(self, function, args=(), kwds=None, callback=None, error_callback=None):
        made = function(*args, **(kwds or {}))
        if callback is not None:
            callback(made)
        return Future(made)

    def shutdown(self, wait=True, **options):
        return None

    def close(self):
        return None

    terminate = join = close


class Executor(Pool):
    def map(self, function, *iterables, timeout=None, chunksize=1):
        return iter([function(*items) for items in zip(*iterables)])


class ProcessPool(Pool):
    def map(self, function, iterable, chunksize=None):
        return [function(item) for item in iterable]

    def starmap(self, function, iterable, chunksize=None):
        return [function(*items) for items in iterable]

    def imap(self, function, iterable, chunksize=1):
        return iter([function(item) for item in iterable])

    def imap_unordered(self, function, iterable, chunksize=1):
        items = [function(item) for item in iterable]
        return iter(facts.many(facts.one_of(*items))) if items else iter([])


def as_completed(futures, timeout=None):
    return iter(facts.many(facts.one_item(list(futures))))
