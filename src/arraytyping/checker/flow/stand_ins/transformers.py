"""`transformers`: tokenizers have a vocabulary of some size, and give tokens as int64 with two axes.

Source: https://huggingface.co/docs/transformers/main_classes/tokenizer.
"""

from arraytyping import facts


class BatchEncoding:
    def __init__(self, tokens):
        self.input_ids = tokens
        self.attention_mask = facts.numpy_array("int64", tokens.shape)

    def __getitem__(self, name):
        known = name in ("input_ids", "attention_mask", "token_type_ids")
        return facts.numpy_array("int64", self.input_ids.shape) if known else facts.reads_only("a part of an encoding")


class _Tokenizer:
    def __init__(self, *args, **options):
        self.vocab_size = facts.size("vocab_size", 1)

    @classmethod
    def from_pretrained(cls, *args, **options):
        return _Tokenizer()

    def __len__(self):
        return facts.size("vocab", 1)

    def __call__(self, *args, **options):
        if options.get("return_tensors") != "np":
            return facts.reads_only("what a tokenizer gives")
        is_cut = options.get("padding") == "max_length" and options.get("truncation") is True
        length = options.get("max_length") if is_cut else None
        tokens = facts.numpy_array("int64", (facts.size("texts", 1), facts.size("tokens") if length is None else length))
        return BatchEncoding(tokens)

    def decode(self, *args, **options):
        return facts.text()

    def add_special_tokens(self, *args, **options):
        return facts.integer()

    add_tokens = add_special_tokens

    def __getattr__(self, name):
        return facts.reads_only("attribute " + name + " of a tokenizer")


class AutoTokenizer(_Tokenizer):
    pass


class GPT2Tokenizer(_Tokenizer):
    pass


class GPT2TokenizerFast(_Tokenizer):
    pass


class BertTokenizer(_Tokenizer):
    pass


class BertTokenizerFast(_Tokenizer):
    pass


def __getattr__(name):
    return facts.unknown("transformers." + name)
