"""Documents that isolate a claim: only what the claim is about determines the answer."""

import random
from itertools import islice

import next_choice
import planted_topics
from puzzles import FACTS, QUESTIONS, VALUES, fact_documents


def test_a_question_is_answered_by_a_fact_that_is_far_away():
    for made in islice(fact_documents(random.Random(1), 160, 4, apart=48), 30):
        facts = {
            (token - FACTS.start) // VALUES: (place, (token - FACTS.start) % VALUES)
            for place, token in enumerate(made.tokens)
            if token in FACTS
        }
        assert len(facts) == len(made.asked) == 4
        for asked, value in zip(made.asked, made.values, strict=True):
            place, told = facts[QUESTIONS.index(made.tokens[asked])]
            assert told == value
            assert abs(place - asked) >= 48


def test_only_the_chain_from_the_first_sentence_leads_through_the_summary():
    for names, named, summary in islice(next_choice.documents(random.Random(2)), 30):
        place = {name: number for number, name in enumerate(names)}
        chain = [summary[0]]
        while (following := place.get(named[chain[-1]])) is not None:
            chain.append(following)
        assert chain == summary
        # Outside of it one other sentence ends a chain too, and one is named by nobody.
        others = set(range(next_choice.SENTENCES)) - {*summary}
        assert sum(named[other] not in place for other in others) == 1


def test_half_of_the_sentences_are_of_the_topic_that_is_planted():
    text, topic = planted_topics.document(random.Random(3))
    sentences = text.replace("\n\n", " ").split(". ")
    assert len(sentences) == planted_topics.SENTENCES
    assert 2 * sum(any(word in each for word in topic) for each in sentences) == len(sentences)
