"""Write the expected results of the golden test, after an intended change.

Run: python tests/core/golden/make.py

The documents are those of public data sets whose licences allow it: Rust RFCs (Apache-2.0 or MIT),
Python PEPs (public domain), articles of PubMed Central (CC BY), a report of the Congressional
Research Service (public domain), a story of SQuALITY (CC BY 4.0, Project Gutenberg), a meeting of
QMSum (MIT) and a paper of ScisummNet (CC BY 4.0), of each the first 800 words.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import longsum
from longsum.core.summaries.formats import to_markdown, to_text
from longsum.documents import Document

FOLDER = Path(__file__).parent
DOCUMENTS = sorted((FOLDER / "documents").glob("*.json"))
# bf16 is as the machine has it.
EXACT = {"precision": "fp32"}
SYSTEMS: dict[str, tuple[str, dict[str, Any]]] = {
    "stepwise": ("stepwise", EXACT),
    "kernels": ("kernels", {}),
    "graph": ("graph", {}),
    "books": (
        "books",
        {
            **dict.fromkeys(("chapters_settings", "whole_settings"), EXACT),
            **{"undivided": 400, "part_words": 500, "least_words": 60},
        },
    ),
    "mls-stepwise": ("mls-stepwise", {"prototype": {"system": "stepwise", **EXACT}}),
}
LENGTH = "80w"
# Their scores are the same on every processor, to the recorded digits.
EXPLAINED = ("graph", "kernels")


def summaries(name: str) -> Iterator[tuple[Document, dict[str, Any]]]:
    """Yield each document with a system's summary of it, as JSON."""
    called, settings = SYSTEMS[name]
    system = longsum.load_system(called, **settings)
    for path in DOCUMENTS:
        document = longsum.read(path)
        summary = longsum.summarize(document, LENGTH, system)
        found = summary.to_dict()
        del found["timings"]
        if name in EXPLAINED:
            found["text"] = to_text(summary, explain=True)
            found["markdown"] = to_markdown(summary, explain=True)
        yield document, json.loads(json.dumps(found))


def main() -> None:
    """Write one file for each system."""
    for name in SYSTEMS:
        found = {
            path.stem: made for path, (_, made) in zip(DOCUMENTS, summaries(name), strict=True)
        }
        text = json.dumps(found, ensure_ascii=False, indent=1)
        (FOLDER / "summaries" / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
