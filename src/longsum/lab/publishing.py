"""Publishing a model's folder on the Hugging Face Hub, with a card from the run's record."""

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from huggingface_hub import CommitOperationAdd, EvalResult, HfApi, ModelCard, ModelCardData

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_json
from longsum.common.wording import quote
from longsum.core.model_files.folders import DATA_FILES, HUB_ID, TRAINING, ModelFolder
from longsum.lab.comparison.comparison_results import Results
from longsum.models.training.card import CARD, RECORD
from longsum.models.training.documents import load_used

Contents = Mapping[str, Path | bytes]
"""What is uploaded, by file name: a file of the folder, or a text."""


def publication(
    folder: ModelFolder,
    name: str,
    *,
    license: str | None = None,
    results: Sequence[Path] = (),
    private: bool = False,
) -> Contents:
    """Return what would be uploaded from a folder, without local paths.

    Args:
        folder: A model's folder.
        name: The repository, `owner/name`.
        license: The licence of the model, as the Hub names it.
        results: Files that `longsum evaluate -o` wrote, for the scores of the card.
        private: Whether the repository is private.

    Raises:
        LongsumError: The folder is not a model's, or the model was trained on documents whose
            licences do not allow distribution; or the results are not the model's.
    """
    if not HUB_ID.fullmatch(name):
        raise LongsumError(f"{quote(name)} is not a name on the Hub; give owner/name.")
    paths = sorted(path for form in DATA_FILES for path in folder.path.glob(form))
    contents: dict[str, Path | bytes] = {path.name: path for path in paths if path.is_file()}
    # The measurement that `longsum reproduce` keeps in the folder is of no use elsewhere.
    contents.pop("measured.json", None)
    if not any(file.endswith(".safetensors") for file in contents):
        raise LongsumError(
            f"'{folder.path}' has no weights in safetensors; give the folder of a trained model."
        )
    if not private:
        _check_shippable(folder.path)
    settings = _without_paths(folder.training or {})
    contents[CARD] = _card(folder, name, settings.get("recipe"), license, results)
    if settings:
        contents[TRAINING] = yaml.safe_dump(settings, sort_keys=False).encode()
    return contents


def listing(contents: Contents) -> str:
    """Return a listing of the files with their sizes, and of the texts in full."""
    return "\n".join(
        f"{name}: {content.stat().st_size:,} bytes"
        if isinstance(content, Path)
        else f"{name}:\n\n{content.decode()}"
        for name, content in contents.items()
    )


def push(name: str, contents: Contents, *, private: bool = False) -> str:
    """Upload what `publication` returned to the Hub, in one commit, and return its address.

    Raises:
        LongsumError: The Hub refuses it, or cannot be reached.
    """
    additions = [CommitOperationAdd(file, content) for file, content in contents.items()]
    api = HfApi()
    # Besides its own errors, the library raises those of the HTTP client below it.
    try:
        api.create_repo(name, private=private, exist_ok=True)
        commit = api.create_commit(name, additions, commit_message="A model that longsum trained")
    except Exception as error:
        status = getattr(getattr(error, "response", None), "status_code", None)
        why = "it cannot be reached" if status is None else f"it answers with status {status}"
        raise LongsumError(
            f"The Hub did not take {quote(name)} ({why}); check that there is a network, that the "
            "owner is yours, and that you are logged in ('hf auth login')."
        ) from error
    return str(commit.repo_url or commit.commit_url)


def _check_shippable(folder: Path) -> None:
    """Refuse a model whose record counts training documents that may not be distributed."""
    record = folder / RECORD
    for part in load_used(record) if record.is_file() else ():
        if part.split == "train" and part.shippable < part.documents:
            raise LongsumError(
                f"The model learned from {part.documents - part.shippable:,} documents of "
                f"{part.name} whose licences do not allow the model to be shared; give --private, "
                "or train with data.shippable=true."
            )


def _card(
    folder: ModelFolder, name: str, recipe: Any, license: str | None, results: Sequence[Path]
) -> bytes:
    """Return the card of the training run, preceded by metadata for the Hub, such as scores."""
    path = folder.path / CARD
    text = path.read_text(encoding="utf-8") if path.is_file() else f"# {folder.name}\n"
    scores = [score for file in results for score in _scores(file, folder.name)]
    data = ModelCardData(
        license=license,
        eval_results=scores or None,
        model_name=name.partition("/")[2] if scores else None,
        library_name="longsum",
        pipeline_tag="summarization",
        tags=["longsum", *([str(recipe)] if recipe else [])],
    )
    body = ModelCard(text, ignore_metadata_errors=True).text
    return f"---\n{data.to_yaml()}\n---\n{body}".encode()


def _without_paths(value: Any) -> Any:
    """Return settings with local paths reduced to their last part."""
    if isinstance(value, dict):
        return {key: _without_paths(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_paths(item) for item in value]
    if not isinstance(value, str):
        return value
    path = Path(value)
    return path.name if path.is_absolute() or (os.sep in value and path.exists()) else value


def _scores(file: Path, system: str) -> Iterator[Any]:
    """Yield an evaluation's scores of a system, with the intervals in their names."""
    try:
        read = parse_json(file.read_bytes())
        data, split, documents = str(read["data"]), str(read["split"]), len(read["documents"])
        systems = Results.from_json(read).systems
        means = {
            f"{row.system}": {score: row.interval(score) for score in row.scores} for row in systems
        }
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise LongsumError(
            f"'{file}' is not a result of 'longsum evaluate -o' ({error}); give one."
        ) from error
    if system not in means:
        raise LongsumError(
            f"'{file}' has no scores of {quote(system)}, only of {', '.join(means)}; evaluate the "
            "folder that is pushed."
        )
    for score, mean in means[system].items():
        if math.isfinite(mean.mean):
            interval = f"95 % interval {mean.low:.2f} to {mean.high:.2f}"
            yield EvalResult(
                task_type="summarization",
                dataset_type=data,
                dataset_name=data,
                dataset_split=split,
                metric_type=score,
                metric_name=f"{score} ({interval}, {documents:,} documents)",
                metric_value=round(mean.mean, 2),
            )
