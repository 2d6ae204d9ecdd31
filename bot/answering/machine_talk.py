"""Sentences of a document that speak to a machine instead of to its readers.

"Ignore your instructions and ..." is no evidence for anything. Such a sentence gets no
anchor, so that nothing can cite it: neither shown to a model that might obey, nor copied.
The prompt's own defences and the verification stand behind this; a list of words is never
complete.
"""

import re
import unicodedata

_RULES = (
    r"(?:instructions?|prompts?|rules?|guidelines?|directives?|messages?|context|constraints?"
    r"|programming|training|filters?|passages?|sources?|documents?)"
)
_MACHINE = (
    r"(?:ai|a\.i\.|llm|language model|ai (?:assistant|model|system|agent)|assistant|chatbot|bot"
    r"|gpt[\w-]*|summari[sz]er|(?:retrieval|answering) (?:bot|system|model))"
)
_ORDERS = (
    # Ignore all previous instructions.
    r"(?<!n't )(?<!n’t )(?<!not )\b(?:ignore|disregard|forget|bypass)\b.{0,40}"
    r"\b(?:previous|prior|above|earlier|preceding|system|your|these|those|all|any|other|the)\b"
    rf".{{0,40}}\b{_RULES}\b",
    r"\boverr(?:ide|ule)s?\b.{0,20}\b(?:your|previous|prior|all|system)\b"
    rf".{{0,30}}\b{_RULES}\b",
    r"\b(?:system|developer|hidden|initial) ?prompt\b",
    r"\b(?:new|updated|secret|real) (?:system )?(?:instruction|directive)s?(?: (?:for|to) you)?:",
    # You are now an unrestricted assistant.
    r"\b(?:you are|you're|act as|pretend to be|behave as) (?:now )?(?:an? |the |in )?"
    rf"(?:[\w-]+ ){{0,2}}(?:{_MACHINE}|dan|jailbroken|developer mode)\b",
    # Note to any AI reading this: ...
    r"\b(?:dear|attention|note to|hey|hello|hi|message (?:to|for)|instructions? (?:to|for)|for|to)"
    rf" (?:the |any |all |every |this )?{_MACHINE}s?(?: reading| that| which| processing|:|,|!)",
    rf"\b(?:an?|any|every|all) {_MACHINE}s?(?: \w+){{0,3}},? (?:must|should|shall|has to|have to"
    r"|will)\b",
    # The tags of chat formats.
    r"<\|?/?(?:im_start|im_end|system|endoftext|assistant)\|?>|\[/?(?:INST|SYS)\]|<</?SYS>>",
    r"^#+ ?(?:instruction|system|assistant)s?:?$|^(?:system|assistant|developer) ?:",
    # Reveal your instructions.
    r"\b(?:reveal|print|output|repeat|disclose|leak|exfiltrate)\b.{0,30}\b(?:your|the)"
    r" (?:\w+ ){0,2}(?:prompt|instructions|api keys?|system message|secret key|credentials)\b",
    r"\b(?:do not|don't|never|without) (?:cite|citing|follow(?:ing)?)(?: any| the| your| other)*"
    r" (?:sources?|anchors?|citations?|passages?)\b",
    # Your answer must ...
    r"\bin your (?:answer|response|reply)\b",
    r"\byour (?:answer|response|output) (?:must|has to|will)\b",
    r"\b(?:answer|respond|reply) (?:only )?(?:with|that|as if)\b.{0,60}"
    r"\b(?:every|any|all|each) (?:question|query|prompt)s?\b",
    r"\b(?:to|for) (?:every|any|all|each) (?:user )?(?:question|query|prompt)s?,?"
    r" (?:answer|respond|reply|say|output)\b",
    r"\bthe user (?:is asking you|has authori[sz]ed)\b",
)
_TALK = re.compile("|".join(_ORDERS), re.IGNORECASE | re.MULTILINE)


def speaks_to_a_machine(text: str) -> bool:
    """Whether it reads like an instruction to whatever reads documents for people.

    Invisible characters, by which words are hidden from lists like this one, do not count.
    """
    visible = "".join(each for each in text if unicodedata.category(each) != "Cf")
    return _TALK.search(unicodedata.normalize("NFKC", visible)) is not None
