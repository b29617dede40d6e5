"""`tiktoken`: the sizes of its vocabularies.

Source: https://github.com/openai/tiktoken.
"""

from arraytyping import facts

_SIZES = {"gpt2": 50257, "r50k_base": 50257, "p50k_base": 50281, "cl100k_base": 100277, "o200k_base": 200019}


class Encoding:
    def __init__(self, name=None, **options):
        self.n_vocab = _SIZES[name] if name in _SIZES else facts.size("n_vocab", 1)

    @property
    def max_token_value(self):
        return self.n_vocab - 1

    def encode(self, text, **options):
        return facts.many(facts.integer())

    encode_ordinary = encode

    def decode(self, tokens, **options):
        return facts.text()


def get_encoding(encoding_name):
    return Encoding(encoding_name)


def encoding_for_model(model_name):
    return Encoding()


def __getattr__(name):
    return facts.unknown("tiktoken." + name)
