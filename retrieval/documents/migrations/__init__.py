"""The library's revisions."""
