"""How tokens are generated: what a program says of it, and nothing else.

Source: https://huggingface.co/docs/transformers/v4.55.4/main_classes/text_generation.
"""

from arraytyping import facts


class GenerationConfig:
    def __init__(self, **kwargs):
        self._given = kwargs
        for name, value in kwargs.items():
            setattr(self, name, value)

    @classmethod
    def from_pretrained(cls, *args, **kwargs):
        return facts.reads_only("a configuration that is read")

    def __getattr__(self, name):
        return facts.reads_only("attribute " + name + " of how tokens are generated")


def axes_of_sequences(axes, generation_config, kwargs):
    """The axes of what is generated behind tokens: each has as many new ones as are asked for, if that is said."""
    is_known = isinstance(generation_config, GenerationConfig)
    given = {**generation_config._given, **kwargs} if is_known else kwargs
    batch, length = axes
    is_one = is_known and "num_return_sequences" not in given
    new = given.get("max_new_tokens")
    return batch if is_one else None, None if new is None else length + new


def __getattr__(name):
    return facts.unknown("transformers.generation_configuration." + name)
