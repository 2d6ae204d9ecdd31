"""A language model is sent prompts in which foreign words cannot become instructions."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from bot.answering.anchors import defused, for_people, heading_for_people
from bot.wording import untrusted_text
from retrieval.types import Passage

LONGEST_LABEL = 300
"""Characters; a longer heading is no heading."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt is the messages of one exchange."""

    system: str
    user: str

    @property
    def hash(self) -> str:
        """Of the messages as compact JSON in UTF-8, role before content."""
        messages = [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.user},
        ]
        return _hash(json.dumps(messages, ensure_ascii=False, separators=(",", ":")))

    @property
    def template_hash(self) -> str:
        """Of the system's message, which every such prompt begins with."""
        return _hash(self.system)


def _hash(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def section(name: str, *lines: str) -> str:
    return "\n".join([f"<{name}>", *lines, f"</{name}>"])


def in_one_line(text: str) -> str:
    """What can be seen of it, on one line and without angle brackets."""
    return defused(untrusted_text.in_one_line(text))


def label(text: str, most: int = LONGEST_LABEL) -> str:
    """What a document calls something: quoted, so that it cannot pass for more than a name."""
    line = in_one_line(text)
    return json.dumps(line if len(line) <= most else f"{line[:most]}…", ensure_ascii=False)


def numbered(passages: Sequence[Passage]) -> str:
    """Their section: each on a line, from 1 on, behind its heading."""
    lines = (
        f"{n}. {label(heading_for_people(passage))}: {in_one_line(' '.join(for_people(passage)))}"
        for n, passage in enumerate(passages, start=1)
    )
    return section("passages", *lines)
