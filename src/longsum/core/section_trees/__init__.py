"""Trees of questions and their answering summaries (HIBRIDS, §4)."""
