"""The library: documents, their versions and their passages; text lives here once."""
