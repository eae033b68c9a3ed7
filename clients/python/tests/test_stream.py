"""Streams of a growing market, over connections that break."""

import json
import os
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request
import uuid

import backbook
from backbook import Client
from tests.support import INGEST, KEY, TICKER, URL, client, counting, refuse, serving

NOON_MS = 1786363200000


def grow(market, *deltas):
    """Commits a snapshot, or one delta at each of `deltas` (ms after noon) if any are given."""
    envelope = lambda ms, kind, msg: {
        "recv_ms": NOON_MS + ms,
        "event": {"type": kind, "sid": 1, "seq": ms + 1, "msg": {"market_ticker": market, **msg}},
    }
    book = {"yes_dollars_fp": [["0.40", "5.00"]], "no_dollars_fp": [["0.30", "5.00"]]}
    change = lambda ms: {"price_dollars": "0.45", "delta_fp": "1.00", "side": "yes", "ts_ms": NOON_MS + ms}
    lines = [envelope(ms, "orderbook_delta", change(ms)) for ms in deltas] or [envelope(0, "orderbook_snapshot", book)]
    with tempfile.NamedTemporaryFile("w", suffix=".ndjson", delete=False) as file:
        file.write("".join(json.dumps(line) + "\n" for line in lines))
    subprocess.run([*INGEST, file.name], check=True, stdout=subprocess.DEVNULL)
    os.remove(file.name)


def pass_on(handler, messages_max=None):
    """Forwards an event stream, and cuts it off in the middle of the event after the given number of events."""
    headers = {name: value for name, value in handler.headers.items() if name in ("Authorization", "Last-Event-ID")}
    request = urllib.request.Request(URL + handler.path, headers=headers)
    handler.close_connection = True
    with urllib.request.urlopen(request) as events:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        count = 0
        for line in events:
            if line.startswith(b"data: ") and messages_max is not None:
                count += 1
                if count > messages_max:
                    handler.wfile.write(line[:40])
                    return
            handler.wfile.write(line)
            handler.wfile.flush()


class Follow(unittest.TestCase):
    def test_broken_connections_lose_nothing_and_repeat_nothing(self):
        market = f"KXPY{uuid.uuid4().hex[:8]}-1"
        grow(market)
        # The first connection breaks after two messages, the second at once, the third after two more.
        parts = iter([2, 0, 2])
        with serving(lambda handler, _: pass_on(handler, next(parts, None))) as (url, asked):
            follower = Client(url, KEY)
            waits = counting(follower)
            with follower.stream([f"kalshi:{market}"], ["records"]) as stream:
                first = next(stream)
                self.assertEqual(first["type"], "begin")
                grow(market, 10, 20, 30, 40)
                records = [next(stream) for _ in range(4)]
        self.assertEqual([record["timestamp"] - NOON_MS for record in records], [10, 20, 30, 40])
        self.assertEqual(len(asked), 4)
        self.assertEqual(len(waits), 3)
        self.assertEqual(asked[0][1].get("Last-Event-ID"), None)
        self.assertEqual(asked[1][1]["Last-Event-ID"], records[0]["position"])
        self.assertEqual(asked[2][1]["Last-Event-ID"], records[0]["position"])

    def test_another_program_continues_after_a_position(self):
        market = f"KXPY{uuid.uuid4().hex[:8]}-2"
        grow(market)
        with client().stream([f"kalshi:{market}"], ["book", "quotes"]) as stream:
            begin = [next(stream) for _ in range(4)]
            self.assertEqual({(each["channel"], each["type"]) for each in begin},
                             {("book", "begin"), ("book", "book"), ("quotes", "begin"), ("quotes", "quote")})
            position = stream.position
        grow(market, 10)
        with client().stream([f"kalshi:{market}"], ["book", "quotes"], after=position) as stream:
            after = [next(stream) for _ in range(2)]
        self.assertEqual([each["type"] for each in after], ["level", "quote"])
        self.assertEqual(after[1]["best_bid"], 0.45)

    def test_refusals_are_raised(self):
        with self.assertRaises(backbook.NotStored):
            next(client().stream(["kalshi:KXNOBODY-1"]))
        with self.assertRaises(backbook.InvalidRequest) as refused:
            next(client().stream(["kalshi:" + TICKER], after="AAAA"))
        self.assertEqual(refused.exception.code, "cursor_invalid")
        with serving(lambda handler, _: refuse(handler, 429, "quota_exceeded", 817845)) as (url, asked):
            follower = Client(url, KEY)
            waits = counting(follower)
            with self.assertRaises(backbook.QuotaExceeded):
                next(follower.stream(["kalshi:KXA-1"]))
            self.assertEqual((waits, len(asked)), ([], 1))

    def test_failures_in_a_row_can_be_limited(self):
        with serving(lambda handler, _: refuse(handler, 503, "overloaded", 2)) as (url, asked):
            follower = Client(url, KEY)
            waits = counting(follower)
            with self.assertRaises(backbook.ServerError):
                next(follower.stream(["kalshi:KXA-1"], failures_max=2))
            self.assertEqual((waits, len(asked)), ([2.0, 2.0], 3))

    def test_a_closed_stream_ends(self):
        market = f"KXPY{uuid.uuid4().hex[:8]}-3"
        grow(market)
        stream = client().stream([f"kalshi:{market}"], ["records"])
        next(stream)
        stream.close()
        self.assertEqual(list(stream), [])

    def test_another_thread_may_close_it(self):
        market = f"KXPY{uuid.uuid4().hex[:8]}-4"
        grow(market)
        stream = client().stream([f"kalshi:{market}"], ["records"])
        next(stream)
        closing = threading.Timer(0.5, stream.close)
        closing.start()
        began = time.monotonic()
        # `close` raises nothing here, and ends a pending read before the server sends its next comment.
        self.assertEqual(list(stream), [])
        closing.join()
        self.assertLess(time.monotonic() - began, 5)


if __name__ == "__main__":
    unittest.main()
