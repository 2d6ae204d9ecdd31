"""A model in a folder becomes another, as if it had been trained further."""

from pathlib import Path


def change_weights(folder: Path) -> None:
    """By the least significant bit of one number: it still loads, and says nearly the same."""
    file = folder / "model.safetensors"
    content = bytearray(file.read_bytes())
    content[-4] ^= 1
    file.write_bytes(content)
