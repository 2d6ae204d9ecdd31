"""How long a text is for the bundled models: in word pieces of their tokenizer."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from retrieval.errors import ModelUnavailable
from retrieval.models.bundled_model import BUNDLED
from retrieval.models.manifest import TOKENIZER, read_manifest

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_DIGITS = 8
"""Of a hash, enough to tell two tokenizers apart."""


class BundledWordPieces:
    """The bundled embedder's tokenizer, without its network; it loads at its first use."""

    _folder = BUNDLED / "embedder"

    @property
    def name(self) -> str:
        """Other weights with the same vocabulary cut nothing in another way."""
        return f"word pieces ({read_manifest(self._folder).files[TOKENIZER][:_DIGITS]})"

    def count(self, texts: Sequence[str]) -> list[int]:
        """Of whole texts, however many of their word pieces a model reads.

        Raise `ModelUnavailable` where the tokenizer is missing or damaged.
        """
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [len(encoding.ids) for encoding in encodings]

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        from tokenizers import Tokenizer

        try:
            tokenizer = Tokenizer.from_file(str(self._folder / TOKENIZER))
        except Exception as error:  # the library raises bare Exception subclasses
            raise ModelUnavailable(
                f"The tokenizer in {self._folder} cannot be loaded ({error}). Install Vouch again."
            ) from error
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer
