"""Files that administrators gave in Slack, as documents of a source of their own.

Each stands in the home in a folder that is named by who may read it, and says so in its
`metadata.yaml`: so it gets its place and its readers at once, whatever it is called, and an ingest
reads it as any other file. What this machine never had of them is brought back from the library.
"""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Event

import yaml

from audit.durable import replace_durably, sync_folder
from audit.teams import team_of
from bot.access.people import LiveAccess
from bot.errors import JobFailed
from bot.jobs.ingesting import Finished, run_command
from bot.slack.given_files import GivenFiles, Outcome, audience_of, key_of
from bot.wording import reading_in as wording
from retrieval.documents.port import LibraryReader
from retrieval.ingest.sources import ToRead
from retrieval.metadata.access import TEAM, Audience
from retrieval.metadata.metadata_file import METADATA_FILE, mistaken_for_metadata

SOURCE = "given-files"
"""The source's name, and that of its folder in the home."""


@dataclass(frozen=True, slots=True)
class GivenFolder:
    """Puts files in their places, and has them read in."""

    home: Path
    library: LibraryReader
    run: Callable[[Sequence[str], Event], Finished] = run_command

    @property
    def root(self) -> Path:
        return self.home.absolute() / SOURCE

    @property
    def work(self) -> Path:
        """Return what no ingest looks into: what is given, and what is being put in place."""
        return self.root / ".given"

    def __call__(self, given: GivenFiles, files: Mapping[str, bytes]) -> list[Outcome]:
        """Read files in, by name; of one that is not read nothing stays, and what it replaced does.

        Raise `JobFailed` where another attempt may help, and `OSError`; it may be done again.
        """
        self.make_whole()
        place = self.work / given.given_id
        told = {name: self._placed(place, name, files[name], given.audience) for name in files}
        if placed := [name for name, each in told.items() if each is None]:
            said = self._ingest()
            told |= {name: self._read(given.audience, name, files[name], said) for name in placed}
        outcomes = [each for each in told.values() if each]
        if refused := [each.name for each in outcomes if each.why and each.name in placed]:
            for name in refused:
                self._undo(place, name)
            said = self._ingest()
            if any(self._why(given.audience, name) for name in refused):
                raise JobFailed(said)
        shutil.rmtree(place, ignore_errors=True)
        standing = [each.relative_to(self.root).as_posix() for each in self._files()]
        replace_durably(self._standing, json.dumps(standing).encode())
        return outcomes

    def make_whole(self) -> None:
        """Bring back what the library has, and never stood here: in a new home, or beside another.

        What stood here, and was taken away by hand, stays away. Raise `OSError`, or `JobFailed`
        where something stands here of which nobody was asked who may read it.
        """
        self.work.mkdir(mode=0o700, parents=True, exist_ok=True)
        stood = json.loads(self._standing.read_bytes()) if self._standing.exists() else ()
        for each in self.root.glob("[!.]*"):
            readers = audience_of(each.name) if each.is_dir() else None
            if readers is None:
                raise JobFailed(f"{each} is in no folder that is named by readers: move it away.")
            self._say_readers(readers)
        for file, held in self.library.holdings(SOURCE).items():
            audience, document = audience_of(file.partition("/")[0]), held.document
            if file in stood or audience is None or (self.root / file).exists():
                continue
            original = self.library.original(document.document_id, document.version)
            if original is not None:
                self._say_readers(audience)
                replace_durably(self.root / file, original)

    @property
    def _standing(self) -> Path:
        return self.work / "standing.txt"

    def _placed(self, place: Path, name: str, content: bytes, audience: Audience) -> Outcome | None:
        """Put one file where it belongs, and others of its name aside; return why it cannot be."""
        target, staged = self.root / key_of(audience) / name, place / "new" / name
        replace_durably(staged, content)
        if mistaken_for_metadata(staged.parent):
            staged.unlink()
            return Outcome(name, wording.LIKE_METADATA)
        self._say_readers(audience)
        for old in self._files(name):
            aside = place / "before" / old.relative_to(self.root)
            if old != target or old.read_bytes() != content:  # else an attempt before put it there
                aside.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                old.replace(aside)
        staged.replace(target)
        sync_folder(target.parent)
        return None

    def _say_readers(self, audience: Audience) -> None:
        """Say it once for a folder; raise `JobFailed` where that says something else by now.

        As may be by hand, or where a file system takes two names of folders for one.
        """
        path = self.root / key_of(audience) / METADATA_FILE
        said = {"audience": {facet: list(values) for facet, values in audience} or "everyone"}
        if not path.exists():
            replace_durably(path, yaml.safe_dump({"*": said}, allow_unicode=True).encode())
        if yaml.safe_load(path.read_bytes()) != {"*": said}:
            raise JobFailed(f"{path} does not say what its folder's name does: move that away.")

    def _files(self, name: str = "") -> list[Path]:
        """Return all that stand there, or those of one name."""
        return [each for each in _standing_in(self.root) if name in ("", each.name)]

    def _ingest(self) -> str:
        """Read all of it in a process of its own, so that answers stay fast; its last words."""
        known = any(each.name == SOURCE for each in self.library.sources())
        readers = () if known else ("--for", "everyone")  # of whom each folder names some
        words = ("ingest", str(self.root), "--source", SOURCE, *readers)
        return self.run(words, Event()).last_words

    def _read(self, audience: Audience, name: str, content: bytes, said: str) -> Outcome:
        """Return what the library knows of it since; `said`: by the ingest, if it failed."""
        file = f"{key_of(audience)}/{name}"
        held = self.library.holdings(SOURCE).get(file)
        if held and not held.suspended and held.fingerprint.sha256 == sha256(content).hexdigest():
            passages = len(self.library.passage_ids([held.document.document_id]))
            readers = held.document.metadata.access.audience
            return Outcome(name, passages=passages, readers=readers, path=self.root / file)
        if why := self._why(audience, name):
            return Outcome(name, why)
        raise JobFailed(said)

    def _why(self, audience: Audience, name: str) -> str:
        """Return why it is kept out; empty where it is not."""
        meant = (SOURCE, f"{key_of(audience)}/{name}")
        noted = self.library.kept_out()
        return next((each.reason for each in noted if (each.source, each.file) == meant), "")

    def _undo(self, place: Path, name: str) -> None:
        for each in self._files(name):
            each.unlink()
        for aside in (place / "before").glob("*/*"):
            if aside.name == name:
                aside.replace(self.root / aside.relative_to(place / "before"))


def here(home: Path, library: LibraryReader) -> ToRead:
    """Return where they stand in this home, once what was lacking is there."""
    folder, problem = GivenFolder(home, library), ""
    try:
        folder.make_whole()
    except (OSError, JobFailed) as error:
        problem = str(error)
    return ToRead(SOURCE, folder.root, problem, moved=True)


def _standing_in(root: Path) -> list[Path]:
    return sorted(each for each in root.glob("[!.]*/[!.]*") if each.name != METADATA_FILE)


def take_back(home: Path, gone: Path) -> None:
    """Remove what was given of a path whose documents are to leave: no ingest reads it again."""
    below = gone.expanduser().resolve()
    for file in _standing_in(home.resolve() / SOURCE):
        if file.is_relative_to(below):
            file.unlink()


def values_held(access: LiveAccess, facets: Sequence[str]) -> dict[str, list[str]]:
    """Return the values of each facet that somebody, or a channel, of the home's workspace has."""
    held = [
        *(who.facets for who in access.people.by_id.values() if not who.team),
        *(of for channel, of in access.channels.by_id.items() if not team_of(channel)),
        *access.usergroups.facets.values(),
    ]
    return {
        facet: sorted({value for each in held for value in each.get(facet, ())})
        for facet in facets
        if facet != TEAM
    }
