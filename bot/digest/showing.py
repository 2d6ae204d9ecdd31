"""What of somebody's question may be shown to a channel, and how names are taken out of it.

A question in a direct message is its asker's own, and alone its words may tell who asked. So they
are shown where two people or more asked alike, and of these the shortest, which tells least. What
was asked in a channel is shown where whoever reads the digest is of that channel's audience.
"""

import re
from collections.abc import Callable, Collection, Sequence

from audit.record import AuditRecord
from bot.access.entries import Facets
from bot.access.reading import is_private
from bot.wording import digest as wording
from bot.wording.untrusted_text import in_one_line, shortened
from retrieval.metadata.access import TEAM

LONGEST = 200
"""Characters of an example."""
MOST_EXAMPLES = 3
FEWEST_PEOPLE = 2
"""Who asked alike in private, for their words to be shown."""
_ADDRESS = re.compile(r"<[@#!][^>]*>|[\w.+'’-]+@[\w-]+(?:\.[\w-]+)+|@?\b[UW][A-Z0-9]{8,}\b")
_MENTION = re.compile(r"(?<!\w)@\w[\w.'’-]*(?: [A-Z][\w.'’-]*)*")
"""With the capitalised words behind it: a display name may have several."""
_NUMBER = re.compile(r"(?<!\w)(?!\d{4}-\d\d-\d\d\b)\+?\d(?:[ ()/-]{0,2}\d){6,}(?!\w)")
"""Of a telephone, a person, an account: seven digits or more, and no ISO date."""


class Names:
    """Takes out of a text who is named in it."""

    def __init__(self, known: Collection[str]) -> None:
        """`known`: whole names; one of a single word may be any word, and is left."""
        several = sorted({each for each in known if len(each.split()) > 1}, key=len, reverse=True)
        any_of_them = "|".join(" ".join(map(re.escape, each.split())) for each in several) or "(?!)"
        self._known = re.compile(rf"@?(?<!\w)(?:{any_of_them})(?!\w)", re.IGNORECASE)

    def without(self, text: str, asker: str) -> str:
        """The text in one line, without known names, mentions, addresses and long numbers.

        `asker`: the name of who asked, of which each capitalised word goes too.
        """
        said = _ADDRESS.sub(wording.SOMEBODY, in_one_line(text))
        said = _MENTION.sub(wording.SOMEBODY, self._known.sub(wording.SOMEBODY, said))
        for name in asker.split():
            if name[:1].isupper() and len(name) > 1:
                said = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", wording.SOMEBODY, said)
        return shortened(_NUMBER.sub(wording.NUMBER, said), LONGEST)


def sought(record: AuditRecord) -> str:
    """What was asked, as it was asked; with its subject where it leans on a question before."""
    leans = record.previous_questions and len(record.standalone_question) > len(record.question)
    return record.standalone_question if leans else record.question


CommonIn = Callable[[str], Facets | None]
"""What everyone in a channel has; None where that is not known for certain."""


def is_open(record: AuditRecord, channel: str, common_in: CommonIn) -> bool:
    """Whether it was asked where everyone in a channel might have heard it.

    Both are of one workspace.
    """
    asked_in = record.channel.id
    if is_private(asked_in):
        return False
    own, theirs = common_in(channel) or {}, common_in(asked_in)
    return asked_in == channel or (
        theirs is not None
        and all(
            values <= own.get(facet, frozenset())
            for facet, values in theirs.items()
            if facet != TEAM
        )
    )


def documents_named(record: AuditRecord) -> tuple[str, ...]:
    """The ids of the documents that a reply quoted, cited or was written from, nearest first."""
    return tuple(
        dict.fromkeys(
            [
                *(each.document_id for each in record.nearest),
                *(each.document_id for claim in record.claims for each in claim.citations),
                *(each.document_id for each in record.candidates if each.used),
                *(each.source.document_id for each in record.expired),
            ]
        )
    )


def shown_of(
    group: Sequence[AuditRecord],
    channel: str,
    common_in: CommonIn,
    withheld: Callable[[AuditRecord, str], Collection[str]],
) -> list[AuditRecord]:
    """Those whose words a channel may see, the most typical first; none where none may be seen.

    `group` asks alike. `withheld`: the ids of a record's documents that not everyone in a channel
    may read; a question to which such a one came near is not shown.
    """
    readable = [
        record
        for record in group
        if not set(withheld(record, channel)).intersection(documents_named(record))
    ]
    open_ones = [record for record in readable if is_open(record, channel, common_in)]
    if open_ones:
        return open_ones
    if len({record.person.id for record in readable}) < FEWEST_PEOPLE:
        return []
    return [min(readable, key=lambda record: len(sought(record)))]
