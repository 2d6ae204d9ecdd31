"""What Confluence's export as HTML puts around a page is no text of the page."""

from collections.abc import Mapping

_PAGE = {"main", "aui-page-panel"}
"""Id and class of what holds the page; all else but the footer stands in it."""
_AROUND = frozenset({"breadcrumb-section", "breadcrumbs", "page-metadata", "footer"})
_FILES = {"attachments", "pageSectionTitle"}
"""Id and class of the heading above the box that lists the files of a page."""


class Surroundings:
    """It takes the elements of a document as they begin."""

    def __init__(self) -> None:
        self._is_export = self._lists_files = False

    def holds(self, attributes: Mapping[str, str | None]) -> bool:
        """Whether an element stands around the page, with all in it."""
        names = {attributes.get("id"), *(attributes.get("class") or "").split()}
        self._is_export = self._is_export or names >= _PAGE
        if not self._is_export:
            return False
        is_title, is_list = names >= _FILES, self._lists_files and "greybox" in names
        self._lists_files = is_title or (self._lists_files and not is_list)
        return is_title or is_list or not _AROUND.isdisjoint(names)
