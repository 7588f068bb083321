"""Long texts part by part, and the whole from the summaries of the parts (Top-down, §3.4)."""
