"""The stand-in for `datasets`: rows and columns, against the library where it is installed."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest
from flow_values import difference
from test_flow_stand_ins import follow, shown

from arraytyping.checker.flow.state.showing import show

_PROGRAM = """
import numpy as np
from datasets import Dataset
data = Dataset.from_dict({"text": ["a", "bc", "d", "ef"], "label": [0, 1, 0, 1], "more": [0.5, 1.5, 2.5, 3.5]})
def tokens(rows):
    return {"ids": [[len(text), 0, 1] for text in rows["text"]], "label": rows["label"]}
mapped = data.map(tokens, batched=True, remove_columns=data.column_names)
a = np.array(mapped[np.arange(2)]["label"])
b = np.array(mapped["label"])
c = sorted(mapped[0]) == ["ids", "label"]
kept = data.map(lambda row: {"twice": 2 * row["label"]})
d = np.array(kept[:2]["twice"])
e = sorted(kept.column_names) == ["label", "more", "text", "twice"]
f = np.array(data.select(range(3))["more"])
g = len(data.select(range(3)))
h = np.array(data.rename_column("label", "y").remove_columns("text")[0]["y"])
i = sorted(data.select_columns(["more", "label"]).column_names) == ["label", "more"]
for batch in data.iter(batch_size=2, drop_last_batch=True):
    j = np.array(batch["label"])
k = np.array([row["more"] for row in data])
def longer(row, by):
    row["length"] = len(row["text"]) + by
    return row
l = data.map(longer, fn_kwargs={"by": 3})[0]["length"]
m = np.array(data.map(longer, fn_kwargs={"by": 3}, remove_columns=["text"])["label"])
"""


def test_rows_are_what_the_library_gives(tmp_path: Path) -> None:
    result, names = follow(tmp_path, _PROGRAM)
    assert not result.diagnostics
    found = {name: show(value).removeprefix("the NumPy array ") for name, value in names.items() if len(name) == 1}
    assert [found[name] for name in "afj"] == ["int64[2]", "float64[3]", "int64[2]"], found
    if importlib.util.find_spec("datasets") is not None:
        real: dict[str, object] = {}
        exec(compile(_PROGRAM, "train.py", "exec"), real)
        assert not {name: text for name in found if (text := difference(names[name], real[name]))}


def test_what_is_read_has_other_columns(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        import numpy as np
        from datasets import load_dataset
        from transformers import AutoTokenizer
        tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
        read = load_dataset("glue", "mrpc")
        def tokens(rows):
            made = tokenizer(rows["sentence1"], rows["sentence2"], padding="max_length", max_length=32, truncation=True)
            made["labels"] = rows["label"]
            return made
        whole = read.map(tokens, batched=True, remove_columns=read["train"].column_names)["train"]
        batch = {name: np.array(values) for name, values in whole[np.arange(8)].items()}
        a = batch["input_ids"]
        open_rows = read.map(tokens, batched=True)["validation"]
        b = "idx" in open_rows[np.arange(4)]
        c = np.array(open_rows["input_ids"])
        wanted = {"input_ids": jax.ShapeDtypeStruct((4, 32), "int32"), "labels": jax.ShapeDtypeStruct((4,), "int32")}
        n = jax.tree.map(lambda like, x: jnp.array(x, like.dtype), wanted, open_rows[np.arange(4)])["labels"]
        o = isinstance(read, dict)
        d = "idx" in load_dataset("glue", "mrpc", split="train")[0]
        images = load_dataset("mnist", split="train")
        e = np.array(images["image"])
        f = np.array(images[np.arange(5)]["label"])
        for row in images:
            g = np.asarray(row["image"], np.float32) / 255
        first, second = load_dataset("cifar10", split=["train", "test"])
        h = np.stack([np.array(image) for image in second[np.arange(3)]["img"]])
        i = next(iter(load_dataset("x", split="train", streaming=True)))["anything"]
        j = images.with_format("numpy")[0]
        k = len(images)
        def longer(row):
            row["length"] = 3
            return row
        l = read.map(longer)["test"][0]["length"]
        m = read.map(lambda row: {"n": 1}, remove_columns=read.column_names["train"])["train"].column_names == ["n"]
        """,
    )
    arrays = [text.removeprefix("the NumPy array ") for text in found]
    assert [arrays[0], arrays[1], arrays[3]] == ["int64[8, 32]", "something else", "something else"]
    assert arrays[2].startswith("int64[")
    assert re.fullmatch(r"uint8\[rows\d*, 28, 28\]", arrays[4])
    assert arrays[5:8] == ["int64[5]", "float32[28, 28]", "uint8[3, 32, 32, 3]"]
    assert arrays[8:10] == ["something else", "something else"]
    assert arrays[11:13] == ["something else", "the Python bool True"]
    assert arrays[13].startswith("int32") or arrays[13] == "something else"
    assert arrays[14] == "a Python bool"


@pytest.mark.parametrize(
    "text", ["data[0]['y']", "data.remove_columns('label')[0]['label']", "data.rename_column('label', 'y')[0]['label']"]
)
def test_a_column_that_is_not_there(tmp_path: Path, text: str) -> None:
    program = f"from datasets import Dataset\ndata = Dataset.from_dict({{'label': [0, 1]}})\n{text}\n"
    found, _ = follow(tmp_path, program)
    assert [m.message for m in found.diagnostics if m.is_certain and "KeyError" in m.message]
