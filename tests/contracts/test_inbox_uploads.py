"""What an inbox remembers of files that were uploaded to Slack."""

from inboxes import at

from bot.slack.inbox.removals import Upload
from bot.slack.inbox.store import Inbox


def test_a_file_is_due_at_its_time_and_for_one_replica_at_once(inbox_url: str) -> None:
    with Inbox.open(inbox_url) as inbox:
        inbox.uploads.add("F1", at(100))
        inbox.uploads.add("F2", at(50))
        assert inbox.uploads.take(at(49)) is None
        assert inbox.uploads.take(at(200)) == Upload("F2", 0)
        assert inbox.uploads.take(at(200)) == Upload("F1", 0)
        assert inbox.uploads.take(at(200)) is None
        assert inbox.uploads.take(at(300)) is not None, "whoever took it may have died"


def test_what_is_done_is_forgotten_and_what_failed_comes_again(inbox_url: str) -> None:
    with Inbox.open(inbox_url) as inbox:
        inbox.uploads.add("F1", at(0))
        inbox.uploads.add("F2", at(1))
        first, second = inbox.uploads.take(at(5)), inbox.uploads.take(at(5))
        assert first is not None
        assert second is not None
        inbox.uploads.done(first)
        inbox.uploads.postpone(second, at(500), attempts=3)
    with Inbox.open(inbox_url) as inbox:
        assert inbox.uploads.take(at(400)) is None
        assert inbox.uploads.take(at(600)) == Upload("F2", 3)
