"""How much of something there is, asked by somebody who wants it.

Documents say "28 days of annual leave" and nothing of me. A model that compares words finds such a
sentence less relevant to "how many days of leave do I have?" than to "how many days of leave",
which is no sentence and has no question mark.
"""

import re

_AUXILIARY = r"(?:do|does|did|can|could|may|will|would|should|am|are|is)"
_WHOSE = re.compile(
    r"(?P<amount>\bhow (?:many|much)(?! of (?:it|that|them|these|those|this)\b)"
    rf"(?: (?!{_AUXILIARY}\b)[^\s?.!;:]+){{1,15}}?),?"
    r" (?:(?:do|can|could|may|will|would|should) (?:i|we|you) (?:have|get|receive|claim|take)"
    r"|(?:am|are) (?:i|we|you) (?:entitled to|allowed|due|given))"
    r"(?P<span> (?:in )?(?:an?|per|each|every|the) [\w ]{3,14})?[\s?.!]*$",
    re.IGNORECASE,
)
"""Only where it ends the question, or a span of time does: "do I have to ..." goes on."""


def amount_alone(question: str) -> str:
    """The question without who has or gets the amount; unchanged where it asks for none.

    "How many do I get?" names nothing else, so it stays.
    """
    return _WHOSE.sub(r"\g<amount>\g<span>", question)
