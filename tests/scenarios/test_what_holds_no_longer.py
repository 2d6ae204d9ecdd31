"""What no longer holds is told of, and not answered as if it did."""

from pathlib import Path

from vouch_home import STRICT, Home, write

FILES = {
    "remote.md": "---\ntitle: Remote work (archived)\n---\n"
    "Everybody may work remotely five days a week.\n",
    "pool.md": "# Pool\n\nThe pool is cleaned on Thursdays.\n",
}


def test_an_archived_page_is_told_of_and_is_no_evidence(home: Home) -> None:
    home.reads(FILES)
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


def test_who_names_an_older_year_is_answered_from_its_edition_and_told_so(home: Home) -> None:
    home.reads(EDITIONS)
    then = home.ask("how often did a password have to be changed in 2024?", **STRICT)
    assert "90 days" in str(then["claims"])
    assert then["as_of"] == "2024-12-31"
    told = home.vouch("ask", "how often did a password have to be changed in 2024?", **STRICT).said
    assert "You ask about 2024-12-31, so I answer as of that day." in " ".join(told.split())
    now = home.ask("how often must a password be changed?")
    assert "90 days" not in str(now["claims"])
    for question in ("how often is the pool cleaned in 2024?", "when is the pool cleaned?"):
        assert home.ask(question)["as_of"] > "2026"


def test_of_the_same_words_in_several_sources_what_is_in_force_leads(
    home: Home, tmp_path: Path
) -> None:
    said = "A bicycle may be kept in the cellar for 12 euros a month."
    for name, head in {
        "older": "effective: 2019-05-01",
        "newer": "effective: 2025-05-01",
        "over": "archived: true",
    }.items():
        text = f"---\n{head}\n---\n# Bicycles of the {name}\n\n{said}\n"
        home.ingest(write(tmp_path / name, {f"{name}.md": text}))
    [claim] = home.ask("what does keeping a bicycle in the cellar cost?")["claims"]
    cited = [(each["file"], each["also"]) for each in claim["citations"]]
    assert cited == [("newer.md", False), ("older.md", True)]
