"""Does knowing the document's structure help a model? HIBRIDS's systems side by side.

Run: PYTHONPATH=src python gpu/train_structure.py OUTPUT [--task questions] [--seeds 0 1 …]

Each recipe's additions to Longformer are made to the same model, and biases start at zero, so that
all start equal. For the other options see `side_by_side.py`.
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
# All systems have the checkpoint's attention.
KEPT = ("encoder_attention",)
# Additions start at zero; and sections have as many layers as tokens, as in the paper.
ZERO = {"start": "zeros"}
CHANGED: dict[str, Settings] = {
    "encoder_bias": ZERO,
    "decoder_bias": ZERO,
    "section_encoder": {**ZERO, "layers": 6},
}
# Bias tables that start at zero get a higher learning rate, or they would hardly leave it.
BIASES = {"encoder_bias", "decoder_bias"}
BIAS_RATE = {"training": {"new_rate": 30.0}}
# The kind of task and the data sets of each.
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
    """Return the settings of a system: the base, and what its recipe adds."""
    from longsum.core.recipes import load_recipe
    from longsum.core.recipes.recipe import merged

    given = load_recipe(name).settings
    # All systems share one tokenizer with all marks, so that they have the same embeddings.
    settings = merged(BASE, {"task": {"marks": given["task"]["marks"]}})
    settings["model"] = {
        part: value | CHANGED.get(part, {})
        for part, value in given["model"].items()
        if part not in KEPT
    }
    if settings["model"] and settings["model"].keys() <= BIASES:
        settings = merged(settings, BIAS_RATE)
    kind, names = TASKS[task]
    # `merged` would replace the whole table for another kind.
    settings["task"] = {**settings["task"], "kind": kind}
    return merged(settings, {"data": {"names": names, "validation": names}})


if __name__ == "__main__":
    main()
