"""Summarizes long texts part by part, then the whole from those summaries (Top-down, §3.4).

A *part* is a run of sentences of a text that is summarized by itself. A *stage* is a text made up
of the summaries of the parts of the text below; the document is the first. A *level* is what users
see of a stage: the summaries of the parts. A *tier* is the set of document sentences in a stage;
the summary of the whole is selected from tiers if every stage copies.
"""
