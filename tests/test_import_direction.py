"""A room imports only rooms below it, and no module imports its way back to itself."""

import ast
from collections import Counter
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "longsum"


def rules(text: str) -> dict[str, set[str]]:
    """Return what each room may import, of names that colons follow and of those behind them."""
    found: dict[str, set[str]] = {}
    for word in text.split():
        if word.endswith(":"):
            own = found.setdefault(word[:-1], set())
        else:
            own.add(word)
    return found


MAY_IMPORT = rules("""
    language: attention:
    models: attention
    documents: language
    summaries: documents language questions
    evaluation: documents language questions
    datasets: documents evaluation language questions tables
    kernels: documents language
    questions: recipes:
    tables: documents evaluation language recipes
    tasks: datasets documents evaluation language questions tables
    training: attention datasets documents evaluation language models questions recipes tables
        tasks
    systems: attention documents evaluation kernels language models questions recipes summaries
        tables tasks
    reports: attention documents language questions summaries tables
    studies: documents evaluation language questions reports summaries
""")
# The rooms and modules within a room, by what each may import of the others.
ROOMS_WITHIN = {
    "attention": rules("""
    masks: softmax: settings_by_kind: layers: patterns:
    cross: layers masks
    biases: cross patterns settings_by_kind softmax
    backends: biases masks patterns softmax
    global_local: backends biases patterns
    encoder_attention: backends biases patterns
    learned: backends biases encoder_attention layers masks patterns softmax
    attention_settings: encoder_attention learned patterns settings_by_kind
    """),
    "systems": rules("""
    naming: needs: system:
    kept: naming system
    shipped_weights:
    grounding: shipped_weights
    extractive: system
    loading: extractive naming questions system
    abstractive: grounding loading questions system
    magnifier: extractive loading system
    recursive: extractive grounding loading system
    planning: extractive grounding needs shipped_weights
    questions: extractive system
    """),
    "training": rules("""
    adafactor: checkpoints: marks: run_settings: sharding: training_dataset:
    update_order:
    callbacks: update_order
    documents: run_settings
    measure: training_dataset
    processes: run_settings
    stored_trainer: checkpoints
    trainer: adafactor callbacks run_settings sharding stored_trainer update_order
    card: documents
    prepared_cache: documents run_settings
    seq2seq_trainer: measure run_settings trainer
    tagged: measure training_dataset
    tagging_trainer: trainer training_dataset
    frame: callbacks card checkpoints prepared_cache processes run_settings sharding trainer
    prepare_tokens: documents marks prepared_cache run_settings
    estimate: documents frame prepared_cache processes run_settings runs trainer update_order
    checking: documents frame prepare_tokens prepared_cache run_settings trainer
    extraction: card documents frame prepared_cache run_settings trainer
    planning: documents extraction frame prepared_cache run_settings
    words: documents frame prepared_cache run_settings trainer training_dataset
    relations: documents frame prepared_cache run_settings trainer
    run_seq2seq: frame marks measure prepare_tokens run_settings seq2seq_trainer tagged
        training_dataset
    run_tagger: frame prepare_tokens run_seq2seq run_settings tagging_trainer training_dataset
    runs: checking extraction frame planning relations run_seq2seq run_tagger words
    """),
    "models": rules("""
    blocks: precision: weight_files: tokenizer_file:
    settings_file: weight_files
    compact: weight_files
    folders: settings_file tokenizer_file weight_files
    weights: compact folders weight_files
    hugging_face: folders settings_file
    base: compact folders hugging_face settings_file tokenizer_file weight_files weights
    words: base blocks compact folders hugging_face settings_file tokenizer_file weight_files
        weights
    pointer: base blocks compact folders hugging_face settings_file tokenizer_file weight_files
        weights words
    convolutional: base blocks compact folders hugging_face pointer settings_file tokenizer_file
        weight_files weights words
    relations: base words
    extractive: base blocks compact folders hugging_face precision settings_file tokenizer_file
        weight_files weights
    seq2seq: base blocks compact folders hugging_face settings_file tokenizer_file weight_files
        weights
    tagger: base compact folders hugging_face seq2seq settings_file tokenizer_file weight_files
        weights
    checkers: compact folders hugging_face settings_file tokenizer_file weight_files weights
    announce: convolutional extractive pointer relations seq2seq tagger
    """),
}
# A fast execution never imports the definition that it is held to.
APART = {
    "attention/backends/tiled.py": "longsum.attention.backends.reference",
    "attention/backends/flex.py": "longsum.attention.backends.reference",
    "attention/layers/products.py": "longsum.attention.backends.reference",
}
# Files whose names say nothing without their folder.
SAY_NOTHING = {
    *("configuration.py", "convert.py", "files.py", "inputs.py", "layers.py", "loading.py"),
    *("modeling.py", "preparation.py", "run.py", "settings.py", "units.py", "views.py"),
}
EVERYWHERE = {
    *("arrays", "errors", "extras", "files", "given_files", "interrupts", "names"),
    *("registry", "structured_text", "telemetry", "threads", "views", "wording"),
}
# Modules that stand above the rooms and may use all of them.
TOP = {
    *("batch", "cli", "comparison", "comparison_metrics", "comparison_report"),
    *("comparison_results", "comparison_rows", "library", "pipeline", "tree_comparison"),
    *("__init__", "__main__"),
}


def module_of(file: Path) -> str:
    parts = file.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(file): file for file in sorted(SOURCE.rglob("*.py"))}


@cache
def imported(file: Path) -> frozenset[str]:
    """Return the modules of longsum that a file imports, in its functions too.

    What is imported from a package counts as a module where it is one.
    """
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} has a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {name if name in MODULES else str(node.module) for name in names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return frozenset(found & MODULES.keys())


def imports(file: Path) -> set[str]:
    """Return the rooms of longsum that a file imports, in its functions too."""
    return {name.split(".")[1] for name in imported(file) if "." in name}


def room_of(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("file", sorted(SOURCE.rglob("*.py")), ids=lambda f: str(f.name))
def test_imports_only_rooms_below(file: Path) -> None:
    room = room_of(file)
    if room in TOP or room in EVERYWHERE:
        return
    assert imports(file) - {room} - EVERYWHERE <= MAY_IMPORT[room]


def test_every_room_has_a_rule() -> None:
    rooms = {entry.name for entry in SOURCE.iterdir() if (entry / "__init__.py").exists()}
    assert rooms - TOP == set(MAY_IMPORT)


@pytest.mark.parametrize("rules", [MAY_IMPORT, *ROOMS_WITHIN.values()], ids=["", *ROOMS_WITHIN])
def test_the_rules_have_no_circle(rules: dict[str, set[str]]) -> None:
    TopologicalSorter(rules).prepare()


@pytest.mark.parametrize("outer", ROOMS_WITHIN)
def test_every_room_within_a_room_has_a_rule(outer: str) -> None:
    entries = (SOURCE / outer).iterdir()
    names = {
        each.stem
        for each in entries
        if each.suffix == ".py" or each.joinpath("__init__.py").exists()
    }
    assert names - {"__init__"} == set(ROOMS_WITHIN[outer])


WITHIN = [(outer, inner) for outer, rules in ROOMS_WITHIN.items() for inner in rules]


@pytest.mark.parametrize(("outer", "inner"), WITHIN)
def test_imports_only_rooms_below_within_a_room(outer: str, inner: str) -> None:
    inside = f"longsum.{outer}.{inner}"
    for module, file in MODULES.items():
        if module != inside and not module.startswith(f"{inside}."):
            continue
        names = (name.split(".") for name in imported(file))
        found = {parts[2] for parts in names if len(parts) > 2 and parts[1] == outer}
        assert found - {inner} <= ROOMS_WITHIN[outer][inner], module


@pytest.mark.parametrize("name", APART)
def test_a_fast_execution_does_not_import_its_definition(name: str) -> None:
    assert (SOURCE / name).exists()
    assert APART[name] in MODULES
    assert APART[name] not in imported(SOURCE / name)


def test_no_circle_of_modules() -> None:
    graph = {name: imported(file) - {name} for name, file in MODULES.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"circle of imports: {' → '.join(error.args[1])}")


@pytest.mark.parametrize("name", sorted(SAY_NOTHING))
def test_a_name_that_says_nothing_is_not_used_twice(name: str) -> None:
    assert Counter(file.name for file in MODULES.values())[name] <= 1


def test_modules_name_no_others_in_strings() -> None:
    """`import_module` hides who imports whom; only libraries are imported so (`extras.py`)."""
    for module, file in MODULES.items():
        if module != "longsum.extras":
            assert "import_module" not in file.read_text(encoding="utf-8"), module


def test_systems_have_at_most_eight_floors() -> None:
    """No chain of imports among them is longer."""
    inside = {name for name in MODULES if name.startswith("longsum.systems.")}
    below = {name: imported(MODULES[name]) & inside - {name} for name in inside}
    floors: dict[str, int] = {}
    for name in TopologicalSorter(below).static_order():
        floors[name] = 1 + max((floors[other] for other in below[name]), default=0)
    assert max(floors.values()) <= 8
