"""Nothing outside the named folders is read, whatever the path and however the tree changes."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum import LongsumError, ReadLimits
from longsum.agents import folders as agents_folders
from longsum.agents.folders import Folders

SECRET, PUBLIC = b"secret", b"public"
LIMITS = ReadLimits()
NAMES = ("a.txt", "sub", "b.txt", "link", "up", "loop", "..", ".", "", "open", "out.txt", "pipe")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("base")
    (base / "out.txt").write_bytes(SECRET)
    (base / "other").mkdir()
    (base / "other" / "out.txt").write_bytes(SECRET)
    root = base / "open"
    (root / "sub" / "sub").mkdir(parents=True)
    for place in (root, root / "sub", root / "sub" / "sub"):
        (place / "a.txt").write_bytes(PUBLIC)
        (place / "b.txt").write_bytes(PUBLIC)
        (place / "link").symlink_to(base / "other")
        (place / "up").symlink_to("..")
        (place / "loop").symlink_to("loop")
        (place / "out.txt").symlink_to(base / "out.txt")
        os.mkfifo(place / "pipe")
    (root / "sub" / "away").symlink_to(base / "other")
    return base


@pytest.fixture(scope="module")
def folders(tree: Path) -> Iterator[Folders]:
    opened = Folders([tree / "open"])
    yield opened
    opened.close()


def outcome(folders: Folders, path: str) -> bytes | None:
    try:
        return folders.read(path, LIMITS)[0]
    except LongsumError:
        return None


parts = st.lists(st.sampled_from(NAMES), max_size=6)


@given(
    parts,
    st.sampled_from(("", "/", "//", "ROOT/", "ROOT/open/", "ROOT/other/", "~/")),
    st.sampled_from(("", "/", "\0")),
)
def test_only_files_below_the_folder_are_read(tree, folders, names, before, after) -> None:
    path = before.replace("ROOT", str(tree)) + "/".join(names) + after
    found = outcome(folders, path)
    assert found in (None, PUBLIC)
    # What has neither `..` nor links and is there, is read.
    inside = [name for name in names if name not in ("", ".")]
    plain = all(name in ("sub",) for name in inside[:-1]) and inside[-1:] in (["a.txt"], ["b.txt"])
    if plain and before in ("", "ROOT/open/") and not after and len(inside) <= 3:
        relative = not path.startswith("/") or before
        assert not relative or found == PUBLIC


@given(st.text(max_size=40))
def test_any_text_is_no_way_out(folders: Folders, path: str) -> None:
    assert outcome(folders, path) in (None, PUBLIC)
    with pytest.raises(LongsumError, match="in the folder, and nothing else may be read"):
        folders.read(f"../{path}", LIMITS)


@pytest.mark.parametrize("path", ["out.txt", "link/out.txt", "up/out.txt", "sub/away", "loop"])
def test_links_are_refused_in_one_sentence(folders: Folders, path: str) -> None:
    with pytest.raises(
        LongsumError, match="is a link or leads through one; links are not followed"
    ):
        folders.read(path, LIMITS)


def test_pipes_and_folders_are_no_files(folders: Folders) -> None:
    for path in ("pipe", "sub"):
        with pytest.raises(LongsumError, match="not a regular file"):
            folders.read(path, LIMITS)


def test_the_size_is_bounded(folders: Folders) -> None:
    assert folders.read("a.txt", ReadLimits(size=6)) == (PUBLIC, "a.txt")
    with pytest.raises(LongsumError, match="more than 5 bytes"):
        folders.read("a.txt", ReadLimits(size=5))


def test_links_that_are_exchanged_lead_nowhere(tmp_path: Path) -> None:
    """A file, and a folder on the way to one, are turned into links and back all the time."""
    root, out = tmp_path / "root", tmp_path / "out"
    for place, text in ((root / "sub", PUBLIC), (out / "sub", SECRET)):
        place.mkdir(parents=True)
        (place / "a.txt").write_bytes(text)
    (root / "a.txt").write_bytes(PUBLIC)
    folders, over = Folders([root]), threading.Event()

    def exchange() -> None:
        (root / "evil").symlink_to(out / "sub")
        (root / "evil.txt").symlink_to(out / "sub" / "a.txt")
        while not over.is_set():
            for one, other in (("sub", "evil"), ("a.txt", "evil.txt")):
                (root / one).rename(root / "aside")
                (root / other).rename(root / one)
                (root / "aside").rename(root / other)

    thread = threading.Thread(target=exchange)
    thread.start()
    try:
        found = {outcome(folders, path) for _ in range(2000) for path in ("sub/a.txt", "a.txt")}
    finally:
        over.set()
        thread.join()
        folders.close()
    assert SECRET not in found
    assert PUBLIC in found


def test_a_replaced_folder_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "a.txt").write_bytes(PUBLIC)
    folders = Folders([tmp_path / "root"])
    (tmp_path / "root").rename(tmp_path / "moved")
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "a.txt").write_bytes(SECRET)
    assert outcome(folders, "a.txt") == PUBLIC
    folders.close()
    assert outcome(folders, "a.txt") is None


def test_several_folders_are_named(tmp_path: Path) -> None:
    for name in ("one/docs", "two/docs"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "a.txt").write_text(name)
    folders = Folders([tmp_path / "one" / "docs", tmp_path / "two" / "docs"])
    listed = [path for path, _ in folders.listing()]
    assert listed == ["docs/a.txt", "docs-2/a.txt"]
    assert [outcome(folders, path) for path in listed] == [b"one/docs", b"two/docs"]
    with pytest.raises(LongsumError, match="not a file in docs, docs-2, and"):
        folders.read("a.txt", LIMITS)
    assert outcome(folders, str(tmp_path / "two" / "docs" / "a.txt")) == b"two/docs"
    folders.close()


def test_the_listing_contains_exactly_the_readable_files(tree: Path, folders: Folders) -> None:
    (tree / "open" / ".git").mkdir()
    for hidden in (".hidden", ".git/a.txt"):
        (tree / "open" / hidden).write_bytes(PUBLIC)
    listed = [path for path, _ in folders.listing()]
    assert listed == [f"{place}{name}.txt" for place in ("", "sub/", "sub/sub/") for name in "ab"]
    assert all(outcome(folders, path) == PUBLIC for path in listed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(agents_folders, "MOST_FILES", 3)
        assert [path for path, _ in folders.listing()] == listed[:3]
