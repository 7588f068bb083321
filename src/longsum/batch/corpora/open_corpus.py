"""From a path to the corpus that lies there."""

from pathlib import Path

from longsum.batch.corpora.corpus import Corpus, Fields, FolderCorpus, LinesCorpus
from longsum.batch.corpora.parquet_corpus import ParquetCorpus
from longsum.common.errors import LongsumError
from longsum.common.names import is_file, is_there

_LINES = (".jsonl", ".ndjson")
_PARQUET = (".parquet", ".pq")
_PACKED = (".gz", ".xz", ".bz2", ".zst", ".zip", ".tar", ".tgz")


def open_corpus(path: Path, fields: Fields = Fields()) -> Corpus:  # noqa: B008
    """Return the corpus at a path: a folder, a `.jsonl` or a `.parquet` file.

    Raises:
        LongsumError: There is nothing, or a file of another kind.
    """
    if is_there(path) and path.is_dir():
        return FolderCorpus(path)
    if not is_file(path):
        raise LongsumError(f"There is no folder and no file '{path}'.")
    suffix = path.suffix.lower()
    if suffix in _LINES:
        return LinesCorpus(path, fields)
    if suffix in _PARQUET:
        return ParquetCorpus(path, fields)
    if suffix in _PACKED:
        raise LongsumError(
            f"'{path}' is packed, and its documents cannot be reached one by one; unpack it first."
        )
    raise LongsumError(
        f"'{path}' is one file, not a corpus; give a folder, a .jsonl or a .parquet file, or run "
        "longsum summarize on it."
    )
