"""`vouch lab check-documents` tells what would be read of a folder, and proves where it stands."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.console import Terminal, progress_bar
from bot.cli.container import open_container
from bot.errors import WrongUse
from bot.wording import documents
from bot.wording.names import listed

if TYPE_CHECKING:
    from retrieval.types import HiddenText, Passage


def check_documents(folder: Annotated[Path, typer.Argument(help="A folder of documents.")]) -> None:
    """Prove on a folder that passages stand where they say; list what is not read or not shown."""
    from bot.lab.proof.folder import prove
    from bot.wiring.retrieval import build_parsing

    if not folder.is_dir():
        raise WrongUse(f"{folder} is no folder.")
    console = Terminal()
    container = open_container()
    with (
        progress_bar(Terminal(stderr=True), f"Checking {folder}") as progress,
        build_parsing(container.settings) as apart,
    ):
        ontology = container.stores.ontology
        proof = prove(folder, ontology, progress, apart.parse, notice=_kept_out)
    console.print(
        f"{proof.documents} documents, {proof.passages} passages, {proof.sentences} sentences"
    )
    for fault in proof.faults:
        console.print(f"{fault.file} {fault.reason}", style="red")
    for problem in proof.left_out:
        console.print(f"Left out: {problem.file} {problem.reason}", style="yellow")
    for document in proof.unread:
        said = f"Read in part: of {document.file} {document.reason}"
        console.print(said, style="yellow")
    if proof.foreign:
        foreign = documents.not_in_english(listed(proof.foreign, most=5))
        console.print(foreign, style="yellow")
    hidden = (f"{file}: {said}" for file, pieces in proof.hidden for said in _hidden_in(pieces))
    for said in (*hidden, *proof.notices):
        console.print(said, style="yellow")
    for line in _LOOKED_FOR:
        console.print(line)
    if proof.faults:
        sys.exit(1)
    console.print("Every quote stands verbatim at its place.")


_LOOKED_FOR = (
    "Looked for hidden text by:",
    "  HTML and Markdown: `hidden`, closed dialogs, the usual classes for screen readers, and what "
    "styles in the file say of display, visibility, opacity, size, colour, place, clipping and "
    "lines through text; what of a style may hide and is not followed is told with its text",
    "  PDF: render mode, opacity, size, colour against what is painted behind, what is painted "
    "over it, the edges of pages and clips, and whether the page as it is drawn shows anything",
    "  Word: text and rows marked as hidden, size, width, colour against shading, frames, boxes, "
    "tables and paragraphs off the page or without room, what is struck out, by styles too",
    "  Excel: hidden sheets, rows and columns, sizes, cells under others, colour against the "
    "cell's, what is struck out, formats that show nothing, comments",
    "  PowerPoint: hidden slides and shapes, shapes off the slide, size, opacity, colour against "
    "what is behind, what is struck out, speaker notes, comments",
    "  OpenDocument and Rich Text: text, rows and columns marked as hidden, size, colour against "
    "what is behind, what is struck out, comments, speaker notes",
    "  EPUB: as HTML, by style sheets in the book too, and chapters out of the reading order",
    "Not proven: places in Office files of before 2007, which LibreOffice makes anew, and in what "
    "is attached to a message and is no text; of OpenDocument and Rich Text it is only looked "
    "whether the words stand in the file, in their order",
    "Not looked for: what scripts do, style sheets in other files, fonts without letters, web text "
    "under other elements, Word text under a picture, and whether pictures show what their "
    "descriptions say",
)


def _hidden_in(pieces: Sequence["HiddenText"]) -> Iterator[str]:
    """What was left out of a file, and what in it is for a person to look at."""
    for intro, left_out in (("left out as hidden", True), ("may be hidden, is read", False)):
        held = [piece for piece in pieces if piece.left_out == left_out]
        if held:
            first = held[0]
            count = f"{len(held)} piece{'s' if len(held) > 1 else ''}"
            yield f"{intro}: {count}, first: {first.where} ({first.way}): {_short(first.text)}"


def _kept_out(file: str, passage: "Passage") -> Iterator[str]:
    """Its sentences that no reply shows, and names that nothing goes by, each with why."""
    from bot.answering.anchors import kept_out
    from retrieval.language.steering import sign_in

    for name in (passage.document.title, *passage.section_path):
        if named := sign_in(" ".join(name.split())):
            yield documents.not_named(file, named, _short(name))
    for number, sign in sorted(kept_out(passage).items()):
        where = passage.place(number, number).in_words(file)
        yield documents.kept_out(where, sign, _short(passage.sentences[number].text))


def _short(text: str, most: int = 80) -> str:
    return repr(text if len(text) <= most else f"{text[: most - 1]}…")
