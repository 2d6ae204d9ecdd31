"""How good the answers are is measured on labelled questions."""
