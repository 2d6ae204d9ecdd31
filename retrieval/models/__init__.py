"""Models ship with Vouch, and any others are loaded by name."""
