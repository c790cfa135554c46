"""Names inside one-line texts: whatever would end a word there is written as %XX."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, unquote

_AWKWARD: Final = re.compile(r"[\s%/=?]")
_EMPTY: Final = "%"


def name_text(name: str) -> str:
    """
    >>> name_text("Anna Lena"), name_from_text("Anna%20Lena")
    ('Anna%20Lena', 'Anna Lena')
    """
    return _AWKWARD.sub(lambda hit: quote(hit[0], safe=""), name) or _EMPTY


def name_from_text(text: str) -> str:
    return "" if text == _EMPTY else unquote(text)
