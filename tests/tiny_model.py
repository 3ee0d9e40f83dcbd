"""An embedding model of a few words, each with a direction of its own."""

import numpy as np
from chunkscope.core.index.model import EmbeddingModel, ModelIdentity
from model2vec.model import StaticModel
from tokenizers import Tokenizer, models, pre_tokenizers

WORDS = ("[UNK]", "copper", "iron", "zinc", "apple", "pear", "a", "b", "c", "d")


def _tiny_model() -> EmbeddingModel:
    tokenizer = Tokenizer(
        models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()  # type: ignore[assignment]
    table = np.random.default_rng(1).standard_normal((len(WORDS), 16)).astype(np.float32)
    return EmbeddingModel(
        ModelIdentity("tiny", 16, "0"), StaticModel(table, tokenizer, max_length=None)
    )


TINY = _tiny_model()
