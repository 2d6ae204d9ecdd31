"""README.md and the pages of docs/ as a reader follows them: links, places, what is typed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pyromark

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Page:
    path: Path

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def _events(self) -> list[tuple[str, Any]]:
        events = pyromark.events(self.text, options=pyromark.Options.ENABLE_TABLES)
        return [pair for event in events if isinstance(event, dict) for pair in event.items()]

    def links(self) -> list[str]:
        """Of links and pictures those that lead to files of the repository, as written."""
        elements = [e for kind, e in self._events if kind == "Start" and isinstance(e, dict)]
        targets = [e[of]["dest_url"] for e in elements for of in ("Link", "Image") if of in e]
        return [target for target in targets if not urlsplit(target).scheme]

    def destination(self, link: str) -> tuple[Path, str]:
        """The file or folder that a link leads to, and the place in it; "" is its beginning."""
        parts = urlsplit(link)
        path = self.path.parent / unquote(parts.path) if parts.path else self.path
        return path.resolve(), parts.fragment

    def anchors(self) -> set[str]:
        """What GitHub calls the places of the headings."""
        headings = [heading.lower().replace(" ", "-") for heading in self._inside("Heading")]
        names = [re.sub(r"[^\w-]", "", heading) for heading in headings]
        again = [names[:at].count(name) for at, name in enumerate(names)]
        return {f"{name}-{n}" if n else name for name, n in zip(names, again, strict=True)}

    def spans(self) -> list[str]:
        """What stands between single backticks."""
        return [text for kind, text in self._events if kind == "Code"]

    def typed(self, program: str) -> Iterator[list[str]]:
        """The words after a program's name, wherever a reader is told to type it."""
        blocks = "".join(self._inside("CodeBlock")).replace("\\\n", "")
        start = re.compile(rf"(?:^|/bin/|^sudo |--rm ){program} (.+)")
        for line in [*self.spans(), *blocks.splitlines()]:
            if found := start.search(line.split("#")[0]):
                yield found[1].split()

    def _inside(self, element: str) -> Iterator[str]:
        """The text of each such element."""
        words: list[str] | None = None
        for kind, value in self._events:
            if kind == "Start" and element in value:
                words = []
            elif kind == "End" and element in value and words is not None:
                yield "".join(words)
                words = None
            elif kind in {"Text", "Code"} and words is not None:
                words.append(value)


README = Page(ROOT / "README.md")
DOCS = {path.name: Page(path) for path in sorted((ROOT / "docs").glob("*.md"))}
PAGES = [README, *DOCS.values()]
