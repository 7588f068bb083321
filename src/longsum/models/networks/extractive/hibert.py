"""HiBERT: a sentence encoder under a document encoder, stepwise or not (Stepwise, §4)."""

from torch import Tensor, nn

from longsum.core.encoder.extractor_settings import HibertConfig
from longsum.models.networks.extractive.document_encoder import DocumentEncoder, DocumentStates
from longsum.models.networks.extractive.extractor_layers import initialise
from longsum.models.networks.extractive.sentence_encoder import SentenceEncoder, encode_sorted
from longsum.models.networks.extractive.units import ExtractiveModel, Units


class Hibert(ExtractiveModel):
    """Stepwise HiBERT, or HiBERT.

    Sentences are encoded once; a step runs the document encoder alone, and of it only the layers
    that read the summary.
    """

    def __init__(self, config: HibertConfig) -> None:
        super().__init__()
        self.config = config
        self.stepwise = config.stepwise
        self.decides_end = config.stepwise and config.document_encoder.end == "decision"
        self.sentence_encoder = SentenceEncoder(config.sentence_encoder)
        self.document_encoder = DocumentEncoder(
            config.document_encoder, config.sentence_encoder, config.stepwise
        )
        initialise(self)
        if config.stepwise:
            for unit in (self.document_encoder.begin, self.document_encoder.end):
                nn.init.normal_(unit, std=0.02)

    def encode(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Return the vectors of texts, `[m, D]`; for the arguments see `Units`."""
        return encode_sorted(self.sentence_encoder, tokens, lengths)

    def read(self, units: Units) -> DocumentStates:
        """Encode sentences and headings, and read the document as far as no choice matters."""
        texts = units.vectors
        if texts is None:
            texts = self.encode(units.tokens, units.lengths)
        headings = None
        if self.config.document_encoder.headings:
            headings = texts[units.headings.clamp_min(0)] * (units.headings >= 0)[..., None]
        vectors = texts[units.sentences.clamp_min(0)]
        return self.document_encoder.read(vectors, headings, units.places, units.real)

    def logits(self, reading: DocumentStates, plans: Tensor) -> Tensor:
        """Score what may be chosen next; see `ExtractiveModel.logits`."""
        return self.document_encoder.logits(reading, plans)

    def scored(self, units: Units, plans: Tensor) -> Tensor:
        """Return which sentences have a position."""
        return self.with_end(self.document_encoder.within(units.real), plans)
