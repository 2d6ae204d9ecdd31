"""A library that is asked about itself, of whose documents not everybody may read all."""

from datetime import date, timedelta
from functools import partial

from fakes import WordsEmbedder
from shelves import Shelves

from bot.access.people import Person
from bot.access.reading import readable
from bot.answering.library.asking import LibraryAnswers
from bot.answering.library.documents import Comparison, Summaries
from bot.answering.pipeline import AnsweringPipeline
from bot.answering.writers.port import Writer
from retrieval.language.meanings import LibraryQuestions
from retrieval.metadata.ontology import load_ontology
from retrieval.models.embedders import BundledEmbedder
from retrieval.search.catalogue import Catalogue
from retrieval.types import AccessRule, Metadata

TODAY = date.today()
ASKED = LibraryQuestions(BundledEmbedder())
CS = AccessRule((("departments", ("cs",)),))
ANA = Person("ana", "Ana", "", {"departments": frozenset({"cs"})})
TRAVEL = Metadata(subtype="policy", owner="travel@example.org", effective=date(2026, 1, 1))
SECRET = Metadata(subtype="policy", owner="secret@example.org", access=CS)
OVER = Metadata(subtype="policy", access=AccessRule(valid_to=TODAY - timedelta(days=1)))


def filled(shelves: Shelves, *, hidden: bool = False) -> Shelves:
    hotels = "Hotels may cost 135 EUR a night."
    shelves.add("travel", hotels, metadata=TRAVEL, title="Travel policy")
    sections = (("Parking",), ("Keys",))
    texts = "Permits cost nothing, 0.9.", "Keys are kept by the porter."
    shelves.add("campus", *texts, sections=sections, title="Campus guide")
    if hidden:
        for title in ("Expenses policy", "Leave policy", "Travel policy", "Parking"):
            shelves.add(f"secret {title}", "Leave and travel.", metadata=SECRET, title=title)
            shelves.add(f"over {title}", "Leave and travel.", metadata=OVER, title=title)
    return shelves


def library_answers(
    shelves: Shelves,
    pipeline: AnsweringPipeline,
    writer: Writer | None = None,
    *,
    falls_back: bool = False,
) -> LibraryAnswers:
    """What answers from it, with the checks of a pipeline; `writer`: sums documents up."""
    of_library = partial(readable, shelves.library)
    parts = shelves.library, shelves.index, WordsEmbedder(), of_library, load_ontology()
    shelf = Catalogue(*parts, 1.0, 1.0)
    checks = pipeline.verification, pipeline.gate
    summed_up = Summaries(*checks, writer, falls_back)
    compared = Comparison(
        ASKED.is_around, shelf, pipeline.evidence.search, pipeline.writer, *checks
    )
    return LibraryAnswers(ASKED, shelf, summed_up, compared)
