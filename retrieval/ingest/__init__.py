"""From files to passages in the library and the index, incrementally."""
