"""The client: one method for each kind of request that the server answers."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterable, Optional, Sequence

import requests

from ._asking import checked, market_ids
from ._columns import CANDLES, CHANGES, RUNS, TRADE_CANDLES, Names, depth_names, record_names, trade_names
from ._files import Place, save
from ._finding import Finding
from ._http import Http
from ._many import Many
from ._query import BANDS, Number, instant, joined, lists_of, text_of, texts_of
from ._stream import Stream
from ._tables import Pages, Table
from ._times import Date, Time, day_bounds, window

#: Number of records of the date that one request for a page of changes covers.
_RECORDS_IN_PAGE = 100_000


class Client(Finding, Many):
    """A client for one server and key. `url` and `key` default to `BACKBOOK_URL` and `BACKBOOK_KEY`.

    A market is named by its venue, `"kalshi"` or `"polymarket"`, and its id: a ticker on Kalshi, a condition id on
    Polymarket. On Polymarket each token of a market has its own book, named by `asset_id`. A request covers a UTC
    `date`, or the time from `start` to `end`, both included: aware datetimes, texts such as `"2026-07-20T12:00:00Z"`,
    or Unix time. Times in answers are Unix milliseconds. `source` limits a request to one source: `"own"`, or the
    name of an archive as `coverage` lists it.

    The client waits and retries after 503, after `rate_limited` and after a broken connection, up to `tries` attempts
    in all. It never waits longer than a minute at a time, and never for a quota: QuotaExceeded is raised at once.
    Every other refusal raises Problem at once.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        key: Optional[str] = None,
        *,
        tries: int = 5,
        timeout_s: float = 120,
        session: Optional[requests.Session] = None,
    ) -> None:
        address = url or os.environ.get("BACKBOOK_URL") or "http://127.0.0.1:8080"
        secret = key if key is not None else os.environ.get("BACKBOOK_KEY")
        self._http = Http(address, secret, tries=tries, timeout_s=timeout_s, session=session)

    def __repr__(self) -> str:
        return f"Client({self._http.url!r})"

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the idle connections."""
        self._http.close()

    def candles(
        self,
        venue: str,
        market: str,
        asset_id: Optional[str] = None,
        *,
        date: Optional[Date] = None,
        start: Optional[Time] = None,
        end: Optional[Time] = None,
        resolution: int = 60,
        fill: str = "observed",
        trust: Sequence[str] = (),
        source: Optional[str] = None,
    ) -> Table:
        """Returns the top of the book in buckets of `resolution` seconds, with OHLC of bid, ask, mid and spread.

        The `timestamp` of a bucket is its start; its values are those at its end. `fill`: `observed`, `none` or
        `range`. `trust` selects buckets by the book's trust, such as `["established", "observed"]`; default: all.
        """
        query: Dict[str, Any] = {**market_ids(venue, market, asset_id, source), **window(date, start, end)}
        query.update(resolution=resolution, fill=fill, trust=texts_of("trust", trust) or None)
        return self._table(f"{venue}/market/orderbook-summary", query, CANDLES)

    def trade_candles(
        self,
        venue: str,
        market: str,
        asset_id: Optional[str] = None,
        *,
        date: Optional[Date] = None,
        start: Optional[Time] = None,
        end: Optional[Time] = None,
        resolution: int = 60,
        fill: str = "none",
        source: Optional[str] = None,
    ) -> Table:
        """Returns trades in buckets of `resolution` seconds: OHLC, vwap, volume by side and counts.

        `fill`: `none` or `range`."""
        query: Dict[str, Any] = {**market_ids(venue, market, asset_id, source), **window(date, start, end)}
        query.update(resolution=resolution, fill=fill)
        return self._table(f"{venue}/market/trade-summary", query, TRADE_CANDLES)

    def depth(
        self,
        venue: str,
        market: str,
        asset_id: Optional[str] = None,
        *,
        date: Optional[Date] = None,
        start: Optional[Time] = None,
        end: Optional[Time] = None,
        resolution: int = 60,
        fill: str = "observed",
        levels: int = 10,
        bands: Sequence[Number] = BANDS,
        sizes: Sequence[Number] = (),
        trust: Sequence[str] = (),
        source: Optional[str] = None,
    ) -> Table:
        """Returns the book at the end of each bucket of `resolution` seconds.

        A row has the best `levels` of each side, the contracts within each of `bands` (dollars from mid), and the
        average price of taking each of `sizes` (contracts). `fill` and `trust` as in `candles`."""
        asked = lists_of(bands, sizes)
        query = {**market_ids(venue, market, asset_id, source), **window(date, start, end), **joined(asked)}
        query.update(resolution=resolution, fill=fill, levels=levels, trust=texts_of("trust", trust) or None)
        table = self._table(f"{venue}/market/depth-summary", query, (), {**asked, "levels": levels})
        table.names = depth_names(levels, **asked)
        return table

    def depth_map(
        self,
        venue: str,
        market: str,
        asset_id: Optional[str] = None,
        *,
        date: Optional[Date] = None,
        start: Optional[Time] = None,
        end: Optional[Time] = None,
        resolution_ms: int = 60_000,
        price_step: Number = "0.01",
        aggregate: str = "max",
        source: Optional[str] = None,
    ) -> Table:
        """Returns sizes by price and time, as runs: `price`, `from`, `to`, `size` (bids positive, asks negative)."""
        query = {**market_ids(venue, market, asset_id, source), **window(date, start, end)}
        query.update(resolution_ms=resolution_ms, price_step=text_of(price_step), aggregate=aggregate)
        return self._table(f"{venue}/market/depth-map", query, RUNS)

    def book(
        self,
        venue: str,
        market: str,
        asset_id: Optional[str] = None,
        *,
        at: Optional[Time] = None,
        date: Optional[Date] = None,
        record: Optional[int] = None,
        depth: Optional[int] = None,
        source: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Returns the book at the time `at` (default: now), or after the record number `record` of `date`.

        `trust` is how far to trust the book, `as_of` the time of its last record. `bids` and `asks` are lists of
        `[price, size]`, best first.
        """
        query: Dict[str, Any] = {**market_ids(venue, market, asset_id, source), "depth": depth, "record": record}
        query.update(instant(at), date=None if date is None else window(date, None, None)["date"])
        return self._get(f"{checked(venue)}/market/book", **query)

    def changes(
        self,
        venue: str,
        market: str,
        asset_id: Optional[str] = None,
        *,
        date: Optional[Date] = None,
        start: Optional[Time] = None,
        end: Optional[Time] = None,
        cursor: Optional[str] = None,
        source: Optional[str] = None,
    ) -> Pages:
        """Returns the levels that each record changes: in pages for a date, in one answer for `start` to `end`.

        A cursor is a record number within the date. If earlier records are merged in later, it names another record.
        """
        path = f"{checked(venue)}/market/book/changes"
        query = {**market_ids(venue, market, asset_id, source), **window(date, start, end)}
        if cursor is not None and (date is None or not cursor.isdecimal()):
            raise ValueError(f"a cursor is that of a page of the same date; a window has none: {cursor!r}")

        def page(place: Optional[str]) -> Dict[str, Any]:
            if date is None:
                return {**self._get(path, **query), "next_cursor": None}
            record = int(place or 0)
            answer = self._get(path, **query, record=record, limit=_RECORDS_IN_PAGE)
            return {**answer, "next_cursor": str(record + _RECORDS_IN_PAGE) if answer["has_more"] else None}

        return Pages(page, cursor, CHANGES)

    def trades(
        self,
        venue: str,
        market: str,
        asset_id: Optional[str] = None,
        *,
        date: Optional[Date] = None,
        start: Optional[Time] = None,
        end: Optional[Time] = None,
        cursor: Optional[str] = None,
        page_size: int = 50_000,
        source: Optional[str] = None,
    ) -> Pages:
        """Returns single trades, of all tokens unless `asset_id` is given. Requests each page as it is read."""
        query = {**market_ids(venue, market, asset_id, source), **window(date, start, end), "limit": page_size}
        return self._pages(f"{venue}/market/trades", query, cursor, trade_names(venue))

    def raw(
        self,
        venue: str,
        market: str,
        asset_id: Optional[str] = None,
        *,
        date: Optional[Date] = None,
        start: Optional[Time] = None,
        end: Optional[Time] = None,
        cursor: Optional[str] = None,
        page_size: int = 50_000,
        source: Optional[str] = None,
    ) -> Pages:
        """Returns the records as captured: `type`, `timestamp`, `received_at`, and `msg` as the venue sent it.
        A record of an archive has the archive's name as `source`.

        Each page of `pages()` has a cursor from which to continue after a restart. Raises CursorStale if records
        before the cursor have changed since.
        """
        span = window(date, start, end) if date is None else day_bounds(window(date, start, end)["date"])
        query = {**market_ids(venue, market, asset_id, source), **span, "limit": page_size}
        return self._pages(f"{venue}/market/data/range", query, cursor, record_names(venue))

    def stream(
        self,
        markets: Iterable[str] = (),
        channels: Iterable[str] = ("quotes",),
        *,
        event: Optional[str] = None,
        after: Optional[str] = None,
        failures_max: Optional[int] = None,
    ) -> Stream:
        """Streams messages as they are committed, of `markets` such as `"kalshi:TICKER"` or `"polymarket:CONDITION"`.

        `event` selects all markets of an event in place of `markets`. `channels`: any of `records`, `trades`, `book`,
        `quotes`. Begins with the current state, or after the position `after` of an earlier message. Reconnects by
        itself: forever, or until more than `failures_max` failures in a row.
        """
        named = {"event": event} if event is not None else {"markets": texts_of("markets", markets)}
        return Stream(self._http, {**named, "channels": texts_of("channels", channels)}, after, failures_max)

    def save(self, path: str, to: Place, **query: Any) -> None:
        """Saves the answer of a path such as `"kalshi/market/trades"` to the file `to`, once the answer is complete.

        `query`: the parameters of the path, such as `format="parquet"`."""
        save(self._http, f"/api/v1/{path.lstrip('/')}", query, to)

    def _table(self, path: str, query: Dict[str, Any], names: Names, asked: Optional[Dict[str, Any]] = None) -> Table:
        answer = self._get(path, **query)
        return Table(answer.pop("data"), {**answer, **(asked or {})}, names)

    def _pages(self, path: str, query: Dict[str, Any], cursor: Optional[str], names: Names) -> Pages:
        return Pages(lambda place: self._get(path, **query, cursor=place), cursor, names)
