"""E-mail (`.eml`): its headers, its body, and its attachments are parts with lines of their own."""

import re
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import EmailMessage, MIMEPart

from retrieval.errors import BadMetadata, UnreadableDocument
from retrieval.parsing import is_read, parser_for
from retrieval.parsing.decoding import require_content
from retrieval.parsing.draft import Composition
from retrieval.parsing.embedded_metadata import stated_in_value
from retrieval.parsing.limits import LONGEST_LABEL, require_at_most
from retrieval.types import FragmentKind, ParsedDocument, Stated, UnreadPage

_SHOWN = ("From", "To", "Cc", "Date", "Subject")
_MARKS = ("Sensitivity", "X-Sensitivity", "Classification", "X-Classification")
_LABEL = re.compile(r"(?P<label>MSIP_Label_[\w-]+)_(?P<part>\w+)\s*=\s*(?P<said>[^;]*)", re.I)
"""A part of a sensitivity label (Purview), of which its name is one."""
_SEALED = frozenset({"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})
_FAULTS = (MessageError, LookupError, ValueError, AttributeError, TypeError, RecursionError)
_MOST_PARTS = 500
_DEEPEST = 5
"""Messages that are attached to each other."""
_DAMAGED = "is damaged, or no message; save it as .eml again"
_SHOWS_NO_TEXT = re.compile(r"image/.*|application/.*signature")
_TEXTS = {"text/html": "message.html", "text/plain": "message.txt"}


def parse(content: bytes) -> ParsedDocument:
    """Raise `UnreadableDocument` for what is no message, encrypted, or holds too much."""
    require_content(content)
    try:
        return _parsed(message_from_bytes(content, policy=policy.default), 1)
    except _FAULTS as error:
        raise UnreadableDocument(_DAMAGED) from error


def _parsed(message: EmailMessage, depth: int) -> ParsedDocument:
    if not any(message[name] for name in ("From", "Date", "Subject")):
        raise UnreadableDocument(_DAMAGED)
    if message.get_content_type() in _SEALED:
        raise UnreadableDocument("is encrypted; save it as .eml from a program that opens it")
    reader = _Reader(depth)
    reader.read(message)
    subject = _in_a_line(message["Subject"] or "")
    document = reader.to.document(subject, list(_stated(message)))
    return replace(document, unread=tuple(reader.unread))


def _stated(message: EmailMessage) -> Iterator[Stated]:
    for name in _MARKS:
        for value in message.get_all(name, ()):
            yield from stated_in_value("its headers", name, str(value))
    for value in message.get_all("msip_labels", ()):
        for label in _labels(str(value)):
            yield from stated_in_value("its headers", "sensitivity_label", label)


def _labels(value: str) -> Iterator[str]:
    """The names of the labels that are on; the value itself where that is not to be told."""
    labels: dict[str, dict[str, str]] = {}
    for found in _LABEL.finditer(value):
        parts = labels.setdefault(found["label"].casefold(), {})
        parts[found["part"].casefold()] = found["said"].strip()
    for parts in labels.values():
        if parts.get("enabled", "").casefold() != "false":
            yield parts.get("name") or value
    if not labels:
        yield value


class _Reader:
    def __init__(self, depth: int) -> None:
        self.to = Composition()
        self.unread: list[UnreadPage] = []
        self._depth = depth
        self._number = 1

    def read(self, message: EmailMessage) -> None:
        parts = list(_pieces(message))
        require_at_most(len(parts), _MOST_PARTS, "attachments")
        names = [name for part in parts if (name := _name(part))]
        heads = [f"{name}: {_in_a_line(message[name])}" for name in _SHOWN if message[name]]
        heads += [f"Attachments: {', '.join(names)}"] if names else []
        self.to.add_text(FragmentKind.PARAGRAPH, "\n".join(heads), 1, "headers")
        for part in parts:
            self._part(part)

    def _part(self, part: MIMEPart) -> None:
        name, kind = _name(part), part.get_content_type()
        if not (kind == "message/rfc822" or is_read(name)):
            if kind in _TEXTS and not (name and part.is_attachment()):
                self._text(part)
            elif not name and not _SHOWS_NO_TEXT.fullmatch(kind):
                why = f"a part without a name is of a kind that is not read ({kind})"
                self.unread.append(UnreadPage(1, f"{why}; attach it as a file with a name"))
        else:
            self._number += 1
            self.to.draft.end_sections()
            self.to.draft.heading(1, name)
            try:
                document = self._attached(part, name)
            except BadMetadata as error:
                raise BadMetadata(f"has an attachment {name}, which {error}") from error
            except UnreadableDocument as error:
                self.unread.append(UnreadPage(self._number, f"{name} {error}"))
            else:
                label = f"attachment {name}"[:LONGEST_LABEL]
                self.to.add(document, self._number, label, below=1)
                whys = dict.fromkeys(f"{name}: {each.why}" for each in document.unread)
                self.unread += (UnreadPage(self._number, why) for why in whys)

    def _attached(self, part: MIMEPart, name: str) -> ParsedDocument:
        held = part.get_content()
        if not isinstance(held, EmailMessage) and not name.lower().endswith(".eml"):
            return parser_for(name)(_bytes_of(part))
        if self._depth >= _DEEPEST:
            raise UnreadableDocument(f"stands {_DEEPEST} messages deep; save it by itself")
        if not isinstance(held, EmailMessage):
            held = message_from_bytes(_bytes_of(part), policy=policy.default)
        return _parsed(held, self._depth + 1)

    def _text(self, part: MIMEPart) -> None:
        name, text = _TEXTS[part.get_content_type()], _text_of(part)
        if text.strip():
            # A byte order mark: what the message says of its encoding counts, not the page.
            document = parser_for(name)(text.encode("utf-8-sig"))
            self.to.add(document, 1, "message")


def _pieces(part: MIMEPart) -> Iterator[MIMEPart]:
    """What a message is made of, in order; of a text that is there twice, what is shown."""
    if part.get_content_maintype() != "multipart" or not part.is_multipart():
        yield part
        return
    chosen = part.get_content_subtype() == "alternative"
    shown = part.get_body(("html", "plain")) if chosen else None
    for each in part.iter_parts():
        is_other = shown is not None and each is not shown and not _name(each)
        if not (is_other and each.get_content_type() in _TEXTS):
            yield from _pieces(each)


def _text_of(part: MIMEPart) -> str:
    try:
        return str(part.get_content())
    except LookupError:  # of no encoding that is known
        return _bytes_of(part).decode("utf-8", errors="replace")


def _bytes_of(part: MIMEPart) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _name(part: MIMEPart) -> str:
    """What an attachment is called; empty for a piece of the body."""
    if part.get_content_type() == "message/rfc822":
        held = part.get_content()
        return f"{_in_a_line(held['Subject'] or 'message')}.eml"
    return _in_a_line(part.get_filename() or "")


def _in_a_line(value: object) -> str:
    return " ".join(str(value).split())
