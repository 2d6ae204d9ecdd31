"""Whatever band of confidence is asked for, the records in it are found and no others."""

from itertools import product

from audit.finding.queries import HUNDREDTHS, terms_within

TERMS = [(f"confidence:{each // 10}", f"sure:{each:02d}") for each in range(HUNDREDTHS)]


def test_each_band_of_hundredths_holds_its_own() -> None:
    for least, under in product(range(HUNDREDTHS), range(1, HUNDREDTHS + 1)):
        asked = list(terms_within(least, under))
        found = {at for at, own in enumerate(TERMS) if any(each.among(own) for each in asked)}
        assert found == set(range(least, under)), (least, under)
