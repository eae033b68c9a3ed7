"""Tables of rows as the server sends them, and their conversion to data frames with UTC times."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, overload

from ._columns import Names, kinds_of_absent

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Row = Dict[str, Any]

#: Columns of Unix milliseconds. The client always requests times in milliseconds.
TIMES = ("timestamp", "received_at", "as_of", "from", "to", "first_timestamp", "last_timestamp")
_NOT_A_TIME = -(2**63)
_LISTS_OF = {
    "bid_depth_within": "bands",
    "ask_depth_within": "bands",
    "buy_price": "sizes",
    "buy_filled": "sizes",
    "sell_price": "sizes",
    "sell_filled": "sizes",
}


class Table(Sequence[Row]):
    """Rows of an answer, in order: a sequence of dictionaries that converts to a data frame.

    `info` holds the other fields of the answer, such as the market's id or `resolution_seconds`. Values are as the
    server sent them. An absent value is None (NaN or null in a frame), never 0. `names` are the first columns of a
    frame, which it has even without rows.
    """

    def __init__(self, rows: Iterable[Row], info: Optional[Dict[str, Any]] = None, names: Names = ()) -> None:
        self.rows: List[Row] = list(rows)
        self.info: Dict[str, Any] = info or {}
        self.names = names

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> List[Row]: ...
    def __getitem__(self, index: Any) -> Any:
        return self.rows[index]

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows {self.info}>"

    def columns(self) -> Dict[str, List[Any]]:
        """Returns the values by column, named as in the server's CSV: `best_bid_open`, `buy_price_500`, …"""
        flat = [_flat(row, self.info) for row in self.rows]
        names: Dict[str, None] = dict.fromkeys(self.names)
        for row in flat:
            names.update(dict.fromkeys(row))
        return {name: [row.get(name) for row in flat] for name in names}

    def to_pandas(self, index: Optional[str] = None) -> "pandas.DataFrame":
        """Returns a pandas data frame with times as `datetime64[ns, UTC]`. `index` names the index column."""
        import numpy as np
        import pandas as pd

        given = self.columns()
        columns: Dict[str, Any] = dict(given)
        dtypes = {"text": "object", "nested": "object", "count": "int64", "flag": "bool", "number": "float64"}
        for name, kind in kinds_of_absent(given, len(self)).items():
            columns[name] = pd.Series(columns[name], dtype=dtypes[kind])
        for name in _times_of(columns):
            # Convert as integers: pandas would make a column with absent values floats, which round nanoseconds.
            ms = np.array([_NOT_A_TIME if each is None else each for each in given[name]], dtype="int64")
            columns[name] = pd.Series(ms.view("datetime64[ms]").astype("datetime64[ns]")).dt.tz_localize("UTC")
        frame = pd.DataFrame(columns)
        return frame if index is None else frame.set_index(index)

    def to_polars(self) -> "polars.DataFrame":
        """Returns a polars data frame with times as `Datetime("ms", "UTC")`, and `msg` as JSON text."""
        import polars as pl

        columns = _with_texts(self.columns())
        types = {"text": pl.Utf8, "nested": pl.Null, "count": pl.Int64, "flag": pl.Boolean, "number": pl.Float64}
        absent = {name: types[kind] for name, kind in kinds_of_absent(columns, len(self)).items()}
        times = {name: pl.Datetime("ms", "UTC") for name in _times_of(columns)}
        frame = pl.DataFrame(columns, infer_schema_length=None, strict=False)
        return frame.with_columns([pl.col(name).cast(kind) for name, kind in {**absent, **times}.items()])

    def to_arrow(self) -> "pyarrow.Table":
        """Returns a pyarrow table with times as `timestamp("ms", "UTC")`, and `msg` as JSON text."""
        import pyarrow as pa

        columns = _with_texts(self.columns())
        utc = pa.timestamp("ms", tz="UTC")
        numbers = {"count": pa.int64(), "flag": pa.bool_(), "number": pa.float64()}
        types = {"text": pa.string(), "nested": pa.null(), **numbers}
        absent = {
            name: pa.array(columns[name], types[kind]) for name, kind in kinds_of_absent(columns, len(self)).items()
        }
        times = {name: pa.array(columns[name], pa.int64()).cast(utc) for name in _times_of(columns)}
        return pa.table({**columns, **absent, **times})


class Page(Table):
    """One page of a long answer. `next_cursor` is None on the last page."""

    def __init__(
        self, rows: Iterable[Row], info: Dict[str, Any], next_cursor: Optional[str], names: Names = ()
    ) -> None:
        super().__init__(rows, info, names)
        self.next_cursor = next_cursor


class Pages(Iterable[Row]):
    """The rows of a long answer, requested page by page while they are read.

    Iterate over this object for the rows. To continue after a restart, iterate over `pages()` and save the
    `next_cursor` of each page once its rows are saved. The same request with `cursor=` continues after these rows,
    without loss or repetition.
    """

    def __init__(
        self, ask: Callable[[Optional[str]], Dict[str, Any]], cursor: Optional[str], names: Names = ()
    ) -> None:
        self._ask = ask
        self._cursor = cursor
        self._names = names

    def pages(self) -> Iterator[Page]:
        cursor = self._cursor
        while True:
            answer = self._ask(cursor)
            rows = answer.pop("data")
            cursor = answer.pop("next_cursor")
            yield Page(rows, answer, cursor, self._names)
            if cursor is None:
                return

    def __iter__(self) -> Iterator[Row]:
        for page in self.pages():
            yield from page

    def __getitem__(self, place: int) -> Row:
        """Returns the row at an index of 0 or more. Requests all pages up to that row."""
        if not isinstance(place, int) or place < 0:
            raise TypeError(f"a place in pages is a number from 0 on, got {place!r}: table() has all rows")
        for row in islice(self, place, None):
            return row
        raise IndexError(f"there is no row {place}")

    def table(self) -> Table:
        """Requests all pages and returns their rows in one table."""
        rows: List[Row] = []
        info: Dict[str, Any] = {}
        for page in self.pages():
            rows.extend(page.rows)
            info = info or page.info
        for of_a_page in ("data_count", "has_more", "pagination", "limit"):
            info.pop(of_a_page, None)
        return Table(rows, info, self._names)

    def to_pandas(self, index: Optional[str] = None) -> "pandas.DataFrame":
        return self.table().to_pandas(index)

    def to_polars(self) -> "polars.DataFrame":
        return self.table().to_polars()

    def to_arrow(self) -> "pyarrow.Table":
        return self.table().to_arrow()


def _flat(row: Row, info: Dict[str, Any]) -> Row:
    """Flattens nested values into columns, with the names of the server's CSV."""
    flat: Row = {}
    for name, value in row.items():
        if name in ("bids", "asks"):
            for place, (price, size) in enumerate(value, 1):
                flat[f"{name[:3]}_price_{place}"] = price
                flat[f"{name[:3]}_size_{place}"] = size
        elif name in _LISTS_OF:
            for asked, each in zip(info[_LISTS_OF[name]], value):
                flat[f"{name}_{asked}"] = each
        elif isinstance(value, dict) and name.endswith("_ohlc"):
            for part, each in value.items():
                flat[f"{name[:-5]}_{part}"] = each
        else:
            flat[name] = value
    return flat


def _with_texts(columns: Dict[str, List[Any]]) -> Dict[str, List[Any]]:
    """Converts `msg` to JSON text: a field's type may differ between messages, which typed columns cannot hold."""
    if "msg" not in columns:
        return columns
    return {**columns, "msg": [json.dumps(each, ensure_ascii=False) for each in columns["msg"]]}


def _times_of(names: Iterable[str]) -> List[str]:
    return [name for name in names if name in TIMES]
