"""Neither lecture notes nor rules crowd the other out where each has a quota."""

from pathlib import Path

import pytest
from pydantic import ValidationError
from shelves import TODAY, Shelves

from bot.settings import Settings
from retrieval.search.selection import OrganisationalSelection
from retrieval.types import AccessRule, Metadata, Scope, Stream

ACADEMIC = Metadata(stream=Stream.ACADEMIC)


def found(shelves: Shelves, quota: int | None) -> list[str]:
    selection = OrganisationalSelection(same_thing=2, most_per_stream=quota)
    hits = shelves.search("dogs", selection=selection).hits
    return [hit.passage.passage_id.removesuffix("-0") for hit in hits]


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    made = Shelves(tmp_path)
    for n in range(6):
        made.add(f"notes{n}", f"Dogs and {n} other animals, 0.9{9 - n}.", metadata=ACADEMIC)
    made.add("rule", "Dogs must be on a lead, 0.8.")
    return made


def test_without_a_quota_the_most_probable_come_whatever_they_are(shelves: Shelves) -> None:
    assert found(shelves, None) == ["notes0", "notes1", "notes2", "notes3", "notes4"]


def test_with_a_quota_a_rule_comes_beside_lecture_notes(shelves: Shelves) -> None:
    assert found(shelves, 3) == ["notes0", "notes1", "notes2", "rule"]


def test_a_quota_of_one_keeps_the_rule_that_prevails(tmp_path: Path) -> None:
    shelves = Shelves(tmp_path)
    cs = AccessRule((("departments", ("cs",)),))
    shelves.add("university", "Dogs must be on a lead, 0.95.")
    shelves.add(
        "own", "Dogs must be on a lead here, 0.9.", metadata=Metadata(level="department", access=cs)
    )
    ana = Scope({"departments": frozenset({"cs"})}, TODAY)
    both = shelves.search("dogs", ana, selection=OrganisationalSelection()).hits
    one = shelves.search("dogs", ana, selection=OrganisationalSelection(most_per_stream=1)).hits
    assert [hit.passage.passage_id for hit in both] == ["own-0", "university-0"]
    assert [hit.passage.passage_id for hit in one] == ["own-0"]


def test_a_quota_that_would_leave_nothing_out_is_refused() -> None:
    with pytest.raises(ValidationError, match="VOUCH_MOST_PER_STREAM=5 leaves nothing out"):
        Settings(most_per_stream=5)
    assert Settings(most_per_stream=4).most_per_stream == 4
