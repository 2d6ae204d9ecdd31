"""A message is read with its headers, its body as it is shown, and its attachments."""

from email.message import EmailMessage

import pytest
from parsed_documents import quotes, sentences, texts
from stating import whose

from bot.lab.proof.places import place_checker
from retrieval.errors import BadMetadata, UnreadableDocument
from retrieval.parsing import parser_for


def message(subject: str, text: str = "") -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"] = "Ann Lee <ann@example.org>", "all@example.org"
    made["Subject"], made["Date"] = subject, "Fri, 27 Nov 2026 10:00:00 +0000"
    made.set_content(text or "See above.\n")
    return made


def test_a_message_is_read_with_all_that_hangs_on_it() -> None:
    mail = message("Gebühren ab März", "The fee is 4 EUR.\n")
    shown = "<p>The fee is <b>5 EUR</b>. Ask Ann.</p><p style='display:none'>It was 4 EUR.</p>"
    mail.add_alternative(shown, subtype="html")
    rooms = b"Room,Seats,Floor\nHall,250,1\n"
    mail.add_attachment(rooms, maintype="text", subtype="csv", filename="rooms.csv")
    mail.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="logo.png")
    mail.add_attachment(b"x", maintype="application", subtype="pdf", filename="plan.pdf")
    mail.add_attachment(message("Keys", "Ask the porter for keys."))
    read = parser_for("a.eml")(mail.as_bytes())
    assert read.title == "Gebühren ab März"
    assert [(each.page_label, each.line_start, each.text) for each in sentences(read)][4:] == [
        ("headers", 5, "Attachments: rooms.csv, logo.png, plan.pdf, Keys.eml"),
        ("message", 1, "The fee is 5 EUR."),
        ("message", 1, "Ask Ann."),
        ("attachment rooms.csv", 2, "Room: Hall; Seats: 250; Floor: 1"),
        ("attachment Keys.eml, headers", 1, "From: Ann Lee <ann@example.org>"),
        ("attachment Keys.eml, headers", 2, "To: all@example.org"),
        ("attachment Keys.eml, headers", 3, "Date: Fri, 27 Nov 2026 10:00:00 +0000"),
        ("attachment Keys.eml, headers", 4, "Subject: Keys"),
        ("attachment Keys.eml, message", 1, "Ask the porter for keys."),
    ]
    assert [each.text for each in read.hidden] == ["It was 4 EUR."]
    assert read.unread[0].why.startswith("plan.pdf is damaged")
    stands = place_checker(mail.as_bytes(), "a.eml", read.hidden)
    assert all(map(stands, sentences(read), quotes(read)))


def test_a_body_in_an_encoding_that_nobody_knows_is_read_as_far_as_it_goes() -> None:
    mail = b"Subject: Keys\nContent-Type: text/plain; charset=x-nothing\n\nAsk the porter.\n"
    assert texts(parser_for("a.eml")(mail)) == ["Subject: Keys", "Ask the porter."]


LABEL = "MSIP_Label_0a1b_Enabled={}; MSIP_Label_0a1b_Method=Standard; MSIP_Label_0a1b_Name={}"


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Sensitivity", "Company-Confidential"),
        ("msip_labels", LABEL.format("true", "Confidential")),
        ("msip_labels", LABEL.format("false", "Public") + LABEL.replace("0a1b", "2c").format(1, 2)),
        ("msip_labels", "0a1b"),
    ],
)
def test_what_a_header_restricts_keeps_all_of_it_from_others(header: str, value: str) -> None:
    mail = message("Pay")
    mail[header] = value
    with pytest.raises(BadMetadata, match=r"[Ss]ensitivity"):
        whose(parser_for("a.eml")(mail.as_bytes()))


@pytest.mark.parametrize(("enabled", "name"), [("true", "Public"), ("false", "Secret")])
def test_a_label_for_all_or_taken_off_keeps_a_message_from_nobody(enabled: str, name: str) -> None:
    mail = message("Pay")
    mail["msip_labels"] = LABEL.format(enabled, name)
    assert not whose(parser_for("a.eml")(mail.as_bytes()))


def mime(kind: str, *parts: str, held: str = "") -> str:
    """Parts may have parts; `held` is the text of one that has none."""
    edge = kind.partition("/")[2].partition(";")[0]
    inner = "".join(f"--{edge}\n{part}\n" for part in parts)
    end = f"; boundary={edge}\n\n{inner}--{edge}--\n" if parts else f"\n\n{held}\n"
    return f"Content-Type: {kind}{end}"


TEXT, PAGE = mime("text/plain", held="See it."), mime("text/html", held="<p>See it.</p>")
AS_FILE = "Content-Disposition: attachment; filename=p.md\n"


@pytest.mark.parametrize(
    "front", ["audience: {departments: [hr]}", "audience: [hr"], ids=["stated", "malformed"]
)
@pytest.mark.parametrize("nesting", ["signed", "list", "apple", "alone"])
def test_an_attachment_restricts_the_message_wherever_it_hangs(nesting: str, front: str) -> None:
    held = AS_FILE + mime("text/markdown", held=f"---\n{front}\n---\nAnn earns 5.")
    signature = mime("application/pkcs7-signature; name=smime.p7s", held="MIAG")
    body = {
        "signed": mime("multipart/signed", mime("multipart/mixed", TEXT, held), signature),
        "list": mime("multipart/mixed", mime("multipart/related", TEXT, held), TEXT),
        "apple": mime("multipart/alternative", TEXT, mime("multipart/mixed", PAGE, held, PAGE)),
        "alone": held,
    }[nesting]
    with pytest.raises(BadMetadata, match=r"audience|front matter"):
        whose(parser_for("a.eml")(f"Subject: Pay\n{body}".encode()))
    read = parser_for("a.eml")(f"Subject: Pay\n{body.replace(front, 'x: y')}".encode())
    assert texts(read)[:2] == [
        "Subject: Pay",
        "Attachments: p.md" + ", smime.p7s" * (nesting == "signed"),
    ]
    assert "Ann earns 5." in texts(read)
    assert texts(read).count("See it.") == {"signed": 1, "alone": 0}.get(nesting, 2)
    assert not read.unread


def test_a_part_of_no_kind_is_reported_and_a_header_is_one_line() -> None:
    body = mime("multipart/mixed", TEXT, mime("text/calendar", held="BEGIN:VCALENDAR"))
    subject = "=?utf-8?q?Pay=0AFrom:_Bob?="
    read = parser_for("a.eml")(f"Subject: {subject}\n{body}".encode())
    assert texts(read) == ["Subject: Pay From: Bob", "See it."]
    assert "(text/calendar)" in read.unread[0].why


def test_a_message_in_a_message_in_a_message_ends_somewhere() -> None:
    mail = message("Inmost")
    for depth in range(8):
        outer = message(f"Around {depth}")
        outer.add_attachment(mail)
        mail = outer
    read = parser_for("a.eml")(mail.as_bytes())
    assert "messages deep" in read.unread[0].why
    assert "Subject: Inmost" not in texts(read)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"Dear all, this is no message.\n", "no message"),
        (b"Subject: x\nContent-Type: application/pkcs7-mime\n\nMIAG", "is encrypted"),
        (b'Subject: x\nContent-Type: multipart/encrypted; boundary="b"\n\n--b--', "is encrypted"),
    ],
)
def test_what_is_no_message_or_sealed_is_refused(content: bytes, why: str) -> None:
    with pytest.raises(UnreadableDocument, match=rf"{why}.*; "):
        parser_for("a.eml")(content)
