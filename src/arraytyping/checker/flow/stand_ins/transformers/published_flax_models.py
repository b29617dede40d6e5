"""Models of Flax that come with the library: what one gives hangs on its head, and has the dtype that it computes in.

Held against `eval_shape` of the models of transformers 4.55, each in float32, bfloat16 and float16.

Source: https://huggingface.co/docs/transformers/v4.55.4/model_doc/auto.
"""

import dataclasses

import jax.numpy as jnp
from transformers import modeling_flax_outputs as outputs
from transformers.configuration_utils import PublishedConfig
from transformers.generation_configuration import axes_of_sequences
from transformers.modeling_flax_utils import FlaxPreTrainedModel
from transformers.named_classes import named, read

from arraytyping import facts


def _axes(name, place, args, kwargs):
    """The axes of an argument; not known if it is not given by this name or at this place."""
    if name in kwargs:
        return kwargs[name].shape
    return args[place].shape if len(args) > place else facts.reads_only("axes of what is not given")


def _output(kind, kwargs, hidden=None, **known):
    """With hidden states, attentions and the like if the configuration asks for them; `hidden` is one of the former."""
    if kwargs.get("return_dict", True) is not True:
        return facts.reads_only("what a model gives as a tuple")
    if hidden is not None and kwargs.get("output_hidden_states") is True:
        known["hidden_states"] = facts.many(hidden)
    for field in dataclasses.fields(kind):
        if field.name not in known:
            known[field.name] = facts.reads_only("what a model may give besides")
    return kind(**known)


class _Module:
    """The module within such a model."""

    def __init__(self, model):
        self._model = model

    def apply(self, variables, *args, rngs=None, method=None, mutable=False, **kwargs):
        if method is not None or mutable is not False:
            return facts.reads_only("what a module of transformers gives")
        return self._model._given(args, kwargs)

    def __getattr__(self, name):
        return facts.reads_only("attribute " + name + " of a module of transformers")


class PublishedModel(FlaxPreTrainedModel):
    def __init__(self, config, input_shape=(1, 1), seed=0, dtype=jnp.float32, _do_init=True, **kwargs):
        if self.module_class is None:
            module = _Module(self)
        else:
            module = self.module_class(config=config, dtype=dtype, **kwargs)
        super().__init__(config, module, input_shape, seed, dtype, _do_init)

    @classmethod
    def from_config(cls, config, **kwargs):
        made = read(cls)
        made.__init__(config, **kwargs)
        return made

    @classmethod
    def from_pretrained(
        cls, pretrained_model_name_or_path, *args, dtype=jnp.float32, config=None, _do_init=True, **kwargs
    ):
        if args or cls.module_class is not None:
            return facts.unknown("a model that is read")
        if config is None:
            config = PublishedConfig.from_pretrained(pretrained_model_name_or_path, **kwargs)
        made = read(cls)
        made.__init__(config, dtype=dtype, _do_init=_do_init)
        return made if _do_init else (made, facts.unknown("parameters of a model that is read"))

    def __call__(self, *args, **kwargs):
        if self.module_class is not None or kwargs.get("past_key_values") is not None:
            return facts.unknown("what a model gives that the program changes, or with what is kept of before")
        return self._given(args, kwargs)

    def _known_dtype(self):
        """That of what it gives; None if it is not known."""
        return self.dtype

    def _given(self, args, kwargs):
        return facts.reads_only("what a model gives")

    def _hidden(self, args, kwargs):
        """A hidden state of a model of tokens, of which some models keep one or the other in float32."""
        batch, length = _axes("input_ids", 0, args, kwargs)
        is_as_wide = self.config.is_published or _stem(type(self).__name__) in _ENCODERS + _NORMED_ENCODERS
        width = self.config.hidden_size if is_as_wide else None
        return facts.array(_if_float32(self.dtype), (batch, length, width))

    def generate(self, *args, **kwargs):
        return outputs.FlaxSampleOutput(facts.array("int32", (None, None)))

    def encode(self, *args, **kwargs):
        return facts.reads_only("what a part of a model gives")

    decode = init_cache = encode


class _OfTokens(PublishedModel):
    """Logits for each token."""

    _kind = outputs.FlaxCausalLMOutputWithCrossAttentions
    _size = "vocab_size"

    def _given(self, args, kwargs):
        batch, length = _axes("input_ids", 0, args, kwargs)
        logits = facts.array(self._known_dtype(), (batch, length, getattr(self.config, self._size)))
        return _output(self._kind, kwargs, self._hidden(args, kwargs), logits=logits)

    def generate(self, *args, generation_config=None, **kwargs):
        config = args[1] if len(args) > 1 else generation_config
        axes = axes_of_sequences(_axes("input_ids", 0, args, kwargs), config, kwargs)
        return outputs.FlaxSampleOutput(facts.array("int32", axes))


class _OfMaskedTokens(_OfTokens):
    """Some add a bias of float32 to logits of less, others do not."""

    _kind = outputs.FlaxMaskedLMOutput

    def _known_dtype(self):
        return _if_float32(self.dtype)


class _TokenClassifier(_OfTokens):
    _kind = outputs.FlaxTokenClassifierOutput
    _size = "num_labels"


class _Classifier(PublishedModel):
    _kind = outputs.FlaxSequenceClassifierOutput
    _given_to = "input_ids"

    def _given(self, args, kwargs):
        batch = _axes(self._given_to, 0, args, kwargs)[0]
        hidden = self._hidden(args, kwargs)
        return _output(self._kind, kwargs, hidden, logits=facts.array(self.dtype, (batch, self.config.num_labels)))


class _ImageClassifier(_Classifier):
    _given_to = "pixel_values"

    def _hidden(self, args, kwargs):
        return None


class _Answerer(PublishedModel):
    def _given(self, args, kwargs):
        axes = tuple(_axes("input_ids", 0, args, kwargs))
        start, end = facts.array(self.dtype, axes), facts.array(self.dtype, axes)
        hidden = self._hidden(args, kwargs)
        return _output(outputs.FlaxQuestionAnsweringModelOutput, kwargs, hidden, start_logits=start, end_logits=end)


class _Translator(PublishedModel):
    """Of tokens to tokens: logits for each of the latter."""

    def _given(self, args, kwargs):
        batch, length = _axes("input_ids", 0, args, kwargs)
        is_given = len(args) > 2 or kwargs.get("decoder_input_ids") is not None
        made = _axes("decoder_input_ids", 2, args, kwargs)[1] if is_given else length
        logits = facts.array(self.dtype, (batch, made, self.config.vocab_size))
        read = facts.array(self.dtype, (batch, length, self.config.hidden_size))
        return _output(outputs.FlaxSeq2SeqLMOutput, kwargs, logits=logits, encoder_last_hidden_state=read)


def _if_float32(dtype):
    """Where a part computes in float32 in any case, as the last norm of some models does."""
    return dtype if jnp.dtype(dtype) == jnp.float32 else None


class _Encoder(PublishedModel):
    def _given(self, args, kwargs):
        batch, length = _axes("input_ids", 0, args, kwargs)
        hidden = facts.array(self._known_dtype(), (batch, length, self.config.hidden_size))
        kind = outputs.FlaxBaseModelOutputWithPooling
        return _output(kind, kwargs, self._hidden(args, kwargs), last_hidden_state=hidden)


class _NormedEncoder(_Encoder):
    def _known_dtype(self):
        return _if_float32(self.dtype)


_HEADS = (
    ("ForCausalLM", _OfTokens), ("LMHeadModel", _OfTokens), ("ForMaskedLM", _OfMaskedTokens),
    ("ForSequenceClassification", _Classifier), ("ForTokenClassification", _TokenClassifier),
    ("ForImageClassification", _ImageClassifier), ("ForSeq2SeqLM", _Translator), ("MTModel", _Translator),
)  # fmt: skip

_ENCODERS = (
    "Albert", "Bert", "BigBird", "Bloom", "CLIPText", "DistilBert", "Electra", "GPT2", "GPTJ", "GPTNeo",
    "RoFormer", "Roberta", "RobertaPreLayerNorm", "XGLM", "XLMRoberta",
)  # fmt: skip
"""Models of tokens without a head, of which the last hidden state is as wide as `hidden_size`."""

_NORMED_ENCODERS = ("Gemma", "Llama", "Mistral")

_TRANSLATORS = ("Bart", "Blenderbot", "BlenderbotSmall", "LongT5", "MBart", "MT5", "Pegasus", "T5")

_HEADS_OF_SOME = (
    ("Model", _ENCODERS, _Encoder), ("Model", _NORMED_ENCODERS, _NormedEncoder),
    ("ForQuestionAnswering", _ENCODERS, _Answerer), ("ForConditionalGeneration", _TRANSLATORS, _Translator),
)  # fmt: skip


def _stem(name):
    """The name of a model without that of its head."""
    stem = name.removeprefix("Flax")
    for end in (*[end for end, _ in _HEADS], "ForQuestionAnswering", "Model"):
        stem = stem.removesuffix(end)
    return stem


def model_of_flax(name):
    """The class of this name, by its end."""
    base = _base_of(name)
    return facts.unknown("transformers." + name) if base is None else named(name, base)


def _base_of(name):
    for end, kind in _HEADS:
        if name.endswith(end):
            return kind
    stem = name.removeprefix("Flax")
    for end, stems, kind in _HEADS_OF_SOME:
        if stem.endswith(end) and stem.removesuffix(end) in stems:
            return kind
    return PublishedModel if stem.endswith("PreTrainedModel") else None
