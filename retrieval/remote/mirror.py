"""A source elsewhere, copied into a folder of the home by what changed.

The copy is never trusted alone: each refresh says of what nothing is known now, and an ingest that
follows it serves nothing of that. A refresh that was killed goes on where it stood.
"""

import shutil
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from filelock import FileLock, Timeout
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential

from retrieval.errors import BadSource, SourceShrank, SourceUnavailable, UnreadableDocument
from retrieval.ingest.indexed_library import ProgressReport
from retrieval.ingest.source_files import MEGABYTE
from retrieval.ingest.sources import Mirrored
from retrieval.metadata.access import is_for_nobody
from retrieval.metadata.metadata_file import may_be_metadata
from retrieval.ports import DocumentSource, SourceFile
from retrieval.remote.names import Plan, is_wanted, planned

ATTEMPTS = 3
PAUSE = 1.0
"""Seconds before the second attempt; the third waits twice as long."""
MOST_FAILURES = 5
"""One after another: the server is away, and is not waited for file by file."""
_TABLES = """
CREATE TABLE IF NOT EXISTS about (url TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS file (
    path TEXT PRIMARY KEY, mark TEXT NOT NULL, validator TEXT NOT NULL, size INTEGER NOT NULL
) WITHOUT ROWID;
"""
"""The size tells of a copy that a power cut emptied; -1 of what has no content here."""
_NOT_COPIED = ("", "", -1)
_T = TypeVar("_T")


class Mirror:
    """Of one source; one process at a time has its turn."""

    def __init__(
        self, folder: Path, url: str, largest_megabytes: int, pause: float = PAUSE
    ) -> None:
        """`folder` is its own, in the home; it need not exist. `url` is where the source lives."""
        self.files = folder / "files"
        self._folder, self._url, self._pause = folder, url, pause
        self._megabytes = largest_megabytes

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the mirror until it is read in. Raise `SourceUnavailable` where another has it."""
        self.files.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = FileLock(self._folder / "lock", timeout=0, mode=0o600)
        try:
            lock.acquire()
        except Timeout:
            why = "is being read by another process; wait for that to end"
            raise SourceUnavailable(why) from None
        try:
            yield
        finally:
            lock.release()

    def touch(self, paths: Collection[str] = ()) -> None:
        """Have the next refresh that ends well fetch these files anew, whatever their marks say."""
        self._touches.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in paths or ("",):
            part = self._touches / f".{uuid4().hex}"
            part.write_text(path, encoding="utf-8")
            part.rename(part.with_name(part.name[1:]))

    def touched(self) -> dict[Path, str]:
        """What was touched and not refreshed since, by what keeps it; empty where nothing was."""
        return {each: each.read_text(encoding="utf-8") for each in self._touches.glob("[!.]*")}

    @property
    def _touches(self) -> Path:
        return self._folder / "touched"

    def remove(self) -> None:
        """Let the copy go; a source that stays is copied anew."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def refresh(
        self,
        source: DocumentSource,
        held: Collection[str] = (),
        progress: ProgressReport = lambda *_: None,
        *,
        may_shrink: bool = False,
    ) -> Mirrored:
        """Bring the copy in line with the source, where that can be read.

        Raise `SourceUnavailable`, and then nothing of it may be read in; what was copied stays for
        the next time. `held` are the documents that the library has of it: raise `SourceShrank`
        where more than half are gone, unless it `may_shrink`.
        """
        progress(0, 0, "listing")
        touched = self.touched()
        plan = planned(self._patiently(source.listing))
        for path, file in plan.files.items():
            if (file.size or 0) > self._megabytes * MEGABYTE and is_wanted(path):
                plan.close(path, self._too_large)
        try:
            with _opened(self._folder) as state:
                _begin(state, self._url)
                gone = {*filter(None, touched.values())}
                for path in gone:
                    self._unlink(path)
                    _note(state, path, *_NOT_COPIED)
                self._forget_gone(state, plan, {*held} - gone, may_shrink=may_shrink)
                if came := self._fetch_all(state, source, plan, progress):
                    self._demand_same_readers(source, plan, came)
            for each in touched:
                each.unlink(missing_ok=True)
        except (OSError, sqlite3.Error) as error:
            why = getattr(error, "strerror", None) or type(error).__name__
            raise SourceUnavailable(f"cannot be copied into the home: {why}") from error
        audiences = {path: each.audience for path, each in plan.files.items()}
        readers = audiences if plan.tells_readers else None
        main = frozenset(path for path, each in plan.files.items() if each.main_text_only)
        return Mirrored(self._url, plan.closed, source.link, readers, main)

    @property
    def _too_large(self) -> str:
        return (
            f"has more than the {self._megabytes} MB that are read; split it, or raise "
            "VOUCH_LARGEST_MEGABYTES"
        )

    def _patiently(self, step: Callable[[], _T]) -> _T:
        """Try again what may pass by itself."""
        passing = retry_if_exception(
            lambda error: isinstance(error, SourceUnavailable) and not isinstance(error, BadSource)
        )
        waiting = wait_exponential(self._pause, min=self._pause)
        return Retrying(
            retry=passing, wait=waiting, stop=stop_after_attempt(ATTEMPTS), reraise=True
        )(step)

    def _forget_gone(
        self, state: sqlite3.Connection, plan: Plan, held: Collection[str], *, may_shrink: bool
    ) -> None:
        copied = dict(state.execute("SELECT path, size FROM file"))
        known = {*held, *(path for path, size in copied.items() if size >= 0)}
        known = {path for path in known if not may_be_metadata(path.rpartition("/")[2])}
        lost = [path for path in known - plan.files.keys() if not plan.hides(path)]
        if 2 * len(lost) > len(known) and not may_shrink:
            why = (
                f"lists {len(known) - len(lost)} of the {len(known)} documents that stood there, "
                "so nothing was removed. If the others should leave, run: vouch ingest "
                f"{self._url} --may-shrink"
            )
            if not plan.tells_readers:
                raise SourceShrank(why)
            for path in lost:
                plan.close(path, f"may be closed to whoever reads its source, which {why}")
        for path in copied.keys() - plan.files.keys():
            if not plan.hides(path):
                self._unlink(path)
                state.execute("DELETE FROM file WHERE path = ?", (path,))

    def _unlink(self, path: str) -> None:
        file = self.files / path
        file.unlink(missing_ok=True)
        with suppress(OSError):  # until one of them holds something
            for folder in file.parents[: path.count("/")]:
                folder.rmdir()

    def _fetch_all(
        self,
        state: sqlite3.Connection,
        source: DocumentSource,
        plan: Plan,
        progress: ProgressReport,
    ) -> list[str]:
        """Return what came. Metadata first: where one cannot, what is below it is closed."""
        order = sorted(plan.files, key=lambda path: (not _is_metadata(path), path))
        copied = {path: tuple(rest) for path, *rest in state.execute("SELECT * FROM file")}
        failures, came = 0, list[str]()
        for done, path in enumerate(order):
            file, (mark, validator, size) = plan.files[path], copied.get(path, _NOT_COPIED)
            if is_for_nobody(file.audience) and not _is_metadata(path):
                self._empty(state, path)
                continue
            if plan.hides(path) or not is_wanted(path):
                self._stand(state, path)
                continue
            is_whole = self._size(path) == size
            if is_whole and file.mark and file.mark == mark:
                continue
            progress(done, len(order), path)
            try:
                if failures >= MOST_FAILURES:
                    raise SourceUnavailable("is not asked for, as others before it did not come")
                self._fetch(state, source, file, validator if is_whole else "")
                failures = 0
                came.append(path)
            except UnreadableDocument as error:
                plan.close(path, str(error))
            except SourceUnavailable as error:
                failures += 1
                is_away = failures >= MOST_FAILURES and not plan.tells_readers
                if _is_metadata(path) or is_away:
                    raise SourceUnavailable(f"cannot be read at {path}, which {error}") from None
                plan.close(path, f"changed and {error}")
            if plan.hides(path):
                self._stand(state, path)
        return came

    def _demand_same_readers(
        self, source: DocumentSource, plan: Plan, came: Collection[str]
    ) -> None:
        """What came since they were told may be for others by now."""
        now, why = planned(self._patiently(source.listing)), "changed who may read it while it was"
        if _rules(now) != _rules(plan):
            raise SourceUnavailable(f"{why} copied; try again")
        for path in came if plan.tells_readers else ():
            if path not in now.files or now.files[path].audience != plan.files[path].audience:
                plan.close(path, f"{why} copied, and is served from the next reading on")

    def _stand(self, state: sqlite3.Connection, path: str) -> None:
        """Have it be known that a file stands there, whatever it holds."""
        if self._size(path) < 0:
            self._empty(state, path)

    def _empty(self, state: sqlite3.Connection, path: str) -> None:
        """Keep nothing of its content."""
        self._write()
        self._place(state, path)

    def _fetch(
        self, state: sqlite3.Connection, source: DocumentSource, file: SourceFile, validator: str
    ) -> None:
        def step() -> None:
            fetched = source.fetch(file, validator)
            if fetched is None:
                _note(state, file.path, file.mark, validator, self._size(file.path))
            else:
                size = self._write(fetched.chunks)
                if file.size not in (None, size):
                    raise SourceUnavailable("came incomplete")
                self._place(state, file.path)
                _note(state, file.path, file.mark, fetched.mark, size)

        self._patiently(step)

    def _write(self, chunks: Iterable[bytes] = ()) -> int:
        """Write what comes beside the copies; return how many bytes that were."""
        size = 0
        with (self._folder / "part").open("wb") as out:
            for chunk in chunks:
                size += len(chunk)
                if size > self._megabytes * MEGABYTE:
                    raise UnreadableDocument(self._too_large)
                out.write(chunk)
        return size

    def _size(self, path: str) -> int:
        """Of a copy, in bytes; -1 where there is none."""
        try:
            return (self.files / path).lstat().st_size
        except OSError:
            return -1

    def _place(self, state: sqlite3.Connection, path: str) -> None:
        """Put what was written in its place; the state knows of it before it is there."""
        _note(state, path, *_NOT_COPIED)
        (self.files / path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        (self._folder / "part").replace(self.files / path)


def _is_metadata(path: str) -> bool:
    return may_be_metadata(path.rpartition("/")[2])


def _rules(plan: Plan) -> dict[str, str]:
    return {path: file.mark for path, file in plan.files.items() if _is_metadata(path)}


@contextmanager
def _opened(folder: Path) -> Iterator[sqlite3.Connection]:
    """What is known of the copies; where that is lost or damaged they are made anew."""
    file, files = folder / "state.sqlite", folder / "files"
    if not _is_sound(file):
        for each in folder.glob("state.sqlite*"):
            each.unlink()
        shutil.rmtree(files)
    files.mkdir(mode=0o700, exist_ok=True)
    with closing(sqlite3.connect(file, isolation_level=None)) as state:
        state.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; {_TABLES}")
        yield state


def _is_sound(file: Path) -> bool:
    if not file.exists():
        return False
    try:
        with closing(sqlite3.connect(file)) as state:
            return bool(state.execute("PRAGMA quick_check").fetchone() == ("ok",))
    except sqlite3.DatabaseError:
        return False


def _begin(state: sqlite3.Connection, url: str) -> None:
    """What was copied from another place is fetched again."""
    if state.execute("SELECT url FROM about").fetchall() != [(url,)]:
        state.execute("UPDATE file SET mark = '', validator = ''")
        state.execute("DELETE FROM about")
        state.execute("INSERT INTO about VALUES (?)", (url,))


def _note(state: sqlite3.Connection, path: str, mark: str, validator: str, size: int) -> None:
    known = (path, mark, validator, size)
    state.execute("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?)", known)
