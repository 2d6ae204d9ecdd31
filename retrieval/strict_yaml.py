"""YAML in which a key stands once, and a day that is none stays text.

PyYAML silently keeps the last of two equal keys. In a file that says who may read what,
that would be a restriction that somebody wrote and nobody applies. And it refuses a whole
file for one 30th of February, without saying where; whoever reads the value can say.
"""

from datetime import date

import yaml


class _Loader(yaml.SafeLoader):
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:
        seen: set[tuple[str, str]] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if (key.tag, key.value) in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key {key.value} stands twice", key.start_mark
                    )
                seen.add((key.tag, key.value))
        return super().construct_mapping(node, deep)

    def day_or_text(self, node: yaml.ScalarNode) -> object:
        try:
            return super().construct_yaml_timestamp(node)
        except ValueError:
            return node.value


_Loader.add_constructor("tag:yaml.org,2002:timestamp", _Loader.day_or_text)


def load(text: str) -> object:
    """What a YAML text says; raise `ValueError` with the reason and the line."""
    try:
        return yaml.load(text, _Loader)  # noqa: S506  # a SafeLoader
    except yaml.MarkedYAMLError as error:
        mark = error.context_mark or error.problem_mark  # where the broken thing begins
        line = f" in line {mark.line + 1}" if mark else ""
        raise ValueError(f"{error.problem}{line}") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(str(error)) from error


def facet_values(stated: object) -> tuple[str, ...]:
    """The values of a facet as YAML gives them, one or a list of some: sorted, as text.

    Values compare as text and exactly, so `2023` and "2023" are one value, `CS201` and
    `cs201` are two; white space around a value does not count. Raise `ValueError`, with
    the reason, for what is not text beyond doubt: YAML reads an unquoted `no` as false
    and 6.10 as 6.1, which is not what stands in the file.
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
    return text
