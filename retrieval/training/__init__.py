"""Training the models that ship with Vouch: `make train-embedder` and its siblings.

Nothing else imports this room, and it is not needed to run Vouch.
"""
