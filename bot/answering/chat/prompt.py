"""What a language model is sent, and how foreign words are kept from becoming instructions."""

import hashlib
import json
from dataclasses import dataclass

from bot.answering.anchors import defused


@dataclass(frozen=True, slots=True)
class Prompt:
    """One exchange's messages."""

    system: str
    user: str

    @property
    def hash(self) -> str:
        """Of the messages as compact JSON in UTF-8, role before content."""
        messages = [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.user},
        ]
        text = json.dumps(messages, ensure_ascii=False, separators=(",", ":"))
        return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def section(name: str, *lines: str) -> str:
    return "\n".join([f"<{name}>", *lines, f"</{name}>"])


def in_one_line(text: str) -> str:
    """On one line, without angle brackets, and without what UTF-8 cannot carry."""
    carried = " ".join(text.split()).encode("utf-8", "replace").decode("utf-8")
    return defused(carried)
