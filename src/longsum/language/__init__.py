"""What is known of language without a model: sentences, words, topics, keywords, embeddings.

The lowest room of the house: functions of strings and arrays that know of no document.
"""
