"""Draw the picture that the README opens with: the page of a real report, in a browser.

    python benchmarks/reader_picture.py docs/reader.png

It takes Chromium, Playwright and Pillow, and half a minute. The fonts are those of the machine.
"""

import argparse
import shutil
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from longsum.core import pipeline
from longsum.core.loading import load_system
from longsum.core.recipes import DEFAULT
from longsum.core.summaries import Budget
from longsum.documents.readers.reading import read

REPORT = Path(__file__).parents[1] / "examples" / "crypto-mining.md"
SIZE = {"width": 1200, "height": 640}
COLOURS = 64
MOST_BYTES = 200_000


def picture(page: Path) -> bytes:
    """Return the page with a sentence chosen, as PNG of few colours."""
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=shutil.which("chromium"))
        shown = browser.new_page(viewport=SIZE)
        shown.goto(page.as_uri())
        shown.locator("#sentences li[id]:not([hidden]) .say").nth(4).click()
        shown.mouse.move(0, 0)
        shown.wait_for_timeout(500)
        drawn = Image.open(BytesIO(shown.screenshot()))
        browser.close()
    written = BytesIO()
    drawn.convert("RGB").quantize(COLOURS).save(written, "PNG", optimize=True)
    return written.getvalue()


def main() -> None:
    """Summarize the report, and write the picture of its page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("picture", type=Path)
    target: Path = parser.parse_args().picture
    document = read(REPORT)
    nested = pipeline.summarize_lengths(document, Budget(250), load_system(DEFAULT))
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "summary.html"
        page.write_text(nested.to_html(), encoding="utf-8")
        drawn = picture(page)
    if len(drawn) > MOST_BYTES:
        raise SystemExit(f"The picture has {len(drawn):,} bytes, more than {MOST_BYTES:,}.")
    target.write_bytes(drawn)
    print(f"{target}: {len(drawn):,} bytes")


if __name__ == "__main__":
    main()
