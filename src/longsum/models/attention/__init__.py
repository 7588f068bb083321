"""Attention: what may attend to what, defined once, and two executions of it.

Letters in shapes: b batch, h heads, q queries, k keys, n tokens, d head_dim.
"""
