import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from linear_time import assert_linear
from longsum.documents.fitness.complete import is_complete
from longsum.language.sentences import LONGEST_SENTENCE, sentence_texts, split_sentences


def _assert_tiles(text: str) -> None:
    reached = 0
    for start, end in split_sentences(text):
        assert reached <= start < end <= len(text)
        assert not text[reached:start].strip()
        assert text[start:end] == text[start:end].strip()
        assert end - start <= LONGEST_SENTENCE
        reached = end
    assert not text[reached:].strip()


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("これは文です。次の文！終わり？", ["これは文です。", "次の文！", "終わり？"]),
        ("彼は「行く。」と言った。", ["彼は「行く。」", "と言った。"]),
        ("「引用です。」次の文。", ["「引用です。」", "次の文。"]),
        ("这是第一句。 这是第二句。", ["这是第一句。", "这是第二句。"]),
        ("没有结尾", ["没有结尾"]),
        ("这是一个句子。" * 500, ["这是一个句子。"] * 500),
    ],
)
def test_chinese_and_japanese(text: str, sentences: list[str]) -> None:
    assert sentence_texts(text) == sentences


@pytest.mark.parametrize(
    "sentences",
    [
        # The first two articles of the Universal Declaration of Human Rights, or parts of them.
        [
            "人人生而自由，在尊严和权利上一律平等。",
            "他们赋有理性和良心，并应以兄弟关系的精神相对待。",
        ],
        [
            "すべての人間は、生まれながらにして自由であり、尊厳と権利とについて平等である。",
            "人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動する。",
        ],
        [
            "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",
            "ต่างมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ",
        ],
        [
            "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
            "인간은 천부적으로 이성과 양심을 부여받았으며 형제애의 정신으로 행동하여야 한다.",
        ],
        [
            "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता प्राप्त है।",
            "उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है।",
        ],
        [
            "يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق.",
            "وقد وهبوا عقلًا وضميرًا، أليس كذلك؟",
            "عليهم أن يعامل بعضهم بعضًا بروح الإخاء.",
        ],
        [
            "Все люди рождаются свободными и равными в своём достоинстве и правах.",
            "Они наделены разумом и совестью и должны поступать в духе братства.",
        ],
        [
            "Alle Menschen sind frei und gleich an Würde und Rechten geboren.",
            "Sie sind mit Vernunft und Gewissen begabt.",
        ],
        [
            "تمام انسان آزاد اور حقوق و عزت کے اعتبار سے برابر پیدا ہوئے ہیں۔",
            "انہیں ضمیر اور عقل ودیعت ہوئی ہے۔",
        ],
    ],
    ids=["zh", "ja", "th", "ko", "hi", "ar", "ru", "de", "ur"],
)
def test_sentences_of_many_languages(sentences: list[str]) -> None:
    text = " ".join(sentences)
    assert sentence_texts(text) == sentences
    assert all(is_complete(sentence, english=False) for sentence in sentences)


def test_a_space_divides_no_short_thai_clauses() -> None:
    assert len(sentence_texts("แม่น้ำไหล และลมพัด")) == 1
    assert not is_complete("แม่น้ำไหล", english=False)
    assert len(sentence_texts("แม่น้ำสายนี้มีต้นกำเนิดจากเนินเขาทางเหนือของเมืองและไหลไปร้อยไมล์ 3 ครั้ง")) == 1


@pytest.mark.parametrize("text", ["", "a", ".", "...", "word", "日", "?!", "\u200b"])
def test_any_text_but_white_space_has_a_sentence(text: str) -> None:
    assert sentence_texts(f"  {text}\n\t \u3000") == [text] * bool(text)


def test_a_run_without_ends_is_divided_at_white_space() -> None:
    # 600 words of 5 characters and a space: 333 of them, 1,997 characters, are the first part.
    pieces = sentence_texts("word5 " * 600)
    assert [len(piece) for piece in pieces] == [1997, 1601]
    assert " ".join(pieces).split() == ["word5"] * 600


@pytest.mark.parametrize("length", [1999, 2000, 2001, 4000, 4001])
def test_the_longest_sentence_is_kept_whole(length: int) -> None:
    pieces = sentence_texts("x" * length)
    assert "".join(pieces) == "x" * length
    assert len(pieces) == -(-length // LONGEST_SENTENCE)


def test_a_long_run_parts_from_the_text_around_it() -> None:
    found = sentence_texts("One. Two " + "x" * 2500 + " three. Four.")
    assert found == ["One.", "Two", "x" * 2000, "x" * 500, "three.", "Four."]


_PIECES = st.sampled_from(
    [
        *(". ", "! ", "? ", "...", *"。」”\"')( \n\u3000"),
        *("Dr. ", "U.S. ", "et al. ", "e.g.", "A.", "1.", "Word", "word ", "日本"),
        "x" * 2100,
    ]
)


@given(st.text(max_size=200) | st.lists(_PIECES, max_size=60).map("".join))
@settings(max_examples=examples(400), derandomize=True)
def test_spans_tile_any_text(text: str) -> None:
    _assert_tiles(text)


@pytest.mark.timing
@pytest.mark.parametrize("unit", ["?", "!", "a.", '".', "…]", "?" * 1999 + " ", "。", ". ", "x. "])
def test_time_is_linear(unit: str) -> None:
    assert_linear(lambda size: split_sentences(unit * (size // len(unit))), 200_000)
