"""A page's styles show or hide its text."""
