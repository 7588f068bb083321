"""Recipes: one YAML file a system, and the loader that checks it."""

from longsum.recipes.recipe import DEFAULT, Published, Recipe, load_recipe, recipe_names, recipes

__all__ = ["DEFAULT", "Published", "Recipe", "load_recipe", "recipe_names", "recipes"]
