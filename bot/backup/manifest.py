"""What an archive says of itself, and the names that its parts may have."""

import json
import re
from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.errors import BadArchive
from bot.wording import backups as wording

FORMAT = 1
"""Counts up when an archive holds something that today's program would leave out."""
MANIFEST = "manifest.json"
INBOX, AUDIT, LIBRARY = "inbox.sqlite", "audit.sqlite", "library.sqlite"
PEOPLE, CHANNELS, HEADS = "people.yaml", "channels.yaml", "audit-heads.txt"
ONTOLOGY, CALIBRATION, SETTINGS = "ontology.yaml", "calibration.json", "settings.json"
GLOSSARY = "glossary.yaml"
KEY = "library.key"
DATABASES = (INBOX, AUDIT, LIBRARY)
"""In the order in which they are copied: each names only what stands in the next ones.

A question of the inbox names its audit record, which is stored before the inbox says so; a record
names versions and texts of the library, which are stored before the record. So what is copied
first never names anything that the copies after it lack, however much is written meanwhile.
"""
FILES = (HEADS, PEOPLE, CHANNELS, ONTOLOGY, CALIBRATION, GLOSSARY, SETTINGS, KEY)
"""Copied before the databases: noted heads must not be later than the audit store."""
NAMES = frozenset((*DATABASES, *FILES))
_LARGEST = 1 << 60


class _Stated(BaseModel):
    model_config = ConfigDict(frozen=True)


class PartStated(_Stated):
    """A part of an archive."""

    name: str
    size: int = Field(ge=0, le=_LARGEST)
    """Bytes."""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class HeadStated(_Stated):
    """The newest entry of the audit store."""

    entries: int = Field(ge=0)
    head: str


class Manifest(_Stated):
    """What an archive says of itself."""

    format: int
    software: str
    made_at: datetime
    """In UTC, when it was begun: all that was stored by then is in it."""
    parts: tuple[PartStated, ...]
    audit: HeadStated | None = None
    """None where there was no audit store."""

    def has(self, name: str) -> bool:
        return any(part.name == name for part in self.parts)

    @property
    def size(self) -> int:
        """Bytes of all parts as they are unpacked."""
        return sum(part.size for part in self.parts)


def manifest_of(content: bytes, software: str) -> Manifest:
    """Read it; raise `BadArchive` for a newer one, or one that is not understood.

    `software` is the version that runs.
    """
    try:
        stated = json.loads(content)
        if isinstance(stated, dict) and _is_newer(stated, software):
            raise BadArchive(wording.newer(str(stated.get("software", "?")), software))
        manifest = Manifest.model_validate(stated)
    except (ValueError, RecursionError) as error:
        why = "its manifest is not understood"
        if isinstance(error, ValidationError):
            why += f" ({error.error_count()} faults)"
        raise BadArchive(wording.unusable(why)) from error
    names = [part.name for part in manifest.parts]
    if unknown := sorted(set(names) - NAMES):
        raise BadArchive(wording.unusable(f"its manifest names {unknown[0]!r}, which is no part"))
    if len(set(names)) < len(names):
        raise BadArchive(wording.unusable("its manifest names a part twice"))
    if manifest.has(AUDIT) != (manifest.audit is not None):
        raise BadArchive(wording.unusable("its manifest tells no head of the audit store"))
    return manifest


def _is_newer(stated: dict[str, object], software: str) -> bool:
    """Older programs may not understand the records of newer ones, whatever the tables' form."""
    found = stated.get("format")
    newer_format = isinstance(found, int) and found > FORMAT
    return newer_format or _release(str(stated.get("software", ""))) > _release(software)


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(number[:9]) for number in re.findall(r"\d+", version)[:3])
