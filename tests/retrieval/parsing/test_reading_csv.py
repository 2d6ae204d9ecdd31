"""A file of values is read row by row, each with its lines and its cells."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.utils.cell import column_index_from_string, coordinate_from_string
from parsed_documents import assert_places_hold, folded, kinds, sentences, texts
from stating import whose

from retrieval.errors import BadMetadata, UnreadableDocument
from retrieval.parsing import parser_for
from retrieval.types import FragmentKind, ParsedDocument

FEES = """Course,Home fee,Deadline
BSc Computing,"9,250",1 May
"MSc ""AI""
and robotics",12500,2 June
"""


def parsed(source: str | bytes, file: str = "fees.csv") -> ParsedDocument:
    return parser_for(file)(source.encode() if isinstance(source, str) else source)


def test_a_row_reads_as_a_sentence_with_its_column_heads() -> None:
    document = parsed(FEES)
    row = FragmentKind.TABLE_ROW
    assert kinds(document) == [
        (row, "Course: BSc Computing; Home fee: 9,250; Deadline: 1 May"),
        (row, 'Course: MSc "AI" and robotics; Home fee: 12500; Deadline: 2 June'),
    ]
    assert_places_hold(document)
    _, second = sentences(document)
    assert (second.line_start, second.line_end, second.page, second.page_label) == (3, 4, None, "")
    assert [(each.name, each.reference) for each in second.cells] == [
        ("Course", "A3"),
        ("Home fee", "B3"),
        ("Deadline", "C3"),
    ]
    assert second.text[second.cells[1].start : second.cells[1].end] == "12500"


@pytest.mark.parametrize(
    ("file", "source", "read"),
    [
        ("a.tsv", "Room\tSeats\nHall\t250\n", ["Room: Hall; Seats: 250"]),
        ("a.csv", "Hall,250,0\nLibrary,80,2\n", ["Hall; 250; 0", "Library; 80; 2"]),
        (
            "a.csv",
            "Class,Pupils,,Teacher\n,Girls,Boys,\n3a,11,13,Ann\n",
            ["Class: 3a; Pupils Girls: 11; Pupils Boys: 13; Teacher: Ann"],
        ),
    ],
    ids=["tabs", "no names", "names over several columns"],
)
def test_a_first_row_names_the_columns_where_it_can(
    file: str, source: str, read: list[str]
) -> None:
    assert texts(parsed(source, file)) == read


@pytest.mark.parametrize("between", [",", ";", "\t", "|"])
def test_what_stands_between_values_is_found(between: str) -> None:
    rows = [["Room", "Seats", "Floor"], ["Hall, west; A|B", "250", "0"], ["Library", "80", "2"]]
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=between).writerows(rows)
    assert texts(parsed(buffer.getvalue())) == [
        "Room: Hall, west; A|B; Seats: 250; Floor: 0",
        "Room: Library; Seats: 80; Floor: 2",
    ]


def test_a_first_line_may_state_it_and_is_no_row() -> None:
    document = parsed("sep=;\nRoom;Seats\nHall, west;250\n")
    assert texts(document) == ["Room: Hall, west; Seats: 250"]
    assert sentences(document)[0].line_start == 3
    assert sentences(document)[0].cells[0].reference == "A2"


def test_a_caption_above_a_table_is_a_heading_and_a_note_below_it_a_line() -> None:
    document = parsed(
        "Fees for 2026,,\n\nCourse,Fee,Due\nBSc,9250,May\n\nAsk the registry. It knows.\n"
    )
    assert texts(document) == [
        "Course: BSc; Fee: 9250; Due: May",
        "Ask the registry.",
        "It knows.",
    ]
    assert {fragment.section_path for fragment in document.fragments} == {("Fees for 2026",)}
    assert_places_hold(document)


def test_a_row_too_long_for_a_sentence_is_read_cell_by_cell() -> None:
    document = parsed(f"Name,Text,Note\nHall,{'It is large. ' * 600},Ask\n")
    assert len(texts(document)) > 600
    assert {sentence.line_start for sentence in sentences(document)} == {2}
    assert_places_hold(document)


def test_byte_order_marks_and_utf_16_are_read() -> None:
    for encoding in ("utf-8-sig", "utf-16"):
        assert texts(parsed("Café,Plätze,Stock\nMensa,9,0\n".encode(encoding))) == [
            "Café: Mensa; Plätze: 9; Stock: 0"
        ]


@pytest.mark.parametrize(
    ("text", "encoding", "is_read"),
    [
        ("Name,Stadt,Preis\nMüller,Köln,9 €\n", "cp1252", True),
        ("Poste,Congé,Délai\nmère,5,à la fête\n", "cp1252", True),
        ("Navn,By,Dage\nSøren,Århus,5\n", "cp1252", True),
        ("Navn,By,Dage\nSøren,Århus,5\n", "mac_roman", False),
        ("Name,Stadt,Preis\nMüller,Köln,9\n", "cp850", False),
        ("Miasto,Cena,Dni\nGdańsk,5,2\nŁódź,7,3\n", "cp1250", False),
        ("Şehir,Ad,Gün\nMuğla,Işık,3\n", "cp1254", False),
        ("Nome,Cidade,Dia\nJoão,São Paulo,1\n", "cp1252", True),
        ("Nombre,Año,Ciudad\nPeña,2024,¿?\n", "cp1252", True),
        ("Nom,Ville,Note\nNoël,Besançon,« 5 °C » § 3\n", "cp1252", True),
        ("Name,City,Day\nMüller,Málaga,1\nJoão,Faro,2\nZoé,Århus,3\n", "cp1252", True),
        ("Nome,Città,Giorni\nLucia,Forlì,più\n", "cp1252", True),
        ("Name,Mail,Days\nJosé,jose@x.es,1\nZoé,zoe@y.fr,2\n", "cp1252", True),
        ("Name,City,Day\nA\0B,Faro,1\nZoé,Århus,3\n", "cp1252", False),
        ("Jméno,Město,Den\nJiří,Plzeň,úterý\n", "cp1250", False),
        ("Név,Város,Nap\nErdős,Győr,kettő\n", "iso8859-2", False),
        ("Nume,Oraş,Zi\nIon,Bacău,fără\n", "cp1250", False),
        ("Vardas,Miestas,Diena\nŽydrūnas,Šiauliai,ačiū\n", "cp1257", False),
        ("Όνομα,Πόλη,Ημέρα\nΝίκος,Αθήνα,2\n", "cp1253", False),
        ("Имя,Город,Дом\nИван,Москва,2\n", "koi8-r", False),
        ("名前,町,日\n田中,東京,2\n", "shift_jis", False),
        ("Nom,Prix,Jours\nmodèle,5,2\n", "cp1252", False),  # in Czech it would be a word as well
    ],
)
def test_windows_1252_is_read_where_it_can_be_nothing_else(
    text: str, encoding: str, is_read: bool
) -> None:
    if is_read:
        assert texts(parsed(text.encode(encoding))) == texts(parsed(text))
    else:
        with pytest.raises(UnreadableDocument, match="save it as UTF-8"):
            parsed(text.encode(encoding))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b",,,\n,,\n", "holds no values"),
        ("Имя,Город,Дом\nИван,Москва,2\n".encode("cp1251"), "not text in utf-8"),
        (b'a,b,c\n1,"2,3\n4,5,6\n', "at line 2"),
        (b'a,b,c\n1,"2" x,3\n', "at line 2"),
        (b"a,b,c\n1,2," + b"x" * 200_000, "at line 2"),
    ],
)
def test_what_cannot_be_read_says_why_and_what_to_do(content: bytes, reason: str) -> None:
    with pytest.raises(UnreadableDocument, match=rf"{reason}.*;") as refused:
        parsed(content)
    assert len(str(refused.value)) < 300


def test_too_many_values_are_refused() -> None:
    with pytest.raises(UnreadableDocument, match=r"1,000,000 values.*split it"):
        parsed(b",".join([b"1"] * 1_001) + b"\n" + (b",".join([b"2"] * 1_001) + b"\n") * 1_000)


def test_front_matter_in_a_format_that_has_none_keeps_it_from_everyone() -> None:
    with pytest.raises(BadMetadata, match="`audience: "):
        whose(parsed("---\naudience: {departments: [hr]}\n---\nName,Salary,Grade\nAnn,50000,7\n"))


LETTERS = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters=";|")
"""But for what may part values, too: of `|,|` nobody can tell which does."""
values = st.text(LETTERS, max_size=8) | st.sampled_from(
    ['a "b" c', "x,y", "one\ntwo", "1", "", " spaced ", '"']
)


@given(st.lists(st.lists(values, min_size=2, max_size=4), min_size=1, max_size=6))
def test_every_cell_stands_where_it_is_said_to(rows: list[list[str]]) -> None:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    source = buffer.getvalue()
    try:
        document = parsed(source)
    except UnreadableDocument as error:
        assert "hold" in str(error) or "empty" in str(error)  # noqa: PT017  # nothing to read
        return
    opened = list(csv.reader(io.StringIO(source)))
    lines = source.split("\n")
    for sentence in sentences(document):
        assert sentence.cells
        for cell in sentence.cells:
            letters, row = coordinate_from_string(cell.reference)
            value = opened[row - 1][column_index_from_string(letters) - 1]
            assert sentence.text[cell.start : cell.end] in folded(value)
        assert sentence.line_start is not None
        assert sentence.line_end is not None
        place = "\n".join(lines[sentence.line_start - 1 : sentence.line_end])
        assert document.source[sentence.char_start : sentence.char_end] in place
