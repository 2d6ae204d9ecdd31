"""Held-out claims, written and altered, as `vouch evaluate-claims` reads them.

They are the same however often they are written.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

from retrieval.training.alterations import Alterations, Label
from retrieval.training.changes import CHANGES, INVENTED
from retrieval.training.changes.rewording import UNSEEN_FORMS
from retrieval.training.data import CLAIMS_WRITTEN, FAMILIES, TABLES, ClaimPair, TrainingData
from retrieval.training.entailment_pairs import pairs_of
from retrieval.training.loop import seeded

OF_A_CLASS = 150
"""Altered claims of a class, at most."""
SEED = 5

Claim = tuple[str, ClaimPair]
"""Its kind, by which it is counted, and what it is."""


def write_claims(data: TrainingData, file: Path) -> int:
    """How many were written."""
    lines = [
        json.dumps(
            {
                "kind": kind,
                "premise": pair.premise,
                "claim": pair.claim,
                "supported": pair.label == Label.ENTAILED,
            },
            ensure_ascii=False,
        )
        for kind, pair in chain(_written(data), _siblings(data), _altered(data), _by_models(data))
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(lines)


def _written(data: TrainingData) -> list[Claim]:
    """Three claims for each passage; passages in a random order, by kind of source."""
    items = [i for i in data.items if i.yes and data.passages[i.passage_id].dev]
    seeded(SEED).shuffle(items)
    found: dict[str, list[Claim]] = {}
    for item in items:
        passage = data.passages[item.passage_id]
        kind = FAMILIES if passage.source == FAMILIES else "handbook"
        claims = (
            (item.yes, Label.ENTAILED),
            (item.no, Label.CONTRADICTED),
            (item.maybe, Label.NEUTRAL),
        )
        found.setdefault(kind, []).extend(
            (kind, ClaimPair(kind, passage.whole, claim, label)) for claim, label in claims
        )
    return [*chain(*found.values())]


def _siblings(data: TrainingData) -> Iterator[Claim]:
    """What is true of one passage of a family, read with each of the others."""
    passages = [p for p in data.passages.values() if p.source == FAMILIES and p.dev]
    yes = {item.passage_id: item.yes for item in data.items if item.yes}
    for passage in passages:
        for other in passages:
            if other.file == passage.file and other is not passage:
                claim = yes[passage.passage_id]
                yield "sibling", ClaimPair(FAMILIES, other.whole, claim, Label.NOT_ENTAILED)


def _altered(data: TrainingData) -> Iterator[Claim]:
    """By class the altered claims, then as many true ones about the same premises."""
    others = {claimed.source for claimed in data.model_claims}
    passages = [p for p in data.passages.values() if p.dev and p.source not in others]
    alterations = Alterations(data, passages, disguised=0.0)
    for kind in (*CHANGES, INVENTED):
        yield from _of_a_class(alterations, kind, f"changed: {kind}")
    unseen = replace(alterations, forms=UNSEEN_FORMS)
    yield from _of_a_class(unseen, INVENTED, "changed: unseen connection")


def _of_a_class(alterations: Alterations, change: str, kind: str) -> Iterator[Claim]:
    """One contrast pair of a passage, then a second, until there are enough."""
    dice = seeded(SEED)
    passages = list(alterations.passages)
    dice.shuffle(passages)
    wrong: dict[str, ClaimPair] = {}
    true: dict[str, ClaimPair] = {}
    for passage in [*passages, *passages, *passages]:
        contrast_pair = alterations.contrast_pair(passage, change, dice)
        if contrast_pair is not None and len(wrong) < OF_A_CLASS:
            wrong.setdefault(contrast_pair.altered.claim, contrast_pair.altered)
            true.setdefault(contrast_pair.true.claim, contrast_pair.true)
    for pair in chain(wrong.values(), true.values()):
        yield kind, pair


def _by_models(data: TrainingData) -> list[Claim]:
    found: dict[str, list[Claim]] = {}
    for claimed in data.model_claims:
        if claimed.dev:
            own = claimed.source in (CLAIMS_WRITTEN, TABLES)
            about = claimed.source if own else "further handbooks"
            kind = f"as models write: {about}"
            found.setdefault(about, []).extend((kind, pair) for pair in pairs_of(claimed))
    return [*chain(*found.values())]
