"""Recipes: one YAML file a system, and the loader that checks it."""

from longsum.recipes.recipe import Published, Recipe, load_recipe, recipe_names, recipes

__all__ = ["Published", "Recipe", "load_recipe", "recipe_names", "recipes"]
