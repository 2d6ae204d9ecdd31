"""What an engine takes of a machine, as Linux tells it."""

import re
from pathlib import Path

KILOBYTES_IN_MEGABYTE = 1024
BYTES_IN_MEGABYTE = 1024 * 1024


def peak_megabytes(process: int) -> float | None:
    """The largest resident memory that a process ever had; None where that cannot be seen."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return None
    found = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    return None if found is None else int(found[1]) / KILOBYTES_IN_MEGABYTE


def disk_megabytes(folder: Path) -> float | None:
    """All that lies in a folder; None where there is none."""
    found = disk_bytes(folder)
    return None if found is None else found / BYTES_IN_MEGABYTE


def disk_bytes(folder: Path) -> int | None:
    """The same in bytes."""
    if not folder.is_dir():
        return None
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
