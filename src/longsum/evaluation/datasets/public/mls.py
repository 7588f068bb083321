"""The two sets of MLS (Sarkhel et al. 2020, §3): personal stories, and essays on machines.

MSR-Narrative (Ouyang et al. 2017) is 476 stories told online, with summaries by crowd workers;
Thinking Machines (Brockman 2018) is 186 answers to Edge's question of 2015 with their summaries.
Neither was at hand when this was written, and the paper does not say in what form it had them. So
the form is the simplest one: `msr_narrative.jsonl` and `thinking_machines.jsonl`, JSON lines with
`id`, `text` (a paragraph per line) and `summary`, a text or a list of texts; `title` and other
fields are optional. Files named after splits (`msr_narrative/{train,validation,test}.jsonl`) are
read as they are. A file without splits is divided 25 : 10 : 65 as in the paper, but by the id
(`longsum.evaluation.datasets.info.hash_split`), as the paper's random division is not known.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from longsum.evaluation.datasets.info import (
    Dataset,
    DatasetInfo,
    Example,
    as_paragraphs,
    hash_split,
    other_fields,
)
from longsum.evaluation.datasets.record_files import json_lines, no_split_file, split_file

_SHARES = (5, 2, 13)


def _info(name: str, description: str, source: str) -> DatasetInfo:
    return DatasetInfo(
        name=name,
        description=description,
        license="none stated",
        ships=False,
        source=source,
        paper_or_url="https://arxiv.org/abs/2002.07845",
        note="Not the paper's random split, which is not known, but of the same sizes.",
        variable=f"LONGSUM_DATA_{name.upper()}",
    )


def read(info: DatasetInfo, root: Path, split: str) -> Iterator[Example]:
    """Yield the examples of a split, in the order of the file."""
    of_split = split_file(root / info.name, split, "{split}.jsonl")
    path = of_split or split_file(root, split, f"{info.name}.jsonl")
    if path is None:
        raise no_split_file(root, split, f"{info.name}.jsonl", f"{info.name}/{{split}}.jsonl")
    for record in json_lines(path):
        id, summaries = str(record["id"]), record["summary"]
        if of_split is not None or hash_split(id, _SHARES) == split:
            yield info.example(
                as_paragraphs(record["text"].splitlines(), record.get("title", "")),
                id=id,
                references=[summaries] if isinstance(summaries, str) else summaries,
                split=split,
                extra=other_fields(record, "id", "title", "text", "summary"),
            )


_INFOS = (
    _info(
        "msr_narrative", "Personal stories told online with summaries by crowd workers", "EACL 2017"
    ),
    _info("thinking_machines", "Essays on machines that think with their summaries", "edge.org"),
)
DATASETS = tuple(Dataset(info, partial(read, info)) for info in _INFOS)
