"""Somebody keeps the library in line with their files."""

import json
from pathlib import Path

import pytest
import yaml
from vouch_home import Home, write

from bot.wording.documents import not_in_english

LIBRARY_HOURS = "The reading room closes at nine in the evening on every weekday."
LAPTOPS = "A laptop may be borrowed for fourteen days from the service desk."
FILES = {"library/hours.md": f"# Hours\n\n{LIBRARY_HOURS}\n", "laptops.txt": LAPTOPS}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write(tmp_path / "docs", FILES)


def test_a_changed_file_becomes_version_2_and_its_old_words_are_gone(
    home: Home, docs: Path
) -> None:
    home.ingest(docs)
    new = "A tablet may be borrowed for three weeks from the service desk."
    (docs / "laptops.txt").write_text(new)
    assert "0 new, 1 changed, 0 gone, 1 unchanged" in home.ingest(docs).said
    reply = home.ask("how long may a tablet be borrowed?")
    citation = reply["claims"][0]["citations"][0]
    assert (citation["file"], citation["version"], citation["quote"]) == ("laptops.txt", "2", new)
    other = home.ask("may a laptop be borrowed for fourteen days?")
    assert "fourteen" not in str([other["text"], other["claims"], other["dropped"]])
    assert home.is_whole()


def test_closing_a_folder_in_metadata_yaml_hides_it_without_touching_a_document(
    home: Home, docs: Path
) -> None:
    home.ingest(docs)
    question = "when does the reading room close?"
    assert "library/hours.md" in str(home.ask(question))
    rule = {"*": {"audience": {"departments": ["cs"]}}}
    (docs / "library" / "metadata.yaml").write_text(yaml.safe_dump(rule))
    assert "1 changed, 0 gone, 1 unchanged" in home.ingest(docs).said
    assert "library/hours.md" not in str(home.ask(question))
    home.people({"id": "ana", "departments": ["cs"]})
    assert "library/hours.md" in str(home.ask(question, "--as", "ana"))


def test_ingesting_another_folder_removes_nothing(home: Home, docs: Path, tmp_path: Path) -> None:
    home.ingest(docs)
    other = write(tmp_path / "other", {"parking.md": "Parking costs two euros a day."})
    home.ingest(other, docs / "laptops.txt")
    assert set(home.texts()) == {*FILES, "parking.md"}
    assert home.is_whole()


def test_a_part_of_an_ingested_folder_keeps_the_rules_of_the_folders_above(
    home: Home, docs: Path
) -> None:
    rule = {"library/": {"audience": {"departments": ["cs"]}, "owner": "library@example.org"}}
    (docs / "metadata.yaml").write_text(yaml.safe_dump(rule))
    home.ingest(docs)
    more = "The reading room opens at seven in the morning on every weekday."
    write(docs, {"library/hours.md": f"# Hours\n\n{LIBRARY_HOURS}\n\n{more}\n"})
    for part in (docs / "library", docs / "library" / "hours.md"):
        home.ingest(part)
        documents = {p.document.file: p.document for p in home.library.all_passages()}
        assert set(documents) == set(FILES)
        metadata = documents["library/hours.md"].metadata
        assert metadata.access.audience == (("departments", ("cs",)),)
        assert metadata.owner == "library@example.org"


def test_remove_lets_documents_leave_even_after_their_folder_is_gone(
    home: Home, docs: Path
) -> None:
    home.ingest(docs)
    assert "1 documents removed" in home.vouch("ingest", "--remove", docs / "library").said
    assert set(home.texts()) == {"laptops.txt"}
    (docs / "laptops.txt").unlink()
    assert "1 documents removed" in home.vouch("ingest", "--remove", docs).said
    assert home.texts() == {}
    assert home.is_whole()


def test_a_path_that_is_not_there_fails_with_a_remedy(home: Home, docs: Path) -> None:
    (docs / "circle").symlink_to(docs / "circle")
    for missing in (docs / "nowhere", docs / "laptops.txt" / "below-a-file", docs / "circle"):
        finished = home.refuses("does not exist", "ingest", "--for=everyone", missing)
        assert "vouch ingest --remove" in finished.said
    assert home.vouch("ingest").status == 2


def test_a_lost_index_is_made_anew_by_the_next_ingest(home: Home, docs: Path) -> None:
    home.ingest(docs)
    (home.path / "index").rename(home.path / "lost")
    home.refuses("vouch ingest", "ask", "how long may a laptop be borrowed?")
    home.ingest(docs / "library")
    assert home.is_whole()
    assert "laptops.txt" in str(home.ask("how long may a laptop be borrowed?"))


def test_an_index_of_an_earlier_version_of_the_bundled_embedder_is_refused_too(
    home: Home, docs: Path
) -> None:
    home.ingest(docs)
    certificate = home.path / "index" / "index.json"
    certificate.write_text(certificate.read_text().replace("vouch-embedder", "earlier-embedder"))
    question = "how long may a laptop be borrowed?"
    for command in (("ask", question), ("ingest", docs), ("check",)):
        home.refuses("vouch ingest --re-embed", *command)
    home.does("ingest", "--re-embed")
    assert "laptops.txt" in str(home.ask(question))


@pytest.mark.parametrize("form", [1, 4])
def test_an_index_of_another_version_of_the_program_is_made_anew_by_the_next_ingest(
    home: Home, docs: Path, form: int
) -> None:
    home.ingest(docs)
    certificate = home.path / "index" / "index.json"
    now = json.loads(certificate.read_text())
    vectors = {"embedder": now["embedder"], "dimension": now["dimension"]}
    then = {"spaces": {"text": vectors}, "facets": now["facets"], "format": form}
    certificate.write_text(json.dumps(then if form > 1 else vectors))
    home.refuses("was made by another version of Vouch", "ask", "when may I take leave?")
    assert "it is made anew" in home.ingest(docs).said
    assert home.is_whole()
    assert "made anew" not in home.ingest(docs).said


def test_a_word_of_a_document_stands_in_its_bytes_its_passage_and_the_index_alone(
    home: Home, tmp_path: Path
) -> None:
    word = "xylotheque"
    text = f"The {word} in the old greenhouse keeps a collection of wood for botanists."
    home.ingest(write(tmp_path / "woods", {"woods.md": f"# Woods\n\n{text}\n"}))
    holders = {
        path.relative_to(home.path).parts[0]: path.read_bytes().count(word.encode())
        for path in home.path.rglob("*")
        if path.is_file() and word.encode() in path.read_bytes()
    }
    assert holders.pop("library.sqlite") == 2
    assert set(holders) <= {"index"}
    assert home.is_whole()


def test_files_with_odd_names_are_read_like_any_other(home: Home, tmp_path: Path) -> None:
    names = ("a [/b] c.md", "[red].md", "two\nlines.md", "-v.md", "é ☂.md", "UPPER.MD", "a'b.md")
    home.ingest(write(tmp_path / "docs [/bold]", dict.fromkeys(names, LIBRARY_HOURS)))
    assert set(home.texts()) == set(names)
    assert home.is_whole()


def test_a_page_in_another_language_is_told_found_by_its_words_and_quoted_as_not_sure(
    home: Home, tmp_path: Path
) -> None:
    said = "Anträge auf Urlaub sind bis zum 1. März des Vorjahres zu stellen."
    german = f"# Urlaub\n\nAlle haben 28 Tage Urlaub im Jahr. {said}\n"
    docs = write(tmp_path / "docs", {"urlaub.md": german, "it.txt": LAPTOPS})
    for told in (home.vouch("ingest", "--for=everyone", docs), home.vouch("check-documents", docs)):
        assert not_in_english("urlaub.md") in " ".join(told.said.split())
    for asked in ("Urlaub Tage", "Bis wann sind Anträge auf Urlaub zu stellen?"):
        outcome = home.vouch("ask", asked, "--json").json
        assert outcome["decision"] == "ABSTAIN"
        assert said in outcome["nearest"][0]["text"]
    assert home.vouch("ask", "how long may I borrow a laptop?", "--json").json["claims"]
