"""The settings of the extractive models, as `transformers` keeps them."""

from typing import Any

from transformers import PreTrainedConfig

from longsum.core.encoder.extractor_settings import MODEL_TYPE, read_settings, write_settings


class LongsumExtractorConfig(PreTrainedConfig):
    """Which extractive model it is, and its settings.

    Attributes:
        architecture: A key of `longsum.core.encoder.extractor_settings.SETTINGS`.
        settings: Fields of that architecture's dataclass, nested as they are; what is not given has
            its default, which is filled in.
        positive_weight: Weight of a sentence of the summary in the loss of a model that is not
            stepwise; 1 for that of another (A.2).

    Raises:
        LongsumError: The architecture or a setting is unknown, or a value is of the wrong type.
    """

    model_type = MODEL_TYPE

    architecture: str = "hibert"
    settings: dict[str, Any] | None = None
    positive_weight: float = 1.0

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        self.settings = write_settings(self.extractor_settings())

    def extractor_settings(self) -> Any:
        """Return the settings as the architecture's dataclass."""
        return read_settings(self.architecture, self.settings or {})
