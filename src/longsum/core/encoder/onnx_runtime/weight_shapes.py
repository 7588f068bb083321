"""The names and sizes of the weights of a HiBERT, told by its settings alone."""

from collections.abc import Iterator

from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import HibertConfig
from longsum.core.model_files.weight_files import Shapes

Named = Iterator[tuple[str, tuple[int, ...]]]


def check_shapes(found: Shapes, config: HibertConfig) -> None:
    """Refuse weights that do not fit a model.

    Args:
        found: The shapes of the weights at hand, named as in the model.
        config: Its settings.

    Raises:
        LongsumError: A weight is missing or of another size.
    """
    for name, shape in weight_shapes(config).items():
        if found.get(name) != shape:
            problem = "has another size of" if name in found else "lacks"
            raise LongsumError(
                f"The checkpoint {problem} {name}; give one whose weights match its configuration."
            )


def weight_shapes(config: HibertConfig) -> Shapes:
    """Return the shape of each weight by its name."""
    return dict(_sentence_encoder(config)) | dict(_document_encoder(config))


def _sentence_encoder(config: HibertConfig) -> Named:
    encoder = config.sentence_encoder
    size, home = encoder.size, "sentence_encoder"
    yield f"{home}.embedding.tokens.weight", (encoder.vocabulary, size)
    rows = encoder.positions + encoder.position_offset
    yield f"{home}.embedding.positions.weight", (rows, size)
    yield f"{home}.embedding.types.weight", (encoder.token_types, size)
    yield from _norm(f"{home}.embedding.norm", size)
    for number in range(encoder.layers):
        yield from _attention(f"{home}.layers.{number}.attention", size)
        yield from _inner(f"{home}.layers.{number}.feed_forward", size, encoder.feed_forward)


def _document_encoder(config: HibertConfig) -> Named:
    encoder, size, home = config.document_encoder, config.sentence_encoder.size, "document_encoder"
    asked = encoder.layers if encoder.summary_layers is None else encoder.summary_layers
    if config.stepwise:
        yield f"{home}.plan_positions.weight", (encoder.plan + 1, size)
        yield f"{home}.begin", (size,)
        yield f"{home}.end", (size,)
        if encoder.points:
            yield from _linear(f"{home}.pointer", size, size)
    for number in range(encoder.layers):
        layer = f"{home}.layers.{number}"
        yield from _attention(f"{layer}.attention", size)
        if config.stepwise and number >= encoder.layers - asked:
            yield from _attention(f"{layer}.summary_attention", size)
        yield from _inner(f"{layer}.feed_forward", size, encoder.feed_forward)
    for number, rows in enumerate(encoder.position_tables):
        yield f"{home}.positions.{number}.weight", (rows, size)
    if encoder.headings:
        yield f"{home}.heading.weight", (size, size)
    yield from _norm(f"{home}.norm", size)
    yield from _linear(f"{home}.salience", size, 1)


def _attention(name: str, size: int) -> Named:
    for part in ("query", "key", "value", "output"):
        yield from _linear(f"{name}.{part}", size, size)
    yield from _norm(f"{name}.norm", size)


def _inner(name: str, size: int, inner: int) -> Named:
    yield from _linear(f"{name}.expand", size, inner)
    yield from _linear(f"{name}.shrink", inner, size)
    yield from _norm(f"{name}.norm", size)


def _linear(name: str, inputs: int, outputs: int) -> Named:
    yield f"{name}.weight", (outputs, inputs)
    yield f"{name}.bias", (outputs,)


def _norm(name: str, size: int) -> Named:
    yield f"{name}.weight", (size,)
    yield f"{name}.bias", (size,)
