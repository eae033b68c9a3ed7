"""The live stream: server-sent events over `requests`. Reconnects from the last position."""

from __future__ import annotations

import json
import socket
from typing import Any, Dict, Iterator, Optional

import requests

from ._errors import ConnectionBroken, Problem
from ._http import Http, is_broken, is_worth_another

Message = Dict[str, Any]

#: Read timeout. The server sends something at least every 30 s, so a connection that is silent for longer is broken.
_SILENCE_S = 45.0
_CONNECT_S = 15.0
#: Seconds before the next attempt to connect, after the first, second, … failure in a row.
_WAITS_S = (0.5, 1.0, 2.0, 5.0, 10.0)


class Stream(Iterator[Message]):
    """An iterator over messages of markets, as they are committed.

    Reconnects if a connection ends, and continues after the last returned message, without loss or repetition.
    `position` is the position of that message; another program continues there with `after=`. Raises Problem if the
    server refuses, and ConnectionBroken after more than `failures_max` failures in a row. `close()` ends the stream,
    and so does the end of its `with` block.
    """

    def __init__(self, http: Http, query: Dict[str, str], after: Optional[str], failures_max: Optional[int]) -> None:
        self.position = after
        self._http = http
        self._query = query
        self._failures_max = failures_max
        self._response: Optional[requests.Response] = None
        self._messages: Iterator[Message] = iter(())
        self._failures = 0
        self._is_closed = False

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._is_closed = True
        self._hang_up()

    def __next__(self) -> Message:
        while not self._is_closed:
            try:
                message = next(self._messages, None)
            except Exception as error:
                # If another thread closes the stream during a read, the kind of error depends on the library.
                if self._is_closed:
                    break
                if not is_broken(error):
                    raise
                self._failed(error)
                continue
            if message is None:
                # Not connected yet, or the server ended the connection, for example because it stops.
                self._connect()
                continue
            self.position = message.get("position", self.position)
            if message["type"] == "slow":
                # The client read too slowly. After a reconnect, the server sends what is missing from the store.
                self._hang_up()
                continue
            self._failures = 0
            return message
        raise StopIteration

    def _connect(self) -> None:
        if self._response is not None:
            self._hang_up()
            self._failed(None)
        headers = {"Accept": "text/event-stream", "Accept-Encoding": "identity"}
        if self.position is not None:
            headers["Last-Event-ID"] = self.position
        try:
            timeout = (_CONNECT_S, _SILENCE_S)
            self._response = self._http.send("/stream", self._query, headers=headers, stream=True, timeout=timeout)
        except Problem as problem:
            if not is_worth_another(problem):
                raise
            self._failed(problem, problem.retry_after_s)
        except requests.RequestException as error:
            if not is_broken(error):
                raise
            self._failed(error)
        else:
            self._messages = _messages(self._response)

    def _failed(self, error: Optional[BaseException], wait_s: Optional[float] = None) -> None:
        self._hang_up()
        self._failures += 1
        if self._failures_max is not None and self._failures > self._failures_max:
            if isinstance(error, Problem):
                raise error
            raise ConnectionBroken(f"/stream: {self._failures} failures in a row") from error
        self._http.sleep(wait_s if wait_s is not None else _WAITS_S[min(self._failures, len(_WAITS_S)) - 1])

    def _hang_up(self) -> None:
        response, self._response = self._response, None
        self._messages = iter(())
        if response is not None:
            _end_reads(response)
            response.close()


def _end_reads(response: requests.Response) -> None:
    """Shuts the socket down, so that `close` does not wait for another thread's read until the server sends data."""
    wire = getattr(getattr(response.raw, "_connection", None), "sock", None)
    try:
        if wire is not None:
            wire.shutdown(socket.SHUT_RDWR)
    except OSError:
        # The connection has ended already.
        pass


def _messages(response: requests.Response) -> Iterator[Message]:
    """Yields the `data` of each event. Drops an incomplete last line, cut off by the end of the connection."""
    rest = b""
    # Without chunked encoding, as from an HTTP/1.0 proxy, `requests` would wait for the end of the answer.
    size = None if getattr(response.raw, "chunked", False) else 1
    for chunk in response.iter_content(chunk_size=size):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if line.startswith(b"data: {"):
                yield json.loads(line[6:])
