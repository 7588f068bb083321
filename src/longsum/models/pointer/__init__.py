"""The pointer-generator network (See et al. 2017), which writes the prototype of MLS (§2.1).

Letters in shapes: b sources, k hypotheses, n source tokens, t target tokens, E features of a word,
H of a state (2H of an encoder state), V words of the vocabulary, O words of the sources of a batch
that the vocabulary lacks.
"""

from longsum.models.pointer.configuration_pointer import LongsumPointerConfig, WordModelConfig
from longsum.models.pointer.modeling_pointer import LongsumPointerGenerator, PointerOutput, register
from longsum.models.words.beam import Hypothesis, beam_search
from longsum.models.words.vocabulary import (
    PAD,
    START,
    STOP,
    UNK,
    SourceWords,
    Vocabulary,
)
from longsum.models.words.word_model_files import (
    load_pointer,
    load_word_model,
    save_pointer,
    save_word_model,
)
from longsum.models.words.word_tokenizer import WordTokenizer

__all__ = [
    "PAD",
    "START",
    "STOP",
    "UNK",
    "Hypothesis",
    "LongsumPointerConfig",
    "LongsumPointerGenerator",
    "PointerOutput",
    "SourceWords",
    "Vocabulary",
    "WordModelConfig",
    "WordTokenizer",
    "beam_search",
    "load_pointer",
    "load_word_model",
    "register",
    "save_pointer",
    "save_word_model",
]
