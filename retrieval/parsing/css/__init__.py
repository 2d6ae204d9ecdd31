"""How a page's styles show or hide its text."""
