"""Shared by the tests: the address of the real server, and fake servers that refuse or break connections."""

import contextlib
import http.server
import json
import os
import threading

from backbook import Client

URL = os.environ["BACKBOOK_URL"]
KEY = os.environ["BACKBOOK_KEY"]
#: Ids of the synthetic day that the server stores: date, kalshiTicker, conditionId, assetIds, slug.
DEMO = json.loads(os.environ["CLIENT_TEST_DEMO"])
TICKER, CONDITION, ASSET, DATE = DEMO["kalshiTicker"], DEMO["conditionId"], DEMO["assetIds"][0], DEMO["date"]
#: Arguments of the command that loads a capture. The path of the capture is appended.
INGEST = json.loads(os.environ["CLIENT_TEST_INGEST"])


def client(**options):
    return Client(URL, KEY, **options)


def counting(client):
    """Replaces a client's sleep. Returns the list to which each wait is added, in seconds."""
    waits = []
    client._http.sleep = waits.append
    return waits


@contextlib.contextmanager
def serving(answer):
    """Runs a server that answers GET with `answer(handler, count)`. Yields its URL and the list of requests."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            asked.append((self.path, dict(self.headers)))
            answer(self, len(asked) - 1)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()


def reply(handler, status, body, **headers):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    handler.send_response(status)
    for name, value in {"Content_Length": len(data), **headers}.items():
        handler.send_header(name.replace("_", "-"), str(value))
    handler.end_headers()
    handler.wfile.write(data)


def refuse(handler, status, code, retry_after=None):
    wait = {} if retry_after is None else {"Retry_After": retry_after}
    problem = {"code": code, "detail": "said so", "status": status, "request_id": "r1"}
    reply(handler, status, problem, Content_Type="application/problem+json", **wait)
