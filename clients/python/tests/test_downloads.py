"""Downloads of day files: complete, checked, and resumed after broken connections."""

import gzip
import hashlib
import os
import pathlib
import tempfile
import unittest
import urllib.request

import backbook
from backbook import Client
from tests.support import DATE, KEY, TICKER, URL, client, counting, reply, serving

NAME = "records.ndjson.zst"


def listing():
    (entry,) = client().files("kalshi", DATE, TICKER)
    return entry, next(file for file in entry["files"] if file["name"] == NAME)


def through(handler, cut_at=None):
    """Forwards a request to the real server, and cuts the answer off after a number of bytes."""
    names = ("Authorization", "Range", "If-Range", "Accept")
    headers = {name: handler.headers[name] for name in names if handler.headers[name]}
    with urllib.request.urlopen(urllib.request.Request(URL + handler.path, headers=headers)) as answer:
        body = answer.read()
        handler.send_response(answer.status)
        handler.send_header("Content-Length", str(len(body)))
        handler.send_header("Content-Type", answer.headers["Content-Type"])
        handler.end_headers()
        handler.wfile.write(body[:cut_at])
        handler.close_connection = handler.close_connection or cut_at is not None


class Downloads(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.to = os.path.join(folder.name, "days", NAME)

    def digest(self):
        with open(self.to, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()

    def test_each_file_is_what_the_server_lists(self):
        entry, _ = listing()
        self.assertEqual([file["name"] for file in entry["files"]], [NAME, "candles-1s.parquet", "trades.parquet"])
        for file in entry["files"]:
            self.assertTrue(client().download("kalshi", DATE, TICKER, file["name"], self.to))
            self.assertEqual(self.digest(), file["sha256"])
            self.assertFalse(client().download("kalshi", DATE, TICKER, file["name"], self.to))
        self.assertEqual(os.listdir(os.path.dirname(self.to)), [NAME])

    def test_a_broken_download_resumes_where_it_broke(self):
        _, listed = listing()
        cuts = iter([30_000, 17_000, None])
        is_file = lambda handler: handler.path.endswith(NAME)
        with serving(lambda handler, _: through(handler, next(cuts) if is_file(handler) else None)) as (url, asked):
            through_proxy = Client(url, KEY)
            counting(through_proxy)
            self.assertTrue(through_proxy.download("kalshi", DATE, TICKER, NAME, self.to))
        first, *others = [headers.get("Range") for path, headers in asked if path.endswith(NAME)]
        second, third = [int(each[len("bytes=") : -1]) for each in others]
        self.assertIsNone(first)
        # A partly received last chunk may be requested again.
        self.assertTrue(30_000 - 2**14 < second <= 30_000, second)
        self.assertTrue(second + 17_000 - 2**14 < third <= second + 17_000, third)
        self.assertEqual(self.digest(), listed["sha256"])

    def test_a_partial_file_of_something_else_is_replaced(self):
        _, listed = listing()
        os.makedirs(os.path.dirname(self.to))
        for size in (10, listed["bytes"], listed["bytes"] + 5):
            with open(self.to + ".partial", "wb") as file:
                file.write(b"x" * size)
            client().download("kalshi", DATE, TICKER, NAME, self.to)
            self.assertEqual(self.digest(), listed["sha256"])
            os.remove(self.to)

    def test_wrong_bytes_are_never_stored(self):
        _, listed = listing()

        def other(handler, _):
            if not handler.path.endswith(NAME):
                return through(handler)
            reply(handler, 200, b"x" * listed["bytes"])

        with serving(other) as (url, _):
            with self.assertRaises(backbook.ChecksumMismatch):
                Client(url, KEY).download("kalshi", DATE, TICKER, NAME, self.to)
        self.assertEqual(os.listdir(os.path.dirname(self.to)), [])

    def test_a_connection_that_always_breaks_raises_and_leaves_the_partial_file(self):
        def broken(handler, count):
            if not handler.path.endswith(NAME):
                return through(handler)
            through(handler, 30_000 if count == 1 else 0)

        with serving(broken) as (url, asked):
            broken_client = Client(url, KEY, tries=3)
            counting(broken_client)
            with self.assertRaises(backbook.ConnectionBroken):
                broken_client.download("kalshi", DATE, TICKER, NAME, self.to)
        self.assertGreater(os.path.getsize(self.to + ".partial"), 30_000 - 2**14)
        self.assertEqual(len(asked), 4)

    def test_a_file_that_is_not_stored_is_an_error(self):
        with self.assertRaises(backbook.NotStored):
            client().download("kalshi", "2001-01-01", TICKER, NAME, self.to)
        with self.assertRaisesRegex(ValueError, "name must be one of"):
            client().download("kalshi", DATE, TICKER, "records.ndjson", self.to)

    def test_a_ticket_opens_a_file_without_a_key(self):
        entry, listed = listing()
        address = client().ticket(f"/kalshi/files/{DATE}/{entry['market']}/{NAME}")
        with urllib.request.urlopen(address) as answer:
            self.assertEqual(hashlib.sha256(answer.read()).hexdigest(), listed["sha256"])

    def test_an_answer_is_saved_whole_or_not_at_all(self):
        folder = os.path.dirname(self.to)
        os.makedirs(folder)
        query = {"ticker": TICKER, "date": DATE, "format": "csv"}
        with serving(lambda handler, _: through(handler, 50)) as (url, _):
            broken_client = Client(url, KEY, tries=2)
            counting(broken_client)
            with self.assertRaises(backbook.ConnectionBroken):
                broken_client.save("kalshi/market/trades", self.to, **query)
        self.assertEqual(os.listdir(folder), [])
        client().save("kalshi/market/trades", self.to, **query)
        with open(self.to) as lines:
            self.assertEqual(len(list(lines)), 1 + len(list(client().trades("kalshi", TICKER, date=DATE))))
        self.assertEqual(os.listdir(folder), [NAME])

    def test_the_target_may_be_a_path_in_a_missing_folder(self):
        to = pathlib.Path(self.to)
        self.assertTrue(client().download("kalshi", DATE, TICKER, NAME, to))
        self.assertFalse(client().download("kalshi", DATE, TICKER, NAME, self.to))
        lines = to.parent / "csv" / "trades.csv"
        client().save("/kalshi/market/trades", lines, ticker=TICKER, date=DATE, format="csv")
        self.assertTrue(lines.read_text().startswith("market,timestamp,"))
        for receive in (
            lambda: client().download("kalshi", DATE, TICKER, NAME, to.parent),
            lambda: client().save("kalshi/market/trades", to.parent, ticker=TICKER, date=DATE),
        ):
            with self.assertRaisesRegex(IsADirectoryError, "name the file in it"):
                receive()
        self.assertEqual(sorted(os.listdir(to.parent.parent)), ["days"])

    def test_a_truncated_compressed_answer_is_not_saved(self):
        packed = gzip.compress(b"a line\n" * 5_000)
        sizes = (0, len(packed) // 2, len(packed))

        def answer(handler, count):
            handler.close_connection = True
            reply(handler, 200, packed[: sizes[count]], Content_Length=len(packed), Content_Encoding="gzip")

        with serving(answer) as (url, asked):
            broken_client = Client(url, KEY)
            counting(broken_client)
            os.makedirs(os.path.dirname(self.to))
            broken_client.save("kalshi/market/trades", self.to)
        with open(self.to, "rb") as file:
            self.assertEqual((len(file.read()), len(asked)), (7 * 5_000, 3))


if __name__ == "__main__":
    unittest.main()
