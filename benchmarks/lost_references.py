r"""How many sentences of LaTeX files lack a reference?

Run: python benchmarks/lost_references.py FOLDER… [--joined]

Every `.tex` file below the folders is read. Printed for each folder: files, sentences, those that
have `[missing reference]`, and their share. `--joined` puts the files that a file includes, and its
own packages, into it first, as `latexpand --expand-usepackage` does, and reads only files with
`\begin{document}`.
"""

import argparse
import re
from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.documents.readers.detect import parse
from longsum.language.characters import LOST

_INCLUDED = re.compile(
    r"(?<!\\)%[^\n]*"
    r"|\\(?:input|include|subfile|usepackage\s*(?:\[[^\]]{0,200}\])?)\s*\{(?P<name>[^{}]*)\}"
)
_BEGIN, _END = r"\begin{document}", r"\end{document}"
_DEEPEST = 6


def joined(path: Path, root: Path, depth: int = 0) -> str:
    """Return a file with the files that it includes inserted."""

    def included(found: re.Match[str]) -> str:
        name = (found["name"] or "").strip()
        ending = "sty" if "usepackage" in found[0] else "tex"
        for file in (root / f"{name}.{ending}", root / name, path.parent / f"{name}.{ending}"):
            if name and depth < _DEEPEST and file.is_file():
                text = joined(file, root, depth + 1)
                return text.partition(_BEGIN)[2].partition(_END)[0] if _BEGIN in text else text
        return found[0]

    return _INCLUDED.sub(included, path.read_text(encoding="utf-8", errors="replace"))


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--joined", action="store_true")
    args = parser.parse_args()
    for folder in args.folders:
        files = sentences = lost = 0
        for path in sorted(folder.rglob("*.tex")):
            text = joined(path, path.parent) if args.joined else None
            if text is not None and _BEGIN not in text:
                continue
            try:
                document = parse(path.read_bytes() if text is None else text.encode(), path.name)
            except LongsumError:
                continue
            files += 1
            sentences += len(document.sentences)
            lost += sum(LOST in sentence.text for sentence in document.sentences)
        share = lost / sentences if sentences else 0
        print(f"{folder.name}: {files} files, {sentences:,} sentences, {lost:,} lost ({share:.1%})")


if __name__ == "__main__":
    main()
