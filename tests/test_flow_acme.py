"""What functions of acme make of trees of arrays, and of what a program reads."""

from __future__ import annotations

from pathlib import Path

from test_flow_stand_ins import shown


def test_arrays_and_what_is_fetched_ahead(tmp_path: Path) -> None:
    text = """
        import numpy as np
        from acme.jax import utils
        def read():
            while True:
                yield {"x": np.zeros((8, 3), np.float64), "y": np.zeros(8, np.uint8)}
        a = next(utils.prefetch(read()))["x"]
        on_devices = next(utils.sharded_prefetch(read()))
        b, c = on_devices["x"], on_devices["y"]
        d = utils.get_from_first_device(on_devices)["x"]
        e = utils.get_from_first_device(on_devices, as_numpy=False)["y"]
        f = utils.batch_concat({"p": jnp.ones((2, 3, 4)), "q": jnp.ones(2)})
        g = utils.add_batch_dim({"p": np.zeros((2, 3), np.int8)})["p"]
        h = utils.squeeze_batch_dim(jnp.ones((1, 4)))
        i = utils.zeros_like(np.zeros(3, np.int8), dtype=jnp.bfloat16)
        j = utils.to_numpy_squeeze({"p": jnp.ones((1, 4))})["p"]
        k = utils.batch_to_sequence(jnp.ones((2, 3, 4)))
        l = utils.tile_nested([jnp.ones(3)], 5)[0]
        m = utils.replicate_in_all_devices(jnp.ones(3))
        """
    assert dict(zip("abcdefghijklm", shown(tmp_path, text))) == {
        "a": "the NumPy array float64[8, 3]",
        "b": "float32[local_device_count, 8, 3]",
        "c": "uint8[local_device_count, 8]",
        "d": "the NumPy array float32[8, 3]",
        "e": "uint8[8]",
        "f": "float32[2, 13]",
        "g": "int8[1, 2, 3]",
        "h": "float32[4]",
        "i": "bfloat16[3]",
        "j": "the NumPy array float32[4]",
        "k": "float32[3, 2, 4]",
        "l": "float32[5, 3]",
        "m": "float32[local_device_count, 3]",
    }
