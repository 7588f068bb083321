"""CNN/DailyMail (Hermann et al. 2015; See et al. 2017): news articles with highlights.

Three forms are read:

- stories with URL lists: `cnn/stories/` and `dailymail/stories/` (or `cnn_stories`, `dm_stories`)
  hold `<sha1 of the URL>.story`; `url_lists/all_{train,val,test}.txt` (github:abisee/cnn-dailymail)
  have a URL on each line;
- stories in a folder for each split: `{train,val,test}/*.story`;
- JSON lines or CSV named after the split, with `id`, `article` and `highlights`.

A story is the article's paragraphs with blank lines between them, then each highlight after a line
`@highlight`.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from longsum.evaluation.datasets.info import (
    Dataset,
    DatasetInfo,
    Example,
    as_paragraphs,
    other_fields,
    split_names,
)
from longsum.evaluation.datasets.record_files import (
    first_folder,
    no_split_file,
    records,
    split_file,
    text_file,
)

_INFO = DatasetInfo(
    name="cnn_dailymail",
    description="News articles of CNN and the Daily Mail with their highlights",
    license="none stated (copyright of the publishers)",
    ships=False,
    source="github:abisee/cnn-dailymail",
    paper_or_url="https://aclanthology.org/P17-1099",
    note="Highlights keep their own punctuation; many end without a full stop.",
    variable="LONGSUM_DATA_CNN_DAILYMAIL",
)
_HIGHLIGHT = "@highlight"
_STORY_FOLDERS = ("cnn/stories", "dailymail/stories", "cnn_stories", "dm_stories")


def read(root: Path, split: str) -> Iterator[Example]:
    """Yield the articles of a split, in the order of the list, the folder or the file."""
    urls = split_file(first_folder(root, "url_lists"), split, "all_{split}.txt")
    split_folder = first_folder(root, *split_names(split))
    flat = split_file(root, split, "{split}.jsonl", "{split}.json", "{split}.csv")
    if urls is not None:
        stories = _listed_stories(root, urls)
    elif split_folder != root:
        stories = iter(sorted(split_folder.glob("*.story")))
    elif flat is not None:
        for number, record in enumerate(records(flat)):
            id, highlights = str(record.get("id", number)), record["highlights"].splitlines()
            extra = other_fields(record, "id", "article", "highlights")
            yield _example(id, record["article"], highlights, split, extra)
        return
    else:
        raise no_split_file(root, split, "url_lists/all_{split}.txt", "{split}.jsonl")
    for path in stories:
        article, *highlights = text_file(path).split(_HIGHLIGHT)
        yield _example(path.stem, article, map(str.strip, highlights), split, {})


def _listed_stories(root: Path, urls: Path) -> Iterator[Path]:
    """Yield the listed stories that are on disk; a user may have only one publisher's."""
    folders = [root / name for name in _STORY_FOLDERS if (root / name).is_dir()] or [root]
    for url in text_file(urls).split():
        name = hashlib.sha1(url.encode()).hexdigest() + ".story"
        yield from (folder / name for folder in folders if (folder / name).is_file())


def _example(
    id: str, article: str, highlights: Iterable[str], split: str, extra: Mapping[str, object]
) -> Example:
    return _INFO.example(
        as_paragraphs(article.splitlines()),
        id=id,
        references=["\n".join(text for text in highlights if text)],
        split=split,
        extra=extra,
    )


DATASETS = (Dataset(_INFO, read),)
