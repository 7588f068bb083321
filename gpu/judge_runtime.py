"""Whether sources entail a claim, by a judge that is small compared with the shipped extractor.

The judge is that extractor's sentence encoder with low-rank updates (LoRA; Hu et al. 2021) of its
matrices, and a head: it reads a claim and its sources together, and the mean of the states gives
three logits. `train_judge.py` trains it; it runs without PyTorch, like the extractor.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from longsum.common.arrays import Ints
from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import PREFIX, folder_settings
from longsum.core.encoder.onnx_runtime.light_network import SentenceEncoder
from longsum.core.encoder.onnx_runtime.session import Kind, graph_name, multiplies_bytes
from longsum.core.encoder.onnx_runtime.stored_weights import Floats, StoredWeights
from longsum.core.extractive.extractor_options import shipped_folder, shipped_tokenizer
from longsum.core.model_files.folders import ModelFolder

TOKENS = 160
"""Tokens of a claim and its sources that the judge reads; the sources are cut."""
LABELS = 3
"""The sources say the claim, deny it, or do not say it."""
FILE = "judge.safetensors"
_UP, _DOWN = ".up", ".down"


def pair_tokens(tokenizer: Tokenizer, pairs: Sequence[tuple[str, str]]) -> list[Ints]:
    """Return `[CLS] claim [SEP] sources [SEP]` of sources and claims, as tokens.

    Args:
        tokenizer: The tokenizer of the encoder.
        pairs: Sources, as one text, and a claim each.
    """
    first, last = (tokenizer.token_to_id(each) for each in ("[CLS]", "[SEP]"))
    sources = tokenizer.encode_batch([source for source, _ in pairs], add_special_tokens=False)
    claims = tokenizer.encode_batch([claim for _, claim in pairs], add_special_tokens=False)
    found = []
    for source, claim in zip(sources, claims, strict=True):
        own = claim.ids[: TOKENS // 2 - 3]
        ids = [first, *own, last, *source.ids[: TOKENS - 3 - len(own)], last]
        found.append(np.array(ids, dtype=np.int32))
    return found


class Entailer:
    """Predicts whether sources entail a claim.

    Args:
        folder: The folder of the updates and the head.

    Raises:
        LongsumError: They cannot be read, or belong to another encoder.
    """

    def __init__(self, folder: str | Path) -> None:
        learned = _learned(Path(folder) / FILE)
        extractor = ModelFolder.of(shipped_folder())
        config = folder_settings(extractor).sentence_encoder
        stored = StoredWeights.of(extractor).within(PREFIX).within("sentence_encoder.")
        kind: Kind = "int8" if multiplies_bytes() else "fp32"
        try:
            updated = _updated(stored, learned)
            self._weight, self._bias = learned["head.weight"], learned["head.bias"]
            if (self._weight.shape, self._bias.shape) != (
                (LABELS, config.size),
                (LABELS,),
            ):
                raise ValueError
        except (KeyError, ValueError, LongsumError):
            raise LongsumError(
                f"'{Path(folder) / FILE}' is of another encoder than the one that ships; train the "
                "judge again."
            ) from None
        self._encoder = SentenceEncoder(config, updated, extractor.path / graph_name(kind), kind)

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Return logits, `[n, 3]`: entailment, contradiction, or neither.

        Args:
            pairs: Sources, as one text in the order of the document, and a claim each.
        """
        vectors = self._encoder(pair_tokens(shipped_tokenizer(), pairs))
        found: Floats = vectors @ self._weight.T + self._bias
        return found


def _learned(path: Path) -> dict[str, Floats]:
    try:
        return {name: value.astype(np.float32) for name, value in load_file(path).items()}
    except (SafetensorError, OSError, KeyError, TypeError) as error:
        raise LongsumError(f"'{path}' cannot be read ({error}); train the judge again.") from None


def _updated(stored: StoredWeights, learned: Mapping[str, Floats]) -> StoredWeights:
    """Return weights with their updates added, in floating point."""
    tensors: dict[str, NDArray[np.generic]] = dict(stored.tensors)
    for name in learned:
        if name.endswith(_UP):
            matrix = name.removesuffix(_UP)
            change = learned[name] @ learned[matrix + _DOWN]
            weight = stored.floats(f"{matrix}.weight")
            if change.shape != weight.shape:
                raise ValueError
            tensors[f"{matrix}.weight"] = weight + change
            tensors.pop(f"{matrix}.weight.scale", None)
    return replace(stored, tensors=tensors)
