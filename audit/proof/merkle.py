"""A Merkle tree over the entries, as RFC 9162 (section 2.1) defines it with SHA-256.

Only perfect subtrees are kept: node `(level, place)` covers 2**level leaves from `place << level`
on. Whatever else a root or a proof needs is folded of at most `log2(size)` of them, so that a leaf
costs one more node on average, and a proof that many look-ups.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

ALGORITHM = "RFC9162_SHA256"
EMPTY_ROOT = hashlib.sha256(b"").digest()


class Node(NamedTuple):
    """A perfect subtree."""

    level: int
    place: int
    """Among those of its level, from 0."""


class Span(NamedTuple):
    """The leaves from `start` up to, and without, `end`, that are one subtree of RFC 9162."""

    start: int
    end: int

    def nodes(self) -> Iterator[Node]:
        """The perfect subtrees that it is folded of, from left to right."""
        start = self.start
        while start < self.end:
            level = (self.end - start).bit_length() - 1
            yield Node(level, start >> level)
            start += 1 << level


def leaf_hash(data: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def folded(hashes: Sequence[bytes]) -> bytes:
    """The root over perfect subtrees, from left to right, each larger than the next one."""
    if not hashes:
        return EMPTY_ROOT
    root = hashes[-1]
    for left in reversed(hashes[:-1]):
        root = node_hash(left, root)
    return root


class Edge:
    """The perfect subtrees at the right edge of a growing tree."""

    def __init__(self, size: int = 0, peaks: Iterable[bytes] = ()) -> None:
        """`peaks`: the hashes of `Span(0, size).nodes()`."""
        self.size = size
        self._peaks = list(peaks)

    def add(self, leaf: bytes) -> list[bytes]:
        """Return the hash of the leaf and of each subtree that it completes, smallest first."""
        self.size += 1
        hashes = [leaf]
        for _ in range((self.size & -self.size).bit_length() - 1):
            hashes.append(node_hash(self._peaks.pop(), hashes[-1]))
        self._peaks.append(hashes[-1])
        return hashes

    def root(self) -> bytes:
        return folded(self._peaks)


def inclusion(index: int, size: int) -> list[Span]:
    """What an inclusion proof (2.1.3.1) of the leaf `index` in a tree of `size` consists of."""
    return _path(index, Span(0, size))


def consistency(first: int, second: int) -> list[Span]:
    """What a consistency proof (2.1.4.1) of two sizes consists of; `0 < first <= second`."""
    return _subproof(first, Span(0, second), is_whole=True)


def _path(index: int, span: Span) -> list[Span]:
    if span.end - span.start == 1:
        return []
    left, right = _halves(span)
    if index < left.end:
        return [*_path(index, left), right]
    return [*_path(index, right), left]


def _subproof(size: int, span: Span, *, is_whole: bool) -> list[Span]:
    """`is_whole`: whoever checks knows the hash of the span as the first root."""
    if size == span.end:
        return [] if is_whole else [span]
    left, right = _halves(span)
    if size <= left.end:
        return [*_subproof(size, left, is_whole=is_whole), right]
    return [*_subproof(size, right, is_whole=False), left]


def _halves(span: Span) -> tuple[Span, Span]:
    """At the largest power of two that is smaller than the number of leaves."""
    middle = span.start + (1 << (span.end - span.start - 1).bit_length() - 1)
    return Span(span.start, middle), Span(middle, span.end)
