"""One request for many books: returns a table for each book, in the requested order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from ._asking import Asking, checked
from ._columns import CANDLES, TRADE_CANDLES, Names, depth_names
from ._query import BANDS, Number, instant, joined, lists_of, texts_of
from ._tables import Table
from ._times import Time, window

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

#: A book. Kalshi: a ticker. Polymarket: `(condition_id, asset_id)`, or `"CONDITION:ASSET"`.
BookId = Union[str, Tuple[str, str]]
_IDS = ("market_ticker", "market_condition_id", "asset_id")


class Tables(List[Table]):
    """A list with one table for each book. A book without data has a table without rows, with `error` in `info`."""

    def errors(self) -> Dict[str, Dict[str, str]]:
        """Returns `code` and `detail` of each book without data, by ticker or `CONDITION:ASSET`."""
        return {_name_of(table.info): table.info["error"] for table in self if "error" in table.info}

    def table(self) -> Table:
        """Returns all rows in one table, each with its `market` (and `asset_id` on Polymarket)."""
        rows = [{**_ids_of(table.info), **row} for table in self for row in table]
        if not self:
            return Table(rows)
        return Table(rows, self[0].info, (*_ids_of(self[0].info), *self[0].names))

    def to_pandas(self, index: Optional[str] = None) -> "pandas.DataFrame":
        return self.table().to_pandas(index)

    def to_polars(self) -> "polars.DataFrame":
        return self.table().to_polars()

    def to_arrow(self) -> "pyarrow.Table":
        return self.table().to_arrow()


class Many(Asking):
    """The part of Client whose methods cover many books in one request."""

    def many_candles(
        self, venue: str, books: Optional[Iterable[BookId]] = None, *, event: Optional[str] = None, **question: Any
    ) -> Tables:
        """Returns `candles` of up to 200 `books`, or of all books of `event`. `question`: arguments of `candles`.

        Each book counts as one call of the plan."""
        return self._many("orderbook-summary", venue, books, event, question, CANDLES)

    def many_trade_candles(
        self, venue: str, books: Optional[Iterable[BookId]] = None, *, event: Optional[str] = None, **question: Any
    ) -> Tables:
        """Returns `trade_candles` of up to 200 `books`, or of all books of `event`. Else like `many_candles`."""
        return self._many("trade-summary", venue, books, event, question, TRADE_CANDLES)

    def many_depth(
        self,
        venue: str,
        books: Optional[Iterable[BookId]] = None,
        *,
        event: Optional[str] = None,
        levels: int = 10,
        bands: Sequence[Number] = BANDS,
        sizes: Sequence[Number] = (),
        **question: Any,
    ) -> Tables:
        """Returns `depth` of up to 200 `books`, or of all books of `event`. Takes the other arguments of `depth`."""
        asked = lists_of(bands, sizes)
        question.update(joined(asked), levels=levels)
        info = {**asked, "levels": levels}
        tables = self._many("depth-summary", venue, books, event, question, (), info)
        for table in tables:
            table.names = depth_names(levels, **asked)
        return tables

    def many_books(
        self,
        venue: str,
        books: Optional[Iterable[BookId]] = None,
        *,
        event: Optional[str] = None,
        at: Optional[Time] = None,
        depth: Optional[int] = None,
        source: Optional[str] = None,
    ) -> "list[Dict[str, Any]]":
        """Returns `book` of up to 200 `books`, or of all books of `event`. A book without data has `error`."""
        query = {**_books_query(checked(venue), books, event), **instant(at), "depth": depth, "source": source}
        return self._get(f"{venue}/markets/book", **query)["markets"]

    def _many(
        self,
        kind: str,
        venue: str,
        books: Optional[Iterable[BookId]],
        event: Optional[str],
        question: Dict[str, Any],
        names: Names,
        asked: Optional[Dict[str, Any]] = None,
    ) -> Tables:
        span = window(question.pop("date", None), question.pop("start", None), question.pop("end", None))
        query = {**_books_query(checked(venue), books, event), **span, **question}
        return _tables_of(self._get(f"{venue}/markets/{kind}", **query), names, asked or {})


def _tables_of(answer: Dict[str, Any], names: Names, asked: Dict[str, Any]) -> Tables:
    entries = answer.pop("markets")
    return Tables(Table(entry.pop("data", []), {**answer, **asked, **entry}, names) for entry in entries)


def _books_query(venue: str, books: Optional[Iterable[BookId]], event: Optional[str]) -> Dict[str, str]:
    """Returns the parameters that name the books. Raises ValueError unless exactly one of the two is given."""
    if (books is None) == (event is None):
        raise ValueError("give books or event, one of both")
    if event is not None:
        return {"event": event}
    if not isinstance(books, str):
        books = [each if isinstance(each, str) else ":".join(each) for each in books or ()]
    return {"tickers" if venue == "kalshi" else "books": texts_of("books", books)}


def _ids_of(info: Dict[str, Any]) -> Dict[str, str]:
    ids = {"market": info.get("market_ticker") or info.get("market_condition_id") or ""}
    return ids if "asset_id" not in info else {**ids, "asset_id": info["asset_id"]}


def _name_of(info: Dict[str, Any]) -> str:
    return ":".join(info[name] for name in _IDS if name in info)
