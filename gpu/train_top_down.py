"""What do segments add to a window? Small versions of the top-down paper's systems side by side.

Run: PYTHONPATH=src python gpu/train_top_down.py OUTPUT --seeds 0 1 2 [--tagger FOLDER]

The first half of Table 14 (no update, by concatenation, by attention) and the poolings have a
window of 256 tokens, in the same proportion to 2,048 as the paper's 1,024 to 8,192; the second half
has other windows. Additions start at zero, so that all systems with one window start equal. AdaPool
is trained like OracleAdaPool and used with a tagger, whose folder it needs. For the other options
see `side_by_side.py`.
"""

from side_by_side import BASE, Settings, compare, parser

# Of 6 layers the last 2 are top-down, and 1 is for segments: half of 12, 4 and 2.
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
    """Return the settings of a system: the base, and what its recipe adds."""
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
