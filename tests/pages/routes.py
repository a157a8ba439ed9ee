"""Every address of the site, read from its URL configuration, so that none can be forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from django.urls import URLPattern, URLResolver, get_resolver

APART = ("admin/", "healthz", "readyz")
"""Addresses that are not of the site: the admin's own, and what supervisors ask."""

_CONVERTER = re.compile(r"<(?:\w+:)?(\w+)>")


def patterns() -> list[str]:
    """Return the pattern of every route, such as ``games/<uuid:game_id>/``."""
    found = _walk(get_resolver().url_patterns, "")
    return [pattern for pattern in found if not pattern.startswith(APART)]


def _walk(parts: Sequence[URLPattern | URLResolver], before: str) -> Iterator[str]:
    for part in parts:
        here = before + str(part.pattern)
        if isinstance(part, URLResolver):
            yield from _walk(part.url_patterns, here)
        else:
            yield here


def addresses(
    values: Mapping[str, object], apart: Mapping[str, Mapping[str, object]] | None = None
) -> list[str]:
    """Return the address of every route.

    :param values: what stands for each name in a pattern.
    :param apart: values of the patterns that start so, where they mean something else there.
    :raises KeyError: naming a pattern's name without a value; give it one.
    """
    found = []
    for pattern in patterns():
        own = next((v for start, v in (apart or {}).items() if pattern.startswith(start)), {})
        known = {**values, **own}
        found.append("/" + _CONVERTER.sub(lambda name, k=known: str(k[name[1]]), pattern))
    return found
