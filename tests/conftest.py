"""What holds for every test: no network but this machine's, and one exported embedder."""

import os
from pathlib import Path

import pytest
from pytest_socket import socket_allow_hosts

from retrieval.models.minilm import MiniLMEmbedder

THIS_MACHINE = ["127.0.0.1", "::1", "localhost"]


def pytest_configure() -> None:
    """Before anything imports a model library; programs that tests start inherit it."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["TRANSFORMERS_OFFLINE"] = "1"


def pytest_runtest_setup() -> None:
    """Before fixtures, so that none of them reaches out either; pytest-socket undoes it."""
    socket_allow_hosts(THIS_MACHINE, allow_unix_socket=True)


@pytest.fixture(scope="session")
def embedder_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the bundled embedder, exported once: that takes longer than most tests."""
    folder = tmp_path_factory.mktemp("models")
    MiniLMEmbedder(folder).embed(["export now"])
    return folder
