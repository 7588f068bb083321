"""Does a model that is told the document's structure learn more? HIBRIDS's systems side by side.

Run: PYTHONPATH=src python gpu/train_structure.py OUTPUT [--task questions] [--seeds 0 1 …]

What a recipe adds to Longformer is added to the same model, and biases start at zero, so that all
begin alike. For the other options see `side_by_side.py`.
"""

from side_by_side import BASE, Settings, compare, parser

SYSTEMS = (
    "lvlsectok",
    "tokbias",
    "secbias",
    "hibrids-enc",
    "hibrids-dec",
    "hibrids-s-enc",
    "hibrids-s-dec",
    "hibrids-enc-no-level",
    "hibrids-enc-no-path",
    "hibrids-enc-symmetric",
    "hierenc",
    "multitask",
)
# Attention is the checkpoint's in all systems.
KEPT = ("encoder_attention",)
# What is added begins at zero; and sections have as many layers as tokens, as in the paper.
ZERO = {"start": "zeros"}
CHANGED: dict[str, Settings] = {
    "encoder_bias": ZERO,
    "decoder_bias": ZERO,
    "section_encoder": {**ZERO, "layers": 6},
}
# Tables of biases that start at zero learn faster than the rest, or they would hardly leave it.
BIASES = {"encoder_bias", "decoder_bias"}
BIAS_RATE = {"training": {"new_rate": 30.0}}
# Of each the kind of task, and the data sets.
TASKS = {
    "summaries": ("summarization", "pmc_jats"),
    "questions": ("question_hierarchy", "qmsum_questions+squality_questions"),
}


def main() -> None:
    """Prepare; or train, print the losses, and score."""
    made = parser(__doc__, SYSTEMS)
    made.add_argument("--task", choices=TASKS, default="summaries")
    options = made.parse_args()
    compare(options, lambda name: system_settings(name, options.task))


def system_settings(name: str, task: str) -> Settings:
    """Return the settings of a system: the base, and what its recipe is about."""
    from longsum.core.recipes import load_recipe
    from longsum.core.recipes.recipe import merged

    given = load_recipe(name).settings
    # The marks of all systems are one tokenizer's, so that all have the same embeddings.
    settings = merged(BASE, {"task": {"marks": given["task"]["marks"]}})
    settings["model"] = {
        part: value | CHANGED.get(part, {})
        for part, value in given["model"].items()
        if part not in KEPT
    }
    if settings["model"] and settings["model"].keys() <= BIASES:
        settings = merged(settings, BIAS_RATE)
    kind, names = TASKS[task]
    # By `merged`, another kind would take the place of all that stands there.
    settings["task"] = {**settings["task"], "kind": kind}
    return merged(settings, {"data": {"names": names, "validation": names}})


if __name__ == "__main__":
    main()
