"""How sure records are: whole tenths are found as such, what is left of a tenth by hundredths."""

from collections.abc import Iterator

from audit.term_index import TermIndex, Terms

HUNDREDTHS = 100


def within_band(found: TermIndex, bits: int, least: int | None, under: int | None) -> int:
    """Of a set of records those whose overall confidence is in a band of hundredths."""
    met = 0
    for each in _terms(least or 0, HUNDREDTHS if under is None else under):
        met |= found.having(each, bits)
    return met


def _terms(least: int, under: int) -> Iterator[Terms]:
    first, last = -(-least // 10), under // 10
    if first > last:
        yield _hundredths(least, under)
        return
    yield _hundredths(least, 10 * first)
    yield Terms(f"confidence:{first}", f"confidence:{':' if last > 9 else last}")
    yield _hundredths(10 * last, under)


def _hundredths(least: int, under: int) -> Terms:
    return Terms(f"sure:{least:02d}", f"sure:{under:02d}")
