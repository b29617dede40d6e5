"""What models of Flax give: fields that may be None, by name and by place.

Source: https://huggingface.co/docs/transformers/v4.55.4/main_classes/output.
"""

import dataclasses

import flax.struct

from arraytyping import facts


class ModelOutput:
    def to_tuple(self):
        return tuple(value for _, value in self.items())

    def items(self):
        pairs = [(field.name, getattr(self, field.name)) for field in dataclasses.fields(self)]
        return [(name, value) for name, value in pairs if value is not None]

    def keys(self):
        return [name for name, _ in self.items()]

    __iter__ = keys

    def values(self):
        return list(self.to_tuple())

    def __len__(self):
        return len(self.items())

    def __contains__(self, name):
        return name in self.keys()

    def get(self, name, default=None):
        return self[name] if name in self else default

    def __getitem__(self, key):
        if isinstance(key, str):
            return getattr(self, key)
        first = getattr(self, dataclasses.fields(self)[0].name)
        return first if key == 0 and first is not None else self.to_tuple()[key]


@flax.struct.dataclass
class FlaxBaseModelOutput(ModelOutput):
    last_hidden_state: object = None
    hidden_states: object = None
    attentions: object = None


@flax.struct.dataclass
class FlaxBaseModelOutputWithNoAttention(ModelOutput):
    last_hidden_state: object = None
    hidden_states: object = None


@flax.struct.dataclass
class FlaxBaseModelOutputWithPoolingAndNoAttention(ModelOutput):
    last_hidden_state: object = None
    pooler_output: object = None
    hidden_states: object = None


@flax.struct.dataclass
class FlaxImageClassifierOutputWithNoAttention(ModelOutput):
    logits: object = None
    hidden_states: object = None


@flax.struct.dataclass
class FlaxBaseModelOutputWithPast(ModelOutput):
    last_hidden_state: object = None
    past_key_values: object = None
    hidden_states: object = None
    attentions: object = None


@flax.struct.dataclass
class FlaxBaseModelOutputWithPooling(ModelOutput):
    last_hidden_state: object = None
    pooler_output: object = None
    hidden_states: object = None
    attentions: object = None


@flax.struct.dataclass
class FlaxBaseModelOutputWithPoolingAndCrossAttentions(ModelOutput):
    last_hidden_state: object = None
    pooler_output: object = None
    hidden_states: object = None
    past_key_values: object = None
    attentions: object = None
    cross_attentions: object = None


@flax.struct.dataclass
class FlaxBaseModelOutputWithPastAndCrossAttentions(ModelOutput):
    last_hidden_state: object = None
    past_key_values: object = None
    hidden_states: object = None
    attentions: object = None
    cross_attentions: object = None


@flax.struct.dataclass
class FlaxSeq2SeqModelOutput(ModelOutput):
    last_hidden_state: object = None
    past_key_values: object = None
    decoder_hidden_states: object = None
    decoder_attentions: object = None
    cross_attentions: object = None
    encoder_last_hidden_state: object = None
    encoder_hidden_states: object = None
    encoder_attentions: object = None


@flax.struct.dataclass
class FlaxCausalLMOutputWithCrossAttentions(ModelOutput):
    logits: object = None
    past_key_values: object = None
    hidden_states: object = None
    attentions: object = None
    cross_attentions: object = None


@flax.struct.dataclass
class FlaxMaskedLMOutput(ModelOutput):
    logits: object = None
    hidden_states: object = None
    attentions: object = None


FlaxCausalLMOutput = FlaxMaskedLMOutput


@flax.struct.dataclass
class FlaxSeq2SeqLMOutput(ModelOutput):
    logits: object = None
    past_key_values: object = None
    decoder_hidden_states: object = None
    decoder_attentions: object = None
    cross_attentions: object = None
    encoder_last_hidden_state: object = None
    encoder_hidden_states: object = None
    encoder_attentions: object = None


@flax.struct.dataclass
class FlaxNextSentencePredictorOutput(ModelOutput):
    logits: object = None
    hidden_states: object = None
    attentions: object = None


@flax.struct.dataclass
class FlaxSequenceClassifierOutput(ModelOutput):
    logits: object = None
    hidden_states: object = None
    attentions: object = None


@flax.struct.dataclass
class FlaxSeq2SeqSequenceClassifierOutput(ModelOutput):
    logits: object = None
    past_key_values: object = None
    decoder_hidden_states: object = None
    decoder_attentions: object = None
    cross_attentions: object = None
    encoder_last_hidden_state: object = None
    encoder_hidden_states: object = None
    encoder_attentions: object = None


@flax.struct.dataclass
class FlaxMultipleChoiceModelOutput(ModelOutput):
    logits: object = None
    hidden_states: object = None
    attentions: object = None


@flax.struct.dataclass
class FlaxTokenClassifierOutput(ModelOutput):
    logits: object = None
    hidden_states: object = None
    attentions: object = None


@flax.struct.dataclass
class FlaxQuestionAnsweringModelOutput(ModelOutput):
    start_logits: object = None
    end_logits: object = None
    hidden_states: object = None
    attentions: object = None


@flax.struct.dataclass
class FlaxSeq2SeqQuestionAnsweringModelOutput(ModelOutput):
    start_logits: object = None
    end_logits: object = None
    past_key_values: object = None
    decoder_hidden_states: object = None
    decoder_attentions: object = None
    cross_attentions: object = None
    encoder_last_hidden_state: object = None
    encoder_hidden_states: object = None
    encoder_attentions: object = None


@flax.struct.dataclass
class FlaxSampleOutput(ModelOutput):
    """What is generated; one that searches with beams has scores, too."""

    sequences: object = None

    def __getattr__(self, name):
        return facts.reads_only("attribute " + name + " of what a model generates")


def __getattr__(name):
    return facts.unknown("transformers.modeling_flax_outputs." + name)
