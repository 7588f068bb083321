"""The extractor of relations between names and numbers (Wiseman et al. 2017)."""

from longsum.tables.relations.configuration_relations import LongsumRelationsConfig
from longsum.tables.relations.modeling_relations import LongsumRelations

__all__ = ["LongsumRelations", "LongsumRelationsConfig"]
