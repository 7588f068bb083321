"""Trees of questions and their summaries (HIBRIDS, §4)."""
