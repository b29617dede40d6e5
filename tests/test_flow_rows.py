"""Arrays of lists of which nobody knows whether they have items: what shows that they have, and what does not."""

from __future__ import annotations

import pytest
from flow_values import difference, interpreted, run, wrong_claims

from arraytyping.checker.flow.state.showing import show

HEAD = """
import sys
import numpy as np
import jax.numpy as jnp
seen, images, scalars = [], [], []
for i in range(len(sys.argv[0]) {}):
    seen.append(np.ones(3, np.float32))
    images.append(np.ones((4, 5), np.uint8))
    scalars.append(np.float32(i))
data = {{"seen": np.array(seen), "images": np.asarray(images, np.float32), "scalars": np.array(scalars)}}
batch = np.random.randint(5, size=7)
a = data["seen"]
b = data["images"]
"""
WITH_ITEMS = {
    "a[0]": "float32[3]",
    "a[batch]": "float32[7, 3]",
    "a[batch, ...]": "float32[7, 3]",
    "{k: v[batch] for k, v in data.items()}['images']": "float32[7, 4, 5]",
    "a[:, 1].shape[0:0] and 0": None,
    "a[1:][batch % 2]": "float32[7, 3]",
    "a[-1, 2]": "scalar float32",
    "b.astype(np.uint8)[batch]": "uint8[7, 4, 5]",
    "np.asarray(b)[3]": "float32[4, 5]",
    "jnp.asarray(b[batch])": "float32[7, 4, 5]",
    "np.array(a, np.float64)[batch]": "float64[7, 3]",
}
EMPTY = ["a", "a[:2]", "a[...]", "a[np.array([], int)]", "a[a > 0]", "a[None]", "a.astype(np.int8)", "data['scalars']"]


def test_items_that_are_taken_show_that_there_are_some() -> None:
    source = HEAD.format("") + "".join(f"v{at} = {text}\n" for at, text in enumerate(WITH_ITEMS))
    variables, result = interpreted(source)
    assert not result.crashes
    assert not [m for m in result.diagnostics if m.is_certain]
    assert wrong_claims(source, variables, run(source)) == []
    shown = [
        show(variables[f"v{at}"]).removeprefix("the NumPy ").removeprefix("array ") for at in range(len(WITH_ITEMS))
    ]
    assert {t: s for (t, e), s in zip(WITH_ITEMS.items(), shown) if e is not None} == {
        t: e for t, e in WITH_ITEMS.items() if e is not None
    }


@pytest.mark.parametrize("text", EMPTY)
@pytest.mark.parametrize("items", ["", "* 0"])
def test_what_says_nothing_of_items_holds_for_none(items: str, text: str) -> None:
    source = (
        HEAD.format("").replace("range(len(sys.argv[0]) )", f"range(int(len(sys.argv[0]) {items}))") + f"v = {text}\n"
    )
    known, result = interpreted(HEAD.format("") + f"v = {text}\n")
    assert not result.crashes
    assert difference(known["v"], run(source)["v"]) is None


def test_what_is_resized_is_no_longer_known_by_its_items() -> None:
    source = HEAD.format("") + "a.resize((2, 5), refcheck=False)\nv = a[0]\nb.shape = (-1,)\nw = b[batch]\n"
    variables, result = interpreted(source)
    assert not result.crashes
    assert wrong_claims(source, variables, run(source)) == []
