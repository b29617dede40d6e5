"""The example that learns to read digits: with its imports exchanged for JAX's it computes the same."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

EXAMPLE = Path(__file__).parent.parent / "examples" / "digits.py"
EPOCHS = 2


def program(source: str, name: str) -> dict[str, Any]:
    """The names that a program defines."""
    found: dict[str, Any] = {"__name__": name}
    exec(compile(source, name, "exec"), found)
    return found


@pytest.fixture(scope="module", autouse=True)
def libraries() -> None:
    """Imported where the example is run, not by each worker that collects the tests."""
    pytest.importorskip("sklearn")
    pytest.importorskip("matplotlib").use("Agg")
    pytest.importorskip("tqdm")


@pytest.fixture(scope="module")
def source() -> str:
    return EXAMPLE.read_text()


def test_the_same_losses_as_with_jax(source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exchanged = source.replace("import arraytyping as jax", "import jax").replace(
        "import arraytyping.numpy as jnp", "import jax.numpy as jnp"
    )
    differing = [(a, b) for a, b in zip(source.splitlines(), exchanged.splitlines()) if a != b]
    assert len(differing) == 2
    assert "import arraytyping" not in exchanged
    ours, theirs = program(source, "digits"), program(exchanged, "digits_with_jax")
    assert ours["jax"].__name__ == "arraytyping"
    assert theirs["jax"] is jax

    plot = tmp_path / "digits.png"
    found = ours["main"](EPOCHS, str(plot))
    said = capsys.readouterr()
    expected = theirs["main"](EPOCHS, None)
    assert found.keys() == expected.keys() == {"float32", "bfloat16"}
    for dtype, losses in found.items():
        assert len(losses) == EPOCHS * (1400 // 64)
        if jax.default_backend() == "cpu":
            assert losses == expected[dtype]  # to the last bit, in every step
        else:
            np.testing.assert_allclose(losses, expected[dtype], rtol=1e-3 if dtype == "float32" else 0.1)
        assert losses[0] > 2 > 1 > np.mean(losses[-5:])
    assert said.out == capsys.readouterr().out
    accuracies = dict(re.findall(r"(\w+): ([\d.]+) %", said.out))
    assert accuracies.keys() == found.keys()
    assert all(float(a) > 75 for a in accuracies.values())
    assert "epoch" in said.err  # the progress bar
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_arrays_have_the_dtype_that_is_asked_for(source: str) -> None:
    digits = program(source, "digits")
    at, images = digits["jax"], digits["jnp"].ones((3, 64), "bfloat16")
    params = at.jit(digits["init"], static_argnums=1)(at.random.key(1), "bfloat16")
    assert [(str(layer.weights.dtype), layer.weights.shape) for layer in params] == [
        ("bfloat16", (64, 128)), ("bfloat16", (128, 64)), ("bfloat16", (64, 10)),
    ]  # fmt: skip
    assert at.eval_shape(digits["logits"], params, images).dtype == "bfloat16"
    loss, gradients = at.eval_shape(at.value_and_grad(digits["cross_entropy"]), params, images, np.arange(3))
    assert loss.dtype == "float32"
    assert {str(g.dtype) for g in at.tree.leaves(gradients)} == {"bfloat16"}
