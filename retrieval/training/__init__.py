"""The models that ship with Vouch are trained by `make train-embedder` and its siblings.

Nothing else imports this room, and it is not needed to run Vouch.
"""

from retrieval.errors import RetrievalError


class CannotTrain(RetrievalError):
    """Something that training needs is missing, damaged or of another kind."""
