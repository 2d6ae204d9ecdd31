"""Somebody moves, renames, changes and purges documents, and old answers stay explained."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from libraries import tampered_with, url_in
from vouch_home import Home, cited_files

from audit.record import AuditRecord
from bot.settings import Settings
from bot.wiring import Container
from bot.wiring.container import record_access

OLD = Path(__file__).parents[1] / "fixtures" / "homes" / "0.2"
LEAVE = "# Leave\n\nParental leave is 14 weeks, on full pay.\n"
ASKED = "How long is parental leave?"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    docs = tmp_path / "handbook"
    docs.mkdir()
    (docs / "leave.md").write_text(LEAVE)
    (docs / "parking.md").write_text("# Parking\n\nA place costs 20 euros a month.\n")
    return docs


@pytest.fixture
def home(tmp_path: Path, docs: Path) -> Home:
    home = Home(tmp_path / "home")
    home.ingest(docs)
    return home


def container(home: Home) -> Container:
    return Container(Settings(home=home.path))


def withheld(home: Home, audit_id: str, who: str | None) -> frozenset[str]:
    """What somebody who clicks on an old reply is not shown, decided as the bot does."""
    stores = container(home).stores
    entry = stores.audit_reader.record(audit_id).entry
    assert isinstance(entry, AuditRecord)
    person = stores.access.people.find(who) if who else None
    return record_access(stores).withheld(entry, person, None)


def test_a_home_of_0_2_goes_on_and_its_old_answers_are_still_explained(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    shutil.copytree(OLD, home.path)
    listed = home.vouch("audit", "list", "--json").json
    by_question = {each["question"]: each["audit_id"] for each in listed}
    leave, salary = by_question[ASKED], by_question["How much is a senior clerk paid a month?"]
    docs = tmp_path / "elsewhere" / "handbook"
    (docs / "hr").mkdir(parents=True)
    (docs / "leave.md").write_text(LEAVE)
    (docs / "hr" / "salaries.md").write_text(
        "# Salaries\n\nA senior clerk is paid 4,200 euros a month.\n"
    )
    (docs / "hr" / "metadata.yaml").write_text('"*": {audience: {departments: [hr]}}')
    home.refuses(f"vouch ingest {docs} --source handbook", "ingest", "--for=everyone", docs)
    moved = home.does("ingest", "--for=everyone", docs, "--source", "handbook")
    assert "The source handbook stood at /srv/handbook before" in moved.said
    assert cited_files(home.ask(ASKED)) == {"leave.md"}
    cited = home.record(leave)["claims"][0]["citations"][0]["document_id"]
    assert (
        container(home).stores.library.holdings("handbook")["leave.md"].document.document_id
        == cited
    )
    assert cited not in withheld(home, leave, None)
    salaries = home.record(salary)["claims"][0]["citations"][0]["document_id"]
    assert salaries not in withheld(home, salary, "hanna")
    assert salaries in withheld(home, salary, None)


def test_after_a_rename_the_evidence_of_an_old_answer_is_still_shown(
    home: Home, docs: Path
) -> None:
    audit_id = home.ask(ASKED)["audit_id"]
    (docs / "leave.md").rename(docs / "parental leave.md")
    assert (
        "Renamed: leave.md is parental leave.md now"
        in home.vouch("ingest", "--for=everyone", docs).said
    )
    assert withheld(home, audit_id, None) == frozenset()


def test_what_an_answer_was_written_from_is_kept_when_the_document_changes(
    home: Home, docs: Path
) -> None:
    reply = home.ask(ASKED)
    (docs / "leave.md").write_text("# Leave\n\nParental leave is 20 weeks.\n")
    forgetful = replace(home, environment={**home.environment, "VOUCH_KEEP_VERSIONS_DAYS": "0"})
    forgetful.ingest(docs)
    record, library = home.record(reply["audit_id"]), container(home).stores.library
    (citation,) = record["claims"][0]["citations"]
    key = citation["document_id"], citation["version"]
    assert library.original(*key) == LEAVE.encode(), "an answer cites it"
    kept = library.passages_at([(*key, citation["passage_id"])])
    assert "14 weeks" in kept[citation["passage_id"]].text
    assert all(library.shown(each["sha256"]) for each in record["shown"])


def test_somebody_purges_a_document(home: Home, docs: Path) -> None:
    reply = home.ask(ASKED)
    home.calls_wrong("Nothing was erased", "purge", "leave.md", typed="n\n")
    purged = home.does("purge", "leave.md", "--yes")
    assert "Erased leave.md: 1 versions, 1 passages" in purged.said
    assert "stands in the audit store" in purged.said
    assert home.ask(ASKED)["decision"] == "ABSTAIN"
    home.refuses("leave.md was purged on", "ingest", "--for=everyone", docs)
    home.refuses("is or was called", "purge", "leaves.md", "--yes")
    library, shown = container(home).stores.library, home.record(reply["audit_id"])["shown"]
    assert {library.shown(each["sha256"]) for each in shown} >= {""}
    files = [path for path in home.path.rglob("*") if path.is_file()]
    holding = [path.name for path in files if b"14 weeks, on full" in path.read_bytes()]
    assert set(holding) <= {"audit.sqlite", "audit.sqlite-wal"}


def test_a_passage_that_somebody_changed_is_not_quoted(home: Home, docs: Path) -> None:
    tampered_with(
        url_in(home.path),
        "UPDATE library_passage SET source = replace(source, '14 weeks', '99 weeks')",
    )
    asked = home.refuses("changed the library behind Vouch's back", "ask", ASKED)
    assert "99" not in asked.said
    home.refuses("FAIL library: 1 documents are not as they were stored", "check")
    home.ingest(docs)
    assert "14 weeks" in home.ask(ASKED)["text"]


def test_every_answer_says_that_a_part_cannot_be_searched(home: Home) -> None:
    library = home.library
    (parking,) = (
        each.passage_id for each in library.all_passages() if each.document.file == "parking.md"
    )
    home.index().delete([parking])
    reply = home.ask(ASKED)
    assert cited_files(reply) == {"leave.md"}
    assert "A passage of the library could not be searched" in " ".join(reply["degraded"])
    assert home.record(reply["audit_id"])["degraded"] == reply["degraded"]


def test_a_library_key_that_was_lost_is_said(home: Home) -> None:
    (home.path / "library.key").unlink()
    home.refuses("Bring its library.key back from a backup", "ask", ASKED)
