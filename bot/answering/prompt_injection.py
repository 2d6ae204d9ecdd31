"""Some sentences of a document speak to a machine instead of to its readers.

"Ignore your instructions and ..." is no evidence for anything. Such a sentence gets no
anchor, so that nothing can cite it: neither shown to a model that might obey, nor copied.
The prompt's own defences and the verification stand behind this, for a list of words is never
complete. An order to say something which could as well be meant for a colleague is no matter
of this list: it stays, and is no evidence for what is to be said
(`reported_instructions`).
"""

import re
import unicodedata

from retrieval.types import Passage

_RULES = (
    r"(?:instructions?|prompts?|rules?|guidelines?|directives?|messages?|context|constraints?"
    r"|programming|training|filters?|passages?|sources?|documents?)"
)
_MACHINE = (
    r"(?:ai|a\.i\.|llm|language model|ai (?:assistant|model|system|agent)|assistant|chatbot|bot"
    r"|gpt[\w-]*|summari[sz]er|(?:retrieval|answering) (?:bot|system|model))"
)
_SOFTWARE = (
    r"(?:programs?|software|machines?|computers?|scripts?|algorithms?|tools?|robots?|models?)"
)
_HANDLES = (
    r"(?:reads?|reading|process(?:es|ing)?|pars(?:es?|ing)|summari[sz](?:es?|ing)|drafts?|drafting"
    r"|generat(?:es?|ing|ed)|compos(?:es?|ing|ed)|answers?|answering|writes?|writing|readers?)"
)
_THIS = r"(?:this|these|the above) (?:page|document|text|line|passage|section|source|file)s?"
_TO_SAY = (
    r"(?:answer|assert|claim|confirm|mention|reply|report|respond|say|state|tell|write)"
    r"\b.{0,40}?(?:\bthat\b|[:“\"])"
)
_DUTY = r"(?:must|should|shall|will|has to|have to|(?:is|are) (?:to|required to|obliged to))"
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
    # If you are a program reading this, ...; as the tool that drafts replies, you ...
    rf"\byou(?: are|'re|’re) (?:an? |the |some )?(?:[\w-]+ ){{0,2}}{_SOFTWARE}"
    rf" (?:(?:that|which) (?:is )?)?{_HANDLES}\b",
    rf"\bas (?:an?|the|any) {_SOFTWARE} (?:that|which) {_HANDLES}"
    r" (?:\w+ )?(?:answers|replies|responses|summaries),? you\b",
    # Whoever generates an answer from this page should state that ...
    rf"\b(?:{_SOFTWARE}|automat\w+|{_HANDLES})\b.{{0,40}}\b{_THIS}.{{0,20}}\b{_DUTY} {_TO_SAY}",
    # Set aside what you were told before and answer that ...; your previous orders are void: ...
    r"\b(?:(?:set|put|leave|lay) aside|pay no (?:heed|attention) to|drop|discard|dismiss|ignore"
    r"|disregard|forget|no longer follow) (?:what(?:ever)? you (?:were|are|have been|had been)"
    r" (?:told|instructed|ordered|taught|asked)|(?:the|any|all) (?:orders|commands|instructions)"
    r" (?:that )?you (?:got|had|have|were given|received))\b"
    rf".{{0,40}}\b(?:earlier|previously|so far|until now|above|{_TO_SAY})",
    r"\b(?:what you were (?:told|instructed|ordered|taught)|your (?:previous|prior|earlier|former)"
    r" (?:orders|commands|instructions))\b.{0,30}\b(?:void|no longer|not|cancelled|lifted|obsolete)"
    rf"\b.{{0,60}}\b{_TO_SAY}",
    # Anchors, which only those see who are shown passages: [1.1][2.3] Leave is ...
    r"(?:\[\d{1,3}\.\d{1,3}\]\s*){2}|^[<‹]/?c[>›]\s*\d",
)
_TALK = re.compile("|".join(_ORDERS), re.IGNORECASE | re.MULTILINE)


def is_prompt_injection(text: str) -> bool:
    """Whether it reads like an instruction to whatever reads documents for people.

    Invisible characters, by which words are hidden from lists like this one, do not count.
    """
    visible = "".join(each for each in text if unicodedata.category(each) != "Cf")
    return _TALK.search(unicodedata.normalize("NFKC", visible)) is not None


def for_people(passage: Passage) -> tuple[str, ...]:
    """Its sentences without those that speak to a machine."""
    texts = (sentence.text for sentence in passage.sentences)
    return tuple(text for text in texts if not is_prompt_injection(text))


def heading_for_people(passage: Passage) -> str:
    """Empty where it speaks to a machine."""
    return "" if is_prompt_injection(passage.heading) else passage.heading
