"""`vouch why`, `vouch purge` and `vouch glossary`: why a document is open, erasing, terms."""

import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.arguments import A_DAY, AsJson, day, utf8
from bot.cli.console import Terminal, print_json, progress_bar
from bot.cli.container import open_container_to_ask
from bot.errors import UnknownDocument, UnknownPerson, WrongUse
from bot.wording import documents as wording
from bot.wording.names import called, several_documents
from bot.wording.untrusted_text import unbroken
from retrieval.documents.port import LibraryReader

if TYPE_CHECKING:
    from bot.access.people import Person
    from bot.access.reading import DocumentAccess

GUEST = "guest"


def why(
    person: Annotated[str, typer.Argument(help="Id, e-mail or name; or `guest`.", callback=utf8)],
    file: Annotated[str, typer.Argument(help="A document's path, name or title.", callback=utf8)],
    on: Annotated[
        date | None, typer.Option(parser=day, metavar=A_DAY, help="As if asked on that day.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say why a person may, or may not, read a document."""
    from bot.access.names import near_documents
    from bot.access.reading import document_accesses

    container = open_container_to_ask()
    who = _person(container.stores.access.people, person)
    scope = container.stores.access.scope_for(who, None, on or date.today())
    library = container.stores.library
    holdings = library.holdings_like(file) or library.holdings_at(Path(file).expanduser().resolve())
    roots = {source.name: source.root for source in library.sources()}
    kept_out = library.kept_out()
    found = list(document_accesses(file, holdings, kept_out, roots, scope, wording.SUSPENDED))
    if not found:
        raise UnknownDocument(wording.unknown_document(file, near_documents(file, library)))
    if as_json:
        print_json([_as_json(each) for each in found])
        return
    console = Terminal()
    for standing in found:
        for line in _lines(who.name if who else wording.GUEST, standing):
            console.print(line, highlight=False)


def _person(people: Any, named: str) -> "Person | None":
    """Nobody of `people.yaml` where a guest is meant; somebody may be called so."""
    try:
        found: Person = people.find(named)
    except UnknownPerson:
        if named.casefold() != GUEST:
            raise
        return None
    return found


def _lines(who: str, standing: "DocumentAccess") -> list[str]:
    if standing.kept_out:
        reasons = [wording.reason(each) for each in standing.kept_out]
        return [wording.nobody_reads(standing.file), *reasons]
    rule = standing.rule
    start, end = (day.isoformat() if day else "" for day in (rule.valid_from, rule.valid_to))
    says = wording.may_read if standing.may_read else wording.may_not_read
    is_open = not rule.audience and not start and not end
    lines = [says(who, standing.file)]
    lines.append(wording.for_everyone() if is_open else wording.rule(rule.audience, start, end))
    lines += [wording.stated_in(standing.stated_in)] if standing.stated_in else []
    lines += [wording.obstacle(who, o.key, o.wanted, o.held) for o in standing.obstacles]
    return lines


def _as_json(standing: "DocumentAccess") -> dict[str, object]:
    rule = standing.rule
    return {
        "file": standing.file,
        "source": standing.source,
        "may_read": standing.may_read,
        "kept_out": list(standing.kept_out),
        "audience": {facet: list(values) for facet, values in rule.audience},
        "valid_from": rule.valid_from and rule.valid_from.isoformat(),
        "valid_to": rule.valid_to and rule.valid_to.isoformat(),
        "stated_in": list(standing.stated_in),
        "obstacles": [
            {"key": o.key, "needs": list(o.wanted), "has": list(o.held)} for o in standing.obstacles
        ],
    }


def purge(
    document: Annotated[
        str, typer.Argument(help="A document's id, path, name or title.", callback=utf8)
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Erase all versions of a document; it stays out until its file changes."""
    from bot.wiring.given_answers import publish_answers
    from bot.wiring.given_files import take_back
    from bot.wiring.sources import copy_gone

    container, console = open_container_to_ask(), Terminal(stderr=True)
    document_id, named = _meant(container.stores.library, document)
    if not yes and not typer.confirm(wording.sure_to_erase(named), err=True):
        raise WrongUse(wording.NOTHING_ERASED)
    source = container.stores.library.history(document_id)[-1].source
    roots = {each.name: Path(each.root) for each in container.stores.library.sources()}
    if source in roots:
        take_back(container.home, roots[source] / named)
    with copy_gone(container, source) as url, progress_bar(console, "Embedding") as progress:
        erased = container.ingest.purge(document_id, progress)
    publish_answers(container)  # one may rest on it
    console.print(wording.erased(erased.file, erased.versions, erased.passages))
    for file in erased.also_stands_as:
        console.print(wording.also_stands_as(file), style="yellow")
    if url:
        console.print(wording.stands_elsewhere(url), style="yellow")
    console.print(wording.RECORDS_STAY)


def _meant(library: LibraryReader, named: str) -> tuple[str, str]:
    """Return the id and the file of the one document that is meant."""
    from bot.access.names import near_documents

    found = library.documents_named(named)
    if not found:
        raise UnknownDocument(wording.never_read(named, near_documents(named, library)))
    if len(found) > 1:
        raise WrongUse(several_documents(named, [called(*each) for each in found.items()]))
    return next(iter(found.items()))


def glossary() -> None:
    """Print abbreviations that the documents explain, for a file that VOUCH_GLOSSARY names."""
    from bot.wiring.retrieval import glossary_of
    from retrieval.language.glossary import as_yaml, proposals

    container = open_container_to_ask()
    found = proposals(container.stores.library.all_passages(), glossary_of(container.settings))
    lines = (
        as_yaml(each.term, each.others) + wording.explained_in(unbroken(each.file))
        for each in found
    )
    said = [wording.GLOSSARY_HEADING if found else wording.NO_ABBREVIATION, *lines]
    sys.stdout.write("".join(f"{line}\n" for line in said))
