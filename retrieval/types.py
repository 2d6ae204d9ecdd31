"""These values flow through retrieval; all are frozen, none does any work.

A document is parsed into fragments, these are cut into passages, which are found as hits, and hits
make up the evidence. A sentence is the smallest thing that a reply can cite.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum

from audit.places import Box as Box
from audit.places import Place as Place
from retrieval.documents.cells import range_of
from retrieval.search.scores import Scores

SURELY_READ = 0.9
"""Of the words that text recognition reads less surely on scans, good or worn, some half are
misread, of the others 1 in 50: `python tests/support/misreadings.py docs/documents.md
docs/slack.md docs/operations.md`."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table row: its value stands at [start, end) of the sentence's text."""

    start: int
    end: int
    name: str
    """Of its column; empty where it has none."""
    reference: str = ""
    """Such as `B7` in a spreadsheet; empty elsewhere."""
    box: Box | None = None
    """Where it stands on its page; None where it is not known."""


UNKNOWN_VALUE = "[unknown value]"
"""Stands in a sentence for what a site fills in from elsewhere."""
ON_CONDITION = "[on an unknown condition: "
"""Stands before what a site may leave out."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A claim can cite a sentence, which may be a list item or a table row.

    `text` is what people read; `char_start` and `char_end` delimit the same words in
    `ParsedDocument.source`.
    """

    text: str
    char_start: int
    char_end: int
    line_start: int | None = None
    """1-based: in the file, or for a PDF on the page (of two, the first), for an EPUB in its
    chapter's file; None for a DOCX."""
    line_end: int | None = None
    page: int | None = None
    """1-based: of a slide, a sheet or a chapter as well; None where the format has no reliable
    pages."""
    paragraph: int | None = None
    """1-based among the body paragraphs of a DOCX; None elsewhere."""
    boxes: tuple[Box, ...] = ()
    """One for each line or cell of a PDF, and for the shape of a slide; empty elsewhere."""
    in_list: bool = False
    """Whether it is an item of a list."""
    list_goes_on: bool = False
    """Whether it is the last of a passage, and the next passage has more of the list."""
    list_lead: str = ""
    """Of an item with which a passage begins, and of each after it that is less deep than all
    before: the lines, as one text, that lead to its list, where they stand in a passage before."""
    item_number: int | None = None
    """The number before it where it begins an item of an ordered list; else None."""
    page_label: str = ""
    """What people call its page where that is not "page N": "slide 3", "sheet Fees"; also "pages
    3-4" for what goes on over a page's end, and "clause 2.2 (a)" in a DOCX."""
    cells: tuple[Cell, ...] = ()
    """Of a table row, in the order of its text; empty where they are not told apart."""
    recognised: float | None = None
    """Where text recognition (OCR) read it from a picture: from 0 to 1 how surely it read the word
    of which it was least sure; else None."""
    picture: Box | None = None
    """Where the picture stands that it is the caption of, which holds no word of it; None where
    there is none, or its place is not known."""
    in_code: bool = False
    """Whether it is a line of program text."""
    depth: int = 0
    """Of an item, how many lists its own stands in, where the format tells; else 0."""

    def as_item(self, called: str) -> str:
        """Its text, an item of a numbered list behind what it is `called`: "step 9: ..."."""
        numbered = called and self.item_number is not None
        return f"{called.capitalize()} {self.item_number}: {self.text}" if numbered else self.text

    def behind(self, lead: str) -> "Sentence":
        """The same, read behind some words that say under what it holds."""
        shift = len(lead)
        cells = (replace(c, start=c.start + shift, end=c.end + shift) for c in self.cells)
        return replace(self, text=f"{lead}{self.text}", cells=(*cells,))

    @property
    def is_item(self) -> bool:
        """Whether it stands on a line of its own under what leads to it, of a list or a listing."""
        return self.in_list or self.in_code

    @property
    def is_doubtful(self) -> bool:
        """Whether a value of it, or under what it holds, is not known."""
        return UNKNOWN_VALUE in self.text or ON_CONDITION in self.text


class FragmentKind(StrEnum):
    """A fragment is one of these in the document; list items and table rows are never split."""

    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"
    CODE = "code"
    """Program text, line by line."""
    CAPTION = "caption"
    """Of a table, or of a picture that is not known."""
    FIGURE = "figure"
    """A picture, and the words that stand for it: its caption, or what describes it."""
    HEADING = "heading"
    """No passage is made of this kind and the next two: see `parsing.reading_order`."""
    RUNNING = "running"
    """A running head, a footer or a page number."""
    CONTENTS = "contents"
    """A line of a table of contents, which repeats a heading."""

    @property
    def is_prose(self) -> bool:
        """Whether it is cut as paragraphs are, and so may end a passage where it begins."""
        return self in _PROSE


_PROSE = frozenset(
    {FragmentKind.PARAGRAPH, FragmentKind.CODE, FragmentKind.CAPTION, FragmentKind.FIGURE}
)


@dataclass(frozen=True, slots=True)
class Fragment:
    """A fragment is one block of a document, in reading order, never across a page end."""

    kind: FragmentKind
    section_path: tuple[str, ...]
    """The headings above it as people read them, outermost first, without the title."""
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class PageSize:
    """A page of a PDF measures so much, in points, as it is shown: cropped and turned."""

    number: int
    """From 1."""
    width: float
    height: float
    label: str = ""
    """What readers call it where that is not "page N"; as `Sentence.page_label`."""
    is_form: bool = False
    """Whether it has fields that people fill in."""


@dataclass(frozen=True, slots=True)
class PlacedHeading:
    """A heading stands above a section, which ends before the next one as high or higher."""

    level: int
    """1 is the outermost."""
    section_path: tuple[str, ...]
    """Of what stands right below it, as in `Fragment`; empty below the title."""
    sentence: Sentence
    """Its text and where that stands, as of any other sentence; nobody can cite it."""
    first_page: int | None = None
    """Of the section, from the heading on; None where the format has no reliable pages."""
    last_page: int | None = None
    """Of what the section holds, with the sections within it."""

    @property
    def text(self) -> str:
        return self.sentence.text


@dataclass(frozen=True, slots=True)
class HiddenText:
    """Hidden text stands in a file, and people do not see it, or may not, on the page."""

    text: str
    """White space folded."""
    way: str
    """How it is hidden, in words."""
    where: str
    """Its line, page or paragraph."""
    left_out: bool = True
    """Else it was in doubt and is read: it is for a person to look at."""


@dataclass(frozen=True, slots=True)
class UnreadPage:
    """A page shows something that nobody could read."""

    page: int
    """From 1."""
    why: str
    """And what to do about it, as it follows on "was not read: "."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A document says this of itself, in one of its places, as it stands there."""

    place: str
    """In words, to name in an error: "its front matter", "its custom properties"."""
    key: str
    value: object
    describes: bool = True
    """Whether title, owner and the like are taken from there, beside what restricts."""


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A parser makes this of one file.

    `source` is the text that offsets count in: the decoded file, or the extracted lines, paragraphs
    or chapters, joined by line feeds.
    """

    title: str
    """As the document states it; empty where it states none."""
    source: str
    fragments: tuple[Fragment, ...]
    stated: tuple[Stated, ...] = ()
    """What it says of itself, wherever its format has a place for that."""
    hidden: tuple[HiddenText, ...] = ()
    pages: tuple[PageSize, ...] = ()
    """Of a format that has pages, all of them in order; empty elsewhere."""
    headings: tuple[PlacedHeading, ...] = ()
    """In reading order, the title's among them where it stands in the text."""
    left_out: tuple[Fragment, ...] = ()
    """What people see and no passage holds, such as running heads: its kinds are its own."""
    unread: tuple[UnreadPage, ...] = ()


class Stream(StrEnum):
    """The two kinds of knowledge are ranked and shown to a writer differently."""

    ACADEMIC = "academic"
    NON_ACADEMIC = "non-academic"


@dataclass(frozen=True, slots=True)
class AccessRule:
    """A rule says who may read a document, and when; what it means is written in `filters`."""

    audience: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """(facet, values) for each facet that is stated, both sorted; "*" is everyone."""
    valid_from: date | None = None
    """Inclusive, as is `valid_to`."""
    valid_to: date | None = None
    over_for: tuple[tuple[tuple[tuple[str, tuple[str, ...]], ...], date], ...] = ()
    """(audience, last day): so long it holds for whom that allows, who may read what replaces it.
    An index knows nothing of it."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """A document says this about itself, checked; `metadata` reads it."""

    title: str = ""
    stream: Stream = Stream.NON_ACADEMIC
    subtype: str = ""
    level: str = ""
    """A level of the ontology; empty where the document states none."""
    access: AccessRule = field(default_factory=AccessRule)
    effective: date | None = None
    """Recency counts from here."""
    owner: str = ""
    """The unit to ask."""
    link: str = ""
    organisation: tuple[str, ...] = ()
    """The names of those who say "we" in it; empty where it does not say."""
    replaces: tuple[str, ...] = ()
    """Paths, names or titles of documents of its source that it stands in the place of."""
    restricted_in: tuple[str, ...] = ()
    """Where its audience and validity are stated, in words for an administrator."""
    states_readers: bool = False
    """Whether an audience is among that, be it everyone."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document is a version of a file in the library."""

    document_id: str
    file: str
    """Relative to the ingested folder, with forward slashes."""
    version: str
    ingested_at: datetime
    """In UTC."""
    title: str
    metadata: Metadata


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage is some neighbouring sentences of one section: indexed, ranked and read."""

    passage_id: str
    document: Document
    ordinal: int
    """Position in the document, from 0."""
    section_path: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    source: str
    """The source text from the first sentence's start to the last one's end."""

    @property
    def text(self) -> str:
        """What people read, the sentences joined by a space."""
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def heading(self) -> str:
        """Title and section path in one line, as the bundled models were trained on."""
        sections = " - ".join(self.section_path)
        return f"{self.document.title}: {sections}" if sections else self.document.title

    @property
    def with_heading(self) -> str:
        """What models read of it, and what is indexed: its heading, and on a new line its text."""
        return f"{self.heading}\n{self.text}"

    def with_items(self, called: str) -> str:
        """The same, each item of a numbered list behind what it is `called`."""
        said = (sentence.as_item(called) for sentence in self.sentences)
        return f"{self.heading}\n{' '.join(said)}"

    @property
    def content_hash(self) -> str:
        """The SHA-256 of that, in hexadecimal digits."""
        return hashlib.sha256(self.with_heading.encode()).hexdigest()

    def quote(self, first: int, last: int) -> str:
        """The source as it stands under sentences `first` to `last`, both inclusive."""
        offset = self.sentences[0].char_start
        start = self.sentences[first].char_start - offset
        end = self.sentences[last].char_end - offset
        return self.source[start:end]

    def recognised(self, first: int = 0, last: int = -1) -> float | None:
        """From 0 to 1, how surely the worst word was read; None where none was recognised."""
        until = None if last == -1 else last + 1
        read = (each.recognised for each in self.sentences[first:until])
        return min((each for each in read if each is not None), default=None)

    def place(self, first: int = 0, last: int = -1) -> Place:
        """Where sentences `first` to `last` stand, both inclusive; by default all of them."""
        begin, end = self.sentences[first], self.sentences[last]
        until = None if last == -1 else last + 1
        cells = (cell for each in self.sentences[first:until] for cell in each.cells)
        recognised = self.recognised(first, last)
        return Place(
            begin.page,
            begin.line_start,
            end.line_end,
            begin.paragraph,
            self.section_path,
            begin.page_label,
            range_of(cell.reference for cell in cells if cell.reference),
            misread=recognised is not None and recognised < SURELY_READ,
        )


@dataclass(frozen=True, slots=True)
class Scope:
    """A scope is what one audience may read; there is none that means everything.

    A guest's scope has no facets: it reads what is stated to be for nobody in
    particular.
    """

    facets: Mapping[str, frozenset[str]]
    """Facet name to the audience's values; courses current and completed are one."""
    on: date
    """The day for which validity and recency are judged."""
    expired: bool = False
    """Whether documents whose time is over are let through: to say so, not to answer."""
    current: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Of a facet that is divided into current and completed values the current ones, such as this
    semester's courses. It opens nothing: what may be read is what `facets` say. Empty in a channel,
    whose readers have no semester in common."""
    documents: frozenset[str] | None = None
    """Ids of those that alone are looked at; None for all. It opens nothing, either."""


class Eligibility(StrEnum):
    """A passage may be evidence, or may not for one of these reasons."""

    OVER_THRESHOLD = "over the threshold"
    OVER_FLOOR = "under the threshold, over the floor of what a language model reads"
    NEARER_RULE = "a rule of the reader's own unit beside one over the threshold"
    UNDER_THRESHOLD = "under the threshold"
    NOT_REREAD = "not among those reread sentence by sentence"
    OF_ANOTHER = "about others of what the question names by its number"
    NOT_ENGLISH = "over the threshold, but question or passage are not in English"

    @property
    def eligible(self) -> bool:
        return self not in (
            Eligibility.UNDER_THRESHOLD,
            Eligibility.NOT_REREAD,
            Eligibility.OF_ANOTHER,
            Eligibility.NOT_ENGLISH,
        )


@dataclass(frozen=True, slots=True)
class Hit:
    """A hit is a passage and how it came to its place."""

    passage: Passage
    scores: Scores
    overridden_by: str | None = None
    """Id of the passage that speaks to the same thing and prevails for this person."""
    eligibility: Eligibility | None = None
    """None where nothing judged its relevance."""


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """A part is one of the things that a question asks, and how well a passage answers it."""

    text: str
    """Made to stand alone."""
    relevance: float
    """Of the best candidate, 0 to 1."""
    covered: bool
    """Whether a passage that may be evidence answers it."""
    asked: str = ""
    """What was asked before `text` was completed: the person's words, or a rewriting."""
    adds: frozenset[str] = frozenset()
    """Stems that a short follow-up brings in ("and for group projects?"), which an answer names."""
    best: Hit | None = field(default=None, compare=False)
    """The best candidate, evidence or not; None where there is none, or it was not sought."""

    @property
    def in_own_words(self) -> str:
        return self.asked or self.text


@dataclass(frozen=True, slots=True)
class Evidence:
    """Retrieval found this for one question and one scope."""

    query: str
    """The text that was searched for: the question, made to stand alone."""
    scope: Scope
    candidates: tuple[Hit, ...]
    """All that were reranked, best first, before any threshold."""
    hits: tuple[Hit, ...]
    """The best that may be evidence, and rules of the reader's own unit that override one of
    them, in the order in which a writer should trust them."""
    duplicates: tuple[Hit, ...] = field(default=(), kw_only=True)
    """Others like them, whose text repeats another one's word for word."""
    parts: tuple[QuestionPart, ...]
    """At least one; a question that asks one thing is its own part."""
    context: tuple[Passage, ...] = ()
    """Neighbours of academic hits: to understand them by, not to be cited alone."""
    tokens: Mapping[str, int] = field(default_factory=dict, kw_only=True)
    """Of a language model that said what is relevant; empty where none was asked."""
    degraded: str = field(default="", kw_only=True)
    """What the search had to do without, in words for people; empty where nothing."""
    following: Mapping[str, tuple[Passage, ...]] = field(default_factory=dict, kw_only=True)
    """By the id of a hit's passage that ends within a list: what ends the list, in reading order.
    The reader may read all of it."""

    def continued_from(self, passage_id: str) -> str:
        """The hit's passage with whose list it goes on; itself where there is none."""
        if any(hit.passage.passage_id == passage_id for hit in self.hits):
            return passage_id
        return next(
            (
                hit_id
                for hit_id, passages in self.following.items()
                if any(each.passage_id == passage_id for each in passages)
            ),
            passage_id,
        )

    @property
    def plain(self) -> tuple[Hit, ...]:
        """The hits that are evidence for any reader, with what prevails over one of them."""
        over = [hit for hit in self.hits if hit.eligibility is not Eligibility.OVER_FLOOR]
        prevailing = {hit.overridden_by for hit in over}
        return tuple(
            hit for hit in self.hits if hit in over or hit.passage.passage_id in prevailing
        )
