"""A writer passes the document's sections, and a question, to its model."""

import pytest
import torch

from longsum.language.characters import clean
from longsum.models.tasks.source import SourceFormat
from longsum.models.writing.budgeting import TokenRange
from longsum.models.writing.generating import GeneratingWriter
from system_fixtures import generated

BIASED = {"decoder_bias": {"kind": "hibrids"}, "max_source_positions": 600}
QUESTION = "What do floods damage?"


@pytest.mark.parametrize(
    ("beams", "settings"), [(3, BIASED), (1, {"cross_attention": {"kind": "hepos", "stride": 2}})]
)
def test_it_writes_the_same_as_generate_and_passes_sections_if_needed(
    make_model, tokenizer, small, beams, settings
):
    model = make_model(**settings)
    writer = GeneratingWriter(model, tokenizer, prefix="", generation={"num_beams": beams})
    reading = writer.read(small, QUESTION)
    if settings is BIASED:
        assert reading.sections["section_of"].shape == reading.ids.shape
        # Floods are in rivers; start, question and title stand before.
        assert reading.sections["section_parents"].tolist() == [[-1, -1, -1, -1, 3, -1, -1]]
    else:
        assert reading.sections == {}
    for _ in range(2):
        written = writer.write(reading, TokenRange(5, 12), seed=0).sequence
        assert written.tolist() == generated(model, reading, beams)


@pytest.mark.parametrize(("beams", "count", "searched"), [(None, 3, 3), (4, 2, 4)])
def test_of_several_texts_the_best_come_first_each_once(
    make_model, tokenizer, small, beams, count, searched
):
    model = make_model(**BIASED)
    writer = GeneratingWriter(model, tokenizer, prefix="", generation={"num_beams": beams})
    reading = writer.read(small)
    found = writer.several(reading, count, 9)
    sequences = model.generate(
        reading.ids,
        **{name: torch.tensor(each) for name, each in reading.sections.items()},
        **{"max_new_tokens": 9, "do_sample": False},
        **{"num_beams": searched, "num_return_sequences": count},
    )
    texts = [clean(tokenizer.decode(each, skip_special_tokens=True)) for each in sequences]
    assert found == list(dict.fromkeys(texts))
    assert 0 < len(found) <= count


def test_a_prefix_precedes_a_question(make_model, tokenizer, small):
    model = make_model(**BIASED)
    plain, prefixed = (
        GeneratingWriter(model, tokenizer, prefix=prefix, generation={}).encode(small, QUESTION)
        for prefix in ("", "summarize: ")
    )
    added = len(prefixed.ids) - len(plain.ids)
    assert tokenizer.decode(prefixed.ids).startswith("<s>summarize: <question> What")
    assert prefixed.section_of.tolist() == [0] * added + plain.section_of.tolist()
    assert prefixed.section_parents.tolist() == plain.section_parents.tolist()
    told = {"form": SourceFormat(40), "prefix": "summarize: "}
    assert len(GeneratingWriter(model, tokenizer, **told).encode(small).ids) == 40
