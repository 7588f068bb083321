"""SummScreen (Chen et al. 2022): transcripts of television episodes with recaps.

The form is the authors' (github:mingdachen/SummScreen): the tokenised archive
`SummScreen/ForeverDreaming/fd_{train,dev,test}.json` and `SummScreen/TVMegaSite/tms_*.json`, JSON
lines with `Transcript` (turns and scene notes), `Recap` (sentences) and `filename`. If the
untokenised archive is there, too (`SummScreen_raw/{fd,tms}/<filename>`, one object per file), an
episode's text comes from it, and only the split from the tokenised one, as the authors say.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from longsum.evaluation.datasets.info import (
    Dataset,
    DatasetInfo,
    Example,
    as_paragraphs,
    other_fields,
)
from longsum.evaluation.datasets.record_files import (
    first_folder,
    json_file,
    json_lines,
    require_split_file,
)


def _info(name: str, description: str) -> DatasetInfo:
    return DatasetInfo(
        name=name,
        description=description,
        license="MIT (repository); none stated for the transcripts",
        ships=False,
        source="github:mingdachen/SummScreen",
        paper_or_url="https://aclanthology.org/2022.acl-long.589",
        note="A paragraph is a turn; the tokenised archive alone is read as it is.",
        variable="LONGSUM_DATA_SUMMSCREEN",
    )


def read(info: DatasetInfo, site: str, root: Path, split: str) -> Iterator[Example]:
    """Yield the episodes of a split, in the order of the tokenised archive."""
    prefix = info.name.removeprefix("summscreen_")
    pattern = f"{prefix}_{{split}}.json"
    folder = first_folder(root, f"SummScreen/{site}", site)
    path = require_split_file(folder, split, pattern, f"{prefix}_{{split}}.jsonl")
    for number, record in enumerate(json_lines(path)):
        name = record.get("filename", f"{prefix}_{split}_{number}")
        raw = root / "SummScreen_raw" / prefix / name
        episode = json_file(raw) if raw.is_file() else record
        title = ": ".join(filter(None, (episode.get("Show Title"), episode.get("Episode Title"))))
        yield info.example(
            as_paragraphs(episode["Transcript"], title),
            id=name.removesuffix(".json"),
            references=["\n".join(episode["Recap"])],
            split=split,
            extra=other_fields(episode, "filename", "Transcript", "Recap"),
        )


_INFOS = {
    "ForeverDreaming": _info("summscreen_fd", "Episodes of 88 television shows with their recaps"),
    "TVMegaSite": _info("summscreen_tms", "Episodes of 10 soap operas with their recaps"),
}
DATASETS = tuple(Dataset(info, partial(read, info, site)) for site, info in _INFOS.items())
