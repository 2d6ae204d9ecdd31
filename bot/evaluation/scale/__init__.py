"""How an index does at sizes that no corpus at hand has: filled with passages made of real ones."""
