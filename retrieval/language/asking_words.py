"""By these English words, in lower case, `asking` tells a question from a remark."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CONTRACTIONS = {
    "can't": "can not", "won't": "will not", "n't": " not", "'m": " am", "'re": " are",
    "'ll": " will", "'ve": " have", "'d": " would",
    "he's": "he is", "how's": "how is", "it's": "it is", "she's": "she is", "that's": "that is",
    "there's": "there is", "what's": "what is", "when's": "when is", "where's": "where is",
    "who's": "who is", "why's": "why is",
}  # fmt: skip
"""Each is looked for as it stands, the first first."""

SPELT = {
    "abt": "about", "adn": "and", "cannot": "can not", "cant": "can not", "cn": "can",
    "dose": "does", "hwo": "how", "wehn": "when", "whta": "what",
    "howmany": "how many", "howmuch": "how much", "hows": "how is", "hw": "how", "im": "i am",
    "ive": "i have", "n": "and", "nd": "and", "pls": "please", "plz": "please",
    "r": "are", "thats": "that is", "theyre": "they are", "til": "until", "till": "until",
    "u": "you", "w": "with", "waht": "what", "wat": "what", "wen": "when", "whats": "what is",
    "whens": "when is", "wheres": "where is", "whn": "when", "whos": "who is", "whre": "where",
    "wich": "which", "wont": "will not", "youre": "you are",
}  # fmt: skip
"""How people type in a hurry."""

LEAD_INS = _words(
    """
    actually again ah ahh alright also and anyway awesome because btw but cause cheers cool er
    erm fine good got great ha haha hello hey hi hm hmm interesting just k lol lovely mhm nice
    no nope noted now oh ok okay okey or perfect please plus quick really right see so sorry
    still super sure thank thanks then thx ty uh um understood wait well wow yeah yep yes yup
    """
)
"""Before what somebody has to say."""

PERSONS = _words("he i it she they we you")
DETERMINERS = _words("a an her his my our the their your")
SUBJECTS = (
    PERSONS
    | DETERMINERS
    | _words(
        """
    all any anybody anyone both each every everybody everyone one people some that there these
    this those
    """
    )
)
"""Words that begin a subject."""

QUESTION_WORDS = _words("how what when where which who whom whose why")

BE = _words("am are is was were")
DO = _words("did do does")
HAVE = _words("has have")
MODALS = _words("can could may might must shall should will would")
AUXILIARIES = BE | DO | HAVE | MODALS

PREPOSITIONS = _words(
    """
    about after as at before between beyond by during for from in inside of on outside over per
    since to under until up with within without
    """
)

MEASURES = _words(
    """
    about big come deep early else exactly far fast high large late likely long low many much
    often old quick quickly small so soon strict strictly to
    """
)
"""After "how"."""

OPINIONS = _words(
    """
    amazing annoying awesome awful bad cool crazy cute exciting fun funny good great helpful
    kind lovely neat nice odd sad silly strange stupid sweet true typical weird wonderful
    """
)
"""After "how" and "is" they remark on something: "how nice"."""

NO_SUBJECT = (
    OPINIONS
    | PREPOSITIONS
    | _words(
        """
    already being clear done enough fine gone how just not now ok okay open quite right safe so
    still then too very what when where which who why wrong
    """
    )
)
"""After a form of "be" that was left without its subject: "is fine"."""

VERBS = _words(
    """
    add agree also always anybody anyone apply ask be book bring buy call care change check
    close come complain confirm discuss do drop email feel figure fill find fix follow forward
    get give go handle happen have help hold join just keep know leave let live look love mail
    make matter mean message mind need never not note nothing only open pass pay ping post read
    relate report say see seem send share sign so somebody someone sort sound stay still stop
    submit suffice survive take talk tell test then think try update use wait what work worry
    write
    """
)
"""After "will", "can" or "do" that was left without its subject: "will check"."""

RELATES = (
    PERSONS
    | BE
    | MODALS
    | _words(
        """
    case explains explained gave got had has helped helps looks made makes meant means my seems
    sounds the took went worked works
    """
    )
)
"""After a "which" that goes on from what was said: "which makes sense"."""

DID_IT_ALREADY = _words(
    "again already as at before first for in just last now on once today too twice with yesterday"
)
"""After "did it", a statement."""

NO_INVERSION_AFTER = (
    PERSONS
    | AUXILIARIES
    | _words("all as ever neither nor not people so than that there to whatever")
)
"""Before "can I" and the like, no question: "so can I", "all I can do I did"."""
