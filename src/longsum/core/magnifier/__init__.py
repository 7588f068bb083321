"""The Pointer-Magnifier: summaries of any length from a prototype (MLS, §2.2)."""
