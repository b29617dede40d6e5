"""Configurations: what they are made with, and for published models the sizes of these.

Source: https://huggingface.co/docs/transformers/main_classes/configuration, and the files config.json of the models.
"""

import copy

from transformers.named_classes import read

from arraytyping import facts

_SIZES = {
    "gpt2": (50257, 768, 12, 12, 1024), "gpt2-medium": (50257, 1024, 24, 16, 1024),
    "gpt2-large": (50257, 1280, 36, 20, 1024), "gpt2-xl": (50257, 1600, 48, 25, 1024),
    "distilgpt2": (50257, 768, 6, 12, 1024), "bert-base-uncased": (30522, 768, 12, 12, 512),
    "bert-base-cased": (28996, 768, 12, 12, 512), "roberta-base": (50265, 768, 12, 12, 514),
}  # fmt: skip
"""The vocabulary, the width, layers, heads and positions of published models."""

_NAMES = (
    ("vocab_size",), ("hidden_size", "n_embd", "d_model"), ("num_hidden_layers", "n_layer", "num_layers"),
    ("num_attention_heads", "n_head", "num_heads"), ("max_position_embeddings", "n_positions", "n_ctx"),
)  # fmt: skip


class PretrainedConfig:
    model_type = ""

    def __init__(self, *args, **kwargs):
        self.return_dict = True
        self.output_hidden_states = self.output_attentions = False
        self.is_encoder_decoder = self.is_decoder = self.add_cross_attention = False
        self.tie_word_embeddings = True
        for name, value in kwargs.items():
            setattr(self, name, value)

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path, *args, **kwargs):
        return facts.reads_only("a configuration that is read")

    from_dict = from_json_file = from_pretrained

    @property
    def use_return_dict(self):
        return self.return_dict

    def to_dict(self):
        return copy.deepcopy(self.__dict__)

    def save_pretrained(self, *args, **kwargs):
        return None

    def __getattr__(self, name):
        return facts.reads_only("attribute " + name + " of a configuration")


class PublishedConfig(PretrainedConfig):
    """One that comes with the library: of its sizes some are given, and others are as published or not known."""

    is_published = False
    """Whether it is that of a model whose sizes are listed."""

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path, *args, return_unused_kwargs=False, **kwargs):
        if return_unused_kwargs is not False:
            return facts.reads_only("a configuration that is read")
        made = read(cls)
        made._set_up(kwargs)
        if isinstance(pretrained_model_name_or_path, str) and pretrained_model_name_or_path in _SIZES:
            made.is_published = True
            for names, size in zip(_NAMES, _SIZES[pretrained_model_name_or_path]):
                for name in names:
                    if name not in kwargs:
                        setattr(made, name, size)
        return made

    def __init__(self, *args, **kwargs):
        self._set_up(kwargs)

    def _set_up(self, kwargs):
        PretrainedConfig.__init__(self, **kwargs)
        for names in _NAMES:
            given = [kwargs[name] for name in names if name in kwargs]
            size = given[0] if given else facts.size(names[0], 1)
            for name in names:
                if name not in kwargs:
                    setattr(self, name, size)
        if "num_labels" not in kwargs:
            self.num_labels = facts.size("num_labels", 1)


def __getattr__(name):
    return facts.unknown("transformers.configuration_utils." + name)
