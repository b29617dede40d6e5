"""Threads, queues and pools of programs, against their runs."""

from __future__ import annotations

from pathlib import Path

from flow_values import difference, interpreted, run
from test_flow_stand_ins import follow, shown

_SOURCE = """
import concurrent.futures
import queue
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.pool import ThreadPool

import jax
import jax.numpy as jnp
import numpy as np


class Batches(threading.Thread):
    def __init__(self, n):
        super().__init__()
        self.queue = queue.Queue(3)
        self.daemon = True
        self.rows = np.zeros((100, n), np.float32)
        self.count = None
        self.queue.put(self.make())
        self.start()

    def __iter__(self):
        return self

    def __next__(self):
        return jax.tree_util.tree_map(jnp.asarray, self.queue.get())

    def run(self):
        for number in range(7):
            self.queue.put(self.make())
            self.count = number

    def make(self):
        index = np.random.randint(0, 100, (8,))
        return {"x": self.rows[index], "y": index.astype(np.int32)}


batches = Batches(5)
a = next(batches)
for _, b in zip(range(3), batches):
    pass
c = batches.count


def feed(items, q):
    for item in items:
        q.put(item)
    q.put(None)


def take(q):
    while True:
        item = q.get()
        if item is None:
            break
        yield item


d = queue.Queue(maxsize=2)
thread = threading.Thread(target=feed, args=([jnp.ones(2), jnp.ones(2)], d), daemon=True)
thread.start()
e = [2 * item for item in take(d)]
thread.join()
f = thread.is_alive()

with concurrent.futures.ThreadPoolExecutor(max_workers=3) as pool:
    g = pool.submit(lambda n: jnp.ones(n), 3).result()
    h = list(pool.map(lambda n: jnp.zeros(n), [2, 2]))
    i = [done.result() for done in concurrent.futures.as_completed([pool.submit(np.zeros, (3,)) for _ in range(2)])]
with ThreadPool(2) as pool:
    j = pool.map(np.sqrt, [np.ones(3)])
    k = np.stack(pool.starmap(np.add, [(np.ones(3), 2)]))
    l = pool.apply_async(np.ones, (2,)).get()
m = queue.Queue()
try:
    n = m.get_nowait()
except queue.Empty:
    n = 3
"""


def test_threads_queues_and_pools_against_their_run() -> None:
    known, result = interpreted(_SOURCE)
    assert not [m for m in result.diagnostics if m.is_certain]
    real = run(_SOURCE)
    names = [name for name in real if len(name) == 1 and name not in "dm"]
    assert not {n: text for n in names if (text := difference(known[n], real[n])) is not None}
    assert {name: item.aval.shape for name, item in known["a"].items.items()} == {"x": (8, 5), "y": (8,)}
    assert known["b"].items["x"].aval.dtype == "float32"
    assert known["k"].shape == (1, 3)
    assert "Unknown" not in repr([known[name] for name in "abefghijkl"])


def test_what_threads_do_is_never_certain(tmp_path: Path) -> None:
    """Items that are put later, what is changed later, functions that are not followed."""
    found, names = follow(
        tmp_path,
        """
        import queue, threading, no_such_library
        seen = []
        q = queue.Queue()
        q.put(jnp.ones(3))
        def work():
            while True:
                seen.append(q.get())
        threading.Thread(target=work).start()
        q.put(jnp.ones((5, 1), int))
        class Source:
            def __init__(self):
                self.queue = queue.Queue()
                self.n = 3
                self.last = None
            def fill(self):
                for number in range(9):
                    self.queue.put(jnp.zeros(self.n))
                    self.last = number
        source = Source()
        threading.Thread(target=source.fill).start()
        a = source.queue.get()
        b = source.last
        source.n = 4
        c = source.queue.get()
        r = queue.Queue()
        r.put(jnp.ones(3))
        threading.Thread(target=no_such_library.f, args=(r,)).start()
        d = r.get()
        e = seen
        """,
    )
    assert not [m for m in found.diagnostics if m.is_certain]
    assert difference(names["b"], None) is None
    assert difference(names["b"], 4) is None
    assert (names["c"].aval.dtype, names["c"].aval.shape) == ("float32", (None,))
    assert difference(names["d"], 7) is None
    assert difference(names["e"], [1, "x"]) is None


def test_a_thread_without_a_target(tmp_path: Path) -> None:
    text = """
        import threading
        class Worker(threading.Thread):
            def run(self):
                self.made = jnp.ones(3)
        worker = Worker(daemon=True)
        worker.start()
        worker.join()
        x = getattr(worker, "made", None)
        y = worker.daemon
        """
    assert shown(tmp_path, text) == ["something else", "the Python bool True"]
