"""What an index says of its own origin, in a small file beside its table.

Vectors of two embedders cannot be compared, and nothing in a vector tells whose it is.
"""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from retrieval.errors import IndexMismatch, IndexUnavailable

CERTIFICATE = "index.json"
RE_EMBED = "make it anew from the library with `vouch ingest --re-embed`"

Origin = tuple[int, int]
"""Tells one certificate file from a later one in its place: its inode and time of writing."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """Whose vectors an index holds."""

    embedder: str
    dimension: int

    def check(self, wanted: "Certificate") -> None:
        """Raise `IndexMismatch` where the index is not the wanted embedder's."""
        if self != wanted:
            raise IndexMismatch(
                f"The index was made by the embedder {self.embedder} ({self.dimension} "
                f"dimensions), and the settings name {wanted.embedder} ({wanted.dimension}). "
                f"Set VOUCH_EMBEDDER back, or {RE_EMBED}."
            )


def read_certificate(folder: Path) -> tuple[Certificate, Origin] | None:
    """The certificate, or None where no index was ever made. Raise `IndexUnavailable`.

    `Origin` lets a long-running reader notice that the index was made anew.
    """
    try:
        with (folder / CERTIFICATE).open("rb") as file:
            status = os.fstat(file.fileno())
            content = json.load(file)
            certificate = Certificate(str(content["embedder"]), int(content["dimension"]))
            return certificate, (status.st_ino, status.st_mtime_ns)
    except FileNotFoundError:
        if folder.is_dir() and any(folder.iterdir()):
            raise IndexUnavailable(
                f"The index in {folder} has lost its {CERTIFICATE}; {RE_EMBED}."
            ) from None
        return None
    except OSError as error:
        raise IndexUnavailable(
            f"The index in {folder} cannot be read ({error.strerror}); make the folder readable."
        ) from error
    except (ValueError, TypeError, KeyError) as error:
        raise IndexUnavailable(f"{folder / CERTIFICATE} is damaged; {RE_EMBED}.") from error


def write_certificate(folder: Path, certificate: Certificate) -> None:
    """Write it whole or not at all. Raise `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    new = folder.with_name(f"{folder.name}.{CERTIFICATE}.new")
    with new.open("w", encoding="utf-8") as file:
        json.dump(asdict(certificate), file)
        file.flush()
        os.fsync(file.fileno())
    new.replace(folder / CERTIFICATE)
