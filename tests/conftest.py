"""What holds for every test: no network but this machine's; small models made on the fly."""

import os
import sys
import threading
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import loaded_once
import pytest
from hypothesis import HealthCheck, settings
from pytest_socket import socket_allow_hosts

from retrieval.models.bundled_model import BUNDLED, TOKENIZER

if TYPE_CHECKING:
    from transformers import BertConfig, PreTrainedModel

pytest_plugins = ["audit_stores", "inboxes", "libraries", "weaviate_servers"]
UNCHECKED = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
"""How busy the machine is, how much wild records hold, and fixtures that no example changes."""
settings.register_profile(
    "usual",
    max_examples=20,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=UNCHECKED,
)
settings.register_profile("thorough", settings.get_profile("usual"), max_examples=400)
settings.load_profile("usual")

WILD_S = 1_800
"""Seconds for a test of wild input: an alarm while hypothesis draws looks like a strategy that is
different each time."""

THIS_MACHINE = ["127.0.0.0/8", "::1", "localhost"]


HERE = Path(__file__).parent
SLOW = tuple(
    HERE / name
    for name in (
        *("browser", "emulate", "retrieval/ingest", "scenarios"),
        *(
            "retrieval/parsing/test_growth.py",
            "retrieval/parsing/test_reading_scans.py",
            "bot/slack/test_inbox_model.py",
        ),
        *("bot/slack/test_worker_pool.py",),
    )
)
"""Where tests start programs, wait for them or for a clock, use large models or try much."""
EXHAUSTIVE = tuple(
    HERE / name
    for name in (
        "retrieval/training",
        "retrieval/models/test_model_export.py",
        "test_shipped_quality.py",
        "bot/evaluation/test_index_rag.py",
        *(
            f"scenarios/test_{each}.py"
            for each in (
                "asking_about_days_and_numbers",
                "backing_up_servers",
                "calibrating",
                "killed",
                "slack_asking_people",
                "slack_audit",
                "slack_channels",
                "slack_corrections",
                "slack_crowds",
                "slack_decisions",
                "slack_digest",
                "slack_jobs",
                "slack_pictures",
                "slack_reading_in",
                "trying_a_second_workspace",
                "watching_quality",
            )
        ),
    )
)
"""What `make test-all` alone runs, beside what is marked so: how models are made, what asks a whole
set of questions with them, and bots of their own for what is proven in a process as well."""
SLOW_FIXTURES = frozenset(
    {"small_embedder", "small_inference_model", "small_reranker", "stubllm_server", "workspace"}
)
STARTS_A_PROCESS = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"})
"""Of Python's audit events."""
LOOKS_AROUND = {("lsb_release",), ("uname",), ("/sbin/ldconfig",)}
"""Programs by which libraries learn of the machine, in no time."""


def pytest_configure(config: pytest.Config) -> None:
    """Before anything imports a model library; programs that tests start inherit it."""
    if gone := [str(each) for each in (*SLOW, *EXHAUSTIVE) if not each.exists()]:
        raise pytest.UsageError(f"SLOW or EXHAUSTIVE names what is not there: {gone}")
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["TRANSFORMERS_OFFLINE"] = "1"
    os.environ["RL_useA85"] = "0"  # noqa: SIM112  # ReportLab would write pictures as text, slowly
    config.pluginmanager.register(FastTests())
    loaded_once.install()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Spare the imports of what is left out, too: PyTorch's take seconds."""
    selected = config.getoption("markexpr")
    left_out = [
        *(SLOW if "not slow" in selected else ()),
        *(EXHAUSTIVE if "not exhaustive" in selected else ()),
    ]
    return True if collection_path in left_out else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark by where a test stands and what it is given, before `-m` selects; what is slow first."""
    items.sort(key=lambda item: not _stands_in(SLOW, item.path))
    for item in items:
        if _stands_in(SLOW, item.path) or SLOW_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
        if _stands_in(EXHAUSTIVE, item.path):
            item.add_marker(pytest.mark.exhaustive)
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(pytest.mark.timeout(WILD_S))


@cache
def _stands_in(places: tuple[Path, ...], path: Path) -> bool:
    return any(path.is_relative_to(place) for place in places)


class StartedAProcess(Exception):
    """A fast test did; no kind of failure that a test may expect."""


class FastTests:
    """A test that starts a process must be marked as slow, which is said when it is over."""

    def __init__(self) -> None:
        self._watching = False
        self._started: list[object] = []
        sys.addaudithook(self._hear)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        return (yield from self._watched(item))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        return (yield from self._watched(item))

    def _watched(self, item: pytest.Item) -> Generator[None, object, object]:
        """Not while it is taken down, which may end what is kept for a whole session."""
        self._started.clear()
        self._watching = not any(map(item.get_closest_marker, ("slow", "server", "exhaustive")))
        try:
            return (yield)
        finally:
            self._watching = False
            if self._started:
                raise StartedAProcess(f"It starts {self._started}: mark it as slow.")

    def _hear(self, event: str, about: tuple[object, ...]) -> None:
        own = threading.current_thread() is threading.main_thread()  # not what others left behind
        if self._watching and own and event in STARTS_A_PROCESS and about[:1] not in LOOKS_AROUND:
            self._started.append(about[:1])


def pytest_runtest_setup() -> None:
    """Before fixtures, so that none of them reaches out either; pytest-socket undoes it."""
    socket_allow_hosts(THIS_MACHINE, allow_unix_socket=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Here, so that it is also said where the tests ran in several processes."""
    skipped = terminalreporter.stats.get("skipped", [])
    if left_out := [each for each in skipped if "make weaviate" in str(each.longrepr)]:
        terminalreporter.write_line(
            f"{len(left_out)} tests of Weaviate were left out: its server was not built "
            "(`make weaviate` builds it, where Go is)."
        )


@pytest.fixture(scope="session")
def small_embedder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random bi-encoder of two layers, in the form of sentence-transformers."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertModel

    folder = tmp_path_factory.mktemp("small-embedder")
    _save(BertModel(_small_bert()), folder / "trunk")
    trunk = Transformer(str(folder / "trunk"))
    model = SentenceTransformer(modules=[trunk, Pooling(trunk.get_embedding_dimension())])
    model.save_pretrained(str(folder / "model"))
    return folder / "model"


@pytest.fixture(scope="session")
def small_inference_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random cross-encoder of two layers with the labels of an inference model."""
    from transformers import BertForSequenceClassification

    labels = {0: "contradiction", 1: "neutral", 2: "ENTAILMENT"}
    folder = tmp_path_factory.mktemp("small-inference-model")
    return _save(BertForSequenceClassification(_small_bert(id2label=labels)), folder)


@pytest.fixture(scope="session")
def small_reranker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cross-encoder of two layers with one logit, the same for all: it tells nothing apart."""
    import torch
    from transformers import BertForSequenceClassification

    folder = tmp_path_factory.mktemp("small-reranker")
    network = BertForSequenceClassification(_small_bert(num_labels=1))
    torch.nn.init.zeros_(network.classifier.weight)
    return _save(network, folder)


def _small_bert(**options: Any) -> "BertConfig":
    from transformers import BertConfig

    return BertConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, **options
    )


def _save(network: "PreTrainedModel", folder: Path) -> Path:
    """With the bundled models' tokenizer beside it."""
    from transformers import PreTrainedTokenizerFast

    network.save_pretrained(folder)
    special = {f"{name}_token": f"[{name.upper()}]" for name in ("unk", "sep", "pad", "cls")}
    tokenizer_file = str(BUNDLED / "embedder" / TOKENIZER)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_file=tokenizer_file,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        model_max_length=256,
        **special,
    )
    tokenizer.save_pretrained(folder)
    return folder
