"""What word-level models share: words, vocabulary, settings, loss, beam search, files."""

from longsum.models.words.beam import Hypothesis, beam_search
from longsum.models.words.configuration_words import WordModelConfig
from longsum.models.words.vocabulary import PAD, START, STOP, UNK, SourceWords, Vocabulary
from longsum.models.words.word_model_files import load_word_model, save_word_model
from longsum.models.words.word_tokenizer import WordTokenizer

__all__ = [
    "PAD",
    "START",
    "STOP",
    "UNK",
    "Hypothesis",
    "SourceWords",
    "Vocabulary",
    "WordModelConfig",
    "WordTokenizer",
    "beam_search",
    "load_word_model",
    "save_word_model",
]
