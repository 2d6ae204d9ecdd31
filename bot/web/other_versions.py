"""Which versions of a cited document a reader may know of, and which of them they may open.

The citation itself was opened before, by the document's rule of today and that of the cited version
(`Opening`). What another version says is judged by the rule of that version besides.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from bot.access import Person
from bot.web.opening import Opened
from bot.web.views import VersionView
from retrieval.documents.holdings import KeptVersion
from retrieval.metadata.access import permits
from retrieval.types import Scope

DIGEST_DIGITS = 8


@dataclass(frozen=True, slots=True)
class OtherVersions:
    """Judges each version anew, by who somebody is today."""

    scope_for: Callable[[Person | None, str | None, date], Scope]
    today: Callable[[], date]

    def listed(
        self, opened: Opened, reader: Person | None, shown: KeptVersion
    ) -> tuple[VersionView, ...]:
        """Return those that this reader may know of, newest first; at least the cited one."""
        return tuple(
            VersionView(
                digest=each.sha256[:DIGEST_DIGITS],
                since=each.ingested_at,
                until=each.removed_at,
                cited=each.version == opened.version.version,
                same_file=each.sha256 == opened.version.sha256,
                shown=each.version == shown.version,
                opens=each.sha256 if self._opens(opened, each, reader) else "",
            )
            for each in reversed(opened.versions)
            if each.version == opened.version.version or self._may_read(each, reader)
        )

    def named(self, opened: Opened, reader: Person | None, digest: str) -> KeptVersion | None:
        """Return the version of these bytes, the newest of several; None where it is not theirs.

        None too where there is none: nobody learns which. Without a digest it is the cited one.
        """
        if digest in ("", opened.version.sha256):
            return opened.version
        return next(
            (
                each
                for each in reversed(opened.versions)
                if each.sha256 == digest and self._opens(opened, each, reader)
            ),
            None,
        )

    def _opens(self, opened: Opened, each: KeptVersion, reader: Person | None) -> bool:
        """Tell whether it is another one of which there is something to show to this reader."""
        is_other = each.sha256 != opened.version.sha256
        return is_other and each.is_text_kept and self._may_read(each, reader)

    def _may_read(self, each: KeptVersion, reader: Person | None) -> bool:
        """Tell whether somebody, as they are today, might have read a version while it stood."""
        if each.erased_at is not None or each.rule is None:
            return False
        over = each.rule.valid_to
        if over is not None and over < each.ingested_at.date():
            return False  # its time was over before it came
        today = self.today()
        last = min(each.removed_at.date(), today) if each.removed_at else today
        scope = self.scope_for(reader, None, today)
        return permits(each.rule, Scope(scope.facets, last, expired=True))
