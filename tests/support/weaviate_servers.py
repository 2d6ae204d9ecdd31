"""Real Weaviate servers, each a process of its own on this machine.

`make weaviate` builds the program into a cache outside the checkout. A test that needs it is left
out where it was not built, and the last lines say so; where VOUCH_TEST_REQUIRE_WEAVIATE=1 it
fails. VOUCH_TEST_WEAVIATE_URL names a running server to use for what needs only one (its gRPC
port: VOUCH_TEST_WEAVIATE_GRPC_PORT, 50051).

PYTEST_DONT_REWRITE: it is a plugin that tests also import names from.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import pytest

from retrieval.index.weaviate_server import Address

REQUIRED = "VOUCH_TEST_REQUIRE_WEAVIATE"
RUNNING = "VOUCH_TEST_WEAVIATE_URL"
RUNNING_GRPC = "VOUCH_TEST_WEAVIATE_GRPC_PORT"
STARTED_S = 120
"""Seconds that a server may take to start: its first leader is elected, on a busy machine."""
PORTS = ("http", "grpc", "gossip", "data", "raft", "rpc")
CATCHING_UP = {
    "ASYNC_REPLICATION_FREQUENCY": "1s",
    "ASYNC_REPLICATION_ALIVE_NODES_CHECKING_FREQUENCY": "1s",
    "ASYNC_REPLICATION_PROPAGATION_DELAY": "1s",
}
"""How soon a node that was away is brought up to date; half a minute as it comes."""
SOON_LEADING = {"RAFT_TIMEOUTS_MULTIPLIER": "1"}
"""A server alone waits for no others before it leads: it starts in a third of the time."""
_MODULES = Path(__file__).parent.parent / "weaviate" / "go.mod"


def program() -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    found = re.search(r"github\.com/weaviate/weaviate (v\S+)", _MODULES.read_text())
    assert found is not None
    return cache / "vouch" / f"weaviate-{found[1]}" / "weaviate-server"


@dataclass
class WeaviateNode:
    name: str
    folder: Path
    ports: Mapping[str, int]
    extra: Mapping[str, str] = field(default_factory=dict)
    joins: Sequence["WeaviateNode"] = ()
    expect: int = 1
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.ports['http']}"

    @property
    def address(self) -> Address:
        return Address(self.url, self.ports["grpc"], timeout_seconds=20)

    def start(self) -> None:
        self.spawn()
        self.wait()

    def spawn(self) -> None:
        log = (self.folder / "log").open("ab")
        command = [str(program()), "--host", "127.0.0.1", "--port", str(self.ports["http"])]
        self.process = subprocess.Popen(
            [*command, "--scheme", "http"],
            env=self.environment(),
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        log.close()

    def wait(self) -> None:
        deadline = time.monotonic() + STARTED_S
        while time.monotonic() < deadline:
            assert self.process is None or self.process.poll() is None, self.log()
            if self.is_ready():
                return
            time.sleep(0.1)
        pytest.fail(f"Weaviate was not ready in {STARTED_S} s:\n{self.log()}")

    def wait_for_gossip(self) -> None:
        deadline = time.monotonic() + STARTED_S
        while time.monotonic() < deadline:
            assert self.process is None or self.process.poll() is None, self.log()
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.ports["gossip"])):
                return
            time.sleep(0.05)
        pytest.fail(f"Weaviate heard nobody in {STARTED_S} s:\n{self.log()}")

    def is_ready(self) -> bool:
        with suppress(urllib.error.URLError, OSError):
            ready = f"{self.url}/v1/.well-known/ready"
            with urllib.request.urlopen(ready, timeout=5) as answer:  # noqa: S310
                return bool(answer.status == 200)
        return False

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def pause(self) -> None:
        """It hears and answers nothing, as a server that hangs."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED)  # each of its threads stands

    def go_on(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    def lose_everything(self) -> None:
        self.kill()
        shutil.rmtree(self.folder / "data")
        self.start()

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")[-3000:]

    def _end(self, how: signal.Signals) -> None:
        if self.process is None:
            return
        with suppress(ProcessLookupError):
            self.process.send_signal(how)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def environment(self) -> dict[str, str]:
        joined = ",".join(f"127.0.0.1:{each.ports['gossip']}" for each in self.joins)
        members = (*self.joins, self)
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "PERSISTENCE_DATA_PATH": str(self.folder / "data"),
            "AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED": "true",
            "AUTOSCHEMA_ENABLED": "false",
            "USE_INVERTED_SEARCHABLE": "false",
            "DISABLE_TELEMETRY": "true",
            "LOG_LEVEL": "warning",
            "GO_PROFILING_DISABLE": "true",
            "ENABLE_MODULES": "backup-filesystem",
            "BACKUP_FILESYSTEM_PATH": str(self.folder.parent / "backups"),
            "CLUSTER_HOSTNAME": self.name,
            "CLUSTER_IN_LOCALHOST": "true",
            "CLUSTER_BIND_ADDR": "127.0.0.1",
            "CLUSTER_ADVERTISE_ADDR": "127.0.0.1",
            "CLUSTER_GOSSIP_BIND_PORT": str(self.ports["gossip"]),
            "CLUSTER_DATA_BIND_PORT": str(self.ports["data"]),
            "CLUSTER_JOIN": joined,
            "GRPC_PORT": str(self.ports["grpc"]),
            "RAFT_PORT": str(self.ports["raft"]),
            "RAFT_INTERNAL_RPC_PORT": str(self.ports["rpc"]),
            "RAFT_BOOTSTRAP_EXPECT": str(self.expect),
            "RAFT_JOIN": ",".join(f"{each.name}:{each.ports['raft']}" for each in members),
            **self.extra,
        }


@contextmanager
def weaviate_node(**extra: str) -> Iterator[WeaviateNode]:
    """A server of one's own, which a test may do anything to; `extra` is for its environment."""
    demand_program()
    with tempfile.TemporaryDirectory(prefix="vouch-weaviate-") as folder:
        place = Path(folder) / "node"
        place.mkdir()
        (Path(folder) / "backups").mkdir()
        node = WeaviateNode("node1", place, _free_ports(), {**SOON_LEADING, **extra})
        try:
            node.start()
            yield node
        finally:
            node.kill()


@contextmanager
def weaviate_cluster(nodes: int) -> Iterator[list[WeaviateNode]]:
    demand_program()
    with tempfile.TemporaryDirectory(prefix="vouch-weaviate-") as folder, ExitStack() as stack:
        (Path(folder) / "backups").mkdir()
        members: list[WeaviateNode] = []
        for number in range(1, nodes + 1):
            place = Path(folder) / f"node{number}"
            place.mkdir()
            members.append(
                WeaviateNode(
                    f"node{number}", place, _free_ports(), joins=tuple(members), expect=nodes
                )
            )
        everyone = ",".join(f"{each.name}:{each.ports['raft']}" for each in members)
        for node in members:
            node.extra = {"RAFT_JOIN": everyone, **CATCHING_UP}
            stack.callback(node.kill)
            node.spawn()
            node.wait_for_gossip()  # who finds nobody to join ends at once
        for node in members:
            node.wait()
            node.joins = [each for each in members if each is not node]  # when it comes back
        yield members


@pytest.fixture(scope="session")
def weaviate() -> Iterator[Address]:
    """One server for all tests that leave it as it is."""
    if running := os.environ.get(RUNNING):
        yield Address(running, int(os.environ.get(RUNNING_GRPC, "50051")))
        return
    with weaviate_node() as node:
        yield node.address


def an_alias() -> str:
    """For a library that nobody else has."""
    return f"Vouch_{uuid4().hex}"


def demand_program() -> None:
    """Leave the test out where there is no server to be had, unless it is required."""
    if program().exists():
        return
    said = "Weaviate's server was not built: run `make weaviate`, which needs Go"
    if os.environ.get(REQUIRED):
        pytest.fail(said)
    pytest.skip(said)


def _free_ports() -> dict[str, int]:
    """On one host the server looks for another's rpc port right after its raft port."""
    while True:
        with ExitStack() as stack, suppress(OSError, OverflowError):
            ports: dict[str, int] = {}
            for name in PORTS:
                each = stack.enter_context(socket.socket())
                each.bind(("127.0.0.1", ports["raft"] + 1 if name == "rpc" else 0))
                ports[name] = int(each.getsockname()[1])
            return ports
