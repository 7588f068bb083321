"""Exports of data sets for other tools: Parquet or JSON lines, one record per document."""

import json
from collections.abc import Iterable
from pathlib import Path

import yaml

from longsum.common.errors import LongsumError
from longsum.common.extras import missing_extras_explained
from longsum.common.files import unfinished, write_text
from longsum.evaluation.datasets.info import Example

FORMS = (".parquet", ".jsonl")
_REQUEST = "Summarize the text above."


def prompt_for(example: Example) -> str:
    """Return the prompt for an example, as in the lm-eval task: the document, then a request."""
    return f"{example.document.text}\n\n{example.question or _REQUEST}\n\n"


def lm_eval_task(name: str, data: Path, split: str) -> str:
    """Return an lm-eval task (https://github.com/EleutherAI/lm-evaluation-harness) as YAML.

    lm-eval does not score the model's output but logs it (`--log_samples`); `longsum evaluate
    --predictions` reads the log.

    The task names the exported file by its absolute path.
    """
    task = {
        "task": name,
        "dataset_path": "json" if data.suffix == ".jsonl" else "parquet",
        "dataset_kwargs": {"data_files": {split: str(data.resolve())}},
        "test_split": split,
        "output_type": "generate_until",
        "doc_to_text": f"{{{{document}}}}\n\n{{{{question or {_REQUEST!r}}}}}\n\n",
        "doc_to_target": "{{summary}}",
        "generation_kwargs": {"until": [], "max_gen_toks": 1024, "do_sample": False},
        "metric_list": [{"metric": "bypass", "aggregation": "bypass", "higher_is_better": True}],
        "metadata": {"version": 1},
    }
    return yaml.safe_dump(task, sort_keys=False, allow_unicode=True)


def export_records(examples: Iterable[Example], path: Path) -> int:
    """Write examples to a file in the format of its extension, and return their number.

    Fields have their usual names (`own_files.USUAL`), by which they can be read again.

    Raises:
        LongsumError: The extension is unknown, or Parquet is not installed.
        UnwritableError: The file cannot be written.
    """
    rows = [
        {
            "id": example.id,
            "title": example.document.title,
            "document": example.document.text,
            "summary": example.references[0],
            "summaries": list(example.references),
            "question": example.question,
            "license": example.license,
            "split": example.split,
        }
        for example in examples
    ]
    if path.suffix == ".jsonl":
        write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    elif path.suffix == ".parquet":
        with missing_extras_explained():
            import pyarrow
            from pyarrow import parquet
        with unfinished(path) as temporary:
            parquet.write_table(pyarrow.Table.from_pylist(rows), temporary)
    else:
        raise LongsumError(f"'{path}' has no known format; name it {' or '.join(FORMS)}.")
    return len(rows)
