"""The recipes of the package, read once for all tests that are made of them."""

from longsum.core.recipes import recipes

RECIPES = tuple(recipes())
