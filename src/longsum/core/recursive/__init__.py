"""Summarizes long texts part by part, then the whole from those summaries (Top-down, §3.4).

A *part* is a run of sentences of a text that is summarized by itself. A *stage* is a text that the
summaries of the parts of the text below it make up; the document is the first. A *level* is what
users see of a stage: the summaries of the parts themselves. A *tier* is the sentences of the
document that a stage holds, from which the whole is selected if every stage copies.
"""
