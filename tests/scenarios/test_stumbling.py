"""A newcomer types something wrong, and one line says what to do."""

from pathlib import Path

import pytest
from vouch_home import SAMPLE, Finished, Home, write

DOCUMENTS = str(SAMPLE / "documents")
QUESTIONS = str(SAMPLE / "questions.jsonl")


def assert_one_line(finished: Finished, *words: str) -> None:
    assert finished.status in (1, 2)
    assert finished.out == ""
    assert finished.err.startswith("vouch: ")
    assert finished.err.count("\n") == 1, finished.err
    for each in words:
        assert each in finished.err


WRONG = {
    "a person's first name": (["ask", "x", "--as", "Ana"], ["Did you mean ana (Ana Silva)?"]),
    "a channel": (["ask", "x", "--channel", "genral"], ["Did you mean C0GENERAL (general)?"]),
    "a day in words": (["ask", "x", "--on", "yesterday"], ["'yesterday'", "2026-01-31"]),
    "a day that is none": (["ask", "x", "--on", "2026-02-30"], ["'2026-02-30' is no date"]),
    "no question": (["ask", ""], ["ask a question"]),
    "blanks for a question": (["ask", "  "], ["ask a question"]),
    "an auditor's person": (["audit", "list", "--person", "Anna"], ["ana (Ana Silva)"]),
    "half a time": (["audit", "list", "--since", "20"], ["'20' is no date"]),
    "an id of no record": (["audit", "show", "zzz"], ["'zzz'", "List the records"]),
    "a document of why": (["why", "ana", "leav.md"], ["Did you mean staff/leave.md?"]),
    "a person of why": (["why", "tomas lindquist", "leave.md"], ["tomas (Tomas Lindqvist)"]),
    "a document to purge": (["purge", "leav.md"], ["Did you mean staff/leave.md?"]),
    "a folder to ingest": (["ingest", "/no/such/folder"], ["/no/such/folder does not exist"]),
    "nothing to ingest": (["ingest"], ["vouch ingest FOLDER"]),
    "a folder to check": (["check-documents", "/no/such"], ["/no/such is no folder"]),
    "a sample": (["tour", "/no/such"], ["/no/such is no sample", "deploy/sample"]),
    "a file as a sample": (["tour", QUESTIONS], ["is no sample organisation", "deploy/sample"]),
    "a split": (
        ["evaluate", QUESTIONS, "--docs", DOCUMENTS, "--split", "tset"],
        ["'tset'", "it has calibration and test"],
    ),
    "a recipe": (
        ["evaluate", QUESTIONS, "--docs", DOCUMENTS, "--recipe", "vuoch"],
        ["'vuoch'", "there are vouch, dense"],
    ),
    "a folder of documents": (
        ["evaluate", QUESTIONS, "--docs", "/no/such"],
        ["/no/such does not exist"],
    ),
    "a file of questions": (["evaluate", "/no.jsonl", "--docs", DOCUMENTS], ["no file /no.jsonl"]),
    "a folder of questions": (["evaluate", "/", "--docs", DOCUMENTS], ["/ is a folder"]),
    "a file of claims": (["evaluate-claims", "/no.jsonl"], ["no file /no.jsonl"]),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_not_there_is_named_with_what_to_do(university: Home, what: str) -> None:
    typed, words = WRONG[what]
    assert_one_line(university.vouch(*typed), *words)


BROKEN = {
    "cut off": ('{"id": "b"', "line 3 is no JSON"),
    "no object": ("[1]", "line 3"),
    "another kind": ('{"id": "b", "question": "x", "kind": "answerabel"}', "line 3: `kind`"),
    "a key is missing": ('{"id": "b", "kind": "answerable"}', "line 3: `question`"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_line_of_questions_is_named_by_its_number(
    home: Home, tmp_path: Path, what: str
) -> None:
    broken, words = BROKEN[what]
    first = '{"id": "a", "question": "x", "kind": "answerable"}'
    write(tmp_path, {"questions.jsonl": f"{first}\n\n{broken}\n"})
    finished = home.vouch("evaluate", tmp_path / "questions.jsonl", "--docs", DOCUMENTS)
    assert_one_line(finished, "questions.jsonl", words)


def test_a_file_that_is_no_text_or_empty_is_named(home: Home, tmp_path: Path) -> None:
    for content, words in ((b"\xff\xfe", "no text in UTF-8"), (b"", "is empty")):
        (tmp_path / "lines.jsonl").write_bytes(content)
        for command in (["evaluate", "--docs", DOCUMENTS], ["evaluate-claims"]):
            assert_one_line(home.vouch(*command, tmp_path / "lines.jsonl"), words)


@pytest.mark.parametrize("tour", ["organisation: x", "[1", "1", "organisation: x\nstops: [{}]"])
def test_a_tour_that_is_not_understood_is_named(home: Home, tmp_path: Path, tour: str) -> None:
    write(tmp_path, {"tour.yaml": tour})
    assert_one_line(home.vouch("tour", tmp_path), "tour.yaml needs `organisation`")


@pytest.mark.parametrize(
    "command", [["ask", "x"], ["why", "guest", "x"], ["purge", "x"], ["audit", "list"]]
)
def test_a_home_that_is_not_there_is_named_and_not_made(tmp_path: Path, command: list[str]) -> None:
    assert_one_line(Home(tmp_path / "hoem").vouch(*command), "hoem is not there", "VOUCH_HOME")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [["ask", "x"], ["audit", "list"], ["ingest", DOCUMENTS]])
def test_a_file_in_place_of_the_home_is_named(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "file").touch()
    assert_one_line(Home(tmp_path / "file").vouch(*command), "file", "Set VOUCH_HOME")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("VOUCH_RELEVANCE_TRESHOLD", "VOUCH_RELEVANCE_THRESHOLD"),
        ("VOUCH_WORKER", "VOUCH_WORKERS"),
        ("vouch_audit_uri", "VOUCH_AUDIT_URL"),
    ],
)
def test_a_misspelt_setting_is_refused_with_the_right_one(
    home: Home, name: str, meant: str
) -> None:
    finished = home.vouch("audit", "list", **{name: "1"})
    assert_one_line(finished, f"{name} in the environment is no setting", f"Write {meant}")


def test_a_misspelt_setting_in_a_file_is_refused_with_its_place(home: Home) -> None:
    (home.path / ".env").write_text("VOUCH_EMBEDER=bundled\n")
    (home.path / ".env").chmod(0o600)
    assert_one_line(home.vouch("audit", "list"), str(home.path / ".env"), "VOUCH_EMBEDDER")


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("VOUCH_HOEM", "Did you mean VOUCH_HOME?"),
        ("VOUCH_MODEL", "VOUCH_OPENAI_MODEL"),
        ("VOUCH_SERVICE_PORT", "docs/settings.md"),
    ],
)
def test_what_is_no_setting_is_said_and_the_command_goes_on(
    home: Home, name: str, near: str
) -> None:
    finished = home.vouch("audit", "list", "--json", **{name: "x"})
    assert (finished.status, finished.json) == (0, [])
    assert f"{name} in the environment is no setting and does nothing" in finished.err
    assert near in finished.err


def test_the_version_is_told(tmp_path: Path) -> None:
    finished = Home(tmp_path / "nowhere").does("--version")
    assert finished.out.startswith("vouch ")
    assert list(tmp_path.iterdir()) == []
