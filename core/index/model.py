"""The embedding model: a static one (model2vec), from inside a package or from a folder.

No hub is ever asked: what is not on this machine is an error that says what to do.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import LibraryError

if TYPE_CHECKING:
    import numpy as np

DEFAULT_MODEL = "wordllama-l2-supercat-256"
_WEIGHTS = Path("weights", "l2_supercat_256.safetensors")
_TOKENIZER = Path("tokenizers", "l2_supercat_tokenizer_config.json")
_WEIGHTS_NAME = "embedding.weight"
_BATCH = 256
"""Texts tokenised at a time; more is not faster and takes more memory."""


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """What tells two models apart, as a library records it."""

    name: str
    dimensions: int
    weights: str
    """Hash of the weights, in hexadecimal."""

    @property
    def recorded(self) -> str:
        """As a library records it; the name is the first line."""
        return f"{self.name}\n{self.dimensions}\n{self.weights}"


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """A loaded model: tokens, and a vector for each."""

    identity: ModelIdentity
    static: Any
    """The model2vec `StaticModel`."""

    @property
    def vocabulary(self) -> int:
        """How many different tokens there are; their numbers are below."""
        return len(self.static.tokens)

    def tokenize(self, texts: Sequence[str]) -> "Iterator[np.ndarray]":
        """The numbers (int64) of the known tokens of each text, in order."""
        import numpy as np

        for start in range(0, len(texts), _BATCH):
            # The tokenizer takes no lone surrogates.
            clean = [
                text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
                for text in texts[start : start + _BATCH]
            ]
            for numbers in self.static.tokenize(clean):
                yield np.asarray(numbers, dtype=np.int64)

    def token_vectors(self, tokens: "np.ndarray") -> "np.ndarray":
        """The vector (float32) of each token, of the length the model gives it."""
        import numpy as np

        static = self.static
        rows = tokens if static.token_mapping is None else static.token_mapping[tokens]
        vectors = static.embedding[rows].astype(np.float32, copy=False)
        return vectors if static.weights is None else vectors * static.weights[tokens, None]

    def token_text(self, token: int) -> str:
        """A token as it is written in the model's vocabulary."""
        return self.static.tokens[token]


def default_model_files() -> tuple[Path, Path]:
    """Weights (safetensors) and tokenizer (JSON) of the default model.

    They are found without importing the package that carries them, which would ask a hub.
    Raises LibraryError if they are not there.
    """
    spec = find_spec("wordllama")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        weights, tokenizer = Path(folder, _WEIGHTS), Path(folder, _TOKENIZER)
        if weights.is_file() and tokenizer.is_file():
            return weights, tokenizer
    raise LibraryError(
        "the built-in embedding model is missing: install wordllama==0.2.2.post0 again, "
        "or name another model's folder with --model"
    )


def load_model(name: str | None = None) -> EmbeddingModel:
    """The model in the folder `name`, or the default one; LibraryError says what is wrong."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    if name is None:
        return _default_model()
    folder = Path(name).expanduser()
    if not folder.is_dir():
        raise LibraryError(
            f"--model {name}: no such folder; give the folder of a model2vec model, "
            "or leave --model out for the built-in one"
        )
    from model2vec.model import StaticModel

    try:
        static = StaticModel.from_pretrained(folder, max_length=None, force_download=False)
    except Exception as error:
        raise LibraryError(f"--model {name}: not a model2vec model: {error}") from error
    # Of a model that was saved with a limit, the tokenizer would cut long texts short. Said once:
    # a tokenizer that another thread is using takes no orders.
    static.tokenizer.no_truncation()
    digest = _hash(static.embedding.tobytes())
    return EmbeddingModel(ModelIdentity(str(folder.resolve()), static.dim, digest), static)


def check_model_name(name: str | None) -> str:
    """What the library records as the name of the model asked for; loads nothing."""
    return DEFAULT_MODEL if name is None else str(Path(name).expanduser().resolve())


@cache
def _default_model() -> EmbeddingModel:
    import numpy as np
    from model2vec.model import StaticModel
    from safetensors.numpy import load
    from tokenizers import Tokenizer

    weights, tokenizer = default_model_files()
    try:
        data = weights.read_bytes()
        vectors = load(data)[_WEIGHTS_NAME].astype(np.float32)
        static = StaticModel(vectors, Tokenizer.from_file(str(tokenizer)))
        static.tokenizer.no_truncation()
    except Exception as error:
        raise LibraryError(
            f"the built-in embedding model cannot be read ({error}): "
            "install wordllama==0.2.2.post0 again"
        ) from error
    return EmbeddingModel(ModelIdentity(DEFAULT_MODEL, static.dim, _hash(data)), static)


def _hash(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()
