"""Recipes: a YAML file for a system and its variants, and the loader that checks it."""

from longsum.core.recipes.recipe import (
    DEFAULT,
    Published,
    Recipe,
    is_recipe,
    load_recipe,
    recipe_file,
    recipe_names,
    recipes,
)

__all__ = [
    "DEFAULT",
    "Published",
    "Recipe",
    "is_recipe",
    "load_recipe",
    "recipe_file",
    "recipe_names",
    "recipes",
]
