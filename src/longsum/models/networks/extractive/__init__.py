"""Extractive models: HiBERT, ETC and the flat BERT extractor, stepwise or not (Stepwise, §4–§6).

Nothing here imports `transformers`; `modeling_extractive` makes Hugging Face models of them.

Letters in shapes: b documents, k partial plans of a document, n sentences of a document, m texts or
sentences of a plan, t tokens of a text, F features of a sentence's place, D features of a state.
"""
