"""`sentencepiece`: a model has a vocabulary of some size, and makes lists of ints of texts.

Source: https://github.com/google/sentencepiece/blob/master/python/src/sentencepiece/__init__.py.
"""

from arraytyping import facts


def _pieces(kind):
    """What one text becomes."""
    if kind is str or kind == "str":
        return facts.many(facts.text())
    if kind is int or kind == "int":
        return facts.many(facts.integer())
    return facts.reads_only("what a tokenizer gives")


class SentencePieceProcessor:
    def __init__(self, model_file=None, model_proto=None, out_type=int, **options):
        self._out_type = out_type
        self._size = facts.size("vocab_size", 1)

    def Load(self, model_file=None, model_proto=None):
        return True

    load = LoadFromFile = LoadFromSerializedProto = load_from_serialized_proto = Load

    def GetPieceSize(self):
        return self._size

    get_piece_size = piece_size = vocab_size = __len__ = GetPieceSize

    def Encode(self, input, out_type=None, **options):
        made = _pieces(self._out_type if out_type is None else out_type)
        if isinstance(input, (str, bytes)):
            return made
        return facts.many(made) if isinstance(input, (list, tuple)) else facts.reads_only("what a tokenizer gives")

    encode = Encode

    def EncodeAsIds(self, input, **options):
        return self.Encode(input, int, **options)

    encode_as_ids = EncodeAsIds

    def EncodeAsPieces(self, input, **options):
        return self.Encode(input, str, **options)

    encode_as_pieces = EncodeAsPieces

    def Decode(self, input, out_type=str, **options):
        return facts.text() if out_type is str else facts.reads_only("what a tokenizer gives")

    decode = DecodeIds = decode_ids = DecodePieces = decode_pieces = Decode

    def bos_id(self):
        return facts.integer()

    eos_id = pad_id = unk_id = bos_id

    def PieceToId(self, piece):
        return facts.integer() if isinstance(piece, str) else facts.many(facts.integer())

    piece_to_id = PieceToId

    def IdToPiece(self, id):
        return facts.text() if isinstance(id, int) else facts.many(facts.text())

    id_to_piece = IdToPiece

    def __getattr__(self, name):
        return facts.reads_only("attribute " + name + " of a tokenizer")


def __getattr__(name):
    return facts.reads_only("sentencepiece." + name)
