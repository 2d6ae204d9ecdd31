"""How good the answers are, measured on labelled questions."""
