"""Converts times and dates to those of the server: Unix milliseconds, and UTC dates as `YYYY-MM-DD`."""

from __future__ import annotations

import datetime as dt
import re
from numbers import Integral
from typing import Any, Dict, Optional, Union

#: An aware `datetime`, a `datetime64` of numpy (UTC), RFC 3339 text with a zone, or Unix time: s below 1e11,
#: ms below 1e14, else µs.
Time = Union[dt.datetime, str, int]
#: A UTC day: a `date`, or `"YYYY-MM-DD"`.
Date = Union[dt.date, str]

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)
_SECONDS_BELOW = 100_000_000_000
_MILLISECONDS_BELOW = 100_000_000_000_000


def ms_of(time: Time, *, is_end: bool = False) -> int:
    """Returns Unix milliseconds. With `is_end`, seconds and texts without a fraction give their last ms.

    Raises TypeError for any other type, ValueError for a datetime without a zone or an unreadable text."""
    if isinstance(time, bool):
        raise TypeError("a time is a datetime, a text or a number, not a bool")
    if isinstance(time, Integral):
        # Integers of numpy are Integral, but not int.
        time = int(time)
        if abs(time) >= _MILLISECONDS_BELOW:
            return time // 1000
        if abs(time) >= _SECONDS_BELOW:
            return time
        return time * 1000 + (999 if is_end else 0)
    if type(time).__name__ == "datetime64" and time == time:
        # A datetime64 of numpy has no zone. It is taken as UTC. NaT is not equal to itself, and is refused below.
        return int(time.astype("datetime64[ms]").astype("int64"))
    rest = 0
    if isinstance(time, str):
        rest = 999 if is_end and "." not in time else 0
        # `fromisoformat` of Python 3.9 does not accept "Z", and only 3 or 6 decimals of a second.
        places = re.sub(r"\.(\d+)", lambda found: f".{found[1][:6]:0<6}", time)
        time = dt.datetime.fromisoformat(places[:-1] + "+00:00" if places.endswith(("Z", "z")) else places)
    if not isinstance(time, dt.datetime):
        raise TypeError(f"a time is a datetime, a text or a whole number, not {type(time).__name__}: {time!r}")
    if time.tzinfo is None:
        raise ValueError(f"a time needs its zone, such as UTC: {time.isoformat()}")
    since = time - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1000 + since.microseconds // 1000 + rest


def date_of(date: Date) -> str:
    """Returns a date as `YYYY-MM-DD`. A text is passed on as it is; the server checks it."""
    if isinstance(date, dt.datetime):
        raise TypeError(f"a date is a day without a time of day: {date.isoformat()}")
    return date.isoformat() if isinstance(date, dt.date) else date


def window(date: Optional[Date], start: Optional[Time], end: Optional[Time]) -> Dict[str, Any]:
    """Returns the parameters for a UTC date, or for the time from `start` to `end`, both included."""
    if date is not None:
        if start is not None or end is not None:
            raise ValueError("give date, or start and end, not both")
        return {"date": date_of(date)}
    return bounds(start, end)


def bounds(start: Optional[Time], end: Optional[Time]) -> Dict[str, Any]:
    if start is None or end is None:
        raise ValueError("give date, or both start and end")
    return {"start_timestamp": ms_of(start), "end_timestamp": ms_of(end, is_end=True)}


def day_bounds(date: Date) -> Dict[str, Any]:
    """Returns the parameters for the first to the last millisecond of a UTC day."""
    day = dt.date.fromisoformat(date_of(date))
    start = ms_of(dt.datetime(day.year, day.month, day.day, tzinfo=dt.timezone.utc))
    return {"start_timestamp": start, "end_timestamp": start + 86_399_999}
