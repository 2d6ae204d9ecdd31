"""An auditor asks what was said and why, and somebody tampers with the store."""

import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sample_records import a_record, an_event
from vouch_home import STRICT, Home

from audit.log import open_reader, open_writer
from audit.values import PersonRecord

HEAVY = ("torch", "transformers", "sentence_transformers", "onnxruntime", "lancedb", "pyarrow")
PASSWORD = "a-password-that-must-stay-secret"
CARD = "what is the fee for a lost student card?"
DOCS = {
    "cards.md": "The fee for a lost student card is twenty euros.",
    "parking.md": "# Parking\n\nParking is free on Sundays.",
}


@pytest.fixture(scope="module")
def audited(shared_home: Home) -> Home:
    """A home in which three questions were asked; read it only."""
    shared_home.people({"id": "ana", "name": "[b]A"}, {"id": "ben", "name": "Ben"})
    shared_home.reads(DOCS)
    shared_home.ask(CARD, "--as", "ana")
    shared_home.ask("is parking free on sundays?", "--as", "ben")
    shared_home.ask("who won the chess tournament of 1927?", **STRICT)
    return shared_home


@pytest.fixture
def own(audited: Home, tmp_path: Path) -> Home:
    """A copy to tamper with."""
    return audited.copy_to(tmp_path / "own")


def database(home: Home) -> sqlite3.Connection:
    return sqlite3.connect(home.path / "audit.sqlite", isolation_level=None)


def without_triggers(home: Home) -> sqlite3.Connection:
    """As somebody with the file in their hands opens it."""
    connection = database(home)
    triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    for (name,) in triggers.fetchall():
        connection.execute(f'DROP TRIGGER "{name}"')
    return connection


def test_records_are_listed_newest_first_and_found_by_what_is_known_of_them(audited: Home) -> None:
    def found(*options: str) -> list[str]:
        records = audited.vouch("audit", "list", *options, "--json").json
        assert all(record["audit_id"] and record["time"] for record in records)
        return [record["person_id"] for record in records]

    assert found() == ["guest", "ben", "ana"]
    assert found("--limit", "1") == ["guest"]
    assert found("--person", "ana") == ["ana"]
    assert found("--decision", "abstain") == ["guest"]
    assert found("--document", "parking.md") == ["ben"]
    assert found("--text", "LOST card") == ["ana"]
    assert found("--until", "2020-01-01") == []
    assert found("--since", "Yesterday") == found()
    assert found("--until", "yesterday") == []
    assert audited.vouch("audit", "feedback", "--since", "today", "--json").json == []
    assert audited.vouch("audit", "list", "--decision", "maybe", "--json").status == 2


def test_records_are_found_in_words_and_written_as_a_table(own: Home, tmp_path: Path) -> None:
    found = own.vouch("audit", "find", "by", "ana", "cited", "cards.md", "last", "2", "days")
    assert (found.status, CARD in found.out) == (0, True)
    one = own.vouch("audit", "find", "claim", "verified", "text", CARD, "--json").json
    assert CARD in [each["question"] for each in one]
    full = own.vouch("audit", "show", one[0]["audit_id"], "--json").json
    passage = full["claims"][0]["citations"][0]["passage_id"][:20]
    settings = full["versions"]["settings"]["hash"].removeprefix("sha256:")[:12]
    for beginning in (["passage", passage], ["settings", settings]):
        assert CARD in own.does("audit", "find", "by", "ana", *beginning).out
    refused = own.vouch("audit", "find", "confidence", "high")
    assert (refused.status != 0, "whole hundredths" in refused.err) == (True, True)
    table = tmp_path / "found.csv"
    own.does("audit", "find", "by", "ana", "--out", str(table))
    assert CARD in table.read_text()
    other = own.vouch("audit", "find", "latest", "--out", str(tmp_path / "found.xls"))
    assert (other.status != 0, ".parquet" in other.err) == (True, True)


def test_a_beginning_of_an_id_read_off_the_table_shows_the_record_in_full(audited: Home) -> None:
    table = audited.vouch("audit", "list", "--person", "ana")
    newest = audited.vouch("audit", "list", "--person", "ana", "--json").json[0]
    beginning = newest["audit_id"][:18]
    assert beginning in table.out
    assert newest["time"][:16].replace("T", " ") in table.out
    assert "[b]A" in table.out, "a name is not markup"
    record = audited.record(beginning)
    assert (record["audit_id"], record["question"]) == (newest["audit_id"], CARD)
    assert record["claims"][0]["citations"][0]["quote"] == DOCS["cards.md"]
    assert {"cosine", "bm25", "fusion", "logit", "relevance", "hierarchy", "recency"} <= record[
        "candidates"
    ][0]["scores"].keys()
    assert {each["scores"]["bm25"] for each in record["candidates"]} == {None}
    assert record["versions"]["models"].keys() == {"embedder", "reranker", "entailment", "writer"}
    assert record["chain"]["sequence"] == 1


def test_a_record_says_which_characters_are_quoted_of_what_was_read_in_when(
    audited: Home,
) -> None:
    for who in ("ana", "ben"):
        [asked] = audited.vouch("audit", "list", "--person", who, "--json").json
        cited = audited.record(asked["audit_id"])["claims"][0]["citations"][0]
        at, quote, read_in = (cited[name] for name in ("char_start", "quote", "ingested_at"))
        assert DOCS[cited["file"]][at : at + len(quote)] == quote
        assert read_in[:16] <= asked["time"][:16]
        shown = " ".join(audited.vouch("audit", "show", asked["audit_id"]).out.split())
        read_on = f"{read_in[:10]} {read_in[11:16]}"
        assert f"characters {at}-{at + len(quote)}, read in {read_on}" in shown


def test_a_record_of_an_older_version_is_shown_all_the_same(own: Home) -> None:
    newer = ("imagined_passage", "expired", "contradictions", "tokens_by_stage")
    of_citations = ("char_start", "ingested_at")
    connection = without_triggers(own)
    with open_reader(f"sqlite:///{own.path / 'audit.sqlite'}") as reader:
        stored = list(reader.entries())
    for each in stored:
        payload = json.loads(each.payload)
        older = {name: value for name, value in payload.items() if name not in newer}
        for cited in (cited for claim in payload["claims"] for cited in claim["citations"]):
            for name in of_citations:
                cited.pop(name)
        connection.execute(
            "UPDATE audit_entry SET payload = ? WHERE sequence = ?",
            (json.dumps(older), each.sequence),
        )
    connection.commit()
    shown = own.vouch("audit", "show", own.vouch("audit", "list", "--json").json[0]["audit_id"])
    assert (shown.status, shown.err) == (0, "")
    assert "who won the chess tournament" in shown.out


def test_what_people_said_of_answers_is_listed(own: Home) -> None:
    assert own.vouch("audit", "feedback", "--json").json == []
    [asked] = own.vouch("audit", "list", "--person", "ana", "--json").json
    with open_writer(f"sqlite:///{own.path / 'audit.sqlite'}") as writer:
        for who, value, words in (("ben", "good", ""), ("ana", "bad", "[b]It is thirty.")):
            about = a_record(audit_id=asked["audit_id"])
            said = {"text": words, "details": {"value": value}}
            writer.append(an_event(about, person=PersonRecord(id=who), **said))
    given = own.vouch("audit", "feedback", "--json").json
    assert [(each["person_id"], each["question"]) for each in given] == [
        ("ana", CARD),
        ("ben", CARD),
    ]
    table = own.vouch("audit", "feedback").out
    assert "not helpful" in table
    assert "[b]It is" in table, "words are not markup"
    assert asked["audit_id"][:18] in table
    assert "ana" not in own.vouch("audit", "feedback", "--person", "ben").out
    assert own.vouch("audit", "feedback", "--until", "2020-01-01", "--json").json == []


def test_an_id_of_no_record_is_a_failure(audited: Home) -> None:
    finished = audited.vouch("audit", "show", "00000000")
    assert (finished.status, finished.out) == (1, "")
    assert "List the records to find it" in finished.err


def test_an_untouched_store_verifies_and_it_is_said_what_a_chain_cannot_show(audited: Home) -> None:
    found = audited.vouch("audit", "verify", "--json").json
    assert (found["ok"], found["records"], found["first_bad"]) == (True, 3, None)
    said = audited.vouch("audit", "verify").out
    assert "The chain holds: 3 records" in said
    assert "cannot show that its end was cut off" in said


def test_an_export_holds_every_record_as_json_lines(own: Home, tmp_path: Path) -> None:
    out = tmp_path / "export.jsonl"
    own.does("audit", "export", "--out", out)
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [line["chain"]["sequence"] for line in lines] == [1, 2, 3]
    assert lines[0]["question"] == CARD
    for nowhere in (tmp_path / "no" / "such" / "folder.jsonl", tmp_path):
        own.calls_wrong(str(nowhere), "audit", "export", "--out", nowhere)


@pytest.mark.parametrize(
    "forgery",
    [
        "UPDATE audit_entry SET payload = replace(payload, 'Ben', 'Eve') WHERE sequence = 2",
        "UPDATE audit_entry SET person_id = 'ana' WHERE sequence = 2",
        "DELETE FROM audit_entry WHERE sequence = 2",
        "DELETE FROM audit_cited WHERE sequence = 2",
    ],
)
def test_whoever_tampers_with_a_record_is_found_out(own: Home, forgery: str) -> None:
    with without_triggers(own) as connection:
        assert connection.execute(forgery).rowcount > 0
    finished = own.vouch("audit", "verify", "--json")
    assert finished.status == 1
    assert (finished.json["ok"], finished.json["records"]) == (False, 1)
    first_bad = finished.json["first_bad"]
    assert first_bad["sequence"] in (2, 3)
    assert first_bad["what"]
    where = first_bad["audit_id"] or str(first_bad["sequence"])
    assert f"broken at {where}" in own.vouch("audit", "verify").said


def test_records_cut_off_at_the_end_are_missed_by_whoever_noted_the_head(own: Home) -> None:
    head = own.vouch("audit", "verify", "--json").json["head"]
    without_triggers(own).execute("DELETE FROM audit_entry WHERE sequence = 3")
    without_triggers(own).execute("DELETE FROM audit_cited WHERE sequence = 3")
    assert own.vouch("audit", "verify", "--head", head).status == 1


def assert_nothing_shown(home: Home, reason: str, **environment: str) -> None:
    finished = home.vouch("ask", CARD, "--json", **environment)
    assert (finished.status, finished.out) == (1, "")
    assert reason in finished.err
    assert "twenty" not in finished.err
    assert PASSWORD not in finished.err


def test_without_a_place_for_the_record_no_answer_is_shown(own: Home) -> None:
    store = own.path / "audit.sqlite"
    store.unlink()
    store.mkdir()
    assert_nothing_shown(own, "audit.sqlite")
    store.rmdir()
    store.write_bytes(b"no database at all, but long enough to be looked at as one" * 100)
    assert_nothing_shown(own, "audit.sqlite")


def test_without_the_server_of_the_audit_store_no_answer_is_shown(own: Home) -> None:
    url = f"postgresql://vouch:{PASSWORD}@127.0.0.1:1/audit"
    assert_nothing_shown(own, "127.0.0.1", VOUCH_AUDIT_URL=url)


def test_an_answer_that_cannot_be_recorded_is_not_shown(own: Home) -> None:
    """The store opens well, and fails when the answer is already there."""
    database(own).execute(
        "CREATE TRIGGER full BEFORE INSERT ON audit_entry"
        " BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
    )
    assert_nothing_shown(own, "could not write it to the audit store")
    assert own.vouch("audit", "verify", "--json").json["records"] == 3


def test_an_answer_whose_record_is_lost_without_an_error_is_not_shown(own: Home) -> None:
    database(own).execute(
        "CREATE TRIGGER quiet BEFORE INSERT ON audit_entry BEGIN SELECT RAISE(IGNORE); END"
    )
    assert_nothing_shown(own, "could not write it to the audit store")
    own.refuses("quiet is not ours", "audit", "verify")


@pytest.mark.parametrize("command", [["list"], ["verify"], ["feedback"], ["show", "0"]])
def test_a_home_of_a_newer_version_is_refused_before_anything_is_called_broken(
    own: Home, command: list[str]
) -> None:
    with without_triggers(own) as connection:
        connection.execute("UPDATE audit_revision SET version_num = '0099'")
        connection.execute("UPDATE audit_entry SET words = 'derived otherwise'")
    refused = own.vouch("audit", *command)
    assert (refused.status, refused.out) == (1, "")
    assert "was made by a newer or another version" in refused.said
    assert "Install that version" in refused.said
    assert not {"broken", "Not verified", "damaged", "altered"} & set(refused.said.split())


@pytest.mark.parametrize("command", [["list"], ["verify"], ["show", "0"]])
def test_reading_the_audit_store_loads_no_model_library(own: Home, command: list[str]) -> None:
    shutil.rmtree(own.path / "index")
    script = (
        "import sys, atexit; from bot.cli import main;"
        f"atexit.register(lambda: print([m for m in {HEAVY} if m in sys.modules]));"
        f"sys.argv = ['vouch', 'audit', *{command}]; main()"
    )
    finished = subprocess.run(
        [sys.executable, "-c", script],
        env={"VOUCH_HOME": str(own.path)},
        cwd=own.path.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.stdout.splitlines()[-1] == "[]"


def test_an_administrator_reads_a_record_as_a_page(audited: Home) -> None:
    newest = audited.vouch("audit", "list", "--person", "ana", "--json").json[0]
    page = audited.vouch("audit", "show", newest["audit_id"]).out
    for words in ("[b]A (ana)", CARD, "VERIFIED", "cards.md", "twenty euros", "used"):
        assert words in page
    titles = ["Reply", "Claims", "How sure it is", "Numbers", "Best candidates"]
    assert [line.strip() for line in page.splitlines() if line.strip() in titles] == titles
    told = " ".join(page.split())
    assert "each sentence is copied from its source" in told
    assert "consistency not measured" in told
