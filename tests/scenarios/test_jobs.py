"""Somebody looks at the jobs, runs one by hand, and writes down when they are to run."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from vouch_home import Home, write

from bot.jobs.runs import Ended, JobOutcome
from bot.slack.inbox.beside import JobRuns
from retrieval.ingest import sources
from retrieval.ingest.sources import ToRead

LEAVE = "# Leave\n\nParental leave is 14 weeks, on full pay.\n"
PARKING = "# Parking\n\nA place costs 20 euros a month.\n"
NAMES = [
    "ingest",
    "forget",
    "expire",
    "purge",
    "verify-audit",
    "checkpoint",
    "backup",
    "evaluate",
    "digest",
    "corrections",
    "usergroups",
]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write(tmp_path / "handbook", {"leave.md": LEAVE})


@pytest.fixture
def read(home: Home, docs: Path) -> Home:
    home.ingest(docs)
    return home


def runs_of(home: Home) -> JobRuns:
    return JobRuns.open(f"sqlite:///{home.path / 'inbox.sqlite'}")


def last(home: Home, job: str = "ingest") -> dict[str, object]:
    found = {each["name"]: each["last"] for each in home.vouch("jobs", "--json").json}
    return dict(found[job])


def test_the_jobs_are_shown_before_any_ran_and_nothing_is_made(home: Home) -> None:
    listed = home.vouch("jobs", "--json").json
    assert [each["name"] for each in listed] == NAMES
    by_name = {each["name"]: each for each in listed}
    assert (by_name["backup"]["when"], by_name["backup"]["next_at"]) == ("", None)
    assert by_name["ingest"]["when"] == "every 1 hour"
    assert by_name["verify-audit"]["next_at"].endswith("T04:00:00+00:00")
    assert {each["last"] for each in listed} == {None}
    shown = home.does("jobs")
    assert "verify-audit 0 4 * * *" in shown.said
    assert "never" in shown.said
    assert list(home.path.iterdir()) == []


def test_every_known_source_is_read_again_in_a_process_of_its_own(read: Home, docs: Path) -> None:
    write(docs, {"parking.md": PARKING})
    (docs / "leave.md").unlink()
    ran = read.does("jobs", "run", "ingest")
    assert "ingest ok: new 1, changed 0, gone 1, unchanged 0" in ran.said
    assert set(read.texts()) == {"parking.md"}
    run = last(read)
    assert (run["outcome"], run["by_hand"]) == ("ok", True)
    changes = {"new": 1, "changed": 0, "gone": 1, "unchanged": 0}
    left = {"left_out": 0, "read_in_part": 0, "without_readers": 0}
    assert run["numbers"] == changes | left | {"passages": 1}
    assert run["ended_at"]
    assert "ok: new 1, changed 0, gone 1" in read.vouch("jobs").said


def test_documents_that_were_given_one_by_one_pull_in_no_others(home: Home, docs: Path) -> None:
    home.ingest(docs / "leave.md")
    write(docs, {"parking.md": PARKING, "leave.md": LEAVE.replace("14", "20")})
    ran = home.does("ingest", "--all", "--json")
    assert (ran.json["changed"], ran.json["new"]) == (1, 0)
    assert set(home.texts()) == {"leave.md"}
    (docs / "leave.md").unlink()
    home.refuses(f"{docs / 'leave.md'} is gone", "ingest", "--all")
    assert set(home.texts()) == {"leave.md"}


@pytest.mark.parametrize("left", ["gone", "empty"])
def test_a_source_whose_folder_is_gone_is_named_and_loses_nothing(
    read: Home, docs: Path, tmp_path: Path, left: str
) -> None:
    other = write(tmp_path / "offices", {"parking.md": PARKING})
    read.ingest(other)
    write(other, {"rooms.md": "# Rooms\n\nThe large room seats 40.\n"})
    (docs / "leave.md").unlink()
    if left == "gone":
        docs.rmdir()
    ran = read.refuses(f"handbook: its folder {docs} is {left}", "jobs", "run", "ingest")
    assert f"its folder {docs} is {left}" in read.vouch("sources", "--json").json[0]["fault"]
    assert "Nothing was removed of these" in ran.said
    assert set(read.texts()) == {"leave.md", "parking.md", "rooms.md"}, "the other one was read"
    run = last(read)
    assert run["outcome"] == "failed"
    assert "handbook" in str(run["reason"])
    assert run["numbers"]["new"] == 1  # type: ignore[index]


def test_one_source_is_read_again_without_the_others_and_shown_by_itself(
    read: Home, docs: Path, tmp_path: Path
) -> None:
    other = write(tmp_path / "the offices", {"parking.md": PARKING})
    read.ingest(other)
    for folder in (docs, other):
        write(folder, {"rooms.md": f"# Rooms\n\nThe room of {folder.name} seats 40.\n"})
    ran = read.does("jobs", "run", "ingest the offices")
    assert "ingest the offices ok: new 1, changed 0, gone 0, unchanged 1" in ran.said
    assert len(read.texts()) == 3
    by_name = {each["name"]: each for each in read.vouch("jobs", "--json").json}
    assert by_name["ingest handbook"]["last"] is None
    assert by_name["ingest"]["last"]["job"] == "ingest the offices"
    shown = {each["name"]: each["next_at"] for each in read.vouch("sources", "--json").json}
    assert shown["the offices"] == by_name["ingest the offices"]["next_at"]
    assert shown["handbook"] >= shown["the offices"]
    assert "Did you mean" in read.vouch("ingest", "--all", "--source", "the office").said


def test_a_source_has_a_time_of_its_own_by_how_its_url_begins(home: Home, tmp_path: Path) -> None:
    for name in ("hr/leave", "hr/pay", "hrx", "yard"):
        folder = write(tmp_path / name, {"a.md": f"{PARKING}\nThe yard of {name} is open.\n"})
        home.does("ingest", f"file://{folder}", "--for=everyone", f"--source={name}")
    home.ingest(write(tmp_path / "hr" / "own", {"b.md": LEAVE}))
    begins = f"file://{tmp_path}"
    own = {
        f"{begins}/hr": "every 6 hours",
        f"{begins}/hr/pay": "0 3 * * *",
        f"{begins}/yard": False,
    }

    def times(**environment: str) -> dict[str, str]:
        listed = home.vouch("jobs", "--json", **environment).json
        return {each["source"]: each["when"] for each in listed if each["source"]}

    hourly = dict.fromkeys(["hr/leave", "hr/pay", "hrx", "yard", "own"], "every 1 hour")
    assert times() == hourly
    now = times(VOUCH_SOURCE_SCHEDULES=json.dumps(own))
    differing = {"hr/leave": "every 6 hours", "hr/pay": "0 3 * * *", "yard": ""}
    assert now == hourly | differing


@pytest.mark.parametrize(
    "stated",
    [
        "every 6 hours",
        "[a]",
        "a: every 1 hour",
        "s3://a:pa55@b: every 1 hour",
        "{",
        "7: every 1 day",
    ],
)
def test_times_of_sources_that_are_not_understood_are_said_and_not_repeated(
    home: Home, stated: str
) -> None:
    wrong = {"VOUCH_SOURCE_SCHEDULES": stated}
    refused = home.refuses(
        "VOUCH_SOURCE_SCHEDULES is not understood", "jobs", "run", "purge", **wrong
    )
    assert "pa55" not in refused.said
    often = {"VOUCH_SOURCE_SCHEDULES": "s3://a: often"}
    home.refuses("is 'often', which is no time to run", "jobs", "run", "purge", **often)


def test_a_source_that_left_while_its_job_waited_for_another_does_not_come_back(
    read: Home, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = sources.known_paths

    def left_since(*about: Any) -> list[ToRead]:
        found = [*look(*about)]
        assert read.vouch("ingest", "--remove", docs).status == 0
        return found

    monkeypatch.setattr(sources, "known_paths", left_since)
    ended = read.vouch("ingest", "--all", "--source", "handbook")
    assert f"{docs} went away while it was read" in ended.said
    assert read.vouch("sources", "--json").json == []


def test_one_source_is_read_again_without_a_look_into_the_folders_of_others(
    read: Home, docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = write(tmp_path / "mounted", {"parking.md": PARKING})
    read.ingest(away)
    look = Path.is_dir

    def hangs(path: Path) -> bool:
        assert path != away, "it never says"
        return look(path)

    monkeypatch.setattr(Path, "is_dir", hangs)
    write(docs, {"rooms.md": "# Rooms\n\nThe hall seats 40.\n"})
    assert read.vouch("ingest", "--all", "--source", "handbook", "--json").json["new"] == 1


@pytest.mark.exhaustive
def test_what_was_left_out_is_counted_and_fails_no_job(read: Home, docs: Path) -> None:
    write(docs, {"secret.md": "---\naudience: {departmens: [hr]}\n---\n# Pay\n\nMuch.\n"})
    ran = read.does("jobs", "run", "ingest")
    assert "left out 1" in ran.said


def test_the_other_jobs_run_by_hand_too(read: Home) -> None:
    read.ask("How long is parental leave?")
    assert "verify-audit ok: records 1" in read.vouch("jobs", "run", "verify-audit").said
    assert len((read.path / "audit-heads.txt").read_text().splitlines()) == 1
    assert "purge ok: versions 0" in read.vouch("jobs", "run", "purge").said
    assert "forget ok: exchanges 0" in read.vouch("jobs", "run", "forget").said
    assert "usergroups ok: groups 0" in read.vouch("jobs", "run", "usergroups").said


def test_answers_expire_by_the_clock_only_where_that_is_set_and_never_before_six_months(
    read: Home,
) -> None:
    assert "expire ok: entries 0" in read.vouch("jobs", "run", "expire").said
    read.refuses("six months at the least", "jobs", "run", "expire", VOUCH_AUDIT_KEEP_DAYS="183")
    kept = read.vouch("jobs", "run", "expire", VOUCH_AUDIT_KEEP_DAYS="184")
    assert "expire ok: entries 0" in kept.said


def test_purge_lets_go_of_versions_that_are_kept_no_longer(read: Home, docs: Path) -> None:
    write(docs, {"leave.md": LEAVE.replace("14", "20")})
    read.ingest(docs)
    kept = read.vouch("jobs", "run", "purge")
    assert "purge ok: versions 0" in kept.said
    purged = read.vouch("jobs", "run", "purge", VOUCH_KEEP_VERSIONS_DAYS="0")
    assert "purge ok: versions 1" in purged.said


def test_an_unknown_job_is_wrong_use_and_a_near_one_is_named(read: Home) -> None:
    read.calls_wrong(
        "There is no job 'ingst'. Did you mean ingest or digest?", "jobs", "run", "ingst"
    )


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("VOUCH_JOBS_INGEST", "every now and then"),
        ("VOUCH_JOBS_VERIFY_AUDIT", "0 4 * *"),
        ("VOUCH_JOBS_TIME_ZONE", "Mars/Olympus"),
        ("VOUCH_ADMIN_CHANNEL", "#admins"),
    ],
)
def test_a_setting_that_is_wrong_is_named_by_a_check_and_at_the_start(
    read: Home, variable: str, value: str
) -> None:
    read.refuses(f"FAIL jobs: {variable} is '{value}'", "check", **{variable: value})
    read.refuses(f"vouch: {variable} is '{value}'", "up", **{variable: value})


def test_a_check_tells_when_the_jobs_run(read: Home) -> None:
    checked = read.vouch("check", VOUCH_JOBS_INGEST="every 6 hours", VOUCH_JOBS_FORGET="off")
    assert (
        "ok jobs: ingest every 6 hours; expire 30 4 * * *; purge 30 3 * * *; verify-audit"
        in checked.said
    )


@pytest.mark.parametrize(
    "wrong", [["--json"], ["--all", "docs"], ["--all", "--re-embed"], ["--all", "--remove"]]
)
def test_options_of_reading_all_again_that_do_not_go_together(read: Home, wrong: list[str]) -> None:
    assert read.vouch("ingest", *wrong).status == 2


def test_the_words_of_a_failure_steer_no_terminal(read: Home) -> None:
    with runs_of(read) as runs:
        ended = Ended(JobOutcome.FAILED, {}, "\x1b[2Jgone")
        runs.finish(
            runs.start("ingest", datetime.now(UTC), by_hand=True),
            datetime.now(UTC),
            ended,
        )
    assert "\x1b" not in read.vouch("jobs").out
    assert json.dumps("\x1b[2Jgone") in read.vouch("jobs", "--json").out


def test_a_backup_is_written_by_the_clock_into_the_folder_that_is_set(
    read: Home, tmp_path: Path
) -> None:
    folder = tmp_path / "archives"
    refused = read.vouch("jobs", VOUCH_JOBS_BACKUP="0 2 * * *")
    assert refused.status != 0
    assert "VOUCH_BACKUP_FOLDER" in refused.said
    set_up = {"VOUCH_JOBS_BACKUP": "0 2 * * *", "VOUCH_BACKUP_FOLDER": str(folder)}
    ran = read.does("jobs", "run", "backup", **set_up)
    (archive,) = folder.iterdir()
    assert archive.name in ran.said
    new = Home(tmp_path / "new", {})
    new.path.mkdir()
    (new.path / "library.key").write_text((read.path / "library.key").read_text())
    new.does("restore", archive)
    assert new.texts() == read.texts()


def test_what_people_ask_is_watched_without_labelled_questions(read: Home) -> None:
    ran = read.does("jobs", "run", "evaluate")
    assert "questions 0, alarms 0" in ran.said


def test_labelled_questions_are_asked_by_the_clock_and_kept(read: Home, tmp_path: Path) -> None:
    gold = {"file": "leave.md", "line_start": 3, "line_end": 3}
    asked = {"id": "a", "question": "How long is parental leave?", "kind": "answerable"}
    questions = tmp_path / "questions.jsonl"
    questions.write_text(json.dumps(asked | {"gold": [gold]}) + "\n")
    env = {"VOUCH_QUALITY_QUESTIONS": str(questions)}
    ran = read.does("jobs", "run", "evaluate", **env)
    assert "questions 1, alarms 0" in ran.said
    assert len(read.vouch("quality", "list", "--json").json) == 1
    assert read.vouch("audit", "list", "--json").json == []
    (read.path.parent / "handbook" / "leave.md").write_text("# Leave\n\nAsk your manager.\n")
    read.ingest(read.path.parent / "handbook")
    again = read.does("jobs", "run", "evaluate", **env)
    assert "questions 1, alarms 1" in again.said
