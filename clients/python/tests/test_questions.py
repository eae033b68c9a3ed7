"""Every request of the client, against a real server. Tables have the values and names of the server's CSV."""

import csv
import datetime as dt
import json
import os
import tempfile
import unittest

import backbook
from tests.support import ASSET, CONDITION, DATE, DEMO, KEY, TICKER, URL, client

NOON = f"{DATE}T12:00:00Z"
ONE = f"{DATE}T13:00:00Z"
BOOKS = {"kalshi": (TICKER, None), "polymarket": (CONDITION, ASSET)}


def ids_of(venue):
    market, asset = BOOKS[venue]
    return {"ticker": market} if venue == "kalshi" else {"condition_id": market, "asset_id": asset}


def csv_of(path, **query):
    """Returns the columns of the same answer as CSV from the server, without the ids of the market."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "a.csv")
        client().save(path, file, format="csv", **query)
        with open(file, newline="") as lines:
            rows = list(csv.DictReader(lines))
    names = [name for name in (rows[0] if rows else {}) if name not in ("market", "asset_id", "ticker")]
    return {name: [text_of(row[name]) for row in rows] for name in names}


def text_of(value):
    """Converts a value of JSON or CSV so that both compare equal: 5 and 5.0, None and empty, booleans as in CSV."""
    if value is None or value == "":
        return None
    if isinstance(value, bool) or value in ("true", "false"):
        return str(value).lower()
    try:
        return float(value)
    except ValueError:
        return value


class Questions(unittest.TestCase):
    maxDiff = 2000

    def assert_same(self, table, path, **query):
        self.assertGreater(len(table), 0)
        columns = {
            name: [text_of(value) for value in values]
            for name, values in table.columns().items()
            if name not in ("ticker", "asset_id")
        }
        of_server = csv_of(path, **query)
        self.assertEqual(columns, of_server)
        self.assertEqual(list(columns), list(of_server))

    def test_rows_have_the_values_of_the_server(self):
        for venue, (market, asset) in BOOKS.items():
            day = {"date": DATE}
            hour = {"start": NOON, "end": ONE}
            bounds = {"start_timestamp": NOON, "end_timestamp": ONE}
            ids = ids_of(venue)
            for span, asked in ((day, day), (hour, bounds)):
                table = client().candles(venue, market, asset, resolution=300, **span)
                self.assert_same(table, f"{venue}/market/orderbook-summary", resolution=300, **ids, **asked)
                table = client().trade_candles(venue, market, asset, resolution=300, **span)
                self.assert_same(table, f"{venue}/market/trade-summary", resolution=300, **ids, **asked)
                table = client().depth(venue, market, asset, resolution=300, levels=3, sizes=(100, 2.5), **span)
                depth = {"resolution": 300, "levels": 3, "sizes": "100,2.5"}
                self.assert_same(table, f"{venue}/market/depth-summary", **depth, **ids, **asked)
                table = client().trades(venue, market, asset, **span).table()
                self.assert_same(table, f"{venue}/market/trades", limit=100_000, **ids, **asked)
            table = client().changes(venue, market, asset, **hour).table()
            self.assert_same(table, f"{venue}/market/book/changes", **ids, **bounds)

    def test_changes_of_a_date_are_those_of_its_hours(self):
        of_date = client().changes("kalshi", TICKER, date=DATE).table()
        first, last = utc(0), utc(0) + dt.timedelta(days=1, milliseconds=-1)
        self.assertEqual(of_date.rows, client().changes("kalshi", TICKER, start=first, end=last).table().rows)

    def test_times_are_accepted_in_all_forms(self):
        at = utc(12)
        books = [client().book("kalshi", TICKER, at=each) for each in (at, NOON, *(unit * int(at.timestamp()) for unit in (1, 1000, 1_000_000)))]
        self.assertTrue(all(book == books[0] for book in books))
        seconds = int(at.timestamp())
        whole = client().trades("kalshi", TICKER, start=seconds, end=seconds + 3599).table()
        exact = client().trades("kalshi", TICKER, start=1000 * seconds, end=1000 * seconds + 3_599_999).table()
        in_words = client().trades("kalshi", TICKER, start=NOON, end=NOON.replace("12:00:00", "12:59:59")).table()
        self.assertEqual(whole.rows, exact.rows)
        self.assertEqual(whole.rows, in_words.rows)
        for wrong in (dt.datetime(2026, 7, 20), "2026-07-20T12:00:00"):
            with self.assertRaisesRegex(ValueError, "a time needs its zone"):
                client().book("kalshi", TICKER, at=wrong)
        with self.assertRaisesRegex(TypeError, "a date is a day"):
            client().candles("kalshi", TICKER, date=utc(0))
        self.assertEqual(len(client().candles("kalshi", TICKER, date=dt.date.fromisoformat(DATE), resolution=3600)), 24)

    def test_all_questions_refuse_a_date_with_a_window(self):
        asked = client()
        for ask in (asked.candles, asked.trade_candles, asked.depth, asked.depth_map, asked.changes, asked.trades, asked.raw):
            with self.assertRaisesRegex(ValueError, "give date, or start and end, not both"):
                ask("kalshi", TICKER, date=DATE, start=NOON, end=ONE)

    def test_a_time_may_have_any_number_of_decimals_and_be_a_numpy_number(self):
        record = client().book("kalshi", TICKER, at=NOON)["record"]
        numpy = importable(self, "numpy")
        for at in (NOON.replace("Z", ".0Z"), NOON.replace("Z", ".000000999+00:00"), numpy.int64(utc(12).timestamp()), numpy.datetime64(NOON[:-1])):
            self.assertEqual(client().book("kalshi", TICKER, at=at)["record"], record)
        late = client().book("kalshi", TICKER, at=NOON.replace("Z", ".5Z"))
        self.assertEqual(late["timestamp"], 1000 * int(utc(12).timestamp()) + 500)

    def test_pages_have_indexes_and_a_client_shows_its_address(self):
        trades = client().trades("kalshi", TICKER, date=DATE, page_size=7)
        rows = trades.table()
        self.assertEqual([trades[0], trades[8]], [rows[0], rows[8]])
        with self.assertRaises(IndexError):
            trades[len(rows)]
        for wrong in (-1, slice(2)):
            with self.assertRaisesRegex(TypeError, "a number from 0 on"):
                trades[wrong]
        self.assertEqual(repr(client()), f"Client({client()._http.url!r})")

    def test_small_numbers_have_no_exponent(self):
        table = client().depth("kalshi", TICKER, start=NOON, end=ONE, levels=1, bands=[0.00005, 1], sizes=[1e6])
        self.assertEqual((table.info["bands"], table.info["sizes"]), (["0.00005", "1"], ["1000000"]))

    def test_a_single_text_is_not_a_list(self):
        for ask in (
            lambda: client().stream(f"kalshi:{TICKER}"),
            lambda: client().stream([f"kalshi:{TICKER}"], "quotes"),
            lambda: client().many_candles("kalshi", TICKER, date=DATE),
        ):
            with self.assertRaisesRegex(TypeError, "is a list, not one text"):
                ask()

    def test_a_key_from_a_file_and_invalid_keys_and_addresses(self):
        self.assertEqual(len(backbook.Client(URL, f"{KEY}\n").candles("kalshi", TICKER, date=DATE, resolution=3600)), 24)
        with self.assertRaisesRegex(ValueError, "copied whole") as refused:
            backbook.Client(URL, "bb_secret…")
        self.assertNotIn("secret", str(refused.exception))
        with self.assertRaisesRegex(ValueError, "url must be an address such as"):
            backbook.Client("127.0.0.1:8080")

    def test_the_book_at_an_instant_and_after_a_record(self):
        book = client().book("kalshi", TICKER, at=NOON, depth=2)
        self.assertEqual((len(book["bids"]), len(book["asks"]), book["trust"]), (2, 2, "established"))
        self.assertEqual(client().book("kalshi", TICKER, date=DATE, record=book["record"], depth=2)["bids"], book["bids"])

    def test_rows_are_filtered_by_trust(self):
        window = {"start": NOON, "end": ONE}
        for ask in (client().candles, client().depth):
            rows = list(ask("kalshi", TICKER, **window))
            for kept in (["established", "observed"], ["lost"]):
                expected = [row for row in rows if row["trust"] in kept]
                self.assertEqual(list(ask("kalshi", TICKER, **window, trust=kept)), expected)
            with self.assertRaisesRegex(TypeError, "trust is a list"):
                ask("kalshi", TICKER, **window, trust="established")

    def test_source_limits_a_request_to_one_source(self):
        asked, hour = client(), {"start": NOON, "end": ONE}
        questions = (asked.candles, asked.trade_candles, asked.depth, asked.depth_map, asked.changes, asked.trades, asked.raw)
        for ask in questions:
            self.assertEqual(list(ask("kalshi", TICKER, **hour, source="own")), list(ask("kalshi", TICKER, **hour)))
            with self.assertRaisesRegex(backbook.Problem, "from the source pmxt-v2"):
                list(ask("kalshi", TICKER, **hour, source="pmxt-v2"))
        with self.assertRaisesRegex(backbook.Problem, "from the source pmxt-v2"):
            asked.book("kalshi", TICKER, at=NOON, source="pmxt-v2")
        self.assertEqual(asked.days("kalshi", TICKER, source="own"), [DATE])
        self.assertEqual(asked.days("kalshi", TICKER, source="pmxt-v2"), [])
        own = asked.info("polymarket", CONDITION, source="own")
        self.assertEqual(own, asked.info("polymarket", CONDITION))
        self.assertNotEqual(asked.info("polymarket", CONDITION, source="pmxt-v2"), own)
        books = [TICKER]
        candles = asked.many_candles("kalshi", books, date=DATE, source="own")
        self.assertEqual(candles[0].rows, asked.candles("kalshi", TICKER, date=DATE).rows)
        self.assertEqual(asked.many_books("kalshi", books, at=NOON, source="own"), asked.many_books("kalshi", books, at=NOON))
        for ask, span in ((asked.many_candles, {"date": DATE}), (asked.many_books, {"at": NOON})):
            with self.assertRaisesRegex(backbook.Problem, "from the source pmxt-v2"):
                ask("kalshi", [TICKER], **span, source="pmxt-v2")

    def test_the_depth_map_has_runs(self):
        table = client().depth_map("kalshi", TICKER, start=NOON, end=ONE, resolution_ms=300_000)
        self.assertEqual(set(table[0]), {"price", "from", "to", "size"})
        self.assertEqual((table.info["price_step"], table.info["columns"]), (0.01, 13))

    def test_many_books_at_once(self):
        other = "KXNONE-1"
        tables = client().many_candles("kalshi", [TICKER, other], date=DATE, resolution=3600)
        self.assertEqual(tables[0].rows, client().candles("kalshi", TICKER, date=DATE, resolution=3600).rows)
        self.assertEqual([len(table) for table in tables], [24, 0])
        self.assertEqual(tables.errors()[other]["code"], "market_not_stored")
        of_event = client().many_trade_candles("polymarket", event=DEMO["slug"], date=DATE, resolution=3600)
        self.assertEqual(len(of_event), 6)
        self.assertEqual(set(of_event.table()[0]) >= {"market", "asset_id", "vwap"}, True)
        depth = client().many_depth("polymarket", [(CONDITION, ASSET)], date=DATE, resolution=3600, levels=2, bands=(0.02,))
        self.assertEqual(
            depth[0].columns(),
            client().depth("polymarket", CONDITION, ASSET, date=DATE, resolution=3600, levels=2, bands=("0.02",)).columns(),
        )
        books = client().many_books("kalshi", [TICKER], at=NOON, depth=1)
        self.assertEqual(books[0]["bids"], client().book("kalshi", TICKER, at=NOON, depth=1)["bids"])

    def test_markets_are_found(self):
        asked = client()
        self.assertEqual(asked.health()["status"], "ok")
        found = asked.search("springfield 80")
        self.assertEqual(found[0]["market"], CONDITION)
        self.assertEqual(asked.info("polymarket", CONDITION)["title"], found[0]["title"])
        markets = [each["market"] for each in asked.markets("kalshi")]
        self.assertIn(TICKER, markets)
        self.assertEqual([each["market"] for each in asked.markets("kalshi", prefix=TICKER)], [TICKER])
        self.assertEqual(asked.days("kalshi", TICKER), [DATE])
        self.assertEqual(asked.days("kalshi", "KXNONE"), [])
        self.assertTrue(asked.coverage("kalshi", TICKER)["has_data"])
        self.assertEqual([day["date"] for day in asked.calendar("kalshi", DATE, DATE)], [DATE])
        self.assertEqual(asked.active("kalshi", DATE, by="trades", limit=1)[0]["market"], TICKER)
        second = asked.active("kalshi", DATE, by="market", limit=1, offset=1, text="KXDEMO15M")
        self.assertEqual((len(second), second.info["offset"], second.info["has_more"]), (1, 1, True))
        self.assertEqual(len(asked.lookup(DEMO["slug"])["markets"]), 3)

    def test_refusals_name_what_is_wrong(self):
        with self.assertRaises(backbook.NotStored):
            client().candles("kalshi", "KXNONE", date=DATE)
        with self.assertRaises(backbook.InvalidRequest) as refused:
            client().candles("kalshi", TICKER, date=DATE, resolution=3601)
        self.assertEqual(refused.exception.errors[0]["field"], "resolution")
        with self.assertRaises(backbook.Unauthorized):
            backbook.Client(URL, KEY + "x").candles("kalshi", TICKER, date=DATE)
        with self.assertRaisesRegex(ValueError, "venue must be one of kalshi, polymarket"):
            client().candles("Kalshi", TICKER, date=DATE)
        with self.assertRaisesRegex(ValueError, "have one book"):
            client().candles("kalshi", TICKER, ASSET, date=DATE)


class Frames(unittest.TestCase):
    def test_pandas(self):
        pandas = importable(self, "pandas")
        candles = client().candles("kalshi", TICKER, date=DATE)
        frame = candles.to_pandas(index="timestamp")
        self.assertEqual(frame.index[0], pandas.Timestamp(DATE, tz="UTC"))
        self.assertEqual(str(frame.index.dtype), "datetime64[ns, UTC]")
        self.assertEqual(frame["best_bid_high"].dropna().tolist(), [
            row["best_bid_ohlc"]["high"] for row in candles if row["best_bid_ohlc"]["high"] is not None
        ])
        trades = client().trades("polymarket", CONDITION, date=DATE).to_pandas()
        self.assertEqual(str(trades["timestamp"].dtype), "datetime64[ns, UTC]")
        self.assertEqual(set(trades["asset_id"]) <= set(DEMO["assetIds"]), True)
        many = client().many_candles("polymarket", event=DEMO["slug"], date=DATE, resolution=3600).to_pandas()
        wide = many.pivot(index="timestamp", columns="asset_id", values="mid_price")
        self.assertEqual(wide.shape[1], 6)
        runs = client().depth_map("kalshi", TICKER, start=NOON, end=ONE).to_pandas()
        self.assertEqual([str(runs[name].dtype) for name in ("from", "to")], ["datetime64[ns, UTC]"] * 2)

    def test_times_are_exact_beside_absent_times(self):
        pandas = importable(self, "pandas")
        ms = 1784505603183
        frame = backbook.Table([{"received_at": None}, {"received_at": ms}, {"received_at": ms + 1}]).to_pandas()
        self.assertTrue(pandas.isna(frame["received_at"][0]))
        self.assertEqual([time.value for time in frame["received_at"][1:]], [ms * 10**6, (ms + 1) * 10**6])

    def test_an_empty_frame_has_the_columns_of_a_full_one(self):
        importable(self, "pandas")
        asked = client()
        nothing = {"start": int(utc(0).timestamp()) - 86_400, "end": int(utc(0).timestamp()) - 86_390}
        something = {"start": NOON, "end": ONE}
        for ask in (asked.candles, asked.trade_candles, asked.depth, asked.depth_map, asked.changes, asked.trades, asked.raw):
            empty, full = (ask("kalshi", TICKER, **window).to_pandas() for window in (nothing, something))
            self.assertEqual((len(empty), list(empty)), (0, list(full)))
            # pandas makes a column of sizes integers if all sizes happen to be whole.
            kinds = [[each.kind.replace("i", "f") for each in frame.dtypes] for frame in (empty, full)]
            self.assertEqual(kinds[0], kinds[1])
        self.assertEqual(str(asked.trades("kalshi", TICKER, **nothing).to_pandas("timestamp").index.dtype), "datetime64[ns, UTC]")
        many = [asked.many_depth("polymarket", [(CONDITION, ASSET)], **window, levels=2) for window in (nothing, something)]
        self.assertEqual(list(many[0].to_pandas()), list(many[1].to_pandas()))
        self.assertEqual(list(asked.active("kalshi", "2001-01-01").to_pandas()), list(asked.active("kalshi", DATE)[0]))
        self.assertEqual(asked.calendar("kalshi", DATE, DATE).columns().keys(), asked.calendar("kalshi", DATE, DATE)[0].keys())

    def test_a_column_without_values_is_numeric(self):
        importable(self, "pandas")
        frame = backbook.Table([{"best_bid": None, "side": None}] * 2).to_pandas()
        self.assertEqual([str(each) for each in frame.dtypes], ["float64", "object"])

    def test_messages_of_all_forms_fit_into_one_column(self):
        records = client().raw("kalshi", TICKER, start=NOON, end=ONE).table()
        self.assertEqual({record["type"] for record in records}, {"delta", "trade"})
        # `source` is a column even if all records are your own, so that frames of all pages have the same columns.
        self.assertEqual(list(records.columns())[-2:], ["source", "msg"])
        frames = {"polars": lambda: records.to_polars()["msg"].to_list(), "pyarrow": lambda: records.to_arrow()["msg"].to_pylist()}
        for name, messages in frames.items():
            with self.subTest(name):
                importable(self, name)
                self.assertEqual([json.loads(each) for each in messages()], [record["msg"] for record in records])

    def test_polars(self):
        polars = importable(self, "polars")
        frame = client().candles("kalshi", TICKER, date=DATE).to_polars()
        self.assertEqual(frame["timestamp"].dtype, polars.Datetime("ms", "UTC"))
        self.assertEqual(frame["timestamp"][0], utc(0))
        nothing = client().candles("kalshi", TICKER, date="2001-01-01").to_polars()
        self.assertEqual((nothing.height, nothing.columns), (0, frame.columns))
        many = client().many_candles("kalshi", [TICKER], date=DATE, resolution=3600).to_polars()
        self.assertEqual((many.height, many.columns[0]), (24, "market"))

    def test_arrow(self):
        pyarrow = importable(self, "pyarrow")
        table = client().candles("kalshi", TICKER, date=DATE).to_arrow()
        self.assertEqual(table.schema.field("timestamp").type, pyarrow.timestamp("ms", tz="UTC"))
        self.assertEqual(table["timestamp"][0].as_py(), utc(0))
        nothing = client().candles("kalshi", TICKER, date="2001-01-01").to_arrow()
        self.assertEqual((nothing.num_rows, nothing.column_names), (0, table.column_names))
        many = client().many_candles("kalshi", [TICKER], date=DATE, resolution=3600).to_arrow()
        self.assertEqual((many.num_rows, many.column_names[0]), (24, "market"))


def importable(case, name):
    try:
        return __import__(name)
    except ImportError:
        case.skipTest(f"{name} is not installed")


def utc(hour):
    day = dt.date.fromisoformat(DATE)
    return dt.datetime(day.year, day.month, day.day, hour, tzinfo=dt.timezone.utc)


if __name__ == "__main__":
    unittest.main()
