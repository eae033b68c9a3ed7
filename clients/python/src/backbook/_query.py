"""Formats the parameters that several methods share, as the server expects them."""

from __future__ import annotations

from decimal import Decimal
from typing import Dict, Iterable, Optional, Sequence, Union

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
    """Formats a number without an exponent: 0.01, 500, and 0.00005 in place of 5e-05."""
    if isinstance(number, str):
        return number
    return format(Decimal(int(number) if number == int(number) else str(number)), "f")


def texts_of(name: str, texts: Iterable[str]) -> str:
    """Joins texts with commas. Raises if given a single text, which Python would split into letters."""
    if isinstance(texts, str):
        raise TypeError(f"{name} is a list, not one text: {texts!r}")
    return ",".join(texts)
