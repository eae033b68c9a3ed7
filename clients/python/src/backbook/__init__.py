"""Client for backbook: order-book history of prediction markets (Polymarket, Kalshi).

    from backbook import Client

    client = Client("http://127.0.0.1:8080", "bb_…")
    candles = client.candles("kalshi", "KXDEMODAY-26JUL20-T50", date="2026-07-20").to_pandas(index="timestamp")
"""

from ._client import Client
from ._errors import (
    BackbookError,
    ChecksumMismatch,
    ConnectionBroken,
    CursorStale,
    Forbidden,
    InvalidRequest,
    NotFound,
    NotStored,
    Problem,
    QuotaExceeded,
    RateLimited,
    ServerError,
    Unauthorized,
)
from ._many import Tables
from ._stream import Stream
from ._tables import Page, Pages, Table

__all__ = [
    "BackbookError",
    "ChecksumMismatch",
    "Client",
    "ConnectionBroken",
    "CursorStale",
    "Forbidden",
    "InvalidRequest",
    "NotFound",
    "NotStored",
    "Page",
    "Pages",
    "Problem",
    "QuotaExceeded",
    "RateLimited",
    "ServerError",
    "Stream",
    "Table",
    "Tables",
    "Unauthorized",
]
__version__ = "0.2.0"
