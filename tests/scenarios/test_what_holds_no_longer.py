"""What no longer holds is told of, and not answered as if it did."""

from pathlib import Path

from vouch_home import Home, write

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
