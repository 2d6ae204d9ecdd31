"""What exports and site generators put around the text of a page is no text of the page."""

from collections.abc import Mapping

_PAGE = {"main", "aui-page-panel"}
"""Of Confluence, id and class of what holds the page; all else but the footer stands in it."""
_AROUND = frozenset({"breadcrumb-section", "breadcrumbs", "page-metadata", "footer"})
_FILES = {"attachments", "pageSectionTitle"}
"""Id and class of the heading above the box that lists the files of a page."""
_MARKS = frozenset(
    "footnote-backref footnote-back reversefootnote fn-backref fn-bracket linenos md-copyright "  # noqa: SIM905
    "md-skip skip-link viewcode-link".split()
)
"""Classes of Sphinx, MkDocs, Jekyll and pandoc: ways to other places, and numbers of lines."""
_NOTION = ("sans", "serif", "mono")
"""One of them is the typeface of a page's `article`, which has the class "page" as well."""


class Surroundings:
    """It takes the elements of a document as they begin."""

    def __init__(self) -> None:
        self._is_confluence = self._lists_files = False
        self._is_sphinx = self._is_notion = False

    def holds(self, name: str, attributes: Mapping[str, str | None]) -> bool:
        """Whether an element stands around the page, with all in it."""
        names = {attributes.get("id"), *(attributes.get("class") or "").split()}
        self._is_confluence = self._is_confluence or names >= _PAGE
        self._is_sphinx = self._is_sphinx or "rst-content" in names
        self._is_notion = self._is_notion or (
            name == "article" and "page" in names and not names.isdisjoint(_NOTION)
        )
        if not names.isdisjoint(_MARKS) or "data-sp-componentid" in attributes:
            return True
        if (self._is_sphinx and name == "footer") or (self._is_notion and "icon" in names):
            return True
        return self._is_confluence and self._is_around(names)

    def _is_around(self, names: set[str | None]) -> bool:
        is_title, is_list = names >= _FILES, self._lists_files and "greybox" in names
        self._lists_files = is_title or (self._lists_files and not is_list)
        return is_title or is_list or not _AROUND.isdisjoint(names)


def is_listing(attributes: Mapping[str, str | None]) -> bool:
    """Whether a table only sets numbers beside the lines of a program."""
    classes = (attributes.get("class") or "").split()
    return not {"highlighttable", "rouge-table"}.isdisjoint(classes)


def is_title(name: str, attributes: Mapping[str, str | None]) -> bool:
    """Whether it is what Google Docs sets as the title of a document, which is no heading there."""
    classes = (attributes.get("class") or "").split()
    return name == "p" and "title" in classes and (attributes.get("id") or "").startswith("h.")


def is_remark(attributes: Mapping[str, str | None]) -> bool:
    """Whether what somebody remarked on a document of Google Docs begins behind it."""
    return (attributes.get("href") or "").startswith("#cmnt_ref")


def is_remark_link(attributes: Mapping[str, str | None]) -> bool:
    return (attributes.get("id") or "").startswith("cmnt_ref")
