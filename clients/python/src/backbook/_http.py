"""Requests and their retries: what is asked again, what is not, and how long is waited."""

from __future__ import annotations

import json
import time
from typing import Any, Callable, Dict, Mapping, Optional

import requests

from ._errors import ConnectionBroken, Problem, problem_of

#: Nobody waits longer than that for an answer: a server that says so is reported.
_WAIT_S_MAX = 60.0
_BROKEN = (
    requests.ConnectionError,
    requests.Timeout,
    requests.exceptions.ChunkedEncodingError,
    requests.exceptions.ContentDecodingError,
)


class Http:
    """One server and one key. `sleep` is there for tests."""

    def __init__(
        self,
        url: str,
        key: Optional[str],
        *,
        tries: int = 5,
        timeout_s: float = 120,
        session: Optional[requests.Session] = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"url must be an address such as http://127.0.0.1:8080, got {url!r}")
        # A key that was read from a file ends with its line; what no header can hold is not shown, it may be a secret.
        key = (key or "").strip()
        if not key.isascii():
            raise ValueError("key has a character that no key has: was it copied whole?")
        self.url = url.rstrip("/")
        self.tries = tries
        self.timeout_s = timeout_s
        self.sleep = sleep
        self._session = session or requests.Session()
        self._headers = {} if not key else {"Authorization": f"Bearer {key}"}

    def close(self) -> None:
        self._session.close()

    def json(self, path: str, query: Mapping[str, Any], *, method: str = "GET", body: Any = None) -> Any:
        """The answer, read to its end. Raises Problem if it is refused, ConnectionBroken if it never arrived whole."""

        def read(response: requests.Response) -> Any:
            # An answer that broke off may look whole to the library, but is no JSON.
            return json.loads(response.content)

        return self.ask(path, query, read, method=method, body=body, headers={"Accept": "application/json"})

    def ask(
        self,
        path: str,
        query: Mapping[str, Any],
        read: Callable[[requests.Response], Any],
        *,
        method: str = "GET",
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        stream: bool = False,
    ) -> Any:
        """What `read` makes of an answer. Asked again after 503, after rates, and where the connection breaks."""
        attempt = 0
        while True:
            attempt += 1
            try:
                with self.send(path, query, method=method, body=body, headers=headers, stream=stream) as response:
                    return read(response)
            except Problem as problem:
                if attempt >= self.tries or not is_worth_another(problem):
                    raise
                wait_s = problem.retry_after_s if problem.retry_after_s is not None else float(attempt)
            except (*_BROKEN, json.JSONDecodeError) as error:
                if attempt >= self.tries:
                    raise ConnectionBroken(f"{path}: no whole answer in {attempt} tries: {error}") from error
                wait_s = float(attempt)
            self.sleep(wait_s)

    def send(
        self,
        path: str,
        query: Mapping[str, Any],
        *,
        method: str = "GET",
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        stream: bool = False,
        timeout: Any = None,
    ) -> requests.Response:
        """One request. Raises Problem if it is refused, and what `requests` raises if the connection breaks."""
        response = self._session.request(
            method,
            self.url + path,
            params={name: value for name, value in query.items() if value is not None},
            json=body,
            headers={**self._headers, **(headers or {})},
            timeout=timeout or self.timeout_s,
            stream=stream,
            # The key is for this server alone.
            allow_redirects=False,
        )
        if 200 <= response.status_code < 300:
            return response
        with response:
            raise problem_of(response.status_code, _document(response), _retry_after_s(response))


def is_worth_another(problem: Problem) -> bool:
    """Whether waiting as the server says, which is never long, can help."""
    # A quota that is used up comes back next month; all other limits end by themselves within seconds.
    is_short = problem.status == 503 or (problem.status == 429 and problem.code != "quota_exceeded")
    return is_short and (problem.retry_after_s is None or problem.retry_after_s <= _WAIT_S_MAX)


def is_broken(error: BaseException) -> bool:
    return isinstance(error, _BROKEN)


def _document(response: requests.Response) -> Dict[str, Any]:
    try:
        document = response.json()
    except (ValueError, requests.RequestException):
        # Something between the client and the server answered.
        return {}
    return document if isinstance(document, dict) else {}


def _retry_after_s(response: requests.Response) -> Optional[float]:
    try:
        return max(0.0, float(response.headers["Retry-After"]))
    except (KeyError, ValueError):
        return None
