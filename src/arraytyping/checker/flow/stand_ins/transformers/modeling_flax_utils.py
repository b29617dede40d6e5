"""What models of Flax have in common: a module, its parameters, and the dtype that it computes in.

`FlaxPreTrainedModel` is as the library has it, for models that a program defines.

Source: https://huggingface.co/docs/transformers/v4.55.4/main_classes/model, `modeling_flax_utils.py` of that release.
"""

import jax
import jax.numpy as jnp

from arraytyping import facts

ACT2FN = {
    "gelu": lambda x: jax.nn.gelu(x, approximate=False),
    "relu": jax.nn.relu,
    "silu": jax.nn.swish,
    "swish": jax.nn.swish,
    "gelu_new": lambda x: jax.nn.gelu(x, approximate=True),
    "quick_gelu": lambda x: x * jax.nn.sigmoid(1.702 * x),
    "gelu_pytorch_tanh": lambda x: jax.nn.gelu(x, approximate=True),
    "tanh": jax.numpy.tanh,
}


class FlaxPreTrainedModel:
    config_class = None
    base_model_prefix = ""
    main_input_name = "input_ids"
    module_class = None

    def __init__(self, config, module, input_shape=(1, 1), seed=0, dtype=jnp.float32, _do_init=True):
        self.key = jax.random.PRNGKey(seed)
        self.dtype = dtype
        self.input_shape = input_shape
        self._config, self._module, self._is_initialized = config, module, _do_init
        self._missing_keys = set()
        if _do_init:
            self.params = self.init_weights(self.key, input_shape)

    def init_weights(self, rng, input_shape, params=None):
        return facts.unknown("parameters of a model")

    @classmethod
    def _from_config(cls, config, **kwargs):
        return cls(config, **kwargs)

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path, *args, **kwargs):
        return facts.unknown("a model that is read")

    @property
    def config(self):
        return self._config

    @property
    def module(self):
        return self._module

    @property
    def framework(self):
        return "flax"

    def save_pretrained(self, *args, **kwargs):
        return None

    def to_bf16(self, params, mask=None):
        return _cast(params, jnp.bfloat16, mask)

    def to_fp16(self, params, mask=None):
        return _cast(params, jnp.float16, mask)

    def to_fp32(self, params, mask=None):
        return _cast(params, jnp.float32, mask)

    def __getattr__(self, name):
        return facts.unknown("attribute " + name + " of a model")


def _cast(params, dtype, mask):
    if mask is not None:
        return facts.unknown("parameters of a model, of which some are cast")
    return jax.tree_util.tree_map(
        lambda leaf: leaf.astype(dtype) if jnp.issubdtype(leaf.dtype, jnp.floating) else leaf, params
    )


def __getattr__(name):
    return facts.unknown("transformers.modeling_flax_utils." + name)
