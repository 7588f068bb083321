"""The pointer-generator network (See et al. 2017), which writes the prototype of MLS (§2.1).

Letters in shapes: b sources, k hypotheses, n source tokens, t target tokens, E features of a word,
H of a state (2H of an encoder state), V words of the vocabulary, O words of the sources of a batch
that the vocabulary lacks.
"""

from longsum.models.pointer.beam import Hypothesis, beam_search
from longsum.models.pointer.configuration import LongsumPointerConfig, WordModelConfig
from longsum.models.pointer.loading import (
    load_pointer,
    load_word_model,
    save_pointer,
    save_word_model,
)
from longsum.models.pointer.modeling import LongsumPointerGenerator, PointerOutput, register
from longsum.models.pointer.tokenizer import WordTokenizer
from longsum.models.pointer.vocabulary import (
    PAD,
    START,
    STOP,
    UNK,
    SourceWords,
    Vocabulary,
)

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
