"""HiBERT as a network without PyTorch."""

from collections.abc import Sequence

import numpy as np

from longsum.common.arrays import Ints
from longsum.core.encoder.encoded import Encoded, texts_of
from longsum.core.encoder.extractor_config import PREFIX
from longsum.core.encoder.extractor_settings import HibertConfig
from longsum.core.encoder.onnx_runtime.document_encoder import DocumentEncoder, LightReading
from longsum.core.encoder.onnx_runtime.sentence_encoder import SentenceEncoder
from longsum.core.encoder.onnx_runtime.sentence_graph import Kind, graph_name
from longsum.core.encoder.onnx_runtime.stored_weights import Floats, StoredWeights
from longsum.core.encoder.onnx_runtime.weight_shapes import check_shapes
from longsum.core.encoder.static_embeddings import TOKENS, RoughVectors
from longsum.core.encoder.text_vectors import TextVectors
from longsum.core.model_files.folders import ModelFolder


class LightNetwork:
    """HiBERT, stepwise or not.

    Args:
        config: Its settings.
        encoder: Returns the vectors of texts.
        stored: The weights of its document encoder.
        rough: Returns rough vectors of texts; None if documents cannot be skimmed.

    Raises:
        LongsumError: A weight is missing.
    """

    compares = True
    concurrent = True

    def __init__(
        self,
        config: HibertConfig,
        encoder: SentenceEncoder,
        stored: StoredWeights,
        rough: RoughVectors | None = None,
    ) -> None:
        self._reads_headings = config.document_encoder.headings
        self._encoder = encoder
        self.rough = rough
        self._document_encoder = DocumentEncoder(config, stored)
        self.stepwise = config.stepwise
        self.decides_end = self._document_encoder.decides_end

    @classmethod
    def of(cls, folder: ModelFolder, config: HibertConfig, kind: Kind) -> "LightNetwork":
        """Load the network in a folder.

        Args:
            folder: The folder, with a graph of its sentence encoder.
            config: The settings that it holds.
            kind: How products of the sentence encoder are computed.

        Raises:
            LongsumError: Files are missing or damaged, or do not fit each other.
        """
        stored = StoredWeights.of(folder).within(PREFIX)
        check_shapes(stored.shapes, config)
        below = stored.within("sentence_encoder.")
        graph = folder.path / graph_name(kind)
        encoder = SentenceEncoder(config.sentence_encoder, below, graph, kind)
        size = config.sentence_encoder.size
        rough = RoughVectors.of(folder.path, size, lambda: below.floats(TOKENS))
        return cls(config, encoder, stored.within("document_encoder."), rough)

    def read(self, document: Encoded, texts: Floats | None = None) -> LightReading:
        """Compute what does not depend on the choices; see `Network.read`."""
        if texts is None:
            # Equal texts are encoded once.
            known = texts_of(document)
            texts = TextVectors(self._encoder, known)(known)
        count = len(document.headings)
        headings = None
        if self._reads_headings:
            under = document.headings >= 0
            headings = texts[np.maximum(document.headings, 0)] * under[:, None]
        return self._document_encoder.read(texts[:count], headings, document.places)

    def encode(self, texts: Sequence[Ints]) -> Floats:
        """Return the vectors of texts as tokens, `[m, D]`."""
        return self._encoder(texts)
