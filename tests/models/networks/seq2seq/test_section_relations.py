"""Relations of sections, predicted along with the summary (MultiTask)."""

import math
from collections.abc import Callable

import pytest
import torch

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.section_tree import NO_SECTION, ROOT, SectionTree
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration
from longsum.models.networks.seq2seq.part_settings import SectionRelationsConfig
from longsum.models.networks.seq2seq.sections import (
    RELATIONS,
    UNCOUNTED,
    SectionMarks,
    SectionRelations,
    relation_classes,
    relation_loss,
)

from .conftest import config, in_sections, sources

PARENT, ANCESTOR, SIBLING, NEIGHBOUR, SAME_TOP, NONE = range(RELATIONS + 1)
# §1, §1.1, §1.1.1, §1.2, §1.2.1, §2, and as many in a row with fewer.
PARENTS = torch.tensor([[ROOT, 0, 1, 0, 3, ROOT], [ROOT, 0, ROOT] + [NO_SECTION] * 3])
FIRST = torch.tensor([0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 5])
SECOND = torch.tensor([0, 0, 0, 1, 1, 2, 2])


def build(weight: float = 1.0, **settings) -> LongsumForConditionalGeneration:
    torch.manual_seed(0)
    made = config(section_relations={"weight": weight}, dropout=0.0, **settings)
    return LongsumForConditionalGeneration(made).double()


@pytest.fixture
def inputs(labels) -> Callable:
    return lambda **how: in_sections((FIRST, SECOND), PARENTS, **how) | {"labels": labels}


def test_each_pair_has_one_relation_in_the_order_of_reading() -> None:
    marks, o = SectionMarks(torch.zeros_like(PARENTS), PARENTS != NO_SECTION), UNCOUNTED
    found = relation_classes(SectionTree(PARENTS, PARENTS), marks)
    assert found[0].tolist() == [
        [o, PARENT, ANCESTOR, PARENT, ANCESTOR, SIBLING],
        [o, o, PARENT, SIBLING, SAME_TOP, NONE],
        [o, o, o, NEIGHBOUR, SAME_TOP, NONE],
        [o, o, o, o, PARENT, NONE],
        [o, o, o, o, o, NEIGHBOUR],
        [o] * 6,
    ]
    assert found[1].tolist() == [
        [o, PARENT, SIBLING, o, o, o],
        [o, o, NEIGHBOUR, o, o, o],
        *[[o] * 6] * 4,
    ]
    # Sections that were cut away take no part.
    marks.present[0, 2] = False
    found = relation_classes(SectionTree(PARENTS, PARENTS), marks)
    assert (found[0, 2] == UNCOUNTED).all()
    assert (found[0, :, 2] == UNCOUNTED).all()
    assert int((found[0] != UNCOUNTED).sum()) == 10


def test_the_scores_are_bilinear() -> None:
    torch.manual_seed(0)
    classifier = SectionRelations(SectionRelationsConfig(), 4, std=1.0)
    torch.nn.init.normal_(classifier.bias)
    states = torch.randn(2, 3, 4)
    found = classifier(states)
    for row, first, second, relation in [(0, 0, 1, 0), (1, 2, 0, 5), (1, 1, 1, 3)]:
        product = states[row, first] @ classifier.weight[relation] @ states[row, second]
        expected = product / math.sqrt(4) + classifier.bias[relation]
        torch.testing.assert_close(found[row, first, second, relation], expected)


def test_the_loss_is_a_mean_over_pairs() -> None:
    scores = torch.randn(2, 3, 3, RELATIONS + 1, generator=torch.Generator().manual_seed(0))
    classes = torch.full((2, 3, 3), UNCOUNTED)
    classes[0, 0, 1], classes[0, 0, 2], classes[1, 1, 2] = PARENT, NONE, scores[1, 1, 2].argmax()
    loss, accuracy = relation_loss(scores, classes)
    each = -scores.log_softmax(-1)
    expected = each[0, 0, 1, PARENT] + each[0, 0, 2, NONE] + each[1, 1, 2].min()
    torch.testing.assert_close(loss, expected / 3)
    right = 1 + sum(scores[0, 0, at].argmax() == classes[0, 0, at] for at in (1, 2))
    torch.testing.assert_close(accuracy, torch.as_tensor(right / 3))


def test_no_pairs_cost_nothing() -> None:
    scores = torch.randn(1, 2, 2, RELATIONS + 1, requires_grad=True)
    loss, accuracy = relation_loss(scores, torch.full((1, 2, 2), UNCOUNTED))
    loss.backward()
    assert loss == accuracy == 0
    assert not scores.grad.any()


@pytest.mark.parametrize("weight", [1.0, 0.25])
def test_the_loss_is_added_only_in_training(inputs, weight) -> None:
    model = build(weight)
    plain = LongsumForConditionalGeneration(config(dropout=0.0)).double()
    plain.load_state_dict(model.state_dict(), strict=False)
    given = inputs()
    expected = plain(**given)
    assert expected.relation_loss is None
    found = model.eval()(**given)
    torch.testing.assert_close(found.loss, expected.loss)
    torch.testing.assert_close(found.logits, expected.logits)
    training = model.train()(**given)
    torch.testing.assert_close(training.relation_loss, found.relation_loss)
    torch.testing.assert_close(training.loss, expected.loss + weight * found.relation_loss)
    training.loss.backward()
    assert [name for name, p in model.named_parameters() if p.grad is None] == []


@pytest.mark.parametrize("side", ["right", "left"])
def test_padding_changes_nothing(inputs, side) -> None:
    """The mean over both rows' pairs, of which the rows have 15 and 3."""
    model, given = build().eval(), inputs(side=side)
    real = given["attention_mask"][1].bool()
    alone = [
        model(
            given["input_ids"][row : row + 1, kept],
            section_of=section_of[None],
            section_parents=PARENTS[row : row + 1, :count],
            labels=given["labels"][row : row + 1],
        ).relation_loss
        for row, kept, section_of, count in [(0, slice(None), FIRST, 6), (1, real, SECOND, 3)]
    ]
    found = model(**given).relation_loss
    torch.testing.assert_close(found, (15 * alone[0] + 3 * alone[1]) / 18)


def test_texts_are_written_without_sections() -> None:
    ids, mask = sources(11, 4)
    model = build().eval()
    assert len(model.generate(ids, attention_mask=mask, num_beams=2, max_new_tokens=3)) == 2
    with pytest.raises(LongsumError, match="give section_of"):
        model(ids, attention_mask=mask, labels=ids)
