"""Tokenizers: a vocabulary of some size; tokens are lists of ints, and as arrays of NumPy int64 with two axes.

Source: https://huggingface.co/docs/transformers/main_classes/tokenizer.
"""

import jax.numpy as jnp
from transformers.named_classes import read

from arraytyping import facts

_LONGEST = {
    "gpt2": 1024, "gpt2-medium": 1024, "gpt2-large": 1024, "gpt2-xl": 1024, "distilgpt2": 1024,
    "bert-base-uncased": 512, "bert-base-cased": 512, "bert-large-uncased": 512, "bert-large-cased": 512,
    "roberta-base": 512, "roberta-large": 512, "t5-small": 512, "t5-base": 512, "t5-large": 512,
    "openai/clip-vit-base-patch16": 77, "openai/clip-vit-base-patch32": 77, "openai/clip-vit-large-patch14": 77,
}  # fmt: skip
_TWO = ("gpt2", "distilgpt2", "openai/clip", "roberta", "t5")
"""Where the names of published tokenizers begin that give `input_ids` and `attention_mask`."""
_WORDS = {"gpt2": 50257, "roberta-base": 50265, "bert-base-uncased": 30522, "bert-base-cased": 28996}


def _is_many(texts):
    """Whether these are several texts; None where it is not known."""
    if isinstance(texts, str):
        return False
    return True if isinstance(texts, (list, tuple)) else None


class BatchEncoding:
    """What one call gives, under names: each has the same axes.  Of some tokenizers all names are known."""

    def __init__(self, data=None, *args, is_all=False, **options):
        self.data = {} if data is None else data
        self._is_all = is_all

    def _names(self):
        return list(self.data) if self._is_all else facts.many(facts.text())

    def __getitem__(self, name):
        if isinstance(name, str) and name in self.data:
            return self.data[name]
        return facts.reads_only("a part of an encoding")

    def __getattr__(self, name):
        return self[name]

    def __setitem__(self, name, value):
        self.data[name] = value

    def __contains__(self, name):
        return True if name in self.data else facts.boolean()

    def pop(self, name, *default):
        return self.data.pop(name) if name in self.data else facts.reads_only("a part of an encoding")

    def keys(self):
        return self._names()

    def __iter__(self):
        return iter(self._names())

    def values(self):
        return list(self.data.values()) if self._is_all else facts.many(facts.one_item(list(self.data.values())))

    def items(self):
        if self._is_all:
            return list(self.data.items())
        return facts.many((facts.text(), facts.one_item(list(self.data.values()))))


class PreTrainedTokenizerBase:
    def __init__(self, *args, **options):
        self._name = None
        self._set_up(options)

    def _set_up(self, options):
        name = self._name
        self.vocab_size = _WORDS[name] if name in _WORDS else facts.size("vocab_size", 1)
        self._length = facts.size("vocab", 1)
        longest = _LONGEST[name] if name in _LONGEST else facts.size("model_max_length", 1)
        self.model_max_length = options.get("model_max_length", longest)
        self.is_fast = facts.boolean()

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path, *args, **options):
        made = read(cls)
        made._name = None if args else pretrained_model_name_or_path
        made._set_up(options)
        return made

    def __len__(self):
        return self._length

    def _tokens_of(self, texts, options):
        """Tokens as what is asked for: with one text as a list, with several as a list of them, or as an array."""
        kind, is_many = options.get("return_tensors"), _is_many(texts)
        is_whole = options.get("return_overflowing_tokens", False) is False
        length = None
        if options.get("padding") == "max_length" and options.get("truncation") is True and is_whole:
            longest = options.get("max_length")
            length = self.model_max_length if longest is None else longest
        if kind is None:
            one = facts.many(facts.integer()) if length is None else facts.rows([facts.integer()], length)
            many = facts.rows([one], len(texts)) if is_many and is_whole else facts.many(one)
            return many if is_many else one if is_many is False else facts.one_of(one, many)
        number = facts.size("texts", 1)
        if is_whole and is_many is not None:
            number = len(texts) if is_many else 1
        if kind not in ("np", "jax"):
            return facts.reads_only("what a tokenizer gives")
        made = facts.numpy_array("int64", (number, facts.size("tokens") if length is None else length))
        return made if kind == "np" else jnp.array(made)

    def __call__(self, text=None, text_pair=None, text_target=None, *args, **options):
        if text is None:
            text = text_target
        if args:
            return facts.reads_only("what a tokenizer gives")
        kind = options.get("return_tensors")
        if kind is not None and kind not in ("np", "jax"):
            return facts.reads_only("what a tokenizer gives")
        tokens = self._tokens_of(text, options)
        made = {"input_ids": tokens}
        if options.get("return_attention_mask") is not False:
            made["attention_mask"] = tokens
        for name in ("token_type_ids", "special_tokens_mask"):
            if options.get("return_" + name) is True:
                made[name] = tokens
        is_named = isinstance(self._name, str) and self._name.startswith(_TWO)
        is_all = is_named and not [name for name in options if name.startswith("return_") and name != "return_tensors"]
        return BatchEncoding(made, is_all=is_all)

    batch_encode_plus = encode_plus = __call__

    def encode(self, text, text_pair=None, **options):
        return self._tokens_of(text, options) if isinstance(text, str) else facts.reads_only("what a tokenizer gives")

    def pad(self, encoded_inputs, padding=True, max_length=None, pad_to_multiple_of=None, **options):
        kind = options.get("return_tensors")
        if kind not in ("np", "jax"):
            return facts.reads_only("what a tokenizer gives")
        tokens = facts.numpy_array("int64", "texts tokens")
        tokens = tokens if kind == "np" else jnp.array(tokens)
        return BatchEncoding({"input_ids": tokens, "attention_mask": tokens})

    def decode(self, token_ids, *args, **options):
        return facts.text()

    def batch_decode(self, sequences, *args, **options):
        return facts.many(facts.text())

    def tokenize(self, text, *args, **options):
        return facts.many(facts.text())

    def convert_tokens_to_ids(self, tokens):
        return facts.integer() if isinstance(tokens, str) else facts.reads_only("ids of tokens")

    def convert_ids_to_tokens(self, ids, *args, **options):
        return facts.text() if isinstance(ids, int) else facts.reads_only("tokens of ids")

    def apply_chat_template(self, conversation, *args, tokenize=True, **options):
        is_one = isinstance(conversation, list) and conversation and isinstance(conversation[0], dict)
        return facts.text() if tokenize is False and is_one else facts.reads_only("what a tokenizer gives")

    def get_vocab(self):
        return facts.reads_only("the words of a tokenizer")

    def add_special_tokens(self, *args, **options):
        self._length = facts.size("vocab", 1)
        return facts.integer()

    add_tokens = add_special_tokens

    def save_pretrained(self, *args, **options):
        return facts.reads_only("the files of a tokenizer")

    def __getattr__(self, name):
        if name.endswith("_token_id"):
            return facts.one_of(None, facts.integer())
        if name.endswith("_token"):
            return facts.one_of(None, facts.text())
        return facts.reads_only("attribute " + name + " of a tokenizer")


def __getattr__(name):
    return facts.unknown("transformers.tokenization_utils_base." + name)
