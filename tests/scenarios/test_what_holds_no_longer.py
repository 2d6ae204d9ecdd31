"""What no longer holds is told of, and not answered as if it did."""

from vouch_home import STRICT, Home

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
