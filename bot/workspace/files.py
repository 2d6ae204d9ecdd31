"""Files of the app, private until shown, and of people (reference/methods/files.*)."""

import mimetypes
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from bot.workspace.faults import Refused
from bot.workspace.seed import TEAM_ID, Room

MOST = 200
"""Files that are kept, for the oldest ones go."""
LARGEST = 10_000_000
"""Bytes; Slack takes more."""
_IMAGES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}


@dataclass(slots=True)
class File:
    """A file may have an address to upload to, content, and at last a place in blocks."""

    file_id: str
    name: str
    length: int
    secret: str
    content: bytes = b""
    usable_from: float | None = None
    """Seconds since the epoch; None while nobody has said that it is complete."""
    room: Room | None = None
    """Where a person posted it; None for what the app uploaded."""
    user: str = ""

    @property
    def mimetype(self) -> str:
        """Of what a block may show; empty for anything else."""
        return next((of for mark, of in _IMAGES.items() if self.content.startswith(mark)), "")


def described(file: File, base_url: str) -> dict[str, Any]:
    """Return what Slack tells of a posted file (docs.slack.dev/reference/objects/file-object)."""
    kind, room = mimetypes.guess_type(file.name)[0] or "application/octet-stream", file.room
    posted = {"im": "ims", "group": "groups", "channel": "channels"}
    where = {posted[room.channel_type]: [room.id]} if room else {}
    private = f"{base_url}/files-pri/{TEAM_ID}-{file.file_id}"
    return {
        "id": file.file_id,
        "name": file.name,
        "title": file.name,
        "mimetype": kind,
        "filetype": file.name.rpartition(".")[2],
        "mode": "hosted",
        "is_external": False,
        "user": file.user,
        "size": len(file.content),
        "url_private": f"{private}/{quote(file.name)}",
        "url_private_download": f"{private}/download/{quote(file.name)}",
        "permalink": f"{base_url}/files/{file.user}/{file.file_id}/{quote(file.name)}",
        "channels": [],
        "groups": [],
        "ims": [],
        **where,
    }


class Files:
    """They are kept in memory: nothing but a modal, which is not kept either, shows them."""

    def __init__(self, clock: Callable[[], float], processing: float) -> None:
        """`processing`: seconds from a file's completion until a block may show it."""
        self._clock = clock
        self._processing = processing
        self._files: dict[str, File] = {}
        self._deleted: set[str] = set()

    def begin(self, name: str, length: int) -> File:
        if not 0 < length <= LARGEST:
            raise Refused("file_upload_size_restricted" if length > 0 else "invalid_arguments")
        file = File(f"F0{secrets.token_hex(5).upper()}", name, length, secrets.token_urlsafe(24))
        self._files[file.file_id] = file
        for oldest in list(self._files)[:-MOST]:
            del self._files[oldest]
        return file

    def post(self, name: str, content: bytes, room: Room, user: str) -> File:
        file = self.begin(name, len(content))
        file.content, file.room, file.user = content, room, user
        return file

    def posted(self, file_id: str) -> File:
        if file_id in self._deleted:
            raise Refused("file_deleted")
        file = self._files.get(file_id)
        if file is None or file.room is None:
            raise Refused("file_not_found")
        return file

    def posted_in(self, room: Room) -> list[File]:
        return [each for each in self._files.values() if each.room and each.room.id == room.id]

    def receive(self, secret: str, content: bytes) -> bool:
        """Take what was sent to an address; False for one unknown or used, or of another size."""
        for file in self._files.values():
            if secrets.compare_digest(file.secret, secret) and not file.content:
                file.content = content if len(content) == file.length else b""
                return bool(file.content)
        return False

    def complete(self, file_id: str) -> File:
        file = self._files.get(file_id)
        if file is None or not file.content:
            raise Refused("file_not_found")
        file.usable_from = self._clock() + self._processing
        return file

    def delete(self, file_id: str) -> None:
        if file_id in self._deleted:
            raise Refused("file_deleted")
        if self._files.pop(file_id, None) is None:
            raise Refused("file_not_found")
        self._deleted.add(file_id)

    def shown(self, file_id: str) -> File:
        file = self._files.get(file_id)
        if file is None or file.usable_from is None or not file.mimetype:
            raise Refused("file_not_found")
        return file

    def problems(self, blocks: Sequence[Mapping[str, Any]], root: str = "") -> list[str]:
        return [
            f"invalid slack file [json-pointer:{root}/{path}/slack_file]"
            for path, file_id in files_in(blocks, "blocks")
            if not self._is_usable(file_id)
        ]

    def _is_usable(self, file_id: str) -> bool:
        try:
            file = self.shown(file_id)
        except Refused:
            return False
        return file.usable_from is not None and file.usable_from <= self._clock()


def files_in(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Find each image of a file under a value: the way to it, and the file's id."""
    if isinstance(value, Mapping):
        if isinstance(found := value.get("slack_file"), Mapping):
            yield path, str(found["id"])
        for name, inner in value.items():
            yield from files_in(inner, f"{path}/{name}")
    elif isinstance(value, list | tuple):
        for at, inner in enumerate(value):
            yield from files_in(inner, f"{path}/{at}")
