"""The operator adds an embedder beside the one in use."""

from collections.abc import Callable
from pathlib import Path

import pytest
from test_checking_the_house import findings
from vouch_home import Home, write

QUESTION = "how many days of leave may staff carry over?"


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory, new_home: Callable[[Path], Home]) -> Home:
    folder = tmp_path_factory.mktemp("office")
    home = new_home(folder / "home")
    text = "# Leave\n\nStaff may carry over five days of leave."
    home.ingest(write(folder / "docs", {"leave.md": text}))
    return home


@pytest.mark.exhaustive
def test_a_second_embedder_is_used_once_the_index_is_made_anew(
    office: Home, small_embedder: Path, tmp_path: Path
) -> None:
    both = {"VOUCH_MORE_EMBEDDERS": str(small_embedder)}
    home = office.copy_to(tmp_path / "home")
    mark, detail = findings(home.vouch("check", **both))["index"]
    assert mark == "FAIL"
    assert f"no vectors of the embedder {small_embedder}" in detail
    assert "vouch ingest --re-embed" in detail
    assert home.vouch("ingest", "--re-embed", **both).status == 0
    found = findings(home.vouch("check", **both))
    assert found["index"][0] == "ok"
    assert str(small_embedder) in found["embedder"][1]
    assert found["calibration"][0] == "ok", "it only chooses candidates"
    record = home.record(home.ask(QUESTION, **both)["audit_id"])
    assert record["versions"]["models"]["embedder 2"].startswith(str(small_embedder))
    scores = record["candidates"][0]["scores"]
    assert (scores["dense_rank"], scores["dense_rank_2"], scores["bm25_rank"]) == (1, 1, 1)
    assert "vectors that nothing uses now" in findings(home.vouch("check"))["index"][1]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"VOUCH_MORE_EMBEDDERS": "bundled"}, "names an embedder twice"),
        ({"VOUCH_MORE_EMBEDDERS": "one, one"}, "names an embedder twice"),
    ],
)
def test_a_setting_that_would_do_nothing_is_refused(
    office: Home, settings: dict[str, str], told: str
) -> None:
    finished = office.vouch("check", **settings)
    assert finished.status != 0
    assert told in finished.said


def test_each_retriever_finds_as_many_as_it_is_told(office: Home, tmp_path: Path) -> None:
    home = office.copy_to(tmp_path / "home")
    home.ingest(write(tmp_path / "more", {"cards.md": "# Leave cards\n\nLeave cards are blue."}))
    both = home.record(home.ask(QUESTION)["audit_id"])["candidates"]
    assert len(both) == 2
    one = home.record(home.ask(QUESTION, VOUCH_RETRIEVED="1")["audit_id"])
    assert len(one["candidates"]) == 1


def test_an_index_of_the_embedder_that_shipped_before_is_made_anew_by_the_next_ingest(
    office: Home, tmp_path: Path
) -> None:
    home = office.copy_to(tmp_path / "home")
    home.made_by_the_embedder_before()
    refused = home.vouch("ask", QUESTION)
    assert refused.status == 1
    assert "vouch-embedder-4" in refused.said
    renewed = home.vouch("ingest", str(write(tmp_path / "more", {"b.md": "# B\n\nBees hum."})))
    assert "is made anew" in renewed.said
    assert "five days" in home.ask(QUESTION)["text"]
    again = home.vouch("ingest", str(tmp_path / "more"))
    assert "is made anew" not in again.said
