"""How documents become training examples, and tokens of a model become sentences again."""
