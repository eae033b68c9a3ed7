"""Columns of each answer, named and ordered as in the server's CSV. A frame has them even without rows."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Mapping, Sequence, Tuple

Names = Tuple[str, ...]

_OF_BOOK = ("best_bid", "best_ask", "mid_price", "spread")
CANDLES: Names = (
    *("timestamp", "quote_count", "is_forward_filled", "best_bid", "best_bid_size", "best_ask", "best_ask_size"),
    *("mid_price", "spread"),
    *(f"{name}_{part}" for name in _OF_BOOK for part in ("open", "high", "low", "close")),
    "trust",
)
TRADE_CANDLES: Names = (
    *("timestamp", "open", "high", "low", "close", "vwap", "volume", "buy_volume", "sell_volume", "notional"),
    *("trade_count", "buy_count", "sell_count"),
)
CHANGES: Names = ("timestamp", "record", "kind", "side", "price", "before", "after", "trust")
RUNS: Names = ("price", "from", "to", "size")
CALENDAR: Names = (
    *("date", "condition", "markets", "records", "trades", "volume", "gaps", "gap_ms", "inferred_gaps"),
    *("snapshots_confirmed", "snapshots_contradicted", "incidents"),
)
ACTIVE: Names = (
    *("market", "title", "subtitle", "slug", "event", "outcomes", "records", "trades", "volume", "gaps", "gap_ms"),
)

_COUNTS = frozenset(
    ("quote_count", "trade_count", "buy_count", "sell_count", "bid_level_count", "ask_level_count")
    + ("record", "seq", "sid", "markets", "records", "trades", "gaps", "gap_ms", "inferred_gaps")
    + ("snapshots_confirmed", "snapshots_contradicted")
)
_TEXTS = frozenset(
    ("market", "asset_id", "ticker", "trust", "kind", "type", "side", "trade_id", "date", "condition", "title", "subtitle", "slug")
    + ("source", "msg")
)
_NESTED = frozenset(("incidents", "event", "outcomes"))


def depth_names(levels: int, bands: Sequence[str], sizes: Sequence[str]) -> Names:
    return (
        *("timestamp", "trust"),
        *(f"{side}_{part}_{i + 1}" for side in ("bid", "ask") for i in range(levels) for part in ("price", "size")),
        *("bid_level_count", "ask_level_count", "bid_depth", "ask_depth", "imbalance", "microprice"),
        *(f"{side}_depth_within_{band}" for side in ("bid", "ask") for band in bands),
        *(f"{side}_{part}_{size}" for side in ("buy", "sell") for part in ("price", "filled") for size in sizes),
    )


def trade_names(venue: str) -> Names:
    return ("timestamp", _book_of(venue), "price", "size", "side", "trade_id", "record")


def record_names(venue: str) -> Names:
    numbered = ("sid", "seq") if venue == "kalshi" else ()
    return ("type", "timestamp", "received_at", _book_of(venue), *numbered, "source", "msg")


def _book_of(venue: str) -> str:
    return "ticker" if venue == "kalshi" else "asset_id"


def kinds_of_absent(columns: Mapping[str, Iterable[Any]], rows: int) -> Dict[str, str]:
    """Returns the kind of each column that has no value: `text`, `nested`, `count`, `flag` or `number`."""
    return {name: _kind_of(name, rows) for name, values in columns.items() if all(each is None for each in values)}


def _kind_of(name: str, rows: int) -> str:
    if name in _TEXTS or name in _NESTED:
        return "text" if name in _TEXTS else "nested"
    # All values of the column are absent. If there are rows, only a column of floats can hold them, as NaN.
    if rows > 0:
        return "number"
    return "count" if name in _COUNTS else "flag" if name == "is_forward_filled" else "number"
