"""A search that reads with the clause that asks, too, and takes the better of both.

"My wife is a PM and the opening looks perfect for her, am I allowed to refer her": what is told
first helps to understand what is asked, and leads a search astray.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from retrieval.language.anaphora import subjects_of
from retrieval.language.asking import opens_a_question
from retrieval.search import Search
from retrieval.timing import Stages
from retrieval.types import Evidence, Scope

FEWEST_SUBJECTS = 2
"""Words that name what a clause is about; with fewer it says too little to be searched alone."""
_CLAUSE_ENDS = re.compile(r"[?!.,;:\u2026]+\s+|\n+")


def core_of(question: str) -> str:
    """What is asked from the first clause on that opens a question, where others tell before it.

    Empty where nothing is told before, or too little is asked.
    """
    if opens_a_question(question):
        return ""
    told = (question[end.end() :] for end in _CLAUSE_ENDS.finditer(question))
    asked = next(filter(opens_a_question, told), "")
    return asked if len(subjects_of(asked)) >= FEWEST_SUBJECTS else ""


@dataclass(frozen=True, slots=True)
class SearchWithCore(Search):
    """It finds for the whole question and for its core; a hit's relevance is the higher of both."""

    def __call__(
        self,
        query: str,
        scope: Scope,
        stages: Stages,
        parts: Sequence[str] = (),
        hypothetical: str = "",
    ) -> Evidence:
        """Search for a question of several parts as ever."""
        core = "" if parts else core_of(query)
        both = (query, core) if core else parts
        found = Search.__call__(self, query, scope, stages, both, hypothetical)
        if not core:
            return found
        best = max(found.parts, key=lambda part: (part.covered, part.relevance))
        return replace(found, parts=(replace(best, text=query),))


def with_core(search: Search) -> Search:
    """The same search, reading the core as well."""
    return SearchWithCore(**{each.name: getattr(search, each.name) for each in fields(search)})
