"""A branch of a Git repository, fetched without its history."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from stat import S_ISLNK, S_ISREG
from typing import Any
from urllib.parse import parse_qs, quote, unquote

from retrieval import errors
from retrieval.errors import BadSource
from retrieval.ports import Fetched, SourceFile, SourceListing
from retrieval.remote import faults
from retrieval.remote.names import bounded
from retrieval.remote.urls import SourceUrl

SECONDS = 60.0
LARGEST_PACK = 5_000_000_000
"""Bytes that one fetch may bring."""
MOST_PACKS = 50
"""One a fetch; then they are fetched anew as one."""


class GitSource:
    """`DocumentSource` of one branch, or of a folder of it."""

    def __init__(
        self,
        place: str,
        branch: str,
        within: str,
        kept_in: Path,
        options: Mapping[str, Any],
        opened_at: str = "",
    ) -> None:
        """`kept_in` is a folder of its own; `opened_at` as for `FileSystemSource`."""
        errors.require(errors.GIT, "dulwich")
        self._place, self._branch, self._within = place, branch, within
        self._kept_in, self._options, self._opened_at = kept_in, options, opened_at

    def listing(self) -> SourceListing:
        from dulwich.objects import Commit

        with faults.of_source(), self._renewed() as repo:
            head = self._fetched(repo)
            commit = repo[head]
            if not isinstance(commit, Commit):
                raise BadSource(f"{self._place} has no commit there")
            return SourceListing(bounded(self._files(repo, commit.tree)))

    def _renewed(self) -> Any:
        from dulwich.repo import Repo

        packs = self._kept_in / "objects" / "pack"
        if packs.is_dir() and len(list(packs.glob("*.pack"))) > MOST_PACKS:
            shutil.rmtree(self._kept_in)
        if (self._kept_in / "HEAD").is_file():
            return Repo(str(self._kept_in))
        shutil.rmtree(self._kept_in, ignore_errors=True)
        return Repo.init_bare(str(self._kept_in), mkdir=True)

    def _fetched(self, repo: Any) -> Any:
        """The commit at the branch's end, which is kept by now."""
        from dulwich.client import HttpGitClient, LocalGitClient

        is_web = self._place.startswith(("https:", "http:"))
        wanted = f"refs/heads/{self._branch}".encode() if self._branch else b"HEAD"

        def wants(refs: Mapping[bytes, bytes], depth: int | None = None) -> Sequence[bytes]:  # noqa: ARG001
            head = refs.get(wanted)
            return [] if head is None or head in repo.object_store else [head]

        client: Any = LocalGitClient()
        if is_web:
            login = {"username": "git", **self._options} if self._options else {}
            client = _bound(HttpGitClient(self._place, timeout=SECONDS, **login))
        found = client.fetch(self._place, repo, wants, depth=1)
        head = found.refs.get(wanted)
        if head is None:
            raise BadSource(
                f"{self._place} has no branch {self._branch or 'HEAD'!r}. Name one: URL@BRANCH"
            )
        return head

    def _files(self, repo: Any, tree: Any) -> Iterator[SourceFile]:
        below = f"{self._within}/" if self._within else ""
        for entry in repo.object_store.iter_tree_contents(tree):
            path = entry.path.decode("utf-8", "surrogateescape")
            if path.startswith(below) and (S_ISREG(entry.mode) or S_ISLNK(entry.mode)):
                etag, is_link = entry.sha.decode(), S_ISLNK(entry.mode)
                yield SourceFile(path.removeprefix(below), etag, is_link=is_link)

    def fetch(self, file: SourceFile, held: str = "") -> Fetched | None:  # noqa: ARG002
        from dulwich.repo import Repo

        with faults.of_file(), Repo(str(self._kept_in)) as repo:
            return Fetched(repo[file.etag.encode()].as_raw_chunks())

    def link(self, path: str) -> str:
        below = f"{self._within}/" if self._within else ""
        return f"{self._opened_at}/{quote(below + path)}" if self._opened_at else ""


def _bound(client: Any) -> Any:
    """Have it take no larger packs, whatever a server sends."""
    fetch_pack = client.fetch_pack

    def bounded_pack(place: str, wants: Any, walker: Any, keep: Any, **more: Any) -> Any:
        came = 0

        def take(data: bytes) -> int:
            nonlocal came
            came += len(data)
            if came > LARGEST_PACK:
                raise BadSource(f"has more than {LARGEST_PACK} bytes, packed, and is not read")
            return int(keep(data))

        return fetch_pack(place, wants, walker, take, **more)

    client.fetch_pack = bounded_pack
    return client


def of_git(url: SourceUrl, options: Mapping[str, Any], kept_in: Path) -> GitSource:
    """Of `git+https://HOST/PATH@BRANCH#subdirectory=FOLDER`, as pip writes it."""
    scheme = url.parts.scheme.removeprefix("git+")
    path, _, branch = url.parts.path.partition("@")
    within = parse_qs(url.parts.fragment).get("subdirectory", [""])[0].strip("/")
    place = unquote(path) if scheme == "file" else f"{scheme}://{url.parts.netloc}{path}"
    return GitSource(place, branch, within, kept_in, options)


def of_github(url: SourceUrl, options: Mapping[str, Any], kept_in: Path) -> GitSource:
    """Of `github://OWNER/REPOSITORY@BRANCH/FOLDER`, by Git: its API takes a request a folder."""
    repository, _, within = url.path.partition("/")
    name, _, branch = repository.partition("@")
    if not name:
        raise BadSource(
            "Write github://OWNER/REPOSITORY, or github://OWNER/REPOSITORY@BRANCH/FOLDER"
        )
    place = f"https://github.com/{url.parts.netloc}/{name}"
    opened_at = f"{place}/blob/{branch or 'HEAD'}"
    return GitSource(f"{place}.git", branch, within, kept_in, options, opened_at)
