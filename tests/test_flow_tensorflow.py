"""Tensors and data sets of TensorFlow: dtypes and shapes as TensorFlow gives them, where flow knows any.

The table was made by TensorFlow 2, and where it is installed it is asked again.  `?` is a size that hangs on data.
"""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest

from arraytyping.checker.flow.start.program import interpret
from arraytyping.checker.flow.state.showing import show

TABLE = Path(__file__).parent / "data" / "tensorflow.json"
HEAD = """\
import numpy as np, tensorflow as tf
i = tf.constant(np.zeros((6, 5, 3), np.uint8))
b = tf.constant(np.zeros((2, 6, 5, 3), np.float32))
f = tf.constant(np.zeros((6, 5, 3), np.float32))
h = tf.cast(f, tf.bfloat16)
n = tf.constant([1, 2, 3])
def data():
    return tf.data.Dataset.from_tensor_slices({"x": np.zeros((8, 6, 5, 3), np.uint8), "y": np.zeros(8, np.int64)})
def first(d): return next(iter(d))
example = tf.train.Example(features=tf.train.Features(feature={
    "a": tf.train.Feature(float_list=tf.train.FloatList(value=[1.0, 2.0, 3.0])),
    "t": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"xyz"])),
})).SerializeToString()
"""
EXPRESSIONS: dict[str, str] = json.loads(TABLE.read_text())


@pytest.mark.parametrize("expressions", [list(EXPRESSIONS)[at : at + 12] for at in range(0, len(EXPRESSIONS), 12)])
def test_dtypes_and_shapes(tmp_path: Path, expressions: list[str]) -> None:
    lines = [f"e{at} = ({expression}).numpy()\n" for at, expression in enumerate(expressions)]
    program = tmp_path / "program.py"
    program.write_text(HEAD + "".join(lines))
    result = interpret(program, (tmp_path,))
    assert not result.crashes
    assert not [m for m in result.diagnostics if m.is_certain]
    names = result.interpreter.importer.modules["__main__"].frame.variables
    found = {e: _anonymous(show(names[f"e{at}"])) for at, e in enumerate(expressions)}
    assert found == {expression: EXPRESSIONS[expression] for expression in expressions}


@pytest.mark.skipif(importlib.util.find_spec("tensorflow") is None, reason="TensorFlow is not installed")
def test_the_table_is_that_of_tensorflow() -> None:
    scope: dict[str, Any] = {}
    exec(HEAD, scope)
    made = {expression: eval(f"({expression}).numpy()", scope) for expression in EXPRESSIONS}
    found = {e: f"{a.dtype}[{', '.join(map(str, a.shape))}]" for e, a in made.items()}
    assert {e: found[e] for e in EXPRESSIONS if not re.fullmatch(_sizes(EXPRESSIONS[e]), found[e])} == {}


def _anonymous(shown: str) -> str:
    """What is shown of an array, with `?` for a size that has a name."""
    dtype, _, sizes = shown.removeprefix("the NumPy array ").partition("[")
    return dtype + "[" + re.sub(r"[a-z]\w*", "?", sizes)


def _sizes(told: str) -> str:
    """A pattern for what is told, in which `?` is any size."""
    return re.escape(told).replace(r"\?", r"\d+")


def test_data_sets_of_clu(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import jax, jax.numpy as jnp, tensorflow as tf, tensorflow_datasets as tfds\n"
        "from clu.checkpoint import MultihostCheckpoint\n"
        "from clu.deterministic_data import create_dataset, get_read_instruction_for_host\n"
        "builder = tfds.builder('cifar10')\n"
        "def preprocess(features):\n"
        "    image = tf.image.stateless_random_flip_left_right(features['image'], features['rng'])\n"
        "    return {'image': tf.cast(image, tf.float32) / 255.0, 'label': features['label'], 'rng': features['rng']}\n"
        "data = create_dataset(\n"
        "    builder, split=tfds.split_for_jax_process('train'), batch_dims=[2, 8], rng=jax.random.key(0),\n"
        "    preprocess_fn=preprocess, pad_up_to_batches='auto', num_epochs=1)\n"
        "for batch in data:\n"
        "    a, b, c = (batch[key]._numpy() for key in ('image', 'label', 'mask'))\n"
        "    d = len(batch)\n"
        "part = get_read_instruction_for_host('test', builder.info.splits['test'].num_examples)\n"
        "for batch in create_dataset(builder, split=part, batch_dims=[3], drop_remainder=False):\n"
        "    e = batch['image']._numpy()\n"
        "f = MultihostCheckpoint('directory').restore_or_initialize({'w': jnp.ones(3)})['w']\n"
    )
    result = interpret(program, (tmp_path,))
    assert not result.crashes
    assert not [m for m in result.diagnostics if m.is_certain]
    names = result.interpreter.importer.modules["__main__"].frame.variables
    found = [show(names[name]).removeprefix("the NumPy array ") for name in "abcdef"]
    assert found == [
        "float32[2, 8, 32, 32, 3]",
        "int64[2, 8]",
        "bool[2, 8]",
        "the Python int 3",
        "uint8[batch1, 32, 32, 3]",
        "float32[3]",
    ]


def test_shapes_of_tensors_are_shapes_of_arrays(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import jax, jax.numpy as jnp, numpy as np, tensorflow as tf\n"
        "data = tf.data.Dataset.from_tensor_slices({'x': np.zeros((8, 6, 4), np.uint8)})\n"
        "shape = data.batch(2, drop_remainder=True).element_spec['x'].shape\n"
        "a = jnp.ones(shape)\n"
        "b = jax.random.normal(jax.random.key(0), shape[1:])\n"
        "c = jnp.reshape(jnp.ones(48), shape)\n"
        "d = np.zeros(shape[1:], np.float32)\n"
        "class Sizes:\n"
        "    def __iter__(self): return iter((2, 3))\n"
        "    def __len__(self): return 2\n"
        "    def __getitem__(self, at): return (2, 3)[at]\n"
        "e = jnp.zeros(Sizes())\n"
    )
    result = interpret(program, (tmp_path,))
    assert not result.crashes
    assert not result.diagnostics
    names = result.interpreter.importer.modules["__main__"].frame.variables
    found = [show(names[name]).removeprefix("the NumPy array ") for name in "abcde"]
    assert found == ["float32[2, 6, 4]", "float32[6, 4]", "float32[2, 6, 4]", "float32[6, 4]", "float32[2, 3]"]


def test_batches_that_are_padded_and_elements_of_said_types(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import numpy as np, tensorflow as tf\n"
        "import tensorflow_datasets.public_api as tfds\n"
        "def rows():\n"
        "    yield {'x': np.zeros((3, 4)), 'y': 1}\n"
        "data = tf.data.Dataset.from_generator(rows, output_types={'x': tf.float32, 'y': tf.int32},\n"
        "    output_shapes={'x': [None, 4], 'y': []})\n"
        "def first(d): return next(iter(tfds.as_numpy(d)))\n"
        "a = first(data)\n"
        "b = first(data.padded_batch(8, padded_shapes={'x': [6, 4], 'y': []}, drop_remainder=True))\n"
        "c = first(data.padded_batch(8))\n"
        "d = first(data.filter(lambda row: row['y'] > 0).concatenate(data).take_while(lambda row: row['y'] > 1))\n"
        "e = first(tf.data.Dataset.from_generator(rows, output_types=(tf.int64, tf.bool)))\n"
    )
    result = interpret(program, (tmp_path,))
    assert not result.crashes
    assert not result.diagnostics
    names = result.interpreter.importer.modules["__main__"].frame.variables
    found = [show(names[name].items[key]).removeprefix("the NumPy array ") for name in "abd" for key in "xy"]
    assert found[:4] == ["float32[?, 4]", "int32[]", "float32[8, 6, 4]", "int32[8]"]
    assert found[4:] == ["float32[?, 4]", "int32[]"]
    padded = show(names["c"].items["x"])
    assert padded.startswith("the NumPy array float32[batch")
    assert padded.count(", padded") == 2
    assert [show(one).removeprefix("the NumPy array ") for one in names["e"]] == ["int64[...]", "bool[...]"]


def test_how_many_batches_there_are(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import jax.numpy as jnp, tensorflow as tf\n"
        "data = tf.data.Dataset.from_tensor_slices(tf.zeros((8, 3))).batch(2)\n"
        "a = jnp.zeros(len(data))\n"
        "b = data.__len__().numpy()\n"
        "c = data.cardinality().numpy()\n"
        "class Own:\n"
        "    def __index__(self):\n"
        "        return 3\n"
        "class Sized:\n"
        "    def __len__(self):\n"
        "        return Own()\n"
        "e = len(Sized())\n"
    )
    result = interpret(program, (tmp_path,))
    assert not result.crashes
    assert not result.diagnostics
    names = result.interpreter.importer.modules["__main__"].frame.variables
    assert [show(names[name]) for name in "bce"] == [*["the NumPy array int64[]"] * 2, "the Python int 3"]
    assert show(names["a"]).startswith("float32[batches")
