"""The inbox's revisions."""
