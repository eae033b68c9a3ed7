"""Finds markets, days and files. Of these methods, only `markets`, `files` and `download` use calls of the plan."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Optional
from urllib.parse import quote

from ._asking import Asking, checked, market_ids
from ._columns import ACTIVE, CALENDAR
from ._files import Place, download
from ._tables import Row, Table
from ._times import Date, date_of

#: Names of the day files of a market.
FILE_NAMES = ("records.ndjson.zst", "candles-1s.parquet", "trades.parquet")
_MARKETS_IN_PAGE = 1000


class Finding(Asking):
    """The part of Client that finds markets, days and files."""

    def health(self) -> Dict[str, Any]:
        """Returns `status`, `version`, `uptime_seconds` and the state of the recorder. Needs no key."""
        return self._get("health")

    def search(self, words: str, venue: Optional[str] = None, limit: int = 20) -> List[Row]:
        """Returns the markets whose id, slug, title, event or outcomes contain all `words`; best match first."""
        return self._get("search", q=words, venue=venue, limit=limit)["data"]

    def markets(self, venue: str, prefix: Optional[str] = None) -> Iterator[Row]:
        """Yields each stored market: its id (`market`) and, if known, title, event, outcomes, dates and records."""
        offset = 0
        while True:
            page = self._get(
                f"{checked(venue)}/market/list", prefix=prefix, offset=offset, limit=_MARKETS_IN_PAGE, details="true"
            )
            yield from page["details"]
            if not page["has_more"]:
                return
            offset += page["data_count"]

    def info(self, venue: str, market: str, source: Optional[str] = None) -> Dict[str, Any]:
        """Returns the venue's data about a market: title, event, outcomes with `asset_id`, times, status, rules."""
        return self._get(f"{checked(venue)}/market/info", **market_ids(venue, market, source=source))

    def coverage(self, venue: str, market: str, source: Optional[str] = None) -> Dict[str, Any]:
        """Returns a market's stored dates with books, gaps and incidents. `has_data` is false if none is stored."""
        return self._get(f"{checked(venue)}/market/coverage", **market_ids(venue, market, source=source))

    def days(self, venue: str, market: str, source: Optional[str] = None) -> List[str]:
        """Returns the stored dates of a market, `YYYY-MM-DD`, ascending."""
        return [day["date"] for day in self.coverage(venue, market, source).get("dates", [])]

    def calendar(self, venue: str, start: Optional[Date] = None, end: Optional[Date] = None) -> Table:
        """Returns the dates of a venue with `condition`, markets, records and gaps; all stored dates by default."""
        bounds = {"from": start and date_of(start), "to": end and date_of(end)}
        answer = self._get(f"{checked(venue)}/calendar", **bounds)
        return Table(answer.pop("data"), answer, CALENDAR)

    def active(
        self, venue: str, date: Date, by: str = "records", limit: int = 20, offset: int = 0, text: Optional[str] = None
    ) -> Table:
        """Returns a date's markets, most `records`, `trades` or `volume` first (`by`), or by id (`by="market"`)."""
        page = {"by": by, "limit": limit, "offset": offset, "q": text}
        answer = self._get(f"{checked(venue)}/markets/active", date=date_of(date), **page)
        return Table(answer.pop("data"), answer, ACTIVE)

    def lookup(self, slug: str) -> Dict[str, Any]:
        """Returns the markets of a Polymarket slug or page URL. Needs no key."""
        return self._get("lookup/slug", slug=slug)

    def files(self, venue: str, date: Date, market: Optional[str] = None) -> Iterator[Row]:
        """Yields `market`, `revision` and `files` (name, bytes, SHA-256, rows) of each market of a date."""
        query: Dict[str, Any] = {"date": date_of(date), **(market_ids(venue, market) if market else {})}
        while True:
            page = self._get(f"{checked(venue)}/files", **query)
            yield from page["data"]
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]

    def download(self, venue: str, date: Date, market: str, name: str, to: Place) -> bool:
        """Downloads a day file to `to` and checks its SHA-256. Returns False if `to` is already intact.

        Creates missing folders. After a broken connection, also in the next run, the download continues from
        `to` + ".partial". Raises ChecksumMismatch, and stores nothing, if the bytes do not match the server's list.
        """
        if name not in FILE_NAMES:
            raise ValueError(f"name must be one of {', '.join(FILE_NAMES)}, got {name!r}")
        files = (file for each in self.files(venue, date, market) for file in each["files"])
        listed = next((file for file in files if file["name"] == name), None)
        path = f"/api/v1/{venue}/files/{date_of(date)}/{quote(market, safe='')}/{name}"
        if listed is None:
            # This request raises the server's own error, which names what is missing: the market or the date.
            self._http.ask(path, {}, lambda answer: None, stream=True)
            raise FileNotFoundError(f"{path} was not listed a moment ago: try again")
        return download(self._http, path, to, listed)

    def ticket(self, path: str) -> str:
        """Returns a URL of a data endpoint that works without a key for a minute, for a browser.

        `path` is the path of the endpoint."""
        made = self._http.json("/api/v1/download-tickets", {}, method="POST", body={"path": path})
        return self._http.url + made["url"]
