"""What no longer holds is told of, and not answered as if it did."""

from pathlib import Path

from vouch_home import STRICT, Home, write

FILES = {
    "remote.md": "---\ntitle: Remote work (archived)\n---\n"
    "Everybody may work remotely five days a week.\n",
    "pool.md": "# Pool\n\nThe pool is cleaned on Thursdays.\n",
}


def test_an_archived_page_is_told_of_and_is_no_evidence(home: Home, tmp_path: Path) -> None:
    home.ingest(write(tmp_path / "docs", FILES))
    reply = home.ask("how many days a week may everybody work remotely?")
    assert reply["decision"] == "ABSTAIN"
    assert reply["claims"] == []
    asked = home.vouch("ask", "how many days a week may everybody work remotely?")
    assert "Remote work (archived) (no longer holds)" in " ".join(asked.said.split())
    why = home.vouch("why", "guest", "remote.md").said
    assert "no longer holds" in why


RULE = "# Passwords {}\n\nA password has twelve characters or more and {}.\n"
EDITIONS = {
    "passwords-2024.md": RULE.format(2024, "must be changed every 90 days"),
    "passwords-2026.md": RULE.format(2026, "never needs to be changed"),
    "pool.md": FILES["pool.md"],
}


def test_who_names_an_older_year_is_answered_from_its_edition_and_told_so(
    home: Home, tmp_path: Path
) -> None:
    home.ingest(write(tmp_path / "docs", EDITIONS))
    then = home.ask("how often did a password have to be changed in 2024?", **STRICT)
    assert "90 days" in str(then["claims"])
    assert then["as_of"] == "2024-12-31"
    told = home.vouch("ask", "how often did a password have to be changed in 2024?", **STRICT).said
    assert "You ask about 2024-12-31, so I answer as of that day." in " ".join(told.split())
    now = home.ask("how often must a password be changed?")
    assert "90 days" not in str(now["claims"])
    for question in ("how often is the pool cleaned in 2024?", "when is the pool cleaned?"):
        assert home.ask(question)["as_of"] > "2026"


def test_a_replacement_for_some_leaves_the_others_what_held_before(
    home: Home, tmp_path: Path
) -> None:
    old = {"travel.md": "# Travel\n\nA journey of the staff is booked with the travel office.\n"}
    new = "---\naudience: {departments: [hr]}\nreplaces: travel.md\n---\n# Travel of HR\n\n"
    new += "A journey of the staff is booked with the card of the department.\n"
    home.people({"id": "kim", "departments": ["hr"]})
    home.ingest(write(tmp_path / "docs", {**old, "travel-hr.md": new}))
    asked = "how is a journey of the staff booked?"
    theirs, ours = str(home.ask(asked)["claims"]), str(home.ask(asked, "--as", "kim")["claims"])
    assert ("travel office" in theirs, "card of the department" in theirs) == (True, False)
    assert ("travel office" in ours, "card of the department" in ours) == (False, True)
