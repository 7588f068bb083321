"""Language models in folders: prompts as `transformers` writes them, and malicious templates."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from transformers import AutoConfig, AutoModelForCausalLM

from chat_models import CHAT_ML, SIZES, teach, tokenizer
from document_views import document_of
from longsum.common.errors import LongsumError
from longsum.core.loading import load_model
from longsum.core.model_files.folders import ModelFolder
from longsum.core.pipeline import SystemOptions
from longsum.core.summaries import Budget
from longsum.models.writing import chat_template
from longsum.models.writing.chat import MOST_READ, LocalChat
from longsum.models.writing.chat_template import read_template
from longsum.writers.calls import Call, PromptTooLongError

# As Gemma's: no system, texts without blanks around them, and the first token named.
NO_SYSTEM = (
    "{{ bos_token }}{% if messages[0]['role'] == 'system' %}"
    "{{ raise_exception('System role not supported') }}{% endif %}"
    "{% for message in messages %}<|im_start|>{{ message['content'] | trim }}<|im_end|>"
    "{% endfor %}<|im_start|>"
)
MESSAGES = (("system", "Say it."), ("user", "It's 12 o'clock; ends <|im_end|> here.\n[1] Next"))


GPT2 = {"vocab_size": 260, "n_embd": 16, "n_layer": 1, "n_head": 2, "n_positions": 8_192}
CONFIGS = {
    **dict.fromkeys(("llama", "mistral", "qwen3", "gemma2"), SIZES),
    "phi3": {**SIZES, "num_key_value_heads": 2},
    "gpt2": {**GPT2, "pad_token_id": 0},
}
Make = Callable[..., Path]


@pytest.fixture
def made(tmp_path: Path) -> Make:
    """Make a folder of a tiny language model, drawn at random or taught one answer."""

    def make(kind: str = "llama", template: str | None = CHAT_ML, answer: str = "") -> Path:
        torch.manual_seed(0)
        model = AutoModelForCausalLM.from_config(AutoConfig.for_model(kind, **CONFIGS[kind]))
        said = tokenizer(template)
        if answer:
            teach(model, said, answer)
        folder = tmp_path / kind
        model.save_pretrained(folder)
        said.save_pretrained(folder)
        return folder

    return make


@pytest.mark.parametrize("kind", CONFIGS)
def test_prompts_are_those_of_transformers_but_for_control_tokens_in_texts(made, kind) -> None:
    template = NO_SYSTEM if kind == "gemma2" else CHAT_ML
    folder = made(kind, template)
    chat = LocalChat(ModelFolder.at(folder))
    plain = tuple((role, text.replace("<|im_end|>", "never")) for role, text in MESSAGES)
    said = tokenizer(template)
    roles = [{"role": role, "content": text} for role, text in plain]
    if template is NO_SYSTEM:
        roles = [{"role": "user", "content": "\n\n".join(text for _, text in plain)}]
    expected = said.apply_chat_template(roles, add_generation_prompt=True, return_dict=False)
    assert chat.prompt(plain) == expected
    # What a text says is text: a token that ends a turn is there as often as before.
    end = said.convert_tokens_to_ids("<|im_end|>")
    assert chat.prompt(MESSAGES).count(end) == expected.count(end)
    assert said.decode(chat.prompt(MESSAGES)).count("ends <|im_end|> here") == 1
    answer = chat.complete(Call(MESSAGES, 5))
    assert (answer.prompt_tokens, answer.completion_tokens) == (len(chat.prompt(MESSAGES)), 5)
    model = AutoModelForCausalLM.from_pretrained(folder)
    ids = chat.prompt(MESSAGES)
    for _ in range(5):
        ids.append(int(model(torch.tensor([ids])).logits[0, -1].argmax()))
    assert answer.text == said.decode(ids[-5:], skip_special_tokens=True)


def test_written_sentences_are_traced_to_the_document(made: Make) -> None:
    said = "The {} is long. Its water is cold in the wet season.".format
    sections = ((f"# {place}", said(place)) for place in ("Delta", "Nile", "Tiber"))
    document = document_of(*sections, title="Rivers")
    system = load_model(made(answer="Big [2]"))
    summary = system.summarize(document, Budget(12))
    first = summary.sentences[0]
    assert (first.text, first.sources[0].sentence) == ("Big", 1)
    assert summary.settings["model"] == "llama"
    assert len(summary.settings["weights"]) == 64
    assert (summary.settings["dtype"], summary.settings["context"]) == ("float32", 8_192)
    assert not [each for each in summary.warnings if "could not be checked" in each]


def test_matrices_in_8_bits_say_the_same_in_less(made: Make) -> None:
    folder = ModelFolder.at(made(answer="Big [2]"))
    whole, small = LocalChat(folder), LocalChat(folder, dtype="int8")
    assert small.complete(Call(MESSAGES, 12)).text == whole.complete(Call(MESSAGES, 12)).text
    assert (whole.identity["dtype"], small.identity["dtype"]) == ("float32", "int8")
    layer = small._model.model.layers[0].mlp.up_proj.weight
    assert layer.qdata.dtype == torch.int8


def test_the_window_is_that_of_the_settings(made: Make) -> None:
    folder = ModelFolder.at(made())
    chat = LocalChat(folder)
    assert (chat.window().tokens, chat.window().known_by) == (8_192, "max_position_embeddings")
    assert LocalChat(folder, context=700).window().tokens == 700
    with pytest.raises(LongsumError, match="reads 8,192 tokens at most"):
        LocalChat(folder, context=8_193)
    used = len(chat.prompt(MESSAGES))
    small = LocalChat(folder, context=used + 3)
    assert small.complete(Call(MESSAGES, 3)).completion_tokens == 3
    with pytest.raises(PromptTooLongError):
        small.complete(Call(MESSAGES, 4))
    config = json.loads((folder.path / "config.json").read_text())
    (folder.path / "config.json").write_text(
        json.dumps(config | {"max_position_embeddings": 2 * MOST_READ})
    )
    assert LocalChat(ModelFolder.at(folder.path)).window().tokens == MOST_READ


@pytest.mark.parametrize(
    "template",
    [
        pytest.param(
            "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
            marks=pytest.mark.slow,
        ),
        pytest.param("{{ 'a' * 10**10 }}{{ messages }}", marks=pytest.mark.slow),
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        pytest.param("{% if %}", marks=pytest.mark.slow),
    ],
    ids=["endless", "large", "escape", "broken"],
)
def test_a_template_that_attacks_is_refused_in_seconds(template: str) -> None:
    began = time.monotonic()
    with pytest.raises(LongsumError, match="The chat template of 'm' cannot be used"):
        read_template(template, {}, "m")
    assert time.monotonic() - began < 60


@pytest.mark.parametrize(
    "written",
    ["", "{0}{0}", "\ud800{0}", "a" * 100_001 + "{0}"],
    ids=["silent", "twice", "no text", "long"],
)
def test_a_template_that_renders_no_conversation_is_refused(monkeypatch, written: str) -> None:
    monkeypatch.setattr(
        chat_template,
        "_rendered_in_process",
        lambda *given: (0, written.format("".join(text for _, text in given[-1]))),
    )
    with pytest.raises(LongsumError, match="The chat template of 'm' cannot be used"):
        read_template("", {}, "m")


def test_a_template_reads_no_file_and_knows_no_day() -> None:
    found = read_template(
        "{{ strftime_now('%d %b %Y') }}|{% for m in messages %}{% generation %}{{ m.role }}:"
        "{{ m.content }}{% endgeneration %};{% endfor %}{{ eos_token }}",
        {"eos_token": "</s>"},
        "m",
    )
    assert (found.before, found.between) == ("01 Jan 2025|system:", ";user:")
    assert found.after == ";</s>"


def test_options_of_language_models_are_refused_by_other_models(made: Make) -> None:
    folder = str(made())
    settings = {"context": 900, "unsupported": "drop", "dtype": "bfloat16"}
    system = SystemOptions(model=folder, endpoint=settings).load()
    assert system.settings["dtype"] == "bfloat16"
    assert (system.settings["context"], system.settings["unsupported"]) == (900, "drop")
    with pytest.raises(LongsumError, match="takes neither beams nor importance"):
        SystemOptions(model=folder, beams=2).load()
    with pytest.raises(LongsumError, match="There is no dtype 'int3'"):
        SystemOptions(model=folder, endpoint={"dtype": "int3"}).load()
    with pytest.raises(LongsumError, match="Only language models take --context"):
        SystemOptions(model=str(made("gpt2", None)), endpoint={"context": 900}).load()
    with pytest.raises(LongsumError, match="has no chat template"):
        load_model(made("gpt2", None))
