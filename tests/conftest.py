"""Fixtures that several rooms share, and how the tests are run."""

import gc
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from effort import FULL, examples
from invented_games import FOLDER as GAMES
from longsum.documents import Document, DocumentBuilder
from tiny_sizes import bert_sizes

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast


ROOT = Path(__file__).parent.parent
os.environ["LONGSUM_DATA_GENERATED_GAMES"] = str(GAMES)

# One thread a process, as there is a process for every core. It is said before PyTorch is imported,
# and to the programs that tests start.
os.environ |= {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
# What is measured of scripted models is nothing of the user's.
os.environ["LONGSUM_RATES"] = str(Path(tempfile.mkdtemp(), "rates.json"))

# A machine that is busy with something else is no fault of what is tested.
settings.register_profile(
    "longsum",
    deadline=None,
    derandomize=not FULL,
    max_examples=examples(100),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("longsum")

MAX_WORKERS = 8
LONGEST = (
    "tests/models/networks/seq2seq/test_laws.py",
    "tests/test_docs.py",
    "tests/models/networks/seq2seq/test_parity.py",
    "tests/models/writing/test_summarizer.py",
    "tests/documents/test_layouts.py",
    "tests/writers/test_writing.py",
    "tests/core/recursive/test_summarizer.py",
    "tests/service/reader/test_reader.py",
    "tests/documents/readers/test_readings.py",
    "tests/models/writing/test_chat.py",
    "tests/models/training/test_run_seq2seq.py",
    "tests/models/training/test_marks.py",
    # Of the slow ones.
    "tests/service/reader/test_reader_browser.py",
    "tests/models/networks/seq2seq/test_compiled.py",
    "tests/lab/reproduction/test_reproduction.py",
    "tests/service/test_openapi.py",
    "tests/core/recipes/test_processes.py",
    "tests/service/test_server.py",
    "tests/core/pages/test_html_browser.py",
    "tests/core/recipes/test_shipped.py",
    "tests/evaluation/datasets/test_real_data.py",
    "tests/models/networks/seq2seq/test_common.py",
    "tests/lab/comparison/test_packages_of_others.py",
)
"""Files that take longest; they are begun with, lest one of them run alone in the end."""


def pytest_xdist_auto_num_workers() -> int:
    """Return the number of cores that this process may use; beyond eight, memory is the limit."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return 0 if cores == 1 else min(cores or 1, MAX_WORKERS)


@pytest.fixture
def clock(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that computes longer than it may: see `within`."""
    start = process_time()
    yield
    assert request.param is None or process_time() - start < request.param


@pytest.fixture
def device(tmp_path: Path) -> Callable[[str], Path]:
    """Make a device that a faulty program may replace: `null` or `full`.

    The machine's own are only given to who cannot replace them.
    """

    def make(name: str) -> Path:
        path = tmp_path / f"device-{name}"
        if path.is_char_device():
            return path
        try:
            os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, {"null": 3, "full": 7}[name]))
            path.open("wb").close()
        except OSError:
            path.unlink(missing_ok=True)
            if os.access("/dev", os.W_OK):
                pytest.skip("devices can be replaced here, and no others be made")
            return Path("/dev") / name
        return path

    return make


@pytest.fixture(scope="session", autouse=True)
def read_here() -> Iterator[None]:
    """Read files in this process, which saves the start of others; their own tests do without."""
    from longsum.documents.readers import ReadLimits, detect
    from longsum.documents.readers.isolation import reading_process
    from made_once import remember

    def read(data: bytes, name: str, limits: ReadLimits, **_: bool) -> Document:
        return detect.parse(data, name, limits=limits)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading_process, "read_apart", read)
        remember(patch)
        yield


@pytest.fixture(scope="session")
def example_path() -> Path:
    return ROOT / "examples" / "crypto-mining.md"


@pytest.fixture(scope="session")
def opening_path(example_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example's first sections, 550 words."""
    opening = example_path.read_text(encoding="utf-8").partition("#### Bitcoin")[0]
    path = tmp_path_factory.mktemp("opening") / "crypto-mining.md"
    path.write_text(opening, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def brief_path(
    example_path: Path, opening_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The example's first sections and that on Texas, 1,000 words: a seventh of the time."""
    texas = example_path.read_text(encoding="utf-8").partition("### Texas")[2]
    path = tmp_path_factory.mktemp("brief") / "crypto-mining.md"
    opening = opening_path.read_text(encoding="utf-8")
    path.write_text(f"{opening}## Texas{texas.partition('## Policy')[0]}", encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def example(example_path: Path) -> Document:
    from longsum.documents.readers import read

    return read(example_path)


@pytest.fixture(scope="session")
def brief(brief_path: Path) -> Document:
    from longsum.documents.readers import read

    return read(brief_path)


@pytest.fixture(scope="session")
def small() -> Document:
    """Two sections, nine sentences on three subjects, one of them twice."""
    builder = DocumentBuilder()
    builder.heading(1, "Rivers")
    builder.paragraph(
        "The river carries water from the mountains to the sea every single year. "
        "Water from the river feeds the fields of the valley in dry summers. "
        "The river carries water from the mountains to the sea each single year. "
        "Fishermen of the valley sell river trout at the market."
    )
    builder.heading(2, "Floods")
    builder.paragraph(
        "Floods of the river damaged bridges and roads in the valley twice. "
        "Engineers built dams so that floods of the river do less damage."
    )
    builder.heading(1, "Railways")
    builder.paragraph(
        "The railway company runs trains through the valley to the coast. "
        "Trains carry passengers and coal along the railway. "
        "New bridges let the railway cross the river safely."
    )
    return builder.build("The valley")


@pytest.fixture(scope="session")
def tokenizer(example: Document) -> "PreTrainedTokenizerFast":
    """A byte-level tokenizer with marks of structure, trained on the example document."""
    from longsum.models.tasks.tokens import train_tokenizer

    return train_tokenizer([example.text], 600)


@pytest.fixture(scope="session")
def pieces(example: Document) -> "Tokenizer":
    """A WordPiece tokenizer, as BERT's, of the words of the example document."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = trainers.WordPieceTrainer(vocab_size=900, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator([example.text], trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return tokenizer


@pytest.fixture(scope="session")
def bert(pieces: "Tokenizer", tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny BERT with random weights and that tokenizer."""
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=pieces.get_vocab_size(),
        **bert_sizes(24, layers=3),
        max_position_embeddings=128,
        hidden_dropout_prob=0.0,
    )
    folder = tmp_path_factory.mktemp("bert")
    BertModel(config).save_pretrained(folder)
    pieces.save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(scope="session")
def pointer(example: Document, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a pointer-generator network that copies nearly always.

    Where from, its wide random weights happen to say.
    """
    import torch

    from longsum.models.networks.pointer import LongsumPointerConfig, LongsumPointerGenerator
    from longsum.models.networks.words.vocabulary import Vocabulary, WordTokenizer
    from longsum.models.networks.words.word_model_files import save_word_model

    words = WordTokenizer()
    vocabulary = Vocabulary.of([words.tokens(s.text) for s in example.sentences[:9]], 90)
    torch.manual_seed(3)
    model = LongsumPointerGenerator(
        LongsumPointerConfig(
            vocab_size=len(vocabulary),
            embedding_size=12,
            hidden_size=10,
            lstm_init=0.8,
            init_std=0.8,
            max_source_tokens=120,
            max_target_tokens=40,
            min_target_tokens=10,
            coverage=True,
        )
    )
    folder = tmp_path_factory.mktemp("pointer") / "tiny"
    save_word_model(model, vocabulary, folder)
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Spare the collector of garbage what is imported, and let it look for less often."""
    gc.disable()
    yield
    gc.freeze()
    gc.set_threshold(50_000)
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    first = {ROOT / path: number for number, path in enumerate(LONGEST)}
    items.sort(key=lambda item: first.get(item.path, len(first)))
    if os.environ.get("LONGSUM_DATA"):
        return
    skip = pytest.mark.skip(reason="LONGSUM_DATA does not name the folder of the data sets")
    for item in items:
        if "data" in item.keywords:
            item.add_marker(skip)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window, under Playwright; the test is skipped where one is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no 'chromium' on the path")
    # It runs as any user, and asks nobody anything over the network.
    arguments = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=chromium, args=arguments)
        yield launched
        launched.close()


def _far(address: str, near: tuple[str, ...]) -> list[str]:
    return [] if address.startswith(near) else [address]


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[..., Any]]:
    """Open addresses in Chromium; what a page complains of or asks fails the test.

    So does what it loads from elsewhere than `near`. A mild one lets pages write to the console.
    """
    complaints: list[str] = []
    contexts = []

    def open_it(
        address: str,
        width: int = 1280,
        near: tuple[str, ...] = ("file:", "data:"),
        mild: bool = False,
        **options: Any,
    ) -> Any:
        context = browser.new_context(viewport={"width": width, "height": 740}, **options)
        contexts.append(context)
        page = context.new_page()
        if not mild:
            page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: (complaints.append("dialog"), dialog.dismiss()))
        page.on("request", lambda request: complaints.extend(_far(request.url, near)))
        page.goto(address)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert complaints == []
