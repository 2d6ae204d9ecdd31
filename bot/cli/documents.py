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
    from bot.access.names import similar_files
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
        raise UnknownDocument(wording.unknown_document(file, similar_files(file, library)))
    if as_json:
        print_json([_as_json(each) for each in found])
        return
    console = Terminal()
    for access in found:
        for line in _lines(who.name if who else wording.GUEST, access):
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


def _lines(who: str, access: "DocumentAccess") -> list[str]:
    if access.kept_out:
        reasons = [wording.reason(each) for each in access.kept_out]
        return [wording.nobody_reads(access.file), *reasons]
    rule = access.rule
    start, end = (day.isoformat() if day else "" for day in (rule.valid_from, rule.valid_to))
    says = wording.may_read if access.may_read else wording.may_not_read
    is_open = not rule.audience and not start and not end
    lines = [says(who, access.file)]
    lines.append(wording.for_everyone() if is_open else wording.rule(rule.audience, start, end))
    lines += [wording.stated_in(access.stated_in)] if access.stated_in else []
    lines += [wording.obstacle(who, o.key, o.wanted, o.held) for o in access.obstacles]
    return lines


def _as_json(access: "DocumentAccess") -> dict[str, object]:
    rule = access.rule
    return {
        "file": access.file,
        "source": access.source,
        "may_read": access.may_read,
        "kept_out": list(access.kept_out),
        "audience": {facet: list(values) for facet, values in rule.audience},
        "valid_from": rule.valid_from and rule.valid_from.isoformat(),
        "valid_to": rule.valid_to and rule.valid_to.isoformat(),
        "stated_in": list(access.stated_in),
        "obstacles": [
            {"key": o.key, "needs": list(o.wanted), "has": list(o.held)} for o in access.obstacles
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
    from bot.access.names import similar_files

    found = library.documents_named(named)
    if not found:
        raise UnknownDocument(wording.never_read(named, similar_files(named, library)))
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
