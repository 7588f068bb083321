"""The recipes of the package, read once for all tests generated from them."""

from longsum.core.recipes import recipes

RECIPES = tuple(recipes())
