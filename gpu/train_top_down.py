"""What do segments add to a window? The systems of the top-down paper side by side, made small.

Run: PYTHONPATH=src python gpu/train_top_down.py OUTPUT --seeds 0 1 2 [--tagger FOLDER]

The first half of Table 14 (no update, by joining, by attention) and the poolings have a window of
256 tokens, which is to 2,048 what the paper's 1,024 is to 8,192; the second half has other windows.
What is added starts at zero, so that all systems of one window begin alike. AdaPool learns as
OracleAdaPool does and is used with a tagger, so it needs the folder of one. For the other options
see `side_by_side.py`.
"""

from side_by_side import BASE, Settings, compare, parser

# Of 6 layers the last 2 are top-down and 1 is of segments: 8, 4 and 2, halved.
SIZES = {"layers": 2, "segment_layers": 1, "start": "zeros"}
WINDOW = 256
SYSTEMS = ("top-down-none", "top-down-concat", "top-down", "top-down-oracle-adapool")
ADAPOOL = "top-down-adapool"
BY_WINDOW = "top-down-window-"
WINDOWS = tuple(f"{BY_WINDOW}{window}" for window in (32, 64, 128, 512, 1024))


def main() -> None:
    """Prepare; or train, print the losses, and score."""
    made = parser(__doc__, [*SYSTEMS, *WINDOWS])
    made.add_argument("--tagger", help=f"folder of a trained importance-tagger; adds {ADAPOOL}")
    options = made.parse_args()
    if options.tagger and ADAPOOL not in options.systems:
        options.systems.append(ADAPOOL)
    compare(options, lambda name: system_settings(name, options.tagger))


def system_settings(name: str, tagger: str | None) -> Settings:
    """Return the settings of a system: the base, and what its recipe is about."""
    from longsum.core.recipes import load_recipe
    from longsum.core.recipes.recipe import merged

    window = int(name.removeprefix(BY_WINDOW)) if name.startswith(BY_WINDOW) else WINDOW
    recipe = load_recipe("top-down" if name.startswith(BY_WINDOW) else name).settings
    settings = merged(BASE, {"data": {"names": "pmc_jats"}})
    settings["model"] = {
        "encoder_attention": recipe["model"]["encoder_attention"] | {"window": window},
        "top_down": recipe["model"]["top_down"] | SIZES,
    }
    if importance := recipe["task"].get("importance"):
        read = {"importance": importance, "tagger": tagger if name == ADAPOOL else None}
        settings = merged(settings, {"task": read})
    return settings


if __name__ == "__main__":
    main()
