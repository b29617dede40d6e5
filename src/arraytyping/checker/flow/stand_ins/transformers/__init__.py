"""`transformers`: tokenizers, configurations, models of Flax and processors of images, by what their names end with.

Models of Flax are those of the releases before 5, which has none any more.

Source: https://huggingface.co/docs/transformers/v4.55.4.
"""

from transformers.configuration_utils import PretrainedConfig, PublishedConfig
from transformers.generation_configuration import GenerationConfig
from transformers.hf_argparser import HfArgumentParser
from transformers.image_processing_utils import ImageProcessor
from transformers.modeling_flax_utils import FlaxPreTrainedModel
from transformers.named_classes import named
from transformers.published_flax_models import model_of_flax
from transformers.tokenization_utils_base import BatchEncoding, PreTrainedTokenizerBase

from arraytyping import facts

PreTrainedConfig = PretrainedConfig


def set_seed(seed, deterministic=False):
    return None


def __getattr__(name):
    if name.startswith("Flax"):
        return model_of_flax(name)
    if name.endswith(("Tokenizer", "TokenizerFast")):
        return named(name, PreTrainedTokenizerBase)
    if name.endswith("Config") and "Quant" not in name and "BitsAndBytes" not in name:
        return named(name, PublishedConfig)
    if name.endswith(("ImageProcessor", "ImageProcessorFast", "FeatureExtractor")) and not name.startswith(_OF_SOUND):
        return named(name, ImageProcessor)
    return facts.unknown("transformers." + name)


_OF_SOUND = ("AutoFeatureExtractor", "Wav2Vec2", "Whisper", "Speech2Text", "SeamlessM4T", "ASTF", "Clap", "Encodec", "Dac")
