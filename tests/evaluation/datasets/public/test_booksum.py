import json

import pytest

from document_views import sentences
from longsum.common.errors import LongsumError
from longsum.evaluation.datasets import load

_CHAPTER = {
    "bid": "1023",
    "is_aggregate": False,
    "source": "shmoop",
    "chapter_path": "all_chapterized_books/1023-chapters/02.txt",
    "summary_path": "finished_summaries/shmoop/Bleak House/section_1_part_0.txt",
    "book_id": "Bleak House.chapter 1",
    "summary_id": "chapter 1",
}
_FILE = "alignments/chapter-level-summary-alignments/chapter_summary_aligned_val_split.jsonl"


@pytest.mark.parametrize(
    ("repository", "books", "summaries"),
    [
        ("booksum", "", "booksum/scripts"),  # books beside the repository
        ("", "", "scripts"),  # the root is the repository
        ("booksum", "booksum", "booksum"),
    ],
)
def test_chapters(tmp_path, write_lines, write_text, repository, books, summaries) -> None:
    missing = _CHAPTER | {"chapter_path": "all_chapterized_books/1023-chapters/99.txt"}
    write_lines(tmp_path / repository / _FILE, [missing, _CHAPTER])
    write_text(tmp_path / books / _CHAPTER["chapter_path"], "London. Fog everywhere.\n")
    write_text(
        tmp_path / summaries / _CHAPTER["summary_path"],
        json.dumps({"name": "Chapter 1", "summary": ["It is foggy.", "It stays so."]}),
    )
    (example,) = load("booksum_chapter", "validation", root=tmp_path)
    assert example.id == "shmoop/Bleak House/section_1_part_0"
    assert sentences(example.document) == ["London.", "Fog everywhere."]
    assert example.references == ("It is foggy.\nIt stays so.",)
    assert example.document.title == "Bleak House.chapter 1"
    assert example.extra == _CHAPTER


def test_books_with_the_paths_of_the_authors_machine(tmp_path, write_lines, write_text) -> None:
    book = {
        "bid": "113",
        "source": "gradesaver",
        "title": "The Secret Garden",
        "summary_path": "/export/longsum/booksumm/finished_summaries/gradesaver/S/overview.json",
        "book_path": "/export/longsum/booksumm/all_chapterized_books/113-chapters/book_clean.txt",
    }
    folder = tmp_path / "alignments/book-level-summary-alignments"
    write_lines(folder / "book_summaries_aligned_test.jsonl", [book])
    write_text(tmp_path / "all_chapterized_books/113-chapters/book_clean.txt", "One. Two.")
    write_text(
        tmp_path / "scripts/finished_summaries/gradesaver/S/overview.json", '{"summary": ["s"]}'
    )
    (example,) = load("booksum_book", "test", root=tmp_path)
    assert example.id == "gradesaver/S/overview"
    assert example.document.title == "The Secret Garden"
    assert example.extra == {**book, "section_summaries": []}


def test_a_book_has_the_chapters_of_its_guide_or_of_the_one_with_most(
    tmp_path, write_lines, write_text
) -> None:
    chapters = [
        _CHAPTER | {"source": guide, "summary_id": f"chapter {number}", "summary_path": path}
        for guide, count in (("a", 1), ("b", 2))
        for number in range(1, count + 1)
        if (path := f"finished_summaries/{guide}/Bleak House/section_{number}_part_0.txt")
    ]
    missing = _CHAPTER | {"source": "b", "summary_path": "finished_summaries/b/none.txt"}
    write_lines(tmp_path / _FILE, [*chapters, missing])
    books = [
        {
            "bid": bid,
            "source": guide,
            "title": "Bleak House",
            "summary_path": f"finished_summaries/{guide}/Bleak House/overview.txt",
            "book_path": "all_chapterized_books/1023-chapters/book_clean.txt",
        }
        for bid, guide in (("1023", "a"), ("1023", "b"), ("1023", "c"), ("7", "a"))
    ]
    write_lines(
        tmp_path / "alignments/book-level-summary-alignments/book_summaries_aligned_val.jsonl",
        books,
    )
    write_text(tmp_path / "all_chapterized_books/1023-chapters/book_clean.txt", "London. Fog.")
    for record in (*chapters, *books):
        said = {"summary": [record.get("summary_id", "book"), record["source"]]}
        write_text(tmp_path / record["summary_path"], json.dumps(said))
    found = [
        [(part["section"], part["text"]) for part in example.extra.get("section_summaries", ())]
        for example in load("booksum_book", "validation", root=tmp_path)
    ]
    of_b = [("chapter 1", "chapter 1\nb"), ("chapter 2", "chapter 2\nb")]
    assert found == [[("chapter 1", "chapter 1\na")], of_b, of_b, []]


@pytest.mark.parametrize("folder", ["booksum/alignments", "alignments"])
def test_paragraphs(tmp_path, write_lines, folder) -> None:
    name = (
        "chapter_summary_aligned_test_split.jsonl.gathered.stable.bi_encoder_paraphrase.aggregated"
    )
    row = {
        "text": "A paragraph. Of two sentences.",
        "title": "Bleak House.chapter 1.shmoop",
        "scores": [0.5],
        "summary": ["It is foggy."],
    }
    write_lines(tmp_path / folder / "paragraph-level-summary-alignments" / name, [row, row])
    examples = list(load("booksum_paragraph", "test", root=tmp_path))
    assert [example.id for example in examples] == [f"{row['title']}#0", f"{row['title']}#1"]
    assert examples[0].references == ("It is foggy.",)
    assert examples[0].extra == {"title": row["title"], "scores": [0.5]}


def test_processed_chapters(tmp_path, write_lines) -> None:
    record = _CHAPTER | {"chapter": "London. Fog.", "summary_text": "Foggy.", "summary": "{}"}
    write_lines(tmp_path / "train.jsonl", [record])
    (example,) = load("booksum_chapter", "train", root=tmp_path)
    assert example.id == "shmoop/Bleak House/section_1_part_0"
    assert example.document.title == "Bleak House.chapter 1"
    assert example.references == ("Foggy.",)
    assert example.extra == _CHAPTER


def test_processed_chapters_are_no_books(tmp_path, write_lines) -> None:
    write_lines(tmp_path / "test.jsonl", [{"chapter": "a", "summary_text": "b"}])
    with pytest.raises(LongsumError, match="no files of the split 'test'"):
        next(load("booksum_book", "test", root=tmp_path))
