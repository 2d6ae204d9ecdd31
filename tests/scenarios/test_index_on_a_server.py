"""The index stands on a Weaviate server: for several machines at once, and also when it fails."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from audit_stores import PostgresqlServer
from slack_reading import audit_id_of
from slack_scene import opened
from test_slack_over_http import answer, wait_until_wrong
from two_workspaces import free_url
from vouch_home import LENIENT, Finished, Home, write
from weaviate_servers import WeaviateNode, weaviate_node

from bot.wording import slack as wording

pytestmark = pytest.mark.server

LEAVE = "# Leave\n\nParental leave is 14 weeks, on full pay.\n"
ASKED = "How long is parental leave?"
PARKING = "# Parking\n\nA place in the garage costs 20 euros a month.\n"
PARKING_ASKED = "What does a place in the garage cost a month?"


@pytest.fixture(scope="module")
def node() -> Iterator[WeaviateNode]:
    with weaviate_node() as node:
        yield node


def on(node: WeaviateNode) -> dict[str, str]:
    return {
        **LENIENT,
        "VOUCH_INDEX": "weaviate",
        "VOUCH_WEAVIATE_URL": node.url,
        "VOUCH_WEAVIATE_GRPC_PORT": str(node.ports["grpc"]),
        "VOUCH_WEAVIATE_TIMEOUT_SECONDS": "3",
    }


@pytest.fixture
def machines(tmp_path: Path, postgresql: PostgresqlServer, node: WeaviateNode) -> tuple[Home, Home]:
    """They have no disk in common, and each knows its own people."""
    database = postgresql.new_database().url
    shared = {
        "VOUCH_LIBRARY_URL": database,
        "VOUCH_LIBRARY_KEY": "a key that both machines were given",
        "VOUCH_AUDIT_URL": database,
        "VOUCH_INBOX_URL": database,
        **on(node),
    }
    one, two = (Home(tmp_path / name, shared) for name in ("one", "two"))
    for each in (one, two):
        each.people({"id": "ana", "name": "Ana", "facets": {"departments": ["cs"]}})
    return one, two


def index_look(checked: Finished) -> str:
    """What `vouch check` says of the index."""
    return next(line for line in checked.out.splitlines() if "index:" in line)


# --- several machines -----------------------------------------------------------------


def test_what_one_machine_reads_another_answers_at_once(
    machines: tuple[Home, Home], tmp_path: Path
) -> None:
    one, two = machines
    one.ingest(write(tmp_path / "handbook", {"leave.md": LEAVE}))
    reply = two.ask(ASKED, "--as", "ana")
    assert (reply["decision"] != "ABSTAIN", reply["degraded"]) == (True, [])
    write(tmp_path / "handbook", {"parking.md": PARKING})
    two.ingest(tmp_path / "handbook")
    assert one.ask(PARKING_ASKED)["decision"] != "ABSTAIN"
    shown = one.record(reply["audit_id"])
    assert shown["versions"]["index"].startswith("weaviate ")
    for each in machines:
        assert {path.name for path in each.path.iterdir()} == {"people.yaml"}


@pytest.mark.exhaustive
def test_two_machines_that_ingest_at_once_take_turns_and_lose_nothing(
    machines: tuple[Home, Home], tmp_path: Path
) -> None:
    folders = [
        write(tmp_path / name, {f"{name}{n}.md": LEAVE.replace("14", str(n)) for n in range(30)})
        for name in ("arts", "law")
    ]
    both = [
        each.start("ingest", "--for=everyone", folder)
        for each, folder in zip(machines, folders, strict=True)
    ]
    said = [each.communicate(timeout=240) for each in both]
    assert [each.returncode for each in both] == [0, 0], said
    checked = machines[0].vouch("check")
    assert "ok   library: 60 documents, 60 passages" in checked.out
    assert index_look(checked) == "ok   index: 60 passages in weaviate"


# --- a server that fails --------------------------------------------------------------


def test_a_server_that_is_away_and_one_that_lost_everything_are_told_and_mended(
    node: WeaviateNode, tmp_path: Path
) -> None:
    home = Home(tmp_path / "home", on(node))
    docs = write(tmp_path / "handbook", {"leave.md": LEAVE})
    home.ingest(docs)
    node.kill()
    away = [
        home.vouch("ask", ASKED),
        home.vouch("ingest", "--for=everyone", docs),
        home.vouch("check"),
    ]
    assert [each.status for each in away] == [1, 1, 1]
    assert all("cannot be reached" in each.said for each in away)
    assert index_look(away[2]).startswith("FAIL")
    node.start()
    assert home.ask(ASKED)["decision"] != "ABSTAIN"
    node.lose_everything()
    home.refuses("1 passages of the library are missing", "ask", ASKED)
    assert index_look(home.vouch("check")).startswith("FAIL index: 1 passages are missing")
    home.ingest(docs)
    assert home.ask(ASKED)["decision"] != "ABSTAIN"
    assert index_look(home.vouch("check")) == "ok   index: 1 passages in weaviate"


@pytest.mark.exhaustive
def test_in_slack_it_is_said_that_the_index_is_away_and_the_answer_comes_later(
    node: WeaviateNode, tmp_path: Path
) -> None:
    home = Home(tmp_path / "home", on(node))
    home.people({"id": "ana", "name": "Ana", "email": "ana@example.org"})
    (home.path / "channels.yaml").write_text("channels: []\n")
    home.ingest(write(tmp_path / "handbook", {"leave.md": LEAVE}))
    health = free_url()
    with opened(home, tmp_path / "slack", VOUCH_HEALTH_PORT=health.rpartition(":")[2]) as scene:
        scene.only_reply_to(scene.writes(scene.somebody("ana"), ASKED))
        scene.wait_for(lambda: answer(f"{health}/readyz")[0] == 200)
        node.kill()
        asked = scene.writes(scene.somebody("ana"), ASKED)
        told = scene.reads(asked, wording.TROUBLE["index"])
        assert not audit_id_of(told)
        wait_until_wrong(scene, health, "index")
        node.start()
        assert scene.only_reply_to(asked).record.decision != "ABSTAIN"
        scene.wait_for(lambda: answer(f"{health}/readyz")[0] == 200)
