"""Parameters that several questions share, as the server takes them."""

from __future__ import annotations

from typing import Dict, Optional, Sequence, Union

from ._times import Time, ms_of

Number = Union[int, float, str]
BANDS = ("0.01", "0.02", "0.05", "0.1")


def instant(at: Optional[Time]) -> Dict[str, int]:
    return {} if at is None else {"timestamp": ms_of(at)}


def lists_of(bands: Sequence[Number], sizes: Sequence[Number]) -> Dict[str, Sequence[str]]:
    return {"bands": [text_of(each) for each in bands], "sizes": [text_of(each) for each in sizes]}


def joined(lists: Dict[str, Sequence[str]]) -> Dict[str, Optional[str]]:
    return {name: ",".join(texts) or None for name, texts in lists.items()}


def text_of(number: Number) -> str:
    """A number as a person writes it: 0.01, 500."""
    if isinstance(number, float) and number.is_integer():
        return str(int(number))
    return str(number)
