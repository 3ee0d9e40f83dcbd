"""The indexes: keywords (Whoosh), meaning (model2vec), and their fusion."""
