"""Language processing without neural models: sentences, words, topics, keywords, embeddings.

The lowest room: functions of strings and arrays that know nothing of documents.
"""
