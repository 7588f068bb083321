"""The XML of journals (JATS) and of editions (TEI)."""
