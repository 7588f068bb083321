"""Do summaries contain anything but the document's text? Menus, contents, running heads.

Run: python benchmarks/out_of_place.py [FILE …] [--format html epub …] [--keep FOLDER] [--print]

The documents are the files given, by default those of `real_documents.py`. Each is summarized in
60, 200 and 600 words, and every sentence of a summary is looked up: in what the reader left out as
contents, index, menu, header or footer, among the titles of sections, and by the form of such lines
(leaders, page numbers, `Next:`, `Copyright`) and of what an editor would strike (`This section …`,
`See …`, prompts, marks of items, entries without a subject, a lead-in at the end of a paragraph).
What is found is printed; `--print` prints the summaries, since no pattern replaces reading them.
"""

import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import longsum
from longsum.documents import Document
from longsum.documents.readers import read, read_bytes
from real_documents import fetched, parser_of

LENGTHS = ("60w", "200w", "600w")
_APART = frozenset(
    {"contents or index line", "contents line", "index line", "menu", "page header", "page footer",
     "running head", "hidden part", "masthead", "e-mail header"}
)  # fmt: skip
_FORMS = {
    "leaders": re.compile(r"(?:[.…·]\s?){4,}\s*\w{1,5}\Z"),
    "page number": re.compile(r"\[Page \d+\]|\bPage \d+ of \d+|\A\d+\Z"),
    "navigation": re.compile(
        r"\A(?:next|prev(?:ious)?|up|home|back|contents?|index)\s*[:|»«→←]|\bskip to\b"
        r"|\bedit this\b|\bavailable languages\b|\btable of contents\b",
        re.IGNORECASE,
    ),
    "notice": re.compile(
        r"\bcopyright (?:\(c\)|©|\d{4})|©|all rights reserved|\blast updated\b", re.IGNORECASE
    ),
    "signpost": re.compile(
        r"\A(?:in )?(?:this|the (?:following|next)) (?:\w+ )?(?:section|chapter|appendix)\b",
        re.IGNORECASE,
    ),
    "pointer": re.compile(r"\A\(?(?:please )?see (?!to\b|that\b)|\*note\b", re.IGNORECASE),
    "prompt or mark": re.compile(r"\A(?:[$#%] ?\w|>+ \w|[*•] |\d{1,2}[.)] )"),
    "entry of code": re.compile(r"\A(?:--?\w|[\w.]{1,80}\([^()]*\):)"),
    "label": re.compile(r"\A\[(?:in|out|in, ?out|[A-Z]\w+(?: \w+)?)\] "),
    "no subject": re.compile(
        r"\A(?:Returns|Sets|Gets|Creates|Performs|Specifies|Displays|Initialize|Set|Get) "
        r"(?:the|an?|any|whether|\w+_\w+)\b"
    ),
    "page of a reference": re.compile(r"\], page \d"),
    "markup": re.compile(r"<<\w|\w\[\[|\bhttps?://\S+\[|\A\W*~{4,}"),
    "version": re.compile(r"\A(?:new|added|changed|deprecated) in version\b", re.IGNORECASE),
    "entries of an index": re.compile(r"(?:\w[\w ]*, \d+(?:[-–]\d+)?[;,.]?\s*){3,}"),
}


def out_of_place(document: Document, length: str) -> Iterator[tuple[str, str]]:
    """Yield the reason and text of each sentence that does not belong in a summary.

    The marks of items count where the sentence has them, and a lead-in where no item follows.
    """
    apart = {
        _letters(line): part.kind
        for part in document.omitted
        if part.kind in _APART
        for line in part.text.split("\n")
    }
    titles = {_letters(section.title) for section in document.walk()}
    summary = longsum.summarize(document, length=length).sentences
    for sentence, after in zip_longest(summary, summary[1:]):
        if sentence.text.endswith(":") and (
            after is None or after.sources[0].section != sentence.sources[0].section
        ):
            yield "nothing follows", sentence.text
        letters = _letters(sentence.text)
        if letters in apart:
            yield apart[letters], sentence.text
        elif letters in titles:
            yield "title of a section", sentence.text
        else:
            yield from (
                (name, sentence.text) for name, form in _FORMS.items() if form.search(sentence.text)
            )


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def main() -> None:
    """Summarize the documents and print what is out of place."""
    parser = parser_of(__doc__ or "")
    parser.add_argument("files", nargs="*", type=Path, help="documents of your own")
    parser.add_argument("--print", action="store_true", help="print the summaries")
    options = parser.parse_args()
    if options.files:
        documents = ((file.name, read(file)) for file in options.files)
    else:
        documents = (
            (real.name, read_bytes(data, f"{real.name}.{real.format}"))
            for real, data in fetched(options)
        )
    for name, document in documents:
        found = [fault for length in LENGTHS for fault in out_of_place(document, length)]
        print(f"{name:28}{len(found):3} out of place", flush=True)
        for reason, text in found:
            print(f"    {reason}: {text}")
        if options.print:
            for length in LENGTHS:
                print(f"\n--- {length}\n{longsum.summarize(document, length=length).text}")


if __name__ == "__main__":
    main()
