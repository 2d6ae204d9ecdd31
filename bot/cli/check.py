"""`vouch check` tells whether everything is in place, and what to do where it is not."""

import sys

from bot.cli.connection_checks import Check, slack_checks, web_checks
from bot.cli.console import Terminal
from bot.cli.container import open_container
from bot.errors import BadConfiguration, BotError, EmptyLibrary
from bot.settings import Settings
from bot.wiring import Container
from bot.wiring.container import Stores
from bot.wording import EMPTY_LIBRARY, log_proofs
from bot.wording import documents as wording


def check() -> None:
    """Look at settings, people, models, stores and Slack; exit status 1 if one fails."""
    container = open_container()  # a bad setting ends here, named
    checks: list[tuple[str, Check]] = [
        ("settings", _settings),
        ("people and channels", _people),
        ("embedder", _embedder),
        ("reranker", _reranker),
        ("entailment", _entailment),
        ("calibration", _calibration),
        ("writer", _writer),
        ("glossary", _glossary),
        ("library", _library),
        ("sources", _sources),
        ("index", _index),
        ("audit store", _audit),
        ("inbox", _inbox),
        ("jobs", _jobs),
        *slack_checks(container),
        *web_checks(container),
    ]
    findings = [(what, *_checked(each, container)) for what, each in checks]
    console = Terminal()
    for what, ok, detail in findings:
        mark, style = ("ok  ", "green") if ok else ("FAIL", "red")
        console.print(f"{mark} {what}: {detail}", style=style)
    _print_kept_out(container.stores, console)
    if not all(ok for _, ok, _ in findings):
        sys.exit(1)


def _print_kept_out(stores: Stores, console: Terminal) -> None:
    """No failure of Vouch: the ingest that kept them out has said so with its status."""
    from retrieval.errors import LibraryUnavailable

    try:
        kept_out = stores.library.kept_out()
    except LibraryUnavailable:
        return  # told above
    if kept_out:
        console.print(wording.kept_out_heading(len(kept_out)), style="yellow")
    for each in kept_out:
        console.print(f"  {each.file} {each.reason} ({each.source})", style="yellow")


def _checked(found: Check, container: Container) -> tuple[bool, str]:
    from audit.errors import AuditError
    from retrieval.errors import RetrievalError

    try:
        return True, found(container)
    except (BotError, RetrievalError, AuditError) as error:
        return False, str(error)


def _settings(container: Container) -> str:
    return f"home {container.home.resolve()}, writer {container.settings.writer}"


def _people(container: Container) -> str:
    access = container.stores.access
    return f"{len(access.people)} people, {len(access.channels)} channels"


def _embedder(container: Container) -> str:
    embedder = container.models.named.embedder
    place = container.models.named.place("embedder")
    embedder.embed(["a look whether it works"])
    return f"{embedder.name}, {place}, {embedder.dimension} dimensions"


def _reranker(container: Container) -> str:
    models = container.models.named
    place = models.place("reranker")
    models.cross_encoder.logits([("does it work?", "It works.")])
    small = f"{models.cross_encoder.name}, {place}"
    if listwise := container.models.listwise_reranker:
        return f"{small}; then {listwise.name} at {_server_of(container.settings)}"
    return small


def _entailment(container: Container) -> str:
    from retrieval.ports import EntailmentPair

    if container.settings.checks_by_language_model:
        return f"{container.models.entailment.name} at {_server_of(container.settings)}"
    place = container.models.named.place("entailment")
    container.models.entailment.supported([EntailmentPair("It works.", "It works.")])
    return f"{container.models.entailment.name}, {place}"


def _calibration(container: Container) -> str:
    fitted = container.models.fitted
    if fitted.misfit:
        raise BadConfiguration(fitted.misfit)
    return f"{fitted.calibration.name}, {fitted.note or 'fitted with these models and this writer'}"


def _writer(container: Container) -> str:
    from bot.wiring.answering import build_writer

    settings = container.settings
    if settings.writer == "openai":
        if not settings.openai_api_key.get_secret_value():
            raise BadConfiguration("The openai writer has no key. Set VOUCH_OPENAI_API_KEY.")
        return f"openai, {settings.openai_model} at {_server_of(container.settings)}"
    return build_writer(container.models).name


def _server_of(settings: Settings) -> str:
    return str(settings.openai_base_url or "OpenAI")


def _glossary(container: Container) -> str:
    from bot.wiring.retrieval import glossary_of

    terms = len(glossary_of(container.settings).terms)
    return f"{terms} terms" if terms else "none (VOUCH_GLOSSARY names one)"


def _library(container: Container) -> str:
    from retrieval.errors import PassageChanged

    if broken := container.stores.library.broken():
        raise PassageChanged(
            f"{len(broken)} documents are not as they were stored, so they are not quoted: "
            f"{', '.join(sorted(broken.values())[:5])}. Somebody changed the library behind "
            "Vouch's back. Run `vouch ingest --seals` on their folders, which reads them anew."
        )
    counts = container.stores.library.counts()
    if not counts["documents"]:
        raise EmptyLibrary(EMPTY_LIBRARY)
    return f"{counts['documents']} documents, {counts['passages']} passages"


def _sources(container: Container) -> str:
    from bot.wiring.sources import groups_in

    groups_in(container.home / "people.yaml", container.stores.ontology)
    known = container.stores.library.sources()
    if unsaid := [each for each in known if each.audience is None]:
        to_say = (
            wording.unsaid(each.name, (each.url or each.root) if each.whole else "")
            for each in unsaid
        )
        raise BadConfiguration(" ".join(f"{each}." for each in to_say))
    said = [f"{each.name} for {wording.who(each.audience or ())}" for each in known]
    return "; ".join(said) or "none yet"


def _index(container: Container) -> str:
    from retrieval.errors import IndexUnavailable
    from retrieval.search.completeness import whole_difference

    models = container.models.named
    for which in models.settings:
        if which.startswith("embedder"):
            models.place(which)  # opening the index would fetch one that is not here
    found = whole_difference(container.stores.library, container.index)
    if found.missing or found.surplus:
        raise IndexUnavailable(
            f"{len(found.missing)} passages are missing from the index and "
            f"{len(found.surplus)} are too many. Run `vouch ingest` on any folder to mend it."
        )
    return f"{container.index.count()} passages in {container.index.name}"


def _audit(container: Container) -> str:
    from bot.wiring.audit import key_is_apart, key_is_missing
    from bot.wiring.observing import make_audit

    make_audit(container)
    if key_is_missing(container.settings):
        raise BadConfiguration(log_proofs.KEY_MISSING)
    with container.stores.audit_reader as reader:
        found = "holds records" if reader.find().records else "is ready and empty"
    return f"{found}; {log_proofs.KEY_OF_THE_HOME}" if key_is_apart(container.settings) else found


def _inbox(container: Container) -> str:
    from bot.wiring.observing import demand_inbox

    return "can be written" if demand_inbox(container.settings) else "is made at the first start"


def _jobs(container: Container) -> str:
    from bot.wiring.jobs import demand_jobs

    jobs = demand_jobs(container)
    planned = [f"{job.name} {job.schedule.stated}" for job in jobs if job.schedule]
    zone = container.settings.jobs_time_zone
    return f"{'; '.join(planned)} ({zone})" if planned else "all are off"
