"""Cached systems are loaded once, and again when their files change, by one thread at a time."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event, Thread

import pytest

import longsum
from longsum.core.library import SYSTEMS
from longsum.core.system_cache import MAX_SYSTEMS, SystemCache, _named, stamps
from longsum.models.writing import hub as pretrained

TEXT = "The river feeds the fields of the valley. Dams hold the water of the river back.\n"


pytestmark = pytest.mark.usefixtures("empty_cache")


class Counting:
    """Loads whatever is requested, and records it."""

    def __init__(self):
        self.asked = []

    def __call__(self, name):
        self.asked.append(str(name))
        return object()


def test_a_folder_of_a_model_is_loaded_once_until_it_changes(folder, tmp_path, monkeypatch):
    mine = tmp_path / "model"
    shutil.copytree(folder, mine)
    calls, load = [], pretrained.load_seq2seq
    counted = lambda *args, **options: calls.append(args) or load(*args, **options)  # noqa: E731
    monkeypatch.setattr(pretrained, "load_seq2seq", counted)
    for given in (mine, str(mine), mine, str(mine)):
        longsum.summarize(TEXT, "3w", given)
    assert len(calls) == 1
    weights = mine / "model.safetensors"
    os.utime(weights, ns=(0, weights.stat().st_mtime_ns + 1))
    longsum.summarize(TEXT, "3w", mine)
    assert len(calls) == 2


def test_a_system_loaded_by_name_is_not_shared():
    longsum.summarize(TEXT, 9, "lead")
    with SYSTEMS.using("lead") as kept:
        assert longsum.load_system("lead") is not kept


def test_a_recipe_is_loaded_again_when_it_or_a_model_that_it_names_changes(tmp_path):
    model = tmp_path / "model"
    model.mkdir()
    (model / "config.json").write_text("{}")
    recipe = tmp_path / "mine.yaml"
    recipe.write_text(f"settings: {{parts: [{{model: {model}}}]}}")
    load = Counting()
    systems = SystemCache(load)

    def use():
        with systems.using(str(recipe)):
            pass
        return len(load.asked)

    assert [use(), use()] == [1, 1]
    (model / "config.json").write_text("{ }")
    assert [use(), use()] == [2, 2]
    (model / "model.safetensors").write_bytes(b"weights")
    assert [use(), use()] == [3, 3]
    recipe.write_text(recipe.read_text() + "\n")
    assert [use(), use()] == [4, 4]


def test_other_files_in_a_models_folder_do_not_matter(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    before = list(stamps(tmp_path))
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "model.safetensors").write_bytes(b"weights")
    assert [Path(stamp[0]).name for stamp in before] == ["config.json"]
    assert list(stamps(tmp_path)) == before
    assert not list(stamps(Path("stepwise")))
    assert not list(stamps(Path("x" * 10**5)))


def test_cyclic_recipes_and_endless_aliases_are_not_followed(tmp_path):
    first, second = tmp_path / "a.yaml", tmp_path / "b.yaml"
    first.write_text(f"model: {second}")
    second.write_text(f"model: {first}")
    assert len(list(stamps(first))) == 2
    laughs = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 6))
    first.write_text(f"a0: &a0 [x, y]\n{laughs}", encoding="utf-8")
    assert len(list(_named(first))) < 99


def test_the_least_recently_used_system_is_dropped():
    load = Counting()
    systems = SystemCache(load, size=2)
    for name in ("a", "b", "a", "c", "a", "b"):
        with systems.using(name):
            pass
    assert load.asked == ["a", "b", "c", "b"]
    systems.forget()
    with systems.using("a"):
        assert load.asked[4:] == ["a"]
    assert MAX_SYSTEMS >= 2


def test_a_failed_load_is_tried_again():
    tried = []

    def load(name):
        tried.append(name)
        if len(tried) == 1:
            raise longsum.LongsumError("not yet")
        return object()

    systems = SystemCache(load)
    with pytest.raises(longsum.LongsumError), systems.using("a"):
        pass
    with systems.using("a"):
        pass
    assert tried == ["a", "a"]


def test_threads_load_a_system_once():
    load, ready = Counting(), Barrier(8)
    systems = SystemCache(load)

    def use(_):
        ready.wait(timeout=10)
        with systems.using("a") as system:
            return system

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(use, range(8)))) == 1
    assert load.asked == ["a"]


def test_threads_take_turns():
    systems = SystemCache(Counting())

    def use():
        with systems.using("a"):
            pass

    other = Thread(target=use)
    with systems.using("a"):
        other.start()
        other.join(timeout=0.2)
        assert other.is_alive()
    other.join(timeout=10)
    assert not other.is_alive()


def test_another_system_does_not_wait():
    systems, held, done = SystemCache(Counting()), Event(), Event()

    def hold():
        with systems.using("a"):
            held.set()
            assert done.wait(timeout=10)

    with ThreadPoolExecutor(1) as pool:
        holding = pool.submit(hold)
        assert held.wait(timeout=10)
        with systems.using("b"):
            done.set()
        holding.result(timeout=10)


def test_a_setting_that_a_model_does_not_have_is_refused(folder):
    with pytest.raises(longsum.LongsumError, match=r"no setting 'devise'.*Did you mean 'device'"):
        longsum.load_system(folder, devise="cpu")
