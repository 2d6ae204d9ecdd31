"""The models that ship with Vouch, and how any model is loaded."""
