"""Lines are added to a file that only grows; a file takes the place of another at once."""

import os
from pathlib import Path


def append_durably(path: Path, text: str) -> None:
    """Add whole lines, which are on the disk on return; raise `OSError`.

    A line that a power cut tore is ended before. A new file is the bot's user's alone.
    """
    is_new = not path.exists()
    is_torn = not is_new and path.read_bytes()[-1:] not in (b"", b"\n")
    with open(path, "ab", opener=private) as file:
        file.write(f"\n{text}".encode() if is_torn else text.encode())
        file.flush()
        os.fsync(file.fileno())
    if is_new:
        sync_folder(path.parent)


def replace_durably(path: Path, content: bytes) -> None:
    """Write a whole file, or leave what stood there; it is on the disk on return.

    Folders above it are made; all of it is the bot's user's alone. Raise `OSError`.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    with open(part, "wb", opener=private) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    sync_folder(path.parent)


def text_of(path: Path) -> str:
    """What such a file holds; empty where there is none. Raise `OSError`."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""


def private(name: str, flags: int) -> int:
    """Open a file that, where it is new, is its owner's alone."""
    return os.open(name, flags, 0o600)


def sync_folder(folder: Path) -> None:
    """A file that is new is kept only with the entry in its folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
