"""What keeps its dtype and rank though a size comes from where nothing is known, and what a published model gives."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from test_flow_stand_ins import shown

from arraytyping.checker.flow.start.program import interpret


def test_the_length_of_something_unknown_is_a_size(tmp_path: Path) -> None:
    text = """
        import numpy as np
        import no_such_library
        from jax.sharding import Mesh, NamedSharding, PartitionSpec
        u = no_such_library.data()
        n = len(u)
        x = np.zeros((10, 3), np.int64)
        a = jnp.zeros((n, 2)) + jnp.ones((n, 1))
        b = np.zeros(no_such_library.shape)
        c = jax.device_put(np.split(x, len(no_such_library.devices), axis=0), no_such_library.devices)[0]
        d = np.array_split(x, no_such_library.sections, axis=1)[0]
        e = jax.make_array_from_single_device_arrays((8, 3), no_such_library.sharding, [c] * n)
        f = x[np.random.permutation(n)[:4]]
        g = len(u) == 3
        h = x.reshape(u.sizes)
        i = x.reshape(*u.sizes, -1)
        j = jnp.asarray(x).reshape(*u.sizes)
        k = np.pad(x.astype(np.uint8), u.sizes)
        """
    found = dict(zip("abcdefghijk", shown(tmp_path, text)))
    assert found == {
        "a": "float32[n1, 2]", "b": "the NumPy array float64[...]", "c": "int32[?, 3]",
        "d": "the NumPy array int64[10, ?]", "e": "int32[8, 3]", "f": "the NumPy array int64[min(n1, 4), 3]",
        "g": "a Python bool", "h": "the NumPy array int64[...]", "i": "the NumPy array int64[...]", "j": "int32[...]",
        "k": "the NumPy array uint8[?, ?]",
    }  # fmt: skip


def test_the_autoencoder_of_diffusers(tmp_path: Path) -> None:
    text = """
        from functools import partial
        from diffusers import FlaxAutoencoderKL
        from flax import struct
        class Autoencoder(struct.PyTreeNode):
            params: dict
            module: FlaxAutoencoderKL = struct.field(pytree_node=False)
            @jax.jit
            def encode(self, key, images):
                made = self.module.apply({"params": self.params}, images, method=self.module.encode)
                return made.latent_dist.sample(key) * self.module.config.scaling_factor
            @jax.jit
            def decode(self, latents):
                return self.module.apply({"params": self.params}, latents, method=self.module.decode).sample
        def make(name, **options):
            module, params = FlaxAutoencoderKL.from_pretrained(name, **options)
            return Autoencoder(params=jax.device_get(params), module=module)
        images = jnp.ones((8, 3, 64, 48))
        known = make("pcuenq/sd-vae-ft-mse-flax")
        a = known.encode(jax.random.PRNGKey(0), images)
        b = known.decode(a)
        c = make("mine").encode(jax.random.PRNGKey(0), images)
        d = make("mine", dtype=jnp.bfloat16).decode(c)
        """
    *exact, latents, images = shown(tmp_path, text)
    assert exact == ["float32[8, 8, 6, 4]", "float32[8, 3, 64, 48]"]
    assert latents.startswith("float32[8, height")
    assert images.startswith("?[8, channels")


def test_arrays_of_unknown_rank_in_functions_of_libraries(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        import numpy as np
        import optax
        labels = jnp.asarray(np.load(input())).astype(jnp.int32)
        hot = jax.nn.one_hot(labels, 2)
        logits = jnp.ones((4, 2))
        a = labels
        b = optax.softmax_cross_entropy(logits, hot)
        c = optax.l2_loss(hot, logits)
        d = jax.jit(lambda hot: optax.softmax_cross_entropy(logits, hot).mean())(hot)
        e = optax.softmax_cross_entropy_with_integer_labels(logits.astype(jnp.bfloat16), labels)
        f = jnp.sum(jnp.asarray(np.load(input()), jnp.float16))
        g = jnp.unstack(hot)
        h = jnp.nonzero(labels)
        i = jnp.linalg.svd(hot).S
        j = jax.lax.top_k(labels, 1)[1]
        class Other: pass
        k = jnp.asarray(Other() if input() else hot)
        """,
    )
    assert found[:6] == ["int32[...]", "float32[...]", "float32[...]", "float32[]", "bfloat16[...]", "float16[]"]
    assert found[6:] == ["something else", "something else", "float32[...]", "int32[...]", "float32[...]"]


def test_a_compiled_function_that_uses_an_object_that_holds_itself(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        class Part:
            def __init__(self, whole): self.whole = whole
            def __call__(self, x): return self.whole.scale * x
        class Whole:
            def __init__(self):
                self.scale = jnp.ones(3)
                self.parts = [Part(self) for _ in range(12)]
                for part in self.parts: part.others = self.parts
        whole = Whole()
        a = jax.jit(lambda x: whole.parts[0](x))(jnp.ones((2, 3)))
        """,
    )
    assert found == ["float32[2, 3]"]


def test_lists_of_some_length_as_arrays(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        import numpy as np
        from PIL import Image
        words = input().split()
        images = [Image.open(word).convert("RGB").resize((8, 4)) for word in ("a", "b")]
        a = np.array(images)
        b = np.array([len(word) for word in words])
        c = np.array([[len(word), 2] for word in words])
        first, *words = words
        d = np.array([[len(word), 2] for word in [first, *words]])
        """,
    )
    assert found[0] == "the NumPy array uint8[2, 4, 8, 3]"
    assert not [text for text in found[1:3] if "int64" in text]  # of no words it is float64


def test_noise_that_schedulers_add(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        from diffusers import FlaxDDPMScheduler
        scheduler = FlaxDDPMScheduler(num_train_timesteps=100)
        samples, steps = jnp.ones((2, 4, 4, 3), jnp.bfloat16), jnp.arange(2)
        a = scheduler.add_noise(scheduler.create_state(), samples, samples, steps)
        half = FlaxDDPMScheduler(dtype=jnp.float16)
        b = half.get_velocity(half.create_state(), samples, samples.astype(jnp.float16), steps)
        c = scheduler.create_state().common.alphas_cumprod[:scheduler.config.num_train_timesteps // 2]
        read, state = FlaxDDPMScheduler.from_pretrained("x", subfolder="scheduler")
        d = jax.random.randint(jax.random.key(0), (2,), 0, read.config.num_train_timesteps)
        e = state.common.alphas[d]
        """,
    )
    assert found == ["float32[2, 4, 4, 3]", "float32[2, 4, 4, 3]", "float32[50]", "int32[2]", "float32[2]"]


MODELS = {
    "flax": """\
import flax.linen as nn
class Net(nn.Module):
    @nn.compact
    def __call__(self, batch):
        inner.append(batch['x'] * 2.5)
        return nn.Dense(3)(batch['x']), nn.Dense(3, dtype=jnp.float16)(batch['x'] * 2.5), batch['x'] + 1
init, apply = Net().init, Net().apply
""",
    "haiku": """\
import haiku as hk
def net(batch):
    inner.append(batch['x'] * 2.5)
    return hk.Linear(3)(batch['x'] * 2.5), hk.LayerNorm(-1, True, True)(batch['x'] * 2.5), batch['x'] + 1
init, apply = hk.without_apply_rng(hk.transform(net))
""",
}
USE = """\
params = init(jax.random.key(0), batch)
a, b, c = apply(params, batch)
d = inner[0]
e, f, g = jax.jit(apply)(params, batch)
h, i = jax.tree.leaves(params)[:2]
"""


@pytest.mark.parametrize("dtype", ["uint8", "int64", "float32", "float64", "bool"])
@pytest.mark.parametrize("library", MODELS)
def test_a_batch_of_numpy_whose_length_is_unknown_goes_through_a_model(
    tmp_path: Path, library: str, dtype: str
) -> None:
    """The program's own function has the array of NumPy, whose arithmetic is NumPy's; layers take it as jax does."""
    pytest.importorskip(library)
    text = f"inner = []\n{MODELS[library]}batch = {{'x': np.ones((size, 4), np.{dtype})}}\n{USE}"
    found = shown(tmp_path, f"import no_such_library\nimport numpy as np\nsize = len(no_such_library.data())\n{text}")
    real: dict[str, Any] = {"jax": jax, "jnp": jnp, "np": np, "size": 5}
    exec(text, real)
    assert dict(zip("abcdefghi", found)) == {name: _of_rows(real[name]) for name in "abcdefghi"}


def _of_rows(array: Any) -> str:
    """A real array as it is shown with `n1` rows in the place of 5."""
    sizes = ", ".join("n1" if size == 5 else str(size) for size in array.shape)
    return f"{'the NumPy array ' * isinstance(array, np.ndarray)}{array.dtype}[{sizes}]"


def test_sizes_that_a_function_holds_may_be_those_that_it_is_given(tmp_path: Path) -> None:
    text = """
        import numpy as np
        import no_such_library
        from jax.flatten_util import ravel_pytree
        n = len(no_such_library.points)
        zeros, back = ravel_pytree([np.zeros((n, 3))])
        other = np.zeros(len(no_such_library.more))
        a = back(other)
        b = back(np.zeros(6))
        c = jnp.ones((n + 2, 3)) + jnp.ones((n + 4, 3))
        """
    path = tmp_path / "program.py"
    path.write_text("import jax.numpy as jnp\n" + textwrap.dedent(text))
    assert [m.line for m in interpret(path).diagnostics] == [11]
