PYTHON ?= python3
SECONDS_EACH ?= 60
READERS = text markdown asciidoc html json epub epub-parts pdf docx docx-parts odt odt-parts rtf latex jats tei \
	docling unstructured

.PHONY: test lint fuzz

test:
	$(PYTHON) -m pytest

lint:
	$(PYTHON) -m ruff check
	$(PYTHON) -m ruff format --check
	$(PYTHON) -m mypy

# Each reader for a minute; needs `pip install atheris`.
fuzz:
	for reader in $(READERS); do \
		$(PYTHON) fuzz/fuzz_reader.py $$reader -max_total_time=$(SECONDS_EACH) || exit 1; \
	done
