"""Invented basketball games: box scores with plans and reports, to train with.

Teams and players are invented, and every game is marked as generated, so that none is taken for a
real one: `rotowire_texts.real_games` refuses them where results are measured.
"""
