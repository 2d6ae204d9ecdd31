"""Files that administrators gave in Slack: each choice of readers is a source of its own."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Event

from audit.engines import replace_durably
from audit.values import team_of
from bot.access.people import LiveAccess
from bot.errors import JobFailed
from bot.jobs.work import Finished, run_command
from bot.settings import Settings
from bot.slack.attachments import FetchPosted
from bot.slack.channels import ChannelRules
from bot.slack.given_files import (
    FetchedFile,
    FileOutcome,
    GivenFiles,
    GivenQueue,
    ReadInStep,
    check_name,
    folder_of,
    said_as,
)
from bot.slack.reading_in import ReadIn
from bot.wiring.container import Container
from bot.wiring.retrieval import build_attachment_reader
from bot.wiring.slack_clients import downloads, slack_client
from bot.wording import reading_in as wording
from retrieval.documents.holdings import KnownSource
from retrieval.documents.locks import LockFile
from retrieval.documents.port import LibraryReader
from retrieval.metadata.access import TEAM, Audience, narrowed
from retrieval.metadata.metadata_file import METADATA_FILE
from retrieval.remote.names import folded

SOURCE = "given-files"
"""The folder in the home, and what names of the sources begin with."""


@dataclass(frozen=True, slots=True)
class GivenFolder:
    home: Path
    library: LibraryReader
    run: Callable[[Sequence[str], Event], Finished] = run_command

    @property
    def root(self) -> Path:
        return _root(self.home)

    @property
    def staging(self) -> Path:
        return self.root / ".given"

    def keep(self, given: GivenFiles, name: str, content: bytes) -> None:
        replace_durably(self._kept(given, "new", name), content)

    def keep_before(self, given: GivenFiles, names: Sequence[str]) -> None:
        """Keep what these would replace, before any is put in place."""
        shutil.rmtree(self.staging / given.given_id / "before", ignore_errors=True)
        for name in names:
            path = self._place(given.audience, name)
            held = self.library.holdings(_source(given.audience)).get(name)
            content = path.read_bytes() if path.exists() else None
            if content is None and held:  # as in a new home
                content = self.library.original(held.document.document_id, held.document.version)
            if content is not None:
                replace_durably(self._kept(given, "before", name), content)

    def read(self, given: GivenFiles, file: FetchedFile) -> FileOutcome:
        """Read a file in, or leave all as it was; raise `JobFailed` if trying again may help."""
        path, new = self._place(given.audience, file.name), self._kept(given, "new", file.name)
        why, said, is_kept = self._obstacle(given.audience), "", new.exists()
        if is_kept and not why:
            replace_durably(path, new.read_bytes())
            said = self._ingest(given.audience, path)
        if not why and self._holds(given.audience, file.name, file.sha256):
            self._remove(self._others(path))
            held = self.library.holdings(_source(given.audience))[file.name]
            passages = len(self.library.passage_ids([held.document.document_id]))
            readers = held.document.metadata.access.audience
            return FileOutcome(file.name, passages=passages, readers=readers, path=path)
        why = why or (self._why(given.audience, file.name) if is_kept else wording.TAKEN_BACK)
        if not why:
            raise JobFailed(said)
        self.undo(given, file.name)
        return FileOutcome(file.name, why)

    def undo(self, given: GivenFiles, name: str) -> None:
        """Have it as it was before; raise as `read`, once the new file is out of its place."""
        path, before = self._place(given.audience, name), self._kept(given, "before", name)
        path.unlink(missing_ok=True)
        if not before.exists():
            self._remove([path])
            return
        content = before.read_bytes()
        replace_durably(path, content)
        said = self._ingest(given.audience, path)
        known = self._holds(given.audience, name, sha256(content).hexdigest())
        if not known and not self._why(given.audience, name):
            raise JobFailed(said)

    def forget(self, given: GivenFiles) -> None:
        shutil.rmtree(self.staging / given.given_id, ignore_errors=True)

    def _kept(self, given: GivenFiles, what: str, name: str) -> Path:
        return self.staging / given.given_id / what / name

    def _place(self, audience: Audience, name: str) -> Path:
        return self.root / folder_of(audience) / name

    def _obstacle(self, audience: Audience) -> str:
        """Return why nothing can be read for these alone: what stands there is another source's."""
        name, folder = _source(audience), self.root / folder_of(audience)
        for each in self.library.sources():
            at = Path(each.root)
            if not each.root or each.url or (each.name == name and at == folder):
                continue
            is_taken = each.name == name and not _is_given(self.root, each)
            if is_taken or folder.is_relative_to(at):
                return wording.NOT_APART
        alike = [each.name for each in self.root.glob("[!.]*") if each.name != folder.name]
        return wording.NOT_APART if folded(folder.name) in map(folded, alike) else ""

    def _ingest(self, audience: Audience, path: Path) -> str:
        """Read one file in a process of its own, so that answers stay fast; its last words."""
        readers = [word for each in said_as(audience) for word in ("--for", each)]
        words = ("ingest", str(path), "--source", _source(audience), *readers)
        return self.run(words, Event()).last_words

    def _remove(self, paths: Sequence[Path]) -> None:
        for path in paths:
            said = self.run(("ingest", "--remove", str(path)), Event()).last_words
            if path.exists() or path in self._documents(path.name):
                raise JobFailed(said)

    def _others(self, path: Path) -> list[Path]:
        standing = (each for each in self.root.glob("[!.]*/*") if each.name == path.name)
        return sorted({*standing, *self._documents(path.name)} - {path})

    def _documents(self, name: str) -> Iterator[Path]:
        for each in self.library.sources():
            if _is_given(self.root, each) and name in self.library.holdings(each.name):
                yield Path(each.root) / name

    def _holds(self, audience: Audience, name: str, content: str) -> bool:
        held = self.library.holdings(_source(audience)).get(name)
        if held is None or held.suspended or held.fingerprint.sha256 != content:
            return False
        readers = held.document.metadata.access.audience
        return narrowed(audience, readers) == readers

    def _why(self, audience: Audience, name: str) -> str:
        noted, meant = self.library.kept_out(), (_source(audience), name)
        return next((each.reason for each in noted if (each.source, each.file) == meant), "")


def _root(home: Path) -> Path:
    return (home / SOURCE).resolve()


def _source(audience: Audience) -> str:
    return f"{SOURCE}/{folder_of(audience)}"


def _is_given(root: Path, source: KnownSource) -> bool:
    """Tell whether it is of given files: of this home, or of one that is gone."""
    at = Path(source.root)
    was = at.parent.name == SOURCE and source.name == f"{SOURCE}/{at.name}" and not at.exists()
    return at.parent == root or was


def lacking(home: Path, library: LibraryReader) -> list[str]:
    """Return sources of given files of which not all stands in this home, as in a new one."""
    given = (each for each in library.sources() if _is_given(_root(home), each))
    return [
        each.name
        for each in given
        if not all((Path(each.root) / file).exists() for file in ("", *library.holdings(each.name)))
    ]


def take_back(home: Path, gone: Path) -> None:
    """Remove given files, and what is kept of them, so that they do not come again."""
    root, path = _root(home), gone.expanduser().resolve()
    parts = path.relative_to(root).parts if path.is_relative_to(root) else ()
    if len(parts) not in (1, 2) or parts[0].startswith("."):
        return
    files = [path] if len(parts) == 2 else [*path.glob("[!.]*")]
    names = {each.name for each in files} - {METADATA_FILE}
    for file in (*files, *root.glob(".given/*/*/*")):
        if file.name in names and not file.is_dir():
            file.unlink(missing_ok=True)


def values_held(access: LiveAccess, facets: Sequence[str]) -> dict[str, list[str]]:
    """Return the values of each facet that somebody, or a channel, of the home's workspace has."""
    held = [
        *(who.facets for who in access.people.by_id.values() if not who.team),
        *(of for channel, of in access.channels.by_id.items() if not team_of(channel)),
        *(of for name, of in access.usergroups.facets.items() if not team_of(name)),
    ]
    return {
        facet: sorted({value for each in held for value in each.get(facet, ())})
        for facet in facets
        if facet != TEAM
    }


def read_in_step(container: Container, rules: ChannelRules) -> ReadInStep:
    client, stores = slack_client(container), container.stores
    folder = GivenFolder(container.home, stores.library)
    return ReadInStep(
        client,
        GivenQueue(folder.staging),
        rules.people,
        FetchPosted(client, downloads(container), _check_given(container.settings)),
        folder,
        stores.audit_writer.append,
        LockFile(folder.staging / "turn.lock"),
        partial(datetime.now, UTC),
    )


def read_in(container: Container, rules: ChannelRules) -> ReadIn:
    stores = container.stores
    return ReadIn(
        GivenQueue(GivenFolder(container.home, stores.library).staging),
        rules.people,
        rules.slack,
        stores.access.common_in,
        lambda: values_held(stores.access, stores.ontology.facets),
        _check_given(container.settings),
        partial(datetime.now, UTC),
    )


def _check_given(settings: Settings) -> Callable[[str], None]:
    reader = build_attachment_reader(settings)

    def check(name: str) -> None:
        check_name(name)
        reader.check_kind(name)

    return check
