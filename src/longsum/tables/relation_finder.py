"""What finds the relations that reports state, for the metrics of Wiseman et al. (2017)."""

from collections.abc import Sequence
from typing import Protocol

from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.table import Table
from longsum.tables.table_relations import Triple
from longsum.tables.triples import stated_triples


class RelationFinder(Protocol):
    """Finds relations, by rules or by a network."""

    def relations(self, table: Table, sentences: Sequence[str]) -> list[tuple[Triple, bool]]:
        """Return what a report states, in order, each with whether the table has it.

        Args:
            table: What the report is about.
            sentences: The sentences of the report.
        """
        ...


class MatchedRelations:
    """Finds relations by the rules of the matcher, without a model."""

    def relations(self, table: Table, sentences: Sequence[str]) -> list[tuple[Triple, bool]]:
        """Return what a report states; see `RelationFinder.relations`."""
        return stated_triples(matcher_for(table).read(sentences))
