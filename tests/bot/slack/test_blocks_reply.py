"""What somebody who asked reads."""

import re
from datetime import date

import pytest
from at_length import fewer
from block_records import (
    AUDIT_ID,
    a_citation,
    a_claim,
    a_contradiction,
    a_record,
    an_abstention,
    buttons,
    markup,
    read,
    sent,
    unseen,
    wild_records,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from slack_reading import everything

from audit.places import Place
from audit.record import (
    AuditRecord,
    Confidence,
    Decision,
    ExpiredRecord,
    NearestRecord,
    SearchFilter,
    Upcoming,
)
from audit.values import (
    ATTACHED,
    CellRecord,
    Channel,
    CitationRecord,
    ClaimKind,
    Prevails,
    Status,
)
from bot.answering.citations.links import opening_here
from bot.slack.blocks.elements import Message
from bot.slack.blocks.evidence import evidence, place_key
from bot.slack.blocks.reply import reply
from bot.slack.blocks.system_messages import private_offer
from bot.slack.exchange import CameWith
from bot.workspace.block_kit.validation import problems, too_long


def shown(record: AuditRecord, *, quoted: bool = False) -> str:
    return read(reply(record, 7, quoted=quoted).blocks)


def test_a_file_that_was_not_read_is_said_to_whoever_hears_the_reply() -> None:
    unread = "boats.xyz is of a kind that is not read"
    shown = reply(an_abstention(), 7, quoted=False, files=CameWith(unread={"attached:F1": unread}))
    assert f"Not read: {unread}" in shown.text
    assert f"Not read: {unread}" in read(shown.blocks)


def test_a_source_that_may_be_misread_says_so_in_reply_and_evidence() -> None:
    place = Place(page=2, line_start=4, section_path=("Leave" * 60,), misread=True)
    record = a_record(claims=(a_claim("Parents get 14 weeks.", a_citation(place=place)),))
    told = "page 2, line 4, read by text recognition and may be misread"
    assert told in shown(record)
    assert told in read(evidence(record, frozenset())["blocks"])
    near = NearestRecord(document_id="d", file="s.pdf", place=place, quote="Leave.")
    assert told in shown(an_abstention(nearest=(near,)))


def test_an_address_in_a_quotation_is_no_link_and_shows_its_host_in_ascii() -> None:
    address = "https://\u0430\u0440\u0440\u04cf\u0435.com/login"
    near = NearestRecord(document_id="d", file="a.md", place=Place(), text=f"See {address}.")
    message = reply(an_abstention(nearest=(near,)), 7, quoted=False)
    assert "See https://xn--80ak6aa92e.com/login." in read(message.blocks)
    assert "xn--80ak6aa92e.com" in message.text
    assert not [each for each in everything(message.blocks, "url") if "80ak6aa92e" in each]


def test_an_answer_says_so_and_numbers_its_sources() -> None:
    text = shown(a_record())
    assert text.splitlines() == [
        ":white_check_mark: *Answered from your documents*",
        "Parents get 14 weeks. [1]",
        "Sources",
        "[1] Leave · lines 10-12 (Parental)",
        "Show evidence",
    ]


def test_half_an_answer_says_all_that_is_known_of_it_and_aloud_as_well() -> None:
    follow = "If the card is lost, follow these instructions."
    linked = "If the card is lost, [follow these instructions](https://cards.example.org/lost)."
    record = a_record(
        decision=Decision.PARTIAL,
        question="And pay?",
        standalone_question="How much leave: And pay?",
        upcoming=Upcoming(day=date(2027, 2, 1), valid_from=date(2027, 1, 1)),
        claims=(
            a_claim("So 16 in all.", kind=ClaimKind.INFERENCE, reasoning="14 and 2 make 16"),
            a_claim("Parents get 14.", a_citation(), a_citation("Faq", also=True), copied=True),
            a_claim(follow, a_citation("Pay", quote=linked)),
            a_claim("Cats sleep.", a_citation("Cats"), status=Status.UNSUPPORTED),
        ),
        contradictions=(a_contradiction(Prevails.NEWER),),
        answered=("how long",),
        missing=("its price", "its end"),
        unsure=("its end",),
        owners=("hr@example.org",),
        degraded=("The writer was away.",),
    )
    message = reply(record, 7, quoted=True)
    lines = read(message.blocks).splitlines()
    upcoming = lines[3]
    assert upcoming.startswith("You ask about 2027-02-01, when another rule holds")
    said = [
        "Parents get 14. [1][2]",
        f"{follow} [3]",
        "(not borne out by its source) Cats sleep. [4]",
        "Concluded from the above, not stated in a document:",
        "So 16 in all. [1]",
    ]
    otherwise = "What stands above is newer; an older document says otherwise:"
    other = "“Parents get 10 weeks.” (Old, university, from 2020-01-01)"
    parts = [
        "Answered: how long",
        "I'm not sure of this, but the sources may say: its end",
        "I have no answer to: its price",
    ]
    sources = [
        "[1] Leave · lines 10-12 (Parental)",
        "[2] Also in: Faq · lines 10-12 (Parental)",
        "[3] Pay · lines 10-12 (Parental)",
        "[4] Cats · lines 10-12 (Parental)",
    ]
    assert lines == [
        "And pay?",
        ":large_orange_diamond: *Answered in part*",
        "Understood as: How much leave: And pay?",
        upcoming,
        *(*said, "Because: 14 and 2 make 16"),
        *(otherwise, other, *parts, "You could ask hr@example.org."),
        *("Sources", *sources, "Linked there:", "follow these instructions (cards.example.org)"),
        " The writer was away.",
        "Answer as of 2027-02-01 Show evidence",
    ]
    assert message.blocks[0]["block_id"] == "vouch-7-reply"
    assert "https://cards.example.org/lost" in everything(message.blocks, "url")
    assert message.text.splitlines() == [
        "You asked: And pay?",
        "Answered in part.",
        "Understood as: How much leave: And pay?",
        upcoming,
        *(*said, *parts, f"Sources: {'; '.join(sources)}"),
        f"{otherwise} {other}",
        *("You could ask hr@example.org.", "The writer was away."),
    ]
    assert "[2] Also in: Faq" in read(evidence(record, frozenset())["blocks"])


def test_where_nothing_prevails_both_sides_stand_in_place_of_an_answer() -> None:
    both = (a_contradiction(Prevails.NEITHER),)
    assert shown(an_abstention(contradictions=both, dropped=(a_claim(),))).splitlines() == [
        ":mag: *Not sure: the closest I found*",
        "Sources disagree (14 weeks / 10 weeks):",
        "“Parents get 14 weeks.” (Leave, university, from 2025-01-01)",
        "“Parents get 10 weeks.” (Old, university, from 2020-01-01)",
        "Nothing says which of them holds.",
        *("Parking is free.", "Parking · page 3, line 4", "This was it"),
        "The documents contradict each other on this, and nothing says which of them holds.",
        *("You could ask campus@example.org.", "Show evidence"),
    ]


def links(record: AuditRecord) -> list[tuple[str, str]]:
    """Label and address of each, from top to bottom."""
    return [
        (each["text"], each["url"])
        for several in everything(reply(record, 7, quoted=False).blocks, "elements")
        for each in several
        if each["type"] == "link"
    ]


def test_a_number_and_a_source_open_the_document() -> None:
    url = "https://docs.example.org/leave"
    assert links(a_record()) == [("[1]", url), ("Leave", url)]


def test_a_number_opens_the_page_of_a_pdf_and_any_other_document_at_its_top() -> None:
    cited = [
        a_citation("Rules", link="https://docs.example.org/a.pdf?x=1", place=Place(page=7)),
        a_citation("Marked", link="https://docs.example.org/b.pdf#p", place=Place(page=7)),
        a_citation("Site", link="https://docs.example.org/c", place=Place(page=7)),
    ]
    assert links(a_record(claims=(a_claim("One.", *cited),)))[:3] == [
        ("[1]", "https://docs.example.org/a.pdf?x=1#page=7"),
        ("[2]", "https://docs.example.org/b.pdf#p"),
        ("[3]", "https://docs.example.org/c"),
    ]


def test_where_links_would_crowd_out_the_sentences_the_numbers_are_plain() -> None:
    far = [a_citation(f"D{n}", link=f"https://docs.example.org/{'x' * 400}/{n}") for n in range(6)]
    record = a_record(claims=(a_claim(f"One{' and more' * 3_000}.", *far),))
    assert [label for label, _ in links(record)] == [f"D{n}" for n in range(6)]
    assert " more. [1][2][3][4][5][6]\n" in shown(record)


def test_slides_and_sheets_are_called_so_and_open_at_their_top() -> None:
    url = "https://docs.example.org/as-shown.pdf"
    sheet = [
        Place(page=2, page_label="sheet Fees", cell_range=cells)
        for cells in ("A3:C3", "A2:B2", "A9:C9")
    ]
    cited = [
        a_citation("Deck", link=url, place=Place(page=3, page_label="slide 3")),
        *(a_citation("Fees", link=url, place=place) for place in sheet),
    ]
    record = a_record(claims=(a_claim("It costs 5 pounds.", *cited),))
    assert ("[1] Deck · slide 3\n[2] Fees · sheet Fees, cells A2:C3; cells A9:C9") in shown(record)
    assert {address for _, address in links(record)} == {url}


def test_a_sheets_source_names_the_cells_that_the_claims_rest_on() -> None:
    def at(row: int, *columns: str) -> CitationRecord:
        cells = tuple(
            CellRecord(value="5", reference=f"{each}{row}", sentence=0) for each in columns
        )
        place = Place(page=2, page_label="sheet Fees", cell_range=f"A{row}:D{row}")
        return a_citation("Fees", place=place, cells=cells)

    def listed(*cited: CitationRecord) -> str:
        return shown(a_record(claims=tuple(a_claim("So it is.", each) for each in cited)))

    assert "[1] Fees · sheet Fees, cells A7, C7\n" in listed(at(7, "A", "C"))
    assert "[1] Fees · sheet Fees, cell C7\n" in listed(at(7, "C"))
    assert "[1] Fees · sheet Fees, cells B7:C7\n" in listed(at(7, "B"), at(7, "C"))
    assert "[1] Fees · sheet Fees, cells C7, C8; cells A12:D12\n" in listed(
        at(7, "C"), at(8, "C"), at(12)
    )
    assert "[1] Fees · sheet Fees, cells A7:D7\n" in listed(at(7, "C"), at(7))
    record = a_record(claims=(a_claim("So it is.", at(7, "C")),))
    modal = evidence(record, frozenset(), pictures={place_key(at(7, "C")): "F1"})["blocks"]
    assert str(modal).count("sheet Fees, cell C7") == 2, "beside the quote, and of its picture"


def test_four_citations_of_one_page_are_one_line_with_one_number() -> None:
    paid, late = ("Pay",), ("Pay", "Late")
    places = [
        Place(page=2, line_start=10, line_end=12, section_path=paid),
        Place(page=2, line_start=13, line_end=14, section_path=paid),
        Place(page=2, line_start=30, line_end=30, section_path=paid),
        Place(page=2, line_start=40, line_end=41, section_path=late),
        Place(page=3, line_start=1, line_end=1, section_path=late),
    ]
    said = [a_claim(f"Sentence {n}.", a_citation(place=each)) for n, each in enumerate(places)]
    text = shown(a_record(claims=tuple(said)))
    assert "Sentence 2. [1]\nSentence 3. [1]\nSentence 4. [2]\n" in text
    assert (
        "Sources\n"
        "[1] Leave · page 2, lines 10-14; line 30 (Pay); lines 40-41 (Pay > Late)\n"
        "[2] Leave · page 3, line 1 (Pay > Late)\n"
    ) in text


def test_of_many_links_the_first_few_are_shown_and_the_rest_counted() -> None:
    names = [f"form {number}" for number in range(10)]
    quote = ", ".join(
        f"[{name}](https://forms.example.org/{'x' * 400}{name[-1]})" for name in names
    )
    forms = a_claim(", ".join(names), a_citation(quote=quote))
    text = shown(a_record(claims=(forms,)))
    assert "form 3 (forms.example.org)\nand 6 more, in the sources\n" in text
    assert "form 4 (" not in text
    assert ", ".join(names) in text


def test_a_side_is_shown_as_people_read_it() -> None:
    found = a_contradiction(Prevails.NEWER)
    read = found.against.model_copy(update={"text": "Parents; Weeks: 10"})
    disagreed = a_record(contradictions=(found.model_copy(update={"against": read}),))
    assert "“Parents; Weeks: 10” (Old, university, from 2020-01-01)" in shown(disagreed)


def test_of_one_document_that_says_otherwise_a_sentence_is_enough() -> None:
    often = (a_contradiction(Prevails.OWN_UNIT),) * 4
    assert shown(a_record(contradictions=often)).count("“Parents get 10 weeks.”") == 1


@pytest.mark.parametrize(
    ("channel", "whose"), [("D1", "Your own unit"), ("C0GENERAL", "The reader's own unit")]
)
def test_who_asks_directly_is_told_that_the_rule_is_of_their_unit(channel: str, whose: str) -> None:
    found = (a_contradiction(Prevails.OWN_UNIT),)
    record = a_record(contradictions=found, channel=Channel(id=channel))
    said = f"{whose} has the rule above; others say otherwise:"
    assert said in shown(record)
    assert said in reply(record, 7, quoted=False).text


def test_both_sides_in_place_of_an_answer_say_whose_unit_has_the_rule() -> None:
    found = (a_contradiction(Prevails.OWN_UNIT),)
    directly = an_abstention(contradictions=found, channel=Channel(id="D1"))
    assert "it is the rule of your own unit." in shown(directly)
    assert "it is the rule of the reader's own unit." in shown(
        an_abstention(contradictions=found, channel=Channel(id="C0GENERAL"))
    )


def test_a_whole_answer_does_not_repeat_what_was_asked() -> None:
    assert "Answered:" not in shown(a_record(answered=("how long", "its price")))


def test_an_answer_to_all_that_was_asked_that_is_not_sure_is_called_probable() -> None:
    text = shown(a_record(decision=Decision.PARTIAL))
    assert text.startswith(":large_yellow_circle: *Probably*\n")
    assert "please check the sources" in text
    assert "in part" not in text


def test_a_refusal_quotes_what_came_closest_and_says_why_and_whom_to_ask() -> None:
    message = reply(an_abstention(), 7, quoted=False)
    assert read(message.blocks).splitlines() == [
        ":mag: *Not sure: the closest I found*",
        "Parking is free.",
        "Parking · page 3, line 4",
        "This was it",
        "I am not sure that this answers your question.",
        "You could ask campus@example.org.",
        "Show evidence",
    ]
    assert "https://docs.example.org/parking" in everything(message.blocks, "url")


def test_a_refusal_asks_of_each_quotation_whether_it_was_it_and_not_whether_it_was_good() -> None:
    [parking] = an_abstention().nearest
    bicycles = parking.model_copy(update={"passage_id": "p-bicycles", "text": "Bicycles, too."})
    blocks = reply(an_abstention(nearest=(parking, bicycles)), 7, quoted=False).blocks
    values = list(everything(blocks, "value"))
    assert values == [f"{AUDIT_ID}:0", f"{AUDIT_ID}:1", AUDIT_ID]
    assert "feedback" not in buttons(blocks)
    assert buttons(reply(a_record(), 7, quoted=False).blocks)["feedback"] == f"good:{AUDIT_ID}"


def again(record: AuditRecord) -> Message:
    return reply(record, 7, quoted=False, refused_before=True)


def test_who_was_refused_before_in_the_thread_reads_a_line_and_the_closest() -> None:
    [parking] = an_abstention().nearest
    bicycles = parking.model_copy(update={"text": "Bicycles, too."})
    record = an_abstention(nearest=(parking, bicycles))
    message = again(record)
    assert_slack_takes(message)
    assert read(message.blocks).splitlines() == [
        ":mag: *Not sure of this either: the closest I found*",
        "Parking is free.",
        "Parking · page 3, line 4",
        "This was it",
        "Show evidence",
    ]
    assert message.text.splitlines() == [
        "Not sure of this either: the closest I found.",
        "Parking: Parking is free.",
    ]
    behind = read(evidence(record, frozenset())["blocks"])
    assert "Bicycles, too." in behind
    assert "I am not sure that this answers your question." in behind


def test_a_second_refusal_of_which_nothing_is_near_is_one_line() -> None:
    message = again(an_abstention(nearest=()))
    assert read(message.blocks) == ":grey_question: *I don't know this either*\nShow evidence"
    assert message.text == "I don't know this either."
    assert again(a_record()) == reply(a_record(), 7, quoted=False), "an answer is whole"


def test_an_overridden_rule_is_said_to_be() -> None:
    [own] = an_abstention().nearest
    general = own.model_copy(update={"text": "Parking costs 2 euros.", "overridden": True})
    nearest = (own, general)
    in_channel, alone = (
        an_abstention(nearest=nearest, channel=Channel(id=channel)) for channel in ("C1", "D1")
    )
    assert (
        "Parking costs 2 euros.\nParking · page 3, line 4\n"
        "overridden: the rule of the reader's own unit, above, holds in its place\n"
    ) in shown(in_channel)
    assert "the rule of your own unit, above, holds in its place" in shown(alone)
    assert "holds in its place): Parking costs 2" in reply(alone, 7, quoted=False).text
    assert "holds in its place" in read(evidence(alone, frozenset())["blocks"])


def test_what_is_shown_as_a_side_is_not_quoted_again() -> None:
    found = a_contradiction(Prevails.NEITHER)
    [parking] = an_abstention().nearest
    side = parking.model_copy(update={"passage_id": "p-Old", "text": "Parents get 10 weeks, once."})
    text = shown(an_abstention(nearest=(side, parking), contradictions=(found,)))
    assert "10 weeks, once" not in text
    assert "Parking is free." in text


def cells(**values: str) -> tuple[CellRecord, ...]:
    return tuple(CellRecord(name=n, value=v, sentence=0) for n, v in values.items())


def tables(record: AuditRecord) -> list[list[list[str]]]:
    """What stands in the cells of each table, from top to bottom."""
    message = reply(record, 7, quoted=False)
    assert_slack_takes(message)
    return [
        [["".join(everything([cell], "text")) for cell in row] for row in block["rows"]]
        for block in message.blocks
        if block["type"] == "table"
    ]


OLD_FEE = cells(Year="2024/25", Fee="50 euros")
FEE = cells(Year="2025/26", Fee="60 euros", For="you")


def test_copied_rows_are_a_table_with_the_current_year_first() -> None:
    """It is asked in March 2026."""
    old = a_claim("Year 2024/25: Fee 50 euros.", rows=(OLD_FEE,), copied=True)
    new = a_claim("Year 2025/26: Fee 60 euros.", rows=(FEE,), copied=True)
    record = a_record(claims=(old, new))
    [shown_as] = tables(record)
    assert shown_as == [
        ["Year", "Fee", "For"],
        ["2025/26 [1]", "60 euros", "you"],
        ["2024/25 [1]", "50 euros", "–"],
    ]
    assert "Fee 50 euros." not in shown(record), "it stands in the table"
    assert "Year 2025/26: Fee 60 euros. [1]" in reply(record, 7, quoted=False).text


@pytest.mark.parametrize(
    ("on", "first"),
    [
        (date(2026, 7, 31), "2025/26"),
        (date(2026, 8, 1), "2026/27"),
        (date(2027, 1, 1), "2026/27"),
        (date(2019, 1, 1), "2024/25"),
    ],
)
def test_an_academic_year_is_current_from_august_on(on: date, first: str) -> None:
    years = ("2024/25", "2025/26", "2026/27")
    claim = a_claim("Fees.", rows=tuple(cells(Year=year, Fee="1") for year in years), copied=True)
    [[_, row, *_]] = tables(a_record(claims=(claim,), filter=SearchFilter(on=on)))
    assert row[0] == f"{first} [1]"


def test_of_columns_that_are_years_the_current_one_comes_first() -> None:
    years = {"Event": "Examinations", "2024/25": "June", "2025/26": "May", "2026/27": "July"}
    claim = a_claim("Event Examinations.", rows=(cells(**years),), copied=True)
    [[names, row]] = tables(a_record(claims=(claim,)))
    assert names == ["Event", "2025/26", "2024/25", "2026/27"]
    assert row == ["Examinations [1]", "May", "June", "July"]


def test_rows_before_or_after_sentences_are_a_table_there() -> None:
    row = a_claim("Year 2025/26: Fee 60 euros.", rows=(FEE,), copied=True)
    for claims in ((row, a_claim()), (a_claim(), row)):
        record = a_record(claims=claims)
        assert len(tables(record)) == 1
        text = shown(record)
        assert (text.index("2025/26 [1] |") < text.index("Parents get")) == (claims[0] == row)
        assert "Fee 60 euros." not in text


def test_rows_among_sentences_or_too_large_for_a_small_table_are_sentences() -> None:
    row = a_claim("Year 2025/26: Fee 60 euros.", rows=(FEE,), copied=True)
    wide = a_claim("Wide.", rows=(cells(**{f"c{n}": "1" for n in range(7)}),), copied=True)
    long = a_claim("Long.", rows=(FEE,) * 21, copied=True)
    other = a_claim("Grade B: Mark 70.", rows=(cells(Grade="B", Mark="70"),), copied=True)
    for claims in ((a_claim(), row, a_claim("So.")), (wide,), (long,), (row, other)):
        record = a_record(claims=claims)
        assert tables(record) == []
        assert all(claim.text in shown(record) for claim in claims)


def test_of_quoted_rows_the_first_are_the_table_that_slack_takes() -> None:
    [parking] = an_abstention().nearest
    quoted = parking.model_copy(update={"rows": (FEE, OLD_FEE), "text": "Year 2025/26: Fee 60."})
    record = an_abstention(nearest=(parking, quoted, quoted))
    assert [len(each) for each in tables(record)] == [3]
    assert shown(record).count("Year 2025/26: Fee 60.") == 1
    assert "Year 2025/26: Fee 60." in reply(record, 7, quoted=False).text


def test_a_document_that_an_older_record_only_named_is_asked_about_by_no_button() -> None:
    [parking] = an_abstention().nearest
    named = parking.model_copy(update={"passage_id": "", "text": ""})
    assert "This was it" not in shown(an_abstention(nearest=(named,)))


def test_a_refusal_tells_whose_documents_were_searched() -> None:
    alone = an_abstention(nearest=(), channel=Channel(id="D1"))
    assert "nothing about this in the documents you may read" in shown(alone)
    in_channel = an_abstention(nearest=())
    assert "nothing about this in the documents everyone here may read" in shown(in_channel)


def test_an_abstention_names_what_is_out_of_date() -> None:
    [parking] = an_abstention().nearest
    over = ExpiredRecord(source=parking, valid_to=date(2026, 1, 31))
    text = shown(an_abstention(expired=(over,)))
    assert "out of date: Parking (valid until 2026-01-31)" in text
    assert "Ask whoever keeps" not in text, "its owner is named"
    assert "Ask whoever keeps" in shown(an_abstention(expired=(over,), owners=()))


def test_an_abstention_over_dropped_claims_says_what_came_of_them() -> None:
    text = shown(an_abstention(dropped=(a_claim(),)))
    assert "I am not sure enough of this to call it an answer." in text
    assert "Ask more narrowly" not in text
    nothing_near = shown(an_abstention(dropped=(a_claim(),), nearest=()))
    assert "closest" not in nothing_near
    assert "Ask more narrowly, or in other words." in nothing_near
    unsupported = a_claim(status=Status.UNSUPPORTED)
    assert "not borne out by its sources" in shown(an_abstention(dropped=(unsupported,)))


@pytest.mark.parametrize(
    ("own_rule", "said"),
    [
        (False, "You may read more than everyone in this channel may"),
        (True, "Another rule may hold for you"),
    ],
)
def test_the_asker_alone_is_offered_more_in_private_a_rule_of_their_own_unit_first(
    own_rule: bool, said: str
) -> None:
    record = a_record(more_in_private=True, own_rule_in_private=own_rule)
    message = private_offer(record)
    assert_slack_takes(message)
    assert said in read(message.blocks)
    assert buttons(message.blocks) == {"ask_privately": AUDIT_ID}
    assert message.text.startswith(said)
    assert reply(record, 7, quoted=False) == reply(a_record(), 7, quoted=False)


def test_how_a_question_was_understood_stands_small_under_the_headline_if_not_by_itself() -> None:
    leans = {"question": "And pay?", "standalone_question": "How much leave: And pay?"}
    _, understood, *_ = reply(an_abstention(**leans), 7, quoted=False).blocks
    assert understood["type"] == "context"
    assert read([understood]) == "Understood as: How much leave: And pay?"
    spaced = a_record(question="How  much leave?", standalone_question="How much leave?")
    for record in (a_record(), spaced):
        assert "Understood as" not in shown(record), "it was understood by itself"


def test_a_notification_tells_the_reply_alone() -> None:
    assert reply(a_record(), 7, quoted=False).text == (
        "Answered from your documents.\nParents get 14 weeks. [1]\n"
        "Sources: [1] Leave · lines 10-12 (Parental)"
    )
    assert reply(an_abstention(), 7, quoted=False).text == (
        "Not sure: the closest I found.\n"
        "Parking: Parking is free.\n"
        "I am not sure that this answers your question.\nYou could ask campus@example.org."
    )


@pytest.mark.parametrize(
    ("overall", "said"), [(0.999, "over 99% sure"), (1.0, "over 99% sure"), (0.613, "61% sure")]
)
def test_confidence_is_never_rounded_to_certainty(overall: float, said: str) -> None:
    record = a_record(confidence=Confidence(overall=overall))
    assert f"· {said}" in read(evidence(record, frozenset())["blocks"])


def test_a_title_cannot_forge_a_source() -> None:
    forged = a_citation(title="Leave\n[2] Salaries of the board")
    lines = shown(a_record(claims=(a_claim("One.", forged),))).splitlines()
    assert not any(line.startswith("[2]") for line in lines)


def test_markup_in_a_document_is_shown_letter_for_letter() -> None:
    text = "Use `*` & <b> in *file_name*: :smile: 10:30:45 ~ok~"
    message = reply(a_record(claims=(a_claim(text),)), 7, quoted=False)
    assert f"{text} " in everything(message.blocks, "text")
    assert "Use `*` &amp; &lt;b&gt; in" in message.text


@pytest.mark.parametrize(
    "title",
    [
        "https://intranet.example.org@docs.evil.example/x",
        "https://intranet.example.org/leave",
        "Leave (intranet.example.org)",
        "www.intranet.example.org",
        "https://intranet/leave",
        "10.0.0.1",
    ],
)
def test_a_title_that_names_another_host_stands_beside_the_one_it_leads_to(title: str) -> None:
    cited = a_citation(title=title, link="https://docs.evil.example/x")
    near = NearestRecord(
        document_id="d", file="d.md", title=title, link=cited.link, place=Place(page=3)
    )
    answered = a_record(claims=(a_claim("One.", cited),))
    for record in (answered, an_abstention(nearest=(near,))):
        assert f"{title} (docs.evil.example) · " in shown(record)
    seen = evidence(answered, frozenset())
    assert f"{title} (docs.evil.example) · " in read(seen["blocks"])


@pytest.mark.parametrize("title", ["Leave", "Version 2.0 of the rules", "docs.example.org", "A: b"])
def test_any_other_title_stands_alone(title: str) -> None:
    cited = a_citation(title=title, link="https://docs.example.org/x")
    assert f"{title} · " in shown(a_record(claims=(a_claim("One.", cited),)))


def test_a_link_that_hides_where_it_leads_is_none() -> None:
    cited = a_citation(link="https://intranet.example.org@evil.example/x")
    quoted = a_citation(
        "Pay", quote="[Parents](https://intranet.example.org@evil.example/x) get 14."
    )
    message = reply(a_record(claims=(a_claim("Parents get 14.", cited, quoted),)), 7, quoted=False)
    assert set(everything(message.blocks, "url")) == {"https://docs.example.org/pay"}


@pytest.mark.parametrize("link", ["", "javascript:alert(1)", "file:///etc/passwd", "docs/leave.md"])
def test_only_an_address_that_opens_in_a_browser_becomes_a_link(link: str) -> None:
    message = reply(a_record(claims=(a_claim("One.", a_citation(link=link)),)), 7, quoted=False)
    assert not list(everything(message.blocks, "url"))
    assert "[1] Leave" in read(message.blocks)


def test_of_very_many_sentences_the_middle_is_left_out_and_said_to_be() -> None:
    said = [a_claim(f"Sentence {n}.", a_citation(f"D{n}")) for n in range(60)]
    text = shown(a_record(claims=tuple(said)))
    assert "Sentence 0. [1]" in text
    assert "Sentence 59. [16]" in text
    assert "… 44 more sentences: press “Show evidence” …" in text


def assert_slack_takes(message: Message) -> None:
    assert problems(message.blocks) == []
    assert not too_long(message.blocks)
    assert len(sent(message.blocks).encode()) < 13_000
    assert 0 < len(message.text) < 15_000


def assert_harmless(message: Message) -> None:
    """Nobody is pinged, nothing is a link that we did not make, nothing turns around."""
    assert set(everything(message.blocks, "type")).isdisjoint({"user", "usergroup", "broadcast"})
    assert all(each["verbatim"] and "<" not in each["text"] for each in markup(message.blocks))
    assert not re.search("[<>]|@(here|channel|everyone)", message.text)
    assert not unseen([message.text, message.blocks])
    assert all(re.match("https?://", url) for url in everything(message.blocks, "url"))


def test_where_all_is_long_at_once_sources_shrink_before_sentences_vanish() -> None:
    long = "<!channel>" * 70
    claims = [
        a_claim("One.", *(a_citation(f"{n}{each}{long}", line=n) for each in "abc"), kind=kind)
        for n in range(30)
        for kind in ClaimKind
    ]
    because = [claim.model_copy(update={"reasoning": "Two."}) for claim in claims]
    around = {"degraded": ("", "", "", "", long), "standalone_question": "_it_" * 170}
    parts = dict.fromkeys(("answered", "missing", "owners"), (long,) * 5)
    record = a_record(
        decision=Decision.PARTIAL,
        question=long,
        claims=tuple(because),
        more_in_private=True,
        **parts,
        **around,
    )
    message = reply(record, 2**62, quoted=True)
    assert_slack_takes(message)
    assert "One. [1][2][3]\n" in read(message.blocks)
    assert "\nSources\n[1] 0a<!channel>" in read(message.blocks)


@pytest.mark.slow
@settings(max_examples=fewer(2))
@given(wild_records, st.booleans(), st.sampled_from(["", "https://vouch.example.org"]))
def test_whatever_documents_say_slack_takes_the_reply_with_sources_and_buttons(
    record: AuditRecord, quoted: bool, pages: str
) -> None:
    record = opening_here(record, pages)
    message = reply(record, 2**62, quoted=quoted)
    assert_slack_takes(message)
    assert_harmless(message)
    text, pressed = read(message.blocks), buttons(message.blocks)
    assert message.blocks[0]["block_id"] == f"vouch-{2**62}-reply"
    assert pressed["evidence"] == AUDIT_ID
    refused = record.decision is Decision.ABSTAIN
    assert pressed.get("feedback") == (None if refused else f"good:{AUDIT_ID}")
    assert_slack_takes(reply(record, 2**62, quoted=quoted, refused_before=True))
    private = ("more_in_private", "own_rule_in_private")
    other = record.model_copy(update={name: not getattr(record, name) for name in private})
    assert reply(other, 2**62, quoted=quoted) == message, "everyone in the channel reads it"
    cited = any(claim.citations for claim in record.claims)
    if record.decision is not Decision.ABSTAIN and cited:
        assert re.search(r"^Sources$(.|\n)*^\[1\] ", text, re.MULTILINE)


@pytest.mark.slow
@settings(max_examples=fewer(2))
@given(wild_records)
def test_every_number_in_a_sentence_is_the_number_of_a_source(record: AuditRecord) -> None:
    tame = [
        claim.model_copy(update={"text": f"Sentence {number}.", "reasoning": ""})
        for number, claim in enumerate(record.claims)
    ]
    unremarkable = dict.fromkeys(("degraded", "missing", "owners", "contradictions"), ())
    plain = {"decision": Decision.ANSWER, "standalone_question": record.question}
    answer = record.model_copy(update={"claims": tuple(tame), **plain, **unremarkable})
    sentences, _, sources = shown(answer).partition("\nSources\n")
    cited = set(re.findall(r"\[(\d+)\]", sentences))
    listed = set(re.findall(r"^\[(\d+)\]", sources, re.MULTILINE))
    assert cited <= listed or "more source" in sources


@pytest.mark.parametrize("first", [True, False])
def test_a_refusal_names_a_file_above_it_only_where_it_quotes_that_first(first: bool) -> None:
    (parking,) = an_abstention().nearest
    file = parking.model_copy(update={"document_id": f"{ATTACHED}F1", "file": "note.md"})
    near = (file, parking) if first else (parking, file)
    shown = read(reply(an_abstention(nearest=near), 7, quoted=False).blocks)
    assert ("attached here" in shown) is first
