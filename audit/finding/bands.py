"""How sure records are: whole tenths are found as such, what is left of a tenth by hundredths."""

from collections.abc import Iterator

from audit.finding.term_index import TermIndex, Terms

HUNDREDTHS = 100


def within_band(found: TermIndex, bits: int, least: int | None, under: int | None) -> int:
    """Of a set of records those whose overall confidence is in a band of hundredths."""
    met = 0
    for each in terms_within(least or 0, HUNDREDTHS if under is None else under):
        met |= found.having(each, bits)
    return met


def terms_within(least: int, under: int) -> Iterator[Terms]:
    """What is asked for a band of hundredths, 0 to 100."""
    first, last = -(-least // 10), under // 10
    if first >= last:
        yield from _hundredths(least, under)
        return
    yield from _hundredths(least, 10 * first)
    yield Terms(f"confidence:{first}", f"confidence:{':' if last > 9 else last}")
    yield from _hundredths(10 * last, under)


def _hundredths(least: int, under: int) -> Iterator[Terms]:
    """As text, in which a colon comes behind every digit."""
    if least < under:
        yield Terms(f"sure:{least:02d}", f"sure:{':' if under > 99 else f'{under:02d}'}")
