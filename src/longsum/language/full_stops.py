"""The marks that end sentences in scripts other than Latin, Greek and Cyrillic."""

OTHER_ENDS = "。！？｡؟۔।॥։።፧။។༎"
"""Of Chinese, Japanese, Arabic, Urdu, Hindi, Armenian, Amharic, Burmese, Khmer and Tibetan."""
