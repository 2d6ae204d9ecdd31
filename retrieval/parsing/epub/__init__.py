"""EPUB: a book is an archive of XHTML, in the order of its spine."""
