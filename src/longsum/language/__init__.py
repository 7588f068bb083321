"""Language processing without neural models: sentences, words, topics, keywords, embeddings.

The lowest layer: functions of strings and arrays that know nothing about documents.
"""
