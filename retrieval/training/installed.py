"""Commands of training end in words where its packages are not installed."""

import sys

from retrieval.errors import MissingExtra
from retrieval.extras import TRAIN, require

PACKAGES = ("torch", "transformers", "sklearn", "matplotlib", "onnx")


def require_installed() -> None:
    """End the command with status 1, saying what to install; import nothing."""
    try:
        require(TRAIN, *PACKAGES)
    except MissingExtra as error:
        sys.exit(str(error))
