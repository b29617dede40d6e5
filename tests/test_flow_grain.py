"""The stand-in for `grain`: what a batch of its data sets is, against the library where it is installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from flow_values import difference
from test_flow_stand_ins import follow

from arraytyping.checker.flow.state.showing import show

_PROGRAM = """
import dataclasses
import grain
import grain.python as pygrain
import numpy as np

class Source:
    def __init__(self, n): self._images = np.zeros((n, 28, 28), np.uint8)
    def __len__(self): return len(self._images)
    def __getitem__(self, index): return {"image": self._images[index], "label": index}

class Scale(pygrain.MapTransform):
    def map(self, element):
        return {"image": element["image"].astype(np.float32) / 255.0, "label": np.int32(element["label"])}

@dataclasses.dataclass(frozen=True)
class Noise(grain.transforms.RandomMap):
    scale: float
    def random_map(self, element, rng):
        noise = rng.normal(size=(28, 28)).astype(np.float32)
        return element["image"] + self.scale * noise, element["label"]

class IsEven(pygrain.FilterTransform):
    def filter(self, element): return int(element["label"]) % 2 == 0

def rows(records):
    for record in records:
        yield pygrain.Record(record.metadata.remove_record_key(), record.data["image"][0])

source = Source(100)
sampler = pygrain.IndexSampler(num_records=100, shuffle=True, seed=0, num_epochs=1, shard_options=pygrain.NoSharding())
def load(*operations):
    return pygrain.DataLoader(data_source=source, sampler=sampler, operations=list(operations), worker_count=0)

for batch in load(Scale(), IsEven(), pygrain.Batch(batch_size=10, drop_remainder=True)):
    a, b = batch["image"], batch["label"]
c = next(iter(load(Scale(), rows, pygrain.Batch(batch_size=8, drop_remainder=True))))
images = grain.MapDataset.source(source).seed(3).shuffle().map(Scale()).map(lambda element: element["image"])
d = images[0]
e = images.batch(5, drop_remainder=True)[0]
f = next(iter(images.to_iter_dataset().batch(5)))
g = next(iter(grain.MapDataset.range(10).map(lambda i: i * 2.0).batch(2, drop_remainder=True)))
pairs = grain.MapDataset.source(source).seed(1).map(Scale()).random_map(Noise(0.5)).repeat(2).to_iter_dataset()
h, i = next(iter(pairs.batch(4, drop_remainder=True)))
j = next(iter(grain.load(source, batch_size=7, drop_remainder=True, transformations=[Scale()])))["label"]
k = images.batch(3, drop_remainder=True, batch_fn=lambda several: np.stack(several).sum(0))[0]
"""


def test_batches_are_known_and_are_what_the_library_gives(tmp_path: Path) -> None:
    result, names = follow(tmp_path, _PROGRAM)
    assert not result.diagnostics
    found = {name: show(value).removeprefix("the NumPy array ") for name, value in names.items() if len(name) == 1}
    size = found["f"].partition("[")[2].partition(",")[0]
    assert size.startswith("batch")
    assert found == {
        "a": "float32[10, 28, 28]", "b": "int32[10]", "c": "float32[8, 28]", "d": "float32[28, 28]",
        "e": "float32[5, 28, 28]", "f": f"float32[{size}, 28, 28]", "g": "float64[2]", "h": "float32[4, 28, 28]",
        "i": "int32[4]", "j": "int32[7]", "k": "float32[28, 28]",
    }  # fmt: skip
    if importlib.util.find_spec("grain") is not None:
        real: dict[str, object] = {}
        exec(compile(_PROGRAM, "train.py", "exec"), real)
        assert not {name: text for name in found if (text := difference(names[name], real[name]))}


def test_what_inherits_from_two_sorts_of_transformations_is_each(tmp_path: Path) -> None:
    _, names = follow(
        tmp_path,
        """
        import grain
        from grain.transforms import Filter, Map
        class Both(Map, Filter): pass
        class Other: pass
        a = [isinstance(Both(), Map), isinstance(Both(), Filter), isinstance(Both(), grain.transforms.Batch)]
        b = [isinstance(Both(), Other), isinstance(Other(), Map), issubclass(Both, grain.transforms.RandomMap)]
        """,
    )
    assert names["a"].items == [True, True, False]
    assert names["b"].items == [False, False, False]


def test_examples_of_tensorflow_datasets_are_a_source(tmp_path: Path) -> None:
    _, names = follow(
        tmp_path,
        """
        import grain.python as grain
        import tensorflow_datasets as tfds
        source = tfds.data_source("mnist", split="train")
        sampler = grain.IndexSampler(num_records=len(source), shuffle=True, seed=1)
        operations = [grain.Batch(32, drop_remainder=True)]
        for batch in grain.DataLoader(data_source=source, sampler=sampler, operations=operations):
            a, b = batch["image"], batch["label"]
        """,
    )
    assert [show(names[name]) for name in "ab"] == ["the NumPy array uint8[32, 28, 28, 1]", "the NumPy array int64[32]"]
