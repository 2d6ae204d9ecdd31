"""`vouch check`: is everything in place, and what to do where it is not?"""

import sys
from collections.abc import Callable
from dataclasses import dataclass

from bot.cli.console import Terminal
from bot.cli.container import open_house
from bot.cli.slack_check import slack_looks
from bot.errors import BotError
from bot.wiring import House


@dataclass(frozen=True, slots=True)
class Finding:
    """What one look found; `detail` says what is there or what to do."""

    what: str
    ok: bool
    detail: str


def check() -> None:
    """Look at settings, people, models, stores and Slack; exit status 1 if one fails."""
    house = open_house()  # a bad setting ends here, named
    looks: list[tuple[str, Callable[[House], str]]] = [
        ("settings", _settings),
        ("people and channels", _people),
        ("embedder", _embedder),
        ("reranker", _reranker),
        ("entailment", _entailment),
        ("calibration", _calibration),
        ("writer", _writer),
        ("library", _library),
        ("index", _index),
        ("audit store", _audit),
        ("inbox", _inbox),
        *slack_looks(house),
    ]
    findings = [_look(what, look, house) for what, look in looks]
    console = Terminal()
    for finding in findings:
        mark, style = ("ok  ", "green") if finding.ok else ("FAIL", "red")
        console.print(
            f"{mark} {finding.what}: {finding.detail}", style=style, markup=False, soft_wrap=True
        )
    _print_kept_out(house, console)
    if not all(finding.ok for finding in findings):
        sys.exit(1)


def _print_kept_out(house: House, console: Terminal) -> None:
    """No failure of the house: the ingest that kept them out has said so with its status."""
    from bot.wording import standing as wording
    from retrieval.errors import LibraryUnavailable

    try:
        kept_out = house.library.kept_out()
    except LibraryUnavailable:
        return  # told above
    if kept_out:
        console.print(wording.kept_out_heading(len(kept_out)), style="yellow")
    for each in kept_out:
        said = f"  {each.file} {each.reason} ({each.root})"
        console.print(said, style="yellow", soft_wrap=True)


def _look(what: str, look: Callable[[House], str], house: House) -> Finding:
    from audit.errors import AuditError
    from retrieval.errors import RetrievalError

    try:
        return Finding(what, True, look(house))
    except (BotError, RetrievalError, AuditError) as error:
        return Finding(what, False, str(error))


def _settings(house: House) -> str:
    return f"home {house.home.resolve()}, writer {house.settings.writer}"


def _people(house: House) -> str:
    access = house.access
    return f"{len(access.people)} people, {len(access.channels)} channels"


def _embedder(house: House) -> str:
    place = house.models.place("embedder")
    house.embedder.embed(["a look whether it works"])
    return f"{house.embedder.name}, {place}, {house.embedder.dimension} dimensions"


def _reranker(house: House) -> str:
    place = house.models.place("reranker")
    house.cross_encoder.logits([("does it work?", "It works.")])
    return f"{house.cross_encoder.name}, {place}"


def _entailment(house: House) -> str:
    from retrieval.ports import EntailmentPair

    place = house.models.place("entailment")
    house.entailment.supported([EntailmentPair("It works.", "It works.")])
    return f"{house.entailment.name}, {place}"


def _calibration(house: House) -> str:
    from bot.errors import BadConfiguration

    if house.fitted.misfit:
        raise BadConfiguration(house.fitted.misfit)
    return f"{house.fitted.calibration.name}, fitted with these models and this writer"


def _writer(house: House) -> str:
    from bot.errors import BadConfiguration

    settings = house.settings
    if settings.writer == "openai":
        if not settings.openai_api_key.get_secret_value():
            raise BadConfiguration("The openai writer has no key. Set VOUCH_OPENAI_API_KEY.")
        return f"openai, {settings.openai_model} at {settings.openai_base_url or 'OpenAI'}"
    return house.writer.name


def _library(house: House) -> str:
    from bot.errors import EmptyLibrary
    from bot.wording import EMPTY_LIBRARY

    counts = house.library.counts()
    if not counts["documents"]:
        raise EmptyLibrary(EMPTY_LIBRARY)
    return f"{counts['documents']} documents, {counts['passages']} passages"


def _index(house: House) -> str:
    from retrieval.errors import IndexUnavailable

    house.models.place("embedder")  # opening the index would fetch one that is not here
    indexed, known = house.index.ids(), house.library.passage_ids()
    if indexed != known:
        raise IndexUnavailable(
            f"{len(known - indexed)} passages are missing from the index and "
            f"{len(indexed - known)} are too many. Run `vouch ingest` on any folder to mend it."
        )
    return f"{len(indexed)} passages"


def _audit(house: House) -> str:
    from bot.wiring.readiness import make_audit

    make_audit(house)
    with house.audit_reader as reader:
        return f"{'holds records' if reader.find().records else 'is ready and empty'}"


def _inbox(house: House) -> str:
    from bot.wiring.readiness import demand_inbox

    return "can be written" if demand_inbox(house) else "is made at the first start"
