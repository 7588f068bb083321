"""The extractor of relations as a `RelationFinder` (Wiseman et al. 2017)."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import torch

from longsum.core.model_files.folders import ModelFolder
from longsum.models.networks.words.vocabulary import Vocabulary
from longsum.models.networks.words.word_model_files import load_word_model
from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.matching.matcher import ReadSentence
from longsum.tables.relation_candidates import Candidate, candidates
from longsum.tables.relations import LongsumRelations
from longsum.tables.relations.candidate_batch import collate, encoded
from longsum.tables.relations.configuration_relations import NONE
from longsum.tables.table import Table
from longsum.tables.table_relations import Triple

_BLOCK = 64


class NeuralRelations:
    """Finds relations with an ensemble of networks; see `RelationFinder`.

    For each name and number of a sentence, the label with the largest sum of probabilities is
    taken; those with the label `NONE` state nothing. Names are found, and distinguished, by the
    matcher.

    The networks are in evaluation mode.
    """

    def __init__(self, model: LongsumRelations, vocabulary: Vocabulary) -> None:
        self._model = model
        self._vocabulary = vocabulary

    @classmethod
    def load(cls, source: Path | ModelFolder) -> "NeuralRelations":
        """Load the networks that `longsum train relation-extractor` wrote.

        Raises:
            LongsumError: Files are missing or damaged, or hold another model.
        """
        return cls(*load_word_model(source, LongsumRelations))

    def relations(self, table: Table, sentences: Sequence[str]) -> list[tuple[Triple, bool]]:
        """Return what a report states; see `RelationFinder.relations`."""
        pairs = [
            (read, candidate)
            for read in matcher_for(table).read(sentences)
            for candidate in candidates(read, table)
        ]
        found = [
            (candidate, label)
            for (_, candidate), label in zip(pairs, self._labels(pairs), strict=True)
            if label != NONE
        ]
        return [
            (Triple(each.entity, str(each.value), label), label in each.types)
            for each, label in found
        ]

    def _labels(self, pairs: Sequence[tuple[ReadSentence, Candidate]]) -> Iterator[str]:
        """Yield the label that the networks give to each pair."""
        for start in range(0, len(pairs), _BLOCK):
            some = pairs[start : start + _BLOCK]
            batch = collate([encoded(*each, self._vocabulary) for each in some])
            with torch.inference_mode():
                scores = self._model(**batch).scores
            yield from (self._model.config.labels[each] for each in scores.argmax(dim=-1).tolist())
