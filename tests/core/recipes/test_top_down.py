"""The systems of the top-down paper differ only in what they compare."""

import pytest

from longsum.core.recipes import load_recipe, recipe_names

BASE = "top-down"
SEGMENTS = {
    "top-down-adapool": {"pooling": "adaptive"},
    "top-down-oracle-adapool": {"pooling": "adaptive"},
    "top-down-concat": {"update": "concat"},
    "top-down-none": {"update": "none"},
}
IMPORTANCE = {"top-down-adapool": "tagger", "top-down-oracle-adapool": "oracle"}


@pytest.mark.parametrize("name", [name for name in recipe_names() if name.startswith(BASE)])
def test_a_variant_differs_from_the_base_only_as_its_name_says(name: str) -> None:
    base, recipe = load_recipe(BASE), load_recipe(name)
    window = int(name.rpartition("-")[2]) if "window" in name else 1024
    model = {
        **base.settings["model"],
        "encoder_attention": {"kind": "pattern", "window": window},
        "top_down": base.settings["model"]["top_down"] | SEGMENTS.get(name, {}),
    }
    task = dict(base.settings["task"])
    if name in IMPORTANCE:
        task["importance"] = IMPORTANCE[name]
    assert recipe.settings == {**base.settings, "model": model, "task": task}
    # The ablations are of PubMed alone (Appendix C).
    assert recipe.data == (base.data if "pool" in name or name == BASE else {})


def test_every_update_and_window_of_the_paper_has_a_recipe() -> None:
    windows = {f"top-down-window-{window}" for window in (32, 64, 128, 256, 512)}
    assert {name for name in recipe_names() if name.startswith(BASE)} == {
        *(BASE, *SEGMENTS, *windows)
    }
