"""Summarizes long texts part by part, then the whole from those summaries (Top-down, §3.4)."""
