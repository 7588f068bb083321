"""The pointer-generator network (See et al. 2017), which writes the prototype of MLS (§2.1).

Letters in shapes: b sources, k hypotheses, n source tokens, t target tokens, E features of a word,
H of a state (2H of an encoder state), V words of the vocabulary, O words of the sources of a batch
that the vocabulary lacks.
"""

from longsum.models.networks.pointer.configuration_pointer import LongsumPointerConfig
from longsum.models.networks.pointer.modeling_pointer import LongsumPointerGenerator

__all__ = ["LongsumPointerConfig", "LongsumPointerGenerator"]
