"""In strict YAML a key stands once, nothing for something else; a day that is none is text.

PyYAML keeps the last of two equal keys (a restriction that nobody applies), expands aliases
(gigabytes of a kilobyte), and refuses a whole file for one 30th of February.
"""

from datetime import date

import yaml

LONGEST = 1_000_000
"""Characters: thousands of entries. PyYAML reads some 100,000 a second."""


_MERGE = "tag:yaml.org,2002:merge"


class _Loader(yaml.SafeLoader):
    aliases = False

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if not self.aliases and self.check_event(yaml.AliasEvent):
            raise yaml.composer.ComposerError(
                None, None, "an alias (*) is not read; write out what it stands for",
                self.peek_event().start_mark  # type: ignore[no-untyped-call]  # PyYAML's,
            )  # fmt: skip
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:
        """With its keys as they stand: to YAML 1.1 `no` and `010` would be false and 8."""
        seen: set[str] = set()
        for key, _ in node.value:
            wrong = None
            if not isinstance(key, yaml.ScalarNode):
                wrong = "a key must be a text"
            elif key.tag == _MERGE and not self.aliases:
                wrong = "a merge (<<) is not read; write out what it stands for"
            elif key.value in seen:
                wrong = f"the key {key.value} stands twice"
            if wrong:
                raise yaml.constructor.ConstructorError(None, None, wrong, key.start_mark)
            seen.add(key.value)
        self.flatten_mapping(node)
        return {key.value: self.construct_object(value, deep=deep) for key, value in node.value}

    def day_or_text(self, node: yaml.ScalarNode) -> object:
        try:
            return super().construct_yaml_timestamp(node)
        except ValueError:
            return node.value


class _LoaderOfOurOwn(_Loader):
    aliases = True


_Loader.add_constructor("tag:yaml.org,2002:timestamp", _Loader.day_or_text)


def load(text: str, *, own: bool = False) -> object:
    """What a text says; raise `ValueError` with reason and line. `own`: it is the operator's."""
    if len(text) > LONGEST:
        raise ValueError(f"it has {len(text)} characters, more than the {LONGEST} that are read")
    try:
        return yaml.load(text, _LoaderOfOurOwn if own else _Loader)  # noqa: S506  # a SafeLoader
    except yaml.MarkedYAMLError as error:
        mark = error.context_mark or error.problem_mark  # where the broken thing begins
        line = f" in line {mark.line + 1}" if mark else ""
        raise ValueError(f"{error.problem}{line}") from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    except Exception as error:
        # A tag on a value that does not fit it (`!!int x`, `!!bool x`, `!!timestamp x`) raises
        # whatever the conversion happens to raise.
        raise ValueError(str(error) or "a value does not fit its tag") from error


def facet_values(stated: object) -> tuple[str, ...]:
    """One value or a list of some as sorted texts, compared exactly.

    Raise `ValueError` for what is not text beyond doubt: YAML reads an unquoted `no` as false and
    6.10 as 6.1.
    """
    values = stated if isinstance(stated, list) else [stated]
    return tuple(sorted({_as_text(value) for value in values}))


def _as_text(value: object) -> str:
    if isinstance(value, bool | float):
        raise ValueError(f"{value} may not be what was written; put it in quotes")
    if isinstance(value, date):
        return value.isoformat()
    if not isinstance(value, str | int):
        raise ValueError(f"{value!r} is not a value; write a text or a list of texts")
    text = str(value).strip()
    if not text:
        raise ValueError("a value is empty; write it, or leave it out")
    return written(text)


def written(text: str) -> str:
    """A text that can be stored; raise `ValueError` for half a character (`"\ud800"`)."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError("it holds half a character (a lone surrogate); write it anew") from error
    return text
