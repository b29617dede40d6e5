"""The stand-ins for `transformers`: tokenizers, configurations and models of Flax.

Models are held against the library where a release is installed that has them (4.55; the fifth has none).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from test_flow_stand_ins import follow, shown

from arraytyping.checker.flow.values import ArrayValue

_SIZES = {
    "vocab_size": 99, "num_labels": 3, "hidden_size": 32, "n_embd": 32, "d_model": 32, "embedding_size": 32, "dim": 32,
    "num_hidden_layers": 2, "n_layer": 2, "num_layers": 2, "encoder_layers": 2, "decoder_layers": 2, "n_layers": 2,
    "num_attention_heads": 4, "n_head": 4, "num_heads": 4, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
    "num_key_value_heads": 4, "n_heads": 4, "head_dim": 8, "d_kv": 8, "intermediate_size": 37, "d_ff": 37,
    "ffn_dim": 37,
    "encoder_ffn_dim": 37, "decoder_ffn_dim": 37, "hidden_dim": 37, "max_position_embeddings": 64, "n_positions": 64,
    "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2, "image_size": 30, "patch_size": 15, "projection_dim": 16,
    "rotary_dim": 4, "attention_types": [[["global", "local"], 1]], "decoder_start_token_id": 2, "block_size": 8,
    "attention_type": "original_full", "num_decoder_layers": 2,
}  # fmt: skip
_MODELS = (
    "AlbertForMaskedLM", "AlbertModel", "BartForCausalLM", "BartForConditionalGeneration", "BeitForImageClassification",
    "BertForCausalLM", "BertForMaskedLM", "BertForSequenceClassification", "BertForTokenClassification", "BertModel",
    "BigBirdForQuestionAnswering", "BigBirdModel", "BloomForCausalLM", "BloomModel", "CLIPTextModel", "DistilBertModel",
    "DistilBertForSequenceClassification", "ElectraForMaskedLM", "ElectraModel", "GPT2LMHeadModel", "GPT2Model",
    "GPTJForCausalLM", "GPTJModel", "GPTNeoForCausalLM", "GPTNeoModel", "GemmaForCausalLM", "GemmaModel",
    "LlamaForCausalLM", "LlamaModel", "MistralModel", "LongT5ForConditionalGeneration",
    "MT5ForConditionalGeneration", "MarianMTModel", "MistralForCausalLM",
    "OPTForCausalLM", "PegasusForConditionalGeneration", "RoFormerForMaskedLM", "RobertaForMaskedLM", "RobertaModel",
    "RobertaForSequenceClassification", "T5ForConditionalGeneration", "ViTForImageClassification", "XGLMForCausalLM",
    "XLMRobertaForCausalLM", "XLMRobertaForTokenClassification",
)  # fmt: skip
_UNKNOWN = tuple(name for name in _MODELS if name.endswith("ForMaskedLM")) + (
    "GemmaModel",
    "LlamaModel",
    "MistralModel",
)
"""Those of which it is not said what they give in less than float32, since that differs from model to model."""


def _known(directory: Path, text: str) -> list[str]:
    """What is known of the variables of one letter, with the names of sizes without their numbers."""
    return [
        re.sub(r"([a-z]_?)\d+(?=[],])", r"\1", text.removeprefix("the NumPy array ")) for text in shown(directory, text)
    ]


def _given(name: str) -> str:
    """What a model is called with."""
    if "Image" in name:
        return "jnp.ones((2, 3, 30, 30))"
    is_translator = name.endswith(("ForConditionalGeneration", "MTModel"))
    return "jnp.ones((2, 16), jnp.int32)" + (", decoder_input_ids=jnp.ones((2, 5), jnp.int32)" if is_translator else "")


@pytest.mark.parametrize("name", _MODELS)
def test_models_of_the_library(tmp_path: Path, name: str) -> None:
    transformers = pytest.importorskip("transformers")
    if not hasattr(transformers, "FlaxPreTrainedModel"):
        pytest.skip("this release of transformers has no models of Flax")
    model = getattr(transformers, f"Flax{name}")
    config = model.config_class
    default = config()
    sizes = {key: size for key, size in _SIZES.items() if hasattr(default, key)}
    sizes |= {"num_labels": 2} if "QuestionAnswering" in name else {}
    given = _given(name)
    for dtype in ("float32", "bfloat16", "float16"):
        call = eval(f"lambda model, params: model({given}, params=params, output_hidden_states=True)", {"jnp": jnp})
        try:
            made = model(config(**sizes), dtype=jnp.dtype(dtype), _do_init=False)
            real = jax.eval_shape(lambda params, made=made, call=call: call(made, params), made.params_shape_tree)
        except TypeError as error:
            pytest.skip(f"the installed jax refuses the model: {error}")
        _, found = follow(
            tmp_path,
            f"""
            from transformers import Flax{name}, {config.__name__}
            model = Flax{name}({config.__name__}(**{sizes!r}), dtype=jnp.{dtype})
            out = model({given}, params=model.params, output_hidden_states=True)
            hidden = {"None" if real.get("hidden_states") is None else "out.hidden_states[-1]"}
            """,
        )
        output: Any = found["out"]
        field = next(iter(real.keys()))
        known = output.attributes[field].aval
        assert dtype != "float32" or known.dtype is not None
        assert known.shape == real[field].shape, dtype
        assert known.dtype == real[field].dtype.name or (known.dtype is None and name in _UNKNOWN), dtype
        if isinstance(hidden := found["hidden"], ArrayValue):
            assert dtype != "float32" or hidden.aval.dtype is not None
            assert hidden.aval.shape is not None
            for state in real["hidden_states"]:
                assert hidden.aval.dtype in (None, state.dtype.name), dtype
                assert all(a in (None, b) for a, b in zip(hidden.aval.shape, state.shape, strict=True)), dtype
        else:
            assert "Image" in name or real.get("hidden_states") is None


def test_models_by_their_heads(tmp_path: Path) -> None:
    found = _known(
        tmp_path,
        """
        from transformers import (
            AutoConfig, CLIPTokenizer, FlaxAutoModelForCausalLM, FlaxAutoModelForSequenceClassification,
            FlaxBertForMaskedLM, FlaxBertModel, FlaxCLIPTextModel, FlaxGPT2LMHeadModel,
            FlaxT5ForConditionalGeneration, FlaxWhisperModel, GenerationConfig, GPT2Config,
        )
        ids = jnp.ones((2, 7), jnp.int32)
        model = FlaxGPT2LMHeadModel(GPT2Config(vocab_size=100, n_embd=32), dtype=jnp.bfloat16)
        a = model(ids).logits
        b = model(input_ids=ids, attention_mask=ids, train=True)[0]
        c = model.module.apply({"params": model.params}, ids, ids, ids, deterministic=True)["logits"]
        t5, params = FlaxT5ForConditionalGeneration.from_pretrained("t5-small", _do_init=False)
        d = t5(ids, decoder_input_ids=ids[:, :3], params=params)[0]
        e = t5.generate(ids).sequences
        f = FlaxBertModel.from_pretrained("bert-base-uncased", dtype=jnp.float16)(ids).last_hidden_state
        g = FlaxBertForMaskedLM.from_pretrained("bert-base-uncased", dtype=jnp.float16)(ids).logits
        config = AutoConfig.from_pretrained("somewhere/else", num_labels=4)
        h = FlaxAutoModelForSequenceClassification.from_config(config)(ids).logits
        tokenizer = CLIPTokenizer.from_pretrained("openai/clip-vit-large-patch14")
        tokens = tokenizer(["a", "b"], padding="max_length", truncation=True, return_tensors="np")
        i = FlaxCLIPTextModel.from_pretrained("openai/clip-vit-large-patch14")(**tokens)[0]
        j = FlaxAutoModelForCausalLM.from_pretrained("gpt2")(ids, output_hidden_states=True).hidden_states[-1]
        k = FlaxWhisperModel.from_pretrained("x")(jnp.ones((1, 80, 30)))
        l = jax.jit(lambda params, ids: model(ids, params=params))(model.params, ids).logits
        m = model(ids, return_dict=False)[0]
        how = GenerationConfig(max_new_tokens=5, do_sample=True, top_k=0, temperature=0.7)
        n = model.generate(ids, generation_config=how, attention_mask=ids).sequences
        o = model.generate(input_ids=ids, generation_config=GenerationConfig(do_sample=True)).sequences
        p = model.generate(ids, max_new_tokens=5).sequences
        q = model(ids, output_hidden_states=True).hidden_states[0]
        """,
    )
    assert found[:9] == [
        "bfloat16[2, 7, 100]", "bfloat16[2, 7, 100]", "bfloat16[2, 7, 100]", "float32[2, 3, vocab_size]", "int32[?, ?]",
        "float16[2, 7, 768]", "?[2, 7, 30522]", "float32[2, 4]", "float32[2, 77, hidden_size]",
    ]  # fmt: skip
    assert found[9:] == [
        "float32[2, 7, 768]", "something else", "bfloat16[2, 7, 100]", "something else", "int32[2, 12]", "int32[2, ?]",
        "int32[?, 12]", "?[2, 7, 32]",
    ]  # fmt: skip


def test_models_of_the_program(tmp_path: Path) -> None:
    found = _known(
        tmp_path,
        """
        import flax.linen as nn
        from transformers import FlaxGPT2LMHeadModel, PretrainedConfig
        from transformers.modeling_flax_outputs import FlaxCausalLMOutput
        from transformers.modeling_flax_utils import ACT2FN, FlaxPreTrainedModel
        class Config(PretrainedConfig):
            def __init__(self, width=3, pad_token_id=1, **kwargs):
                self.width = width
                super().__init__(pad_token_id=pad_token_id, **kwargs)
        class Module(nn.Module):
            config: Config
            dtype: object = jnp.float32
            @nn.compact
            def __call__(self, ids, deterministic=True):
                hidden = nn.Embed(10, self.config.width, dtype=self.dtype)(ids)
                logits = nn.Dense(10, dtype=self.dtype)(ACT2FN["gelu_new"](hidden))
                return FlaxCausalLMOutput(logits=logits, hidden_states=(hidden,))
        class Base(FlaxPreTrainedModel):
            config_class = Config
            def __init__(self, config, input_shape=(1, 1), seed=0, dtype=jnp.float32, _do_init=True, **kwargs):
                module = self.module_class(config=config, dtype=dtype, **kwargs)
                super().__init__(config, module, input_shape=input_shape, seed=seed, dtype=dtype, _do_init=_do_init)
            def init_weights(self, rng, input_shape, params=None):
                return self.module.init(rng, jnp.zeros(input_shape, "i4"))["params"]
            def __call__(self, ids, params=None, train=False):
                return self.module.apply({"params": params or self.params}, jnp.array(ids, "i4"), not train)
        class Model(Base):
            module_class = Module
        model = Model(Config(width=5, more=7), dtype=jnp.bfloat16)
        out = model(jnp.ones((2, 4), jnp.int32))
        a, b, c = out.logits, out[1][0], out["hidden_states"][0]
        d = model.params["Dense_0"]["kernel"]
        e = model.to_bf16(model.params)["Embed_0"]["embedding"]
        f = jnp.ones((model.config.width, model.config.pad_token_id, model.config.more))
        class Changed(FlaxGPT2LMHeadModel):
            module_class = Module
        g = Changed(Config())(jnp.ones((2, 4), jnp.int32))
        """,
    )
    assert found == [
        "bfloat16[2, 4, 10]", "bfloat16[2, 4, 5]", "bfloat16[2, 4, 5]", "float32[5, 10]", "bfloat16[10, 5]",
        "float32[5, 1, 7]", "something else",
    ]  # fmt: skip


def test_tokens(tmp_path: Path) -> None:
    found = _known(
        tmp_path,
        """
        import numpy as np
        from transformers import AutoImageProcessor, AutoTokenizer
        tokenizer = AutoTokenizer.from_pretrained("gpt2")
        tokenizer.pad_token = tokenizer.eos_token
        kept = dict(padding="max_length", truncation=True)
        a = np.array(tokenizer(["a", "b"], max_length=16, **kept)["input_ids"])
        b = jnp.array(tokenizer(["a", "b"], max_length=16, **kept).input_ids)
        c = np.array(tokenizer("a", **kept).input_ids)
        d = tokenizer("a", return_tensors="np", **kept)["attention_mask"]
        e = tokenizer(["a"] * 3, return_tensors="jax", padding=True).input_ids
        f = tokenizer.encode("a", return_tensors="np")
        g = jnp.zeros((tokenizer.vocab_size, tokenizer.model_max_length))
        batch = tokenizer(["a"], return_tensors="np", max_length=8, **kept)
        batch["labels"] = batch["input_ids"] != 0
        h = {**batch}["labels"]
        i = tokenizer.decode(tokenizer.encode("a"))
        j = AutoImageProcessor.from_pretrained("x")([1, 2], return_tensors="np")["pixel_values"]
        k = AutoTokenizer.from_pretrained("x").pad_token_id is None
        l = "token_type_ids" in AutoTokenizer.from_pretrained("x")("a")
        """,
    )
    assert found == [
        "int64[2, 16]", "int32[2, 16]", "int64[1024]", "int64[1, 1024]", "int32[3, tokens]", "int64[1, tokens]",
        "float32[50257, 1024]", "bool[1, 8]", "a Python str", "float32[2, channels, height, width]",
        "a Python bool", "a Python bool",
    ]  # fmt: skip


def test_dataclasses_on_the_command_line(tmp_path: Path) -> None:
    text = """
    from dataclasses import dataclass, field
    from typing import Optional
    from transformers import HfArgumentParser
    @dataclass
    class ModelArguments:
        dtype: Optional[str] = field(default="float32", metadata={"help": "of the model"})
        width: int = field(default=4)
    @dataclass
    class TrainingArguments:
        output_dir: str = field(metadata={"help": "a folder"})
        batch_size: int = 8
    model, training = HfArgumentParser((ModelArguments, TrainingArguments)).parse_args_into_dataclasses()
    a = jnp.ones((training.batch_size, model.width), getattr(jnp, model.dtype))
    b = training.output_dir
    """
    assert shown(tmp_path, text) == ["float32[8, 4]", "a Python str"]
    words = ("--output_dir", "out", "--dtype=bfloat16", "--batch-size", "2")
    assert shown(tmp_path, text, *words) == ["bfloat16[2, 4]", "the Python str 'out'"]


def test_which_class_is_read_is_not_known(tmp_path: Path) -> None:
    found = shown(
        tmp_path,
        """
        from transformers import (
            AutoConfig, AutoTokenizer, FlaxAutoModelForCausalLM, FlaxBertForCausalLM, FlaxPreTrainedModel, GPT2Config,
            GPT2Tokenizer, LlamaTokenizer, PreTrainedTokenizer, PreTrainedTokenizerBase, PreTrainedTokenizerFast,
        )
        tokenizer, model = AutoTokenizer.from_pretrained("gpt2"), FlaxAutoModelForCausalLM.from_pretrained("gpt2")
        a = isinstance(tokenizer, PreTrainedTokenizerBase)
        b = isinstance(tokenizer, PreTrainedTokenizer)
        c = isinstance(tokenizer, PreTrainedTokenizerFast)
        d = isinstance(GPT2Tokenizer.from_pretrained("gpt2"), GPT2Tokenizer)
        e = isinstance(GPT2Tokenizer.from_pretrained("gpt2"), LlamaTokenizer)
        f = isinstance(model, FlaxBertForCausalLM)
        g = isinstance(model, FlaxPreTrainedModel)
        h = isinstance(AutoConfig.from_pretrained("gpt2"), GPT2Config)
        i = isinstance(GPT2Config(), GPT2Config)
        j = GPT2Tokenizer is LlamaTokenizer
        """,
    )
    yes, no, either = "the Python bool True", "the Python bool False", "a Python bool"
    assert found == [yes, either, either, yes, either, either, yes, either, yes, no]
